// Degenerate Lagrangian systems  L(q,v) = theta(q).v - H(q).
// Source: Kraus (2017), Projected variational integrators for degenerate Lagrangian systems, section 2.
//
//   J_ik = d theta_i / d q_k ,   Om = J^T - J ,  that is  Om_ij = d_i theta_j - d_j theta_i
//   equations of motion   Om(q) q' = grad H(q)          momentum   p = L_v = theta(q)
//   force                 L_q(q,v) = J^T v - grad H     its derivative   sum_k v_k D2 theta_k - D2 H
//
// stated in C++ as a functor templated on its scalar; every derivative comes from jets:
//
//   struct LotkaVolterra {
//     static constexpr int coordinates = 2;
//     template <class T> Vec<T, 2> theta(const Vec<T, 2>& q) const;
//     template <class T> T         hamiltonian(const Vec<T, 2>& q) const;
//     static constexpr int invariants = 1;                                           // optional, watched by the audit
//     template <class T> Vec<T, 1> invariant_values(const Vec<T, 2>& q, const Vec<T, 2>& p) const;
//   };
//
// Systems made of formulas (model/degenerate_formulas.hpp) offer the same functions with run-time sizes.
#pragma once

#include <utility>

#include "livens/math/jet.hpp"
#include "livens/math/lu.hpp"
#include "livens/math/vec.hpp"
#include "livens/solve/outcome.hpp"
#include "livens/system/statement.hpp"
#include "livens/system/unconstrained.hpp"

namespace livens {

template <class Problem, class T = double>
class Degenerate : public Unconstrained<T, stated::coordinates<Problem>> {
 public:
  static constexpr bool well_stated = stated::degenerate_system<Problem>;  // or else compiling ends with words
  static constexpr int n = stated::coordinates<Problem>;
  using Scalar = T;
  using Coordinates = Vec<T, n>;
  using Square = Mat<T, n, n>;

  explicit Degenerate(Problem problem) : problem_(std::move(problem)) { static_cast<void>(well_stated); }

  static constexpr int coordinates() { return n; }
  static Square square() { return Square(); }
  const Problem& problem() const { return problem_; }

  // ---- the one-form ------------------------------------------------------------------------------------------------
  void theta(const Coordinates& q, Coordinates& out) const { out = problem_.theta(q); }

  void theta_jacobian(const Coordinates& q, Coordinates& out, Square& J) const {
    const auto value = problem_.theta(variables<Jet<T, n>>(q));
    for (int i = 0; i < n; ++i) {
      out[i] = value[i].value;
      for (int k = 0; k < n; ++k) J(i, k) = value[i].gradient[k];
    }
  }

  // sum_k v_k D2 theta_k
  void theta_curvature(const Coordinates& q, const Coordinates& v, Square& C) const {
    const auto value = problem_.theta(variables<Jet2<T, n>>(q));
    C.fill(T(0));
    for (int k = 0; k < n; ++k)
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) C(i, j) += v[k] * value[k].hessian(i, j);
  }

  // ---- the Hamiltonian ---------------------------------------------------------------------------------------------
  T hamiltonian(const Coordinates& q) const { return problem_.hamiltonian(q); }

  void hamiltonian_gradient(const Coordinates& q, Coordinates& Hq) const {
    const auto H = problem_.hamiltonian(variables<Jet<T, n>>(q));
    for (int i = 0; i < n; ++i) Hq[i] = H.gradient[i];
  }

  void hamiltonian_hessian(const Coordinates& q, Square& Hqq) const {
    const auto H = problem_.hamiltonian(variables<Jet2<T, n>>(q));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) Hqq(i, j) = H.hessian(i, j);
  }

  // ---- both at once ------------------------------------------------------------------------------------------------
  // theta, J and the force J^T v - grad H
  void force_and_momentum(const Coordinates& q, const Coordinates& v, Coordinates& f, Coordinates& out,
                          Square& J) const {
    const auto at = variables<Jet<T, n>>(q);
    const auto value = problem_.theta(at);
    const auto H = problem_.hamiltonian(at);
    for (int k = 0; k < n; ++k) f[k] = -H.gradient[k];
    for (int i = 0; i < n; ++i) {
      out[i] = value[i].value;
      for (int k = 0; k < n; ++k) J(i, k) = value[i].gradient[k], f[k] += v[i] * value[i].gradient[k];
    }
  }
  // J and the derivative of the force by q, sum_k v_k D2 theta_k - D2 H
  void force_jacobian(const Coordinates& q, const Coordinates& v, Square& J, Square& fq) const {
    const auto at = variables<Jet2<T, n>>(q);
    const auto value = problem_.theta(at);
    const auto H = problem_.hamiltonian(at);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        J(i, j) = value[i].gradient[j];
        fq(i, j) = -H.hessian(i, j);
        for (int k = 0; k < n; ++k) fq(i, j) += v[k] * value[k].hessian(i, j);
      }
  }

  // ---- invariants --------------------------------------------------------------------------------------------------
  static constexpr int invariants() {
    if constexpr (requires { Problem::invariants; })
      return Problem::invariants;
    else
      return 0;
  }
  void invariant_values(const Coordinates& q, const Coordinates& p, T* out) const {
    if constexpr (invariants() > 0) {
      const auto values = problem_.invariant_values(q, p);
      for (int k = 0; k < invariants(); ++k) out[k] = values[k];
    }
  }

 private:
  template <class J>
  static Vec<J, n> variables(const Coordinates& q) {
    Vec<J, n> out;
    for (int i = 0; i < n; ++i) out[i] = J::variable(q[i], i);
    return out;
  }

  Problem problem_;
};

// Om = J^T - J
template <class T, int N>
void symplectic_matrix(const Mat<T, N, N>& J, Mat<T, N, N>& Om) {
  for (int i = 0; i < J.rows(); ++i)
    for (int j = 0; j < J.rows(); ++j) Om(i, j) = J(j, i) - J(i, j);
}

// The vector field v = Om(q)^-1 grad H(q). One object is the workspace of one thread.
template <class System>
class DegenerateField {
 public:
  using T = typename System::Scalar;
  using Coordinates = typename System::Coordinates;

  explicit DegenerateField(const System& system)
      : system_(system),
        Om_(system.coordinates()),
        J_(system.coordinates(), system.coordinates()),
        theta_(system.coordinates()),
        Hq_(theta_) {}

  // 0 where it is not defined.
  Outcome velocity(const Coordinates& q, Coordinates& v) {
    v.fill(T(0));
    system_.theta_jacobian(q, theta_, J_);
    system_.hamiltonian_gradient(q, Hq_);
    symplectic_matrix(J_, Om_.matrix());
    if (!is_finite(sum(J_)) || !is_finite(size_of(Hq_))) return Outcome::not_finite;
    if (!Om_.factorise()) return Outcome::singular_jacobian;
    Om_.solve(Hq_, v);
    return is_finite(size_of(v)) ? Outcome::converged : Outcome::not_finite;
  }

 private:
  static RealOf<T> sum(const typename System::Square& A) {
    RealOf<T> total(0);
    for (int i = 0; i < A.rows(); ++i)
      for (int j = 0; j < A.cols(); ++j) total += value_of(A(i, j));
    return total;
  }

  const System& system_;
  Lu<T, System::n> Om_;
  typename System::Square J_;
  Coordinates theta_, Hq_;
};

}  // namespace livens
