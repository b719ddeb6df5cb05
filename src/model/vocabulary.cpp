#include "model/vocabulary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "livens/formula/nearest.hpp"
#include "livens/formula/program.hpp"

namespace livens {

namespace {

constexpr std::string_view unknown = "unknown name \"";  // so the parser begins

// What to do about what the parser cannot know how to mend.
std::string with_formula_remedy(const std::string& wrong) {
  if (wrong == "the formula is empty") return wrong + "; write 0 for nothing";
  if (wrong.starts_with("unknown name \"for\""))
    return wrong + "; a repeat is no formula but { for = \"i = 0..9\", each = [\"x[i]\", \"y[i]\"] }";
  if (wrong.starts_with("unknown name") && wrong.find(';') == wrong.npos)
    return wrong + "; name it in system.parameters or system.let";
  return wrong;
}

}  // namespace

using formula::NodeId;
using formula::Number;

Vocabulary::Vocabulary(const Document& document, const Section& system, int time_block)
    : document_(&document), system_(system), time_block_(time_block), names_(graph_) {
  names_.add_variable("t", {time_block, 0});
  names_.add_rate({time_block, 0}, graph_.constant(1));
}

// ---- repeats --------------------------------------------------------------------------------------------------------

Vocabulary::Bounds& Vocabulary::bounds() {
  if (bounds_) return *bounds_;
  bounds_ = std::make_unique<Bounds>();
  if (const auto parameters = system_.find("parameters"))
    for (const auto& [name, value] : parameters->section().entries()) {
      if (value.is_text())
        bounds_->names.add_definition(name, value.text(), value.key());
      else if (!value.is_array())
        bounds_->names.add_constant(name, value.number());
    }
  return *bounds_;
}

formula::Range Vocabulary::range_of(const Value& where, const formula::Indices& indices, std::size_t characters) {
  const std::string written = where.text();
  const formula::Range range =
      explained(where, indices, [&] { return formula::parse_range(bounds().graph, written, bounds().names, indices); });
  if (names_.contains(range.index))
    where.refuse(fmt::format("\"{}\" has a meaning already; choose another name for the index", range.index));
  if (!formula::may_repeat(graph_, names_, range.last - range.first + 1, characters))
    where.refuse(
        fmt::format("{} to {} is too much; write a smaller range: a model may read {} characters again, and "
                    "have {} operations",
                    range.first, range.last, formula::most_repeated, formula::most_nodes));
  return range;
}

template <class Visit>
void Vocabulary::for_each(const Value& array, Visit visit) {
  formula::Indices indices;
  for_each(items_of(array), indices, visit);
}

template <class Visit>
void Vocabulary::for_each(const std::vector<Item>& items, formula::Indices& indices, Visit& visit) {
  for (const Item& item : items) {
    if (!item.range) {
      visit(item, std::as_const(indices));
      continue;
    }
    const std::size_t weight = 500;  // what a name or number takes besides its characters: 2 million of them are enough
    std::size_t characters = 0;
    for (const Item& inner : item.each) characters += weight + (inner.wording ? inner.wording->text.size() : 0);
    const formula::Range range = range_of(*item.range, indices, characters);
    indices.push_back({range.index, 0});
    for (long long i = range.first; i <= range.last; ++i) {
      indices.back().value = i;
      for_each(item.each, indices, visit);
    }
    indices.pop_back();
  }
}

// ---- names ----------------------------------------------------------------------------------------------------------

void Vocabulary::check_name(const std::string& name, const Value& where) {
  if (!formula::valid_identifier(name))
    where.refuse(fmt::format("\"{}\" is not a name; names are letters, digits and _, beginning with no digit{}", name,
                             name.find_first_of("({") == name.npos ? "" : ", and an index is written x[i]"));
  if (formula::Names::reserved(name))
    where.refuse(fmt::format("\"{}\" is reserved for formulas; choose another name", name));
}

void Vocabulary::claim(const std::string& name, const Value& where) {
  const std::string family = name.substr(0, name.find('['));
  check_name(family, where);
  const auto refuse = [&](const std::string& taken, const std::string& owner) {
    if (owner == where.key())
      where.refuse(
          fmt::format("gives the name \"{}\" more than once; write it with the index, such as {}[i]", taken, family));
    where.refuse(fmt::format("the name \"{}\" is already given at {}; choose another one", taken, owner));
  };
  const bool has_indices = family.size() < name.size();
  const auto& others = has_indices ? owners_ : families_;
  if (const auto other = others.find(family); other != others.end()) refuse(family, other->second);
  if (has_indices) families_.try_emplace(family, where.key());
  const auto [owner, is_new] = owners_.try_emplace(name, where.key());
  if (!is_new) refuse(name, owner->second);
}

// x, or x[3] for x[i+1] where i = 2.
std::string Vocabulary::name_of(const Item& item, const formula::Indices& indices) {
  const std::string name = item.value.text();
  if (name.find('[') == name.npos) return name;
  return explained(item.value, indices,
                   [&] { return formula::parse_name(bounds().graph, item.wording->text, bounds().names, indices); });
}

std::vector<int> Vocabulary::chosen(const Value& names, const std::vector<std::string>& known) {
  std::map<std::string_view, int> numbers;
  for (const std::string& name : known) numbers.emplace(name, static_cast<int>(numbers.size()));
  std::vector<int> chosen;
  for_each(names, [&](const Item& item, const formula::Indices& indices) {
    const bool literal =
        item.value.is_text() && numbers.contains(item.value.text());  // also "link[3].x" of a mechanism
    const std::string name = literal ? item.value.text() : name_of(item, indices);
    const auto found = numbers.find(name);
    if (found == numbers.end())
      item.value.refuse(
          fmt::format("\"{}\" is not one of the {} names{}", name, known.size(), formula::suggestion(name, known)));
    if (found->second < 0) item.value.refuse(fmt::format("\"{}\" is there twice; leave one out", name));
    chosen.push_back(std::exchange(found->second, -1));
  });
  return chosen;
}

std::vector<int> Vocabulary::chosen_numbers(const Value& numbers, int most) {
  std::vector<int> chosen;
  std::vector<bool> is_there(static_cast<std::size_t>(most));
  for_each(numbers, [&](const Item& item, const formula::Indices& indices) {
    const auto number = item.wording ? whole_number(item, indices) : item.value.integer(1, most);
    if (number < 1 || number > most)
      item.value.refuse(
          fmt::format("is {}; write an integer from 1 to {}{}", number, most, formula::in_words(indices)));
    const auto place = static_cast<std::size_t>(number - 1);
    if (is_there[place]) item.value.refuse("is there twice; leave one out" + formula::in_words(indices));
    is_there[place] = true;
    chosen.push_back(static_cast<int>(place));
  });
  return chosen;
}

std::vector<std::string> Vocabulary::add_variables(const Value& names, int block) {
  std::vector<std::string> added;
  for_each(names, [&](const Item& item, const formula::Indices& indices) {
    std::string name = name_of(item, indices);
    claim(name, item.value);
    names_.add_variable(name, {block, static_cast<int>(added.size())});
    added.push_back(std::move(name));
  });
  return added;
}

void Vocabulary::add_parameters(const Section& parameters) {
  for (const auto& entry : parameters.entries()) {
    const std::string& name = entry.first;
    const Value& value = entry.second;
    check_name(name, value);
    if (!value.is_array()) {
      claim(name, value);
      if (value.is_text())
        names_.add_definition(name, value.text(), value.key());
      else
        names_.add_constant(name, value.number());
      parameters_.push_back({name, value, {}});
      continue;
    }
    long long count = 0;
    for_each(value, [&](const Item& item, const formula::Indices& indices) {
      const std::string element = fmt::format("{}[{}]", name, count++);
      claim(element, item.value);
      if (item.wording)
        names_.add_definition(element, item.wording, indices);
      else
        names_.add_constant(element, item.value.number());
      parameters_.push_back({element, item.value, indices});
    });
  }
}

void Vocabulary::add_definitions(const Section& let) {
  for (const auto& [name, value] : let.entries()) {
    check_name(name, value);
    claim(name, value);
    names_.add_definition(name, value.text(), value.key());
    definitions_.push_back({name, value, {}});
  }
}

void Vocabulary::add_companions(const std::vector<std::string>& coordinates, std::string_view before,
                                std::string_view after, int block) {
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const std::string name = fmt::format("{}{}{}", before, coordinates[i], after);
    if (names_.contains(name))
      ambiguous_.emplace(name.substr(0, name.find('[')), coordinates[i].substr(0, coordinates[i].find('[')));
    else
      names_.add_variable(name, {block, static_cast<int>(i)});
  }
}

