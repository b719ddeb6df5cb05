// Tables and figures of the papers, measured again beside what is printed.
//
//   for (const ReproductionEntry& entry : reproductions()) {
//     const Reproduction r = reproduce(entry);
//     r.ok(), r.rows[0].printed, r.rows[0].expected, r.rows[0].measured
//   }
//
// `printed` is what the paper prints, `expected` what a right computation gives: the same unless the paper errs or
// prints nothing, and then the row's note says so.
#pragma once

#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace livens {

// A number, words, or nothing (the paper prints none).
using ReproducedFigure = std::variant<std::monostate, double, std::string>;

struct ReproductionRow {
  std::string name = {};
  ReproducedFigure printed = {}, expected = {}, measured = {};
  bool ok = false;
  std::string note = {};
  int digits = 5;  // shown; as many as are compared
};

struct Reproduction {
  std::string id, title;
  std::string definition = {};  // what is measured: norms, nodes, reference, precision
  std::vector<ReproductionRow> rows = {};
  std::vector<std::string> pictures = {};  // HTML figures (src/report/sheet.hpp)

  bool ok() const;  // every row, and there is one
};

enum class Extent {
  brief,  // rows that take seconds, for tests
  whole,
  full,  // longer runs where there are any, otherwise as whole
};

struct ReproductionEntry {
  std::string id, title;  // "hbvm/table-1"
  // Sets definition, rows and pictures.
  std::function<void(Extent, Reproduction&)> measure;
};

const std::vector<ReproductionEntry>& reproductions();

Reproduction reproduce(const ReproductionEntry& entry, Extent extent = Extent::whole);

// A self-contained HTML page: rows and pictures.
std::string page(const Reproduction& reproduction);

// ---- rows ----------------------------------------------------------------------------------------------------------

// Whether two numbers agree when rounded to so many significant digits of `expected`; a tie may go either way.
bool same_digits(double expected, double measured, int digits);

// The paper is right: expected is what it prints.
ReproductionRow printed_row(std::string name, double printed, double measured, int digits = 5);
// The paper errs, or prints nothing (empty): expected is a figure computed otherwise, and the note says how.
ReproductionRow recomputed_row(std::string name, ReproducedFigure printed, double expected, double measured, int digits,
                               std::string note);
// measured <= bound; expected is "<= bound" in words.
ReproductionRow bound_row(std::string name, double bound, double measured, std::string note = {});
// lowest <= measured <= highest, for orders and slopes.
ReproductionRow range_row(std::string name, ReproducedFigure printed, double lowest, double highest, double measured,
                          std::string note = {});

}  // namespace livens
