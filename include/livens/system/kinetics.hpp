// Velocity, consistent momentum and multiplier of a state (t, q, p) of a Lagrangian system; M = L_vv.
//
//   velocity    v(q,p):  L_v(t,q,v) = p
//   projection  P p = p - G^T (G M^-1 G^T)^-1 (G v + g_t), repeated where v(q,p) is not linear in p.
//               Wenger, Ober-Bloebaum, Leyendecker (2017), eq. (4), with v in place of H_pp p, which is right only for
//               Lagrangians without terms linear in v, and with the rate of constraints that depend on time.
//   multiplier  lambda = (G M^-1 G^T)^-1 ( D2g[v,v] + 2 g_tq v + g_tt + G M^-1 (L_q + F - L_vq v - L_vt) )
//               the same, eq. (70), in Lagrangian terms and with time and forces.
//
// Both are determined where G M^-1 G^T is regular. With rows scaled so that its diagonal is 1 its condition c is at
// least |S^-1 x|/|x| for any x, here two steps of inverse iteration; where c epsilon > 2^-14 a momentum has no more
// than four right digits, and results are Outcome::singular_jacobian.
//
// A multiplier may have none before that. g = 0 holds to round-off, which leaves positions free by c^1/2 epsilon along
// what is nearly no constraint; normals turn by that, the velocities that are consistent with them by c epsilon, and
// the multiplier moves by up to c^2 epsilon: beside a flat parallelogram, c = 1e11, it is 2e6 instead of 1
// (tests/system/kinetics.cpp). It is not always so much: masses that differ have large c, too. So where
// c^2 epsilon > 2^-14 the multiplier is compared with that of positions moved by the rounding of g.
//
// One object is the workspace of one thread; nothing allocates after construction.
#pragma once

#include <type_traits>

#include "livens/math/sparse.hpp"
#include "livens/solve/mass.hpp"
#include "livens/solve/newton.hpp"
#include "livens/solve/schur.hpp"
#include "livens/system/structure.hpp"

namespace livens {

template <class System>
class Kinetics {
 public:
  using T = typename System::Scalar;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;
  explicit Kinetics(const System& system)
      : system_(system),
        structure_(system.structure()),
        mass_(system),
        schur_(system),
        G_(system.jacobian()),
        Lqq_(structure_.constant_mass ? typename System::Square() : system.square()),
        Lqv_(Lqq_),
        Lvv_(Lqq_),
        Lq_(system.coordinates()),
        Lv_(Lq_),
        a_(Lq_),
        b_(Lq_),
        g_(system.constraints()),
        gt_(g_),
        r_(g_),
        mu_(g_),
        inertia_(system.coordinates()),
        unit_(system.constraints()),
        start_(unit_),
        moved_q_(Lq_),
        moved_v_(Lq_),
        moved_lambda_(g_) {}

  // To be called once with the start values: the mass matrix of systems where it is constant. False if it is singular.
  bool start(const T& t, const Coordinates& q, const Coordinates& v) { return update_mass(t, q, v); }

  const Mass<typename System::Square>& mass() const { return mass_; }
  const Structure& structure() const { return structure_; }
  const typename System::Jacobian& projection_jacobian() const { return G_; }  // G of the last `project`

  template <class Archive>
  void archive(Archive& a) {
    a(mass_, schur_);
  }

  // v holds a guess on entry where L is not quadratic in v.
  Outcome velocity(const T& t, const Coordinates& q, const Coordinates& p, Coordinates& v) {
    if (structure_.constant_mass) {
      mass_.solve(p, v);
      return Outcome::converged;
    }
    LegendreEquations equations{*this, t, q, p, v};
    StepReport report;
    newton<T>(equations, SolverSettings<RealOf<T>>{}, report);
    return report.outcome;
  }

  // p <- P p = p - G^T impulse and v <- v(q, P p).
  Outcome project(const T& t, const Coordinates& q, Coordinates& p, Coordinates& v, Multipliers* impulse = nullptr) {
    if (impulse) impulse->fill(T(0));
    Outcome outcome = velocity(t, q, p, v);
    if (!succeeded(outcome) || system_.constraints() == 0) return outcome;
    system_.constraint_jacobian(t, q, g_, G_);
    if (structure_.time_in_constraints) system_.constraint_rate(t, q, gt_);
    RealOf<T> scale = size_of(p);
    RealOf<T> before(0);
    for (int k = 1; k <= 30; ++k) {
      if (k == 1 || !structure_.constant_mass) {
        if (!structure_.constant_mass && !update_mass(t, q, v)) return Outcome::singular_jacobian;
        if (!schur_.factorise(G_, mass_, G_) || is_noise(G_)) return Outcome::singular_jacobian;
      }
      find_impulse(G_, v, mu_);
      multiply_transposed(G_, mu_, a_);
      const RealOf<T> increment = size_of(a_);
      if (!is_finite(increment)) return Outcome::not_finite;
      scale = std::max(scale, increment);  // p may be 0 before or after
      for (int i = 0; i < p.size(); ++i) p[i] -= a_[i];
      for (int a = 0; impulse && a < mu_.size(); ++a) (*impulse)[a] += mu_[a];
      outcome = velocity(t, q, p, v);
      if (!succeeded(outcome)) return outcome;
      if (increment <= 4 * epsilon<T>() * scale) return Outcome::converged;
      if (k == 2 && structure_.constant_mass) return Outcome::converged;  // exact in one, a second for its round-off
      if (k > 2 && 2 * increment >= before && increment <= 1024 * epsilon<T>() * scale) return Outcome::residual_floor;
      before = increment;
    }
    return Outcome::stalled;
  }

