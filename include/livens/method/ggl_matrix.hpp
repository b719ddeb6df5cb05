// The linear equations of a correction of ggl (ggl.hpp), in kappa = gamma and rows of the size of a velocity:
//
//   (a)  A dv + G0^T dmu                                 = -r_v       A = M - h F_v
//   (b)  (M + H) dw + (h T - M) dv + h Hb^T dkappa       = -r_w       H = sum_k nu_k D2g_k(qb) ,  T = dH w / dq
//   (c)  G1 ( (I + M^-1 H) dv + M^-1 Gb^T dkappa )       = -r_g       r_g = g(q1)/h
//   (d)  Gb dw + h Hb dv                                 = -r_d       Hb = rows D2g_k(qb) w
//
// dense             reduced to (dmu, dkappa), 2m unknowns:
//                     [ -N P    G1 W Gb^T ] [ dmu    ]   [ -r_g - N a        ]   P = A^-1 G0^T ,  a = -A^-1 r_v
//                     [ -Z P   -h Y Hb^T  ] [ dkappa ] = [ -r_d + Y r_w - Z a ]   Y = Gb (M + H)^-1 , W = M^-1
//                     N = G1 (I + W H) ,   Z = Y (M - h T) + h Hb
// sparse, "sparse"  all of (dv, dw, du, dmu, dkappa) by sparse LU, with  M du - H dv - Gb^T dkappa = 0
// sparse, "schur"   A = M. Without H, which is small by (h omega)^2, omega being the oscillations that constraint
// forces
//                   give to M, and without T: the equations of the dense case, with W for (M + H)^-1. And where they
//                   converge the ones without Hb too, which cost a fourth: S dmu = r_d - Gb W r_w ,
//                   S dkappa = S dmu - r_g ,  S = Gb W G0^T. Hb is small by h |omega| of a body's turning, but what it
//                   makes of the force of a chain of N bodies is greater by N.
#pragma once

#include "livens/solve/block_matrix.hpp"
#include "livens/solve/impulse_units.hpp"
#include "livens/solve/multiplier_blocks.hpp"
#include "livens/solve/recorded_blocks.hpp"
#include "livens/solve/schur.hpp"

namespace livens {

// What stands in the equations, and their right sides.
template <class System>
struct GglBlocks {
  using T = typename System::Scalar;
  const T& h;
  const Mass<typename System::Square>& mass;
  const typename System::Square* A;  // null: M
  const typename System::Jacobian &G0, &Gb, &G1, &Hb;
  const typename System::Square& H;
  const typename System::Square* third;  // null: 0
};
template <class System>
struct GglRows {
  typename System::Coordinates v, w;
  typename System::Multipliers g, d;
};

// Newton's matrix, the equations of the multipliers alone, or these without Hb.
enum class GglWay { newton, multipliers, without_turning };

template <class System, class Square = typename System::Square>
class GglMatrix;

template <class System, class T, int N>
class GglMatrix<System, Mat<T, N, N>> {
 public:
  static constexpr int m = System::m;
  static constexpr void take(GglWay) {}
  using Blocks = GglBlocks<System>;

  explicit GglMatrix(const System& system)
      : balance_(system.coordinates()),
        K_(system.coordinates()),
        multipliers_(2 * system.constraints()),
        P_(system.jacobian()),
        N_(P_),
        Y_(P_),
        Z_(P_),
        G1W_(P_),
        square_(system.square()),
        product_(system.constraints(), system.constraints()),
        a_(system.coordinates()),
        right_(2 * system.constraints()),
        solution_(right_) {}

  bool factorise(const Blocks& b) {
    const int rows = P_.rows(), n = P_.cols();
    with_balance_ = b.A != nullptr;
    if (with_balance_) {
      balance_.matrix() = *b.A;
      if (!balance_.factorise()) return false;
      for (int k = 0; k < rows; ++k) balance_.solve(b.G0.row(k), P_.row(k));
    } else {
      b.mass.solve_rows(b.G0, P_);
    }
    square_ = b.mass.matrix();
    K_.matrix() = square_;
    add_scaled(T(1), b.H, K_.matrix());
    if (!K_.factorise()) return false;
    for (int k = 0; k < rows; ++k) K_.solve(b.Gb.row(k), Y_.row(k));
    if (b.third) add_scaled(-b.h, *b.third, square_);  // M - h T
    b.mass.solve_rows(b.G1, G1W_);
    N_ = b.G1;
    add_product(G1W_, b.H, N_);
    for (int k = 0; k < rows; ++k)
      for (int j = 0; j < n; ++j) Z_(k, j) = b.h * b.Hb(k, j);
    add_product(Y_, square_, Z_);
    put(0, 0, T(-1), N_, P_), put(0, rows, T(1), G1W_, b.Gb);
    put(rows, 0, T(-1), Z_, P_), put(rows, rows, -b.h, Y_, b.Hb);
    return multipliers_.factorise();
  }

