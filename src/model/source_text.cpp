#include "model/source_text.hpp"

#include "livens/formula/names.hpp"

namespace livens {

SourceText::SourceText(std::string text) : text_(std::move(text)), line_starts_{0} {
  for (std::size_t at = 0; at < text_.size(); ++at)
    if (text_[at] == '\n') line_starts_.push_back(at + 1);
}

formula::Number SourceText::number(std::size_t line, std::size_t column, double rounded) const {
  const formula::Number known(rounded);
  if (line < 1 || line > line_starts_.size()) return known;
  const std::size_t start = line_starts_[line - 1] + column - 1;
  if (start >= text_.size()) return known;
  const std::size_t end = text_.find_first_not_of("0123456789+-._eE", start);
  std::string digits = text_.substr(start, end - start);
  std::erase(digits, '_');
  formula::Graph graph;
  try {
    const formula::NodeId written = formula::Names(graph).parse(digits);
    // Zero keeps the sign that it has as a double.
    if (graph.is_constant(written) && graph.value(written) != 0 && to_double(graph.value(written)) == rounded)
      return graph.value(written);
  } catch (const formula::FormulaError&) {
  }
  return known;
}

}  // namespace livens
