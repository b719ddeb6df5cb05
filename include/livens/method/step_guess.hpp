// The guess for velocity and multiplier of a step, where they change smoothly from step to step: the line through their
// last two values. Where it leads astray (continuation.hpp), the step starts again from its node: with the velocity of
// the projected momentum there, and its multiplier.
//
// A guess only starts an iteration; what it remembers are those values, and whether a step was done since the start.
#pragma once

#include <utility>

#include "livens/method/continuation.hpp"
#include "livens/method/method.hpp"
#include "livens/system/kinetics.hpp"

namespace livens {

template <class Vector>
class Extrapolation {
 public:
  explicit Extrapolation(const Vector& shape) : now_(shape), before_(shape) {}

  void start(const Vector& x) { now_ = before_ = x; }
  void remember(const Vector& x) {
    std::swap(now_, before_);
    now_ = x;
  }
  template <class Archive>
  void archive(Archive& a) {
    a(now_, before_);
  }
  auto operator[](int i) const { return now_[i] + (now_[i] - before_[i]); }

 private:
  Vector now_, before_;
};

template <class System>
class StepGuess {
 public:
  using T = typename System::Scalar;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;

  explicit StepGuess(const System& system)
      : velocity(Coordinates(system.coordinates())),
        multiplier(Multipliers(system.constraints())),
        p_(system.coordinates()),
        v_(p_),
        lambda_(system.constraints()) {}

  Extrapolation<Coordinates> velocity;
  Extrapolation<Multipliers> multiplier;

  void start(const Coordinates& v, const Multipliers& lambda) {
    velocity.start(v);
    multiplier.start(lambda);
    continues_ = false;
  }
  // After a step; methods whose velocity is an explicit function of the multiplier need no guess for it.
  void remember(const Multipliers& lambda) {
    multiplier.remember(lambda);
    continues_ = true;
  }
  void remember(const Coordinates& v, const Multipliers& lambda) {
    velocity.remember(v);
    remember(lambda);
  }
  // It continues the motion of the step before.
  bool continues() const { return continues_; }

  // A step, and if it could not be solved once more from its node.
  template <class Attempt>
  void run(Kinetics<System>& kinetics, const T& t, const State<System>& x, StepReport& report, const Attempt& attempt) {
    run_step<System::n>(attempt);
    if (!succeeded(report.outcome)) start_again(kinetics, t, x, report, attempt);
  }

  template <class Archive>
  void archive(Archive& a) {
    a(velocity, multiplier, continues_);
  }

 private:
  // If the guess may have been the reason: a singular matrix is a property of the configuration. Rare, and kept out of
  // the flat code of a step.
  template <class Attempt>
  [[gnu::noinline]] void start_again(Kinetics<System>& kinetics, const T& t, const State<System>& x, StepReport& report,
                                     const Attempt& attempt) {
    if (!continues_ || report.outcome == Outcome::singular_jacobian || report.part != StepPart::equations) return;
    const StepReport first = report;
    p_ = x.p;
    for (int i = 0; i < v_.size(); ++i) v_[i] = velocity[i];
    Outcome node = kinetics.project(t, x.q, p_, v_);
    if (succeeded(node)) node = kinetics.multiplier(t, x.q, v_, lambda_);
    if (!succeeded(node)) {
      report.outcome = node;
      report.part = StepPart::node;
      return;
    }
    start(v_, lambda_);
    attempt();
    add_cost(first, report);
  }

  Coordinates p_, v_;
  Multipliers lambda_;
  bool continues_ = false;
};

}  // namespace livens
