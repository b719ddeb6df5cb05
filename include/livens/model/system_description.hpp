// What a model says about its system, whatever front end wrote it down: counts, names, structure, invariants, and the
// system itself for a scalar, dense or made of elements.
//
// Front ends are formulas and mechanisms. Systems are functions of formulas (lagrangian_formulas.hpp,
// degenerate_formulas.hpp, odae_formulas.hpp); one of the three is there. Descriptions are constant and shared; the
// systems made from them serve one thread each.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "livens/model/degenerate_formulas.hpp"
#include "livens/model/lagrangian_formulas.hpp"
#include "livens/model/odae_formulas.hpp"
#include "livens/solve/linear_choice.hpp"

namespace livens {

enum class SystemKind { lagrangian, degenerate, odae };

std::string_view name(SystemKind kind);

namespace multibody {
class Mechanism;
}
struct MechanismFriction;
struct ElementFormulas;
template <class T>
class ElementSystem;

class SystemDescription {
 public:
  using Formulas = std::variant<std::shared_ptr<const LagrangianFormulas>, std::shared_ptr<const DegenerateFormulas>,
                                std::shared_ptr<const OdaeFormulas>>;

  // mechanism: of bodies and joints whose formulas these are.
  SystemDescription(std::vector<std::string> coordinate_names, Formulas formulas,
                    std::shared_ptr<const multibody::Mechanism> mechanism = nullptr,
                    std::shared_ptr<const MechanismFriction> friction = nullptr);
  ~SystemDescription();

  SystemKind kind() const { return static_cast<SystemKind>(formulas_.index()); }
  // As a model file names it: a mechanism is "multibody", whatever kind its formulas are of.
  std::string_view written_kind() const {
    return !mechanism_ ? name(kind()) : friction_ ? "multibody with friction" : "multibody";
  }
  const std::vector<std::string>& coordinate_names() const { return coordinate_names_; }
  int coordinates() const { return static_cast<int>(coordinate_names_.size()); }  // q; y of odae
  int momenta() const;                                                            // p; z of odae
  int constraints() const;                                                        // and multipliers
  const std::vector<std::string>& invariant_names() const;
  const std::shared_ptr<const multibody::Mechanism>& mechanism() const { return mechanism_; }
  const std::shared_ptr<const MechanismFriction>& friction() const { return friction_; }

  // "constraint 3", or "joint 'elbow' (row 2 of 5)"; by the numbers that the model gives them, from 0.
  int constraint_number(int row) const;  // as the model counts them, from 0
  std::string constraint_name(int row) const;
  std::string constraint_list(const std::vector<int>& rows) const;
  // The key that a constraint comes from; by how much it is open where it has a value.
  std::string constraint_key(int row) const;
  double constraint_opening(int row, double value) const;

  // Unknowns beyond which sparse matrices cost less than dense ones, and a system is looked at by its elements.
  bool is_large() const;
  // The same where a method of several stages can correct multipliers alone.
  bool is_large_for_stages() const;

  // Whether its motion keeps an energy: that of degenerate systems is H, overdetermined ones have none.
  bool conserves_energy() const;

  // About how many operations its formulas and their derivatives take in a step, over some three Newton iterations.
  double operations_of_step() const;

  // The formulas of the kind that it is of; std::bad_variant_access for the others.
  const std::shared_ptr<const LagrangianFormulas>& lagrangian() const { return std::get<0>(formulas_); }
  const std::shared_ptr<const DegenerateFormulas>& degenerate() const { return std::get<1>(formulas_); }
  const std::shared_ptr<const OdaeFormulas>& odae() const { return std::get<2>(formulas_); }

  // ---- of Lagrangian systems
  const Structure& structure() const { return lagrangian()->structure(); }

  template <class T, int N = Dynamic, int M = Dynamic>
  FormulaLagrangian<T, N, M> dense() const {
    return FormulaLagrangian<T, N, M>(lagrangian());
  }
  // double, long double, binary128
  template <class T>
  ElementSystem<T> elements(const LinearChoice<T>& linear) const;
  template <class T>
  ElementSystem<T> elements() const;  // to be looked at, not to be stepped

  const ElementFormulas& split() const;  // made when first asked for

  // The same system without some of its constraints, given by ascending numbers from 0; Lagrangian or overdetermined.
  std::shared_ptr<const SystemDescription> without_constraints(const std::vector<int>& left_out) const;

 private:
  std::vector<std::string> coordinate_names_;
  Formulas formulas_;
  std::shared_ptr<const multibody::Mechanism> mechanism_;
  std::shared_ptr<const MechanismFriction> friction_;
  std::vector<int> rows_;  // numbers of the constraints in the model; empty: all are there
  mutable std::once_flag split_once_;
  mutable std::unique_ptr<const ElementFormulas> split_;
};

}  // namespace livens
