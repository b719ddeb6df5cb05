// (s,s)-Gauss-Lobatto SPARK for L(t,q,v), constraints g(t,q) = 0 and forces F(t,q,v).
// Source: Jay (2007), "Specialized partitioned additive Runge-Kutta methods for systems of overdetermined DAEs with
// holonomic constraints"; coefficients from Gauss points c_i, b_i, a_ij and Lobatto points x_0 = 0 .. x_s = 1, w_j:
//
//   abar_ij = int_0^{x_i} l_j ,   l_j: Lagrange polynomials of the Gauss points;   at_ij = w_j (1 - abar_ji / b_i) ,
//
// the last one being the condition of symplecticity b_i at_ij + w_j abar_ji = b_i w_j.
// Order 2s in q and p, symplectic, symmetric.  Keeps: g = 0 and G v + g_t = 0; momentum maps of linear symmetries.
// Same positions and momenta as galerkin with s = w and projected momenta.
//
// Unknowns: velocities V_i of the Gauss stages and impulses mu_j = h Lambda_j, j = 0..s-1, at the Lobatto points;
// f = L_q + F:
//
//   (1)  L_v(T_i, Q_i, V_i) = p0 + h sum_j a_ij f_j - sum_{j<s} at_ij G(x_j)^T mu_j ,     Q_i = q0 + h sum_j a_ij V_j
//   (2)  g(x_i) / h = 0 , i = 1..s ,                             at q0 + h sum_j abar_ij V_j ,  time t0 + x_i h
//   (3)  p1 = p0 + h sum_j b_j f_j - sum_{j<=s} w_j G(x_j)^T mu_j ,   G1 v(q1,p1) + g_t = 0
//
// (3) is a projection that finds mu_s, after (1), (2). at_is = 0.
// Remembered between steps: V and mu of the last step as guess.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "livens/math/compensated.hpp"
#include "livens/math/lagrange.hpp"
#include "livens/math/quadrature.hpp"
#include "livens/method/continuation.hpp"
#include "livens/method/method.hpp"
#include "livens/method/stages.hpp"
#include "livens/solve/newton.hpp"
#include "livens/system/kinetics.hpp"

namespace livens {

struct Spark {
  int s = 2;  // stages

  MethodTraits traits() const {
    return {.name = "spark",
            .order = 2 * s,
            .symplectic = true,
            .symmetric = true,
            .carries_final_momentum = true,
            .audit_uses_final = true,
            .raw = RawValues::end_of_step};
  }
  template <class System>
  class Step;
};

template <class T>
struct SparkCoefficients {
  explicit SparkCoefficients(int s) : a(s, s), abar(s + 1, s), at(s, s + 1) {
    if (s < 1) throw std::invalid_argument("spark: s = " + std::to_string(s) + "; s >= 1 stages are needed");
    const Quadrature<T> gauss_rule = gauss<T>(s), lobatto_rule = lobatto<T>(s + 1);
    c = gauss_rule.nodes, b = gauss_rule.weights, x = lobatto_rule.nodes, w = lobatto_rule.weights;
    const LagrangeBasis<T> basis(c);
    for (int j = 0; j < s; ++j) {
      for (int i = 0; i < s; ++i) a(i, j) = basis.integral(j, c[static_cast<std::size_t>(i)]);
      for (int i = 0; i <= s; ++i) abar(i, j) = basis.integral(j, x[static_cast<std::size_t>(i)]);
      abar(0, j) = T(0);
      abar(s, j) = b[static_cast<std::size_t>(j)];
    }
    for (int i = 0; i < s; ++i)
      for (int j = 0; j <= s; ++j)
        at(i, j) =
            j == s ? T(0) : T(w[static_cast<std::size_t>(j)] * (1 - abar(j, i) / b[static_cast<std::size_t>(i)]));
    // The velocities and multipliers of the last step, continued as polynomials.
    for (int i = 0; i < s; ++i)
      for (int j = 0; j < s; ++j) continued.push_back(basis.value(j, T(1) + c[static_cast<std::size_t>(i)]));
    const LagrangeBasis<T> multiplier(std::vector<T>(x.begin(), x.end() - 1));
    for (int i = 0; i < s; ++i)
      for (int j = 0; j < s; ++j)
        continued_multipliers.push_back(multiplier.value(j, T(1) + x[static_cast<std::size_t>(i)]));
  }
  std::vector<T> c, b, x, w;
  Mat<T> a, abar, at;
  std::vector<T> continued, continued_multipliers;  // by rows
};

template <class System>
class Spark::Step {
 public:
  using T = typename System::Scalar;
  using Real = RealOf<T>;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;
  using Jacobian = typename System::Jacobian;
  using Square = typename System::Square;

