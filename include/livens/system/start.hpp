// Consistent start values of a Lagrangian system: g(t,q) = 0 and G v + g_t = 0, checked relative to the size of the
// terms, or reached by projection.
//
//   position  nearest q in the mass norm of the given q:   M (q - q_given) + G(q)^T mu = 0 ,  g(t,q) = 0
//             by Newton, with the curvature sum mu_a D2g_a in the matrix. Where constraints are dependent that matrix
//             is singular; a point where they hold, or come closest to it, is found by steps (Levenberg, Marquardt)
//
//               [ M      G^T   ] [ dq ]   [  0 ]       D_a = sum_j G_aj^2 / M_jj ,
//               [ G  -kappa D  ] [ y  ] = [ -g ]       kappa = the largest |g_a| relative to its terms, or more
//
//             which need no rank and converge quadratically all the same (Fan and Yuan, Computing 74, 2005)
//   velocity  at the new q:  v - M^-1 G^T (G M^-1 G^T)^-1 (G v + g_t),  or P p of kinetics.hpp where p is given
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "livens/solve/block_matrix.hpp"
#include "livens/system/kinetics.hpp"
#include "livens/system/rank.hpp"
#include "livens/system/state.hpp"

namespace livens {

struct StartOptions {
  double tolerance = 1e-9;  // allowed |g| and |G v + g_t| relative to the size of their terms
  bool project = false;
};

struct StartFault {
  enum class Kind {
    lagrangian_not_finite,
    constraint_not_finite,
    force_not_finite,
    invariant_not_finite,
    singular_mass,
    zero_gradient,  // of a constraint, which then holds no coordinate
    dependent_constraints,
    position,       // g is not 0
    velocity,       // G v + g_t is not 0
    no_projection,  // no point of the constraints was found near q
  };
  Kind kind;
  int index = 0;               // of the constraint or coordinate, from 0
  double value = 0;            // of the residual
  std::vector<int> rows = {};  // the dependent constraints
};

constexpr std::string_view name(StartFault::Kind kind) {
  switch (kind) {
    case StartFault::Kind::lagrangian_not_finite:
      return "the Lagrangian is not finite";
    case StartFault::Kind::constraint_not_finite:
      return "a constraint is not finite";
    case StartFault::Kind::force_not_finite:
      return "a force is not finite";
    case StartFault::Kind::invariant_not_finite:
      return "an invariant is not finite";
    case StartFault::Kind::singular_mass:
      return "the mass matrix is singular";
    case StartFault::Kind::zero_gradient:
      return "a constraint has no gradient";
    case StartFault::Kind::dependent_constraints:
      return "the constraints are linearly dependent";
    case StartFault::Kind::position:
      return "a constraint is not 0";
    case StartFault::Kind::velocity:
      return "the rate of a constraint is not 0";
    case StartFault::Kind::no_projection:
      return "no point on the constraints was found near q";
  }
  return "";
}

// q as it might be, had its coordinates been rounded otherwise, each by some epsilon of its own.
template <class T, int N>
Vec<T, N> rounded_otherwise(const Vec<T, N>& q) {
  Vec<T, N> other(q);
  for (int i = 0; i < q.size(); ++i) other[i] += static_cast<RealOf<T>>(16 + i * 7 % 17) * epsilon<T>() * q[i];
  return other;
}

// Whether G_a is nothing but round-off, as the gradient of g^2 where g = 0: that of other roundings of q differs from
// it by as much as its size.
template <class T, class Jacobian>
bool is_zero_gradient(const Jacobian& G, const Jacobian& of_other_rounding, int a) {
  using std::abs;
  std::vector<T> row;
  RealOf<T> size(0), change(0);
  for_row(G, a, [&](int, const T& x) { row.push_back(x), size += abs(value_of(x)); });
  auto x = row.begin();
  for_row(of_other_rounding, a, [&](int, const T& y) { change += abs(value_of(y - *x++)); });
  return size == RealOf<T>(0) || 2 * change >= size;
}

namespace detail {

// A diagonal matrix with a row for every row of G.
template <class T, int M, int N>
Mat<T, M, M> diagonal_of(const Mat<T, M, N>& G) {
  Mat<T, M, M> D(G.rows(), G.rows());
  D.fill(T(0));
  return D;
}
template <class T>
SparseMat<T> diagonal_of(const SparseMat<T>& G) {
  std::vector<std::pair<int, int>> entries;
  for (int a = 0; a < G.rows(); ++a) entries.emplace_back(a, a);
  return SparseMat<T>(std::make_shared<const SparsePattern>(make_pattern(G.rows(), G.rows(), std::move(entries))));
}
template <class T, int M>
T& diagonal_entry(Mat<T, M, M>& D, int a) {
  return D(a, a);
}
template <class T>
T& diagonal_entry(SparseMat<T>& D, int a) {
  return D.value(a);
}

}  // namespace detail

template <class System>
class StartValues {
 public:
  using T = typename System::Scalar;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;
  static constexpr int n = System::n, m = System::m;

