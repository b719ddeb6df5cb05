// A degenerate Lagrangian system L = theta(q).v - H(q) stated as formulas: derivatives taken symbolically on the
// formula graph and compiled to programs.
//
// `DegenerateFormulas` is the constant description, shared by all runs; `FormulaDegenerate<T>` binds it to a scalar and
// offers the functions of system/degenerate.hpp with run-time sizes. One such object serves one thread.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "livens/formula/expression.hpp"
#include "livens/math/vec.hpp"
#include "livens/model/programs.hpp"
#include "livens/system/unconstrained.hpp"

namespace livens {

class DegenerateFormulas : public CompiledParts {
 public:
  // Blocks of variables in the graph; theta and H contain q only.
  enum Block { q, p, weight, blocks };

  // What is compiled, each when first asked for. Outputs in this order, matrices by rows.
  enum Part {
    theta,                 // theta
    theta_jacobian,        // theta, J with J_ik = d theta_i / d q_k
    theta_curvature,       // sum_k weight_k D2 theta_k
    hamiltonian,           // H
    hamiltonian_gradient,  // H_q
    hamiltonian_hessian,   // H_qq
    force_and_momentum,    // f = J^T weight - H_q, theta, J
    force_jacobian,        // J, f_q
    invariants,
    parts
  };

  struct Formulas {
    std::vector<formula::NodeId> theta;
    formula::NodeId hamiltonian;
    std::vector<formula::NodeId> invariants;  // may contain q and p
    std::vector<std::string> invariant_names;
  };

  // Throws std::invalid_argument if the sizes do not fit or a formula contains what it must not.
  DegenerateFormulas(formula::Graph graph, int coordinates, Formulas formulas);

  int coordinates() const { return n_; }
  const std::vector<std::string>& invariant_names() const { return formulas_.invariant_names; }

 private:
  std::vector<formula::NodeId> outputs(int part) const override;
  std::vector<formula::NodeId> equations() const override;

  int n_;
  Formulas formulas_;
};

template <class Scalar_>
class FormulaDegenerate : public Unconstrained<Scalar_, Dynamic> {
 public:
  using T = Scalar_;
  using Scalar = T;
  static constexpr int n = Dynamic;
  using Coordinates = Vec<T>;
  using Square = Mat<T>;
  using F = DegenerateFormulas;

  explicit FormulaDegenerate(std::shared_ptr<const DegenerateFormulas> formulas)
      : formulas_(std::move(formulas)), programs_(*formulas_) {}

  int coordinates() const { return formulas_->coordinates(); }
  Square square() const { return Square(coordinates(), coordinates()); }
  int invariants() const { return static_cast<int>(formulas_->invariant_names().size()); }
  const DegenerateFormulas& formulas() const { return *formulas_; }

  void theta(const Coordinates& q, Coordinates& out) const { run(F::theta, q).store(out.data(), q.size()); }
  void theta_jacobian(const Coordinates& q, Coordinates& out, Square& J) const {
    run(F::theta_jacobian, q).store(out.data(), q.size()).store(J.data(), q.size() * q.size());
  }
  void theta_curvature(const Coordinates& q, const Coordinates& v, Square& C) const {
    const T* const blocks[F::blocks] = {q.data(), nullptr, v.data()};
    programs_.run(F::theta_curvature, blocks).store(C.data(), q.size() * q.size());
  }

  T hamiltonian(const Coordinates& q) const {
    T H;
    run(F::hamiltonian, q).store(&H, 1);
    return H;
  }
  void hamiltonian_gradient(const Coordinates& q, Coordinates& Hq) const {
    run(F::hamiltonian_gradient, q).store(Hq.data(), q.size());
  }
  void hamiltonian_hessian(const Coordinates& q, Square& Hqq) const {
    run(F::hamiltonian_hessian, q).store(Hqq.data(), q.size() * q.size());
  }

  void force_and_momentum(const Coordinates& q, const Coordinates& v, Coordinates& f, Coordinates& out,
                          Square& J) const {
    const T* const blocks[F::blocks] = {q.data(), nullptr, v.data()};
    const int size = q.size();
    programs_.run(F::force_and_momentum, blocks)
        .store(f.data(), size)
        .store(out.data(), size)
        .store(J.data(), size * size);
  }
  void force_jacobian(const Coordinates& q, const Coordinates& v, Square& J, Square& fq) const {
    const T* const blocks[F::blocks] = {q.data(), nullptr, v.data()};
    const int size = q.size();
    programs_.run(F::force_jacobian, blocks).store(J.data(), size * size).store(fq.data(), size * size);
  }

  void invariant_values(const Coordinates& q, const Coordinates& p, T* out) const {
    const T* const blocks[F::blocks] = {q.data(), p.data(), nullptr};
    programs_.run(F::invariants, blocks).store(out, invariants());
  }

 private:
  auto run(int part, const Coordinates& q) const {
    const T* const blocks[F::blocks] = {q.data(), nullptr, nullptr};
    return programs_.run(part, blocks);
  }

  std::shared_ptr<const DegenerateFormulas> formulas_;
  Programs<DegenerateFormulas, T> programs_;
};

}  // namespace livens
