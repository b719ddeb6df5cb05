// Symplecticity: the two-form dq ^ dp before and after one step, by the exact derivative D of the step map.
//
//   omega(a,b)  = dq_a . dp_b - dq_b . dp_a
//   defect      = max over pairs of basis vectors of | omega(D a, D b) - omega(a,b) |
//   scale       = the largest sum of the terms of an omega by absolute value, before or after the step: what its
//                 round-off is relative to, whatever the units
//
// Tangent vectors: G dq = 0, dq from an orthonormal basis of ker G, and dp free, one unit vector after another, for
// methods that take p and p + G^T x for the same start (Kinon, Betsch, Schneider 2023); for all others (dq, dp) from an
// orthonormal basis of  G dq = 0,  d(G v(q,p) + g_t) = 0.  p is the momentum that the audit looks at.
//
// Degenerate systems: where the scheme carries p, all unit vectors (dq, dp); where p = theta(q) is projected, the unit
// vectors dq with dp = J dq, and dq ^ dp is the noncanonical form of q.
//
// D comes from jets with one direction through the very source of the step: no difference quotient, no tolerance.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "livens/math/jet.hpp"
#include "livens/run/walk.hpp"
#include "livens/study/stopped.hpp"
#include "livens/system/start.hpp"

namespace livens {

struct Symplecticity {
  double defect = 0, scale = 0;
  std::optional<StepReport> failure;  // the step could not be solved; the figures are then not meaningful
  Attempt attempt;                    // where it was evaluated then
};

// The start of the step, in the plain numbers of a consistent start.
struct PhasePoint {
  double t = 0;
  std::vector<double> q, p, v;
};

// A vector of the 2n-dimensional phase space, dq first.
using Tangent = std::vector<double>;

// Orthonormal basis of the vectors that are orthogonal to all rows; rows must be independent.
inline std::vector<Tangent> kernel(std::vector<Tangent> rows, std::size_t dimension,
                                   const std::atomic<bool>* stop = nullptr) {
  const auto dot_product = [](const Tangent& a, const Tangent& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  };
  std::vector<Tangent> basis;  // first of the rows, then of what is left
  const auto orthogonal_part = [&](Tangent x) {
    for (int pass = 0; pass < 2; ++pass)  // the second pass removes the round-off of the first
      for (const Tangent& b : basis) {
        const double along = dot_product(x, b);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] -= along * b[i];
      }
    return x;
  };
  const auto take = [&](Tangent x) {
    const double length = std::sqrt(dot_product(x, x));
    for (double& xi : x) xi /= length;
    basis.push_back(std::move(x));
  };
  for (const Tangent& row : rows) take(orthogonal_part(row));
  while (basis.size() < dimension) {
    end_if_asked(stop);
    Tangent longest;
    for (std::size_t i = 0; i < dimension; ++i) {
      Tangent unit(dimension, 0.0);
      unit[i] = 1;
      unit = orthogonal_part(unit);
      if (longest.empty() || dot_product(unit, unit) > dot_product(longest, longest)) longest = unit;
    }
    take(longest);
  }
  basis.erase(basis.begin(), basis.begin() + static_cast<std::ptrdiff_t>(rows.size()));
  return basis;
}

// System: over Jet<double, 1>.
template <class System>
class SymplecticityStudy {
 public:
  using T = typename System::Scalar;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;

  SymplecticityStudy(const System& system, Walk<System> walk)
      : system_(system), walk_(std::move(walk)), n_(system.coordinates()) {}

  // Throws Stopped soon after `stop` was set from outside.
  Symplecticity study(const PhasePoint& x, double h, const std::atomic<bool>* stop = nullptr) {
    Symplecticity result;
    const std::vector<Tangent> before = tangents(x, stop);
    std::vector<Tangent> after;
    for (const Tangent& a : before) {
      end_if_asked(stop);
      StepReport report;
      after.push_back(image(x, a, h, report, result.attempt));
      if (!succeeded(report.outcome)) {
        result.failure = report;
        return result;
      }
    }
    for (std::size_t a = 0; a < before.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        const Form was = form(before[a], before[b]), is = form(after[a], after[b]);
        result.defect = std::max(result.defect, std::abs(is.value - was.value));
        result.scale = std::max({result.scale, was.size, is.size});
      }
    return result;
  }

 private:
  std::size_t size() const { return static_cast<std::size_t>(n_); }

  static T along(double value, double derivative) {
    T x(value);
    x.gradient[0] = derivative;
    return x;
  }
  // Part of the point as jets in the direction of a part of the tangent.
  Coordinates along(const std::vector<double>& x, const Tangent& a, std::size_t from) const {
    Coordinates out(n_);
    for (std::size_t i = 0; i < size(); ++i) out[static_cast<int>(i)] = along(x[i], a[from + i]);
    return out;
  }

