// Consistent start values of an overdetermined system: g(y) = 0 and g_y v(t,y,z) = 0, checked relative to the size of
// the terms, or reached by projection; psi from the hidden equation (H) of hidden_equation.hpp.
//
//   position  nearest y (Euclidean):               y - y_given + g_y^T mu = 0 ,          g(y) = 0
//   velocity  nearest z (Euclidean) at the new y:  z - z_given + (g_y v_z)^T mu = 0 ,    g_y v(t,y,z) = 0
//
// both by Newton with the curvature of the conditions in the matrix, so the limit is a stationary point of the
// distance also where v is not linear in z.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "livens/system/hidden_equation.hpp"
#include "livens/system/start.hpp"

namespace livens {

struct OdaeStartFault {
  enum class Kind {
    velocity_not_finite,
    force_not_finite,
    reaction_not_finite,
    constraint_not_finite,
    zero_gradient,  // of a constraint, which then holds no position
    dependent_constraints,
    position,       // g is not 0
    velocity,       // g_y v is not 0
    no_projection,  // no point of the constraints was found near y, or none of the hidden ones near z
    not_solvable,   // g_y v_z r_psi is singular (3.1e): the reaction cannot hold the constraint
    no_multiplier,  // Newton found no psi from the guess
  };
  Kind kind;
  int index = 0;          // of the constraint or component, from 0
  double value = 0;       // of the residual
  std::vector<int> rows;  // the dependent constraints
};

constexpr std::string_view name(OdaeStartFault::Kind kind) {
  using Kind = OdaeStartFault::Kind;
  switch (kind) {
    case Kind::velocity_not_finite:
      return "the velocity is not finite";
    case Kind::force_not_finite:
      return "the force is not finite";
    case Kind::reaction_not_finite:
      return "the reaction is not finite";
    case Kind::constraint_not_finite:
      return "a constraint is not finite";
    case Kind::zero_gradient:
      return "a constraint has no gradient";
    case Kind::dependent_constraints:
      return "constraints depend on each other";
    case Kind::position:
      return "y is not on the constraints";
    case Kind::velocity:
      return "g_y v is not 0";
    case Kind::no_projection:
      return "no point of the constraints was found near the start";
    case Kind::not_solvable:
      return "g_y v_z r_psi is singular";
    case Kind::no_multiplier:
      return "no multiplier was found from its guess";
  }
  return "";
}

// x - x_given + C(x)^T mu = 0 and c(x) = 0 for (x, mu), as equations for newton(). The conditions offer
//   evaluate(x, c, C)       values and Jacobian
//   hessian(x, mu, H)       sum_a mu_a D2 c_a
template <class T, int N, int M, class Conditions>
class NearestPoint {
 public:
  NearestPoint(Conditions conditions, Vec<T, N>& x, int count)
      : conditions_(std::move(conditions)),
        x_(x),
        given_(x),
        c_(count),
        mu_(count),
        C_(count, x.size()),
        H_(x.size(), x.size()),
        lu_(x.size() + count),
        r_(x.size() + count),
        d_(r_) {
    mu_.fill(T(0));
  }

  RealOf<T> residual() {
    const int n = x_.size();
    conditions_.evaluate(x_, c_, C_);
    for (int i = 0; i < n; ++i) {
      r_[i] = x_[i] - given_[i];
      for (int a = 0; a < c_.size(); ++a) r_[i] += C_(a, i) * mu_[a];
    }
    for (int a = 0; a < c_.size(); ++a) r_[n + a] = c_[a];
    return size_of(r_);
  }
  bool factorise() {
    const int n = x_.size();
    auto& A = lu_.matrix();
    A.fill(T(0));
    conditions_.hessian(x_, mu_, H_);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) A(i, j) = H_(i, j) + T(i == j ? 1 : 0);
    for (int a = 0; a < c_.size(); ++a)
      for (int j = 0; j < n; ++j) A(n + a, j) = A(j, n + a) = C_(a, j);
    return lu_.factorise();
  }
  RealOf<T> correct() {
    using std::abs;
    const int n = x_.size();
    lu_.solve(r_, d_);
    RealOf<T> change(0);
    for (int i = 0; i < n; ++i) x_[i] -= d_[i], change += abs(value_of(d_[i]));
    for (int a = 0; a < c_.size(); ++a) mu_[a] -= d_[n + a];
    const RealOf<T> size = size_of(x_) + size_of(given_);
    return size > RealOf<T>(0) ? change / size : change;
  }

 private:
  Conditions conditions_;
  Vec<T, N>& x_;
  Vec<T, N> given_;
  Vec<T, M> c_, mu_;
  Mat<T, M, N> C_;
  Mat<T, N, N> H_;
  Lu<T, size_sum(N, M)> lu_;
  Vec<T, size_sum(N, M)> r_, d_;
};