  Step(const System& system, const Spark& method, const SolverSettings<Real>& settings)
      : system_(system),
        structure_(system.structure()),
        settings_(settings),
        s_(method.s),
        k_(method.s),
        kinetics_(system),
        n_(system.coordinates()),
        m_(system.constraints()),
        V_(at(s_), Coordinates(n_)),
        last_V_(V_),
        f_(V_),
        momentum_(V_),
        mu_(at(s_), Multipliers(m_)),
        last_mu_(mu_),
        g_(mu_),
        G_(at(s_ + 1), system.jacobian()),
        Lqq_(system.square()),
        Lqv_(Lqq_),
        Lvv_(Lqq_),
        H_(system.constraint_square()),
        equations_(system, s_, s_),
        q_(n_),
        row_(q_),
        p1_(q_),
        v1_(q_),
        increment_(q_),
        weighted_(m_),
        end_impulse_(m_),
        lambda_((s_ + 1) * m_) {
    declare_blocks();
  }

  bool start(const T& t, const State<System>& x, const Coordinates& v) {
    if (!kinetics_.start(t, x.q, v)) return false;
    kinetics_.multiplier(t, x.q, v, weighted_);
    v1_ = v;
    started_ = false;
    for (int a = 0; a < m_; ++a) lambda_[s_ * m_ + a] = weighted_[a];
    resume(t, x);
    equations_.choose_units(kinetics_.mass().matrix(), G_[0]);
    return true;
  }
  void resume(const T& t, const State<System>& x) {
    if (m_ > 0) system_.constraint_jacobian(t, x.q, weighted_, G_[0]);
  }

  void advance(const T& t0, const T& t1, const T& h, State<System>& x, StepReport& report) {
    solve(started_, t0, h, x, report);
    if (started_ && !succeeded(report.outcome)) {
      const StepReport first = report;
      solve(false, t0, h, x, report);
      add_cost(first, report);
    }
    if (!succeeded(report.outcome)) return;
    accept(t0, t1, h, x, report);
  }

  template <class Archive>
  void archive(Archive& a) {
    a(last_V_, last_mu_, v1_, lambda_, started_, kinetics_, equations_.matrix);
  }

  const Coordinates& attempted_position() const { return q_; }
  // Lambda_0 .. Lambda_s in sequence
  template <class Take>
  void raw_values(const State<System>& x, const Take& take) const {
    take("p", x.p);
    take("lambda", lambda_);
  }

 private:
  using Block = typename StageEquations<System>::Block;
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  // The polynomial of the last step continued; or uniform motion from the node.
  void guess(bool continued, const T& h) {
    for (int i = 0; i < s_; ++i) {
      for (int c = 0; c < n_; ++c) {
        T sum = continued ? T(0) : v1_[c];
        for (int j = 0; continued && j < s_; ++j) sum += k_.continued[at(i * s_ + j)] * last_V_[at(j)][c];
        V_[at(i)][c] = sum;
      }
      for (int a = 0; a < m_; ++a) {
        T sum = continued ? T(0) : T(h * lambda_[s_ * m_ + a]);
        for (int j = 0; continued && j < s_; ++j) sum += k_.continued_multipliers[at(i * s_ + j)] * last_mu_[at(j)][a];
        mu_[at(i)][a] = sum;
      }
    }
  }

  struct Equations {
    Step& step;
    const T &t0, &h;
    const State<System>& x;
    Real scale;
    Real residual(bool) { return step.evaluate(t0, h, x); }
    bool factorise() { return step.factorise(t0, h, x); }
    Real correct() {
      const Real change = step.equations_.correct(step.V_, step.mu_);
      step.continuation_.note(change);
      return scale * change;
    }
    bool given_up() const { return step.continuation_.fails(); }
    bool settled(const Real& left) const { return step.equations_.settled(left, h, x.q, step.V_[0], 4); }
  };
  void solve(bool continued, const T& t0, const T& h, const State<System>& x, StepReport& report) {
    using std::abs;
    guess(continued, h);
    const Real step = abs(value_of(h)), stages = static_cast<Real>(s_);
    Real velocities(0);
    for (const auto& V : V_) velocities += size_of(V);
    const Real positions = size_of(x.q);
    continuation_ = continued ? Continuation<Real>(velocities, positions / step) : Continuation<Real>();
    const Real size = positions + step * velocities / stages;
    Equations equations{*this, t0, h, x, size > Real(0) ? step / (size * stages) : Real(1)};
    newton<T>(equations, settings_, report);
  }

