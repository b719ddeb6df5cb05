// Lobatto IIIA-IIIB with constraints, for L(t,q,v), g(t,q) = 0 and forces F(t,q,v): the worked example of a method that
// is a table and an update.
// Source: Jay (1996), "Symplectic partitioned Runge-Kutta methods for constrained Hamiltonian systems".
// Order 2s-2 in q and p, symplectic, symmetric.  Keeps: g = 0 and G v + g_t = 0; momentum maps of linear symmetries.
// s = 2 is RATTLE.
//
// Lobatto points c_1 = 0 .. c_s = 1 with weights b_i, a_ij of IIIA for the positions, abar_ij of IIIB for the momenta;
// unknowns V_i and impulses mu_j = h Lambda_j, j = 1..s-1;  f = L_q + F:
//
//   (1)  L_v(i) = p0 + h sum_j abar_ij f_j - sum_{j<s} abar_ij G(Q_j)^T mu_j ,      Q_i = q0 + h sum_j a_ij V_j
//   (2)  g(Q_i)/h = 0 ,  i = 2..s                       Q_1 = q0 and Q_s = q1, so that g = 0 at all stages
//   (3)  p1 = p0 + h sum_j b_j f_j - sum_{j<=s} b_j G(Q_j)^T mu_j ,   G1 v(q1,p1) + g_t = 0
//
// abar_is = 0: mu_s does not act in (1), and is found by the projection (3).
#pragma once

#include "livens/math/tableau.hpp"
#include "livens/method/method.hpp"
#include "livens/method/projected_update.hpp"
#include "livens/method/stage_solve.hpp"

namespace livens {

struct LobattoPair {
  int s = 3;  // stages, at least 2

  MethodTraits traits() const {
    return {.name = "lobatto-pair",
            .order = 2 * s - 2,
            .symplectic = true,
            .symmetric = true,
            .carries_final_momentum = true,
            .audit_uses_final = true,
            .raw = RawValues::end_of_step,
            .multipliers_alone = true};
  }
  StageTable<Widest> table() const {
    const Tableau position = lobatto_IIIA(s), momentum = lobatto_IIIB(s);
    StageTable<Widest> t = partitioned_table(position, momentum);
    Mat<Widest> B(s, s - 1);
    for (int i = 0; i < s; ++i)
      for (int j = 0; j + 1 < s; ++j) B(i, j) = momentum.a(i, j);
    add_constraints(t, lobatto<Widest>(s), position.a, B);
    t.symplectic = true;
    return t;
  }

  template <class System>
  class Step {
   public:
    using T = typename System::Scalar;
    using Coordinates = typename System::Coordinates;

    Step(const System& system, const LobattoPair& method, const SolverSettings<RealOf<T>>& settings)
        : kinetics_(system), stages_(system, method.table(), settings), end_(system), lambda_(system.constraints()) {}

    bool start(const T& t, const State<System>& x, const Coordinates& v) {
      if (!kinetics_.start(t, x.q, v)) return false;
      kinetics_.multiplier(t, x.q, v, lambda_);
      end_.velocity = v;
      stages_.start(t, x, v, &kinetics_.mass());
      return true;
    }
    void resume(const T& t, const State<System>& x) { stages_.resume(t, x); }

    void advance(const T& t0, const T& t1, const T& h, State<System>& x, StepReport& report) {
      const auto from_node = [&](auto& v, auto& lambda) { v = end_.velocity, lambda = lambda_; };
      stages_.solve(t0, t1, h, x, from_node, report);  // (1), (2)
      if (!succeeded(report.outcome)) return;
      end_.velocity = stages_.mean_velocity();
      const Outcome end =
          end_(kinetics_, t1, stages_.attempted_position(), stages_.lost_at_end(), x, stages_.increment());  // (3)
      if (!succeeded(end)) {
        report.outcome = end;
        return;
      }
      for (int a = 0; a < lambda_.size(); ++a) lambda_[a] = stages_.mu(0)[a] / h;
      stages_.accept(t1, h, end_.increment, x);
    }

    template <class Archive>
    void archive(Archive& a) {
      a(end_.velocity, lambda_, kinetics_, stages_);
    }
    const Coordinates& attempted_position() const { return stages_.attempted_position(); }
    template <class Take>
    void raw_values(const State<System>& x, const Take& take) const {
      take(raw_momentum, x.p);
      take(raw_multipliers, lambda_);
    }

   private:
    Kinetics<System> kinetics_;
    StageSolve<System> stages_;
    ProjectedUpdate<System> end_;
    typename System::Multipliers lambda_;
  };
};

}  // namespace livens
