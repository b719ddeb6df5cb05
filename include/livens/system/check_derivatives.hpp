// Are the derivatives that a system offers those of its functions, and is its declared structure true?
//
// Every derivative that methods use (hand-written, from jets, or compiled from formulas) is compared with the
// derivative of the plain value functions along chosen directions, taken by jets carried through them:
//
//   x + e a:        Jet<S, 1>             gives  Df[a]
//   x + e a + d b:  Jet<Jet<S, 1>, 1>     gives  D2f[a, b]
//
// S = Magnitude<double>: the same run tells how large the terms of the derivative are, and a difference counts relative
// to that. Matrices are compared through their product with one direction without zeros. All is done at the given state
// and at a few points near it, because a wrong term may vanish at a start value such as 0.
//
// `over` makes the system for a scalar: over(S(0)) is a system with Scalar = S.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "livens/math/jet.hpp"
#include "livens/math/magnitude.hpp"
#include "livens/math/vec.hpp"
#include "livens/system/degenerate.hpp"
#include "livens/system/lagrangian.hpp"
#include "livens/system/odae.hpp"

namespace livens {

struct DerivativeFinding {
  std::string what;       // "dL/dq", "constant mass matrix", ...
  double difference = 0;  // the largest one relative to the size of the terms
  bool ok = true;
};

struct DerivativeReport {
  // Derivatives that are right differ by some 1e-15 times the condition of their formulas, wrong ones by about 1.
  static constexpr double tolerance = 1e-8;

  std::vector<DerivativeFinding> findings;

