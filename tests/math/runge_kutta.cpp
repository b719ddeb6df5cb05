// Tableaus and pairs of them: known entries, simplifying assumptions, conditions of order, and what vprk builds on.
//
//   B(p)  sum_i b_i c_i^(k-1) = 1/k                              k = 1..p
//   C(q)  sum_j a_ij c_j^(k-1) = c_i^k / k                       k = 1..q
//   D(r)  sum_i b_i c_i^(k-1) a_ij = b_j (1 - c_j^k) / k         k = 1..r
#include "livens/math/runge_kutta.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "livens/math/lu.hpp"
#include "livens/math/tableau.hpp"

using namespace livens;

namespace {

using Numbers = std::vector<Widest>;

const double round_off = to_double(epsilon<Widest>());
const std::vector<PairFamily> families{PairFamily::gauss,        PairFamily::lobatto_IIIA, PairFamily::lobatto_IIIB,
                                       PairFamily::lobatto_IIIC, PairFamily::lobatto_IIID, PairFamily::lobatto_IIIE,
                                       PairFamily::srk3,         PairFamily::radau_IIA};
const std::vector<int> counts{1, 2, 3, 4, 5, 6, 9, 12};

// f(family, s, pair) for all there are.
template <class F>
void for_pairs(const F& f) {
  for (const PairFamily family : families)
    for (const int s : counts) {
      if (!inadmissible_stages(family, s).empty()) continue;
      CAPTURE(static_cast<int>(family));
      CAPTURE(s);
      f(family, s, pair_of(family, s));
    }
}

double size(const Widest& x) {
  return std::abs(to_double(x));
}

// Entries are given times a common denominator.
void check_entries(const Mat<Widest>& a, int denominator, const Numbers& expected) {
  REQUIRE(a.rows() * a.cols() == static_cast<int>(expected.size()));
  const Widest* x = a.data();
  for (const Widest& e : expected) CHECK(size(*x++ - e / denominator) < 4 * round_off);
}

const Widest& at(const Numbers& x, int i) {
  return x[static_cast<std::size_t>(i)];
}

// The greatest k, up to most, for which condition(1), .., condition(k) are below round-off.
template <class Condition>
int holds_up_to(int most, const Condition& condition) {
  int k = 0;
  while (k < most && condition(k + 1) < 100 * round_off) ++k;
  return k;
}
Widest power(const Widest& x, int k) {
  Widest product(1);
  for (int i = 0; i < k; ++i) product *= x;
  return product;
}
int greatest_B(const Tableau& t) {
  return holds_up_to(2 * t.stages() + 2, [&](int k) {
    Widest sum = Widest(-1) / k;
    for (int i = 0; i < t.stages(); ++i) sum += at(t.b, i) * power(at(t.c, i), k - 1);
    return size(sum);
  });
}
int greatest_C(const Tableau& t) {
  return holds_up_to(2 * t.stages(), [&](int k) {
    double largest = 0;
    for (int i = 0; i < t.stages(); ++i) {
      Widest sum = -power(at(t.c, i), k) / k;
      for (int j = 0; j < t.stages(); ++j) sum += t.a(i, j) * power(at(t.c, j), k - 1);
      largest = std::max(largest, size(sum));
    }
    return largest;
  });
}
int greatest_D(const Tableau& t) {
  return holds_up_to(2 * t.stages(), [&](int k) {
    double largest = 0;
    for (int j = 0; j < t.stages(); ++j) {
      Widest sum = -at(t.b, j) * (1 - power(at(t.c, j), k)) / k;
      for (int i = 0; i < t.stages(); ++i) sum += at(t.b, i) * power(at(t.c, i), k - 1) * t.a(i, j);
      largest = std::max(largest, size(sum));
    }
    return largest;
  });
}

// Rooted trees with edges of two colours, position and momentum: phi_i of a tree is the product, over the edges from
// its root, of (A phi)_i with the matrix of the edge's colour; gamma its order times the gammas of the branches. A pair
// has order p if  sum_i b_i phi_i = 1/gamma  for all trees with up to p nodes.
class Trees {
 public:
  explicit Trees(const RungeKuttaPair& pair) : pair_(pair) {}

