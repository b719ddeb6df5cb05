// A table of stages (math/tableau.hpp) in the scalar and with the sizes of a step.
#pragma once

#include <algorithm>
#include <vector>

#include "livens/math/tableau.hpp"

namespace livens {

// Rows of coefficients. Where the table asks for it, what rounding cut off is kept.
template <class T, int Rows, int S>
struct Coefficients : Mat<T, Rows, S> {
  Coefficients() = default;
  Coefficients(const Mat<Widest>& from, bool split) : Mat<T, Rows, S>(from.rows(), from.cols()) {
    const auto round = [](const Widest& x) { return static_cast<RealOf<T>>(x); };
    if (split) rest = Mat<T>(from.rows(), from.cols());
    for (int i = 0; i < from.rows(); ++i)
      for (int j = 0; j < from.cols(); ++j) {
        (*this)(i, j) = T(round(from(i, j)));
        if (split) rest(i, j) = T(round(from(i, j) - Widest(round(from(i, j)))));
      }
  }
  bool split() const { return rest.rows() > 0; }
  Mat<T> rest;
};

// Rows of coefficients of U. Many have a single one, and that is 1: points that are control points of a polynomial.
template <class T, int Rows, int S>
struct Combinations : Coefficients<T, Rows, S> {
  Combinations() = default;
  explicit Combinations(const Mat<Widest>& from, bool split = false)
      : Coefficients<T, Rows, S>(from, split), single(from.rows()) {
    const auto& rows = *this;
    for (int i = 0; i < rows.rows(); ++i) {
      int others = 0;
      single[i] = -1;
      for (int k = 0; k < rows.cols(); ++k)
        if (value_of(rows(i, k)) == RealOf<T>(1) && single[i] < 0)
          single[i] = k;
        else if (value_of(rows(i, k)) != RealOf<T>(0))
          ++others;
      if (others > 0) single[i] = -1;
    }
  }
  Vec<int, Rows> single;  // its number; -1: there are others
};

// The table of a method in the factored form (8) of tableau.hpp, rounded; without what belongs to constraints where
// there are none. Beside it `whole`, the coefficients of U, f and mu themselves, for Newton's matrix. S: the number of
// unknown velocities, nodes and impulses: those of nodes and multipliers, or Dynamic.
template <class T, int S, int impulses, int nodes = S>
struct StageCoefficients {
  static constexpr int points = impulses > 0 ? impulses + 1 : impulses;

  StageCoefficients(const StageTable<Widest>& given, bool constrained)
      : multipliers(constrained ? given.multipliers() : 0) {
    const StageTable<Widest> exact = given.symplectic && given.mix.rows() == 0 ? in_increments(given) : given;
    const FactoredTable factors = factored<RealOf<T>>(exact);
    const StageTable<Widest>& t = factors.table;
    c = vector<nodes>(t.c), d = vector<S>(t.d), uniform = vector<S>(t.uniform);
    weight = Coefficients<T, 1, nodes>(as_row(t.weight), t.split);
    end = Combinations<T, 1, S>(as_row(t.end), t.split);
    value = Combinations<T, nodes, S>(t.value, t.split), slope = Combinations<T, nodes, S>(t.slope);
    C = Combinations<T, S, nodes>(t.C), A = Coefficients<T, S, nodes>(t.A, t.split);
    shares = !t.share.empty(), shares_force = !t.share_force.empty(), mixes = t.mix.rows() > 0;
    if (shares) share = vector<S>(t.share);
    if (shares_force) share_force = vector<nodes>(t.share_force);
    if (mixes) mix = matrix<S, S>(t.mix);
    whole.A = matrix<S, nodes>(exact.A), whole.C = matrix<S, nodes>(exact.C);
    whole.value = matrix<nodes, S>(exact.value), whole.end = matrix<1, S>(as_row(exact.end));
    if (shares) {  // A and value are without them
      for (int k = 0; k < A.rows(); ++k)
        for (int i = 0; i < c.size(); ++i) {
          whole.A(k, i) = T(round(exact.A(k, i)) * share_force[i]);
          whole.value(i, k) = T(round(exact.value(i, k)) * share[k]);
        }
      for (int k = 0; k < A.rows(); ++k) whole.end(0, k) = T(round(exact.end[static_cast<std::size_t>(k)]) * share[k]);
    }
    continued = matrix<S, S>(t.continued);
    couples = Mat<bool, S, S>(A.rows(), value.cols());
    for (int k = 0; k < A.rows(); ++k)
      for (int l = 0; l < value.cols(); ++l)
        for (int i = 0; i < c.size(); ++i)
          if ((exact.A(k, i) != 0 || exact.C(k, i) != 0) && (exact.value(i, l) != 0 || exact.slope(i, l) != 0))
            couples(k, l) = true;
    if (!constrained) return;
    x = vector<points>(t.x), impulse = vector<impulses>(t.impulse);
    share_impulse = first_share_impulse = vector<impulses>(factors.share_impulse);
    first_share_impulse[0] = round(factors.first_share_impulse);
    reach = Combinations<T, points, S>(t.reach);
    B = matrix<S, impulses>(t.B);
    whole.reach = matrix<points, S>(exact.reach), whole.B = whole.first_B = matrix<S, impulses>(exact.B);
    for (int k = 0; k < B.rows() && !exact.first_B.empty(); ++k)
      whole.first_B(k, 0) = round(exact.first_B[static_cast<std::size_t>(k)]);
    continued_multipliers = matrix<impulses, impulses>(t.continued_multipliers);
    starts_at_node = t.x.front() == 0;
    ends_at_node = t.x.back() == 1;
  }
  static T round(const Widest& x) { return T(static_cast<RealOf<T>>(x)); }
  static Mat<Widest> as_row(const std::vector<Widest>& from) {
    Mat<Widest> row(1, static_cast<int>(from.size()));
    std::copy(from.begin(), from.end(), row.data());
    return row;
  }
  template <int N>
  static Vec<T, N> vector(const std::vector<Widest>& from) {
    Vec<T, N> to(static_cast<int>(from.size()));
    for (int i = 0; i < to.size(); ++i) to[i] = round(from[static_cast<std::size_t>(i)]);
    return to;
  }
  template <int R, int N>
  static Mat<T, R, N> matrix(const Mat<Widest>& from) {
    Mat<T, R, N> to(from.rows(), from.cols());
    for (int i = 0; i < to.rows(); ++i)
      for (int j = 0; j < to.cols(); ++j) to(i, j) = round(from(i, j));
    return to;
  }

  Known<impulses> multipliers;
  Vec<T, nodes> c, share_force;
  Coefficients<T, 1, nodes> weight;
  Vec<T, S> d, uniform, share;
  Combinations<T, nodes, S> value;
  Combinations<T, 1, S> end;
  Combinations<T, nodes, S> slope;
  Combinations<T, S, nodes> C;
  Coefficients<T, S, nodes> A;
  Mat<T, S, S> mix, continued;
  Vec<T, points> x;
  Combinations<T, points, S> reach;
  Mat<T, S, impulses> B;
  Vec<T, impulses> impulse, share_impulse, first_share_impulse;
  Mat<T, impulses, impulses> continued_multipliers;
  struct {
    Mat<T, nodes, S> value;
    Mat<T, S, nodes> A, C;
    Mat<T, 1, S> end;
    Mat<T, points, S> reach;
    Mat<T, S, impulses> B, first_B;
  } whole;
  Mat<bool, S, S> couples;  // rows and columns that f and L_v couple
  bool shares = false, shares_force = false, mixes = false;
  bool starts_at_node = false, ends_at_node = false;
};

}  // namespace livens
