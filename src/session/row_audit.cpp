#include "session/row_audit.hpp"

#include <bit>
#include <cmath>

namespace livens {

RowAudit::RowAudit(Columns columns) : columns_(std::move(columns)) {
  for (const Column& column : columns_) {
    if (column.role == Role::velocity) sign_.resize(static_cast<std::size_t>(column.numbers())), turns_ = sign_;
    if (column.role == Role::invariant) invariants_.emplace_back();
  }
  first_invariants_.resize(invariants_.size());
}

void RowAudit::write(std::span<const double> row) {
  look(row);
  rows_->write(row);
}

void RowAudit::Sizes::take(std::span<const double> q_now, std::span<const double> v_now,
                           std::span<const double> p_now) {
  const auto largest = [](std::span<const double> x, double& size) {
    for (const double xi : x) size = std::max(size, std::abs(xi));
  };
  const auto product = [](std::span<const double> x, std::span<const double> y) {
    double sum = 0;
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) sum += std::abs(x[i] * y[i]);
    return sum;
  };
  largest(q_now, q), largest(v_now, v), largest(p_now, p);
  work = std::max(work, product(v_now, p_now));
  moment = std::max(moment, product(q_now, p_now));
}

void RowAudit::look(std::span<const double> row) {
  ++count_;
  std::span<const double> q, v, p;
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
      case Role::position:
        q = numbers;
        break;
      case Role::velocity:
        v = numbers;
        break;
      case Role::momentum:
        p = numbers;
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
      case Role::multiplier:
      case Role::raw:
      case Role::companion:
        break;
    }
  }
  sizes_.take(q, v, p);
  if (std::has_single_bit(static_cast<unsigned long long>(count_)))
    samples_.push_back({t, {q.begin(), q.end()}, {v.begin(), v.end()}, {p.begin(), p.end()}});
  for (std::size_t i = 0; i < v.size(); ++i) {
    if (v[i] * sign_[i] < 0) turns_[i] += 1;
    if (v[i] != 0) sign_[i] = std::copysign(1.0, v[i]);
  }
}

double RowAudit::turns() const {
  return turns_.empty() ? INFINITY : *std::max_element(turns_.begin(), turns_.end());
}

}  // namespace livens
