#include "session/row_audit.hpp"

#include <cmath>

namespace livens {

RowAudit::RowAudit(Columns columns) : columns_(std::move(columns)) {
  for (const Column& column : columns_)
    if (column.role == Role::invariant) invariants_.emplace_back();
  first_invariants_.resize(invariants_.size());
}

void RowAudit::write(std::span<const double> row) {
  look(row);
  rows_->write(row);
}

void RowAudit::look(std::span<const double> row) {
  ++count_;
  double t = 0;
  bool audited = true;  // where constraints lose rank there may be nothing to look at
  std::size_t first = 0, invariant = 0;
  for (const Column& column : columns_) {
    const std::span<const double> numbers = row.subspan(first, static_cast<std::size_t>(column.numbers()));
    first += numbers.size();
    switch (column.role) {
      case Role::time:
        t = numbers.front();
        break;
      case Role::energy:
        audited = !std::isnan(numbers.front());
        if (!audited) break;
        if (count_ == 1) first_energy_ = numbers.front();
        energy_.add(t, numbers.front() - first_energy_);
        break;
      case Role::energy_balance:
        if (audited && !(std::abs(numbers.front()) <= balance_)) balance_ = std::abs(numbers.front());
        break;
      case Role::constraint:
        constraint_ = std::max(constraint_, numbers.front());
        break;
      case Role::hidden_constraint:
        hidden_constraint_ = std::max(hidden_constraint_, numbers.front());
        break;
      case Role::invariant:
        if (!audited) {
          ++invariant;
          break;
        }
        if (count_ == 1) first_invariants_[invariant] = numbers.front();
        invariants_[invariant].add(t, numbers.front() - first_invariants_[invariant]);
        ++invariant;
        break;
      case Role::position:
      case Role::velocity:
      case Role::momentum:
      case Role::multiplier:
      case Role::raw:
      case Role::companion:
        break;
    }
  }
}

}  // namespace livens
