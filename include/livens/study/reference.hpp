// The solution that runs are compared with, at one node after another. It knows none of the methods: the equations of
// motion as ordinary differential equations, extrapolated to round-off (extrapolated_solution.hpp).
//
// IndexOneReference, Lagrangian systems: reduced to index 1,
//
//   q' = v ,    [ M  G^T ] [  v'    ]   [ f ]      f = L_q + F - L_vq v - L_vt ,     M = L_vv
//               [ G   0  ] [ lambda ] = [ c ] ,    c = -(D2g[v,v] + 2 g_tq v + g_tt)
//
// by  G M^-1 G^T lambda = G M^-1 f - c ,  v' = M^-1 (f - G^T lambda), dense or sparse as the system is.
//
// FieldReference, degenerate systems:  q' = Om(q)^-1 grad H(q) ,  p = theta(q).
//
// HiddenReference, overdetermined systems:  y' = v ,  z' = f + r(psi) ,  psi from (H) of hidden_equation.hpp, the root
// that continues that of the start.
//
// Their scalar should be wider than that of the run.
#pragma once

#include <vector>

#include "livens/solve/mass.hpp"
#include "livens/solve/schur.hpp"
#include "livens/study/extrapolated_solution.hpp"
#include "livens/system/degenerate.hpp"
#include "livens/system/hidden_equation.hpp"
#include "livens/system/start.hpp"

namespace livens {

struct SolutionNode {
  std::vector<Widest> q, p, lambda;
};

class Reference {
 public:
  virtual ~Reference() = default;
  // Asked for times in their order. Null: the solution could not be had there.
  virtual const SolutionNode* at(const Widest& t) = 0;
};

template <class Vector>
std::vector<Widest> widened(const Vector& x) {
  return std::vector<Widest>(x.begin(), x.end());
}

template <class System>
class IndexOneReference : public Reference {
 public:
  using T = typename System::Scalar;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;

  IndexOneReference(const System& system, const StartValues<System>& start)
      : system_(system),
        solution_(start.t, {start.q, start.v}),
        mass_(system),
        schur_(system),
        lambda_(system.constraints()),
        curvature_(lambda_),
        right_(lambda_),
        G_(system.jacobian()),
        Lqq_(system.square()),
        Lqv_(Lqq_),
        Lq_(start.q),
        Lv_(Lq_),
        a_(Lq_),
        b_(Lq_),
        rate_{start.q, start.v} {
    system_.mass(start.t, start.q, start.v, mass_.matrix());
    constant_mass_ = system_.structure().constant_mass && mass_.factorise();
  }

  const SolutionNode* at(const Widest& t) override {
    const auto equations = [this](const T& at, const Phase& x, Phase& out) { return rate(at, x, out); };
    const T time = static_cast<T>(t);
    if (!solution_.go_to(time, equations) || !rate(time, solution_.now(), rate_)) return nullptr;
    const auto& [q, v] = solution_.now();
    system_.gradient(time, q, v, Lq_, Lv_);
    node_ = {widened(q), widened(Lv_), widened(lambda_)};
    return &node_;
  }

  // At the last node.
  const Coordinates& q() const { return solution_.now()[0]; }
  const Multipliers& lambda() const { return lambda_; }

 private:
  using Phase = std::array<Coordinates, 2>;  // q, v

  // (q', v'), and lambda_; false where they are not defined.
  bool rate(const T& t, const Phase& x, Phase& out) {
    const auto& [q, v] = x;
    const int n = q.size(), m = lambda_.size();
    Coordinates& f = Lq_;
    if (constant_mass_) {  // L = v.Mv/2 - V(t,q)
      system_.potential_gradient(t, q, f);
      for (T& fi : f) fi = -fi;
    } else {
      system_.gradient(t, q, v, Lq_, Lv_);
      system_.hessian(t, q, v, Lqq_, Lqv_, mass_.matrix());
      system_.momentum_rate(t, q, v, b_);
      multiply_transposed(Lqv_, v, a_);
      for (int i = 0; i < n; ++i) f[i] -= a_[i] + b_[i];
    }
    system_.force(t, q, v, b_);
    for (int i = 0; i < n; ++i) f[i] += b_[i];
    if (!constant_mass_ && !mass_.factorise()) return false;
    if (m > 0) {
      system_.constraint_jacobian(t, q, curvature_, G_);
      if (!schur_.factorise(G_, mass_, G_)) return false;
      mass_.solve(f, a_);
      multiply(G_, a_, right_);
      system_.constraint_curvature(t, q, v, curvature_);
      for (int a = 0; a < m; ++a) right_[a] += curvature_[a];
      schur_.solve(right_, lambda_);
      subtract_transposed(G_, lambda_, f);
    }
    out[0] = v;
    mass_.solve(f, out[1]);
    return is_finite(size_of(out[1])) && is_finite(size_of(lambda_)) && is_finite(size_of(v));
  }

