// What the time loop knows of a method on a system: one trajectory, advanced through one virtual function a step (4
// instructions of the 590 of an audited pendulum step), so that loop and studies are compiled once per system, not once
// per method.
#pragma once

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include "livens/method/method.hpp"
#include "livens/run/archive.hpp"
#include "livens/solve/newton.hpp"
#include "livens/system/structure.hpp"

namespace livens {

// Takes what a scheme produced, one vector after another.
template <class T>
class RawSink {
 public:
  virtual ~RawSink() = default;
  virtual void take(const RawValue& what, std::span<const T> values) = 0;
};

template <class System>
class StepOf {
 public:
  using T = typename System::Scalar;

  explicit StepOf(const MethodTraits& method) : traits(method) {}
  virtual ~StepOf() = default;

  const MethodTraits traits;

  // As the class template Step<System> of a method (method/method.hpp).
  virtual bool start(const T& t, const State<System>& x, const HintOf<System>& hint) = 0;
  virtual Outcome why_not_started() const { return Outcome::singular_jacobian; }
  virtual void advance(const T& t0, const T& t1, const T& h, State<System>& x, StepReport& report) = 0;
  virtual const typename System::Coordinates& attempted_position() const = 0;
  virtual void raw_values(const State<System>& x, RawSink<T>& sink) const = 0;
  virtual void save(ArchiveWriter& a) = 0;
  virtual void restore(ArchiveReader& a, const T& t, const State<System>& x) = 0;

  // Options that the method found by itself.
  virtual FoundOptions found() const { return {}; }
  // What the method sees coming, in words; empty: nothing.
  virtual std::string warning() const { return ""; }

  // take(RawValue, span) for what the scheme itself produced in the last step
  template <class Take>
  void visit_raw(const State<System>& x, const Take& take) const {
    struct Sink : RawSink<T> {
      explicit Sink(const Take& f) : take_(f) {}
      void take(const RawValue& what, std::span<const T> values) override { take_(what, values); }
      const Take& take_;
    } sink(take);
    raw_values(x, sink);
  }
};

template <class System, class Method, class Step = typename Method::template Step<System>>
class StepBy final : public StepOf<System> {
 public:
  using typename StepOf<System>::T;

  // wanted: the method as asked for, before it found options by itself.
  StepBy(const System& system, const Method& method, const Method& wanted, const SolverSettings<RealOf<T>>& solver)
      : StepOf<System>(method.traits()), step_(system, method, solver) {
    if constexpr (requires { method.misfit(system.structure()); })
      if (const std::string reason = method.misfit(system.structure()); !reason.empty())
        throw std::invalid_argument(std::string(this->traits.name) + ": " + reason + remedy(system));
    if constexpr (requires { method.found(wanted); }) found_ = method.found(wanted);
  }

  bool start(const T& t, const State<System>& x, const HintOf<System>& hint) override {
    return step_.start(t, x, hint);
  }
  Outcome why_not_started() const override {
    if constexpr (requires { step_.why_not_started(); }) return step_.why_not_started();
    return Outcome::singular_jacobian;
  }
  void advance(const T& t0, const T& t1, const T& h, State<System>& x, StepReport& report) override {
    step_.advance(t0, t1, h, x, report);
  }
  const typename System::Coordinates& attempted_position() const override { return step_.attempted_position(); }
  void raw_values(const State<System>& x, RawSink<T>& sink) const override {
    step_.raw_values(x, [&](const RawValue& what, const auto& values) {
      sink.take(what, std::span<const T>(values.begin(), values.end()));
    });
  }
  void save(ArchiveWriter& a) override { step_.archive(a); }
  void restore(ArchiveReader& a, const T& t, const State<System>& x) override {
    step_.archive(a);
    step_.resume(t, x);
  }
  FoundOptions found() const override { return found_; }
  std::string warning() const override {
    if constexpr (requires { step_.warning(); })
      return step_.warning();
    else
      return "";
  }

 private:
  // A struct says what its functions are like; of formulas that is found.
  static std::string remedy(const System& system) {
    if constexpr (HasKnownStructure<System>)
      if (!system.structure().constant_mass)
        return "; if this is one, say `static constexpr bool constant_mass = true` in the struct";
    return "";
  }

  Step step_;
  FoundOptions found_;
};

// The step of a method on a system; wanted: the method before it found options by itself.
template <class System, class Method>
std::unique_ptr<StepOf<System>> make_step(const System& system, const Method& method, const Method& wanted,
                                          const SolverSettings<RealOf<typename System::Scalar>>& solver) {
  return std::make_unique<StepBy<System, Method>>(system, method, wanted, solver);
}

// The same, with the number of stages known when compiling where the method has such steps (`with_step`). They cost
// much to compile: what is not run for long does without.
template <class System, class Method>
std::unique_ptr<StepOf<System>> make_fast_step(const System& system, const Method& method, const Method& wanted,
                                               const SolverSettings<RealOf<typename System::Scalar>>& solver) {
  const auto make = [&]<class Step>(std::type_identity<Step>) -> std::unique_ptr<StepOf<System>> {
    return std::make_unique<StepBy<System, Method, Step>>(system, method, wanted, solver);
  };
  if constexpr (requires { method.template with_step<System>(make); })
    return method.template with_step<System>(make);
  else
    return make_step(system, method, wanted, solver);
}

// A method that has to find out something about its first step (`prepared`) does so here; f(method) is its step.
template <class System, class Method, class F>
auto with_prepared(const System& system, const Method& method, const StartState<System>& start,
                   const typename System::Scalar& h, const SolverSettings<RealOf<typename System::Scalar>>& solver,
                   const F& f) {
  if constexpr (requires { method.prepared(system, start.q, start.p, start.hint, h, solver); })
    return f(method.prepared(system, start.q, start.p, start.hint, h, solver));
  else
    return f(method);
}

}  // namespace livens
