// Lagrangian systems with holonomic constraints and forces,
//
//   d/dt L_v = L_q + F - G^T lambda ,   g(t,q) = 0 ,   G = dg/dq        (the constraint force is -G^T lambda)
//
// stated in C++ as a functor templated on its scalar; every derivative comes from jets:
//
//   struct Pendulum {                                      // what a problem has not (constraints, forces) is left out
//     static constexpr int coordinates = 2, constraints = 1;
//     static constexpr bool constant_mass = true;                                   // optional, allows faster steps
//     template <class T> T         lagrangian(const Vec<T, 2>& q, const Vec<T, 2>& v) const;
//     template <class T> Vec<T, 1> constraint(const Vec<T, 2>& q) const;            // if constraints > 0
//     template <class T> Vec<T, 2> force(const Vec<T, 2>& q, const Vec<T, 2>& v) const;                  // optional
//     template <class T> Mat<T, 1, 2> constraint_jacobian(const Vec<T, 2>& q) const;                     // optional
//     static constexpr int invariants = 1;                                           // optional, watched by the audit
//     template <class T> Vec<T, 1> invariant_values(const Vec<T, 2>& q, const Vec<T, 2>& p) const;
//     template <class T> Vec<T, 2> potential_gradient(const Vec<T, 2>& q) const;    // optional, with constant_mass
//   };
//
// All may take the time as first argument. `Lagrangian<Problem, T>` gives methods the functions below; systems made of
// formulas (model/lagrangian_formulas.hpp) offer the same ones with run-time sizes.
#pragma once

#include <utility>

#include "livens/math/jet.hpp"
#include "livens/math/magnitude.hpp"
#include "livens/math/vec.hpp"
#include "livens/system/statement.hpp"
#include "livens/system/structure.hpp"

namespace livens {

template <class Problem, class T = double>
class Lagrangian {
 public:
  static constexpr bool well_stated = stated::element<Problem>;  // or else compiling ends with words
  static constexpr int n = stated::coordinates<Problem>, m = stated::constraints<Problem>;
  using Scalar = T;
  using Coordinates = Vec<T, n>;
  using Multipliers = Vec<T, m>;
  using Square = Mat<T, n, n>;
  using Jacobian = Mat<T, m, n>;

  explicit Lagrangian(Problem problem) : problem_(std::move(problem)) { static_cast<void>(well_stated); }

  static constexpr int coordinates() { return n; }
  static constexpr int constraints() { return m; }
  const Problem& problem() const { return problem_; }

  // Matrices of the system's shapes, zero.
  static Jacobian jacobian() { return Jacobian(); }
  static Square square() { return Square(); }
  static Square constraint_square() { return Square(); }

  static constexpr Structure structure() {
    Structure s;
    if constexpr (requires { Problem::constant_mass; }) s.constant_mass = Problem::constant_mass;
    if constexpr (requires { Problem::separable; }) s.separable = Problem::separable;
    s.separable = s.separable || s.constant_mass;
    s.constant_hessian = s.constant_mass;
    s.time_in_lagrangian = takes_time_lagrangian;
    s.time_in_constraints = takes_time_constraint;
    s.forces = has_force;
    s.velocity_in_forces = has_force;
    if constexpr (requires { Problem::constraint_degree; }) s.constraint_degree = Problem::constraint_degree;
    if constexpr (requires { Problem::potential_degree; }) s.potential_degree = Problem::potential_degree;
    return s;
  }

  // ---- the Lagrangian ----------------------------------------------------------------------------------------------
  T lagrangian(const T& t, const Coordinates& q, const Coordinates& v) const { return value(t, q, v); }

  void gradient(const T& t, const Coordinates& q, const Coordinates& v, Coordinates& Lq, Coordinates& Lv) const {
    using J = Jet<T, 2 * n>;
    const J L = value(J(t), variables<J>(q, 0), variables<J>(v, n));
    for (int i = 0; i < n; ++i) Lq[i] = L.gradient[i], Lv[i] = L.gradient[n + i];
  }

  // Lqv(i,j) = d2L / dq_i dv_j
  void hessian(const T& t, const Coordinates& q, const Coordinates& v, Square& Lqq, Square& Lqv, Square& Lvv) const {
    using J = Jet2<T, 2 * n>;
    const J L = value(J(t), variables<J>(q, 0), variables<J>(v, n));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        Lqq(i, j) = L.hessian(i, j);
        Lqv(i, j) = L.hessian(i, n + j);
        Lvv(i, j) = L.hessian(n + i, n + j);
      }
  }

