// sum_a lambda_a D3g_a[v] of formulas, of their elements and of structs, against differences of second derivatives.
#include <doctest/doctest.h>

#include <cmath>

#include "livens/model/element_lagrangian.hpp"
#include "livens/model/model.hpp"
#include "livens/system/lagrangian.hpp"

using namespace livens;

namespace {

const char* const surface = R"toml([system]
kind = "lagrangian"
coordinates = ["x", "y", "z"]
lagrangian = "(x'^2 + y'^2 + z'^2)/2"
constraints = ["x^3*y + sin(z)*x - 1", "exp(x*y) + z^4 - 2"]
[initial]
q = [1.0, 1.0, 0.0]
v = [0.0, 0.0, 0.0]
)toml";

struct Surface {
  static constexpr int coordinates = 3, constraints = 2;
  template <class T>
  T lagrangian(const Vec<T, 3>&, const Vec<T, 3>& v) const {
    return dot(v, v) / 2;
  }
  template <class T>
  Vec<T, 2> constraint(const Vec<T, 3>& q) const {
    using std::exp, std::sin;
    return {q[0] * q[0] * q[0] * q[1] + sin(q[2]) * q[0] - 1, exp(q[0] * q[1]) + q[2] * q[2] * q[2] * q[2] - 2};
  }
};

constexpr double q0[3] = {0.7, -0.4, 0.9}, v0[3] = {0.3, -1.1, 0.8}, lambda0[2] = {1.3, -0.6}, e = 1e-5;

template <class Vector>
Vector vector(const double* values, int size, double step = 0) {
  Vector x(size);
  for (int i = 0; i < size; ++i) x[i] = values[i] + (step != 0 ? step * v0[i] : 0);
  return x;
}

template <class System>
void check_third(const System& system) {
  using Coordinates = typename System::Coordinates;
  const auto lambda = vector<typename System::Multipliers>(lambda0, 2);
  auto left = system.constraint_square(), right = left, third = left;
  system.constraint_hessian(0, vector<Coordinates>(q0, 3, -e), lambda, left);
  system.constraint_hessian(0, vector<Coordinates>(q0, 3, e), lambda, right);
  system.constraint_third(0, vector<Coordinates>(q0, 3), lambda, vector<Coordinates>(v0, 3), third);
  double largest = 0;
  for (int i = 0; i < 3; ++i) {
    double rows[3][3] = {};
    for_row(left, i, [&](int j, double x) { rows[0][j] = x; });
    for_row(right, i, [&](int j, double x) { rows[1][j] = x; });
    for_row(third, i, [&](int j, double x) { rows[2][j] = x; });
    for (int j = 0; j < 3; ++j) {
      CHECK(std::abs((rows[1][j] - rows[0][j]) / (2 * e) - rows[2][j]) < 1e-8);
      largest = std::max(largest, std::abs(rows[2][j]));
    }
  }
  CHECK(largest > 1);
}

}  // namespace

TEST_CASE("third_derivatives_of_constraints_are_derivatives_of_the_second_ones") {
  const Model model = read_model("m.toml", surface);
  check_third(model.system->dense<double>());
  check_third(model.system->elements<double>());
  check_third(Lagrangian<Surface>(Surface{}));
}