  // For methods that have G = G(t,q) at hand: the impulse of P p = p - G^T impulse where the mass is constant, found at
  // once. A repetition would only better the round-off of p.
  Outcome projection(const T& t, const Coordinates& q, const typename System::Jacobian& G, const Coordinates& p,
                     Multipliers& impulse) {
    mass_.solve(p, a_);
    if (structure_.time_in_constraints) system_.constraint_rate(t, q, gt_);
    if (!schur_.factorise(G, mass_, G) || (is_dense && is_noise(G))) return Outcome::singular_jacobian;
    find_impulse(G, a_, impulse);
    return Outcome::converged;
  }

  // lambda at a consistent (q, v).
  Outcome multiplier(const T& t, const Coordinates& q, const Coordinates& v, Multipliers& lambda) {
    if (system_.constraints() == 0) return Outcome::converged;
    if (structure_.constant_mass) {
      system_.potential_gradient(t, q, Lq_);
      for (T& x : Lq_) x = -x;
    } else {
      if (!update_mass(t, q, v)) return Outcome::singular_jacobian;
      system_.gradient(t, q, v, Lq_, Lv_);
      system_.hessian(t, q, v, Lqq_, Lqv_, Lvv_);
      multiply_transposed(Lqv_, v, a_);  // L_vq v: transposed, rows are velocities
      system_.momentum_rate(t, q, v, b_);
      for (int i = 0; i < v.size(); ++i) Lq_[i] -= a_[i] + b_[i];
    }
    if (structure_.forces) {
      system_.force(t, q, v, a_);
      for (int i = 0; i < v.size(); ++i) Lq_[i] += a_[i];
    }
    system_.constraint_jacobian(t, q, g_, G_);
    if (!schur_.factorise(G_, mass_, G_) || is_noise(G_)) return Outcome::singular_jacobian;
    mass_.solve(Lq_, a_);
    multiply(G_, a_, r_);
    system_.constraint_curvature(t, q, v, g_);
    for (int a = 0; a < g_.size(); ++a) r_[a] += g_[a];
    schur_.solve(r_, lambda);
    for (const T& x : lambda)
      if (!is_finite(x)) return Outcome::not_finite;
    return Outcome::converged;
  }

  // The same where it is determined: a row of results, not a guess.
  Outcome determined_multiplier(const T& t, const Coordinates& q, const Coordinates& v, Multipliers& lambda) {
    const Outcome outcome = multiplier(t, q, v, lambda);
    if (!succeeded(outcome) || System::m == 0 || system_.constraints() == 0) return outcome;
    if (!(condition_ * condition_ * epsilon<T>() * 16384 > RealOf<T>(1))) return outcome;
    if (is_moved_by_rounding(t, q, v, lambda)) return Outcome::singular_jacobian;
    return multiplier(t, q, v, lambda);  // matrices are then those of this state
  }

 private:
  static constexpr bool is_dense = !std::is_same_v<typename System::Jacobian, SparseMat<T>>;

  // L_v(t,q,v) - p = 0 for v
  struct LegendreEquations {
    Kinetics& k;
    const T& t;
    const Coordinates &q, &p;
    Coordinates& v;

    RealOf<T> residual() {
      k.system_.gradient(t, q, v, k.Lq_, k.Lv_);
      for (int i = 0; i < v.size(); ++i) k.Lv_[i] -= p[i];
      return size_of(k.Lv_);
    }
    // Where p is made of large terms that do not move, such as those of a magnetic field, v knows it only so well.
    bool at_floor() const { return size_of(k.Lv_) <= 4 * epsilon<T>() * size_of(p); }
    bool factorise() { return k.update_mass(t, q, v); }
    RealOf<T> correct() {
      k.mass_.solve(k.Lv_, k.a_);
      for (int i = 0; i < v.size(); ++i) v[i] -= k.a_[i];
      const RealOf<T> size = size_of(v), increment = size_of(k.a_);
      return size > 0 ? increment / size : increment;
    }
  };

  bool update_mass(const T& t, const Coordinates& q, const Coordinates& v) {
    system_.mass(t, q, v, mass_.matrix());
    return mass_.factorise();
  }