  int order_up_to(int most) {
    return holds_up_to(most, [&](int nodes) {
      const std::size_t before = trees_.size();
      grow({Numbers(pair_.position.b.size(), Widest(1)), Widest(nodes), nodes}, nodes - 1, branches_.size());
      double largest = 0;
      for (std::size_t k = before; k < trees_.size(); ++k) {
        const Tree& tree = trees_[k];
        Widest sum = -1 / tree.gamma;
        for (std::size_t i = 0; i < tree.phi.size(); ++i) sum += pair_.position.b[i] * tree.phi[i];
        largest = std::max(largest, size(sum));
        for (const Tableau* t : {&pair_.position, &pair_.momentum}) branches_.push_back(branch(*t, tree));
      }
      return largest;
    });
  }

 private:
  struct Tree {
    Numbers phi;
    Widest gamma;
    int nodes;
  };
  static Tree branch(const Tableau& t, const Tree& tree) {
    Tree result{Numbers(tree.phi.size()), tree.gamma, tree.nodes};
    for (int i = 0; i < t.stages(); ++i)
      for (int j = 0; j < t.stages(); ++j) result.phi[static_cast<std::size_t>(i)] += t.a(i, j) * at(tree.phi, j);
    return result;
  }
  // All trees that branches below `end` make of this one with so many nodes more.
  void grow(const Tree& tree, int nodes, std::size_t end) {
    if (nodes == 0) return trees_.push_back(tree);
    for (std::size_t k = 0; k < end; ++k) {
      const Tree& more = branches_[k];
      if (more.nodes > nodes) continue;
      Tree next = tree;
      next.gamma *= more.gamma;
      for (std::size_t i = 0; i < next.phi.size(); ++i) next.phi[i] *= more.phi[i];
      grow(next, nodes - more.nodes, k + 1);
    }
  }

  const RungeKuttaPair& pair_;
  std::vector<Tree> trees_, branches_;
};

// R(z) = 1 + z b^T (1 - z A)^-1 (1, .., 1)
Widest stability_function(const Tableau& t, const Widest& z) {
  const int s = t.stages();
  Lu<Widest> lu(s);
  for (int i = 0; i < s; ++i)
    for (int j = 0; j < s; ++j) lu.matrix()(i, j) = (i == j ? 1 : 0) - z * t.a(i, j);
  REQUIRE(lu.factorise());
  Vec<Widest> ones(s), x(s);
  ones.fill(Widest(1));
  lu.solve(ones, x);
  Widest R(1);
  for (int i = 0; i < s; ++i) R += z * at(t.b, i) * x[i];
  return R;
}

}  // namespace

TEST_CASE("tableaux_of_lobatto_IIIC_IIID_IIIE_srk3_and_radau_are_the_known_ones") {
  using std::sqrt;
  const Widest r = sqrt(Widest(5)), g = sqrt(Widest(15));
  check_entries(lobatto_IIIC(2).a, 2, {1, -1, 1, 1});
  check_entries(lobatto_IIIC_star(2).a, 1, {0, 0, 1, 0});
  check_entries(lobatto_IIID(2).a, 4, {1, -1, 3, 1});
  check_entries(lobatto_IIIE(2).a, 4, {1, 0, 2, 1});
  check_entries(lobatto_IIIC(3).a, 12, {2, -4, 2, 2, 5, -1, 2, 8, 2});
  check_entries(lobatto_IIIC_star(3).a, 4, {0, 0, 0, 1, 1, 0, 0, 4, 0});
  check_entries(lobatto_IIID(3).a, 24, {2, -4, 2, 5, 8, -1, 2, 20, 2});
  check_entries(lobatto_IIIE(3).a, 48, {4, -4, 0, 9, 16, -1, 8, 36, 4});
  check_entries(lobatto_IIIA(4).a, 120,
                {0, 0, 0, 0, 11 + r, 25 - r, 25 - 13 * r, -1 + r, 11 - r, 25 + 13 * r, 25 + r, -1 - r, 10, 50, 50, 10});
  check_entries(lobatto_IIIC(4).a, 60,
                {5, -5 * r, 5 * r, -5, 5, 15, 10 - 7 * r, r, 5, 10 + 7 * r, 15, -r, 5, 25, 25, 5});
  check_entries(srk3().a, 180, {25, 40, 25 - 18 * g, 25, 40, 25, 25 + 18 * g, 40, 25});
  check_entries(radau_IIA(2).a, 12, {5, -1, 9, 3});
}

