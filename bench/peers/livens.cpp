#include "livens.hpp"

#include "livens/method/rattle.hpp"
#include "livens/system/elements.hpp"

namespace peers {

namespace {

using livens::Mat;
using livens::Vec;

struct PointMass {
  static constexpr int coordinates = 3;
  static constexpr bool constant_mass = true;
  double mass;
  template <class T>
  T lagrangian(const Vec<T, 3>& q, const Vec<T, 3>& v) const {
    return mass * ((v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2 - Chain::gravity * q[2]);
  }
  template <class T>
  Vec<T, 3> potential_gradient(const Vec<T, 3>&) const {
    return {T(0), T(0), T(mass * Chain::gravity)};
  }
};

struct RodToGround {
  static constexpr int coordinates = 3, constraints = 1;
  double length;
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 3>& q) const {
    return {(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - length * length) / 2};
  }
};

struct Rod {
  static constexpr int coordinates = 6, constraints = 1;
  double length;
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 6>& q) const {
    const T x = q[3] - q[0], y = q[4] - q[1], z = q[5] - q[2];
    return {(x * x + y * y + z * z - length * length) / 2};
  }
};

livens::ElementSystem<double> elements(const Chain& chain) {
  const int N = static_cast<int>(chain.N);
  livens::ElementSystem<double> system(3 * N);
  for (int i = 0; i < N; ++i) system.add(PointMass{1.0 / N}, {3 * i, 3 * i + 1, 3 * i + 2});
  system.add(RodToGround{chain.l}, {0, 1, 2});
  for (int i = 3; i < 3 * N; i += 3) system.add(Rod{chain.l}, {i - 3, i - 2, i - 1, i, i + 1, i + 2});
  system.finish();
  return system;
}

}  // namespace

Run livens_rattle(const Chain& chain, double end, double step) {
  using System = livens::ElementSystem<double>;
  const System system = elements(chain);
  const std::size_t N = chain.N;
  const auto at = [](std::size_t i, std::size_t k) { return static_cast<int>(3 * i + k); };

  const State s = chain.start();
  livens::State<System> x(system);
  Vec<double> v(system.coordinates());
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      x.q[at(i, k)] = s.q[k * N + i];
      v[at(i, k)] = s.v[k * N + i];
      x.p[at(i, k)] = chain.l * s.v[k * N + i];
    }
  livens::Rattle::Step<System> rattle(system, livens::Rattle{}, {});
  Run run;
  run.succeeded = rattle.start(0, x, v);
  livens::StepReport report;
  const long steps = std::lround(end / step);

  const double begin = process_seconds();
  while (run.succeeded && run.steps < steps) {
    const double t = static_cast<double>(run.steps) * step;
    rattle.advance(t, t + step, step, x, report);
    run.succeeded = livens::succeeded(report.outcome);
    run.evaluations += report.evaluations;
    ++run.steps;
  }
  run.seconds = process_seconds() - begin;

  run.end = s;
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      run.end.q[k * N + i] = x.q[at(i, k)];
      run.end.v[k * N + i] = x.p[at(i, k)] / chain.l;
    }
  return run;
}

}  // namespace peers
