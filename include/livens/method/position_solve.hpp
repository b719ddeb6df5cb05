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

#include "livens/math/lu.hpp"
#include "livens/solve/newton.hpp"
#include "livens/system/kinetics.hpp"

namespace livens {

template <class System>
class PositionSolve {
 public:
  using T = typename System::Scalar;
  using Real = RealOf<T>;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;
  static constexpr int n = System::n, m = System::m;

  explicit PositionSolve(const System& system, bool explicit_balance)
      : u(system.coordinates()),
        q1(u),
        mu(system.constraints()),
        G1(system.constraints(), system.coordinates()),
        system_(system),
        schur_(m == Dynamic && !explicit_balance ? 0 : system.constraints()),
        saddle_(n == Dynamic && explicit_balance ? 0 : system.coordinates() + system.constraints()),
        WG0_(system.constraints(), system.coordinates()),
        residual_(system.coordinates() + system.constraints()),
        correction_(residual_),
        row_(u),
        g_(mu),
        dmu_(mu),
        unit_(mu) {}

  Coordinates u, q1;             // velocity and new position; q1 is q0 + h u with the carried remainder of q0
  Multipliers mu;                // impulse; its value on entry is the guess
  typename System::Jacobian G1;  // constraint Jacobian near q1: at the last iterate but one

  // b(u) = c - M u.
  void solve_explicit(const Mass<T, n>& mass, const Coordinates& c, const T& t1, const T& h, const Coordinates& q0,
                      const Coordinates& q0_remainder, const typename System::Jacobian& G0,
                      const SolverSettings<Real>& settings, StepReport& report) {
    mass.solve(c, u);
    mass.solve_rows(G0, WG0_);
    for (int a = 0; a < mu.size(); ++a)
      for (int j = 0; j < u.size(); ++j) u[j] -= WG0_(a, j) * mu[a];
    Explicit equations{{*this, t1, h, q0, q0_remainder}};
    if (mu.size() == 0) {
      equations.move();
      report.outcome = Outcome::converged;
      report.iterations = report.jacobians = report.evaluations = 0;
      return;
    }
    equations.start();
    newton<T>(equations, settings, report);
    if (succeeded(report.outcome)) equations.move();
  }

  // Any b(u): `balance(u, b)` writes b, `balance_jacobian(u, A)` writes db/du; u holds the guess on entry.
  template <class Balance>
  void solve_implicit(Balance& balance, const T& t1, const T& h, const Coordinates& q0, const Coordinates& q0_remainder,
                      const typename System::Jacobian& G0, const SolverSettings<Real>& settings, StepReport& report) {
    Implicit<Balance> equations(Path{*this, t1, h, q0, q0_remainder}, balance, G0);
    equations.start();
    newton<T>(equations, settings, report);
    if (succeeded(report.outcome)) equations.move();
  }

 private:
  struct Path {
    PositionSolve& s;
    const T &t1, &h;
    const Coordinates &q0, &q0_remainder;

    void move() {
      for (int i = 0; i < s.u.size(); ++i) s.q1[i] = q0[i] + (h * s.u[i] + q0_remainder[i]);
    }
    // |h du| relative to the size of the positions: what round-off in q1 can resolve.
    Real relative(const Real& increment) const { return increment * scale; }
    // Whether the error left after the last correction, `left` times it, is at round-off in every coordinate by itself:
    // one that is large must not loosen the others.
    bool settled(const Real& left) const {
      using std::abs;
      for (int i = 0; i < s.u.size(); ++i) {
        const Real moved = abs(value_of(h * s.u[i])), correction = abs(value_of(h * s.row_[i]));
        if (!(left * correction <= 4 * epsilon<T>() * (abs(value_of(q0[i])) + moved))) return false;
      }
      return true;
    }
    void start() {
      using std::abs;
      const Real step = abs(value_of(h));
      const Real size = size_of(q0) + step * size_of(s.u);
      scale = size > Real(0) ? step / size : Real(1);
    }
    Real scale = Real(0);
  };

  struct Explicit : Path {
    using Path::h, Path::s;
    Real residual() {
      this->move();
      s.system_.constraint_jacobian(this->t1, s.q1, s.g_, s.G1);
      for (T& g : s.g_) g /= h;
      return size_of(s.g_);
    }
    bool factorise() {
      multiply_by_transposed(s.G1, s.WG0_, s.schur_.matrix());
      return s.schur_.factorise();
    }
    Real correct() {
      s.schur_.solve(s.g_, s.dmu_);
      for (int a = 0; a < s.mu.size(); ++a) s.mu[a] += s.dmu_[a];
      multiply_transposed(s.WG0_, s.dmu_, s.row_);
      for (int j = 0; j < s.u.size(); ++j) s.u[j] -= s.row_[j];
      return this->relative(size_of(s.row_));
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
      this->move();
      s.system_.constraint_jacobian(this->t1, s.q1, s.g_, s.G1);
      balance(s.u, s.q1, s.row_);
      for (int i = 0; i < s.u.size(); ++i) {
        T sum = s.row_[i];
        for (int a = 0; a < s.mu.size(); ++a) sum -= G0(a, i) * s.mu[a];
        s.residual_[i] = sum;
      }
      for (int a = 0; a < s.mu.size(); ++a) s.residual_[s.u.size() + a] = s.g_[a] / h;
      return size_of(s.residual_);
    }
    bool factorise() {
      auto& A = s.saddle_.matrix();
      const int coordinates = s.u.size(), constraints = s.mu.size();
      A.fill(T(0));
      balance.jacobian(s.u, s.q1, A);
      // Impulses in units in which a column of -G0^T is as large as the masses: SI units of molecules differ by 1e16.
      using std::abs;
      Real mass(0);
      for (int i = 0; i < coordinates; ++i) mass = std::max(mass, Real(abs(value_of(A(i, i)))));
      for (int a = 0; a < constraints; ++a) {
        Real largest(0);
        for (int i = 0; i < coordinates; ++i) largest = std::max(largest, Real(abs(value_of(G0(a, i)))));
        s.unit_[a] = mass > Real(0) && largest > Real(0) ? T(mass / largest) : T(1);
        for (int i = 0; i < coordinates; ++i) {
          A(i, coordinates + a) = -G0(a, i) * s.unit_[a];
          A(coordinates + a, i) = s.G1(a, i);
        }
      }
      return s.saddle_.factorise();
    }
    Real correct() {
      s.saddle_.solve(s.residual_, s.correction_);
      for (int i = 0; i < s.u.size(); ++i) s.u[i] -= s.row_[i] = s.correction_[i];
      for (int a = 0; a < s.mu.size(); ++a) s.mu[a] -= s.unit_[a] * s.correction_[s.u.size() + a];
      return this->relative(size_of(s.row_));
    }
  };

  const System& system_;
  Lu<T, m> schur_;
  Lu<T, size_sum(n, m)> saddle_;
  typename System::Jacobian WG0_;  // G0 M^-1
  Vec<T, size_sum(n, m)> residual_, correction_;
  Coordinates row_;
  Multipliers g_, dmu_, unit_;
};

}  // namespace livens
