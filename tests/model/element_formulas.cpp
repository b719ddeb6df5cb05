#include "livens/model/element_formulas.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "livens/model/model.hpp"

using namespace livens;
using Kind = ElementShape::Kind;

namespace {

// L, g and F with the derivatives that methods use, at one point.
struct Values {
  Values(int n, int m)
      : Lq(n),
        Lv(n),
        Lqq(n, n),
        Lqv(n, n),
        Lvv(n, n),
        Lvt(n),
        Vq(n),
        F(n),
        Fv(n, n),
        g(m),
        gt(m),
        second(m),
        G(m, n),
        bending(n, n) {
    for (Vec<double>* x : {&Lq, &Lv, &Lvt, &Vq, &F, &g, &gt, &second}) x->fill(0);
    for (Mat<double>* A : {&Lqq, &Lqv, &Lvv, &Fv, &G, &bending}) std::fill_n(A->data(), A->rows() * A->cols(), 0.0);
  }

  void evaluate(const FormulaLagrangian<double>& system, double t, const Vec<double>& q, const Vec<double>& v,
                const Vec<double>& lambda) {
    L = system.lagrangian(t, q, v);
    system.gradient(t, q, v, Lq, Lv);
    system.hessian(t, q, v, Lqq, Lqv, Lvv);
    system.momentum_rate(t, q, v, Lvt);
    system.potential_gradient(t, q, Vq);
    system.force(t, q, v, F);
    system.force_velocity_jacobian(t, q, v, Fv);
    system.constraint_jacobian(t, q, g, G);
    system.constraint_rate(t, q, gt);
    system.constraint_curvature(t, q, v, second);
    system.constraint_hessian(t, q, lambda, bending);
  }

  std::vector<double> all() const {
    std::vector<double> list{L};
    for (const Vec<double>* x : {&Lq, &Lv, &Lvt, &Vq, &F, &g, &gt, &second})
      list.insert(list.end(), x->begin(), x->end());
    for (const Mat<double>* A : {&Lqq, &Lqv, &Lvv, &Fv, &G, &bending})
      list.insert(list.end(), A->data(), A->data() + A->rows() * A->cols());
    return list;
  }

  double L = 0;
  Vec<double> Lq, Lv;
  Mat<double> Lqq, Lqv, Lvv;
  Vec<double> Lvt, Vq, F;
  Mat<double> Fv;
  Vec<double> g, gt, second;
  Mat<double> G, bending;
};

// Adds what one element contributes.
void scatter(const Values& local, const int* index, int k, const int* row, Values& total) {
  total.L += local.L;
  for (int i = 0; i < k; ++i) {
    total.Lq[index[i]] += local.Lq[i];
    total.Lv[index[i]] += local.Lv[i];
    total.Lvt[index[i]] += local.Lvt[i];
    total.Vq[index[i]] += local.Vq[i];
    total.F[index[i]] += local.F[i];
    for (int j = 0; j < k; ++j) {
      total.Lqq(index[i], index[j]) += local.Lqq(i, j);
      total.Lqv(index[i], index[j]) += local.Lqv(i, j);
      total.Lvv(index[i], index[j]) += local.Lvv(i, j);
      total.Fv(index[i], index[j]) += local.Fv(i, j);
      total.bending(index[i], index[j]) += local.bending(i, j);
    }
  }
  if (row == nullptr) return;
  total.g[*row] += local.g[0];
  total.gt[*row] += local.gt[0];
  total.second[*row] += local.second[0];
  for (int i = 0; i < k; ++i) total.G(*row, index[i]) += local.G(0, i);
}

// Numbers without a pattern, between 0.3 and 1.
double some(int i) {
  return 0.3 + 0.7 * std::fabs(std::sin(12.9898 * (i + 1)));
}

Vec<double> some_vector(int size, int offset) {
  Vec<double> x(size);
  for (int i = 0; i < size; ++i) x[i] = some(offset + i);
  return x;
}

// The largest difference between the whole system and the sum over its elements, relative to the largest entry.
double difference(const std::shared_ptr<const LagrangianFormulas>& whole, const ElementFormulas& parts) {
  const int n = whole->coordinates(), m = whole->constraints();
  const double t = 0.7;
  const Vec<double> q = some_vector(n, 0), v = some_vector(n, 1000), lambda = some_vector(m, 2000);
  Values direct(n, m), sum(n, m);
  direct.evaluate(FormulaLagrangian<double>(whole), t, q, v, lambda);
  for (const ElementShape& shape : parts.shapes) {
    FormulaLagrangian<double> system(shape.local);
    const int k = shape.coordinates();
    std::vector<double> constants;
    for (const formula::Number& x : shape.values) constants.push_back(to_double(x));
    for (int e = 0; e < shape.elements; ++e) {
      const int* const index = shape.indices.data() + e * k;
      const int* const row = shape.kind == Kind::constraint ? &shape.rows[static_cast<std::size_t>(e)] : nullptr;
      Vec<double> own_q(k), own_v(k), own_lambda(row ? 1 : 0);
      for (int i = 0; i < k; ++i) own_q[i] = q[index[i]], own_v[i] = v[index[i]];
      if (row) own_lambda[0] = lambda[*row];
      system.use_constants(constants.data() + e * shape.constants());
      Values local(k, system.constraints());
      local.evaluate(system, t, own_q, own_v, own_lambda);
      scatter(local, index, k, row, sum);
    }
  }
  const std::vector<double> a = direct.all(), b = sum.all();
  double largest = 1, furthest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::fabs(a[i]));
    furthest = std::max(furthest, std::fabs(a[i] - b[i]));
  }
  return furthest / largest;
}

