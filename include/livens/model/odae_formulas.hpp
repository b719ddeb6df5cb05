// An overdetermined system y' = v(t,y,z), z' = f(t,y,z) + r(t,y,z,psi), 0 = g(y), 0 = g_y v stated as formulas:
// derivatives taken symbolically on the formula graph and compiled to programs.
//
// `OdaeFormulas` is the constant description, shared by all runs; `FormulaOdae<T>` binds it to a scalar and offers the
// functions of system/odae.hpp with run-time sizes. One such object serves one thread.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "livens/formula/expression.hpp"
#include "livens/math/magnitude.hpp"
#include "livens/math/vec.hpp"
#include "livens/model/programs.hpp"
#include "livens/system/odae.hpp"

namespace livens {

class OdaeFormulas : public CompiledParts {
 public:
  // Blocks of variables in the graph.
  enum Block { time, y, z, psi, weight, blocks };

  // What is compiled, each when first asked for. Outputs in this order, matrices by rows.
  enum Part {
    velocity,              // v
    velocity_jacobian,     // v_y, v_z
    velocity_rate,         // v_t
    velocity_hessian,      // sum_i weight_i D2 v_i / dz dz
    force,                 // f
    force_jacobian,        // f_y, f_z
    reaction,              // r
    reaction_jacobian,     // r_y, r_z, r_psi
    constraint,            // g
    constraint_jacobian,   // g, g_y
    constraint_curvature,  // g_yy(weight, weight)
    constraint_hessian,    // sum_a weight_a D2 g_a
    invariants,
    parts
  };

  struct Formulas {
    std::vector<formula::NodeId> velocity, force, reaction, constraints;
    std::vector<formula::NodeId> invariants;  // may contain t, y and z
    std::vector<std::string> invariant_names;
  };

  // Throws std::invalid_argument if the sizes do not fit or a formula contains what it must not.
  OdaeFormulas(formula::Graph graph, int positions, int velocities, int multipliers, Formulas formulas);

  int positions() const { return ny_; }
  int velocities() const { return nz_; }
  int multipliers() const { return m_; }
  const std::vector<std::string>& invariant_names() const { return formulas_.invariant_names; }
  const OdaeStructure& structure() const { return structure_; }

  // The same system without some of its constraints, given by ascending numbers from 0: their multipliers are 0.
  std::shared_ptr<const OdaeFormulas> without_constraints(const std::vector<int>& left_out) const;

 private:
  void find_structure();
  std::vector<formula::NodeId> outputs(int part) const override;
  std::vector<formula::NodeId> equations() const override;

  int ny_, nz_, m_;
  Formulas formulas_;
  OdaeStructure structure_;
};

template <class Scalar_>
class FormulaOdae {
 public:
  using T = Scalar_;
  using Scalar = T;
  static constexpr int ny = Dynamic, nz = Dynamic, m = Dynamic;
  using Positions = Vec<T>;
  using Velocities = Vec<T>;
  using Multipliers = Vec<T>;
  using MatYY = Mat<T>;
  using MatYZ = Mat<T>;
  using MatZY = Mat<T>;
  using MatZZ = Mat<T>;
  using MatZM = Mat<T>;
  using Jacobian = Mat<T>;
  using Coordinates = Positions;
  using F = OdaeFormulas;

  explicit FormulaOdae(std::shared_ptr<const OdaeFormulas> formulas)
      : formulas_(std::move(formulas)), programs_(*formulas_) {}

  int positions() const { return formulas_->positions(); }
  int velocities() const { return formulas_->velocities(); }
  int multipliers() const { return formulas_->multipliers(); }
  int coordinates() const { return positions(); }
  int constraints() const { return multipliers(); }
  int invariants() const { return static_cast<int>(formulas_->invariant_names().size()); }
  const OdaeStructure& structure() const { return formulas_->structure(); }
  const OdaeFormulas& formulas() const { return *formulas_; }