  bool ok() const {
    return std::all_of(findings.begin(), findings.end(), [](const DerivativeFinding& f) { return f.ok; });
  }
  // One finding for each name: the worst of all points.
  void add(std::string_view what, double difference) {
    auto found = std::find_if(findings.begin(), findings.end(), [&](const auto& f) { return f.what == what; });
    if (found == findings.end()) found = findings.insert(found, {std::string(what), 0, true});
    if (!(difference <= found->difference)) found->difference = difference;
    found->ok = found->ok && difference <= tolerance;
  }
};

namespace checking {

using Sized = Magnitude<double>;
using Values = Vec<double>;  // all arguments of a system in one list

inline Vec<Sized> seeded(const Values& x) {
  Vec<Sized> out(x.size());
  for (int i = 0; i < x.size(); ++i) out[i] = Sized(x[i]);
  return out;
}
inline auto seeded(const Values& x, const Values& a) {
  Vec<Jet<Sized, 1>> out(x.size());
  for (int i = 0; i < x.size(); ++i) out[i] = x[i], out[i].gradient[0] = a[i];
  return out;
}
inline auto seeded(const Values& x, const Values& a, const Values& b) {
  const Vec<Jet<Sized, 1>> inner = seeded(x, a);
  Vec<Jet<Jet<Sized, 1>, 1>> out(x.size());
  for (int i = 0; i < x.size(); ++i) out[i] = inner[i], out[i].gradient[0] = b[i];
  return out;
}

template <class F>
Vec<Sized> value(const F& f, const Values& x) {
  return f(seeded(x));
}
template <class F>
Vec<Sized> derivative(const F& f, const Values& x, const Values& a) {
  const auto y = f(seeded(x, a));
  Vec<Sized> out(y.size());
  for (int i = 0; i < y.size(); ++i) out[i] = y[i].gradient[0];
  return out;
}
template <class F>
Vec<Sized> derivative(const F& f, const Values& x, const Values& a, const Values& b) {
  const auto y = f(seeded(x, a, b));
  Vec<Sized> out(y.size());
  for (int i = 0; i < y.size(); ++i) out[i] = y[i].gradient[0].gradient[0];
  return out;
}

// A direction along some of the variables only.
template <class Components>
Values direction(int size, int offset, const Components& components) {
  Values a(size);
  for (int i = 0; i < components.size(); ++i) a[offset + i] = components[i];
  return a;
}
inline Values unit(int size, int index) {
  return direction(size, index, Vec<double, 1>{1.0});
}

// sum_k u_k Df_k by every variable of a block
template <class F>
Vec<Sized> gradient(const F& f, const Values& u, const Values& x, int offset, int count) {
  Vec<Sized> out(count);
  for (int i = 0; i < count; ++i) {
    const Vec<Sized> d = derivative(f, x, unit(x.size(), offset + i));
    for (int k = 0; k < d.size(); ++k) out[i] += u[k] * d[k];
  }
  return out;
}
// sum_k u_k D2f_k by every variable of a block and a direction
template <class F>
Vec<Sized> gradient(const F& f, const Values& u, const Values& x, int offset, int count, const Values& b) {
  Vec<Sized> out(count);
  for (int i = 0; i < count; ++i) {
    const Vec<Sized> d = derivative(f, x, unit(x.size(), offset + i), b);
    for (int k = 0; k < d.size(); ++k) out[i] += u[k] * d[k];
  }
  return out;
}

template <class Matrix, class Vector>
Values product(const Matrix& A, const Vector& w) {
  Values y(A.rows());
  for (int i = 0; i < A.rows(); ++i)
    for (int j = 0; j < A.cols(); ++j) y[i] += A(i, j) * w[j];
  return y;
}

// Numbers between 1/2 and 3/2 without a pattern.
template <int N = Dynamic>
Vec<double, N> irregular(int size, int seed) {
  Vec<double, N> w(size);
  for (int i = 0; i < size; ++i) w[i] = 1 + 0.5 * std::sin(1.0 + 2.4 * i + 5.7 * seed);
  return w;
}

template <int N, class S>
Vec<S, N> part(const Vec<S>& x, int offset, int size) {
  Vec<S, N> out(size);
  for (int i = 0; i < size; ++i) out[i] = x[offset + i];
  return out;
}
template <class S, int N>
Vec<S> listed(const Vec<S, N>& x) {
  Vec<S> out(x.size());
  for (int i = 0; i < x.size(); ++i) out[i] = x[i];
  return out;
}
template <class S>
using ScalarOf = typename std::decay_t<S>::Scalar;

// The largest |offered - expected| relative to the terms of the expected one; terms that vanish beside the others are
// judged by their round-off.
template <class Offered>
double relative_difference(const Offered& offered, const Vec<Sized>& expected) {
  double largest = 0, worst = 0;
  for (const Sized& e : expected) largest = std::max(largest, e.size);
  for (int i = 0; i < expected.size(); ++i) {
    const double difference = std::abs(offered[i] - expected[i].value);
    if (difference == 0) continue;
    const double relative = difference / std::max(expected[i].size, std::numeric_limits<double>::epsilon() * largest);
    if (!(relative <= worst)) worst = relative;
  }
  return worst;
}

// f restricted to a line is a polynomial of this degree: its difference of order degree + 1 vanishes. Of a high degree
// the points lie closer together, within eight times a: x^200 overflows farther out. Values that overflow all the same
// say nothing.
template <class F>
double degree_difference(const F& f, const Values& x, const Values& a, int degree) {
  if (degree > 1000) return 0;  // its binomials overflow
  const double closer = degree <= 8 ? 1 : 8.0 / degree;
  Vec<Sized> sum;
  double binomial = 1;
  for (int k = 0; k <= degree + 1; ++k) {
    Values at(x);
    for (int i = 0; i < x.size(); ++i) at[i] += k * closer * a[i];
    const Vec<Sized> y = value(f, at);
    if (k == 0) sum = Vec<Sized>(y.size());
    for (int i = 0; i < y.size(); ++i) sum[i] += (k % 2 == 0 ? binomial : -binomial) * y[i];
    binomial *= static_cast<double>(degree + 1 - k) / (k + 1);
  }
  for (const Sized& y : sum)
    if (!is_finite(y.value)) return 0;
  return relative_difference(Values(sum.size()), sum);
}

// The state itself, then points near it where all functions are defined.
template <class... F>
std::vector<Values> points_near(const Values& x, const F&... functions) {
  std::vector<Values> points = {x};
  const double scale = std::max(max_norm(x), 1e-3) / 64;
  for (int k = 1; k <= 3; ++k) {
    Values near(x);
    const Values shift = irregular(x.size(), k);
    for (int i = 0; i < x.size(); ++i) near[i] += (x[i] == 0 ? scale : x[i] / 16) * (shift[i] - 0.9);
    const bool finite = (is_finite(size_of(value(functions, near))) && ...);
    if (finite) points.push_back(near);
  }
  return points;
}

template <class Over, class Coordinates>
DerivativeReport check_lagrangian(const Over& over, double t0, const Coordinates& q0, const Coordinates& v0) {
  const auto system = over(0.0);
  using System = std::decay_t<decltype(system)>;
  constexpr int N = System::n;
  const int n = system.coordinates(), m = system.constraints(), size = 1 + 2 * n;
  const int q_at = 1, v_at = 1 + n;
  const auto L = [&](const auto& x) {
    const auto s = over(ScalarOf<decltype(x)>(0));
    return Vec<ScalarOf<decltype(x)>>{s.lagrangian(x[0], part<N>(x, q_at, n), part<N>(x, v_at, n))};
  };
  const auto V = [&](const auto& x) {
    using S = ScalarOf<decltype(x)>;
    Vec<S, N> rest(n);
    rest.fill(S(0));
    return Vec<S>{-over(S(0)).lagrangian(x[0], part<N>(x, q_at, n), rest)};
  };
  const auto F = [&](const auto& x) {
    using S = ScalarOf<decltype(x)>;
    Vec<S, N> out(n);
    over(S(0)).force(x[0], part<N>(x, q_at, n), part<N>(x, v_at, n), out);
    return listed(out);
  };
  const auto g = [&](const auto& x) {
    using S = ScalarOf<decltype(x)>;
    Vec<S, System::m> out(m);
    over(S(0)).constraint(x[0], part<N>(x, q_at, n), out);
    return listed(out);
  };

  Values start(size);
  start[0] = t0;
  for (int i = 0; i < n; ++i) start[q_at + i] = q0[i], start[v_at + i] = v0[i];
  const auto structure = system.structure();
  const Values one{1.0}, w = irregular(n, 0), none(n);
  const Values along_q = direction(size, q_at, w), along_v = direction(size, v_at, w), along_t = unit(size, 0);
  typename System::Coordinates Lq(n), Lv(n), rate(n), Vq(n);
  typename System::Square Lqq(n, n), Lqv(Lqq), Lvv(Lqq), M(Lqq), first_mass(Lqq), Fv(Lqq), H(Lqq);
  typename System::Multipliers g_value(m), gt(m), curvature(m);
  typename System::Jacobian G(m, n);
  const auto weights = irregular<System::m>(m, 1);

  DerivativeReport report;
  system.mass(t0, q0, v0, first_mass);
  for (const Values& x : points_near(start, L, F, g)) {
    const double t = x[0];
    const auto q = part<N>(x, q_at, n), v = part<N>(x, v_at, n);
    system.gradient(t, q, v, Lq, Lv);
    report.add("dL/dq", relative_difference(Lq, gradient(L, one, x, q_at, n)));
    report.add("dL/dv", relative_difference(Lv, gradient(L, one, x, v_at, n)));
    system.hessian(t, q, v, Lqq, Lqv, Lvv);
    const Vec<Sized> mixed = gradient(L, one, x, q_at, n, along_v), mass = gradient(L, one, x, v_at, n, along_v);
    report.add("d2L/dq2", relative_difference(product(Lqq, w), gradient(L, one, x, q_at, n, along_q)));
    report.add("d2L/dqdv", relative_difference(product(Lqv, w), mixed));
    report.add("d2L/dv2", relative_difference(product(Lvv, w), mass));
    system.mass(t, q, v, M);
    report.add("mass matrix", relative_difference(product(M, w), mass));
    report.add("dL/dt", relative_difference(Values{system.lagrangian_rate(t, q, v)}, derivative(L, x, along_t)));
    system.momentum_rate(t, q, v, rate);
    report.add("d2L/dvdt", relative_difference(rate, gradient(L, one, x, v_at, n, along_t)));
    if (structure.constant_mass) {
      system.potential_gradient(t, q, Vq);
      report.add("dV/dq", relative_difference(Vq, gradient(V, one, x, q_at, n)));
      report.add("constant mass matrix", relative_difference(product(first_mass, v), gradient(L, one, x, v_at, n)));
    }
    if (structure.separable) report.add("separable", relative_difference(none, mixed));
    if (structure.constant_mass && structure.potential_degree)
      report.add("degree of the potential", degree_difference(V, x, along_q, *structure.potential_degree));
    if (structure.forces) {
      system.force_velocity_jacobian(t, q, v, Fv);
      report.add("dF/dv", relative_difference(product(Fv, w), derivative(F, x, along_v)));
      system.force_position_jacobian(t, q, v, Fv);
      report.add("dF/dq", relative_difference(product(Fv, w), derivative(F, x, along_q)));
    }
    if (m == 0) continue;
    system.constraint_jacobian(t, q, g_value, G);
    report.add("g", relative_difference(g_value, value(g, x)));
    report.add("dg/dq", relative_difference(product(G, w), derivative(g, x, along_q)));
    system.constraint_rate(t, q, gt);
    report.add("dg/dt", relative_difference(gt, derivative(g, x, along_t)));
    system.constraint_curvature(t, q, v, curvature);
    Values motion = direction(size, q_at, v);
    motion[0] = 1;
    report.add("d2g/dt2 along v", relative_difference(curvature, derivative(g, x, motion, motion)));
    system.constraint_jacobian_along(t, q, v, G);
    report.add("d2g/dq2 along v",
               relative_difference(product(G, w), derivative(g, x, direction(size, q_at, v), along_q)));
    system.constraint_hessian(t, q, weights, H);
    report.add("d2g/dq2", relative_difference(product(H, w), gradient(g, listed(weights), x, q_at, n, along_q)));
    if (structure.constraint_degree)
      report.add("degree of the constraints", degree_difference(g, x, along_q, *structure.constraint_degree));
  }
  return report;
}

template <class Over, class Coordinates>
DerivativeReport check_degenerate(const Over& over, const Coordinates& q0) {
  const auto system = over(0.0);
  using System = std::decay_t<decltype(system)>;
  constexpr int N = System::n;
  const int n = system.coordinates();
  const auto theta = [&](const auto& x) {
    using S = ScalarOf<decltype(x)>;
    Vec<S, N> out(n);
    over(S(0)).theta(part<N>(x, 0, n), out);
    return listed(out);
  };
  const auto hamiltonian = [&](const auto& x) {
    using S = ScalarOf<decltype(x)>;
    return Vec<S>{over(S(0)).hamiltonian(part<N>(x, 0, n))};
  };

  const Values one{1.0}, w = irregular(n, 0);
  const auto weights = irregular<N>(n, 1);
  typename System::Coordinates theta_value(n), Hq(n);
  typename System::Square J(n, n), C(J), Hqq(J);

  DerivativeReport report;
  for (const Values& x : points_near(listed(q0), theta, hamiltonian)) {
    const auto q = part<N>(x, 0, n);
    system.theta_jacobian(q, theta_value, J);
    report.add("theta", relative_difference(theta_value, value(theta, x)));
    report.add("dtheta/dq", relative_difference(product(J, w), derivative(theta, x, w)));
    system.theta_curvature(q, weights, C);
    report.add("d2theta/dq2", relative_difference(product(C, w), gradient(theta, listed(weights), x, 0, n, w)));
    system.hamiltonian_gradient(q, Hq);
    report.add("dH/dq", relative_difference(Hq, gradient(hamiltonian, one, x, 0, n)));
    system.hamiltonian_hessian(q, Hqq);
    report.add("d2H/dq2", relative_difference(product(Hqq, w), gradient(hamiltonian, one, x, 0, n, w)));
  }
  return report;
}

template <class Over, class Positions, class Velocities, class Multipliers>
DerivativeReport check_odae(const Over& over, double t0, const Positions& y0, const Velocities& z0,
                            const Multipliers& psi0) {
  const auto system = over(0.0);
  using System = std::decay_t<decltype(system)>;
  constexpr int Y = System::ny, Z = System::nz, M = System::m;
  const int ny = system.positions(), nz = system.velocities(), m = system.multipliers();
  const int y_at = 1, z_at = 1 + ny, psi_at = 1 + ny + nz, size = 1 + ny + nz + m;
  const auto velocity = [&](const auto& x) {
    using S = ScalarOf<decltype(x)>;
    Vec<S, Y> out(ny);
    over(S(0)).velocity(x[0], part<Y>(x, y_at, ny), part<Z>(x, z_at, nz), out);
    return listed(out);
  };
  const auto force = [&](const auto& x) {
    using S = ScalarOf<decltype(x)>;
    Vec<S, Z> out(nz);
    over(S(0)).force(x[0], part<Y>(x, y_at, ny), part<Z>(x, z_at, nz), out);
    return listed(out);
  };
  const auto reaction = [&](const auto& x) {
    using S = ScalarOf<decltype(x)>;
    Vec<S, Z> out(nz);
    over(S(0)).reaction(x[0], part<Y>(x, y_at, ny), part<Z>(x, z_at, nz), part<M>(x, psi_at, m), out);
    return listed(out);
  };
  const auto g = [&](const auto& x) {
    using S = ScalarOf<decltype(x)>;
    Vec<S, M> out(m);
    over(S(0)).constraint(part<Y>(x, y_at, ny), out);
    return listed(out);
  };

  Values start(size);
  start[0] = t0;
  for (int i = 0; i < ny; ++i) start[y_at + i] = y0[i];
  for (int i = 0; i < nz; ++i) start[z_at + i] = z0[i];
  for (int a = 0; a < m; ++a) start[psi_at + a] = psi0[a];
  const auto wy = irregular<Y>(ny, 0);
  const Values wz = irregular(nz, 1);
  const auto wm = irregular<M>(m, 2);
  const Values along_y = direction(size, y_at, wy), along_z = direction(size, z_at, wz),
               along_psi = direction(size, psi_at, wm), along_t = unit(size, 0);
  typename System::Positions vt(ny);
  typename System::Multipliers g_value(m), curvature(m);
  typename System::MatYY vy(ny, ny), Hg(vy);
  typename System::MatYZ vz(ny, nz);
  typename System::MatZY fy(nz, ny);
  typename System::MatZZ fz(nz, nz), Hv(fz);
  typename System::MatZM rpsi(nz, m);
  typename System::Jacobian G(m, ny);

  DerivativeReport report;
  for (const Values& x : points_near(start, velocity, force, reaction, g)) {
    const double t = x[0];
    const auto y = part<Y>(x, y_at, ny);
    const auto z = part<Z>(x, z_at, nz);
    const auto psi = part<M>(x, psi_at, m);
    system.velocity_jacobian(t, y, z, vy, vz);
    report.add("dv/dy", relative_difference(product(vy, wy), derivative(velocity, x, along_y)));
    report.add("dv/dz", relative_difference(product(vz, wz), derivative(velocity, x, along_z)));
    system.velocity_rate(t, y, z, vt);
    report.add("dv/dt", relative_difference(vt, derivative(velocity, x, along_t)));
    system.velocity_hessian(t, y, z, wy, Hv);
    report.add("d2v/dz2", relative_difference(product(Hv, wz), gradient(velocity, listed(wy), x, z_at, nz, along_z)));
    system.force_jacobian(t, y, z, fy, fz);
    report.add("df/dy", relative_difference(product(fy, wy), derivative(force, x, along_y)));
    report.add("df/dz", relative_difference(product(fz, wz), derivative(force, x, along_z)));
    system.reaction_jacobian(t, y, z, psi, fy, fz, rpsi);
    report.add("dr/dy", relative_difference(product(fy, wy), derivative(reaction, x, along_y)));
    report.add("dr/dz", relative_difference(product(fz, wz), derivative(reaction, x, along_z)));
    report.add("dr/dpsi", relative_difference(product(rpsi, wm), derivative(reaction, x, along_psi)));
    if (system.structure().linear_reaction) {  // r(t,y,z,psi) = r_psi(t,y,z0,psi0) psi
      system.reaction_jacobian(t, y, z0, psi0, fy, fz, rpsi);
      report.add("linear reaction", relative_difference(product(rpsi, psi), value(reaction, x)));
    }
    system.constraint_jacobian(y, g_value, G);
    report.add("g", relative_difference(g_value, value(g, x)));
    report.add("dg/dy", relative_difference(product(G, wy), derivative(g, x, along_y)));
    system.constraint_curvature(y, wy, curvature);
    report.add("d2g/dy2 twice along a vector", relative_difference(curvature, derivative(g, x, along_y, along_y)));
    system.constraint_hessian(y, wm, Hg);
    report.add("d2g/dy2", relative_difference(product(Hg, wy), gradient(g, listed(wm), x, y_at, ny, along_y)));
  }
  return report;
}

}  // namespace checking

template <class Problem>
DerivativeReport check_derivatives(const Lagrangian<Problem>& system, double t,
                                   const Vec<double, stated::coordinates<Problem>>& q,
                                   const Vec<double, stated::coordinates<Problem>>& v) {
  if constexpr (stated::element<Problem>) {  // what is not one is told by its class
    if constexpr (stated::lagrangian_system<Problem>) {
      const auto over = [&]<class S>(const S&) { return Lagrangian<Problem, S>(system.problem()); };
      return checking::check_lagrangian(over, t, q, v);
    }
  }
  return {};
}

template <class Problem>
DerivativeReport check_derivatives(const Degenerate<Problem>& system,
                                   const Vec<double, stated::coordinates<Problem>>& q) {
  if constexpr (stated::degenerate_system<Problem>) {
    const auto over = [&]<class S>(const S&) { return Degenerate<Problem, S>(system.problem()); };
    return checking::check_degenerate(over, q);
  } else {
    return {};
  }
}

template <class Problem>
DerivativeReport check_derivatives(const Odae<Problem>& system, double t,
                                   const Vec<double, stated::positions<Problem>>& y,
                                   const Vec<double, stated::velocities<Problem>>& z,
                                   const Vec<double, stated::multipliers<Problem>>& psi) {
  if constexpr (stated::odae_system<Problem>) {
    const auto over = [&]<class S>(const S&) { return Odae<Problem, S>(system.problem()); };
    return checking::check_odae(over, t, y, z, psi);
  } else {
    return {};
  }
}

}  // namespace livens