TEST_CASE("weights_and_matrices_have_the_simplifying_assumptions_of_their_families_and_no_more") {
  for (const int s : counts) {
    CAPTURE(s);
    const auto check = [](const Tableau& t, int B, int C, int D) {
      CHECK(greatest_B(t) == B);
      CHECK(greatest_C(t) == C);
      CHECK(greatest_D(t) == D);
    };
    check(gauss_tableau(s), 2 * s, s, s);
    check(radau_IIA(s), 2 * s - 1, s, s - 1);
    if (s < 2) continue;
    check(lobatto_IIIA(s), 2 * s - 2, s, s - 2);
    check(lobatto_IIIB(s), 2 * s - 2, s - 2, s);
    check(lobatto_IIIC(s), 2 * s - 2, s - 1, s - 1);
    check(lobatto_IIIC_star(s), 2 * s - 2, s - 1, s - 1);
    check(lobatto_IIID(s), 2 * s - 2, s - 1, s - 1);
    check(lobatto_IIIE(s), 2 * s - 2, s - 2, s - 2);
  }
  CHECK(greatest_B(srk3()) == 6);
  CHECK(greatest_C(srk3()) == 1);
  CHECK(greatest_D(srk3()) == 1);
}

TEST_CASE("pairs_have_their_orders_by_the_conditions_of_all_trees_in_two_colours") {
  for_pairs([](PairFamily family, int s, const RungeKuttaPair& pair) {
    if (s > 4) return;
    const int order = family == PairFamily::gauss       ? 2 * s
                      : family == PairFamily::srk3      ? 4
                      : family == PairFamily::radau_IIA ? 2 * s - 1
                                                        : 2 * s - 2;
    CHECK(Trees(pair).order_up_to(7) == std::min(order, 7));
  });
}

TEST_CASE("pairs_are_symplectic_in_the_widest_scalar") {
  for_pairs([](PairFamily, int, const RungeKuttaPair& pair) {
    const Tableau &t = pair.position, &other = pair.momentum;
    double defect = 0;
    for (int i = 0; i < t.stages(); ++i)
      for (int j = 0; j < t.stages(); ++j)
        defect = std::max(defect, size(at(t.b, i) * other.a(i, j) + at(t.b, j) * t.a(j, i) - at(t.b, i) * at(t.b, j)));
    CHECK((defect < 4 * round_off) == pair.symplectic);
  });
}

TEST_CASE("adjoints_are_the_same_method_but_for_lobatto_IIIC_and_radau") {
  // a_ij of the adjoint: b_j - a_(s+1-i)(s+1-j)
  const auto from_adjoint = [](const Tableau& t, const Tableau& other) {
    const int s = t.stages();
    double largest = 0;
    for (int i = 0; i < s; ++i)
      for (int j = 0; j < s; ++j)
        largest = std::max(largest, size(t.a(i, j) + other.a(s - 1 - i, s - 1 - j) - at(t.b, j)));
    return largest;
  };
  for_pairs([&](PairFamily family, int, const RungeKuttaPair& pair) {
    CHECK((from_adjoint(pair.position, pair.position) < 100 * round_off) == pair.self_adjoint);
    CHECK((from_adjoint(pair.momentum, pair.momentum) < 100 * round_off) == pair.self_adjoint);
    if (family == PairFamily::lobatto_IIIC) CHECK(from_adjoint(pair.position, pair.momentum) < 100 * round_off);
  });
}

