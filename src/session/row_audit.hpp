// Looks at the rows of a run on their way to the file, for the words of its audit. What it knows is a function of the
// rows alone: a run that is resumed shows it those of the file first.
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

  // The size of the terms that energy, invariants and constraints are made of: their round-off is relative to it. An
  // energy may be zero, an angular momentum too, and still be made of large terms.
  struct Sizes {
    double q = 0, v = 0, p = 0, work = 0;  // largest |q|, |v|, |p|, sum |v_i p_i|
    double moment = 0;                     // sum |q_i p_i|: momentum maps are bilinear in q and p
    void take(std::span<const double> q, std::span<const double> v, std::span<const double> p);
  };
  const Sizes& sizes() const { return sizes_; }

  // A row now and then, the first, second, fourth, eighth, ..
  struct Sample {
    double t;
    std::vector<double> q, v, p;
  };
  const std::vector<Sample>& samples() const { return samples_; }

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
  double turns() const;  // the most changes of sign of a velocity; infinite without velocities

 private:
  Columns columns_;
  RowSink* rows_ = nullptr;
  long long count_ = 0;
  Sizes sizes_;
  std::vector<Sample> samples_;
  double first_energy_ = 0;
  Change energy_;
  std::vector<double> first_invariants_;
  std::vector<Change> invariants_;
  double balance_ = 0, constraint_ = 0, hidden_constraint_ = 0;
  std::vector<double> sign_, turns_;
};

}  // namespace livens