  // r is used up.
  void solve(const Blocks& b, GglRows<System>& r, GglRows<System>& change) {
    const int rows = P_.rows(), n = P_.cols();
    if (with_balance_) {
      balance_.solve(r.v, a_);
      for (T& x : a_) x = -x;
    } else {
      a_.fill(T(0));
    }
    for (int k = 0; k < rows; ++k) {
      T first = -r.g[k], second = -r.d[k];
      for (int j = 0; j < n; ++j) first -= N_(k, j) * a_[j], second += Y_(k, j) * r.w[j] - Z_(k, j) * a_[j];
      right_[k] = first, right_[rows + k] = second;
    }
    multipliers_.solve(right_, solution_);
    for (int k = 0; k < rows; ++k) change.g[k] = solution_[k], change.d[k] = solution_[rows + k];
    multiply_transposed(P_, change.g, change.v);
    for (int j = 0; j < n; ++j) change.v[j] = a_[j] - change.v[j];
    for (int i = 0; i < n; ++i) {
      T sum = -r.w[i];
      for (int j = 0; j < n; ++j) sum += square_(i, j) * change.v[j];
      for (int k = 0; k < rows; ++k) sum -= b.h * b.Hb(k, i) * change.d[k];
      r.w[i] = sum;
    }
    K_.solve(r.w, change.w);
  }

  template <class Archive>
  void archive(Archive&) {}

 private:
  // factor A B^T at its place
  void put(int row, int col, const T& factor, const Mat<T, m, N>& A, const Mat<T, m, N>& B) {
    multiply_by_transposed(A, B, product_);
    for (int i = 0; i < product_.rows(); ++i)
      for (int j = 0; j < product_.cols(); ++j) multipliers_.matrix()(row + i, col + j) = factor * product_(i, j);
  }

  static constexpr int twice = size_sum(m, m);
  Lu<T, N> balance_, K_;
  Lu<T, twice> multipliers_;
  Mat<T, m, N> P_, N_, Y_, Z_, G1W_;  // P_: transposed
  Mat<T, N, N> square_;
  Mat<T, m, m> product_;
  Vec<T, N> a_;
  Vec<T, twice> right_, solution_;
  bool with_balance_ = false;
};

template <class System, class T>
class GglMatrix<System, SparseMat<T>> {
 public:
  using Blocks = GglBlocks<System>;

  explicit GglMatrix(const System& system)
      : n_(system.coordinates()),
        m_(system.constraints()),
        schur_(system),
        multipliers_(system, 2),
        matrix_(system, 3 * n_ + 2 * m_),
        inertia_(n_),
        row_(n_),
        side_(m_),
        unit_(m_),
        turned_(system.jacobian()),
        right_(3 * n_ + 2 * m_),
        solution_(right_) {}

  // Which way the next factorisation takes.
  void take(GglWay way) { way_ = way; }

  bool factorise(const Blocks& b) {
    if (way_ == GglWay::without_turning) return schur_.factorise(b.Gb, b.mass, b.G0);
    if (way_ == GglWay::multipliers) return factorise_multipliers(b);
    choose_impulse_units(b.mass.matrix(), b.G0, inertia_, unit_);
    return matrix_.factorise([&] { assemble(b); });
  }

  void solve(const Blocks& b, GglRows<System>& r, GglRows<System>& change) {
    if (way_ == GglWay::without_turning) return solve_without_turning(b, r, change);
    if (way_ == GglWay::multipliers) return solve_multipliers(b, r, change);
    const int mu = 3 * n_, kappa = mu + m_;
    right_.fill(T(0));
    for (int i = 0; i < n_; ++i) right_[i] = b.A ? -r.v[i] : T(0), right_[n_ + i] = -r.w[i];
    for (int a = 0; a < m_; ++a) right_[mu + a] = -r.g[a], right_[kappa + a] = -r.d[a];
    matrix_.solve(right_, solution_);
    for (int i = 0; i < n_; ++i) change.v[i] = solution_[i], change.w[i] = solution_[n_ + i];
    for (int a = 0; a < m_; ++a)
      change.g[a] = unit_[a] * solution_[mu + a], change.d[a] = unit_[a] * solution_[kappa + a];
  }