  // Whether the multiplier found last has no four digits that the rounding of g leaves as they are. Accelerations are
  // what it is made of, for those that are nearly 0.
  bool is_moved_by_rounding(const T& t, const Coordinates& q, const Coordinates& v, const Multipliers& lambda) {
    using std::abs;
    RealOf<T> scale(0), rounding(0);
    multiply(G_, a_, r_);
    for (int a = 0; a < r_.size(); ++a) {
      RealOf<T> terms(0);
      for_row(G_, a, [&](int i, const T& x) { terms += abs(value_of(x) * value_of(q[i])); });
      rounding = std::max(rounding, RealOf<T>(epsilon<T>() * terms / unit_[a]));
      for (const RealOf<T>& x :
           {RealOf<T>(abs(value_of(lambda[a])) * unit_[a]), RealOf<T>(abs(value_of(r_[a])) / unit_[a]),
            RealOf<T>(abs(value_of(g_[a])) / unit_[a])})
        scale = std::max(scale, x);
    }
    multiply_transposed(G_, mu_, b_);  // of the last inverse iteration
    mass_.solve(b_, a_);
    for (int i = 0; i < q.size(); ++i) moved_q_[i] = q[i] + T(rounding / weight_) * a_[i];
    system_.constraint_jacobian(t, moved_q_, g_, G_);
    if (structure_.time_in_constraints) system_.constraint_rate(t, moved_q_, gt_);
    bool moved = !schur_.factorise(G_, mass_, G_);
    if (!moved) {
      find_impulse(G_, v, mu_);
      multiply_transposed(G_, mu_, b_);
      mass_.solve(b_, a_);
      for (int i = 0; i < v.size(); ++i) moved_v_[i] = v[i] - a_[i];
      moved = !succeeded(multiplier(t, moved_q_, moved_v_, moved_lambda_));
    }
    for (int a = 0; !moved && a < lambda.size(); ++a)
      moved = !(16384 * abs(value_of(moved_lambda_[a]) - value_of(lambda[a])) * unit_[a] <= scale);
    return moved;
  }

  // Whether what is solved with the matrix that was factorised last is noise; its condition.
  bool is_noise(const typename System::Jacobian& G) {
    using std::abs, std::sqrt;
    condition_ = RealOf<T>(1);
    if (System::m == 1 || r_.size() < 2) return false;  // the only row is 1
    for (int i = 0; i < inertia_.size(); ++i)
      for_row(mass_.matrix(), i, [&](int j, const T& x) {
        if (i == j) inertia_[i] = abs(value_of(x));
      });
    for (int a = 0; a < r_.size(); ++a) {
      RealOf<T> square(0);
      for_row(G, a, [&](int i, const T& x) {
        if (inertia_[i] > RealOf<T>(0)) square += value_of(x) * value_of(x) / inertia_[i];
      });
      unit_[a] = square > RealOf<T>(0) ? RealOf<T>(sqrt(square)) : RealOf<T>(1);
      start_[a] = RealOf<T>(1) / (a + 2) + RealOf<T>(1) / 3;  // along no symmetry
    }
    RealOf<T> size(0), before(0);
    for (int turn = 0; turn < 2; ++turn) {
      before = RealOf<T>(0), size = RealOf<T>(0);
      for (int a = 0; a < r_.size(); ++a) before += abs(start_[a]), r_[a] = T(unit_[a] * start_[a]);
      schur_.solve(r_, mu_);
      for (int a = 0; a < r_.size(); ++a) start_[a] = unit_[a] * value_of(mu_[a]), size += abs(start_[a]);
      if (!is_finite(size)) return true;
      if (!(size > RealOf<T>(0))) return false;
    }
    weight_ = before;
    condition_ = size / before;
    return condition_ * epsilon<T>() * 16384 > RealOf<T>(1);
  }

  // G M^-1 G^T impulse = G v + g_t
  void find_impulse(const typename System::Jacobian& G, const Coordinates& v, Multipliers& impulse) {
    multiply(G, v, r_);
    for (int a = 0; structure_.time_in_constraints && a < r_.size(); ++a) r_[a] += gt_[a];
    schur_.solve(r_, impulse);
  }

  const System& system_;
  Structure structure_;
  Mass<typename System::Square> mass_;
  Schur<typename System::Jacobian> schur_;
  typename System::Jacobian G_;
  typename System::Square Lqq_, Lqv_, Lvv_;
  Coordinates Lq_, Lv_, a_, b_;
  Multipliers g_, gt_, r_, mu_;
  Vec<RealOf<T>, System::n> inertia_;
  Vec<RealOf<T>, System::m> unit_, start_;
  RealOf<T> condition_ = RealOf<T>(1), weight_ = RealOf<T>(1);  // of the last matrix; of what mu_ was solved from
  Coordinates moved_q_, moved_v_;
  Multipliers moved_lambda_;
};

}  // namespace livens
