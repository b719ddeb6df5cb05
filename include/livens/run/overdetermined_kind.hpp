// Overdetermined systems in a run: a state is (y, z) with the multipliers psi of the hidden equation, found by Newton's
// method from those of the state before; v = velocity(t,y,z).
#pragma once

#include "livens/audit/audit.hpp"
#include "livens/method/method.hpp"
#include "livens/run/attempt.hpp"
#include "livens/run/companion.hpp"
#include "livens/run/table.hpp"
#include "livens/system/hidden_equation.hpp"

namespace livens {

template <class System>
class OverdeterminedKind {
 public:
  static constexpr bool has_velocity = true, has_multipliers = true;  // in the results
  using T = typename System::Scalar;
  using Hint = HintOf<System>;
  using Positions = typename System::Positions;
  using Velocities = typename System::Velocities;
  using Multipliers = typename System::Multipliers;

  OverdeterminedKind(const System& system, const MethodTraits&)
      : system_(system),
        hidden_(system),
        audit_(system),
        v_(system.positions()),
        z_(system.velocities()),
        psi_(system.multipliers()),
        psi_before_(psi_) {}

  Outcome place(const T& t, const State<System>& x, const Multipliers& hint) {
    psi_ = hint;
    system_.velocity(t, x.q, x.p, v_);
    return hidden_.solve(t, x.q, x.p, psi_);
  }
  const Multipliers& hint() const { return psi_; }

  void begin(const StartState<System>& start, const T& /*step*/) {
    psi_ = psi_before_ = start.hint;
    system_.velocity(start.t, start.q, start.p, v_);
    audit_.start(start.t, start.q, start.p, v_);
  }

  // With the multiplier in every step: which root it is must not depend on how often rows are taken.
  Outcome look(const T& t, const State<System>& x) {
    system_.velocity(t, x.q, x.p, v_);
    if (!is_finite(size_of(v_))) return Outcome::not_finite;
    return hidden_.solve(t, x.q, x.p, psi_);
  }
  Outcome finalise(const T&, const State<System>& x) {
    z_ = x.p;
    return Outcome::converged;
  }
  Outcome finalise_momentum(const T& t, const State<System>& x) { return finalise(t, x); }
  bool observe(const T& t, const State<System>& x) { return audit_.observe(t, x.q, x.p, v_); }
  void remember() { psi_before_ = psi_; }
  void take_back(const T& t, const State<System>& x) {
    psi_ = psi_before_;
    look(t, x);
  }

  const Velocities& audited(const State<System>& x) const { return x.p; }
  static bool audits_final_momentum() { return true; }
  const Velocities& final_momentum() const { return z_; }
  const Multipliers& multipliers() const { return psi_; }
  const AuditFigures& audit() const { return audit_.figures(); }

  StateView<T> audited_view(const T& t, const State<System>& x) const {
    return {t, span(x.q), span(v_), span(x.p), span(psi_)};
  }
  StateView<T> final_view(const T& t, const State<System>& x) const {
    return {t, span(x.q), span(v_), span(z_), span(psi_)};
  }
  Place audited_place(const T& t, const State<System>& x) const { return livens::place(t, x.q, v_, x.p); }
  Place attempted_place(const T& t1, const T&, const State<System>& x, const Positions& y) const {
    return livens::place(t1, y, v_, x.p);
  }

  Columns state_columns() const {
    Columns c = {{"q", v_.size(), Role::position, Per::coordinate},
                 {"v", v_.size(), Role::velocity, Per::coordinate},
                 {"p", z_.size(), Role::momentum, Per::other}};
    if (psi_.size() > 0) c.push_back({"lambda", psi_.size(), Role::multiplier, Per::multiplier});
    return c;
  }

  template <class Archive>
  void archive(Archive& a) {
    a(audit_, v_, z_, psi_);
  }

 private:
  template <class Vector>
  static std::span<const T> span(const Vector& x) {
    return {x.begin(), x.end()};
  }

  const System& system_;
  HiddenEquation<System> hidden_;
  OverdeterminedAudit<System> audit_;
  Positions v_;
  Velocities z_;
  Multipliers psi_, psi_before_;
};

}  // namespace livens
