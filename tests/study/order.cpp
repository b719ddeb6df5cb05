// Orders of convergence through the library, for C++ systems and for models, and the references they rest on.
#include "livens/study/order.hpp"

#include <doctest/doctest.h>

#include "livens/method/constrained_euler.hpp"
#include "livens/method/rattle.hpp"
#include "livens/study/studies.hpp"
#include "verify/problems.hpp"

using namespace livens;
using namespace livens::test;

namespace {

void check_between(const std::optional<double>& order, double low, double high) {
  REQUIRE(order);
  CHECK(*order > low);
  CHECK(*order < high);
}

const std::string swing = R"toml(
[system]
kind        = "lagrangian"
coordinates = ["x", "y"]
lagrangian  = "(x'^2 + y'^2)/2 - 9.81*y - 3/2*(x + 1/2)^2 - 5/4*x^4"
constraints = ["(x^2 + y^2 - 1)/2"]
[initial]
q = ["sin(1)", "-cos(1)"]
v = ["0.5*cos(1)", "0.5*sin(1)"]
[method]
name = "rattle"
[run]
step = 0.05
end  = 1.0
)toml";

// Uniform motion on the unit circle: lambda is 1.
const std::string circle = R"toml(
[system]
kind        = "lagrangian"
coordinates = ["x", "y"]
lagrangian  = "(x'^2 + y'^2)/2"
constraints = ["(x^2 + y^2 - 1)/2"]
[initial]
q = [1.0, 0.0]
v = [0.0, 1.0]
[method]
name = "rattle"
[run]
step = 0.1
end  = 1.0
[exact]
q = ["cos(t)", "sin(t)"]
)toml";

OrderStudy study(const std::string& text, const std::string& steps, const std::string& reference = "fine",
                 const Overrides& set = {}) {
  return study_order(read_model("m.toml", text, set), read_step_sizes(steps), reference);
}

std::string refusal(const std::string& text, const std::string& steps, const std::string& reference = "fine") {
  try {
    study(text, steps, reference);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

bool mentions(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("rattle_has_order_2_and_constrained_euler_order_1_on_a_non_quadratic_surface") {
  const MarchOptions<3> options{.q = Bead{}.q0(), .v = Bead{}.v0(), .end = 1.0, .start = {.project = true}};
  const auto second = study_order(Bead{}, Rattle{}, options, {1.0 / 40, 1.0 / 80, 1.0 / 160});
  const auto first = study_order(Bead{}, ConstrainedEuler{}, options, {1.0 / 80, 1.0 / 160, 1.0 / 320});
  REQUIRE(second.size() == 3);
  CHECK_FALSE(second[0].order.q);
  for (std::size_t k = 1; k < 3; ++k)
    for (const auto x : {&PerQuantity<std::optional<double>>::q, &PerQuantity<std::optional<double>>::p,
                         &PerQuantity<std::optional<double>>::lambda}) {
      check_between(second[k].order.*x, 1.9, 2.1);
      check_between(first[k].order.*x, 0.85, 1.15);
    }
}

TEST_CASE("a_model_shows_order_2_in_every_precision_with_the_same_errors") {
  double in_double = 0;
  for (const char* precision : {"double", "extended", LIVENS_QUAD ? "quad" : "extended"}) {
    CAPTURE(precision);
    const OrderStudy s = study(swing, "1/40,1/80,1/160", "fine", {{"run.precision", precision}});
    CHECK(s.failures.empty());
    CHECK(s.constrained);
    REQUIRE(s.rows.size() == 3);
    CHECK_FALSE(s.rows[0].order.q);
    for (std::size_t k = 1; k < 3; ++k) {
      check_between(s.rows[k].order.q, 1.97, 2.03);
      check_between(s.rows[k].order.p, 1.97, 2.03);
      check_between(s.rows[k].order.lambda, 1.95, 2.05);
    }
    if (in_double == 0) in_double = *s.rows[2].error.q;
    CHECK(*s.rows[2].error.q == doctest::Approx(in_double).epsilon(1e-9).scale(0));
  }
}

TEST_CASE("the_fine_reference_agrees_with_an_exact_solution_to_its_round_off") {
  const OrderStudy exact = study(circle, "0.1,0.05", "exact"), fine = study(circle, "0.1,0.05");
  for (std::size_t k = 0; k < 2; ++k) {
    CHECK(std::abs(*exact.rows[k].error.q - *fine.rows[k].error.q) < 1e-16);
    CHECK(std::abs(*exact.rows[k].error.p - *fine.rows[k].error.p) < 1e-16);
  }
  check_between(exact.rows[1].order.q, 1.99, 2.01);
}

TEST_CASE("errors_at_round_off_have_no_order") {
  // rattle keeps the speed on a circle, and with it the multiplier.
  const OrderStudy s = study(circle, "0.1,0.05,0.025", "exact");
  for (const OrderRow& row : s.rows) {
    CHECK(*row.error.lambda < 1e-14);
    CHECK_FALSE(row.order.lambda);
  }
  CHECK(s.rows[2].order.p);
}

TEST_CASE("a_run_that_fails_leaves_a_row_without_errors") {
  const OrderStudy s = study(swing, "1.0,0.05,0.025");
  REQUIRE(s.failures.size() == 1);
  CHECK(mentions(s.failures[0], "step size 1: step 1 from t = 0 could not be solved"));
  CHECK_FALSE(s.rows[0].error.q);
  CHECK(s.rows[1].error.q);
  CHECK_FALSE(s.rows[1].order.q);
  CHECK(s.rows[2].order.q);
}

TEST_CASE("slopes_need_two_errors_above_the_floor") {
  const auto run = [](double h, double error) {
    RunErrors r;
    r.step = h, r.steps = 10;
    r.error = {error, error, error}, r.size = {1, 1, 1};
    return r;
  };
  const double floor = 100 * 1e-16 * 10;
  const auto rows = order_rows({run(0.4, 1e-3), run(0.2, 1e-4), run(0.1, 0.9 * floor), run(0.05, 1.1 * floor)}, 1e-16);
  CHECK(*rows[1].order.q == doctest::Approx(std::log2(10.0)));
  CHECK_FALSE(rows[0].order.q);
  CHECK_FALSE(rows[2].order.q);
  CHECK_FALSE(rows[3].order.q);
}

TEST_CASE("wrong_step_sizes_and_references_are_named") {
  CHECK(mentions(refusal(swing, "0.1,0.03"), "--step-sizes: 0.03 does not divide the time span 1"));
  CHECK(mentions(refusal(swing, "-0.1"), "--step-sizes: -0.1 does not divide"));
  CHECK(mentions(refusal(swing, "0.1,,0.05"), "--step-sizes: \"\""));
  CHECK(mentions(refusal(swing, "0.1,h"), "--step-sizes: \"h\""));
  CHECK(mentions(refusal(swing, "0.1,0"), "--step-sizes: 0 is 0"));
  CHECK(mentions(refusal(swing, "0.1,1/10"), "is given twice"));
  CHECK(mentions(refusal(swing, "0.1", "exact"), "m.toml: exact: the model has no exact solution"));
  CHECK(mentions(refusal(swing, "0.1", "nowhere.h5"), "--reference nowhere.h5: there is no such file; write"));
}