void Vocabulary::add_table(const std::string& name, const Value& where, std::shared_ptr<const formula::Table> table) {
  claim(name, where);
  names_.add_table(name, std::move(table));
}

void Vocabulary::add_meaning(const std::string& name, NodeId f) {
  if (owner_of(name).empty() && !names_.contains(name)) names_.add_meaning(name, f);
}

void Vocabulary::add_local_if_free(const std::string& name, formula::Slot slot) {
  const std::string family = name.substr(0, name.find('['));
  if (owner_of(family).empty() && owner_of(name).empty() && !names_.contains(name)) names_.add_variable(name, slot);
}

std::string Vocabulary::owner_of(const std::string& name) const {
  for (const auto* names : {&owners_, &families_})
    if (const auto owner = names->find(name); owner != names->end()) return owner->second;
  return "";
}

void Vocabulary::refuse_ambiguous_names(const Value& text) const {
  for (const std::string& name : formula::names_in(text.text()))
    if (const auto found = ambiguous_.find(name); found != ambiguous_.end())
      text.refuse(
          fmt::format("contains \"{}\", which may be the momentum of \"{}\" or the model's own \"{}\"; give "
                      "the latter another name",
                      name, found->second, name));
}

void Vocabulary::check_definitions(const Contents& contents) {
  const auto resolved = [&](const Given& given) {
    return explained(given.value, {}, [&] { return *names_.resolve(given.name); });
  };
  for (const Given& given : parameters_) constant(resolved(given), given.value, given.indices);
  for (const Given& given : definitions_) check_contents(resolved(given), given.value, {}, contents);
}

