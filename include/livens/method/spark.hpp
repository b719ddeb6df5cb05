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
// (1), (2) are those of stage_solve.hpp, U = V, and (3) without mu_s its increment; the table is in math/tableau.hpp.
// What is done about round-off, stage_solve.hpp and projected_update.hpp say.
// Remembered between steps: V and mu of the last step as guess, velocity and Lambda_s of the node.
#pragma once

#include <stdexcept>
#include <string>

#include "livens/method/projected_update.hpp"
#include "livens/method/spark_overdetermined.hpp"
#include "livens/method/stage_solve.hpp"

namespace livens {

struct Spark {
  static constexpr Kinds kinds{.overdetermined = true};
  int s = 2;  // stages

  MethodTraits traits() const {
    return {.name = "spark",
            .order = 2 * s,
            .symplectic = true,
            .symmetric = true,
            .carries_final_momentum = true,
            .audit_uses_final = true,
            .raw = RawValues::end_of_step,
            .multipliers_alone = true};
  }
  StageTable<Widest> table() const {
    if (s < 1) throw std::invalid_argument("spark: s = " + std::to_string(s) + "; s >= 1 stages are needed");
    return gauss_lobatto_spark(s);
  }
  template <class System>
  class Step;
};

template <class System>
class Spark::Step {
 public:
  using T = typename System::Scalar;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;

  Step(const System& system, const Spark& method, const SolverSettings<RealOf<T>>& settings)
      : s_(method.s),
        m_(system.constraints()),
        kinetics_(system),
        stages_(system, method.table(), settings),
        end_weight_(lobatto<RealOf<T>>(s_ + 1).weights.back()),
        end_(system),
        lambda_((s_ + 1) * m_) {}

  bool start(const T& t, const State<System>& x, const Coordinates& v) {
    if (!kinetics_.start(t, x.q, v)) return false;
    kinetics_.multiplier(t, x.q, v, end_.impulse);
    end_.velocity = v;
    for (int a = 0; a < m_; ++a) lambda_[s_ * m_ + a] = end_.impulse[a];
    stages_.start(t, x, v, &kinetics_.mass());
    return true;
  }
  void resume(const T& t, const State<System>& x) { stages_.resume(t, x); }

  void advance(const T& t0, const T& t1, const T& h, State<System>& x, StepReport& report) {
    const auto from_node = [&](Coordinates& v, Multipliers& lambda) {
      v = end_.velocity;
      for (int a = 0; a < m_; ++a) lambda[a] = lambda_[s_ * m_ + a];
    };
    stages_.solve(t0, t1, h, x, from_node, report);  // (1), (2)
    if (!succeeded(report.outcome)) return;
    end_.velocity = stages_.mean_velocity();
    const Outcome end = end_(kinetics_, t1, stages_.attempted_position(), stages_.lost_at_end(), x,
                             stages_.increment());  // (3)
    if (!succeeded(end)) {
      report.outcome = end;
      return;
    }
    for (int a = 0; a < m_; ++a) {
      for (int j = 0; j < s_; ++j) lambda_[j * m_ + a] = stages_.mu(j)[a] / h;
      lambda_[s_ * m_ + a] = end_.impulse[a] / (h * end_weight_);
    }
    stages_.accept(t1, h, end_.increment, x);
  }

  template <class Archive>
  void archive(Archive& a) {
    a(end_.velocity, lambda_, kinetics_, stages_);
  }
  const Coordinates& attempted_position() const { return stages_.attempted_position(); }
  // Lambda_0 .. Lambda_s in sequence
  template <class Take>
  void raw_values(const State<System>& x, const Take& take) const {
    take(raw_momentum, x.p);
    take(raw_multipliers, lambda_);
  }

 private:
  int s_, m_;
  Kinetics<System> kinetics_;
  StageSolve<System> stages_;
  T end_weight_;
  ProjectedUpdate<System> end_;
  Vec<T> lambda_;
};

template <OverdeterminedSystem System>
class Spark::Step<System> : public OverdeterminedSpark<System> {
 public:
  Step(const System& system, const Spark& method, const SolverSettings<RealOf<typename System::Scalar>>& settings)
      : OverdeterminedSpark<System>(system, method.table(), settings) {}
};

}  // namespace livens
