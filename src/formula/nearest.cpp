#include "livens/formula/nearest.hpp"

#include <algorithm>
#include <vector>

namespace livens::formula {

namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> two_rows_up, row_up(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row_up[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({row_up[j] + 1, row[j - 1] + 1, row_up[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], two_rows_up[j - 2] + 1);
    }
    two_rows_up = row_up;
    row_up = row;
  }
  return row_up[b.size()];
}

}  // namespace

std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates) {
  const std::string* best = nullptr;
  std::size_t smallest = 0;
  for (const std::string& candidate : candidates) {
    const auto [shorter, longer] = std::minmax({name.size(), candidate.size()});
    const std::size_t close = (longer + 2) / 3;
    if (longer - shorter > close) continue;
    const std::size_t d = distance(name, candidate);
    if (d > close || d >= shorter) continue;  // with every letter changed it is another name
    if (best == nullptr || d < smallest) {
      best = &candidate;
      smallest = d;
    }
  }
  return best == nullptr ? std::nullopt : std::optional(*best);
}

std::string suggestion(std::string_view name, std::span<const std::string> candidates) {
  const auto candidate = nearest(name, candidates);
  return candidate ? "; did you mean \"" + *candidate + "\"?" : "";
}

}  // namespace livens::formula