  explicit StartValues(const System& system)
      : t(0),
        q(system.coordinates()),
        v(q),
        p(q),
        system_(system),
        kinetics_(system),
        g_(system.constraints()),
        size_(g_),
        G_(system.jacobian()) {}

  T t;
  Coordinates q, v, p;
  std::optional<Coordinates> beginning;  // of the search for the point nearest to q, where q itself is far from it
  StartMove move;

  // v (or p, if momentum_given) and q are set by the caller; the other one is found here. Throws std::invalid_argument
  // where they have another size than the system.
  std::optional<StartFault> make_consistent(bool momentum_given, const StartOptions& options) {
    using Kind = StartFault::Kind;
    check_size("q", q), check_size("v", v), check_size("p", p);
    if (!kinetics_.start(t, q, v)) return mass_fault();
    if (momentum_given) {
      const Outcome outcome = kinetics_.velocity(t, q, p, v);
      if (!succeeded(outcome) || !is_finite(size_of(v))) return mass_fault();
    }
    Coordinates Lq(q), Lv(q);
    system_.gradient(t, q, v, Lq, Lv);
    if (!momentum_given) p = Lv;
    if (!is_finite(system_.lagrangian(t, q, v)) || !is_finite(size_of(p)) || !is_finite(size_of(Lq)))
      return StartFault{Kind::lagrangian_not_finite};
    Coordinates F(q);
    system_.force(t, q, v, F);
    for (int i = 0; i < F.size(); ++i)
      if (!is_finite(F[i])) return StartFault{Kind::force_not_finite, i};
    if (const auto fault = check_invariants()) return fault;
    if (system_.constraints() == 0) return std::nullopt;

    if (const auto fault = evaluate_constraints()) return fault;
    if (options.project) {
      if (const auto fault = project(momentum_given, options.tolerance)) return fault;
    }
    if (auto rows = dependent_rows_here(); !rows.empty())
      return StartFault{Kind::dependent_constraints, rows.front(), 0, rows};
    return check(options.tolerance, slow(Lq));
  }

  // The constraints that others imply at q; with `project`, where the constraints hold near q, and q goes there. Empty
  // as well where something else is wrong, which `make_consistent` names.
  std::vector<int> dependent_constraints(bool project) {
    check_size("q", q), check_size("v", v);
    if (system_.constraints() == 0 || !kinetics_.start(t, q, v) || evaluate_constraints()) return {};
    return project ? dependent_after_approach() : dependent_rows_here();
  }

 private:
  void check_size(const char* what, const Coordinates& x) const {
    if (x.size() != system_.coordinates())
      throw std::invalid_argument(std::string("start values: ") + what + " has " + std::to_string(x.size()) +
                                  " components, the system has " + std::to_string(system_.coordinates()) +
                                  " coordinates");
  }

  // L that is not finite makes a mass matrix that is not: name the deeper reason.
  StartFault mass_fault() const {
    using Kind = StartFault::Kind;
    return StartFault{is_finite(system_.lagrangian(t, q, v)) ? Kind::singular_mass : Kind::lagrangian_not_finite};
  }

  std::optional<StartFault> check_invariants() const {
    std::vector<T> values(static_cast<std::size_t>(system_.invariants()));
    system_.invariant_values(t, q, v, p, values.data());
    for (std::size_t k = 0; k < values.size(); ++k)
      if (!is_finite(values[k])) return StartFault{StartFault::Kind::invariant_not_finite, static_cast<int>(k)};
    return std::nullopt;
  }