// g(y) = 0
template <class System>
struct PositionConditions {
  const System& system;
  void evaluate(const typename System::Positions& y, typename System::Multipliers& c, typename System::Jacobian& C) {
    system.constraint_jacobian(y, c, C);
  }
  void hessian(const typename System::Positions& y, const typename System::Multipliers& mu, typename System::MatYY& H) {
    system.constraint_hessian(y, mu, H);
  }
};

// c(z) = G v(t,y,z) = 0 at fixed t and y ,   C = G v_z ,   sum_a mu_a D2 c_a = sum_i (G^T mu)_i D2 v_i
template <class System>
struct VelocityConditions {
  using T = typename System::Scalar;
  const System& system;
  const T& t;
  const typename System::Positions& y;
  const typename System::Jacobian& G;
  typename System::Positions v;
  typename System::MatYY vy;
  typename System::MatYZ vz;

  VelocityConditions(const System& s, const T& time, const typename System::Positions& position,
                     const typename System::Jacobian& jacobian)
      : system(s),
        t(time),
        y(position),
        G(jacobian),
        v(s.positions()),
        vy(s.positions(), s.positions()),
        vz(s.positions(), s.velocities()) {}

  void evaluate(const typename System::Velocities& z, typename System::Multipliers& c,
                Mat<T, System::m, System::nz>& C) {
    system.velocity(t, y, z, v);
    system.velocity_jacobian(t, y, z, vy, vz);
    multiply(G, v, c);
    for (int a = 0; a < C.rows(); ++a)
      for (int j = 0; j < C.cols(); ++j) {
        C(a, j) = T(0);
        for (int i = 0; i < v.size(); ++i) C(a, j) += G(a, i) * vz(i, j);
      }
  }
  void hessian(const typename System::Velocities& z, const typename System::Multipliers& mu,
               typename System::MatZZ& H) {
    multiply_transposed(G, mu, v);
    system.velocity_hessian(t, y, z, v, H);
  }
};

template <class System>
class OdaeStart {
 public:
  using T = typename System::Scalar;
  using Positions = typename System::Positions;
  using Velocities = typename System::Velocities;
  using Multipliers = typename System::Multipliers;
  static constexpr int ny = System::ny, nz = System::nz, m = System::m;

  explicit OdaeStart(const System& system)
      : t(0),
        y(system.positions()),
        z(system.velocities()),
        psi(system.multipliers()),
        system_(system),
        hidden_(system),
        v_(system.positions()),
        g_(system.multipliers()),
        size_(g_),
        G_(system.multipliers(), system.positions()) {
    psi.fill(T(1));
  }

  T t;
  Positions y;
  Velocities z;
  Multipliers psi;  // the guess, then the solution of (H)
  StartMove move;   // q for y, p for z

  // y and z, and psi if there is a better guess than 1, are set by the caller.
  std::optional<OdaeStartFault> make_consistent(const StartOptions& options) {
    using Kind = OdaeStartFault::Kind;
    if (const auto fault = evaluate()) return fault;
    if (options.project) {
      if (const auto fault = project()) return fault;
      if (const auto fault = evaluate()) return fault;
    }
    if (auto rows = dependent_rows(G_); !rows.empty()) return dependent(rows);
    if (const auto fault = check(options.tolerance)) return fault;

    const Outcome outcome = hidden_.solve(t, y, z, psi);
    if (outcome == Outcome::singular_jacobian) return OdaeStartFault{Kind::not_solvable, 0, 0, {}};
    if (!succeeded(outcome)) return OdaeStartFault{Kind::no_multiplier, 0, 0, {}};
    return check_solvability();
  }

 private:
  static OdaeStartFault dependent(const std::vector<int>& rows) {
    return OdaeStartFault{OdaeStartFault::Kind::dependent_constraints, rows.front(), 0, rows};
  }

  template <class Values>
  static std::optional<OdaeStartFault> first_not_finite(const Values& values, OdaeStartFault::Kind kind) {
    for (int i = 0; i < values.size(); ++i)
      if (!is_finite(values[i])) return OdaeStartFault{kind, i, 0, {}};
    return std::nullopt;
  }

