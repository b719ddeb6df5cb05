// A method of a few lines for degenerate systems: what a method needs to be run.
#pragma once

#include "livens/method/method.hpp"
#include "livens/solve/newton.hpp"
#include "livens/system/degenerate.hpp"

namespace livens::test {

// Implicit midpoint rule for the equations of motion of a degenerate system, Om(q) q' = grad H(q):
//   q1 = q0 + h v((q0 + q1)/2) ,   by fixed point; order 2, symmetric.  p1 = theta(q1).
struct ToyMidpoint {
  static constexpr Kinds kinds{.lagrangian = false, .degenerate = true};
  static MethodTraits traits() {
    return {.name = "toy-midpoint",
            .order = 2,
            .symplectic = false,
            .symmetric = true,
            .carries_final_momentum = true,
            .audit_uses_final = true,
            .raw = RawValues::end_of_step};
  }

  template <class System>
  class Step {
   public:
    using T = typename System::Scalar;
    using Coordinates = typename System::Coordinates;
    Step(const System& system, const ToyMidpoint&, const SolverSettings<RealOf<T>>&)
        : system_(system), field_(system), q_(system.coordinates()), v_(q_), before_(q_) {}

    bool start(const T&, const State<System>&, const Coordinates& v) {
      v_ = v;
      return true;
    }
    void advance(const T&, const T&, const T& h, State<System>& x, StepReport& report) {
      report = {};
      for (int k = 1; k <= 200; ++k) {
        for (int i = 0; i < q_.size(); ++i) q_[i] = x.q[i] + h / 2 * v_[i];
        before_ = v_;
        report.outcome = field_.velocity(q_, v_);
        report.iterations = report.evaluations = k;
        if (!succeeded(report.outcome)) return;
        RealOf<T> change(0);
        for (int i = 0; i < q_.size(); ++i) change += std::abs(to_double(v_[i] - before_[i]));
        if (change <= 4 * epsilon<T>() * size_of(v_)) break;
        if (k == 200) report.outcome = Outcome::stalled;
      }
      if (!succeeded(report.outcome)) return;
      for (int i = 0; i < q_.size(); ++i) x.q[i] += h * v_[i];
      system_.theta(x.q, x.p);
    }
    void resume(const T&, const State<System>&) {}
    template <class Archive>
    void archive(Archive& a) {
      a(v_);
    }
    const Coordinates& attempted_position() const { return q_; }
    template <class Take>
    void raw_values(const State<System>& x, const Take& take) const {
      take(raw_momentum, x.p);
    }

   private:
    const System& system_;
    DegenerateField<System> field_;
    Coordinates q_, v_, before_;
  };
};

}  // namespace livens::test