  std::optional<StartFault> evaluate_constraints() {
    system_.constraint_jacobian(t, q, g_, G_);
    for (int a = 0; a < g_.size(); ++a) {
      RealOf<T> sum = value_of(g_[a]);
      for_row(G_, a, [&](int, const T& G) { sum += value_of(G); });
      if (!is_finite(sum)) return StartFault{StartFault::Kind::constraint_not_finite, a};
    }
    auto G_of_other_rounding = G_;
    system_.constraint_jacobian(t, rounded_otherwise(q), size_, G_of_other_rounding);
    for (int a = 0; a < g_.size(); ++a)
      if (is_zero_gradient<T>(G_, G_of_other_rounding, a)) return StartFault{StartFault::Kind::zero_gradient, a};
    system_.constraint_size(t, q, size_);
    return std::nullopt;
  }

  // Velocities that are round-off beside those which the forces would give in the time of a motion of the size of q, or
  // beside what the projection took away.
  RealOf<T> slow(const Coordinates& Lq) const {
    using std::abs, std::sqrt;
    using Real = RealOf<T>;
    const Real size = max_norm(q);
    Real fastest(move.v);
    for (int i = 0; i < q.size(); ++i) {
      Real mass(0);
      for_row(kinetics_.mass().matrix(), i, [&](int, const T& x) { mass = std::max(mass, Real(abs(value_of(x)))); });
      if (mass > Real(0)) fastest = std::max(fastest, Real(sqrt(abs(value_of(Lq[i])) * size / mass)));
    }
    return epsilon<T>() * fastest;
  }

  // |g_a| against the terms of g_a and against |G_a| |q|; |G_a v + g_t| likewise, and against G_a times `slow`.
  std::optional<StartFault> check(double tolerance, const RealOf<T>& slow) {
    using std::abs;
    using Real = RealOf<T>;
    const Real q_size = max_norm(q), v_size = max_norm(v);
    Multipliers gt(g_);
    system_.constraint_rate(t, q, gt);
    for (int a = 0; a < g_.size(); ++a) {
      Real row(0);
      for_row(G_, a, [&](int, const T& G) { row += abs(value_of(G)); });
      const Real size = std::max(Real(value_of(size_[a])), row * q_size);
      if (!(abs(value_of(g_[a])) <= Real(tolerance) * size))
        return StartFault{StartFault::Kind::position, a, to_double(g_[a])};
    }
    for (int a = 0; a < g_.size(); ++a) {
      T hidden = gt[a];
      Real row(0);
      for_row(G_, a, [&](int j, const T& G) { hidden += G * v[j], row += abs(value_of(G)); });
      const Real size = abs(value_of(gt[a])) + row * v_size;
      if (!(abs(value_of(hidden)) <= std::max(Real(Real(tolerance) * size), Real(row * slow))))
        return StartFault{StartFault::Kind::velocity, a, to_double(hidden)};
    }
    return std::nullopt;
  }

  std::optional<StartFault> project(bool momentum_given, double tolerance) {
    using Kind = StartFault::Kind;
    const Coordinates q_given = q, v_given = v, p_given = p;
    if (beginning) q = *beginning;
    NearestPoint equations(*this, q_given);
    StepReport report;
    newton<T>(equations, SolverSettings<RealOf<T>>{}, report);
    if (!succeeded(report.outcome)) {  // from far away: to where the constraints hold, and from there
      q = beginning ? *beginning : q_given;
      if (Approach(*this).go()) {
        NearestPoint from_there(*this, q_given);
        newton<T>(from_there, SolverSettings<RealOf<T>>{}, report);
      }
    }
    if (!succeeded(report.outcome)) {
      q = q_given;
      auto rows = dependent_after_approach();
      return rows.empty() ? StartFault{Kind::no_projection}
                          : StartFault{Kind::dependent_constraints, rows.front(), 0, rows};
    }
    if (const auto fault = evaluate_constraints()) return fault;
    Coordinates Lq(q);
    if (!momentum_given) system_.gradient(t, q, v, Lq, p);
    const Outcome projected = kinetics_.project(t, q, p, v);
    if (projected == Outcome::singular_jacobian && is_near(q_given, tolerance)) {  // consistent already, it may stay
      v = v_given;
      Coordinates Lv(q);
      system_.gradient(t, q, v, Lq, Lv);
      p = momentum_given ? p_given : Lv;
      if (check(tolerance, slow(Lq))) {
        auto rows = dependent_rows_here(RealOf<T>(1e-5));
        return rows.empty() ? StartFault{Kind::no_projection}
                            : StartFault{Kind::dependent_constraints, rows.front(), 0, rows};
      }
    } else if (!succeeded(projected)) {
      return StartFault{Kind::no_projection};
    }
    for (int i = 0; i < q.size(); ++i) {
      move.q = std::max(move.q, std::abs(to_double(q[i] - q_given[i])));
      move.v = std::max(move.v, std::abs(to_double(v[i] - v_given[i])));
      move.p = std::max(move.p, std::abs(to_double(p[i] - p_given[i])));
    }
    return std::nullopt;
  }

