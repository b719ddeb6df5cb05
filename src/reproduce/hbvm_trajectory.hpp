// One trajectory of HBVM(k,s) node by node, with the figures that the tables and figures of the paper look at:
//
//   e_H = max_n |H_n - H_0| ,   e_g = max_n |g(q_n)|_inf ,   e_hc = max_n |G(q_n) M^-1 p_n|_1
#pragma once

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

#include "livens/method/hbvm.hpp"
#include "livens/system/lagrangian.hpp"

namespace livens {

template <class System>
struct HbvmNode {
  long long n;
  const typename System::Coordinates &q, &p;   // at t_n
  const Vec<typename System::Scalar>& lambda;  // of the step that ends there; empty for n = 0
  double energy_error, constraint, hidden;     // H_n - H_0, |g|_inf, |w|_1
};

struct HbvmMaxima {
  double energy = 0, constraint = 0, hidden = 0;
  double gradient = 0, position = 0;  // |G_a|, |q|, Euclidean

  // What round-off of the position does to g in N steps.
  double constraint_round_off(long long steps) const {
    return 4 * epsilon<double>() * gradient * position * std::sqrt(static_cast<double>(steps));
  }
};

// For problems with M = 1 and start values q0<T>(), p0<T>(). Throws where a step cannot be solved.
template <class T, class Problem, class Visit>
HbvmMaxima follow_hbvm(const Problem& problem, const Hbvm& method, const T& h, long long steps, const Visit& visit) {
  using System = Lagrangian<Problem, T>;
  const System system(problem);
  State<System> x(system);
  x.q = problem.template q0<T>(), x.p = problem.template p0<T>();
  typename Hbvm::Step<System> step(system, method, {});
  step.start(T(0), x, x.p);

  typename System::Multipliers g(system.constraints());
  typename System::Jacobian G = system.jacobian();
  const auto energy = [&] { return dot(x.p, x.p) - system.lagrangian(T(0), x.q, x.p); };
  const T first_energy = energy();
  HbvmMaxima maxima;
  Vec<T> lambda;
  for (long long n = 0; n <= steps; ++n) {
    if (n > 0) {
      StepReport report;
      step.advance(T(0), T(0), h, x, report);
      if (!succeeded(report.outcome))
        throw std::runtime_error("hbvm: step " + std::to_string(n) + ": " + std::string(name(report.outcome)));
      step.raw_values(x, [&](const RawValue& what, const auto& values) {
        if (what.per != RawValue::Per::multiplier) return;
        lambda = Vec<T>(values.size());
        for (int a = 0; a < values.size(); ++a) lambda[a] = values[a];
      });
    }
    system.constraint_jacobian(T(0), x.q, g, G);
    double constraint = 0, hidden = 0;
    for (int a = 0; a < system.constraints(); ++a) {
      T w(0), length(0);
      for (int i = 0; i < system.coordinates(); ++i) w += G(a, i) * x.p[i], length += G(a, i) * G(a, i);
      constraint = std::max(constraint, std::abs(to_double(g[a])));
      hidden += std::abs(to_double(w));
      maxima.gradient = std::max(maxima.gradient, std::sqrt(to_double(length)));
    }
    const double energy_error = to_double(energy() - first_energy);
    maxima.energy = std::max(maxima.energy, std::abs(energy_error));
    maxima.constraint = std::max(maxima.constraint, constraint);
    maxima.hidden = std::max(maxima.hidden, hidden);
    maxima.position = std::max(maxima.position, std::sqrt(to_double(dot(x.q, x.q))));
    visit(HbvmNode<System>{n, x.q, x.p, lambda, energy_error, constraint, hidden});
  }
  return maxima;
}

}  // namespace livens
