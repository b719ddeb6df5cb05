// Galerkin steps with s = w: of the planar pendulum, h = 0.01, and with s = 2 of the hanging chain
// (problems/chain.toml), h = 0.3/N at most 1e-3. Counted by bench/run.
//
//   pendulum hand|1|2|3|4 STEPS             s known when compiling, derivatives by jets; hand: s = 1 written out
//   chain lu|multipliers|formulas N STEPS   C++ elements by KLU or by the equations of the multipliers alone; the model
//                                           file by KLU
#include "livens/method/galerkin.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "livens/model/element_lagrangian.hpp"
#include "livens/model/model.hpp"
#include "livens/sparse/sparse_lu.hpp"

using namespace livens;

namespace {

constexpr double gravity = 9.81;

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

struct PointMass {
  static constexpr int coordinates = 3;
  static constexpr bool constant_mass = true;
  static constexpr int potential_degree = 1;
  double m;
  template <class T>
  T lagrangian(const Vec<T, 3>& q, const Vec<T, 3>& v) const {
    return m / 2 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) - m * gravity * q[2];
  }
};

struct Rod {
  static constexpr int coordinates = 6, constraints = 1, constraint_degree = 2;
  double l;
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 6>& q) const {
    const T x = q[3] - q[0], y = q[4] - q[1], z = q[5] - q[2];
    return {(x * x + y * y + z * z - l * l) / 2};
  }
  template <class T>
  Mat<T, 1, 6> constraint_jacobian(const Vec<T, 6>& q) const {
    Mat<T, 1, 6> G;
    for (int i = 0; i < 3; ++i) G(0, 3 + i) = q[3 + i] - q[i], G(0, i) = -G(0, 3 + i);
    return G;
  }
};

struct RodToGround {
  static constexpr int coordinates = 3, constraints = 1, constraint_degree = 2;
  double l;
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 3>& q) const {
    return {(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - l * l) / 2};
  }
};

template <class Method, class System>
double march(const System& system, const Method& method, const typename System::Coordinates& q,
             const typename System::Coordinates& v, double h, long steps) {
  State<System> x(system);
  x.q = q;
  typename System::Coordinates Lq(q);
  system.gradient(0, q, v, Lq, x.p);
  typename Method::template Step<System> step(system, method, {});
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

template <class Method>
double pendulum(const Method& method, long steps) {
  return march(Lagrangian<Pendulum>(Pendulum{}), method, Vec<double, 2>{std::sin(1.0), -std::cos(1.0)},
               Vec<double, 2>{0.5 * std::cos(1.0), 0.5 * std::sin(1.0)}, 0.01, steps);
}

ElementSystem<double> elements(int N, bool schur) {
  ElementSystem<double> system(3 * N, {schur, make_sparse_lu<double>});
  for (int i = 0; i < 3 * N; i += 3) {
    system.add(PointMass{1.0 / N}, {i, i + 1, i + 2});
    if (i == 0)
      system.add(RodToGround{1.0 / N}, {0, 1, 2});
    else
      system.add(Rod{1.0 / N}, {i - 3, i - 2, i - 1, i, i + 1, i + 2});
  }
  system.finish();
  return system;
}

double chain(const ElementSystem<double>& system, int N, long steps) {
  const double c = 2.404825557695773 * 2.404825557695773 / 4;
  Vec<double> q(3 * N), v(q);
  double x = 0, z = 0, w = 0;
  for (int i = 0; i < N; ++i) {
    double S = 0, term = c;  // (-1)^(k+1) c^k u^(k-1) k/(k!)^2
    const double u = 1 - (i + 0.5) / N;
    for (int k = 1; k <= 20; ++k) {
      S += term;
      term *= -c * u / (static_cast<double>(k) * (k + 1));
    }
    x += std::sin(S / 2) / N, z -= std::cos(S / 2) / N, w += S / N;
    q[3 * i] = x, q[3 * i + 2] = z, v[3 * i + 1] = w;
  }
  return march(system, Galerkin{}, q, v, std::min(1e-3, 0.3 / N), steps);
}

}  // namespace

int main(int count, char** arguments) {
  const std::string what = count > 1 ? arguments[1] : "";
  double end = 0;
  if (what == "pendulum" && count == 4) {
    const std::string way = arguments[2];
    const long steps = std::atol(arguments[3]);
    end = way == "hand" ? hand_written(steps)
          : way == "1"  ? pendulum(FixedGalerkin<1>(), steps)
          : way == "2"  ? pendulum(FixedGalerkin<2>(), steps)
          : way == "3"  ? pendulum(FixedGalerkin<3>(), steps)
                        : pendulum(FixedGalerkin<4>(), steps);
  } else if (what == "chain" && count == 5) {
    const std::string way = arguments[2];
    const int N = std::atoi(arguments[3]);
    const long steps = std::atol(arguments[4]);
    if (way == "formulas") {
      const Model model = load_model("chain", {{"system.parameters.N", std::to_string(N)}});
      end = chain(element_lagrangian<double>(model.lagrangian, {false, make_sparse_lu<double>}), N, steps);
    } else {
      end = chain(elements(N, way == "multipliers"), N, steps);
    }
  } else {
    return std::fprintf(stderr,
                        "galerkin pendulum hand|1|2|3|4 STEPS | galerkin chain lu|multipliers|formulas N STEPS\n"),
           2;
  }
  std::printf("%.17g\n", end);
}