  // D a, in q and in the momentum of the audit.
  Tangent image(const PhasePoint& x, const Tangent& a, double h, StepReport& report, Attempt& attempt) {
    const Tangent none(size(), 0.0);
    report.outcome = walk_.start(T(x.t), along(x.q, a, 0), along(x.p, a, size()), along(x.v, none, 0));
    if (succeeded(report.outcome)) walk_.advance(T(x.t), T(x.t + h), T(h), report);
    const bool solved = succeeded(report.outcome);
    if (solved) report.outcome = walk_.look(T(x.t + h));
    if (solved && !succeeded(report.outcome)) report.part = StepPart::audit;
    if (!succeeded(report.outcome)) attempt = walk_.attempt(T(x.t), T(x.t + h), solved);
    Tangent Da;
    for (const T& q : walk_.q()) Da.push_back(q.gradient[0]);
    for (const T& p : walk_.audited_momentum()) Da.push_back(p.gradient[0]);
    return Da;
  }

  struct Form {
    double value = 0, size = 0;  // of omega, and of its terms by absolute value
  };
  Form form(const Tangent& a, const Tangent& b) const {
    Form sum;
    for (std::size_t i = 0; i < size(); ++i)
      for (const double term : {a[i] * b[size() + i], -b[i] * a[size() + i]})
        sum.value += term, sum.size += std::abs(term);
    return sum;
  }

  std::vector<Tangent> units(std::size_t dimension) const {
    std::vector<Tangent> out(dimension, Tangent(2 * size(), 0.0));
    for (std::size_t k = 0; k < dimension; ++k) out[k][k] = 1;
    return out;
  }

  std::vector<Tangent> tangents(const PhasePoint& x, const std::atomic<bool>*) requires DegenerateSystem<System> {
    if (!walk_.traits().carries_final_momentum) return units(2 * size());
    std::vector<Tangent> out = units(size());
    Coordinates theta(n_);
    for (Tangent& a : out) {
      system_.theta(along(x.q, a, 0), theta);
      for (std::size_t i = 0; i < size(); ++i) a[size() + i] = theta[static_cast<int>(i)].gradient[0];
    }
    return out;
  }
  std::vector<Tangent> tangents(const PhasePoint& x, const std::atomic<bool>* stop) {
    if (!walk_.traits().any_momentum_starts) return kernel(constraint_rows(x), 2 * size(), stop);
    std::vector<Tangent> out;
    for (Tangent dq : kernel(jacobian_rows(x), size(), stop)) {
      dq.resize(2 * size(), 0.0);
      out.push_back(std::move(dq));
    }
    for (std::size_t i = 0; i < size(); ++i) {
      out.emplace_back(2 * size(), 0.0);
      out.back()[size() + i] = 1;
    }
    return out;
  }

  // G
  std::vector<Tangent> jacobian_rows(const PhasePoint& x) const {
    Multipliers g(system_.constraints());
    typename System::Jacobian G(system_.constraints(), n_);
    system_.constraint_jacobian(T(x.t), along(x.q, Tangent(size(), 0.0), 0), g, G);
    std::vector<Tangent> rows;
    for (int a = 0; a < g.size(); ++a) {
      Tangent& row = rows.emplace_back();
      for (int j = 0; j < n_; ++j) row.push_back(value_of(G(a, j)));
    }
    return rows;
  }

  // (G, 0) and the derivatives of G v(q,p) + g_t by q and p
  std::vector<Tangent> constraint_rows(const PhasePoint& x) {
    std::vector<Tangent> rows = jacobian_rows(x);
    for (Tangent& row : rows) row.resize(2 * size(), 0.0);
    const std::size_t m = rows.size();
    rows.resize(2 * m, Tangent(2 * size(), 0.0));
    Multipliers g(system_.constraints()), rate(g);
    typename System::Jacobian G(system_.constraints(), n_);
    for (std::size_t k = 0; k < 2 * size(); ++k) {
      Tangent unit(2 * size(), 0.0);
      unit[k] = 1;
      const Coordinates q = along(x.q, unit, 0), p = along(x.p, unit, size());
      walk_.start(T(x.t), q, p, along(x.v, Tangent(size(), 0.0), 0));
      system_.constraint_jacobian(T(x.t), q, g, G);
      system_.constraint_rate(T(x.t), q, rate);
      for (int a = 0; a < g.size(); ++a) {
        for (int j = 0; j < n_; ++j) rate[a] += G(a, j) * walk_.kind().hint()[j];
        rows[m + static_cast<std::size_t>(a)][k] = rate[a].gradient[0];
      }
    }
    return rows;
  }

  const System& system_;
  Walk<System> walk_;
  int n_;
};

// One step of size h from a consistent start.
template <class System, class Method>
Symplecticity symplecticity(const System& system, const Method& method, const PhasePoint& start, double h,
                            const SolverSettings<RealOf<typename System::Scalar>>& solver = {}) {
  return SymplecticityStudy<System>(system, Walk<System>(system, method, solver)).study(start, h);
}

// The numbers of consistent start values of any scalar.
template <class System>
PhasePoint phase_point(const StartState<System>& start) {
  PhasePoint x;
  x.t = to_double(start.t);
  for (const auto& qi : start.q) x.q.push_back(to_double(qi));
  for (const auto& pi : start.p) x.p.push_back(to_double(pi));
  for (const auto& vi : start.hint) x.v.push_back(to_double(vi));
  return x;
}
template <class System>
PhasePoint phase_point(const StartValues<System>& start) {
  return phase_point(StartState<System>(start));
}

}  // namespace livens
