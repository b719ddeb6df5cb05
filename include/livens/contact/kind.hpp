// Systems with contacts in a run (run/kind.hpp): a state is (q, p) and the states of its contacts.
//
// The audit of a one-sided constraint is its violation: max(0, -gap), and max(0, -rate) while it is closed.
#pragma once

#include "livens/audit/audit.hpp"
#include "livens/contact/system.hpp"
#include "livens/run/attempt.hpp"
#include "livens/run/companion.hpp"
#include "livens/run/kind.hpp"
#include "livens/run/table.hpp"

namespace livens {

template <class T>
class ContactKind {
 public:
  static constexpr bool has_velocity = true, has_multipliers = true;
  using System = ContactSystem<T>;
  using Hint = Vec<T>;

  ContactKind(const System& system, const MethodTraits&)
      : system_(system),
        gap_(system.contacts()),
        rate_(gap_),
        p_(system.momenta()),
        invariants_(system.invariants(), figures_) {
    forces_.v = Vec<T>(system.coordinates());
    forces_.lambda = Vec<T>(system.constraints());
    forces_.push = forces_.reserve = Vec<T>(system.contacts());
    forces_.escape = system.start_states.sliding;
    before_ = forces_.lambda;
    figures_.watched.energy = system.has_energy();
  }

  Outcome place(const T& t, const State<System>& x, const Vec<T>& hint) {
    forces_.lambda = before_ = hint;
    const Outcome outcome = system_.velocity(t, x.q, x.p, forces_.v);
    return succeeded(outcome) ? look(t, x) : outcome;
  }
  const Vec<T>& hint() const { return forces_.lambda; }

  void begin(const StartState<System>& start, const T& /*step*/) {
    State<System> x(system_);
    x.q = start.q, x.p = start.p;
    place(start.t, x, start.hint);
    if (system_.has_energy()) {
      first_energy_ = system_.energy(start.t, x.q, x.p, forces_.v);
      figures_.energy.start(to_double(first_energy_));
    }
    system_.invariant_values(start.t, x.q, forces_.v, x.p, invariants_.values());
    invariants_.start(figures_);
    observe(start.t, x);
  }

  Outcome look(const T& t, const State<System>& x) {
    return system_.mode(x.contacts).look(t, x.q, x.p, x.contacts, forces_);
  }
  Outcome finalise_momentum(const T& t, const State<System>& x) { return finalise(t, x); }
  Outcome finalise(const T&, const State<System>& x) {
    p_ = x.p;
    return Outcome::converged;
  }
  bool observe(const T& t, const State<System>& x) {
    double constraint = 0, hidden = 0;
    system_.two_sided(t, x.q, forces_.v, constraint, hidden);
    system_.gaps(t, x.q, gap_);
    system_.rates(t, x.q, forces_.v, rate_);
    double sum = constraint + hidden;
    for (int i = 0; i < gap_.size(); ++i) {
      const double gap = to_double(gap_[i]), rate = to_double(rate_[i]);
      sum += std::abs(gap) + std::abs(rate);
      constraint = std::max(constraint, -gap);
      if (is_closed(x.contacts.of[static_cast<std::size_t>(i)])) hidden = std::max(hidden, -rate);
    }
    const double energy_error =
        system_.has_energy() ? to_double(system_.energy(t, x.q, x.p, forces_.v) - first_energy_) : 0;
    system_.invariant_values(t, x.q, forces_.v, x.p, invariants_.values());
    if (!std::isfinite(sum + energy_error + invariants_.sum())) return false;
    if (system_.has_energy()) figures_.take_energy(to_double(t), energy_error);
    figures_.take_constraint(constraint);
    figures_.take_hidden_constraint(hidden);
    invariants_.take(t, figures_);
    return true;
  }
  void remember() { before_ = forces_.lambda; }
  void take_back(const T& t, const State<System>& x) {
    forces_.lambda = before_;
    look(t, x);
  }

  const Vec<T>& audited(const State<System>& x) const { return x.p; }
  static bool audits_final_momentum() { return true; }
  const Vec<T>& final_momentum() const { return p_; }
  const Vec<T>& multipliers() const { return forces_.lambda; }
  const AuditFigures& audit() const { return figures_; }

  StateView<T> audited_view(const T& t, const State<System>& x) const {
    return {t, span(x.q), span(forces_.v), span(x.p), span(forces_.lambda)};
  }
  StateView<T> final_view(const T& t, const State<System>& x) const {
    return {t, span(x.q), span(forces_.v), span(p_), span(forces_.lambda)};
  }
  Place audited_place(const T& t, const State<System>& x) const { return livens::place(t, x.q, forces_.v, x.p); }
  Place attempted_place(const T& t1, const T&, const State<System>& x, const Vec<T>& q) const {
    return livens::place(t1, q, forces_.v, x.p);
  }

  Columns state_columns() const {
    const int n = system_.coordinates();
    Columns c = {{"q", n, Role::position, Per::coordinate},
                 {"v", n, Role::velocity, Per::coordinate},
                 {"p", p_.size(), Role::momentum, p_.size() == n ? Per::coordinate : Per::other}};
    c.push_back({"lambda", forces_.lambda.size(), Role::multiplier, Per::multiplier});
    return c;
  }

  template <class Archive>
  void archive(Archive& a) {
    a(figures_, first_energy_, invariants_, forces_.v, forces_.lambda, p_);
    if constexpr (Archive::reads)
      system_.restore(a);
    else
      system_.save(a);
  }

 private:
  static std::span<const T> span(const Vec<T>& x) { return {x.begin(), x.end()}; }

  const System& system_;
  ContactForces<T> forces_;
  Vec<T> before_;  // multipliers of the state before
  Vec<T> gap_, rate_, p_;
  T first_energy_{};
  AuditFigures figures_;
  InvariantWatch<T> invariants_;
};

namespace detail {
template <class T>
struct KindChoice<ContactSystem<T>> {
  using Kind = ContactKind<T>;
};
}  // namespace detail

}  // namespace livens
