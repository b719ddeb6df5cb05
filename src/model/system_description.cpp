#include "livens/model/system_description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "livens/model/element_lagrangian.hpp"
#include "livens/multibody/mechanism.hpp"

namespace livens {

std::string_view name(SystemKind kind) {
  switch (kind) {
    case SystemKind::lagrangian:
      return "lagrangian";
    case SystemKind::degenerate:
      return "degenerate";
    case SystemKind::odae:
      return "odae";
  }
  __builtin_unreachable();
}

SystemDescription::SystemDescription(std::vector<std::string> coordinate_names, Formulas formulas,
                                     std::shared_ptr<const multibody::Mechanism> mechanism,
                                     std::shared_ptr<const MechanismFriction> friction)
    : coordinate_names_(std::move(coordinate_names)),
      formulas_(std::move(formulas)),
      mechanism_(std::move(mechanism)),
      friction_(std::move(friction)) {}
SystemDescription::~SystemDescription() = default;

int SystemDescription::momenta() const {
  return kind() == SystemKind::odae ? odae()->velocities() : coordinates();
}

int SystemDescription::constraints() const {
  switch (kind()) {
    case SystemKind::lagrangian:
      return lagrangian()->constraints();
    case SystemKind::degenerate:
      return 0;
    case SystemKind::odae:
      return odae()->multipliers();
  }
  __builtin_unreachable();
}

const std::vector<std::string>& SystemDescription::invariant_names() const {
  return std::visit(
      [](const auto& formulas) -> const auto& { return formulas->invariant_names(); }, formulas_);
}

bool SystemDescription::is_large() const {
  constexpr int small = 48;  // bench/chain: the lines of dense and sparse steps cross near 12 masses
  return coordinates() + constraints() > small;
}

// With two stages the lines cross near 3 masses of a chain, with four near 2. A top of 12 directors and 9 constraints
// takes 214 thousand instructions a step with two stages if dense, 147 by KLU, 86 by multipliers alone.
bool SystemDescription::is_large_for_stages() const {
  constexpr int small = 12;
  return coordinates() + constraints() > small;
}

bool SystemDescription::conserves_energy() const {
  switch (kind()) {
    case SystemKind::lagrangian:
      return structure().conserves_energy();
    case SystemKind::degenerate:
      return true;
    case SystemKind::odae:
      return false;
  }
  __builtin_unreachable();
}

double SystemDescription::operations_of_step() const {
  const auto length = [](const auto& formulas, int part) {
    return static_cast<double>(formulas->program(part)->code.size());
  };
  switch (kind()) {
    case SystemKind::lagrangian: {
      using F = LagrangianFormulas;
      return (structure().constant_mass ? 6 : 40) * length(lagrangian(), F::value) +
             12 * length(lagrangian(), F::constraint) + 2 * length(lagrangian(), F::force) +
             length(lagrangian(), F::invariants);
    }
    case SystemKind::degenerate: {
      using F = DegenerateFormulas;
      return 40 * (length(degenerate(), F::theta) + length(degenerate(), F::hamiltonian)) +
             length(degenerate(), F::invariants);
    }
    case SystemKind::odae: {
      using F = OdaeFormulas;
      return 20 * (length(odae(), F::velocity) + length(odae(), F::force) + length(odae(), F::reaction)) +
             12 * length(odae(), F::constraint) + length(odae(), F::invariants);
    }
  }
  __builtin_unreachable();
}

const ElementFormulas& SystemDescription::split() const {
  std::call_once(split_once_,
                 [this] { split_ = std::make_unique<const ElementFormulas>(livens::split(*lagrangian())); });
  return *split_;
}

template <class T>
ElementSystem<T> SystemDescription::elements(const LinearChoice<T>& linear) const {
  return element_lagrangian<T>(lagrangian(), split(), linear);
}

template <class T>
ElementSystem<T> SystemDescription::elements() const {
  return elements<T>(LinearChoice<T>{});
}

std::shared_ptr<const SystemDescription> SystemDescription::without_constraints(
    const std::vector<int>& left_out) const {
  auto rest = kind() == SystemKind::odae
                  ? std::make_shared<SystemDescription>(coordinate_names_, odae()->without_constraints(left_out))
                  : std::make_shared<SystemDescription>(coordinate_names_, lagrangian()->without_constraints(left_out),
                                                        mechanism_);
  for (int row = 0; row < constraints(); ++row)
    if (!std::binary_search(left_out.begin(), left_out.end(), row))
      rest->rows_.push_back(rows_.empty() ? row : rows_[static_cast<std::size_t>(row)]);
  return rest;
}

int SystemDescription::constraint_number(int row) const {
  return rows_.empty() ? row : rows_[static_cast<std::size_t>(row)];
}

std::string SystemDescription::constraint_name(int row) const {
  const int number = constraint_number(row);
  return mechanism_ ? mechanism_->name_of_row(number) : fmt::format("constraint {}", number + 1);
}

std::string SystemDescription::constraint_key(int row) const {
  const int number = constraint_number(row);
  return mechanism_ ? mechanism_->key_of_row(number) : "system.constraints";
}

double SystemDescription::constraint_opening(int row, double value) const {
  const int number = constraint_number(row);
  return mechanism_ ? mechanism_->opening(number, value) : std::abs(value);
}

std::string SystemDescription::constraint_list(const std::vector<int>& rows) const {
  std::vector<int> numbers;
  for (const int row : rows) numbers.push_back(constraint_number(row));
  if (mechanism_) return mechanism_->list_of_rows(numbers);
  std::string list = rows.size() == 1 ? "constraint " : "constraints ";
  for (std::size_t k = 0; k < numbers.size(); ++k)
    list += fmt::format("{}{}", k == 0 ? "" : k + 1 == numbers.size() ? " and " : ", ", numbers[k] + 1);
  return list;
}

template ElementSystem<double> SystemDescription::elements(const LinearChoice<double>&) const;
template ElementSystem<long double> SystemDescription::elements(const LinearChoice<long double>&) const;
template ElementSystem<double> SystemDescription::elements() const;
template ElementSystem<long double> SystemDescription::elements() const;
#if LIVENS_QUAD
template ElementSystem<Widest> SystemDescription::elements(const LinearChoice<Widest>&) const;
template ElementSystem<Widest> SystemDescription::elements() const;
#endif

}  // namespace livens
