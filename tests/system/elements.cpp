// Systems of elements: every function is the sum of those of the elements.
#include "livens/system/elements.hpp"

#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "livens/method/rattle.hpp"
#include "livens/system/rank.hpp"
#include "livens/system/start.hpp"
#include "verify/networks.hpp"

namespace {

using namespace livens;
using namespace livens::test;

// Two points with M(q), t and forces, joined, one of them held: as one system and as elements.
struct Whole {
  static constexpr int coordinates = 6, constraints = 2;
  template <class T>
  T lagrangian(const T& t, const Vec<T, 6>& q, const Vec<T, 6>& v) const {
    return HeavyAbove{1.0}.lagrangian(t, Vec<T, 3>{q[0], q[1], q[2]}, Vec<T, 3>{v[0], v[1], v[2]}) +
           HeavyAbove{2.0}.lagrangian(t, Vec<T, 3>{q[3], q[4], q[5]}, Vec<T, 3>{v[3], v[4], v[5]});
  }
  template <class T>
  Vec<T, 6> force(const Vec<T, 6>& q, const Vec<T, 6>& v) const {
    const auto a = HeavyAbove{1.0}.force(Vec<T, 3>{q[0], q[1], q[2]}, Vec<T, 3>{v[0], v[1], v[2]});
    const auto b = HeavyAbove{2.0}.force(Vec<T, 3>{q[3], q[4], q[5]}, Vec<T, 3>{v[3], v[4], v[5]});
    return {a[0], a[1], a[2], b[0], b[1], b[2]};
  }
  template <class T>
  Vec<T, 2> constraint(const Vec<T, 6>& q) const {
    return {RodToGround{1.0}.constraint(Vec<T, 3>{q[0], q[1], q[2]})[0],
            Rod{0.8}.constraint(Vec<T, 6>{q[3], q[4], q[5], q[0], q[1], q[2]})[0]};
  }
};

ElementSystem<double> in_parts() {
  ElementSystem<double> s(6);
  s.add(HeavyAbove{1.0}, {0, 1, 2});
  s.add(RodToGround{1.0}, {0, 1, 2});
  s.add(HeavyAbove{2.0}, {3, 4, 5});
  s.add(Rod{0.8}, {3, 4, 5, 0, 1, 2});
  s.finish();
  return s;
}

template <int R, int C>
double difference(const Mat<double, R, C>& dense, const SparseMat<double>& sparse) {
  Mat<double> full(R, C);
  full.fill(0);
  for (int i = 0; i < R; ++i) for_row(sparse, i, [&](int j, double x) { full(i, j) += x; });
  double largest = 0;
  for (int i = 0; i < R; ++i)
    for (int j = 0; j < C; ++j) largest = std::max(largest, std::abs(full(i, j) - dense(i, j)));
  return largest;
}
template <int N>
double difference(const Vec<double, N>& a, const Vec<double>& b) {
  double largest = 0;
  for (int i = 0; i < N; ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace

TEST_CASE("a system of elements has the functions and derivatives of the whole") {
  const Lagrangian<Whole> whole(Whole{});
  const auto parts = in_parts();
  const double t = 0.7;
  const Vec<double, 6> q{0.3, -0.8, 0.2, 0.9, 0.4, -1.1}, v{0.5, 0.1, -0.7, 1.3, -0.2, 0.6};
  const Vec<double, 2> lambda{1.7, -0.4};
  Vec<double> Q(6), V(6), L2(2);
  for (int i = 0; i < 6; ++i) Q[i] = q[i], V[i] = v[i];
  for (int a = 0; a < 2; ++a) L2[a] = lambda[a];
  constexpr double tiny = 4e-15;

  CHECK(std::abs(whole.lagrangian(t, q, v) - parts.lagrangian(t, Q, V)) < tiny);
  CHECK(whole.lagrangian_rate(t, q, v) != 0);
  CHECK(std::abs(whole.lagrangian_rate(t, q, v) - parts.lagrangian_rate(t, Q, V)) < tiny);
  Vec<double, 6> a, b;
  Vec<double> A(6), B(6);
  whole.gradient(t, q, v, a, b), parts.gradient(t, Q, V, A, B);
  CHECK(difference(a, A) < tiny);
  CHECK(difference(b, B) < tiny);
  whole.momentum_rate(t, q, v, a), parts.momentum_rate(t, Q, V, A);
  CHECK(difference(a, A) < tiny);
  whole.force(t, q, v, a), parts.force(t, Q, V, A);
  CHECK(difference(a, A) < tiny);
  Mat<double, 6, 6> x, y, z;
  auto X = parts.square(), Y = X, Z = X;
  whole.hessian(t, q, v, x, y, z), parts.hessian(t, Q, V, X, Y, Z);
  CHECK(difference(x, X) < tiny);
  CHECK(difference(y, Y) < tiny);
  CHECK(difference(z, Z) < tiny);
  whole.mass(t, q, v, x), parts.mass(t, Q, V, X);
  CHECK(difference(x, X) < tiny);
  whole.force_velocity_jacobian(t, q, v, x), parts.force_velocity_jacobian(t, Q, V, X);
  CHECK(difference(x, X) < tiny);
  whole.force_position_jacobian(t, q, v, x), parts.force_position_jacobian(t, Q, V, X);
  CHECK(difference(x, X) < tiny);
  Vec<double, 2> g;
  Vec<double> h(2);
  Mat<double, 2, 6> G;
  auto H = parts.jacobian();
  whole.constraint_jacobian(t, q, g, G), parts.constraint_jacobian(t, Q, h, H);
  CHECK(difference(g, h) < tiny);
  CHECK(difference(G, H) < tiny);
  whole.constraint_jacobian_along(t, q, v, G), parts.constraint_jacobian_along(t, Q, V, H);
  CHECK(difference(G, H) < tiny);
  whole.constraint_curvature(t, q, v, g), parts.constraint_curvature(t, Q, V, h);
  CHECK(difference(g, h) < tiny);
  auto K = parts.constraint_square();
  whole.constraint_hessian(t, q, lambda, x), parts.constraint_hessian(t, Q, L2, K);
  CHECK(difference(x, K) < tiny);
  CHECK(!parts.structure().constant_mass);
  CHECK(parts.structure().velocity_in_forces);
  CHECK(parts.structure().time_in_lagrangian);
}

TEST_CASE("indices of elements are checked") {
  ElementSystem<double> s(6);
  CHECK_THROWS_AS(s.add(PointMass{1.0}, {0, 1}), std::invalid_argument);
  s.add(PointMass{1.0}, {0, 1, 6});
  CHECK_THROWS_AS(s.finish(), std::invalid_argument);
  ElementSystem<double> twice(6);
  twice.add(PointMass{1.0}, {0, 1, 1});
  CHECK_THROWS_AS(twice.finish(), std::invalid_argument);
}

TEST_CASE("elements come before finish, and everything else after it") {
  ElementSystem<double> s(3);
  s.add(PointMass{1.0}, {0, 1, 2});
  CHECK_THROWS_AS(s.jacobian(), std::logic_error);
  CHECK_THROWS_AS(s.square(), std::logic_error);
  CHECK_THROWS_AS(s.constraint_square(), std::logic_error);
  CHECK_THROWS_AS((Rattle::Step<ElementSystem<double>>(s, Rattle{}, {})), std::logic_error);
  s.finish();
  CHECK_THROWS_AS(s.add(RodToGround{1.0}, {0, 1, 2}), std::logic_error);
  CHECK_THROWS_AS(s.finish(), std::logic_error);
  CHECK(s.jacobian().rows() == 0);
}

TEST_CASE("coordinates that no Lagrangian knows are refused by their numbers") {
  ElementSystem<double> s(6);
  s.add(PointMass{1.0}, {0, 1, 3});
  s.add(RodToGround{1.0}, {2, 4, 5});
  std::string words;
  try {
    s.finish();
  } catch (const std::invalid_argument& refusal) {
    words = refusal.what();
  }
  CHECK(words.find("coordinate 2, 4, 5:") != std::string::npos);

  ElementSystem<double> many(100);
  many.add(PointMass{1.0}, {0, 1, 2});
  CHECK_THROWS_WITH_AS(many.finish(), doctest::Contains("10 and 89 more"), std::invalid_argument);
}

TEST_CASE("a mass of zero makes start fail, and steps throw instead of being not a number") {
  for (const bool schur : {true, false}) {
    ElementSystem<double> s(6, {schur ? LinearTarget::schur : LinearTarget::lu, make_sparse_lu<double>});
    s.add(PointMass{1.0}, {0, 1, 2});
    s.add(PointMass{0.0}, {3, 4, 5});
    s.add(RodToGround{1.0}, {0, 1, 2});
    s.finish();
    State<ElementSystem<double>> x(s);
    x.q[0] = 1;
    Rattle::Step<ElementSystem<double>> step(s, Rattle{}, {});
    CHECK_FALSE(step.start(0, x, Vec<double>(6)));
    StepReport report;
    CHECK_THROWS_AS(step.advance(0, 0.1, 0.1, x, report), std::logic_error);
    for (const double q : x.q) CHECK(std::isfinite(q));
  }
}

TEST_CASE("start values of another size than the system are refused in words") {
  ElementSystem<double> s(3);
  s.add(PointMass{1.0}, {0, 1, 2});
  s.finish();
  StartValues<ElementSystem<double>> start(s);
  start.q = Vec<double>{1.0, 2.0};
  CHECK_THROWS_WITH_AS(start.make_consistent(false, {}),
                       "start values: q has 2 components, the system has 3 coordinates", std::invalid_argument);
}

TEST_CASE("dependent rows of a sparse Jacobian are found and named") {
  Network n = net(6);
  const auto rows = [](const Network& network) {
    const auto system = network.system({});
    Vec<double> g(system.constraints());
    auto G = system.jacobian();
    system.constraint_jacobian(0, network.positions(), g, G);
    return dependent_rows(G);
  };
  CHECK(rows(n).empty());
  const int last = static_cast<int>(n.bars.size());
  n.bars.push_back(n.bars[7]);
  n.bars.push_back({n.bars[11].b, n.bars[11].a});
  CHECK(rows(n) == std::vector<int>{last, last + 1});
}
