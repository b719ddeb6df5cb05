// A Lagrangian system of formulas as a sparse system of elements: formulas split by themselves (element_formulas.hpp),
// each shape one group whose program runs for one element after another.
#pragma once

#include <memory>
#include <vector>

#include "livens/model/element_formulas.hpp"
#include "livens/system/elements.hpp"

namespace livens {

// The elements of one shape, for LocalElements.
template <class T>
class FormulaElements {
 public:
  using System = FormulaLagrangian<T>;

  explicit FormulaElements(const ElementShape& shape)
      : kind_(shape.kind), size_(shape.elements), count_(shape.constants()), system_(shape.local) {
    constants_.reserve(shape.values.size());
    for (const formula::Number& value : shape.values) constants_.push_back(static_cast<T>(value));
  }

  int coordinates() const { return system_.coordinates(); }
  int constraints() const { return system_.constraints(); }
  bool has_lagrangian() const { return kind_ == ElementShape::Kind::lagrangian; }
  Structure structure() const { return system_.structure(); }
  int size() const { return size_; }
  System& system(int element) {
    system_.use_constants(constants_.data() + element * count_);
    return system_;
  }

 private:
  ElementShape::Kind kind_;
  int size_, count_;
  System system_;
  std::vector<T> constants_;  // of one element after another
};

// One such object serves one thread.
template <class T>
ElementSystem<T> element_lagrangian(const std::shared_ptr<const LagrangianFormulas>& formulas, LinearChoice<T> linear) {
  const ElementFormulas parts = split(*formulas);
  ElementSystem<T> system(parts.coordinates, linear);
  for (const ElementShape& shape : parts.shapes) {
    auto group = std::make_unique<LocalElements<T, FormulaElements<T>>>(shape);
    group->indices = shape.indices;
    group->rows = shape.rows;
    system.add(std::move(group));
  }
  system.finish();
  system.set_structure(parts.structure);
  const auto whole = std::make_shared<FormulaLagrangian<T>>(formulas);
  system.set_invariants(whole->invariants(), [whole](const T& t, const Vec<T>& q, const Vec<T>& v, const Vec<T>& p,
                                                     T* out) { whole->invariant_values(t, q, v, p, out); });
  return system;
}

}  // namespace livens
