// Any text as a model file. Comments at its beginning of the form "#set KEY=VALUE" are taken as --set as well.
#include <algorithm>
#include <string>

#include "livens/model/check_model.hpp"
#include "livens/model/model.hpp"
#include "targets.hpp"

namespace livens::fuzz {

namespace {

constexpr std::size_t largest_input = 16'384, most_coordinates = 12;

Overrides overrides_of(std::string_view text) {
  constexpr std::string_view mark = "#set ";
  Overrides set;
  while (text.starts_with(mark)) {
    const std::string_view line = text.substr(mark.size(), text.find('\n') - mark.size());
    if (const std::size_t equals = line.find('='); equals != line.npos)
      set.emplace_back(line.substr(0, equals), line.substr(equals + 1));
    text.remove_prefix(std::min(text.size(), mark.size() + line.size() + 1));
  }
  return set;
}

}  // namespace

void model_reader(std::string_view input) {
  if (input.size() > largest_input) return;
  try {
    const Model model = read_model("fuzzed.toml", std::string(input), overrides_of(input));
    if (model.system->coordinate_names().size() <= most_coordinates) check_model(model);
  } catch (const InputError&) {
  }
}

}  // namespace livens::fuzz