std::string listed(const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += (text.empty() ? "\"" : ", \"") + item + "\"";
  return "[" + text + "]";
}

struct System {
  std::vector<std::string> coordinates;
  std::string lagrangian;
  std::vector<std::string> constraints, forces;
  std::string parameters;  // the rest of the section [system]

  std::shared_ptr<const LagrangianFormulas> read() const {
    const std::vector<std::string> zeros(coordinates.size(), "0");
    return read_model("m.toml", "[system]\nkind = \"lagrangian\"\ncoordinates = " + listed(coordinates) +
                                    "\nlagrangian = \"" + lagrangian + "\"\nconstraints = " + listed(constraints) +
                                    "\n" + (forces.empty() ? "" : "forces = " + listed(forces) + "\n") + parameters +
                                    "\n[initial]\nq = " + listed(zeros) + "\nv = " + listed(zeros) + "\n")
        .system->lagrangian();
  }
};

// The shapes of a kind, as coordinates x elements each.
std::string shapes(const ElementFormulas& parts, Kind kind) {
  std::string text;
  for (const ElementShape& shape : parts.shapes)
    if (shape.kind == kind)
      text += fmt::format("{}{} x {}", text.empty() ? "" : ", ", shape.coordinates(), shape.elements);
  return text;
}

ElementFormulas split_and_compared(const System& system) {
  const auto whole = system.read();
  const ElementFormulas parts = split(*whole);
  CHECK(parts.coordinates == whole->coordinates());
  CHECK(parts.constraints == whole->constraints());
  CHECK(difference(whole, parts) < 4 * 1.5e-16);  // measured at most 1.5e-16, relative to the largest entry
  return parts;
}

using Counts = std::vector<int>;

// Masses and rods that all differ, hung at the origin.
System chain(int masses, const std::string& mass, const std::string& length) {
  System system;
  for (int i = 0; i < masses; ++i) {
    const auto with_numbers = [i](std::string_view text) {
      return fmt::format(fmt::runtime(text), fmt::arg("i", i), fmt::arg("j", i - 1), fmt::arg("a", some(i)),
                         fmt::arg("b", some(500 + i)));
    };
    for (const char* x : {"x{i}", "y{i}", "z{i}"}) system.coordinates.push_back(with_numbers(x));
    system.lagrangian += (i == 0 ? "" : " + ") + with_numbers("(" + mass + ")/2*(x{i}'^2 + y{i}'^2 + z{i}'^2)") +
                         with_numbers(" - 9.81*(" + mass + ")*z{i}");
    system.constraints.push_back(
        with_numbers(i == 0 ? "(x{i}^2 + y{i}^2 + z{i}^2 - (" + length + ")^2)/2"
                            : "((x{i} - x{j})^2 + (y{i} - y{j})^2 + (z{i} - z{j})^2 - (" + length + ")^2)/2"));
  }
  return system;
}

}  // namespace

