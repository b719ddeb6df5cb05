// f = L_q + F, L_v and their derivative blocks, by differences and for every structure of a system.
#include "livens/system/generalised_force.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "livens/solve/block_matrix.hpp"
#include "verify/networks.hpp"

namespace {

using namespace livens;

// All terms: M(q), time, L_qv that is not symmetric, forces of q and v.
struct Everything {
  static constexpr int coordinates = 2;
  template <class T>
  T lagrangian(const T& t, const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    using std::sin, std::cos;
    return (1 + q[0] * q[0]) * v[0] * v[0] / 2 + sin(q[0]) * v[0] * v[1] + v[1] * v[1] * (2 + cos(q[1] + t)) +
           q[0] * q[1] * q[1] * v[0] - cos(q[0]) * q[1];
  }
  template <class T>
  Vec<T, 2> force(const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    return {-v[0] * q[1] * q[1] + q[0] * v[1] * v[1], sin(q[0]) - 0.3 * v[0] * v[1]};
  }
};
template <bool forced>
struct Forced {};
template <>
struct Forced<true> {
  template <class T>
  Vec<T, 2> force(const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    return Everything{}.force(q, v);
  }
};
// The same potential in three degrees, with a constant mass and with or without forces.
template <int degree, bool forced>
struct Simple : Forced<forced> {
  static constexpr int coordinates = 2;
  static constexpr bool constant_mass = true;
  static constexpr int potential_degree = degree;
  template <class T>
  T lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const {
    T V = 3 * q[0] - q[1];
    if (degree > 1) V += 2 * q[0] * q[1] + q[1] * q[1];
    if (degree > 2) V += q[0] * q[0] * q[1];
    return v[0] * v[0] + v[0] * v[1] + 2 * v[1] * v[1] - V;
  }
};

// Takes blocks like a matrix of a step, one of each kind.
struct Taken {
  Mat<double, 2, 2> sum;
  Taken() { sum.fill(0); }
  void add(int, double factor, const Mat<double, 2, 2>& B) { add_scaled(factor, B, sum); }
  void add_transposed(int, double factor, const Mat<double, 2, 2>& B) {
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) sum(i, j) += factor * B(j, i);
  }
};

// (3) beside central differences of force f + inertia L_v along U, L being asked directly.
template <class Problem>
double error_of_block(bool with_mass) {
  const Lagrangian<Problem> system{Problem{}};
  GeneralisedForce<Lagrangian<Problem>> forces(system);
  using Factors = typename GeneralisedForce<Lagrangian<Problem>>::Factors;
  using Pair = Vec<double, 2>;
  const double t = 0.3;
  const Pair q{0.7, -0.4}, v{1.1, 0.6};
  const Factors by{0.8, 1.7, 0.3, 2.1};
  const auto equation = [&](int j, double change) {
    Pair x = q, u = v, f, p, F;
    x[j] += by.moved * change, u[j] += by.slope * change;
    system.gradient(t, x, u, f, p);
    system.force(t, x, u, F);
    Pair sum;
    for (int i = 0; i < 2; ++i) sum[i] = by.force * (f[i] + F[i]) + (with_mass ? by.inertia * p[i] : 0);
    return sum;
  };
  forces.start(t, Pair{0, 0}, Pair{0, 0});
  forces.differentiate(t, q, v);
  Taken matrix;
  if (with_mass)
    forces.add(matrix, 0, 0, by);
  else
    forces.add_but_constant_mass(matrix, 0, 0, by);
  double largest = 0;
  for (int j = 0; j < 2; ++j) {
    constexpr double small = 1e-5;
    const Pair after = equation(j, small), before = equation(j, -small);
    for (int i = 0; i < 2; ++i)
      largest = std::max(largest, std::abs((after[i] - before[i]) / (2 * small) - matrix.sum(i, j)));
  }
  return largest;
}