  // q0 + h sum_j row_j V_j
  void place(const T* row, const T& h, const State<System>& x) {
    for (int c = 0; c < n_; ++c) {
      T sum(0);
      for (int j = 0; j < s_; ++j) sum += row[j] * V_[at(j)][c];
      q_[c] = x.q[c] + (h * sum + x.q_remainder[c]);
    }
  }

  // (1), (2); leaves f at the stages and G at the Lobatto points
  Real evaluate(const T& t0, const T& h, const State<System>& x) {
    for (int i = 0; i < s_; ++i) {
      const T t = t0 + k_.c[at(i)] * h;
      place(k_.a.row(i), h, x);
      system_.gradient(t, q_, V_[at(i)], f_[at(i)], momentum_[at(i)]);
      if (!structure_.forces) continue;
      system_.force(t, q_, V_[at(i)], row_);
      for (int c = 0; c < n_; ++c) f_[at(i)][c] += row_[c];
    }
    for (int i = 1; m_ > 0 && i <= s_; ++i) {
      place(k_.abar.row(i), h, x);
      system_.constraint_jacobian(t0 + k_.x[at(i)] * h, q_, g_[at(i - 1)], G_[at(i)]);
    }
    for (int i = 0; i < s_; ++i) {
      for (int c = 0; c < n_; ++c) {
        T sum(0);
        for (int j = 0; j < s_; ++j) sum += k_.a(i, j) * f_[at(j)][c];
        row_[c] = x.p[c] + (h * sum + x.p_remainder[c]) - momentum_[at(i)][c];
      }
      for (int j = 0; m_ > 0 && j < s_; ++j) {
        for (int a = 0; a < m_; ++a) weighted_[a] = k_.at(i, j) * mu_[at(j)][a];
        subtract_transposed(G_[at(j)], weighted_, row_);
      }
      for (int c = 0; c < n_; ++c) equations_.residual[i * n_ + c] = row_[c];
      for (int a = 0; a < m_; ++a) equations_.residual[s_ * n_ + i * m_ + a] = g_[at(i)][a] / h;
    }
    return size_of(equations_.residual);
  }

  bool factorise(const T& t0, const T& h, const State<System>& x) {
    auto& matrix = equations_.matrix;
    matrix.clear();
    for (int j = 0; j < s_; ++j) {  // what stage j contributes to all rows i and columns k
      const T t = t0 + k_.c[at(j)] * h;
      place(k_.a.row(j), h, x);
      system_.hessian(t, q_, V_[at(j)], Lqq_, Lqv_, Lvv_);
      matrix.add(square_[at(j * s_ + j)], T(-1), Lvv_);
      for (int k = 0; k < s_; ++k) matrix.add_transposed(transposed_[at(j * s_ + k)], -h * k_.a(j, k), Lqv_);
      for (int i = 0; i < s_; ++i) {
        for (int k = 0; k < s_; ++k) matrix.add(square_[at(i * s_ + k)], h * k_.a(i, j) * h * k_.a(j, k), Lqq_);
        matrix.add(square_[at(i * s_ + j)], h * k_.a(i, j), Lqv_);
      }
      if (!structure_.forces) continue;
      system_.force_position_jacobian(t, q_, V_[at(j)], Lqq_);
      if (structure_.velocity_in_forces) system_.force_velocity_jacobian(t, q_, V_[at(j)], Lqv_);
      for (int i = 0; i < s_; ++i) {
        for (int k = 0; k < s_; ++k) matrix.add(square_[at(i * s_ + k)], h * k_.a(i, j) * h * k_.a(j, k), Lqq_);
        if (structure_.velocity_in_forces) matrix.add(square_[at(i * s_ + j)], h * k_.a(i, j), Lqv_);
      }
    }
    for (int j = 0; m_ > 0 && j < s_; ++j) {
      for (int i = 0; i < s_; ++i) equations_.add_reaction(reaction_[at(i * s_ + j)], -k_.at(i, j), G_[at(j)]);
      if (j == 0) continue;
      place(k_.abar.row(j), h, x);
      system_.constraint_hessian(t0 + k_.x[at(j)] * h, q_, mu_[at(j)], H_);
      for (int i = 0; i < s_; ++i)
        for (int k = 0; k < s_; ++k) matrix.add(curvature_[at(i * s_ + k)], -k_.at(i, j) * h * k_.abar(j, k), H_);
    }
    for (int i = 1; m_ > 0 && i <= s_; ++i)
      for (int k = 0; k < s_; ++k) matrix.add(constraint_[at((i - 1) * s_ + k)], k_.abar(i, k), G_[at(i)]);
    return matrix.factorise();
  }

