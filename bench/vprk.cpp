// Steps of variational Runge-Kutta methods with projection on degenerate systems. Counted by bench/run.
//
//   SYSTEM PROJECTION STAGES fixed|formulas STEPS     lotka-volterra (h = 0.1) or guiding-centre (barely passing, h
//   = 2.5),
//                                                     Gauss; C++ structs with jets and known sizes, or the model file
//
// With --time the nanoseconds of a step as well.
#include "livens/method/vprk.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>

#include "livens/model/model.hpp"

using namespace livens;

namespace {

struct LotkaVolterra {
  static constexpr int coordinates = 2;
  template <class T>
  Vec<T, 2> theta(const Vec<T, 2>& q) const {
    using std::log;
    return {log(q[1]) / q[0] + q[1], q[0]};
  }
  template <class T>
  T hamiltonian(const Vec<T, 2>& q) const {
    using std::log;
    return q[0] + q[1] - log(q[0]) - 2 * log(q[1]);
  }
};

struct GuidingCentre {
  static constexpr int coordinates = 4;
  double mu = 0.01, R0 = 2, B0 = 5, q0 = 2;
  template <class T>
  T safety(const Vec<T, 4>& q) const {  // S
    using std::sqrt;
    const T x = q[0] - R0;
    return sqrt(x * x + q[1] * q[1] + q0 * q0 * R0 * R0);
  }
  template <class T>
  Vec<T, 4> theta(const Vec<T, 4>& q) const {
    using std::log;
    const T x = q[0] - R0, r2 = x * x + q[1] * q[1], k = q[3] / safety(q);
    return {B0 * R0 / 2 * q[1] / q[0] - k * q[1], k * x - B0 * R0 / 2 * log(q[0] / R0),
            -B0 / (2 * q0) * r2 - q0 * R0 * k * q[0], T(0)};
  }
  template <class T>
  T hamiltonian(const Vec<T, 4>& q) const {
    return q[3] * q[3] / 2 + mu * B0 / q0 * safety(q) / q[0];
  }
};

template <class Step, class System>
double march(const System& system, const Vprk& method, const typename System::Coordinates& q, double h, long steps) {
  State<System> x(system);
  x.q = q;
  system.theta(q, x.p);
  typename System::Coordinates v(q);
  DegenerateField<System>(system).velocity(q, v);
  Step step(system, method, {});
  step.start(0, x, v);
  StepReport report;
  long iterations = 0, jacobians = 0;
  for (long n = 0; n < steps; ++n) {
    const auto t = static_cast<double>(n) * h;
    step.advance(t, t + h, h, x, report);
    iterations += report.iterations, jacobians += report.jacobians;
    if (!succeeded(report.outcome)) std::exit(1);
  }
  std::printf("iterations %.2f jacobians %.2f\n", static_cast<double>(iterations) / static_cast<double>(steps),
              static_cast<double>(jacobians) / static_cast<double>(steps));
  return x.q[0];
}

template <class Problem>
double run(const Vprk& method, bool formulas, const char* name, const Vec<double, Problem::coordinates>& q, double h,
           long steps) {
  if (!formulas)
    return method.with_step<Degenerate<Problem>>([&]<class Step>(std::type_identity<Step>) {
      return march<Step>(Degenerate<Problem>(Problem{}), method, q, h, steps);
    });
  const Model model = load_model(name, {});
  Vec<double> start(q.size());
  for (int i = 0; i < q.size(); ++i) start[i] = q[i];
  using System = FormulaDegenerate<double>;
  return march<Vprk::Step<System>>(System(model.system->degenerate()), method, start, h, steps);
}

}  // namespace

int main(int count, char** arguments) {
  const bool timed = count == 7 && std::string(arguments[6]) == "--time";
  if (count != 6 && !timed)
    return std::fprintf(stderr, "vprk SYSTEM PROJECTION STAGES fixed|formulas STEPS [--time]\n"), 2;
  const std::string system = arguments[1], projection = arguments[2];
  using P = Vprk::Projection;
  const Vprk method{.stages = std::atoi(arguments[3]),
                    .projection = projection == "none"         ? P::none
                                  : projection == "standard"   ? P::standard
                                  : projection == "symplectic" ? P::symplectic
                                  : projection == "midpoint"   ? P::midpoint
                                                               : P::symmetric};
  const bool formulas = std::string(arguments[4]) == "formulas";
  const long steps = std::atol(arguments[5]);
  const auto begin = std::chrono::steady_clock::now();
  const double end = system == "lotka-volterra"
                         ? run<LotkaVolterra>(method, formulas, "lotka-volterra", {1, 1}, 0.1, steps)
                         : run<GuidingCentre>(method, formulas, "guiding-centre", {2.5, 0, 0, 0.3425}, 2.5, steps);
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
  std::printf("%.17g\n", end);
  if (timed) std::printf("%.0f\n", taken.count() / static_cast<double>(steps));
}
