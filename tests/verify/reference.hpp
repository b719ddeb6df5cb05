// An independent second route: the equations of motion reduced to index 1,
//
//   q' = v ,   M v' = L_q + F - L_vq v - L_vt - G^T lambda(q,v) ,
//
// integrated by the classical Runge-Kutta method of order 4 in long double with small steps.
#pragma once

#include <vector>

#include "livens/system/start.hpp"

namespace livens::test {

template <class Problem>
class Reference {
 public:
  using T = long double;
  using System = Lagrangian<Problem, T>;
  static constexpr int n = Problem::coordinates;

  Reference(const Problem& problem, const Vec<double, n>& q, const Vec<double, n>& v)
      : system_(problem), kinetics_(system_), mass_(system_) {
    for (int i = 0; i < n; ++i) y_[i] = q[i], y_[n + i] = v[i];
    kinetics_.start(T(0), part(y_, 0), part(y_, n));
  }

  // The states at 0, h, 2h, ..., each with `fine` small steps.
  struct Node {
    Vec<double, n> q, v, p;
    Vec<double, Problem::constraints> lambda;
  };
  std::vector<Node> nodes(double h, int steps, int fine) {
    std::vector<Node> out = {node(0)};
    const T dt = T(h) / fine;
    for (int k = 0; k < steps; ++k) {
      for (int j = 0; j < fine; ++j) runge_kutta(T(k) * h + T(j) * dt, dt);
      out.push_back(node(T(k + 1) * h));
    }
    return out;
  }

 private:
  using Y = Vec<T, 2 * n>;
  using Q = Vec<T, n>;

  static Q part(const Y& y, int from) {
    Q x;
    for (int i = 0; i < n; ++i) x[i] = y[from + i];
    return x;
  }

  Node node(T t) {
    Node out;
    const Q q = part(y_, 0), v = part(y_, n);
    Q Lq, Lv;
    Vec<T, Problem::constraints> lambda;
    system_.gradient(t, q, v, Lq, Lv);
    kinetics_.multiplier(t, q, v, lambda);
    for (int i = 0; i < n; ++i)
      out.q[i] = static_cast<double>(q[i]), out.v[i] = static_cast<double>(v[i]), out.p[i] = static_cast<double>(Lv[i]);
    for (int a = 0; a < lambda.size(); ++a) out.lambda[a] = static_cast<double>(lambda[a]);
    return out;
  }

  Y rate(T t, const Y& y) {
    const Q q = part(y, 0), v = part(y, n);
    Vec<T, Problem::constraints> lambda, g;
    Mat<T, Problem::constraints, n> G;
    Mat<T, n, n> Lqq, Lqv;
    Q Lq, Lv, F, Lvt, acceleration;
    kinetics_.multiplier(t, q, v, lambda);
    system_.constraint_jacobian(t, q, g, G);
    system_.gradient(t, q, v, Lq, Lv);
    system_.hessian(t, q, v, Lqq, Lqv, mass_.matrix());
    system_.momentum_rate(t, q, v, Lvt);
    system_.force(t, q, v, F);
    mass_.factorise();
    for (int i = 0; i < n; ++i) {
      Lq[i] += F[i] - Lvt[i];
      for (int j = 0; j < n; ++j) Lq[i] -= Lqv(j, i) * v[j];
      for (int a = 0; a < lambda.size(); ++a) Lq[i] -= G(a, i) * lambda[a];
    }
    mass_.solve(Lq, acceleration);
    Y dy;
    for (int i = 0; i < n; ++i) dy[i] = v[i], dy[n + i] = acceleration[i];
    return dy;
  }

  void runge_kutta(T t, T h) {
    const auto ahead = [&](const Y& k, T s) {
      Y y = y_;
      for (int i = 0; i < 2 * n; ++i) y[i] += s * k[i];
      return y;
    };
    const Y k1 = rate(t, y_), k2 = rate(t + h / 2, ahead(k1, h / 2)), k3 = rate(t + h / 2, ahead(k2, h / 2)),
            k4 = rate(t + h, ahead(k3, h));
    for (int i = 0; i < 2 * n; ++i) y_[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
  }

  System system_;
  Kinetics<System> kinetics_;
  Mass<typename System::Square> mass_;
  Y y_;
};

}  // namespace livens::test