  void velocity(const T& t, const Positions& y, const Velocities& z, Positions& v) const {
    run(F::velocity, t, y, z).store(v.data(), v.size());
  }
  void velocity_jacobian(const T& t, const Positions& y, const Velocities& z, MatYY& vy, MatYZ& vz) const {
    run(F::velocity_jacobian, t, y, z).store(vy.data(), y.size() * y.size()).store(vz.data(), y.size() * z.size());
  }
  void velocity_rate(const T& t, const Positions& y, const Velocities& z, Positions& vt) const {
    run(F::velocity_rate, t, y, z).store(vt.data(), vt.size());
  }
  void velocity_hessian(const T& t, const Positions& y, const Velocities& z, const Positions& weights, MatZZ& H) const {
    const T* const blocks[F::blocks] = {&t, y.data(), z.data(), nullptr, weights.data()};
    programs_.run(F::velocity_hessian, blocks).store(H.data(), z.size() * z.size());
  }

  void force(const T& t, const Positions& y, const Velocities& z, Velocities& f) const {
    run(F::force, t, y, z).store(f.data(), f.size());
  }
  void force_jacobian(const T& t, const Positions& y, const Velocities& z, MatZY& fy, MatZZ& fz) const {
    run(F::force_jacobian, t, y, z).store(fy.data(), z.size() * y.size()).store(fz.data(), z.size() * z.size());
  }

  void reaction(const T& t, const Positions& y, const Velocities& z, const Multipliers& psi, Velocities& r) const {
    run(F::reaction, t, y, z, &psi).store(r.data(), r.size());
  }
  void reaction_jacobian(const T& t, const Positions& y, const Velocities& z, const Multipliers& psi, MatZY& ry,
                         MatZZ& rz, MatZM& rpsi) const {
    run(F::reaction_jacobian, t, y, z, &psi)
        .store(ry.data(), z.size() * y.size())
        .store(rz.data(), z.size() * z.size())
        .store(rpsi.data(), z.size() * psi.size());
  }

  void constraint(const Positions& y, Multipliers& g) const { run(F::constraint, y).store(g.data(), g.size()); }
  void constraint_jacobian(const Positions& y, Multipliers& g, Jacobian& G) const {
    run(F::constraint_jacobian, y).store(g.data(), g.size()).store(G.data(), g.size() * y.size());
  }
  void constraint_curvature(const Positions& y, const Positions& v, Multipliers& second) const {
    run(F::constraint_curvature, y, v.data()).store(second.data(), second.size());
  }
  void constraint_hessian(const Positions& y, const Multipliers& weights, MatYY& H) const {
    run(F::constraint_hessian, y, weights.data()).store(H.data(), y.size() * y.size());
  }

  // Size of the terms that g_a is summed from.
  void constraint_size(const Positions& y, Multipliers& size) const {
    using S = Magnitude<T>;
    const std::vector<S> y_sized(y.begin(), y.end());
    std::vector<S> g(static_cast<std::size_t>(size.size()));
    const S* const blocks[F::blocks] = {nullptr, y_sized.data(), nullptr, nullptr, nullptr};
    formula::Evaluator<S>(formulas_->program(F::constraint))(blocks, g.data());
    for (int a = 0; a < size.size(); ++a) size[a] = g[static_cast<std::size_t>(a)].size;
  }

  void invariant_values(const T& t, const Positions& y, const Velocities& z, T* out) const {
    run(F::invariants, t, y, z).store(out, invariants());
  }

 private:
  auto run(int part, const T& t, const Positions& y, const Velocities& z, const Multipliers* psi = nullptr) const {
    const T* const blocks[F::blocks] = {&t, y.data(), z.data(), psi ? psi->data() : nullptr, nullptr};
    return programs_.run(part, blocks);
  }
  auto run(int part, const Positions& y, const T* weight = nullptr) const {
    const T* const blocks[F::blocks] = {nullptr, y.data(), nullptr, nullptr, weight};
    return programs_.run(part, blocks);
  }

  std::shared_ptr<const OdaeFormulas> formulas_;
  Programs<OdaeFormulas, T> programs_;
};

}  // namespace livens
