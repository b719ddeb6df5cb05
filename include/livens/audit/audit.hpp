// What a run conserved, judged at every step, by kind of system:
//
//   Lagrangian      energy v.L_v - L, constraint |g|, hidden constraint |G v + g_t|, invariants; where forces act or
//   time
//                   enters, also the balance of the energy with what they supply (energy_balance.hpp)
//   degenerate      energy H(q), constraint |p - theta(q)|, invariants
//   overdetermined  constraint |g|, hidden constraint |g_y v|, invariants
//
// Maxima are absolute; the drift of the energy is the slope of its least-squares line, summed as the deviations from
// running means (Welford 1962) so that 10^8 steps neither grow memory nor lose digits.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "livens/audit/course_watch.hpp"
#include "livens/audit/energy_balance.hpp"
#include "livens/math/sparse.hpp"

namespace livens {

struct Conserved {
  double initial = 0, max_error = 0, last = 0;
  CourseWatch course;  // of the error
  void start(double value) { initial = last = value, max_error = 0; }
  void observe(double t, double error) {
    last = initial + error;
    max_error = std::max(max_error, std::abs(error));
    course.add(t, error);
  }
  template <class Archive>
  void archive(Archive& a) {
    a(initial, max_error, last, course);
  }
};

// What of a kind of system there is to look at.
struct Watched {
  bool energy = true, constraint = true, hidden_constraint = true, balance = false;
};

struct AuditFigures {
  Watched watched;
  Conserved energy;
  double constraint = 0, hidden_constraint = 0;            // maxima
  double last_constraint = 0, last_hidden_constraint = 0;  // of the last state
  double balance = 0, last_balance = 0;                    // of the energy: maximum, and of the last state
  std::vector<Conserved> invariants;

  void take_energy(double t, double error) { energy.observe(t, error); }
  void take_constraint(double now) { last_constraint = now, constraint = std::max(constraint, now); }
  void take_hidden_constraint(double now) {
    last_hidden_constraint = now, hidden_constraint = std::max(hidden_constraint, now);
  }

  // Not a number from where it is none.
  void take_balance(double now) {
    last_balance = now;
    if (!(std::abs(now) <= balance)) balance = std::abs(now);
  }

  template <class Archive>
  void archive(Archive& a) {
    a(energy, constraint, hidden_constraint, last_constraint, last_hidden_constraint, balance, last_balance,
      invariants);
  }
};

// The invariants of one state, and of the first one.
template <class T>
class InvariantWatch {
 public:
  InvariantWatch(int count, AuditFigures& figures) : now_(static_cast<std::size_t>(count)), first_(now_) {
    figures.invariants.resize(now_.size());
  }
  T* values() { return now_.data(); }
  bool empty() const { return now_.empty(); }
  void start(AuditFigures& figures) {
    first_ = now_;
    for (std::size_t k = 0; k < now_.size(); ++k) figures.invariants[k].start(to_double(now_[k]));
  }
  // Not finite if one of them is not.
  double sum() const {
    double all = 0;
    for (const T& x : now_) all += to_double(x);
    return all;
  }
  void take(const T& t, AuditFigures& figures) const {
    for (std::size_t k = 0; k < now_.size(); ++k)
      figures.invariants[k].observe(to_double(t), to_double(now_[k] - first_[k]));
  }
  template <class Archive>
  void archive(Archive& a) {
    a(first_);
  }

 private:
  std::vector<T> now_, first_;
};

template <class Vector>
double largest_of(const Vector& x) {
  double largest = 0;
  for (const auto& xi : x) {
    const double size = std::abs(to_double(xi));
    if (!(size <= largest)) largest = size;  // and stays there if it is not a number
  }
  return largest;
}

template <class System>
class LagrangianAudit {
 public:
  using T = typename System::Scalar;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;

  // Systems of elements have G v without G.
  static constexpr bool needs_matrix = !requires(const System& s, const T& t, const Coordinates& x, Multipliers& y) {
    s.constraint_along(t, x, x, y, y);
  };

  explicit LagrangianAudit(const System& system)
      : system_(system),
        time_in_constraints_(system.structure().time_in_constraints),
        g_(system.constraints()),
        hidden_(g_),
        rate_(g_),
        G_(needs_matrix ? system.jacobian() : typename System::Jacobian()),
        balance_(system),
        invariants_(system.invariants(), figures_) {
    figures_.watched.balance = balance_.is_needed();
  }

  // p is the momentum the audit is about and v = v(q,p) its velocity; step: that of the run.
  void start(const T& t, const T& step, const Coordinates& q, const Coordinates& p, const Coordinates& v,
             Kinetics<System>& kinetics) {
    first_energy_ = energy(t, q, p, v);
    figures_.energy.start(to_double(first_energy_));
    system_.invariant_values(t, q, v, p, invariants_.values());
    invariants_.start(figures_);
    look(t, q, p, v);
    if (balance_.is_needed()) balance_.start(t, step, q, v, kinetics);
  }

