// A pendulum in Cartesian coordinates, kept on its rod by RATTLE.
//
//   L = m/2 (x'^2 + y'^2) - m g y ,   g(q) = (x^2 + y^2 - l^2)/2 = 0
//
// Build and run:  ./dev test example_pendulum
#include <cstdio>

#include "livens/method/rattle.hpp"
#include "livens/run/march.hpp"

using livens::Vec;

struct Pendulum {
  static constexpr int coordinates = 2, constraints = 1;
  static constexpr bool constant_mass = true;  // L = v.Mv/2 - V(q): steps need first derivatives only
  double m = 1, l = 1, g = 9.81;

  template <class T>
  T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    return m / 2 * (v[0] * v[0] + v[1] * v[1]) - m * g * q[1];
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const {
    return {(q[0] * q[0] + q[1] * q[1] - l * l) / 2};
  }
};

int main() {
  const auto run = livens::march(Pendulum{}, livens::Rattle{}, {.q = {1, 0}, .v = {0, 0}, .step = 0.01, .end = 100.0});
  const auto& end = run.rows.back();
  std::printf("t = %g: x = %.12f, y = %.12f, rod force %.6f\n", end.t, end.q[0], end.q[1], end.lambda[0]);
  std::printf("energy error %.1e, rod length error %.1e\n", run.audit.energy.max_error, run.audit.constraint);
  return run.report.outcome == livens::RunOutcome::finished && run.audit.constraint < 1e-15 ? 0 : 1;
}