  template <class Archive>
  void archive(Archive& a) {
    a(schur_, matrix_);
  }

 private:
  void assemble(const Blocks& b) {
    auto& X = matrix_;
    const int mu = 3 * n_, kappa = mu + m_;
    const SparseMat<T>& M = b.mass.matrix();
    X.add({0, 0}, T(1), b.A ? *b.A : M);  // (a)
    X.add_transposed({0, mu}, T(1), unit_, b.G0);
    X.add({n_, n_}, T(1), M);  // (b)
    X.add({n_, n_}, T(1), b.H);
    X.add({n_, 0}, T(-1), M);
    if (b.third) X.add({n_, 0}, b.h, *b.third);
    X.add_transposed({n_, kappa}, b.h, unit_, b.Hb);
    X.add({2 * n_, 2 * n_}, T(1), M);  // M du - H dv - Gb^T dkappa = 0
    X.add({2 * n_, 0}, T(-1), b.H);
    X.add_transposed({2 * n_, kappa}, T(-1), unit_, b.Gb);
    X.add({mu, 0}, T(1), b.G1);  // (c)
    X.add({mu, 2 * n_}, T(1), b.G1);
    X.add({kappa, n_}, T(1), b.Gb);  // (d)
    X.add({kappa, 0}, b.h, b.Hb);
  }

  // [ -G1 W G0^T          G1 W Gb^T   ]
  // [ -(Gb + h Hb) W G0^T -h Gb W Hb^T ]
  bool factorise_multipliers(const Blocks& b) {
    turned_ = b.Gb;
    add_scaled(b.h, b.Hb, turned_);
    multipliers_.set(0, 0, T(-1), b.G1, b.mass, b.G0), multipliers_.set(0, 1, T(1), b.G1, b.mass, b.Gb);
    multipliers_.set(1, 0, T(-1), turned_, b.mass, b.G0), multipliers_.set(1, 1, -b.h, b.Gb, b.mass, b.Hb);
    return multipliers_.factorise();
  }
  void solve_multipliers(const Blocks& b, GglRows<System>& r, GglRows<System>& change) {
    for (T& x : r.g) x = -x;
    multipliers_.set_right(0, r.g);
    b.mass.solve(r.w, change.w);
    multiply(b.Gb, change.w, side_);
    for (int a = 0; a < m_; ++a) side_[a] -= r.d[a];
    multipliers_.set_right(1, side_);
    multipliers_.solve();
    multipliers_.get_solution(0, change.g), multipliers_.get_solution(1, change.d);
    multiply_transposed(b.G0, change.g, row_);
    b.mass.solve(row_, change.v);
    multiply_transposed(b.Hb, change.d, row_);
    b.mass.solve(row_, r.w);
    for (int i = 0; i < n_; ++i) change.v[i] = -change.v[i], change.w[i] = change.v[i] - change.w[i] - b.h * r.w[i];
  }

  void solve_without_turning(const Blocks& b, GglRows<System>& r, GglRows<System>& change) {
    b.mass.solve(r.w, change.w);
    multiply(b.Gb, change.w, change.g);
    for (int a = 0; a < m_; ++a) r.d[a] -= change.g[a];
    schur_.solve(r.d, change.g);
    schur_.solve(r.g, change.d);
    for (int a = 0; a < m_; ++a) change.d[a] = change.g[a] - change.d[a];
    multiply_transposed(b.G0, change.g, row_);
    b.mass.solve(row_, change.v);
    for (int i = 0; i < n_; ++i) change.v[i] = -change.v[i], change.w[i] = change.v[i] - change.w[i];
  }

  int n_, m_;
  GglWay way_ = GglWay::newton;
  Schur<SparseMat<T>> schur_;
  MultiplierBlocks<T> multipliers_;
  RecordedBlocks<BlockMatrix<System, Dynamic>, T> matrix_;
  Vec<T> inertia_, row_, side_, unit_;
  SparseMat<T> turned_;  // Gb + h Hb
  Vec<T> right_, solution_;
};

}  // namespace livens
