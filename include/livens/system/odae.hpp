// Overdetermined differential-algebraic systems
//
//   y' = v(t,y,z) ,   z' = f(t,y,z) + r(t,y,z,psi) ,   0 = g(y) ,   0 = g_y(y) v(t,y,z)
//
// where r may be nonlinear in the multipliers psi and g_y v_z r_psi is regular. Source: Consistent extensions of the
// symplectic Euler method for a class of overdetermined DAEs, eqs. (3.1a-e); explicit time in v, f and r is ours.
// Stated in C++ as a functor templated on its scalar; every derivative comes from jets:
//
//   struct Bead {
//     static constexpr int positions = 2, velocities = 2, multipliers = 1;
//     template <class T> Vec<T, 2> velocity(const Vec<T, 2>& y, const Vec<T, 2>& z) const;
//     template <class T> Vec<T, 2> force(const Vec<T, 2>& y, const Vec<T, 2>& z) const;
//     template <class T> Vec<T, 2> reaction(const Vec<T, 2>& y, const Vec<T, 2>& z, const Vec<T, 1>& psi) const;
//     template <class T> Vec<T, 1> constraint(const Vec<T, 2>& y) const;
//     static constexpr bool linear_reaction = true;                          // optional: r = R(t,y) psi
//     static constexpr int invariants = 1;                                   // optional, watched by the audit
//     template <class T> Vec<T, 1> invariant_values(const Vec<T, 2>& y, const Vec<T, 2>& z) const;
//   };
//
// velocity, force and reaction may take the time as first argument. Systems made of formulas (model/odae_formulas.hpp)
// offer the same functions with run-time sizes.
#pragma once

#include <utility>

#include "livens/math/jet.hpp"
#include "livens/math/magnitude.hpp"
#include "livens/math/vec.hpp"
#include "livens/system/statement.hpp"

namespace livens {

// What a method may rely on. Declared by C++ systems (and compared with the functions by check_derivatives), found
// from formulas.
struct OdaeStructure {
  bool time = false;             // v, f or r depends on t
  bool linear_reaction = false;  // r = R(t,y) psi
  bool velocities_in_reaction = true;
};

template <class Problem, class T = double>
class Odae {
 public:
  static constexpr bool well_stated = stated::odae_system<Problem>;  // or else compiling ends with words
  static constexpr int ny = stated::positions<Problem>, nz = stated::velocities<Problem>,
                       m = stated::multipliers<Problem>;
  using Scalar = T;
  using Positions = Vec<T, ny>;
  using Velocities = Vec<T, nz>;
  using Multipliers = Vec<T, m>;
  using MatYY = Mat<T, ny, ny>;
  using MatYZ = Mat<T, ny, nz>;
  using MatZY = Mat<T, nz, ny>;
  using MatZZ = Mat<T, nz, nz>;
  using MatZM = Mat<T, nz, m>;
  using Jacobian = Mat<T, m, ny>;
  using Coordinates = Positions;

  explicit Odae(Problem problem) : problem_(std::move(problem)) { static_cast<void>(well_stated); }

  static constexpr int positions() { return ny; }
  static constexpr int velocities() { return nz; }
  static constexpr int multipliers() { return m; }
  static constexpr int coordinates() { return ny; }
  static constexpr int constraints() { return m; }
  const Problem& problem() const { return problem_; }

  static constexpr OdaeStructure structure() {
    OdaeStructure s;
    s.time = time_in_velocity || time_in_force || time_in_reaction;
    if constexpr (requires { Problem::linear_reaction; }) s.linear_reaction = Problem::linear_reaction;
    return s;
  }

  // ---- y' = v ------------------------------------------------------------------------------------------------------
  void velocity(const T& t, const Positions& y, const Velocities& z, Positions& v) const {
    v = velocity_value(t, y, z);
  }

  void velocity_jacobian(const T& t, const Positions& y, const Velocities& z, MatYY& vy, MatYZ& vz) const {
    using J = Jet<T, ny + nz>;
    const auto v = velocity_value(J(t), variables<J>(y, 0), variables<J>(z, ny));
    take(v, 0, vy), take(v, ny, vz);
  }

  // v_t
  void velocity_rate(const T& t, const Positions& y, const Velocities& z, Positions& vt) const {
    if constexpr (time_in_velocity) {
      using J = Jet<T, 1>;
      const auto v = velocity_value(J::variable(t, 0), constants<J>(y), constants<J>(z));
      for (int i = 0; i < ny; ++i) vt[i] = v[i].gradient[0];
    } else {
      vt.fill(T(0));
    }
  }

  // sum_i weight_i D2 v_i / dz dz
  void velocity_hessian(const T& t, const Positions& y, const Velocities& z, const Positions& weights, MatZZ& H) const {
    using J = Jet2<T, nz>;
    sum_of_hessians(velocity_value(J(t), constants<J>(y), variables<J>(z, 0)), weights, H);
  }

  // ---- z' = f + r --------------------------------------------------------------------------------------------------
  void force(const T& t, const Positions& y, const Velocities& z, Velocities& f) const { f = force_value(t, y, z); }

  void force_jacobian(const T& t, const Positions& y, const Velocities& z, MatZY& fy, MatZZ& fz) const {
    using J = Jet<T, ny + nz>;
    const auto f = force_value(J(t), variables<J>(y, 0), variables<J>(z, ny));
    take(f, 0, fy), take(f, ny, fz);
  }

