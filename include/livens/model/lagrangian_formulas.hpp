// A Lagrangian system stated as formulas: derivatives taken symbolically on the formula graph, compiled to programs,
// structure (constant mass, time dependence, degrees) found from the formulas.
//
// `LagrangianFormulas` is the constant description, shared by all runs; `FormulaLagrangian<T>` binds it to a scalar and
// offers methods the functions of system/lagrangian.hpp with run-time sizes. One such object serves one thread.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "livens/formula/expression.hpp"
#include "livens/math/magnitude.hpp"
#include "livens/math/vec.hpp"
#include "livens/model/programs.hpp"
#include "livens/system/structure.hpp"

namespace livens {

class LagrangianFormulas : public CompiledParts {
 public:
  // Blocks of variables in the graph. `constants` are numbers that differ between the elements of one shape
  // (element_formulas.hpp); a whole system has none.
  enum Block { time, q, v, p, lambda, constants, blocks };

  // What is compiled, each when first asked for. Outputs in this order, matrices by rows.
  enum Part {
    value,                 // L
    lagrangian_rate,       // L_t
    gradient,              // L_q, L_v
    hessian,               // L_qq, L_qv, L_vv
    mass,                  // L_vv
    momentum_rate,         // L_vt
    potential_gradient,    // V_q = -L_q at v = 0
    force,                 // F
    force_velocity,        // F_v
    force_position,        // F_q
    constraint,            // g
    constraint_jacobian,   // g, G
    constraint_along,      // D2g_a[v, e_j]
    constraint_rate,       // g_t
    constraint_curvature,  // D2g[v,v] + 2 g_tq v + g_tt
    constraint_hessian,    // sum_a lambda_a D2g_a
    constraint_third,      // sum_a lambda_a D3g_a[v]
    invariants,
    parts
  };

  struct Formulas {
    formula::NodeId lagrangian;
    std::vector<formula::NodeId> constraints, forces, invariants;  // invariants may contain q, v, p and t
    std::vector<std::string> invariant_names;
    std::vector<formula::Number> least_sizes;  // of the terms of each constraint, where that is known; or empty
    int constants = 0;
  };

  LagrangianFormulas(formula::Graph graph, int coordinates, Formulas formulas);

  int coordinates() const { return n_; }
  int constraints() const { return static_cast<int>(formulas_.constraints.size()); }
  const std::vector<std::string>& invariant_names() const { return formulas_.invariant_names; }
  const Structure& structure() const { return structure_; }
  const Formulas& formulas() const { return formulas_; }  // their nodes are those of graph()

  // The same system without some of its constraints, given by ascending numbers from 0.
  std::shared_ptr<const LagrangianFormulas> without_constraints(const std::vector<int>& left_out) const;

 private:
  void find_structure();
  std::vector<formula::NodeId> outputs(int part) const override;
  std::vector<formula::NodeId> equations() const override;

  int n_;
  Formulas formulas_;
  Structure structure_;
};

// N and M: the sizes where they are known when compiling, which saves small systems the cost of loops.
template <class Scalar_, int N = Dynamic, int M = Dynamic>
class FormulaLagrangian {
 public:
  using T = Scalar_;
  using Scalar = T;
  static constexpr int n = N, m = M;
  using Coordinates = Vec<T, N>;
  using Multipliers = Vec<T, M>;
  using Square = Mat<T, N, N>;
  using Jacobian = Mat<T, M, N>;
  using F = LagrangianFormulas;

  explicit FormulaLagrangian(std::shared_ptr<const LagrangianFormulas> formulas)
      : formulas_(std::move(formulas)),
        programs_(*formulas_),
        wide_programs_(*formulas_),
        wide_q_(formulas_->coordinates()) {}

  constexpr int coordinates() const { return N == Dynamic ? formulas_->coordinates() : N; }
  constexpr int constraints() const { return M == Dynamic ? formulas_->constraints() : M; }
  int invariants() const { return static_cast<int>(formulas_->invariant_names().size()); }
  const Structure& structure() const { return formulas_->structure(); }
  const LagrangianFormulas& formulas() const { return *formulas_; }

  Jacobian jacobian() const { return Jacobian(constraints(), coordinates()); }
  Square square() const { return Square(coordinates(), coordinates()); }
  Square constraint_square() const { return square(); }

  // The constants of the element that is evaluated from now on; they must stay where they are.
  void use_constants(const T* constants) { constants_ = constants; }

