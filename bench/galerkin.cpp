// Steps of methods with stages: galerkin with s = w and spark of the planar pendulum, h = 0.01, and galerkin with s = 2
// of the hanging chain (problems/chain.toml), h = 0.3/N at most 1e-3. Counted by bench/run.
//
//   pendulum hand|1|2|3|4|spark STEPS       s known when compiling, derivatives by jets; hand: s = 1 written out;
//                                           spark: s = 2 known when running
//   chain lu|multipliers|formulas N STEPS   C++ elements by KLU or by the equations of the multipliers alone; the model
//                                           file by KLU
#include "livens/method/galerkin.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <type_traits>
#include <vector>

#include "hanging_chain.hpp"
#include "livens/method/spark.hpp"
#include "livens/model/element_lagrangian.hpp"
#include "livens/model/model.hpp"
#include "livens/sparse/sparse_lu.hpp"

using namespace livens;
using namespace hanging_chain;

namespace {

struct Pendulum {
  static constexpr int coordinates = 2, constraints = 1;
  static constexpr bool constant_mass = true;
  static constexpr int potential_degree = 1;
  double m = 1, l = 1;
  template <class T>
  T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    return m / 2 * (v[0] * v[0] + v[1] * v[1]) - m * gravity * q[1];
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const {
    return {(q[0] * q[0] + q[1] * q[1] - l * l) / 2};
  }
};

template <class Step, class Method, class System>
double march(const System& system, const Method& method, const typename System::Coordinates& q,
             const typename System::Coordinates& v, double h, long steps) {
  State<System> x(system);
  x.q = q;
  typename System::Coordinates Lq(q);
  system.gradient(0, q, v, Lq, x.p);
  Step step(system, method, {});
  step.start(0, x, v);
  StepReport report;
  for (long n = 0; n < steps; ++n) {
    const auto t = static_cast<double>(n) * h;
    step.advance(t, t + h, h, x, report);
    if (!succeeded(report.outcome)) std::exit(1);
  }
  return x.q[0];
}

// s = w = 1 written out for this system: SHAKE.
double hand_written(long steps) {
  constexpr double h = 0.01;
  double x = std::sin(1.0), y = -std::cos(1.0), px = 0.5 * std::cos(1.0), py = 0.5 * std::sin(1.0), mu = 0;
  for (long n = 0; n < steps; ++n) {
    const double weight = n == 0 ? 0.5 : 1;
    const double cx = x + h * px, cy = y + h * (py - h / 2 * gravity);
    double x1 = 0, y1 = 0;
    for (int k = 0; k < 4; ++k) {
      x1 = cx - h * weight * x * mu, y1 = cy - h * weight * y * mu;
      const double d = (x1 * x1 + y1 * y1 - 1) / (2 * h * weight * (x1 * x + y1 * y));
      mu += d;
      if (std::abs(d) < 1e-9) break;
    }
    px -= weight * x * mu, py -= h * gravity + weight * y * mu;
    x = cx - h * weight * x * mu, y = cy - h * weight * y * mu;
  }
  return x;
}

template <class Step, class Method>
double pendulum(const Method& method, long steps) {
  return march<Step>(Lagrangian<Pendulum>(Pendulum{}), method, Vec<double, 2>{std::sin(1.0), -std::cos(1.0)},
                     Vec<double, 2>{0.5 * std::cos(1.0), 0.5 * std::sin(1.0)}, 0.01, steps);
}
double pendulum_by_galerkin(int s, long steps) {
  const Galerkin method{.s = s};
  return method.with_step<Lagrangian<Pendulum>>(
      [&]<class Step>(std::type_identity<Step>) { return pendulum<Step>(method, steps); });
}

double chain(const ElementSystem<double>& system, int N, long steps) {
  const Start start(N);
  return march<Galerkin::Step<ElementSystem<double>>>(system, Galerkin{}, start.q, start.v, step_size(N), steps);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string what = count > 1 ? arguments[1] : "";
  double end = 0;
  if (what == "pendulum" && count == 4) {
    const std::string way = arguments[2];
    const long steps = std::atol(arguments[3]);
    end = way == "hand"    ? hand_written(steps)
          : way == "spark" ? pendulum<Spark::Step<Lagrangian<Pendulum>>>(Spark{}, steps)
                           : pendulum_by_galerkin(std::atoi(way.c_str()), steps);
  } else if (what == "chain" && count == 5) {
    const std::string way = arguments[2];
    const int N = std::atoi(arguments[3]);
    const long steps = std::atol(arguments[4]);
    if (way == "formulas") {
      const Model model = load_model("chain", {{"system.parameters.N", std::to_string(N)}});
      end = chain(element_lagrangian<double>(model.lagrangian, {LinearTarget::lu, make_sparse_lu<double>}), N, steps);
    } else {
      end = chain(elements(N, {way == "multipliers" ? LinearTarget::schur : LinearTarget::lu, make_sparse_lu<double>}),
                  N, steps);
    }
  } else {
    return std::fprintf(
               stderr, "galerkin pendulum hand|1|2|3|4|spark STEPS | galerkin chain lu|multipliers|formulas N STEPS\n"),
           2;
  }
  std::printf("%.17g\n", end);
}