  void mass(const T& t, const Coordinates& q, const Coordinates& v, Square& Lvv) const {
    using J = Jet2<T, n>;
    const J L = value(J(t), constants<J>(q), variables<J>(v, 0));
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) Lvv(i, j) = L.hessian(i, j);
  }

  // L_t
  T lagrangian_rate(const T& t, const Coordinates& q, const Coordinates& v) const {
    if constexpr (takes_time_lagrangian) {
      using J = Jet<T, 1>;
      return value(J::variable(t, 0), constants<J>(q), constants<J>(v)).gradient[0];
    } else {
      return T(0);
    }
  }

  // d/dt of L_v at fixed q and v
  void momentum_rate(const T& t, const Coordinates& q, const Coordinates& v, Coordinates& Lvt) const {
    if constexpr (takes_time_lagrangian) {
      using J = Jet2<T, n + 1>;
      const J L = value(J::variable(t, n), constants<J>(q), variables<J>(v, 0));
      for (int i = 0; i < n; ++i) Lvt[i] = L.hessian(i, n);
    } else {
      Lvt.fill(T(0));
    }
  }

  // For constant mass: V_q
  void potential_gradient(const T& t, const Coordinates& q, Coordinates& Vq) const {
    if constexpr (requires { problem_.potential_gradient(t, q); }) {
      Vq = problem_.potential_gradient(t, q);
    } else if constexpr (requires { problem_.potential_gradient(q); }) {
      Vq = problem_.potential_gradient(q);
    } else {
      using J = Jet<T, n>;
      const J L = value(J(t), variables<J>(q, 0), Vec<J, n>());
      for (int i = 0; i < n; ++i) Vq[i] = -L.gradient[i];
    }
  }

  // ---- forces ------------------------------------------------------------------------------------------------------
  void force(const T& t, const Coordinates& q, const Coordinates& v, Coordinates& F) const {
    if constexpr (has_force)
      F = force_value(t, q, v);
    else
      F.fill(T(0));
  }

  void force_velocity_jacobian(const T& t, const Coordinates& q, const Coordinates& v, Square& Fv) const {
    if constexpr (has_force) {
      using J = Jet<T, n>;
      const Vec<J, n> F = force_value(J(t), constants<J>(q), variables<J>(v, 0));
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) Fv(i, j) = F[i].gradient[j];
    } else {
      Fv.fill(T(0));
    }
  }

  void force_position_jacobian(const T& t, const Coordinates& q, const Coordinates& v, Square& Fq) const {
    if constexpr (has_force) {
      using J = Jet<T, n>;
      const Vec<J, n> F = force_value(J(t), variables<J>(q, 0), constants<J>(v));
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) Fq(i, j) = F[i].gradient[j];
    } else {
      Fq.fill(T(0));
    }
  }

  // ---- constraints -------------------------------------------------------------------------------------------------
  void constraint(const T& t, const Coordinates& q, Multipliers& g) const {
    if constexpr (m > 0) g = constraint_value(t, q);
  }

  void constraint_jacobian(const T& t, const Coordinates& q, Multipliers& g, Jacobian& G) const {
    if constexpr (m == 0) {
      return;
    } else if constexpr (requires { problem_.constraint_jacobian(t, q); }) {
      g = constraint_value(t, q), G = problem_.constraint_jacobian(t, q);
    } else if constexpr (requires { problem_.constraint_jacobian(q); }) {
      g = constraint_value(t, q), G = problem_.constraint_jacobian(q);
    } else {
      using J = Jet<T, n>;
      const Vec<J, m> value_and_gradient = constraint_value(J(t), variables<J>(q, 0));
      for (int a = 0; a < m; ++a) {
        g[a] = value_and_gradient[a].value;
        for (int j = 0; j < n; ++j) G(a, j) = value_and_gradient[a].gradient[j];
      }
    }
  }

  // g(t,q) by operations in the next wider scalar, where the constraint takes it; else g stays what it is.
  void refine_constraint(const T& t, const Coordinates& q, Multipliers& g) const {
    if constexpr (takes_wider_constraint) {
      Vec<Wider<T>, n> x;
      for (int i = 0; i < n; ++i) x[i] = q[i];
      const Vec<Wider<T>, m> value = constraint_value(Wider<T>(t), x);
      for (int a = 0; a < m; ++a) g[a] = static_cast<T>(value[a]);
    }
  }

  // dG/de of G(t, q + e v): the entries D2g_a[v, e_j]
  void constraint_jacobian_along(const T& t, const Coordinates& q, const Coordinates& v, Jacobian& Gv) const {
    if constexpr (m > 0) {
      using J = Jet<Jet<T, 1>, n>;
      const Vec<J, m> g = constraint_value(J(Jet<T, 1>(t)), variables_along<J>(q, v));
      for (int a = 0; a < m; ++a)
        for (int i = 0; i < n; ++i) Gv(a, i) = g[a].gradient[i].gradient[0];
    }
  }

  // g_t
  void constraint_rate(const T& t, const Coordinates& q, Multipliers& gt) const {
    if constexpr (takes_time_constraint && m > 0) {
      using J = Jet<T, 1>;
      const Vec<J, m> g = constraint_value(J::variable(t, 0), constants<J>(q));
      for (int a = 0; a < m; ++a) gt[a] = g[a].gradient[0];
    } else {
      gt.fill(T(0));
    }
  }

  // D2g[v,v] + 2 g_tq v + g_tt: the second derivative of g(t + e, q + e v) by e
  void constraint_curvature(const T& t, const Coordinates& q, const Coordinates& v, Multipliers& second) const {
    if constexpr (m > 0) {
      using J = Jet2<T, 1>;
      Vec<J, n> path;
      for (int i = 0; i < n; ++i) path[i] = J(q[i]) + J::variable(T(0), 0) * v[i];
      const Vec<J, m> g = constraint_value(J::variable(t, 0), path);
      for (int a = 0; a < m; ++a) second[a] = g[a].hessian(0, 0);
    }
  }

  // sum_a lambda_a D2g_a
  void constraint_hessian(const T& t, const Coordinates& q, const Multipliers& lambda, Square& H) const {
    H.fill(T(0));
    if constexpr (m > 0) {
      using J = Jet2<T, n>;
      const Vec<J, m> g = constraint_value(J(t), variables<J>(q, 0));
      for (int a = 0; a < m; ++a)
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j) H(i, j) += lambda[a] * g[a].hessian(i, j);
    }
  }

  // sum_a lambda_a D3g_a[v]: the derivative of the one before times v, by q
  void constraint_third(const T& t, const Coordinates& q, const Multipliers& lambda, const Coordinates& v,
                        Square& C) const {
    C.fill(T(0));
    if constexpr (m > 0) {
      using J = Jet2<Jet<T, 1>, n>;
      const Vec<J, m> g = constraint_value(J(Jet<T, 1>(t)), variables_along<J>(q, v));
      for (int a = 0; a < m; ++a)
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j) C(i, j) += lambda[a] * g[a].hessian(i, j).gradient[0];
    }
  }

  // Size of the terms that g_a is summed from, for "is g zero to round-off?"
  void constraint_size(const T& t, const Coordinates& q, Multipliers& size) const {
    if constexpr (m > 0) {
      using S = Magnitude<T>;
      const Vec<S, m> g = constraint_value(S(t), constants<S>(q));
      for (int a = 0; a < m; ++a) size[a] = g[a].size;
    }
  }

  // ---- invariants: optional `static constexpr int invariants` and `invariant_values(q, p)` -------------------------
  static constexpr int invariants() {
    if constexpr (requires { Problem::invariants; })
      return Problem::invariants;
    else
      return 0;
  }
  void invariant_values(const T&, const Coordinates& q, const Coordinates&, const Coordinates& p, T* out) const {
    if constexpr (invariants() > 0) {
      const auto values = problem_.invariant_values(q, p);
      for (int k = 0; k < invariants(); ++k) out[k] = values[k];
    }
  }

  // Signatures with and without time, one place.
  template <class S>
  S value(const S& t, const Vec<S, n>& q, const Vec<S, n>& v) const {
    if constexpr (takes_time_lagrangian)
      return problem_.lagrangian(t, q, v);
    else if constexpr (has_lagrangian)
      return problem_.lagrangian(q, v);
    else
      return S(0);
  }

 private:
  using Plain = Vec<double, n>;
  static constexpr bool takes_time_lagrangian = requires(const Problem& p, double t, const Plain& q) {
    p.lagrangian(t, q, q);
  };

 public:
  static constexpr bool has_lagrangian = takes_time_lagrangian || requires(const Problem& p, const Plain& q) {
    p.lagrangian(q, q);
  };

 private:
  static constexpr bool takes_time_constraint = requires(const Problem& p, double t, const Plain& q) {
    p.constraint(t, q);
  };
  static constexpr bool takes_wider_constraint =
      !std::is_same_v<Wider<T>, T> &&
      (
          requires(const Problem& p, const Wider<T>& t, const Vec<Wider<T>, n>& q) { p.constraint(t, q); } ||
          requires(const Problem& p, const Vec<Wider<T>, n>& q) { p.constraint(q); });
  static constexpr bool takes_time_force = requires(const Problem& p, double t, const Plain& q) { p.force(t, q, q); };
  static constexpr bool has_force = takes_time_force || requires(const Problem& p, const Plain& q) { p.force(q, q); };

  template <class S>
  Vec<S, m> constraint_value(const S& t, const Vec<S, n>& q) const {
    if constexpr (takes_time_constraint)
      return problem_.constraint(t, q);
    else
      return problem_.constraint(q);
  }
  template <class S>
  Vec<S, n> force_value(const S& t, const Vec<S, n>& q, const Vec<S, n>& v) const {
    if constexpr (takes_time_force)
      return problem_.force(t, q, v);
    else
      return problem_.force(q, v);
  }
  template <class J>
  static Vec<J, n> variables(const Coordinates& x, int offset) {
    Vec<J, n> out;
    for (int i = 0; i < n; ++i) out[i] = J::variable(x[i], offset + i);
    return out;
  }
  // q + e v, as variables
  template <class J>
  static Vec<J, n> variables_along(const Coordinates& q, const Coordinates& v) {
    Vec<J, n> out;
    for (int i = 0; i < n; ++i) {
      Jet<T, 1> line(q[i]);
      line.gradient[0] = v[i];
      out[i] = J::variable(line, i);
    }
    return out;
  }
  template <class J>
  static Vec<J, n> constants(const Coordinates& x) {
    Vec<J, n> out;
    for (int i = 0; i < n; ++i) out[i] = J(x[i]);
    return out;
  }

  Problem problem_;
};

}  // namespace livens