  T lagrangian(const T& t, const Coordinates& q, const Coordinates& v) const {
    T L;
    run(F::value, t, q, &v).store(&L, 1);
    return L;
  }
  T lagrangian_rate(const T& t, const Coordinates& q, const Coordinates& v) const {
    T Lt;
    run(F::lagrangian_rate, t, q, &v).store(&Lt, 1);
    return Lt;
  }
  void gradient(const T& t, const Coordinates& q, const Coordinates& v, Coordinates& Lq, Coordinates& Lv) const {
    run(F::gradient, t, q, &v).store(Lq.data(), Lq.size()).store(Lv.data(), Lv.size());
  }
  void hessian(const T& t, const Coordinates& q, const Coordinates& v, Square& Lqq, Square& Lqv, Square& Lvv) const {
    const int size = q.size() * q.size();
    run(F::hessian, t, q, &v).store(Lqq.data(), size).store(Lqv.data(), size).store(Lvv.data(), size);
  }
  void mass(const T& t, const Coordinates& q, const Coordinates& v, Square& Lvv) const {
    run(F::mass, t, q, &v).store(Lvv.data(), q.size() * q.size());
  }
  void momentum_rate(const T& t, const Coordinates& q, const Coordinates& v, Coordinates& Lvt) const {
    run(F::momentum_rate, t, q, &v).store(Lvt.data(), q.size());
  }
  void potential_gradient(const T& t, const Coordinates& q, Coordinates& Vq) const {
    run(F::potential_gradient, t, q, nullptr).store(Vq.data(), q.size());
  }
  void force(const T& t, const Coordinates& q, const Coordinates& v, Coordinates& out) const {
    run(F::force, t, q, &v).store(out.data(), q.size());
  }
  void force_velocity_jacobian(const T& t, const Coordinates& q, const Coordinates& v, Square& Fv) const {
    run(F::force_velocity, t, q, &v).store(Fv.data(), q.size() * q.size());
  }
  void force_position_jacobian(const T& t, const Coordinates& q, const Coordinates& v, Square& Fq) const {
    run(F::force_position, t, q, &v).store(Fq.data(), q.size() * q.size());
  }
  void constraint(const T& t, const Coordinates& q, Multipliers& g) const {
    run(F::constraint, t, q, nullptr).store(g.data(), g.size());
  }
  // g(t,q) by operations in the next wider scalar.
  void refine_constraint(const T& t, const Coordinates& q, Multipliers& g) const {
    if constexpr (!std::is_same_v<Wider<T>, T>) {
      const Wider<T> wide_t(t);
      for (int i = 0; i < q.size(); ++i) wide_q_[i] = q[i];
      const Wider<T>* const blocks[F::blocks] = {&wide_t, wide_q_.data(), nullptr, nullptr, nullptr, nullptr};
      const auto value = wide_programs_.run(F::constraint, blocks);
      for (int a = 0; a < g.size(); ++a) g[a] = static_cast<T>(value[a]);
    }
  }
  void constraint_jacobian(const T& t, const Coordinates& q, Multipliers& g, Jacobian& G) const {
    run(F::constraint_jacobian, t, q, nullptr).store(g.data(), g.size()).store(G.data(), g.size() * q.size());
  }
  // The same to where the numbers belong, G by rows.
  void store_constraint_jacobian(const T& t, const Coordinates& q, T* g, T* G) const {
    run(F::constraint_jacobian, t, q, nullptr).store(g, constraints()).store(G, constraints() * q.size());
  }
  void constraint_jacobian_along(const T& t, const Coordinates& q, const Coordinates& v, Jacobian& Gv) const {
    run(F::constraint_along, t, q, &v).store(Gv.data(), constraints() * q.size());
  }
  void constraint_rate(const T& t, const Coordinates& q, Multipliers& gt) const {
    if (structure().time_in_constraints)
      run(F::constraint_rate, t, q, nullptr).store(gt.data(), gt.size());
    else
      gt.fill(T(0));
  }
  void constraint_curvature(const T& t, const Coordinates& q, const Coordinates& v, Multipliers& second) const {
    run(F::constraint_curvature, t, q, &v).store(second.data(), second.size());
  }
  void constraint_hessian(const T& t, const Coordinates& q, const Multipliers& lambda, Square& H) const {
    const T* const blocks[F::blocks] = {&t, q.data(), nullptr, nullptr, lambda.data(), constants_};
    programs_.run(F::constraint_hessian, blocks).store(H.data(), q.size() * q.size());
  }
  void constraint_third(const T& t, const Coordinates& q, const Multipliers& lambda, const Coordinates& v,
                        Square& C) const {
    const T* const blocks[F::blocks] = {&t, q.data(), v.data(), nullptr, lambda.data(), constants_};
    programs_.run(F::constraint_third, blocks).store(C.data(), q.size() * q.size());
  }
  void invariant_values(const T& t, const Coordinates& q, const Coordinates& v, const Coordinates& p, T* out) const {
    const T* const blocks[F::blocks] = {&t, q.data(), v.data(), p.data(), nullptr, constants_};
    programs_.run(F::invariants, blocks).store(out, invariants());
  }

  // Size of the terms that g_a is summed from.
  void constraint_size(const T& t, const Coordinates& q, Multipliers& size) const {
    using S = Magnitude<T>;
    const std::vector<S> q_sized(q.begin(), q.end()),
        constants_sized(constants_, constants_ + formulas_->formulas().constants);
    std::vector<S> g(static_cast<std::size_t>(constraints()));
    const S t_sized(t);
    const S* const blocks[F::blocks] = {&t_sized, q_sized.data(), nullptr, nullptr, nullptr, constants_sized.data()};
    formula::Evaluator<S>(formulas_->program(F::constraint))(blocks, g.data());
    const std::vector<formula::Number>& least = formulas_->formulas().least_sizes;
    for (int a = 0; a < size.size(); ++a) {
      size[a] = g[static_cast<std::size_t>(a)].size;
      if (!least.empty()) size[a] = std::max<T>(size[a], T(static_cast<RealOf<T>>(least[static_cast<std::size_t>(a)])));
    }
  }

 private:
  auto run(int part, const T& t, const Coordinates& q, const Coordinates* v) const {
    const T* const blocks[F::blocks] = {&t, q.data(), v ? v->data() : nullptr, nullptr, nullptr, constants_};
    return programs_.run(part, blocks);
  }

  std::shared_ptr<const LagrangianFormulas> formulas_;
  Programs<LagrangianFormulas, T> programs_;
  Programs<LagrangianFormulas, Wider<T>> wide_programs_;
  mutable Vec<Wider<T>, N> wide_q_;
  const T* constants_ = nullptr;
};

}  // namespace livens
