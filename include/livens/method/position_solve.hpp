// The position half that shake, rattle and constrained-euler share: one velocity u and one impulse mu with
//
//   (P1)  b(u) - G(t0,q0)^T mu = 0 ,        b(u): the method's own momentum balance
//   (P2)  g(t1, q0 + h u) / h  = 0 .
//
// Unknowns and rows are of the size of a velocity for every step size, so the matrix
//
//   [  db/du   -G0^T ]
//   [  G1        0   ]          G0 = G(t0,q0),  G1 = G(t1, q0 + h u)
//
// keeps its condition as h -> 0. It is not symmetric (multipliers act at q0, constraints hold at q1): LU.
// Where b(u) = c - M u with a constant M, u = M^-1 (c - G0^T mu) is eliminated exactly and (P2) is solved for mu alone,
// with the Schur complement -G1 M^-1 G0^T.
#pragma once

#include "livens/method/continuation.hpp"
#include "livens/solve/block_matrix.hpp"
#include "livens/solve/newton.hpp"
#include "livens/system/kinetics.hpp"

namespace livens {

// sum_i |x_i|; long vectors in eight sums, since additions that wait for each other are slow.
template <class T, int N>
RealOf<T> size_in_parts(const Vec<T, N>& x) {
  using std::abs;
  constexpr int parts = 8;
  if (x.size() < 4 * parts) return size_of(x);
  RealOf<T> part[parts] = {};
  const T* const xi = x.data();
  const int whole = x.size() - x.size() % parts;
  for (int i = 0; i < whole; i += parts)
    for (int k = 0; k < parts; ++k) part[k] += abs(value_of(xi[i + k]));
  for (int i = whole; i < x.size(); ++i) part[i - whole] += abs(value_of(xi[i]));
  for (int half = parts / 2; half > 0; half /= 2)
    for (int k = 0; k < half; ++k) part[k] += part[k + half];
  return part[0];
}

template <class System>
class PositionSolve {
 public:
  using T = typename System::Scalar;
  using Real = RealOf<T>;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;
  static constexpr int n = System::n, m = System::m;
  // Few unknowns: G0^T mu costs less once, at the end, than a sum that every correction adds to.
  static constexpr bool few = n != Dynamic;

  explicit PositionSolve(const System& system, bool explicit_balance)
      : u(system.coordinates()),
        q1(u),
        mu(system.constraints()),
        reaction(u),
        G1(system.jacobian()),
        system_(system),
        schur_(system),
        matrix_(system, explicit_balance && n == Dynamic ? 0 : system.coordinates() + system.constraints()),
        balance_block_(matrix_.block(0, 0, system.square())),
        transposed_balance_block_(matrix_.transposed_block(0, 0, system.square())),
        reaction_block_(matrix_.transposed_block(0, u.size(), G1)),
        constraint_block_(matrix_.block(u.size(), 0, G1)),
        G0_in_units_(explicit_balance && n == Dynamic ? typename System::Jacobian() : G1),
        residual_(system.coordinates() + system.constraints()),
        correction_(residual_),
        row_(u),
        change_(u),
        g_(mu),
        dmu_(mu),
        unit_(mu) {
    matrix_.finish();
  }

  template <class Archive>
  void archive(Archive& a) {
    a(schur_, matrix_);
  }

  Coordinates u, q1;             // velocity and new position; q1 is q0 + h u with the carried remainder of q0
  Multipliers mu;                // impulse; its value on entry is the guess
  bool continued = false;        // the guess continues the motion of the steps before, and the root has to
  Coordinates reaction;          // G0^T mu
  typename System::Jacobian G1;  // constraint Jacobian at q1

