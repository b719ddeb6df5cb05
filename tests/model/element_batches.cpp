// Elements of one shape are evaluated several at a time: what an element contributes must not depend on how many there
// are.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <string>

#include "livens/formula/names.hpp"
#include "livens/model/element_lagrangian.hpp"
#include "livens/model/model.hpp"

using namespace livens;

namespace {

// Points on a line in pairs, each pair with a spring, a force and a constraint of its own, with the numbers of pair
// `first`, first + 1, ...
std::shared_ptr<const LagrangianFormulas> pairs(int first, int count) {
  using F = LagrangianFormulas;
  formula::Graph graph;
  F::Formulas f;
  {
    formula::Names names(graph);
    names.add_variable("t", {F::time, 0});
    std::string lagrangian = "0";
    for (int e = 0; e < count; ++e) {
      for (const int i : {2 * e, 2 * e + 1}) {
        names.add_variable(fmt::format("x{}", i), {F::q, i});
        names.add_variable(fmt::format("x{}'", i), {F::v, i});
      }
      lagrangian += fmt::format(" + (2 + sin(x{0}))*x{0}'^2/{2} + {3}*x{1}'^2 - cos(t)*{3}*exp(x{0} - x{1})", 2 * e,
                                2 * e + 1, first + e + 3, 1.1 + first + e);
    }
    f.lagrangian = names.parse(lagrangian);
    for (int e = 0; e < count; ++e) {
      f.constraints.push_back(
          names.parse(fmt::format("(x{} - t)^2 + {}*x{}^3 - 1", 2 * e, 0.3 + first + e, 2 * e + 1)));
      for (const int i : {2 * e, 2 * e + 1})
        f.forces.push_back(names.parse(fmt::format("-{}*x{}'*x{}", first + e + 1, i, 2 * e)));
    }
  }
  return std::make_shared<const F>(std::move(graph), 2 * count, std::move(f));
}

// Everything about one pair of `count`.
std::vector<double> contributions(int pair, int first, int count) {
  const ElementSystem<double> s = element_lagrangian<double>(pairs(first, count), {});
  Vec<double> q(2 * count), v(q), a(q), b(q), force(q), lambda(count), g(count), gt(count), second(count), size(count);
  for (int i = 0; i < q.size(); ++i) q[i] = 0.2 + 0.1 * (i + 2 * first), v[i] = 1 - 0.2 * (i + 2 * first);
  for (int e = 0; e < count; ++e) lambda[e] = 1.5 - (e + first);
  const double t = 0.7;
  SparseMat<double> A = s.square(), B = s.square(), C = s.square(), G = s.jacobian(), along = s.jacobian(),
                    bending = s.constraint_square();
  std::vector<double> list;
  const auto take = [&](const Vec<double>& x, int each) {
    for (int i = 0; i < each; ++i) list.push_back(x[pair * each + i]);
  };
  const auto take_rows = [&](const SparseMat<double>& X, int each) {
    for (int i = 0; i < each; ++i) for_row(X, pair * each + i, [&](int, double x) { list.push_back(x); });
  };
  s.gradient(t, q, v, a, b), take(a, 2), take(b, 2);
  s.hessian(t, q, v, A, B, C), take_rows(A, 2), take_rows(B, 2), take_rows(C, 2);
  s.mass(t, q, v, A), take_rows(A, 2);
  s.momentum_rate(t, q, v, a), take(a, 2);
  s.potential_gradient(t, q, a), take(a, 2);
  s.force(t, q, v, force), take(force, 2);
  s.force_velocity_jacobian(t, q, v, A), take_rows(A, 2);
  s.force_position_jacobian(t, q, v, A), take_rows(A, 2);
  s.constraint(t, q, g), take(g, 1);
  s.constraint_jacobian(t, q, g, G), take(g, 1), take_rows(G, 1);
  s.constraint_along(t, q, v, g, gt), take(g, 1), take(gt, 1);
  s.constraint_jacobian_along(t, q, v, along), take_rows(along, 1);
  s.constraint_rate(t, q, gt), take(gt, 1);
  s.constraint_curvature(t, q, v, second), take(second, 1);
  s.constraint_hessian(t, q, lambda, bending), take_rows(bending, 2);
  s.constraint_size(t, q, size), take(size, 1);
  return list;
}

}  // namespace

TEST_CASE("what_an_element_contributes_has_the_same_bits_in_every_batch") {
  for (const int count : {3, 4, 16, 17, 19, 33})
    for (int pair = 0; pair < count; ++pair) CHECK(contributions(pair, 0, count) == contributions(0, pair, 2));
}

TEST_CASE("coordinates_of_a_point_follow_one_another_whatever_their_order_in_a_formula") {
  const Model chain = load_model("chain", {{"system.parameters.N", "20"}});
  const FormulaLagrangian<double> whole(chain.system->lagrangian());
  const ElementSystem<double> parts = chain.system->elements<double>();
  const int n = whole.coordinates(), m = whole.constraints();
  Vec<double> q(n), v(n), g(m), of_parts(m), Gv(m), of_whole(m);
  for (int i = 0; i < n; ++i) q[i] = 0.3 * i - 0.01 * i * i, v[i] = 1 - 0.07 * i;
  SparseMat<double> sparse = parts.jacobian();
  Mat<double> dense = whole.jacobian();
  CHECK(sparse.pattern().width == 3);

  whole.constraint_jacobian(0, q, g, dense);
  parts.constraint_jacobian(0, q, of_parts, sparse);
  CHECK(of_parts == g);
  for (int a = 0; a < m; ++a) for_row(sparse, a, [&](int j, double x) { CHECK(x == dense(a, j)); });
  multiply(dense, v, of_whole);
  parts.constraint_along(0, q, v, of_parts, Gv);
  CHECK(of_parts == g);
  for (int a = 0; a < m; ++a) CHECK(std::abs(Gv[a] - of_whole[a]) < 1e-14);
}
