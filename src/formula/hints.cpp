#include "formula/hints.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <utility>

namespace livens::formula {

namespace {

constexpr std::array substitutes{
    Substitute{"**", "^"},      Substitute{"\u00d7", "*"},  // multiplication sign
    Substitute{"\u00b7", "*"},                              // middle dot
    Substitute{"\u22c5", "*"},                              // dot operator
    Substitute{"\u2212", "-"},                              // minus sign
    Substitute{"\u2013", "-"},                              // en dash
    Substitute{"\u00b2", "^2"},                             // superscript two
    Substitute{"\u00b3", "^3"},                             // superscript three
    Substitute{"\u2019", "'"},                              // right quotation mark
    Substitute{"\u2032", "'"},                              // prime
    Substitute{"\u03c0", "pi"}, Substitute{"[", "("},      Substitute{"]", ")"},
    Substitute{"{", "("},       Substitute{"}", ")"},
};

// The indices of the names of a family, each in the order of its first index.
std::set<std::vector<long long>> indices_of(std::string_view family, const std::vector<std::string>& names) {
  std::set<std::vector<long long>> all;
  for (const std::string& name : names) {
    if (!name.starts_with(family) || name.size() == family.size() || name[family.size()] != '[') continue;
    std::vector<long long> indices;
    for (std::size_t at = family.size(); name[at] != ']';) {
      char* end = nullptr;
      indices.push_back(std::strtoll(name.c_str() + at + 1, &end, 10));
      at = static_cast<std::size_t>(end - name.c_str());
    }
    all.insert(std::move(indices));
  }
  return all;
}

}  // namespace

const Substitute* find_substitute(std::string_view text) {
  const auto found = std::find_if(substitutes.begin(), substitutes.end(),
                                  [&](const Substitute& s) { return text.starts_with(s.symbol); });
  return found == substitutes.end() ? nullptr : &*found;
}

std::string velocity_meant(std::string_view name, const std::vector<std::string>& known) {
  for (const std::string& candidate : known) {
    if (candidate.back() != '\'') continue;
    const bool has_index = candidate.find('[') != candidate.npos;
    const std::string x = candidate.substr(0, has_index ? candidate.find('[') : candidate.size() - 1);
    // x1 as xdot1, x_1 as x_dot_1.
    std::size_t number = x.find_last_not_of("0123456789") + 1;
    if (number > 1 && number < x.size() && x[number - 1] == '_') --number;
    bool meant = name == "d" + x + "dt" || name == "d" + x + "_dt";
    for (const char* before : {"v", "v_", "d", "d_", "dot", "dot_", "vel_", "D"}) meant = meant || name == before + x;
    for (const char* after : {"_dot", "dot", "Dot", "_d", "_t", "_v", "_vel", "_prime", "p"})
      meant = meant || name == x + after || name == x.substr(0, number) + after + x.substr(number);
    if (meant) return has_index ? x + "[i]'" : candidate;
  }
  return "";
}

std::string extent_of(std::string_view family, const std::vector<std::string>& names) {
  const std::set<std::vector<long long>> all = indices_of(family, names);
  if (all.empty()) return "";
  const auto written = [&](const std::vector<long long>& indices) {
    std::string text(family);
    for (std::size_t k = 0; k < indices.size(); ++k) text += (k == 0 ? '[' : ',') + std::to_string(indices[k]);
    return text + "]";
  };
  const auto follows = [](const std::vector<long long>& a, const std::vector<long long>& b) {
    return a.size() == 1 && b.size() == 1 && b[0] == a[0] + 1;
  };
  // Of more than one index the first and the last name are told, of one index every row without a gap.
  const std::size_t most_rows = 4;
  std::vector<std::pair<std::vector<long long>, std::vector<long long>>> rows;
  for (const std::vector<long long>& indices : all) {
    if (rows.empty() || (indices.size() == 1 && !follows(rows.back().second, indices)))
      rows.emplace_back(indices, indices);
    rows.back().second = indices;
  }
  std::string text = "there are ";
  for (std::size_t k = 0; k < std::min(rows.size(), most_rows); ++k) {
    const auto& [first, last] = rows[k];
    text += (k == 0 ? "" : ", ") + written(first) + (first == last ? "" : " to " + written(last));
  }
  return text + (rows.size() > most_rows ? ", ..." : "");
}

}  // namespace livens::formula