TEST_CASE("a_chain_has_one_shape_of_rods_and_one_at_the_ground") {
  const ElementFormulas parts = split_and_compared(chain(50, "{a}", "{b}"));
  CHECK(shapes(parts, Kind::lagrangian) == "1 x 100, 1 x 50");  // x and y alike, z with gravity
  CHECK(shapes(parts, Kind::constraint) == "3 x 1, 6 x 49");
  CHECK(shapes(parts, Kind::force) == "");
  for (const ElementShape& shape : parts.shapes) {
    if (shape.kind == Kind::lagrangian) CHECK(shape.coordinates() == 1);
    if (shape.elements == 100) CHECK(shape.constants() == 1);
    if (shape.elements == 50) CHECK(shape.constants() == 2);
    if (shape.elements == 49) {
      CHECK(shape.coordinates() == 6);
      CHECK(shape.constants() == 1);
      CHECK(std::is_sorted(shape.rows.begin(), shape.rows.end()));
    }
  }
}

TEST_CASE("elements_of_a_uniform_chain_need_no_constants") {
  const ElementFormulas parts = split_and_compared(chain(10, "0.7", "0.3"));
  for (const ElementShape& shape : parts.shapes) CHECK(shape.constants() == 0);
  CHECK(shapes(parts, Kind::constraint) == "3 x 1, 6 x 9");
}

TEST_CASE("numbers_that_are_1_or_equal_by_chance_make_no_new_shape") {
  System system = chain(4, "{a}", "{b}");
  system.lagrangian = "x0'^2 + 0.5*x1'^2 + 9.81*x2'^2 + 3*x3'^2 - 2*z0 + z1 - 9.81*z2 - z3 + 0.5*z3'^2/0.5";
  system.constraints = {"x0^2 - y0 - 0.5", "x1^2 - y1 - 1", "0.5*(x2^2 - y2 - 0.5)", "3*(x3^2 - y3 - 7)"};
  const ElementFormulas parts = split_and_compared(system);
  CHECK(shapes(parts, Kind::lagrangian) == "1 x 4, 1 x 3, 1 x 1");
  CHECK(shapes(parts, Kind::constraint) == "2 x 4");
}

TEST_CASE("a_double_pendulum_in_space_is_the_sum_of_its_elements") {
  const auto whole = load_model("double-pendulum").system->lagrangian();
  const ElementFormulas parts = split(*whole);
  CHECK(difference(whole, parts) < 4 * 1.5e-16);
  CHECK(shapes(parts, Kind::lagrangian) == "1 x 4, 1 x 2");
  CHECK(shapes(parts, Kind::constraint) == "3 x 1, 6 x 1");
  CHECK(parts.structure.constant_mass);
}

TEST_CASE("springs_share_a_shape_whatever_was_written_before_them") {
  // The first spring meets squares that are already there, in another order.
  System system;
  system.lagrangian = "(z1 - z0)^2 + (x1 - x0)^2";
  for (int i = 0; i < 6; ++i) {
    for (const char* x : {"x", "y", "z"}) system.coordinates.push_back(x + std::to_string(i));
    for (const char* x : {"x", "y", "z"}) system.lagrangian += fmt::format(" + {}{}'^2/2", x, i);
    if (i > 0)
      system.lagrangian += fmt::format(" - {2}/2*(sqrt((x{0} - x{1})^2 + (y{0} - y{1})^2 + (z{0} - z{1})^2) - {3})^2",
                                       i, i - 1, some(i), some(i + 9));
  }
  const ElementFormulas parts = split_and_compared(system);
  CHECK(shapes(parts, Kind::lagrangian) == "1 x 18, 6 x 5, 2 x 2");
}

TEST_CASE("operands_that_commute_may_stand_in_any_order") {
  const ElementFormulas parts = split_and_compared(
      {{"a", "b", "c", "d"}, "(a'^2 + b'^2 + c'^2 + d'^2)/2", {"sin(d)*cos(a) + b", "c + cos(d)*sin(b)"}, {}, ""});
  CHECK(shapes(parts, Kind::constraint) == "3 x 2");
}

TEST_CASE("a_product_of_sums_stays_one_element") {
  const ElementFormulas parts = split_and_compared(
      {{"a", "b", "c", "d"}, "(a'^2 + b'^2 + c'^2 + d'^2)/2 - (a + b)*(c + d) - (a + b + c)^2", {}, {}, ""});
  CHECK(shapes(parts, Kind::lagrangian) == "1 x 4, 3 x 1, 4 x 1");
}