  // b(u) = c - M u.
  void solve_explicit(const Mass<typename System::Square>& mass, const Coordinates& c, const T& t1, const T& h,
                      const Coordinates& q0, const Coordinates& q0_remainder, const typename System::Jacobian& G0,
                      const SolverSettings<Real>& settings, StepReport& report) {
    multiply_transposed(G0, mu, reaction);
    for (int i = 0; i < u.size(); ++i) row_[i] = c[i] - reaction[i];
    mass.solve(row_, u);
    Explicit equations(Path{*this, t1, h, q0, q0_remainder}, mass, G0);
    if (mu.size() == 0) {
      equations.move();
      report.outcome = Outcome::converged;
      report.iterations = report.jacobians = 0;
      report.evaluations = 1;  // that of the forces, which went into c
      return;
    }
    equations.start();
    newton<T>(equations, settings, report);
    if (!succeeded(report.outcome)) return;
    equations.finish();
    if constexpr (few) multiply_transposed(G0, mu, reaction);
  }

  // Any b(u): `balance(u, q1, b)` writes b, `balance.jacobian(u, q1, add, add_transposed)` hands over db/du as a sum of
  // (factor, square) or transposed squares; u holds the guess on entry.
  template <class Balance>
  void solve_implicit(Balance& balance, const T& t1, const T& h, const Coordinates& q0, const Coordinates& q0_remainder,
                      const typename System::Jacobian& G0, const SolverSettings<Real>& settings, StepReport& report) {
    Implicit<Balance> equations(Path{*this, t1, h, q0, q0_remainder}, balance, G0);
    equations.start();
    newton<T>(equations, settings, report);
    if (!succeeded(report.outcome)) return;
    equations.finish();
    multiply_transposed(G0, mu, reaction);
  }

 private:
  struct Path {
    PositionSolve& s;
    const T t1, h;  // by value: loops then know that they do not change
    const Coordinates &q0, &q0_remainder;

    void move() {
      for (int i = 0; i < s.u.size(); ++i) s.q1[i] = q0[i] + (h * s.u[i] + q0_remainder[i]);
    }
    // With the Jacobian even where the matrix is kept: it may be that of the end.
    void evaluate() {
      move();
      s.system_.constraint_jacobian(t1, s.q1, s.g_, s.G1);
      current = true;
    }
    void finish() {
      if (!current) evaluate();
    }
    // |h du| relative to the size of the positions: what round-off in q1 can resolve.
    Real relative(const Real& increment) const { return increment * scale; }
    // Whether the error left after the last correction, `left` times it, is at round-off in every coordinate by itself:
    // one that is large must not loosen the others.
    bool settled(const Real& left) const {
      using std::abs;
      const Real step = abs(value_of(h)), corrected = left * step / (4 * epsilon<T>());
      for (int i = 0; i < s.u.size(); ++i) {
        const Real size = abs(value_of(q0[i])) + step * abs(value_of(s.u[i]));
        if (!(corrected * abs(value_of(s.row_[i])) <= size)) return false;
      }
      return true;
    }
    void start() {
      using std::abs;
      const Real step = abs(value_of(h)), positions = size_in_parts(q0), velocities = size_in_parts(s.u);
      const Real size = positions + step * velocities;
      scale = size > Real(0) ? step / size : Real(1);
      if (s.continued) continuation = Continuation<Real>(velocities, positions / step);
    }
    bool given_up() const { return continuation.fails(); }
    // What a correction returns: its size, and what it says about the root.
    Real corrected() {
      const Real change = size_in_parts(s.row_);
      current = false;
      continuation.note(change);
      return relative(change);
    }
    Continuation<Real> continuation = {};
    Real scale = Real(0);
    bool current = false;  // u, q1 and G1 belong together
  };

  struct Explicit : Path {
    using Path::h, Path::s;
    const Mass<typename System::Square>& mass;
    const typename System::Jacobian& G0;

    Explicit(const Path& path, const Mass<typename System::Square>& M, const typename System::Jacobian& start)
        : Path(path), mass(M), G0(start) {}

