// The headers alone: a mass on a circle without gravity turns at a constant rate, rod force m v^2 / l.
#include <cmath>
#include <cstdio>
#include <livens/method/rattle.hpp>
#include <livens/run/march.hpp>

using livens::Vec;

struct MassOnCircle {
  static constexpr int coordinates = 2, constraints = 1;
  static constexpr bool constant_mass = true;
  template <class T>
  T lagrangian(const Vec<T, 2>&, const Vec<T, 2>& v) const {
    return (v[0] * v[0] + v[1] * v[1]) / 2;
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 2>& q) const {
    return {(q[0] * q[0] + q[1] * q[1] - 1) / 2};
  }
};

int main() {
  const auto run =
      livens::march(MassOnCircle{}, livens::Rattle{}, {.q = {1, 0}, .v = {0, 2}, .step = 0.01, .steps = 100});
  const double lambda = run.rows.back().lambda[0];
  std::printf("rod force %.15f\n", lambda);
  return std::abs(lambda - 4) < 1e-13 ? 0 : 1;
}