// f by itself and with L_v beside L_q + F
template <class Problem>
double error_of_force() {
  const Lagrangian<Problem> system{Problem{}};
  GeneralisedForce<Lagrangian<Problem>> forces(system);
  const Vec<double, 2> q{0.7, -0.4}, v{1.1, 0.6};
  Vec<double, 2> Lq, Lv, F, alone, f, p;
  system.gradient(0.3, q, v, Lq, Lv);
  system.force(0.3, q, v, F);
  forces.force(0.3, q, v, alone);
  forces.force_and_momentum(0.3, q, v, f, p);
  double error = 0;
  for (int i = 0; i < 2; ++i)
    error += std::abs(alone[i] - Lq[i] - F[i]) + std::abs(f[i] - Lq[i] - F[i]) + std::abs(p[i] - Lv[i]);
  return error;
}

}  // namespace

TEST_CASE("f and L_v are those of the system, whatever is used of its structure") {
  CHECK(error_of_force<Everything>() < 1e-15);
  CHECK(error_of_force<Simple<3, true>>() < 4e-15);
  CHECK(error_of_force<Simple<3, false>>() < 4e-15);
  CHECK(error_of_force<Simple<1, false>>() < 4e-15);
}

TEST_CASE("derivative blocks of f and L_v are those of differences") {
  constexpr double differences = 4e-10;  // measured 9e-11
  CHECK(error_of_block<Everything>(true) < differences);
  CHECK(error_of_block<Simple<1, false>>(true) < differences);
  CHECK(error_of_block<Simple<2, false>>(true) < differences);
  CHECK(error_of_block<Simple<3, false>>(true) < differences);
  CHECK(error_of_block<Simple<2, true>>(true) < differences);
  CHECK(error_of_block<Simple<3, true>>(true) < differences);
  CHECK(error_of_block<Simple<3, true>>(false) < differences);  // M stands alone
  CHECK(error_of_block<Simple<2, false>>(false) < differences);
}

TEST_CASE("what the structure says about f is known when compiling") {
  const auto of = []<class Problem>(Problem problem) {
    const Lagrangian<Problem> system{problem};
    const GeneralisedForce<Lagrangian<Problem>> f(system);
    return std::array{f.constant_mass(), f.of_position(), f.uniform()};
  };
  CHECK(of(Everything{}) == std::array{false, false, false});
  CHECK(of(Simple<1, false>{}) == std::array{true, true, true});
  CHECK(of(Simple<2, false>{}) == std::array{true, true, false});
  CHECK(of(Simple<1, true>{}) == std::array{true, false, false});
}

TEST_CASE("systems of elements have the blocks of the whole") {
  using test::HeavyAbove;
  using Whole = Lagrangian<HeavyAbove>;
  using Parts = ElementSystem<double>;
  const Whole whole(HeavyAbove{1.3});
  Parts parts(3, {LinearTarget::schur, make_sparse_lu<double>});
  parts.add(HeavyAbove{1.3}, {0, 1, 2});
  parts.finish();
  GeneralisedForce<Whole> f(whole);
  GeneralisedForce<Parts> g(parts);
  const Vec<double, 3> q{0.3, -0.8, 0.2}, v{0.5, 0.1, -0.7}, b{1, 2, 3};
  Vec<double> Q(3), V(3), B(3), Y(3);
  for (int i = 0; i < 3; ++i) Q[i] = q[i], V[i] = v[i], B[i] = b[i];
  const auto solution = [](auto& forces, const auto& system, const auto& x, const auto& u, const auto& right) {
    using System = std::remove_cvref_t<decltype(system)>;
    BlockMatrix<System, System::n> A(system, 3);
    const auto square = A.block(0, 0, system.square()), transposed = A.transposed_block(0, 0, system.square());
    A.finish();
    A.clear();
    forces.differentiate(0.7, x, u);
    forces.add(A, square, transposed, {0.8, 1.7, 0.3, 2.1});
    REQUIRE(A.factorise());
    auto y = right;
    A.solve(right, y);
    return y;
  };
  const auto y = solution(f, whole, q, v, b);
  const auto z = solution(g, parts, Q, V, B);
  for (int i = 0; i < 3; ++i) CHECK(std::abs(y[i] - z[i]) < 1e-15);
}