  const System& system_;
  ExtrapolatedSolution<T, Phase> solution_;
  bool constant_mass_ = false;
  Mass<typename System::Square> mass_;
  Schur<typename System::Jacobian> schur_;
  Multipliers lambda_, curvature_, right_;
  typename System::Jacobian G_;
  typename System::Square Lqq_, Lqv_;
  Coordinates Lq_, Lv_, a_, b_;
  Phase rate_;
  SolutionNode node_;
};

template <class System>
class FieldReference : public Reference {
 public:
  using T = typename System::Scalar;
  using Coordinates = typename System::Coordinates;

  FieldReference(const System& system, const T& t, const Coordinates& q)
      : system_(system), field_(system), solution_(t, {q}), theta_(q) {}

  const SolutionNode* at(const Widest& t) override {
    const auto equations = [this](const T&, const Phase& x, Phase& out) {
      return succeeded(field_.velocity(x[0], out[0]));
    };
    if (!solution_.go_to(static_cast<T>(t), equations)) return nullptr;
    const Coordinates& q = solution_.now()[0];
    system_.theta(q, theta_);
    node_ = {widened(q), widened(theta_), {}};
    return &node_;
  }

 private:
  using Phase = std::array<Coordinates, 1>;

  const System& system_;
  DegenerateField<System> field_;
  ExtrapolatedSolution<T, Phase> solution_;
  Coordinates theta_;
  SolutionNode node_;
};

template <class System>
class HiddenReference : public Reference {
 public:
  using T = typename System::Scalar;
  using Positions = typename System::Positions;
  using Velocities = typename System::Velocities;

  HiddenReference(const System& system, const StartState<System>& start)
      : system_(system),
        hidden_(system),
        solution_(start.t, {copied(start.q), copied(start.p)}),
        rate_{copied(start.q), copied(start.p)},
        y_(start.q),
        v_(start.q),
        z_(start.p),
        f_(start.p),
        r_(start.p),
        psi_(start.hint) {}

  const SolutionNode* at(const Widest& t) override {
    const auto equations = [this](const T& at, const Phase& x, Phase& out) { return rate(at, x, out); };
    const T time = static_cast<T>(t);
    if (!solution_.go_to(time, equations) || !rate(time, solution_.now(), rate_)) return nullptr;
    node_ = {widened(y_), widened(z_), widened(psi_)};
    return &node_;
  }

 private:
  using Phase = std::array<Vec<T>, 2>;  // y, z

  template <class Vector>
  static Vec<T> copied(const Vector& x) {
    Vec<T> out(x.size());
    std::copy(x.begin(), x.end(), out.begin());
    return out;
  }

  bool rate(const T& t, const Phase& x, Phase& out) {
    std::copy(x[0].begin(), x[0].end(), y_.begin());
    std::copy(x[1].begin(), x[1].end(), z_.begin());
    if (!succeeded(hidden_.solve(t, y_, z_, psi_))) return false;
    system_.velocity(t, y_, z_, v_);
    system_.force(t, y_, z_, f_);
    system_.reaction(t, y_, z_, psi_, r_);
    for (int i = 0; i < v_.size(); ++i) out[0][i] = v_[i];
    for (int i = 0; i < f_.size(); ++i) out[1][i] = f_[i] + r_[i];
    return is_finite(size_of(out[0])) && is_finite(size_of(out[1]));
  }

  const System& system_;
  HiddenEquation<System> hidden_;
  ExtrapolatedSolution<T, Phase> solution_;
  Phase rate_;
  Positions y_, v_;
  Velocities z_, f_, r_;
  typename System::Multipliers psi_;
  SolutionNode node_;
};

}  // namespace livens
