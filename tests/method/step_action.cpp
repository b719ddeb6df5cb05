// The discrete action of one step: its gradient is the derivative of its value, by jets, and the derivatives of that
// one are the blocks that it adds; forces do the work that they should.
#include "livens/method/step_action.hpp"

#include <doctest/doctest.h>

#include "livens/solve/band_matrix.hpp"
#include "livens/solve/recorded_blocks.hpp"
#include "livens/system/lagrangian.hpp"
#include "verify/problems.hpp"

using namespace livens;
using namespace livens::test;

namespace {

constexpr int s = 2, n = 3;
const Galerkin method{.s = s};
const double h = 0.1, t = 0.3;

// Points of a step, with derivatives along all of their coordinates where T is a jet.
template <class T>
std::vector<Vec<T, n>> points() {
  std::vector<Vec<T, n>> q(s + 1);
  for (int nu = 0; nu <= s; ++nu)
    for (int i = 0; i < n; ++i) {
      const double x = 0.4 - 0.2 * i + 0.03 * nu * (i + 1) - 0.02 * nu * nu;
      if constexpr (AnyJet<T>)
        q[static_cast<std::size_t>(nu)][i] = T::variable(x, nu * n + i);
      else
        q[static_cast<std::size_t>(nu)][i] = x;
    }
  return q;
}

template <class T, class Problem, class Use>
void with_step(const Problem& problem, const Use& use) {
  const Lagrangian<Problem, T> system(problem);
  StepAction<Lagrangian<Problem, T>> step(system, method);
  const auto q = points<T>();
  const std::vector<Vec<T, n>> remainders(s + 1);
  step.start(T(t), q[0], Vec<T, n>{});
  step.look_at(T(t), T(h), q.data(), remainders.data());
  use(step);
}

template <class T, class Problem>
std::vector<Vec<T, n>> gradient(const Problem& problem) {
  std::vector<Vec<T, n>> F(s + 1);
  with_step<T>(problem, [&](auto& step) { step.add_gradient(F.data()); });
  return F;
}

using J = Jet<double, (s + 1) * n>;

}  // namespace

TEST_CASE("gradient of the action of a step is the derivative of its value") {
  J value(0);
  with_step<J>(CurvedMass{}, [&](auto& step) {
    CompensatedSum<J> sum;
    step.add_value(sum);
    value = sum.value();
  });
  const auto F = gradient<double>(CurvedMass{});
  for (int nu = 0; nu <= s; ++nu)
    for (int i = 0; i < n; ++i)
      CHECK(std::abs(F[static_cast<std::size_t>(nu)][i] - value.gradient[nu * n + i]) < 4 * 8.9e-16);
}

TEST_CASE("forces add their work: the gradient with them is that without, and h sum b l F") {
  const auto with = gradient<double>(DampedCurvedMass{}), without = gradient<double>(CurvedMass{});
  const Lagrangian<DampedCurvedMass> system(DampedCurvedMass{});
  std::vector<Vec<double, n>> work(s + 1);
  with_step<double>(DampedCurvedMass{}, [&](auto& step) {
    for (const auto& node : step.k.lagrangian) {
      step.place(node);
      Vec<double, n> F;
      system.force(step.time(node), step.q, step.v, F);
      for (std::size_t nu = 0; nu <= s; ++nu)
        for (int i = 0; i < n; ++i) work[nu][i] += h * node.weight * node.value[nu] * F[i];
    }
  });
  for (std::size_t nu = 0; nu <= s; ++nu)
    for (int i = 0; i < n; ++i) {
      CHECK(std::abs(work[nu][i]) > 1e-5);
      CHECK(std::abs(with[nu][i] - without[nu][i] - work[nu][i]) < 4 * 2.2e-16);
    }
}

TEST_CASE("derivatives of a step are those of its gradient, in units of velocities") {
  const auto F = gradient<J>(DampedCurvedMass{});
  // A = h dF/dQ of the points 1 and 2, applied to a vector, against the inverse that the matrix finds
  RecordedBlocks<BandMatrix<double>, double> matrix(0, s * n);
  with_step<double>(DampedCurvedMass{}, [&](auto& step) {
    REQUIRE(matrix.factorise([&] { step.add_derivatives(matrix, [](int nu) { return (nu - 1) * n; }); }));
  });
  Vec<double> x(s * n), b(s * n), y(s * n);
  for (int k = 0; k < s * n; ++k) x[k] = 1 + 0.3 * k - 0.1 * k * k;
  for (int row = 0; row < s * n; ++row)
    for (int col = 0; col < s * n; ++col)
      b[row] += h * F[static_cast<std::size_t>(1 + row / n)][row % n].gradient[n + col] * x[col];
  matrix.solve(b, y);
  for (int k = 0; k < s * n; ++k) CHECK(std::abs(y[k] - x[k]) < 4 * 3e-15);
}