  std::optional<OdaeStartFault> evaluate() {
    using Kind = OdaeStartFault::Kind;
    system_.velocity(t, y, z, v_);
    if (const auto fault = first_not_finite(v_, Kind::velocity_not_finite)) return fault;
    Velocities f(z);
    system_.force(t, y, z, f);
    if (const auto fault = first_not_finite(f, Kind::force_not_finite)) return fault;
    system_.reaction(t, y, z, psi, f);
    if (const auto fault = first_not_finite(f, Kind::reaction_not_finite)) return fault;
    system_.constraint_jacobian(y, g_, G_);
    Multipliers sums(g_);
    for (int a = 0; a < g_.size(); ++a)
      for (int j = 0; j < y.size(); ++j) sums[a] += G_(a, j);
    if (const auto fault = first_not_finite(sums, Kind::constraint_not_finite)) return fault;
    auto G_of_other_rounding = G_;
    system_.constraint_jacobian(rounded_otherwise(y), size_, G_of_other_rounding);
    for (int a = 0; a < g_.size(); ++a)
      if (is_zero_gradient<T>(G_, G_of_other_rounding, a)) return OdaeStartFault{Kind::zero_gradient, a, 0, {}};
    system_.constraint_size(y, size_);
    return std::nullopt;
  }

  RealOf<T> row_size(int a) const {
    using std::abs;
    RealOf<T> row(0);
    for (int j = 0; j < y.size(); ++j) row += abs(value_of(G_(a, j)));
    return row;
  }

  // |g_a| against the terms of g_a and against |G_a| |y|; |G_a v| against |G_a| |v|.
  std::optional<OdaeStartFault> check(double tolerance) {
    using std::abs;
    using Real = RealOf<T>;
    const Real y_size = max_norm(y), v_size = max_norm(v_);
    for (int a = 0; a < g_.size(); ++a)
      if (!(abs(value_of(g_[a])) <= Real(tolerance) * std::max(Real(value_of(size_[a])), row_size(a) * y_size)))
        return OdaeStartFault{OdaeStartFault::Kind::position, a, to_double(g_[a]), {}};
    for (int a = 0; a < g_.size(); ++a) {
      T hidden(0);
      for (int j = 0; j < y.size(); ++j) hidden += G_(a, j) * v_[j];
      if (!(abs(value_of(hidden)) <= Real(tolerance) * row_size(a) * v_size))
        return OdaeStartFault{OdaeStartFault::Kind::velocity, a, to_double(hidden), {}};
    }
    return std::nullopt;
  }

  // Rows of g_y v_z r_psi that are nothing but round-off of their terms, or depend on others.
  std::optional<OdaeStartFault> check_solvability() {
    using std::abs, std::sqrt;
    using Kind = OdaeStartFault::Kind;
    Mat<T, m, m> S(g_.size(), g_.size()), size(S);
    hidden_.solvability(t, y, z, psi, S, size);
    const RealOf<T> tolerance = sqrt(epsilon<T>()) / 16;  // as in dependent_rows
    for (int a = 0; a < g_.size(); ++a) {
      RealOf<T> entries(0), terms(0);
      for (int b = 0; b < g_.size(); ++b) entries += abs(value_of(S(a, b))), terms += value_of(size(a, b));
      if (!(entries > tolerance * terms)) return OdaeStartFault{Kind::not_solvable, a, 0, {a}};
    }
    if (auto rows = dependent_rows(S); !rows.empty()) return OdaeStartFault{Kind::not_solvable, rows.front(), 0, rows};
    return std::nullopt;
  }

  std::optional<OdaeStartFault> project() {
    using Kind = OdaeStartFault::Kind;
    const Positions y_given = y;
    const Velocities z_given = z;
    StepReport report;

    NearestPoint<T, ny, m, PositionConditions<System>> position({system_}, y, g_.size());
    newton<T>(position, SolverSettings<RealOf<T>>{}, report);
    system_.constraint_jacobian(y, g_, G_);
    if (!succeeded(report.outcome)) {
      if (report.outcome == Outcome::singular_jacobian)
        if (auto rows = dependent_rows(G_); !rows.empty()) return dependent(rows);
      return OdaeStartFault{Kind::no_projection, 0, 0, {}};
    }

    NearestPoint<T, nz, m, VelocityConditions<System>> velocity({system_, t, y, G_}, z, g_.size());
    newton<T>(velocity, SolverSettings<RealOf<T>>{}, report);
    if (!succeeded(report.outcome)) return OdaeStartFault{Kind::no_projection, 0, 0, {}};

    for (int i = 0; i < y.size(); ++i) move.q = std::max(move.q, std::abs(to_double(y[i] - y_given[i])));
    for (int i = 0; i < z.size(); ++i) move.p = std::max(move.p, std::abs(to_double(z[i] - z_given[i])));
    return std::nullopt;
  }

  const System& system_;
  HiddenEquation<System> hidden_;
  Positions v_;
  Multipliers g_, size_;
  typename System::Jacobian G_;
};

}  // namespace livens
