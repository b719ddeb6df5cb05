// One trajectory step by step, for studies that look at the nodes themselves: any start (p need not satisfy the hidden
// constraint), any direction of time, any scalar, jets included, any kind of system.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "livens/run/kind.hpp"
#include "livens/run/step_of.hpp"

namespace livens {

template <class System>
class Walk {
 public:
  using T = typename System::Scalar;
  using Coordinates = typename System::Coordinates;
  using Momenta = MomentaOf<System>;

  Walk(const System& system, std::unique_ptr<StepOf<System>> step)
      : step_(std::move(step)), state_(system), kind_(system, step_->traits) {}
  template <class Method>
  Walk(const System& system, const Method& method, const SolverSettings<RealOf<T>>& solver)
      : Walk(system, make_step(system, method, method, solver)) {}

  const MethodTraits& traits() const { return step_->traits; }
  FoundOptions found() const { return step_->found(); }
  const State<System>& state() const { return state_; }
  const Coordinates& q() const { return state_.q; }
  const Coordinates& attempted_position() const { return step_->attempted_position(); }
  const KindOf<System>& kind() const { return kind_; }

  // hint: a velocity near v(q,p), the guess where L is not quadratic in v; multipliers of overdetermined systems.
  Outcome start(const T& t, const Coordinates& q0, const Momenta& p0, const HintOf<System>& hint) {
    state_.q = q0;
    state_.p = p0;
    state_.forget_remainders();
    const Outcome outcome = kind_.place(t, state_, hint);
    if (!succeeded(outcome)) return outcome;
    return step_->start(t, state_, kind_.hint()) ? outcome : step_->why_not_started();
  }
  Outcome start(const StartState<System>& at) { return start(at.t, at.q, at.p, at.hint); }

  void advance(const T& t0, const T& t1, const T& h, StepReport& report) { step_->advance(t0, t1, h, state_, report); }

  // The state with what the scheme remembers, as bytes, so that one walk serves many trajectories in turns; t: its
  // time.
  std::string save() {
    ArchiveWriter a;
    a(state_);
    step_->save(a);
    return a.take();
  }
  void restore(std::string_view bytes, const T& t) {
    ArchiveReader a(bytes);
    a(state_);
    step_->restore(a, t, state_);
  }

  // take(RawValue, values) for what the scheme itself produced in the last step
  template <class Take>
  void raw_values(const Take& take) const {
    step_->visit_raw(state_, take);
  }

  // Where the step from t0 to t1 was evaluated that could not be solved, or led where it could not be looked at.
  Attempt attempt(const T& t0, const T& t1, bool solved) {
    Attempt a;
    a.from.t = to_double(t0);
    if (solved) {
      a.to = kind_.audited_place(t1, state_);
      return a;
    }
    kind_.look(t0, state_);
    a.from = kind_.audited_place(t0, state_);
    a.to = kind_.attempted_place(t1, t1 - t0, state_, step_->attempted_position());
    return a;
  }

  // The momentum that the audit looks at.
  Outcome look(const T& t) { return kind_.look(t, state_); }
  const Momenta& audited_momentum() const { return kind_.audited(state_); }

  // The consistent momentum and the accurate multiplier: `final` of the results.
  Outcome look_final(const T& t) {
    const Outcome outcome = kind_.look(t, state_);
    return succeeded(outcome) ? kind_.finalise(t, state_) : outcome;
  }
  // That momentum alone; where it is not determined it is not a number, and the state may be as good as any other.
  Outcome look_final_momentum(const T& t) {
    const Outcome outcome = kind_.look(t, state_);
    if (succeeded(outcome)) kind_.finalise_momentum(t, state_);
    return outcome;
  }
  const Momenta& final_momentum() const { return kind_.final_momentum(); }
  const auto& multipliers() const { return kind_.multipliers(); }

 private:
  std::unique_ptr<StepOf<System>> step_;
  State<System> state_;
  KindOf<System> kind_;
};

}  // namespace livens
