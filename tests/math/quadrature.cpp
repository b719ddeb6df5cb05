#include "livens/math/quadrature.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

using namespace livens;

namespace {

enum class Rule { gauss, lobatto, radau };

template <class T>
Quadrature<T> make(Rule rule, int k) {
  return rule == Rule::gauss ? gauss<T>(k) : rule == Rule::lobatto ? lobatto<T>(k) : radau<T>(k);
}

int fewest(Rule rule) {
  return rule == Rule::lobatto ? 2 : 1;
}

constexpr Rule rules[] = {Rule::gauss, Rule::lobatto, Rule::radau};

// sum_i b_i L_d(2 c_i - 1), which is 0 for every degree 0 < d < order
template <class T>
T legendre_moment(const Quadrature<T>& rule, int degree) {
  T sum(0);
  for (std::size_t i = 0; i < rule.nodes.size(); ++i)
    sum += rule.weights[i] * legendre_pair(degree, T(2 * rule.nodes[i] - 1)).upper;
  return sum;
}

#if LIVENS_QUAD
const std::vector<int> counts = {1, 2, 3, 4, 5, 6, 7, 8, 10, 13, 16, 21, 32, 47, 64};

template <class T>
int not_rounded(Rule rule, int k) {
  const Quadrature<T> q = make<T>(rule, k);
  const Quadrature<Quad> reference = make<Quad>(rule, k);
  int wrong = 0;
  for (std::size_t i = 0; i < q.nodes.size(); ++i) {
    wrong += q.nodes[i] != static_cast<T>(reference.nodes[i]);
    wrong += q.weights[i] != static_cast<T>(reference.weights[i]);
  }
  return wrong;
}
#endif

}  // namespace

TEST_CASE_TEMPLATE("rules_are_exact_below_their_order_and_not_at_it", T, double, long double, Widest) {
  using std::abs;
  for (Rule rule : rules)
    for (int k = fewest(rule); k <= 12; ++k) {
      const Quadrature<T> q = make<T>(rule, k);
      CHECK(q.size() == k);
      T sum(0);
      for (const T& b : q.weights) sum += b;
      CHECK(to_double(abs(sum - 1) / epsilon<T>()) < 2 * 1.0);
      for (int degree = 1; degree < q.order; ++degree)
        CHECK(to_double(abs(legendre_moment(q, degree)) / epsilon<T>()) < 2 * 1.1);
      CHECK(to_double(abs(legendre_moment(q, q.order))) > 0.17);  // measured 0.176: Gauss, k = 12
    }
}

TEST_CASE("orders_are_2k_and_2k_minus_2_and_2k_minus_1") {
  CHECK(gauss<double>(3).order == 6);
  CHECK(lobatto<double>(3).order == 4);
  CHECK(radau<double>(3).order == 5);
}

TEST_CASE_TEMPLATE("small_rules_have_their_closed_forms", T, double, long double, Widest) {
  using std::abs, std::sqrt;
  const T tolerance = epsilon<T>();  // the closed forms round too
  const auto check = [&](const Quadrature<T>& q, const std::vector<T>& nodes, const std::vector<T>& weights) {
    REQUIRE(q.nodes.size() == nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      CHECK(abs(q.nodes[i] - nodes[i]) <= tolerance);
      CHECK(abs(q.weights[i] - weights[i]) <= tolerance);
    }
  };
  const T one(1), two(2), r3 = sqrt(T(3)), r5 = sqrt(T(5)), r6 = sqrt(T(6)), r15 = sqrt(T(15)), r21 = sqrt(T(21));
  check(gauss<T>(1), {one / 2}, {one});
  check(gauss<T>(2), {(3 - r3) / 6, (3 + r3) / 6}, {one / 2, one / 2});
  check(gauss<T>(3), {(5 - r15) / 10, one / 2, (5 + r15) / 10}, {T(5) / 18, T(4) / 9, T(5) / 18});
  check(lobatto<T>(2), {T(0), one}, {one / 2, one / 2});
  check(lobatto<T>(3), {T(0), one / 2, one}, {one / 6, two / 3, one / 6});
  check(lobatto<T>(4), {T(0), (5 - r5) / 10, (5 + r5) / 10, one}, {one / 12, T(5) / 12, T(5) / 12, one / 12});
  check(lobatto<T>(5), {T(0), (7 - r21) / 14, one / 2, (7 + r21) / 14, one},
        {one / 20, T(49) / 180, T(16) / 45, T(49) / 180, one / 20});
  check(radau<T>(1), {one}, {one});
  check(radau<T>(2), {one / 3, one}, {T(3) / 4, one / 4});
  check(radau<T>(3), {(4 - r6) / 10, (4 + r6) / 10, one}, {(16 - r6) / 36, (16 + r6) / 36, one / 9});
}