  void reaction(const T& t, const Positions& y, const Velocities& z, const Multipliers& psi, Velocities& r) const {
    r = reaction_value(t, y, z, psi);
  }

  void reaction_jacobian(const T& t, const Positions& y, const Velocities& z, const Multipliers& psi, MatZY& ry,
                         MatZZ& rz, MatZM& rpsi) const {
    using J = Jet<T, ny + nz + m>;
    const auto r = reaction_value(J(t), variables<J>(y, 0), variables<J>(z, ny), variables<J>(psi, ny + nz));
    take(r, 0, ry), take(r, ny, rz), take(r, ny + nz, rpsi);
  }

  // ---- constraints -------------------------------------------------------------------------------------------------
  void constraint(const Positions& y, Multipliers& g) const { g = problem_.constraint(y); }

  void constraint_jacobian(const Positions& y, Multipliers& g, Jacobian& G) const {
    const auto value = problem_.constraint(variables<Jet<T, ny>>(y, 0));
    for (int a = 0; a < m; ++a) g[a] = value[a].value;
    take(value, 0, G);
  }

  // g_yy(v,v): the second derivative of g(y + e v) by e
  void constraint_curvature(const Positions& y, const Positions& v, Multipliers& second) const {
    using J = Jet2<T, 1>;
    Vec<J, ny> path;
    for (int i = 0; i < ny; ++i) path[i] = J(y[i]) + J::variable(T(0), 0) * v[i];
    const auto g = problem_.constraint(path);
    for (int a = 0; a < m; ++a) second[a] = g[a].hessian(0, 0);
  }

  // sum_a weight_a D2 g_a
  void constraint_hessian(const Positions& y, const Multipliers& weights, MatYY& H) const {
    sum_of_hessians(problem_.constraint(variables<Jet2<T, ny>>(y, 0)), weights, H);
  }

  // Size of the terms that g_a is summed from, for "is g zero to round-off?"
  void constraint_size(const Positions& y, Multipliers& size) const {
    const auto g = problem_.constraint(constants<Magnitude<T>>(y));
    for (int a = 0; a < m; ++a) size[a] = g[a].size;
  }

  // ---- invariants --------------------------------------------------------------------------------------------------
  static constexpr int invariants() {
    if constexpr (requires { Problem::invariants; })
      return Problem::invariants;
    else
      return 0;
  }
  void invariant_values(const T&, const Positions& y, const Velocities& z, T* out) const {
    if constexpr (invariants() > 0) {
      const auto values = problem_.invariant_values(y, z);
      for (int k = 0; k < invariants(); ++k) out[k] = values[k];
    }
  }

 private:
  using PlainY = Vec<double, ny>;
  using PlainZ = Vec<double, nz>;
  using PlainM = Vec<double, m>;
  static constexpr bool time_in_velocity = requires(const Problem& p, double t, const PlainY& y, const PlainZ& z) {
    p.velocity(t, y, z);
  };
  static constexpr bool time_in_force = requires(const Problem& p, double t, const PlainY& y, const PlainZ& z) {
    p.force(t, y, z);
  };
  static constexpr bool time_in_reaction =
      requires(const Problem& p, double t, const PlainY& y, const PlainZ& z, const PlainM& psi) {
    p.reaction(t, y, z, psi);
  };

  template <class S>
  Vec<S, ny> velocity_value(const S& t, const Vec<S, ny>& y, const Vec<S, nz>& z) const {
    if constexpr (time_in_velocity)
      return problem_.velocity(t, y, z);
    else
      return problem_.velocity(y, z);
  }
  template <class S>
  Vec<S, nz> force_value(const S& t, const Vec<S, ny>& y, const Vec<S, nz>& z) const {
    if constexpr (time_in_force)
      return problem_.force(t, y, z);
    else
      return problem_.force(y, z);
  }
  template <class S>
  Vec<S, nz> reaction_value(const S& t, const Vec<S, ny>& y, const Vec<S, nz>& z, const Vec<S, m>& psi) const {
    if constexpr (time_in_reaction)
      return problem_.reaction(t, y, z, psi);
    else
      return problem_.reaction(y, z, psi);
  }

  template <class J, int N>
  static Vec<J, N> variables(const Vec<T, N>& x, int offset) {
    Vec<J, N> out;
    for (int i = 0; i < N; ++i) out[i] = J::variable(x[i], offset + i);
    return out;
  }
  template <class S, int N>
  static Vec<S, N> constants(const Vec<T, N>& x) {
    Vec<S, N> out;
    for (int i = 0; i < N; ++i) out[i] = S(x[i]);
    return out;
  }
  // The columns of derivatives that begin at an offset.
  template <class J, int R, int C>
  static void take(const Vec<J, R>& value, int offset, Mat<T, R, C>& out) {
    for (int i = 0; i < R; ++i)
      for (int j = 0; j < C; ++j) out(i, j) = value[i].gradient[offset + j];
  }
  template <class J, int R, int N>
  static void sum_of_hessians(const Vec<J, R>& value, const Vec<T, R>& weights, Mat<T, N, N>& H) {
    H.fill(T(0));
    for (int k = 0; k < R; ++k)
      for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j) H(i, j) += weights[k] * value[k].hessian(i, j);
  }

  Problem problem_;
};

}  // namespace livens