TEST_CASE("coefficients_are_rounded_so_that_a_pair_is_symplectic_to_the_last_bit") {
  for_pairs([](PairFamily, int s, const RungeKuttaPair& pair) {
    if (!pair.symplectic) return;
    const StageTable<Widest> t = exact_pair<double>(pair.position, pair.momentum);
    double wrong = 0;
    int inexact = 0;
    for (int i = 0; i < s; ++i)
      for (int j = 0; j < s; ++j) {
        const double mu = to_double(t.value(i, j)), other = to_double(t.A(j, i));
        inexact += mu + other != 1 || Widest(mu) + Widest(other) != 1 || Widest(mu) != t.value(i, j);
        const Widest exact = pair.position.a(i, j) / at(pair.position.b, j);
        wrong = std::max(wrong, size(t.value(i, j) - exact) / std::max(0.5, size(exact)));
      }
    CHECK(inexact == 0);
    CHECK(wrong < 2 * epsilon<double>());
    CHECK(t.share == pair.position.b);
    CHECK(t.share_force == pair.position.b);
    for (int i = 0; i < s; ++i) CHECK((t.end[static_cast<std::size_t>(i)] == 1 && at(t.weight, i) == 1));
  });
}

TEST_CASE("coefficients_rounded_one_by_one_are_not_symplectic_to_the_last_bit") {
  const Tableau g = gauss_tableau(4);
  int inexact = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      inexact += to_double(g.a(i, j)) / to_double(at(g.b, j)) + to_double(g.a(j, i)) / to_double(at(g.b, i)) != 1;
  CHECK(inexact > 0);
}

TEST_CASE("null_vectors_belong_to_the_matrix_of_lobatto_IIIA") {
  using std::sqrt;
  for_pairs([](PairFamily family, int s, const RungeKuttaPair& pair) {
    const bool IIIA = family == PairFamily::lobatto_IIIA;
    const Numbers& v = pair.null_vector;
    CHECK(static_cast<int>(v.size()) == (IIIA || family == PairFamily::lobatto_IIIB ? s : 0));
    if (v.empty()) return;
    const Tableau &a = IIIA ? pair.position : pair.momentum, &b = IIIA ? pair.momentum : pair.position;
    double largest = 0, right = 0, left = 0;
    for (int i = 0; i < s; ++i) {
      Widest of_A(0), of_B(0);
      for (int j = 0; j < s; ++j) of_A += a.a(i, j) * at(v, j), of_B += at(b.b, j) * at(v, j) * b.a(j, i);
      right = std::max(right, size(of_A)), left = std::max(left, size(of_B)),
      largest = std::max(largest, size(at(v, i)));
    }
    CHECK(largest == 1);
    CHECK(right < 8 * round_off);
    CHECK(left < 8 * round_off);  // d_i = b_i v_i, of IIIB transposed
  });
  const auto check_d = [](int s, const Numbers& expected) {
    const Tableau t = lobatto_IIIA(s);
    const Numbers v = null_vector_of_IIIA(t.c);
    for (int i = 0; i < s; ++i)
      CHECK(size(at(t.b, i) * at(v, i) / (t.b.front() * v.front()) - at(expected, i)) < 8 * round_off);
  };
  const Widest r = sqrt(Widest(5));
  check_d(2, {1, -1});
  check_d(3, {1, -2, 1});
  check_d(4, {1, -r, r, -1});
}

TEST_CASE("R_is_the_limit_of_the_stability_function") {
  const Widest z(1e6);
  for_pairs([&](PairFamily family, int, const RungeKuttaPair& pair) {
    if (family == PairFamily::lobatto_IIIC) {  // a sign by convention
      CHECK(size(stability_function(pair.position, z)) < 1e-9);
      CHECK(size(stability_function(pair.momentum, z)) > 1e9);
      return;
    }
    CHECK(size(stability_function(pair.position, z) - pair.R) < 1e-3);
    CHECK(size(stability_function(pair.momentum, z) - pair.R) < 1e-3);
  });
  for (const int s : {2, 3, 4}) CHECK(pair_of(PairFamily::lobatto_IIIC, s).R == (s % 2 == 0 ? -1 : 1));
}