// 64 Gauss points on [-1, 1]: Abramowitz & Stegun, table 25.4.
TEST_CASE("gauss_with_64_points_has_the_published_digits") {
  const Quadrature<long double> q = gauss<long double>(64);
  CHECK(std::abs(2 * q.nodes[32] - 1 - 0.024350292663424432509L) < 1e-18L);
  CHECK(std::abs(2 * q.weights[32] - 0.048690957009139720383L) < 1e-19L);
  CHECK(std::abs(2 * q.nodes[63] - 1 - 0.999305041735772139457L) < 2e-19L);
  CHECK(std::abs(2 * q.weights[63] - 0.001783280721696432947L) < 1e-20L);
}

#if LIVENS_QUAD
// The digits were computed with 60 decimals by an independent program.
TEST_CASE("quad_nodes_and_weights_are_right_to_the_last_digit") {
  struct Known {
    Rule rule;
    int k, i;
    const char *node, *weight;
  };
  const Known table[] = {
      {Rule::gauss, 5, 0, "0.04691007703066800360118656085030351743717", "0.1184634425280945437571320203599586813216"},
      {Rule::gauss, 64, 0, "0.0003474791321139302715471878271818440151439",
       "0.0008916403608482164736480395724859665899797"},
      {Rule::gauss, 64, 19, "0.2140521768986829828580609416704056784084",
       "0.01997687056636017069332846306416803695934"},
      {Rule::lobatto, 33, 1, "0.003471820783170828166331956621882223166451",
       "0.005824224196133867325611089935142543741115"},
      {Rule::lobatto, 33, 7, "0.1177064991032356859966707597884560255842",
       "0.03117768392623265272053047958386620493725"},
      {Rule::radau, 50, 0, "0.0005782456683850125124025184076385150259115",
       "0.001483679040385028927023128570233219013777"},
      {Rule::radau, 50, 46, "0.9896857132071160011337987721100638034949",
       "0.006370963534466815150689896618132578737531"},
  };
  for (const Known& known : table) {
    const Quadrature<Quad> q = make<Quad>(known.rule, known.k);
    CHECK(q.nodes[static_cast<std::size_t>(known.i)] == Quad(known.node));
    CHECK(q.weights[static_cast<std::size_t>(known.i)] == Quad(known.weight));
  }
}

TEST_CASE("double_and_long_double_rules_are_the_quad_rules_correctly_rounded") {
  for (Rule rule : rules)
    for (int k : counts)
      if (k >= fewest(rule)) {
        CHECK(not_rounded<double>(rule, k) == 0);
        CHECK(not_rounded<long double>(rule, k) == 0);
      }
}
#endif

TEST_CASE_TEMPLATE("gauss_and_lobatto_are_symmetric", T, double, long double) {
  using std::abs;
  for (Rule rule : {Rule::gauss, Rule::lobatto})
    for (int k = 2; k <= 64; ++k) {
      const Quadrature<T> q = make<T>(rule, k);
      for (std::size_t i = 0, mirror = q.nodes.size() - 1; i <= mirror; ++i, --mirror) {
        CHECK(q.weights[i] == q.weights[mirror]);
        CHECK(abs((1 - q.nodes[i]) - q.nodes[mirror]) <= epsilon<T>() / 2);  // both sides correctly rounded
        if (i == mirror) CHECK(q.nodes[i] == T(1) / 2);
      }
    }
}

TEST_CASE("every_count_of_nodes_gives_distinct_nodes_and_positive_weights") {
  for (Rule rule : rules)
    for (int k : {2, 3, 17, 63, 64, 65, 127, 400}) {
      const Quadrature<double> q = make<double>(rule, k);
      REQUIRE(q.size() == k);
      bool good = q.nodes.front() >= 0 && q.nodes.back() <= 1 && q.weights[0] > 0;
      for (std::size_t i = 1; i < q.nodes.size(); ++i) good = good && q.nodes[i - 1] < q.nodes[i] && q.weights[i] > 0;
      CHECK(good);
      CHECK((q.nodes.front() == 0) == (rule == Rule::lobatto));
      CHECK((q.nodes.back() == 1) == (rule != Rule::gauss));
    }
}

TEST_CASE("a_count_that_makes_no_rule_is_refused_with_the_value_and_the_remedy") {
  CHECK_THROWS_WITH_AS(gauss<double>(0), "gauss: 0 nodes; ask for at least 1", std::invalid_argument);
  CHECK_THROWS_WITH_AS(lobatto<double>(1), "lobatto: 1 nodes; ask for at least 2", std::invalid_argument);
  CHECK_THROWS_WITH_AS(radau<double>(-3), "radau: -3 nodes; ask for at least 1", std::invalid_argument);
}