  bool is_near(const Coordinates& other, double tolerance) const {
    Coordinates apart(q);
    for (int i = 0; i < q.size(); ++i) apart[i] -= other[i];
    return max_norm(apart) <= RealOf<T>(tolerance) * max_norm(q);
  }

  std::vector<int> dependent_rows_here(const RealOf<T>& tolerance = dependence_tolerance<T>()) const {
    return dependent_rows(G_, tolerance, mass_units(kinetics_.mass().matrix()));
  }

  // Where the constraints contradict each other, G^T D^-1 g = 0 is reached slowly, and the rank is judged less sharply.
  std::vector<int> dependent_after_approach() {
    Approach way(*this);
    const bool holds = way.go();
    if (evaluate_constraints()) return {};
    return dependent_rows_here(holds ? dependence_tolerance<T>() : RealOf<T>(1e-5));
  }

  // q to where the constraints hold or come closest to it, whether they are independent or not.
  struct Approach {
    using Real = RealOf<T>;

    StartValues& s;
    typename System::Square M;
    decltype(detail::diagonal_of(std::declval<typename System::Jacobian>())) D;
    BlockMatrix<System, size_sum(n, m)> matrix;
    typename BlockMatrix<System, size_sum(n, m)>::Block mass_block, reaction_block, constraint_block, damping_block;
    Vec<T, size_sum(n, m)> r, d;
    Coordinates mass;
    Multipliers weight;  // D

    explicit Approach(StartValues& start)
        : s(start),
          M(s.system_.square()),
          D(detail::diagonal_of(s.G_)),
          matrix(s.system_, s.q.size() + s.g_.size()),
          mass_block(matrix.block(0, 0, M)),
          reaction_block(matrix.transposed_block(0, s.q.size(), s.G_)),
          constraint_block(matrix.block(s.q.size(), 0, s.G_)),
          damping_block(matrix.block(s.q.size(), s.q.size(), D)),
          r(s.q.size() + s.g_.size()),
          d(r),
          mass(s.q),
          weight(s.g_) {
      matrix.finish();
      s.system_.mass(s.t, s.q, s.v, M);
      for (int i = 0; i < mass.size(); ++i)
        for_row(M, i, [&](int j, const T& x) {
          if (i == j) mass[i] = x;
        });
    }

    // Whether the constraints hold at the end, to half of the digits at least.
    bool go() {
      using std::sqrt;
      Real excess = evaluate(), more(1);
      for (int k = 0; k < 200 && excess > 16 * epsilon<T>() && more < Real(1e12); ++k) {
        const Coordinates before = s.q;
        const Real square = weighted_square();
        if (!solve(more * std::min(Real(1), excess))) break;
        for (int i = 0; i < before.size(); ++i) s.q[i] -= d[i];
        s.system_.constraint(s.t, s.q, s.g_);
        if (weighted_square() < square) {
          more = std::max(Real(1), more / 10);
        } else {
          more *= 10;
          s.q = before;
        }
        excess = evaluate();
      }
      return excess <= sqrt(epsilon<T>());
    }