  // (3)
  void accept(const T& t0, const T& t1, const T& h, State<System>& x, StepReport& report) {
    evaluate(t0, h, x);
    for (int c = 0; c < n_; ++c) {
      T sum(0), moved(0);
      for (int j = 0; j < s_; ++j) sum += k_.b[at(j)] * f_[at(j)][c], moved += k_.b[at(j)] * V_[at(j)][c];
      increment_[c] = h * sum;
      v1_[c] = moved;
    }
    for (int j = 0; m_ > 0 && j < s_; ++j) {
      for (int a = 0; a < m_; ++a) weighted_[a] = k_.w[at(j)] * mu_[at(j)][a];
      subtract_transposed(G_[at(j)], weighted_, increment_);
    }
    for (int c = 0; c < n_; ++c) row_[c] = p1_[c] = x.p[c] + (increment_[c] + x.p_remainder[c]);
    for (int c = 0; c < n_; ++c) q_[c] = x.q[c] + (h * v1_[c] + x.q_remainder[c]);
    const Outcome outcome = kinetics_.project(t1, q_, p1_, v1_, &end_impulse_);
    if (!succeeded(outcome)) {
      report.outcome = outcome;
      return;
    }
    for (int c = 0; c < n_; ++c) {
      T moved(0);
      for (int j = 0; j < s_; ++j) moved += k_.b[at(j)] * V_[at(j)][c];
      add_compensated(x.q[c], x.q_remainder[c], h * moved);
      add_compensated(x.p[c], x.p_remainder[c], increment_[c] + (p1_[c] - row_[c]));
    }
    for (int a = 0; a < m_; ++a) {
      for (int j = 0; j < s_; ++j) lambda_[j * m_ + a] = mu_[at(j)][a] / h;
      lambda_[s_ * m_ + a] = end_impulse_[a] / (h * k_.w[at(s_)]);
    }
    if (m_ > 0) system_.constraint_jacobian(t1, x.q, weighted_, G_[0]);
    std::swap(last_V_, V_);
    std::swap(last_mu_, mu_);
    started_ = true;
  }

  void declare_blocks() {
    auto& matrix = equations_.matrix;
    for (int i = 0; i < s_; ++i)
      for (int k = 0; k < s_; ++k) {
        square_.push_back(matrix.block(i * n_, k * n_, Lqq_));
        transposed_.push_back(matrix.transposed_block(i * n_, k * n_, Lqq_));
        if (m_ == 0) continue;
        curvature_.push_back(matrix.block(i * n_, k * n_, H_));
        reaction_.push_back(matrix.transposed_block(i * n_, s_ * n_ + k * m_, G_[0]));
        constraint_.push_back(matrix.block(s_ * n_ + i * m_, k * n_, G_[0]));
      }
    matrix.finish();
  }

  const System& system_;
  Structure structure_;
  SolverSettings<Real> settings_;
  int s_;
  SparkCoefficients<T> k_;
  Kinetics<System> kinetics_;
  int n_, m_;
  std::vector<Coordinates> V_, last_V_, f_, momentum_;
  std::vector<Multipliers> mu_, last_mu_, g_;
  std::vector<Jacobian> G_;  // at x_0 .. x_s
  Square Lqq_, Lqv_, Lvv_, H_;
  StageEquations<System> equations_;
  std::vector<Block> square_, transposed_, curvature_, reaction_, constraint_;
  Coordinates q_, row_, p1_, v1_, increment_;
  Multipliers weighted_, end_impulse_;
  Vec<T> lambda_;
  Continuation<Real> continuation_;
  bool started_ = false;
};

}  // namespace livens
