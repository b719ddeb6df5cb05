#include "livens/reproduce/reproduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reproduce/entries.hpp"

namespace livens {

const std::vector<ReproductionEntry>& reproductions() {
  static const std::vector<ReproductionEntry> table = [] {
    std::vector<ReproductionEntry> all;
    for (const auto& list :
         {galerkin_reproductions(), hbvm_reproductions(), vprk_table_reproductions(), vprk_run_reproductions(),
          vprk_guiding_centre_reproductions(), vprk_drift_reproductions(), vprk_invariants_reproductions(),
          ggl_top_reproductions(), ggl_four_bar_reproductions(), odae_reproductions()})
      all.insert(all.end(), list.begin(), list.end());
    return all;
  }();
  return table;
}

Reproduction reproduce(const ReproductionEntry& entry, Extent extent) {
  Reproduction r{.id = entry.id, .title = entry.title};
  entry.measure(extent, r);
  return r;
}

bool Reproduction::ok() const {
  return !rows.empty() && std::all_of(rows.begin(), rows.end(), [](const ReproductionRow& row) { return row.ok; });
}

bool same_digits(double expected, double measured, int digits) {
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(expected))) - (digits - 1));
  return std::abs(measured - expected) <= 0.51 * unit;
}

ReproductionRow printed_row(std::string name, double printed, double measured, int digits) {
  return {.name = std::move(name),
          .printed = printed,
          .expected = printed,
          .measured = measured,
          .ok = same_digits(printed, measured, digits),
          .digits = std::max(digits, 5)};
}

ReproductionRow recomputed_row(std::string name, ReproducedFigure printed, double expected, double measured, int digits,
                               std::string note) {
  return {.name = std::move(name),
          .printed = std::move(printed),
          .expected = expected,
          .measured = measured,
          .ok = same_digits(expected, measured, digits),
          .note = std::move(note),
          .digits = std::max(digits, 5)};
}

ReproductionRow bound_row(std::string name, double bound, double measured, std::string note) {
  return {.name = std::move(name),
          .printed = {},
          .expected = fmt::format("<= {:.2g}", bound),
          .measured = measured,
          .ok = measured <= bound,
          .note = std::move(note)};
}

ReproductionRow range_row(std::string name, ReproducedFigure printed, double lowest, double highest, double measured,
                          std::string note) {
  return {.name = std::move(name),
          .printed = std::move(printed),
          .expected = fmt::format("{:.3g} to {:.3g}", lowest, highest),
          .measured = measured,
          .ok = lowest <= measured && measured <= highest,
          .note = std::move(note)};
}

}  // namespace livens