TEST_CASE("a_mass_matrix_of_the_position_is_split") {
  const ElementFormulas parts = split_and_compared({{"r", "phi", "s"},
                                                    "m/2*(r'^2 + r^2*phi'^2 + (2 + cos(s - phi))*s'*phi') + s'^2",
                                                    {"-r*s"},
                                                    {},
                                                    "[system.parameters]\nm = 1.7\n"});
  CHECK(shapes(parts, Kind::lagrangian) == "1 x 2, 2 x 1, 2 x 1");
  CHECK_FALSE(parts.structure.separable);
}

TEST_CASE("factors_reach_the_terms_through_parentheses_signs_and_divisions") {
  const auto whole =
      System{{"a", "b"}, "((a'^2 + b'^2)/2 - 3*(-(a^2 - (2*b^2 - a*b)/5)/7 + 4)*2)/(-1.5)", {}, {}, ""}.read();
  const ElementFormulas parts = split(*whole);
  CHECK(difference(whole, parts) < 4 * 1.5e-16);
  // a, b and the product ab; the number stands alone.
  REQUIRE(parts.shapes.size() == 3);
  CHECK(parts.shapes[0].coordinates() == 0);
  CHECK(parts.shapes[0].elements == 1);
  CHECK(FormulaLagrangian<double>(parts.shapes[0].local).lagrangian(0, Vec<double>(0), Vec<double>(0)) == 16);
  CHECK(parts.shapes[1].indices == Counts{0, 1});
  CHECK(parts.shapes[2].indices == Counts{0, 1});
}

TEST_CASE("factors_of_time_reach_the_terms_too") {
  const ElementFormulas parts = split_and_compared(
      {{"a", "b"}, "(a'^2 + b'^2)/2 - (2 + cos(3*t))*(a^2 + b^2)/(1 + t) + exp(-t)", {"a - sin(t)*b"}, {}, ""});
  CHECK(shapes(parts, Kind::lagrangian) == "0 x 1, 1 x 2");
  CHECK(parts.structure.time_in_lagrangian);
}

TEST_CASE("terms_that_cancel_are_gone") {
  const ElementFormulas parts =
      split_and_compared({{"a", "b"}, "(a'^2 + b'^2)/2 + a*b + 3*(a - a*b/3) + b^4 - 3*a", {}, {}, ""});
  CHECK(shapes(parts, Kind::lagrangian) == "1 x 1, 1 x 1");  // a'^2, b'^2 + b^4
}

TEST_CASE("definitions_that_double_do_not_multiply_the_work") {
  std::string lets = "[system.let]\nd0 = \"a^2 + b^3\"\n";
  for (int k = 1; k <= 60; ++k) lets += fmt::format("d{} = \"d{} + 3*d{}\"\n", k, k - 1, k - 1);
  const ElementFormulas parts = split_and_compared({{"a", "b"}, "(a'^2 + b'^2)/2 - 2^-120*d60", {}, {}, lets});
  CHECK(shapes(parts, Kind::lagrangian) == "1 x 1, 1 x 1");
}

TEST_CASE("forces_with_the_same_coordinates_act_together") {
  const ElementFormulas parts = split_and_compared(
      {{"a", "b", "c", "d"},
       "(a'^2 + b'^2 + c'^2 + d'^2)/2",
       {},
       {"-0.1*sqrt(a'^2 + b'^2)*a' - 2*a'", "-0.1*sqrt(a'^2 + b'^2)*b' - b'*3 + sin(t)", "d - 2*c'", "-c"},
       ""});
  CHECK(shapes(parts, Kind::force) == "1 x 2, 2 x 1, 1 x 1, 2 x 1");
  CHECK(parts.structure.velocity_in_forces);
}

TEST_CASE("a_system_at_rest_without_potential_has_no_elements_but_its_masses") {
  const ElementFormulas parts = split_and_compared({{"a"}, "a'^2", {}, {"0"}, ""});
  CHECK(parts.shapes.size() == 1);
}

TEST_CASE("momenta_in_a_lagrangian_are_refused") {
  formula::Graph graph;
  LagrangianFormulas::Formulas formulas;
  formulas.lagrangian =
      graph.mul(graph.variable({LagrangianFormulas::p, 0}), graph.variable({LagrangianFormulas::q, 0}));
  CHECK_THROWS_AS(split(LagrangianFormulas(graph, 1, formulas)), std::invalid_argument);
}
