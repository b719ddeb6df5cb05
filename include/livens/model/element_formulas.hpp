// The formulas of a Lagrangian system as elements: small functions of few coordinates, equal ones sharing one program.
//
//   L = sum_e L_e(t, q_e, v_e) ,   g_a = g_e(t, q_e) ,   F = sum_e F_e(t, q_e, v_e)
//
// L and F are split into the terms of their sums, through signs, parentheses, and factors and divisors without
// coordinates:  (a + b)/2 - 9.81 (a + c) = -9.31 a + 0.5 b - 9.81 c .  The factor of a term is the derivative of the
// sum by it, found by one reverse pass (expression.hpp), so that a term is met once however often it is written, and
// terms that cancel are gone. Terms of L with the same coordinates are one element, forces likewise; every constraint
// is one element. Terms of L without coordinates are an element with no coordinates at all.
//
// Elements have the same shape if they differ only in which coordinates they use and in their numbers. To compare them,
// the coordinates of an element are numbered in the order of a walk from the root, where the operands of sums and
// products are met in an order that does not look at names and numbers; every number becomes a variable of the block
// `constants`; and the formula is built again with these on one graph for all shapes: equal shapes are then the same
// node. Numbers that all elements of a shape share are put back, so that a uniform chain has no constants. Exponents
// are part of the shape, and so are signs inside of a term: x - 3 and x + 3 are two shapes.
#pragma once

#include <memory>
#include <vector>

#include "livens/formula/expression.hpp"
#include "livens/model/lagrangian_formulas.hpp"
#include "livens/system/structure.hpp"

namespace livens {

struct ElementShape {
  enum class Kind { lagrangian, constraint, force };

  Kind kind;
  // Over the element's own coordinates: L alone, one constraint alone (L = 0), or forces on its coordinates (L = 0).
  std::shared_ptr<const LagrangianFormulas> local;
  int elements = 0;
  std::vector<int> indices;             // elements x coordinates: the coordinate of the system for each of the element
  std::vector<formula::Number> values;  // elements x constants
  std::vector<int> rows;                // number of the constraint; empty for the other kinds

  int coordinates() const { return local->coordinates(); }
  int constants() const { return local->formulas().constants; }
};

struct ElementFormulas {
  int coordinates = 0, constraints = 0;
  Structure structure;
  std::vector<ElementShape> shapes;
};

// Elements of a shape stand in the order of their coordinates or constraints. Time and memory are proportional to the
// size of the formulas. Invariants are not split.
ElementFormulas split(const LagrangianFormulas& formulas);

}  // namespace livens
