// Looks at the rows of a run on their way to the file, for their figures beside those of all steps. What it knows is a
// function of the rows alone: a run that is resumed shows it those of the file first.
#pragma once

#include <span>
#include <vector>

#include "livens/audit/course_watch.hpp"
#include "livens/run/table.hpp"

namespace livens {

class RowAudit : public RowSink {
 public:
  explicit RowAudit(Columns columns);
  void write_to(RowSink* rows) { rows_ = rows; }
  void write(std::span<const double> row) override;
  void look(std::span<const double> row);

  // Of the error against the first row.
  struct Change {
    double largest = 0;
    Drift line;
    void add(double t, double e) { largest = std::max(largest, std::abs(e)), line.add(t, e); }
  };
  const Change& energy() const { return energy_; }
  const std::vector<Change>& invariants() const { return invariants_; }
  double balance() const { return balance_; }
  double constraint() const { return constraint_; }
  double hidden_constraint() const { return hidden_constraint_; }

 private:
  Columns columns_;
  RowSink* rows_ = nullptr;
  long long count_ = 0;
  double first_energy_ = 0;
  Change energy_;
  std::vector<double> first_invariants_;
  std::vector<Change> invariants_;
  double balance_ = 0, constraint_ = 0, hidden_constraint_ = 0;
};

}  // namespace livens