// ---- formulas -------------------------------------------------------------------------------------------------------

NodeId Vocabulary::formula(const Value& text, const Contents& contents) {
  const std::string written = text.text();
  const NodeId f = explained(text, {}, [&] { return names_.parse(written); });
  check_contents(f, text, {}, contents);
  return f;
}

std::vector<NodeId> Vocabulary::formulas(const Value& texts, const Contents& contents) {
  std::vector<NodeId> all;
  for_each(texts, [&](const Item& item, const formula::Indices& indices) {
    if (!item.wording) item.value.text();  // refuses
    const NodeId f = explained(item.value, indices, [&] { return names_.parse(*item.wording, indices); });
    check_contents(f, item.value, indices, contents);
    all.push_back(f);
  });
  return all;
}

Number Vocabulary::constant(const Value& value) {
  if (!value.is_text()) return value.number();
  const std::string written = value.text();
  return constant(explained(value, {}, [&] { return names_.parse(written); }), value, {});
}

std::vector<Number> Vocabulary::constants(const Value& values) {
  std::vector<Number> all;
  for_each(values, [&](const Item& item, const formula::Indices& indices) {
    all.push_back(item.wording
                      ? constant(explained(item.value, indices, [&] { return names_.parse(*item.wording, indices); }),
                                 item.value, indices)
                      : item.value.number());
  });
  return all;
}

NodeId Vocabulary::formula(const Value& text, const Contents& contents, const formula::Indices& indices) {
  formula::Wording wording{text.text(), text.key(), {}};
  const NodeId f = explained(text, indices, [&] { return names_.parse(wording, indices); });
  check_contents(f, text, indices, contents);
  return f;
}

Number Vocabulary::constant(const Value& value, const formula::Indices& indices) {
  if (!value.is_text()) return value.number();
  formula::Wording wording{value.text(), value.key(), {}};
  return constant(explained(value, indices, [&] { return names_.parse(wording, indices); }), value, indices);
}