  // False, and nothing is taken, if a figure is not finite.
  bool observe(const T& t, const Coordinates& q, const Coordinates& p, const Coordinates& v,
               Kinetics<System>& kinetics) {
    if (!look(t, q, p, v)) return false;
    if (balance_.is_needed()) {
      balance_.add(t, q, v, kinetics);
      figures_.take_balance(to_double(energy_error_ - balance_.supplied()));
    }
    return true;
  }

  template <class Archive>
  void archive(Archive& a) {
    a(figures_, first_energy_, invariants_);
    if (balance_.is_needed()) a(balance_);
  }

  const AuditFigures& figures() const { return figures_; }

 private:
  bool look(const T& t, const Coordinates& q, const Coordinates& p, const Coordinates& v) {
    energy_error_ = energy(t, q, p, v) - first_energy_;
    const double energy_error = to_double(energy_error_);
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
      system_.invariant_values(t, q, v, p, invariants_.values());
      sum += invariants_.sum();
    }
    if (!std::isfinite(sum)) return false;

    figures_.take_energy(to_double(t), energy_error);
    figures_.take_constraint(constraint);
    figures_.take_hidden_constraint(hidden);
    invariants_.take(t, figures_);
    return true;
  }

  T energy(const T& t, const Coordinates& q, const Coordinates& p, const Coordinates& v) const {
    return dot(v, p) - system_.lagrangian(t, q, v);  // p = L_v at v(q,p)
  }

  const System& system_;
  bool time_in_constraints_;
  Multipliers g_, hidden_, rate_;
  typename System::Jacobian G_;
  T first_energy_{}, energy_error_{};
  EnergyBalance<System> balance_;
  AuditFigures figures_;
  InvariantWatch<T> invariants_;
};

template <class System>
class DegenerateAudit {
 public:
  using T = typename System::Scalar;
  using Coordinates = typename System::Coordinates;

  explicit DegenerateAudit(const System& system)
      : system_(system), distance_(system.coordinates()), invariants_(system.invariants(), figures_) {
    figures_.watched.hidden_constraint = false;
  }

  void start(const T& t, const Coordinates& q, const Coordinates& p) {
    first_energy_ = system_.hamiltonian(q);
    figures_.energy.start(to_double(first_energy_));
    system_.invariant_values(q, p, invariants_.values());
    invariants_.start(figures_);
    observe(t, q, p);
  }
  // False, and nothing is taken, if a figure is not finite.
  bool observe(const T& t, const Coordinates& q, const Coordinates& p) {
    const double energy_error = to_double(system_.hamiltonian(q) - first_energy_);
    system_.theta(q, distance_);
    for (int i = 0; i < q.size(); ++i) distance_[i] = p[i] - distance_[i];
    const double constraint = largest_of(distance_);
    system_.invariant_values(q, p, invariants_.values());
    if (!std::isfinite(energy_error + constraint + invariants_.sum())) return false;
    figures_.take_energy(to_double(t), energy_error);
    figures_.take_constraint(constraint);
    invariants_.take(t, figures_);
    return true;
  }

  template <class Archive>
  void archive(Archive& a) {
    a(figures_, first_energy_, invariants_);
  }
  const AuditFigures& figures() const { return figures_; }

 private:
  const System& system_;
  Coordinates distance_;
  T first_energy_{};
  AuditFigures figures_;
  InvariantWatch<T> invariants_;
};

template <class System>
class OverdeterminedAudit {
 public:
  using T = typename System::Scalar;
  using Positions = typename System::Positions;
  using Velocities = typename System::Velocities;

  explicit OverdeterminedAudit(const System& system)
      : system_(system),
        g_(system.multipliers()),
        hidden_(g_),
        G_(system.multipliers(), system.positions()),
        invariants_(system.invariants(), figures_) {
    figures_.watched.energy = false;
  }

  // v: velocity of the state.
  void start(const T& t, const Positions& y, const Velocities& z, const Positions& v) {
    system_.invariant_values(t, y, z, invariants_.values());
    invariants_.start(figures_);
    observe(t, y, z, v);
  }
  // False, and nothing is taken, if a figure is not finite.
  bool observe(const T& t, const Positions& y, const Velocities& z, const Positions& v) {
    system_.constraint_jacobian(y, g_, G_);
    multiply(G_, v, hidden_);
    const double constraint = largest_of(g_), hidden = largest_of(hidden_);
    system_.invariant_values(t, y, z, invariants_.values());
    if (!std::isfinite(constraint + hidden + invariants_.sum())) return false;
    figures_.take_constraint(constraint);
    figures_.take_hidden_constraint(hidden);
    invariants_.take(t, figures_);
    return true;
  }

  template <class Archive>
  void archive(Archive& a) {
    a(figures_, invariants_);
  }
  const AuditFigures& figures() const { return figures_; }

 private:
  const System& system_;
  typename System::Multipliers g_, hidden_;
  typename System::Jacobian G_;
  AuditFigures figures_;
  InvariantWatch<T> invariants_;
};

}  // namespace livens
