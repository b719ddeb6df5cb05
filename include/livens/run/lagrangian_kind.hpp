// Lagrangian systems in a run: what is consistent, what the audit looks at, which numbers a row has.
//
//   audited   the momentum that the scheme carries, or its projection P p (kinetics.hpp), as the method declares
//   final     P p, its velocity, and the multiplier from the constraint differentiated twice
//
// Where constraints lose rank P p and the multiplier are not determined (kinetics.hpp): they are then not a number, and
// an audit that looks at P p does not look at this state.
#pragma once

#include <limits>

#include "livens/audit/audit.hpp"
#include "livens/method/method.hpp"
#include "livens/run/attempt.hpp"
#include "livens/run/companion.hpp"
#include "livens/run/table.hpp"
#include "livens/system/kinetics.hpp"

namespace livens {

template <class System>
class LagrangianKind {
 public:
  static constexpr bool has_velocity = true, has_multipliers = true;  // in the results
  using T = typename System::Scalar;
  using Hint = HintOf<System>;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;

  LagrangianKind(const System& system, const MethodTraits& traits)
      : kinetics_(system),
        audit_(system),
        projects_(traits.audit_uses_final && !traits.carries_final_momentum),
        final_is_audited_(traits.audit_uses_final || traits.carries_final_momentum),
        p_(system.coordinates()),
        v_(p_),
        v_before_(p_),
        final_p_(p_),
        final_v_(p_),
        lambda_(system.constraints()) {}

  // Any (q, p), consistent or not; hint: a velocity near v(q,p). What a step is started with is then `hint()`.
  Outcome place(const T& t, const State<System>& x, const Coordinates& hint) {
    v_ = v_before_ = hint;
    p_ = x.p;
    if (!kinetics_.start(t, x.q, v_)) return Outcome::singular_jacobian;
    return kinetics_.velocity(t, x.q, x.p, v_);
  }
  const Coordinates& hint() const { return v_; }

  // A consistent start, from which the audit counts.
  void begin(const StartState<System>& start, const T& step) {
    p_ = start.p;
    v_ = v_before_ = start.hint;
    kinetics_.start(start.t, start.q, start.hint);
    audit_.start(start.t, step, start.q, start.p, start.hint, kinetics_);
  }

  // ---- after a step, in this order; a failure takes nothing ---------------------------------------------------------
  Outcome look(const T& t, const State<System>& x) {
    undetermined_ = false;
    if (!projects_) return kinetics_.velocity(t, x.q, x.p, v_);
    p_ = x.p;
    const Outcome outcome = kinetics_.project(t, x.q, p_, v_);
    if (outcome != Outcome::singular_jacobian) return outcome;
    undetermined_ = true;
    p_ = x.p;
    return kinetics_.velocity(t, x.q, p_, v_);
  }
  // The momentum alone.
  Outcome finalise_momentum(const T& t, const State<System>& x) {
    final_p_ = audited(x), final_v_ = v_;
    Outcome outcome = undetermined_ ? Outcome::singular_jacobian : Outcome::converged;
    if (!final_is_audited_) outcome = kinetics_.project(t, x.q, final_p_, final_v_);
    if (!succeeded(outcome)) final_p_.fill(not_a_number()), final_v_.fill(not_a_number());
    return outcome;
  }
  Outcome finalise(const T& t, const State<System>& x) {
    Outcome outcome = finalise_momentum(t, x);
    if (succeeded(outcome)) outcome = kinetics_.determined_multiplier(t, x.q, final_v_, lambda_);
    if (!succeeded(outcome)) lambda_.fill(not_a_number());
    final_undetermined_ = outcome == Outcome::singular_jacobian;
    return final_undetermined_ ? Outcome::converged : outcome;
  }
  bool observe(const T& t, const State<System>& x) {
    return undetermined_ || audit_.observe(t, x.q, audited(x), v_, kinetics_);
  }
  bool is_audited() const { return !undetermined_; }           // the state looked at last
  bool is_determined() const { return !final_undetermined_; }  // of the state finalised last

  // Before `look`: what it would need to look at the state before again.
  void remember() {
    if (!kinetics_.structure().constant_mass) v_before_ = v_;
  }
  void take_back(const T& t, const State<System>& x) {
    v_ = v_before_;
    look(t, x);
  }

  // ---- what others see ----------------------------------------------------------------------------------------------
  const Coordinates& audited(const State<System>& x) const { return projects_ ? p_ : x.p; }
  bool audits_final_momentum() const { return final_is_audited_; }
  const Coordinates& final_momentum() const { return final_p_; }
  const Coordinates& final_velocity() const { return final_v_; }
  const Multipliers& multipliers() const { return lambda_; }
  const AuditFigures& audit() const { return audit_.figures(); }

  StateView<T> audited_view(const T& t, const State<System>& x) const {
    return {t, span(x.q), span(v_), span(audited(x)), {}};
  }
  StateView<T> final_view(const T& t, const State<System>& x) const {
    return {t, span(x.q), span(final_v_), span(final_p_), span(lambda_)};
  }
  Place audited_place(const T& t, const State<System>& x) const { return livens::place(t, x.q, v_, audited(x)); }
  // Where a step of size h from x was evaluated that could not be solved.
  static Place attempted_place(const T& t1, const T& h, const State<System>& x, const Coordinates& q) {
    Coordinates u = q;
    for (int i = 0; i < u.size(); ++i) u[i] = (u[i] - x.q[i]) / h;
    return livens::place(t1, q, u, x.p);
  }

  // ---- rows ---------------------------------------------------------------------------------------------------------
  Columns state_columns() const {
    const int n = p_.size(), m = lambda_.size();
    Columns c = {{"q", n, Role::position, Per::coordinate},
                 {"v", n, Role::velocity, Per::coordinate},
                 {"p", n, Role::momentum, Per::coordinate}};
    if (m > 0) c.push_back({"lambda", m, Role::multiplier, Per::multiplier});
    return c;
  }

  template <class Archive>
  void archive(Archive& a) {
    a(audit_, p_, v_, final_p_, final_v_, lambda_, kinetics_, undetermined_, final_undetermined_);
  }

 private:
  template <class Vector>
  static std::span<const T> span(const Vector& x) {
    return {x.begin(), x.end()};
  }
  static T not_a_number() { return T(std::numeric_limits<double>::quiet_NaN()); }

  Kinetics<System> kinetics_;
  LagrangianAudit<System> audit_;
  bool projects_;          // the audit looks at P p of the carried momentum
  bool final_is_audited_;  // the audited momentum is the final one
  Coordinates p_, v_;      // of the audit; p_ where it projects
  Coordinates v_before_;   // before the step, the guess where it is taken back
  Coordinates final_p_, final_v_;
  Multipliers lambda_;
  bool undetermined_ = false, final_undetermined_ = false;
};

}  // namespace livens
