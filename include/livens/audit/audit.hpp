// What a run conserved, judged at every step: energy v.L_v - L, invariants, constraint |g| and hidden constraint
// |G v + g_t|. Maxima are absolute; the drift of the energy is the slope of its least-squares line, summed as the
// deviations from running means (Welford 1962) so that 10^8 steps neither grow memory nor lose digits.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "livens/math/sparse.hpp"

namespace livens {

class Drift {
 public:
  void add(double t, double value) {
    count_ += 1;
    const double dt = t - mean_t_, dv = value - mean_value_;
    mean_t_ += dt / count_;
    mean_value_ += dv / count_;
    tt_ += dt * (t - mean_t_);
    tv_ += dt * (value - mean_value_);
  }
  template <class Archive>
  void archive(Archive& a) {
    a(count_, mean_t_, mean_value_, tt_, tv_);
  }
  double slope() const { return tt_ > 0 ? tv_ / tt_ : 0; }

 private:
  double count_ = 0, mean_t_ = 0, mean_value_ = 0, tt_ = 0, tv_ = 0;
};

struct Conserved {
  double initial = 0, max_error = 0, last = 0;
  void start(double value) { initial = last = value, max_error = 0; }
  void observe(double error) {
    last = initial + error;
    max_error = std::max(max_error, std::abs(error));
  }
};

struct AuditFigures {
  Conserved energy;
  Drift energy_drift;
  double constraint = 0, hidden_constraint = 0;            // maxima
  double last_constraint = 0, last_hidden_constraint = 0;  // of the last state
  std::vector<Conserved> invariants;

  template <class Archive>
  void archive(Archive& a) {
    a(energy, energy_drift, constraint, hidden_constraint, last_constraint, last_hidden_constraint, invariants);
  }
};

template <class System>
class Audit {
 public:
  using T = typename System::Scalar;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;

  // Systems of elements have G v without G.
  static constexpr bool needs_matrix = !requires(const System& s, const T& t, const Coordinates& x, Multipliers& y) {
    s.constraint_along(t, x, x, y, y);
  };

  explicit Audit(const System& system)
      : system_(system),
        time_in_constraints_(system.structure().time_in_constraints),
        g_(system.constraints()),
        hidden_(g_),
        rate_(g_),
        G_(needs_matrix ? system.jacobian() : typename System::Jacobian()),
        invariants_(static_cast<std::size_t>(system.invariants())),
        first_invariants_(invariants_) {
    figures_.invariants.resize(invariants_.size());
  }

  // p is the momentum the audit is about and v = v(q,p) its velocity.
  void start(const T& t, const Coordinates& q, const Coordinates& p, const Coordinates& v) {
    first_energy_ = energy(t, q, p, v);
    figures_.energy.start(to_double(first_energy_));
    system_.invariant_values(t, q, v, p, first_invariants_.data());
    for (std::size_t k = 0; k < invariants_.size(); ++k) figures_.invariants[k].start(to_double(first_invariants_[k]));
    observe(t, q, p, v);
  }

  // False, and nothing is taken, if a figure is not finite.
  bool observe(const T& t, const Coordinates& q, const Coordinates& p, const Coordinates& v) {
    const double energy_error = to_double(energy(t, q, p, v) - first_energy_);
    if constexpr (needs_matrix) {
      system_.constraint_jacobian(t, q, g_, G_);
      multiply(G_, v, hidden_);
    } else {
      system_.constraint_along(t, q, v, g_, hidden_);
    }
    if (time_in_constraints_) {
      system_.constraint_rate(t, q, rate_);
      for (int a = 0; a < g_.size(); ++a) hidden_[a] += rate_[a];
    }
    double constraint = 0, hidden = 0, sum = energy_error;
    for (int a = 0; a < g_.size(); ++a) {
      const double ga = std::abs(to_double(g_[a])), ha = std::abs(to_double(hidden_[a]));
      constraint = std::max(constraint, ga);
      hidden = std::max(hidden, ha);
      sum += ga + ha;
    }
    if (!invariants_.empty()) {
      system_.invariant_values(t, q, v, p, invariants_.data());
      for (const T& x : invariants_) sum += to_double(x);
    }
    if (!std::isfinite(sum)) return false;

    figures_.energy.observe(energy_error);
    figures_.energy_drift.add(to_double(t), energy_error);
    figures_.last_constraint = constraint;
    figures_.last_hidden_constraint = hidden;
    figures_.constraint = std::max(figures_.constraint, constraint);
    figures_.hidden_constraint = std::max(figures_.hidden_constraint, hidden);
    for (std::size_t k = 0; k < invariants_.size(); ++k)
      figures_.invariants[k].observe(to_double(invariants_[k] - first_invariants_[k]));
    return true;
  }

  template <class Archive>
  void archive(Archive& a) {
    a(figures_, first_energy_, first_invariants_);
  }

  const AuditFigures& figures() const { return figures_; }

 private:
  T energy(const T& t, const Coordinates& q, const Coordinates& p, const Coordinates& v) const {
    return dot(v, p) - system_.lagrangian(t, q, v);  // p = L_v at v(q,p)
  }

  const System& system_;
  bool time_in_constraints_;
  Multipliers g_, hidden_, rate_;
  typename System::Jacobian G_;
  std::vector<T> invariants_, first_invariants_;
  T first_energy_{};
  AuditFigures figures_;
};

}  // namespace livens
