// Degenerate systems L = theta(q).v - H(q) in a run: a state is q with the momentum that the scheme carries; consistent
// is p = theta(q). There is no velocity in the results: it is a function of q.
#pragma once

#include "livens/audit/audit.hpp"
#include "livens/method/method.hpp"
#include "livens/run/attempt.hpp"
#include "livens/run/companion.hpp"
#include "livens/run/table.hpp"
#include "livens/system/degenerate.hpp"

namespace livens {

template <class System>
class DegenerateKind {
 public:
  static constexpr bool has_velocity = false, has_multipliers = false;  // in the results
  using T = typename System::Scalar;
  using Hint = HintOf<System>;
  using Coordinates = typename System::Coordinates;

  DegenerateKind(const System& system, const MethodTraits&)
      : system_(system), field_(system), audit_(system), v_(system.coordinates()), theta_(v_) {}

  Outcome place(const T&, const State<System>& x, const Coordinates&) { return field_.velocity(x.q, v_); }
  const Coordinates& hint() const { return v_; }

  void begin(const StartState<System>& start, const T& /*step*/) {
    v_ = start.hint;
    audit_.start(start.t, start.q, start.p);
  }

  Outcome look(const T&, const State<System>&) { return Outcome::converged; }
  Outcome finalise(const T&, const State<System>& x) {
    system_.theta(x.q, theta_);
    return is_finite(size_of(theta_)) ? Outcome::converged : Outcome::not_finite;
  }
  Outcome finalise_momentum(const T& t, const State<System>& x) { return finalise(t, x); }
  bool observe(const T& t, const State<System>& x) { return audit_.observe(t, x.q, x.p); }
  void remember() {}
  void take_back(const T&, const State<System>&) {}

  const Coordinates& audited(const State<System>& x) const { return x.p; }
  static bool audits_final_momentum() { return false; }
  const Coordinates& final_momentum() const { return theta_; }
  const Vec<T, 0>& multipliers() const { return none_; }
  const AuditFigures& audit() const { return audit_.figures(); }

  StateView<T> audited_view(const T& t, const State<System>& x) const { return {t, span(x.q), {}, span(x.p), {}}; }
  StateView<T> final_view(const T& t, const State<System>& x) const { return {t, span(x.q), {}, span(theta_), {}}; }
  Place audited_place(const T& t, const State<System>& x) const { return livens::place(t, x.q, v_, x.p); }
  static Place attempted_place(const T& t1, const T& h, const State<System>& x, const Coordinates& q) {
    Coordinates u = q;
    for (int i = 0; i < u.size(); ++i) u[i] = (u[i] - x.q[i]) / h;
    return livens::place(t1, q, u, x.p);
  }

  Columns state_columns() const {
    return {{"q", v_.size(), Role::position, Per::coordinate}, {"p", v_.size(), Role::momentum, Per::coordinate}};
  }

  template <class Archive>
  void archive(Archive& a) {
    a(audit_, v_, theta_);
  }

 private:
  static std::span<const T> span(const Coordinates& x) { return {x.begin(), x.end()}; }

  const System& system_;
  DegenerateField<System> field_;
  DegenerateAudit<System> audit_;
  Coordinates v_, theta_;
  Vec<T, 0> none_;
};

}  // namespace livens