    // g, G and D at q; the largest |g_a| relative to its terms.
    Real evaluate() {
      using std::abs;
      s.system_.constraint_jacobian(s.t, s.q, s.g_, s.G_);
      s.system_.constraint_size(s.t, s.q, s.size_);
      Real largest(0);
      for (int a = 0; a < weight.size(); ++a) {
        weight[a] = T(0);
        for_row(s.G_, a, [&](int j, const T& x) { weight[a] += x * x / mass[j]; });
        const Real g = abs(value_of(s.g_[a]));
        if (g > Real(0)) largest = std::max(largest, Real(g / value_of(s.size_[a])));
      }
      return largest;
    }
    Real weighted_square() const {
      Real sum(0);
      for (int a = 0; a < weight.size(); ++a) sum += value_of(s.g_[a] * s.g_[a] / weight[a]);
      return sum;
    }
    bool solve(const Real& kappa) {
      const int N = s.q.size();
      for (int i = 0; i < N; ++i) r[i] = T(0);
      for (int a = 0; a < weight.size(); ++a) {
        r[N + a] = s.g_[a];
        detail::diagonal_entry(D, a) = weight[a];
      }
      matrix.clear();
      matrix.add(mass_block, T(1), M);
      matrix.add_transposed(reaction_block, T(1), s.G_);
      matrix.add(constraint_block, T(1), s.G_);
      matrix.add(damping_block, T(-kappa), D);
      if (!matrix.factorise()) return false;
      matrix.solve(r, d);
      return true;
    }
  };

  // M (q - q_given) + G^T mu = 0 and g = 0 for (q, mu)
  struct NearestPoint {
    StartValues& s;
    const Coordinates& q_given;
    typename System::Square M, H;
    Multipliers mu;
    BlockMatrix<System, size_sum(n, m)> matrix;
    typename BlockMatrix<System, size_sum(n, m)>::Block mass_block, curvature_block, reaction_block, constraint_block;
    Vec<T, size_sum(n, m)> r, d;
    Coordinates moved, row;
    T unit = T(1);  // of masses, in which they are as large as G: those of molecules would count as zero beside it

    NearestPoint(StartValues& start, const Coordinates& given)
        : s(start),
          q_given(given),
          M(s.system_.square()),
          H(s.system_.constraint_square()),
          mu(s.g_),
          matrix(s.system_, s.q.size() + s.g_.size()),
          mass_block(matrix.block(0, 0, M)),
          curvature_block(matrix.block(0, 0, H)),
          reaction_block(matrix.transposed_block(0, s.q.size(), s.G_)),
          constraint_block(matrix.block(s.q.size(), 0, s.G_)),
          r(s.q.size() + s.g_.size()),
          d(r),
          moved(s.q),
          row(s.q) {
      matrix.finish();
      mu.fill(T(0));
      s.system_.mass(s.t, s.q, s.v, M);
      s.system_.constraint_jacobian(s.t, s.q, s.g_, s.G_);
      const RealOf<T> mass = largest(M), gradient = largest(s.G_);
      if (mass > RealOf<T>(0) && gradient > RealOf<T>(0)) unit = T(gradient / mass);
    }
    template <class Matrix>
    static RealOf<T> largest(const Matrix& A) {
      using std::abs;
      RealOf<T> size(0);
      for (int i = 0; i < A.rows(); ++i)
        for_row(A, i, [&](int, const T& x) { size = std::max(size, RealOf<T>(abs(value_of(x)))); });
      return size;
    }
    RealOf<T> residual() {
      const int N = s.q.size();
      s.system_.constraint_jacobian(s.t, s.q, s.g_, s.G_);
      for (int i = 0; i < N; ++i) moved[i] = q_given[i] - s.q[i];
      multiply(M, moved, row);
      for (T& x : row) x *= unit;
      subtract_transposed(s.G_, mu, row);
      for (int i = 0; i < N; ++i) r[i] = -row[i];
      for (int a = 0; a < mu.size(); ++a) r[N + a] = s.g_[a];
      return size_of(r);
    }
    bool factorise() {
      s.system_.constraint_hessian(s.t, s.q, mu, H);
      matrix.clear();
      matrix.add(mass_block, unit, M);
      matrix.add(curvature_block, T(1), H);
      matrix.add_transposed(reaction_block, T(1), s.G_);
      matrix.add(constraint_block, T(1), s.G_);
      return matrix.factorise();
    }
    RealOf<T> correct() {
      const int N = s.q.size();
      matrix.solve(r, d);
      RealOf<T> change(0);
      for (int i = 0; i < N; ++i) {
        using std::abs;
        s.q[i] -= d[i];
        change += abs(value_of(d[i]));
      }
      for (int a = 0; a < mu.size(); ++a) mu[a] -= d[N + a];
      const RealOf<T> size = size_of(s.q) + size_of(q_given);
      return size > RealOf<T>(0) ? change / size : change;
    }
  };

  const System& system_;
  Kinetics<System> kinetics_;
  Multipliers g_, size_;
  typename System::Jacobian G_;
};

}  // namespace livens