    Real residual() {
      this->evaluate();
      using std::abs;
      return size_in_parts(s.g_) / abs(value_of(h));
    }
    // |g_a| at what the rounding of q1 makes of it
    bool at_floor() const { return below_rounding(s.G1, s.q1, s.g_); }
    bool factorise() { return s.schur_.factorise(s.G1, mass, G0); }
    Real correct() {
      for (T& g : s.g_) g /= h;
      s.schur_.solve(s.g_, s.dmu_);
      for (int a = 0; a < s.mu.size(); ++a) s.mu[a] += s.dmu_[a];
      if constexpr (few) {
        s.schur_.spread(s.dmu_, s.row_);
      } else {
        multiply_transposed(G0, s.dmu_, s.change_);
        mass.solve(s.change_, s.row_);
        for (int j = 0; j < s.u.size(); ++j) s.reaction[j] += s.change_[j];
      }
      for (int j = 0; j < s.u.size(); ++j) s.u[j] -= s.row_[j];
      return this->corrected();
    }
  };

  template <class Balance>
  struct Implicit : Path {
    using Path::h, Path::s;
    Balance& balance;
    const typename System::Jacobian& G0;

    Implicit(const Path& path, Balance& method, const typename System::Jacobian& start)
        : Path(path), balance(method), G0(start) {}

    Real residual() {
      this->evaluate();
      balance(s.u, s.q1, s.row_);
      subtract_transposed(G0, s.mu, s.row_);
      for (int i = 0; i < s.u.size(); ++i) s.residual_[i] = s.row_[i];
      for (int a = 0; a < s.mu.size(); ++a) s.residual_[s.u.size() + a] = s.g_[a] / h;
      return size_of(s.residual_);
    }
    bool factorise() {
      using std::abs;
      s.matrix_.clear();
      // Impulses in units in which a column of -G0^T is as large as the masses: SI units of molecules differ by 1e16.
      Real mass(0);
      const auto watch_diagonal = [&](const T& factor, const typename System::Square& A) {
        for (int i = 0; i < A.rows(); ++i)
          for_row(A, i, [&](int j, const T& x) {
            if (i == j) mass = std::max(mass, Real(abs(value_of(factor * x))));
          });
      };
      balance.jacobian(
          s.u, s.q1,
          [&](const T& factor, const typename System::Square& A) {
            watch_diagonal(factor, A);
            s.matrix_.add(s.balance_block_, factor, A);
          },
          [&](const T& factor, const typename System::Square& A) {
            s.matrix_.add_transposed(s.transposed_balance_block_, factor, A);
          });
      for (int a = 0; a < s.mu.size(); ++a) {
        Real largest(0);
        for_row(G0, a, [&](int, const T& x) { largest = std::max(largest, Real(abs(value_of(x)))); });
        s.unit_[a] = mass > Real(0) && largest > Real(0) ? T(mass / largest) : T(1);
      }
      scale_rows(G0, s.unit_, s.G0_in_units_);
      s.matrix_.add_transposed(s.reaction_block_, T(-1), s.G0_in_units_);
      s.matrix_.add(s.constraint_block_, T(1), s.G1);
      return s.matrix_.factorise();
    }
    Real correct() {
      s.matrix_.solve(s.residual_, s.correction_);
      for (int i = 0; i < s.u.size(); ++i) s.u[i] -= s.row_[i] = s.correction_[i];
      for (int a = 0; a < s.mu.size(); ++a) s.mu[a] -= s.unit_[a] * s.correction_[s.u.size() + a];
      return this->corrected();
    }
  };

  const System& system_;
  Schur<typename System::Jacobian> schur_;
  BlockMatrix<System, size_sum(n, m)> matrix_;
  typename BlockMatrix<System, size_sum(n, m)>::Block balance_block_, transposed_balance_block_, reaction_block_,
      constraint_block_;
  typename System::Jacobian G0_in_units_;
  Vec<T, size_sum(n, m)> residual_, correction_;
  Coordinates row_, change_;
  Multipliers g_, dmu_, unit_;
};

}  // namespace livens
