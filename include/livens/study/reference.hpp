// The solution that runs are compared with, at one node after another.
//
// IndexOneReference knows none of the methods: the equations of motion reduced to index 1,
//
//   q' = v ,    [ M  G^T ] [  v'    ]   [ f ]      f = L_q + F - L_vq v - L_vt ,     M = L_vv
//               [ G   0  ] [ lambda ] = [ c ] ,    c = -(D2g[v,v] + 2 g_tq v + g_tt)
//
// by  G M^-1 G^T lambda = G M^-1 f - c ,  v' = M^-1 (f - G^T lambda), dense or sparse as the system is, and
// integrated by Gragg's midpoint rule with extrapolation in h^2 (Hairer, Norsett, Wanner, Solving Ordinary Differential
// Equations I, sec. II.9) from node to node, order and inner steps chosen so that the last correction of the
// extrapolation is at round-off. Its scalar should be wider than that of the run.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "livens/math/compensated.hpp"
#include "livens/solve/mass.hpp"
#include "livens/solve/schur.hpp"
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
        t_(start.t),
        now_{start.q, start.v},
        remainder_(now_),
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
        point_(now_),
        rate_(now_) {
    for (Coordinates* x : {&remainder_.q, &remainder_.v}) x->fill(T(0));
    columns_.assign(most_columns, std::vector<Phase>(most_columns, now_));
    system_.mass(t_, now_.q, now_.v, mass_.matrix());
    constant_mass_ = system_.structure().constant_mass && mass_.factorise();
  }

  const SolutionNode* at(const Widest& t) override {
    if (!go_to(static_cast<T>(t)) || !rate(t_, now_)) return nullptr;
    system_.gradient(t_, now_.q, now_.v, Lq_, Lv_);
    node_ = {widened(now_.q), widened(Lv_), widened(lambda_)};
    return &node_;
  }

  // At the last node.
  const Coordinates& q() const { return now_.q; }
  const Multipliers& lambda() const { return lambda_; }

 private:
  static constexpr int most_columns = 16, most_halvings = 60;

  struct Phase {
    Coordinates q, v;

    // this = a + factor * b
    void set(const Phase& a, const T& factor, const Phase& b) {
      for (int i = 0; i < q.size(); ++i) q[i] = a.q[i] + factor * b.q[i], v[i] = a.v[i] + factor * b.v[i];
    }
  };

  bool go_to(const T& t) {
    using std::abs;
    int halvings = 0;
    while (t_ != t) {
      const T rest = t - t_;
      const bool last = inner_step_ == T(0) || abs(inner_step_) >= abs(rest);
      const T H = last ? rest : inner_step_;
      if (const int columns = extrapolate(H); columns > 0) {
        t_ = last ? t : T(t_ + H);
        halvings = 0;
        if (columns <= most_columns / 2 && !last) inner_step_ = 2 * H;
      } else {
        if (++halvings > most_halvings) return false;
        inner_step_ = H / 2;
      }
    }
    return true;
  }

  // One step of size H; the number of columns that it took, 0: no convergence, nothing is changed. Increments are
  // extrapolated, not states: their round-off is smaller by H.
  int extrapolate(const T& H) {
    const T floor = 4 * epsilon<T>();
    T correction_before(0);
    for (int j = 0; j < most_columns; ++j) {
      std::vector<Phase>& row = columns_[static_cast<std::size_t>(j)];
      if (!midpoint(H, 2 * (j + 1), row[0])) return 0;
      for (int k = 0; k < j; ++k) {
        const T ratio = T(j + 1) / T(j - k);  // of the numbers of midpoint steps
        const Phase& above = columns_[static_cast<std::size_t>(j - 1)][static_cast<std::size_t>(k)];
        Phase& next = row[static_cast<std::size_t>(k + 1)];
        next.set(row[static_cast<std::size_t>(k)], T(-1), above);
        next.set(row[static_cast<std::size_t>(k)], T(1) / (ratio * ratio - 1), next);
      }
      if (j == 0) continue;
      const Phase &best = row[static_cast<std::size_t>(j)], &before = row[static_cast<std::size_t>(j - 1)];
      const T correction = std::max(distance(best.q, before.q, now_.q), distance(best.v, before.v, now_.v));
      if (j > 4 && !(correction < std::max(correction_before, T(1000 * floor)))) return 0;  // H is too large
      // Long sums of formulas are noisier than the floor: where corrections stop to fall near it, that is their noise.
      const bool noise = j > 4 && correction <= 1000 * floor && 2 * correction >= correction_before;
      correction_before = correction;
      if (correction <= floor || noise) {
        for (int i = 0; i < best.q.size(); ++i) {
          add_compensated(now_.q[i], remainder_.q[i], best.q[i]);
          add_compensated(now_.v[i], remainder_.v[i], best.v[i]);
        }
        return j + 1;
      }
    }
    return 0;
  }

  // The largest |a - b| of a component relative to x and its increment a.
  static T distance(const Coordinates& a, const Coordinates& b, const Coordinates& x) {
    using std::abs;
    T largest(0);
    for (int i = 0; i < a.size(); ++i)
      if (const T d = abs(a[i] - b[i]); !(d <= largest)) largest = d;
    return largest == T(0) ? largest : T(largest / (max_norm(x) + max_norm(a)));
  }

  // The increment over H by `count` (even) midpoint steps, the first an Euler step.
  bool midpoint(const T& H, int count, Phase& increment) {
    const T h = H / T(count);
    Phase before = now_;
    for (Coordinates* x : {&before.q, &before.v}) x->fill(T(0));
    if (!rate(t_, now_)) return false;
    increment.set(before, h, rate_);
    for (int i = 1; i < count; ++i) {
      point_.set(now_, T(1), increment);
      if (!rate(t_ + T(i) * h, point_)) return false;
      before.set(before, 2 * h, rate_);
      std::swap(before, increment);
    }
    return true;
  }

  // (q', v') into rate_, and lambda_; false where they are not defined.
  bool rate(const T& t, const Phase& x) {
    const int n = x.q.size(), m = lambda_.size();
    Coordinates& f = Lq_;
    if (constant_mass_) {  // L = v.Mv/2 - V(t,q)
      system_.potential_gradient(t, x.q, f);
      for (T& fi : f) fi = -fi;
    } else {
      system_.gradient(t, x.q, x.v, Lq_, Lv_);
      system_.hessian(t, x.q, x.v, Lqq_, Lqv_, mass_.matrix());
      system_.momentum_rate(t, x.q, x.v, b_);
      multiply_transposed(Lqv_, x.v, a_);
      for (int i = 0; i < n; ++i) f[i] -= a_[i] + b_[i];
    }
    system_.force(t, x.q, x.v, b_);
    for (int i = 0; i < n; ++i) f[i] += b_[i];
    if (!constant_mass_ && !mass_.factorise()) return false;
    if (m > 0) {
      system_.constraint_jacobian(t, x.q, curvature_, G_);
      if (!schur_.factorise(G_, mass_, G_)) return false;
      mass_.solve(f, a_);
      multiply(G_, a_, right_);
      system_.constraint_curvature(t, x.q, x.v, curvature_);
      for (int a = 0; a < m; ++a) right_[a] += curvature_[a];
      schur_.solve(right_, lambda_);
      subtract_transposed(G_, lambda_, f);
    }
    rate_.q = x.v;
    mass_.solve(f, rate_.v);
    return is_finite(size_of(rate_.v)) && is_finite(size_of(lambda_)) && is_finite(size_of(x.v));
  }

  const System& system_;
  T t_, inner_step_ = T(0);
  Phase now_, remainder_;
  bool constant_mass_ = false;
  Mass<typename System::Square> mass_;
  Schur<typename System::Jacobian> schur_;
  Multipliers lambda_, curvature_, right_;
  typename System::Jacobian G_;
  typename System::Square Lqq_, Lqv_;
  Coordinates Lq_, Lv_, a_, b_;
  Phase point_, rate_;
  std::vector<std::vector<Phase>> columns_;  // the triangle of the extrapolation
  SolutionNode node_;
};

}  // namespace livens
