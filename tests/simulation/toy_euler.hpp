// A method of a few lines for overdetermined systems: what a method needs to be run.
#pragma once

#include "livens/method/method.hpp"
#include "livens/solve/newton.hpp"
#include "livens/system/hidden_equation.hpp"

namespace livens::test {

// Explicit Euler method with the multiplier of the hidden equation: drifts off the constraints, order 1.
//   y1 = y0 + h v(y0,z0) ,   z1 = z0 + h (f + r(psi))(y0,z0)
struct ToyEuler {
  static constexpr Kinds kinds{.lagrangian = false, .overdetermined = true};
  static MethodTraits traits() {
    return {.name = "toy-euler",
            .order = 1,
            .symplectic = false,
            .symmetric = false,
            .carries_final_momentum = true,
            .audit_uses_final = true,
            .raw = RawValues::end_of_step};
  }

  template <class System>
  class Step {
   public:
    using T = typename System::Scalar;
    using Positions = typename System::Positions;
    Step(const System& system, const ToyEuler&, const SolverSettings<RealOf<T>>&)
        : system_(system),
          hidden_(system),
          v_(system.positions()),
          f_(system.velocities()),
          r_(f_),
          psi_(system.multipliers()),
          y_(v_) {}

    bool start(const T&, const State<System>&, const typename System::Multipliers& psi) {
      psi_ = psi;
      return true;
    }
    void advance(const T& t0, const T&, const T& h, State<System>& x, StepReport& report) {
      report = {};
      y_ = x.q;
      report.outcome = hidden_.solve(t0, x.q, x.p, psi_);
      report.iterations = report.evaluations = 1;
      if (!succeeded(report.outcome)) return;
      system_.velocity(t0, x.q, x.p, v_);
      system_.force(t0, x.q, x.p, f_);
      system_.reaction(t0, x.q, x.p, psi_, r_);
      for (int i = 0; i < v_.size(); ++i) x.q[i] += h * v_[i];
      for (int j = 0; j < f_.size(); ++j) x.p[j] += h * (f_[j] + r_[j]);
    }
    void resume(const T&, const State<System>&) {}
    template <class Archive>
    void archive(Archive& a) {
      a(psi_);
    }
    const Positions& attempted_position() const { return y_; }
    template <class Take>
    void raw_values(const State<System>&, const Take& take) const {
      take(RawValue{"psi0", RawValue::Per::multiplier}, psi_);
    }

   private:
    const System& system_;
    HiddenEquation<System> hidden_;
    Positions v_;
    typename System::Velocities f_, r_;
    typename System::Multipliers psi_;
    Positions y_;
  };
};

}  // namespace livens::test
