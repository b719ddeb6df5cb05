// A method that promises nothing, for studies to find out: explicit Euler for L = v.Mv/2 - V(t,q), then the nearest
// point (in the mass norm, one multiplier at the new point) and the consistent momentum.
//
//   q~ = q0 + h v(q0,p0) ,   p~ = p0 - h V_q(t0,q0)
//   q1 = q~ - M^-1 G(t1,q1)^T mu ,   g(t1,q1) = 0 ,   p1 = P p~
#pragma once

#include "livens/math/lu.hpp"
#include "livens/method/method.hpp"
#include "livens/system/kinetics.hpp"

namespace livens::test {

struct ExplicitEuler {
  static constexpr MethodTraits traits() {
    return {.name = "explicit-euler",
            .order = 1,
            .symplectic = false,
            .symmetric = false,
            .carries_final_momentum = true,
            .audit_uses_final = true,
            .raw = RawValues::end_of_step,
            .any_momentum_starts = false};
  }
  template <class System>
  class Step;
};

template <class System>
class ExplicitEuler::Step {
 public:
  using T = typename System::Scalar;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;

  Step(const System& system, const ExplicitEuler&, const SolverSettings<RealOf<T>>& settings)
      : system_(system),
        settings_(settings),
        kinetics_(system),
        multipliers_(system.constraints()),
        q1_(system.coordinates()) {}

  bool start(const T& t, const State<System>& x, const Coordinates& v) { return kinetics_.start(t, x.q, v); }

  void advance(const T& t0, const T& t1, const T& h, State<System>& x, StepReport& report) {
    Coordinates v(x.q), Vq(x.q), p1(x.p);
    kinetics_.velocity(t0, x.q, x.p, v);
    system_.potential_gradient(t0, x.q, Vq);
    for (int i = 0; i < v.size(); ++i) p1[i] = x.p[i] - h * Vq[i];
    Nearest nearest(*this, t1, x.q);
    for (int i = 0; i < v.size(); ++i) nearest.start[i] = nearest.q[i] = x.q[i] + h * v[i];
    newton<T>(nearest, settings_, report);
    q1_ = nearest.q;
    if (!succeeded(report.outcome)) return;
    report.outcome = kinetics_.project(t1, nearest.q, p1, v);
    if (!succeeded(report.outcome)) return;
    x.q = nearest.q;
    x.p = p1;
  }

  const Coordinates& attempted_position() const { return q1_; }
  template <class Take>
  void raw_values(const State<System>& x, const Take& take) const {
    take(raw_momentum, x.p);
    take(raw_multipliers, multipliers_);
  }
  template <class Archive>
  void archive(Archive&) {}
  void resume(const T&, const State<System>&) {}

 private:
  // M (q - start) + G(q)^T mu = 0 ,  g(t1,q) = 0
  struct Nearest {
    Step& s;
    T t1;
    Coordinates start, q;
    Multipliers mu, g;
    typename System::Jacobian G;
    typename System::Square H;
    Lu<T, size_sum(System::n, System::m)> lu;
    Vec<T, size_sum(System::n, System::m)> r, d;

    Nearest(Step& step, const T& t, const Coordinates& q0)
        : s(step),
          t1(t),
          start(q0),
          q(q0),
          mu(s.system_.constraints()),
          g(mu),
          G(mu.size(), q0.size()),
          H(q0.size(), q0.size()),
          lu(q0.size() + mu.size()),
          r(q0.size() + mu.size()),
          d(r) {
      mu.fill(T(0));
    }
    RealOf<T> residual() {
      const auto& M = s.kinetics_.mass().matrix();
      s.system_.constraint_jacobian(t1, q, g, G);
      for (int i = 0; i < q.size(); ++i) {
        r[i] = T(0);
        for (int j = 0; j < q.size(); ++j) r[i] += M(i, j) * (q[j] - start[j]);
        for (int a = 0; a < mu.size(); ++a) r[i] += G(a, i) * mu[a];
      }
      for (int a = 0; a < mu.size(); ++a) r[q.size() + a] = g[a];
      return size_of(r);
    }
    bool factorise() {
      const auto& M = s.kinetics_.mass().matrix();
      s.system_.constraint_hessian(t1, q, mu, H);
      auto& A = lu.matrix();
      A.fill(T(0));
      for (int i = 0; i < q.size(); ++i)
        for (int j = 0; j < q.size(); ++j) A(i, j) = M(i, j) + H(i, j);
      for (int a = 0; a < mu.size(); ++a)
        for (int j = 0; j < q.size(); ++j) A(q.size() + a, j) = A(j, q.size() + a) = G(a, j);
      return lu.factorise();
    }
    RealOf<T> correct() {
      lu.solve(r, d);
      for (int i = 0; i < q.size(); ++i) q[i] -= d[i];
      for (int a = 0; a < mu.size(); ++a) mu[a] -= d[q.size() + a];
      return size_of(d);
    }
  };

  const System& system_;
  SolverSettings<RealOf<T>> settings_;
  Kinetics<System> kinetics_;
  Multipliers multipliers_;
  Coordinates q1_;
};

}  // namespace livens::test