std::string Vocabulary::name_of_part(const Value& text, const formula::Indices& indices) {
  const std::string written = text.text();
  const std::size_t bracket = written.find('[');
  const std::string family = written.substr(0, bracket);
  const auto allowed = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-'; };
  if (family.empty() || !std::all_of(family.begin(), family.end(), allowed))
    text.refuse(fmt::format("\"{}\" is not a name; names are letters, digits, _ and -, and an index is written link[i]",
                            written));
  if (bracket == written.npos) return family;
  const std::string numbered = explained(text, indices, [&] {
    return formula::parse_name(bounds().graph, "x" + written.substr(bracket), bounds().names, indices);
  });
  return family + numbered.substr(1);
}

long long Vocabulary::whole_number(const Item& item, const formula::Indices& indices) {
  using std::abs, std::floor;
  const Number value = constant(explained(item.value, indices, [&] { return names_.parse(*item.wording, indices); }),
                                item.value, indices);
  if (floor(value) != value || abs(value) > Number(1e9))
    item.value.refuse(fmt::format("is {}; write a whole number{}", to_double(value), formula::in_words(indices)));
  return static_cast<long long>(value);
}

Number Vocabulary::constant(NodeId f, const Value& where, const formula::Indices& indices) {
  if (const std::vector<formula::Slot> variables = graph_.variables(f); !variables.empty())
    where.refuse(fmt::format("contains \"{}\"; a number is a constant formula of parameters and pi{}",
                             graph_.text(graph_.variable(variables.front())), formula::in_words(indices)));
  if (!graph_.is_constant(f)) {
    const auto fault = formula::explain(graph_, std::span(&f, 1), nullptr);
    where.refuse(fmt::format("{} is not finite; write a constant formula with a finite value{}",
                             fault ? fault->formula : graph_.text(f), formula::in_words(indices)));
  }
  const Number value = graph_.value(f);
  if (!is_finite(to_double(value)))
    where.refuse("is too large for a double; write a smaller number" + formula::in_words(indices));
  return value;
}

void Vocabulary::check_contents(NodeId f, const Value& where, const formula::Indices& indices,
                                const Contents& contents) {
  for (const formula::Slot slot : graph_.variables(f)) {
    if (std::find(contents.blocks.begin(), contents.blocks.end(), slot.block) != contents.blocks.end()) continue;
    where.refuse(fmt::format("contains \"{}\"; {}{}", graph_.text(graph_.variable(slot)), contents.words,
                             formula::in_words(indices)));
  }
  if (!contents.differentiated) return;
  if (const auto jump = graph_.jump(f))
    where.refuse(
        fmt::format("contains {}, which jumps, and the equations of motion are made of derivatives of this formula, "
                    "which a jump does not have; write smoothstep(x, w), smoothsign(x, w) or smoothabs(x, w) with a "
                    "width w that steps resolve, or say it with [contact] or [[event]]{}",
                    graph_.text(*jump, 60), formula::in_words(indices)));
}

// Ranges know the parameters that are single numbers.
bool Vocabulary::is_array_in_range(const formula::FormulaError& error) const {
  const std::string words = error.what();
  if (!words.starts_with(unknown)) return false;
  const std::size_t end = words.find_first_of("[\"", unknown.size());
  const auto parameters = system_.find("parameters");
  const auto named =
      parameters ? parameters->section().find(words.substr(unknown.size(), end - unknown.size())) : std::nullopt;
  return named && named->is_array();
}

// What is wrong with a formula, said of the key where it is written: that of a definition if the fault lies there.
template <class Parse>
std::invoke_result_t<Parse> Vocabulary::explained(const Value& where, const formula::Indices& indices,
                                                  Parse parse) const {
  try {
    return parse();
  } catch (const formula::FormulaError& error) {
    if (is_array_in_range(error))
      where.refuse(std::string(error.what()).substr(unknown.size() - 1) + " is an array; a range takes single numbers");
    if (error.where.empty()) where.refuse(with_formula_remedy(error.what()) + formula::in_words(indices));
    document_->refuse(error.where, with_formula_remedy(std::string(error.what()).substr(error.where.size() + 2)));
  }
}

}  // namespace livens
