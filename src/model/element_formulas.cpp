#include "livens/model/element_formulas.hpp"

#include <algorithm>
#include <array>
#include <compare>
#include <map>
#include <stdexcept>

namespace livens {

using formula::Graph;
using formula::NodeId;
using formula::Number;
using formula::Op;
using formula::Reach;
using formula::Slot;

namespace {

using ElementKind = ElementShape::Kind;

std::size_t position(int i) {
  return static_cast<std::size_t>(i);
}

bool is_coordinate(Slot s) {
  return s.block == LagrangianFormulas::q || s.block == LagrangianFormulas::v;
}

// ---- terms of sums --------------------------------------------------------------------------------------------------

// factor * core. The factor has no coordinates; where nothing else is left the core is 1. A force acts on a coordinate.
struct Term {
  NodeId factor, core;
  int acts_on = -1;
};

// Which nodes contain a coordinate or velocity.
std::vector<bool> moving_nodes(const Graph& graph) {
  std::vector<bool> moving(graph.size());
  for (std::uint32_t i = 0; i < graph.size(); ++i) {
    const NodeId y{i};
    moving[i] = graph.op(y) == Op::variable && is_coordinate(graph.slot(y));
    for (const NodeId child : graph.children(y)) moving[i] = moving[i] || moving[child.index];
  }
  return moving;
}

// The terms of a sum, appended in the order of their nodes. The graph grows by the factors, which `moving` need not
// know.
void append_terms(Graph& graph, const std::vector<bool>& moving, NodeId sum, int acts_on, std::vector<Term>& terms) {
  const Reach reach(graph, std::array{sum});
  const NodeId zero = graph.constant(0), one = graph.constant(1);
  std::vector<NodeId> factors(reach.size(), zero);
  factors.back() = one;  // the sum has the largest id of all
  const std::size_t first = terms.size();
  for (std::size_t i = reach.size(); i-- > 0;) {
    const NodeId y = reach.nodes()[i], w = factors[i];
    if (w == zero) continue;
    const auto children = graph.children(y);
    const NodeId a = children.empty() ? y : children.front(), b = children.empty() ? y : children.back();
    const auto pass_to = [&](NodeId child, NodeId factor) {
      NodeId& total = factors[reach.position(child)];
      total = graph.add(total, factor);
    };
    const Op op = graph.op(y);
    if (!moving[y.index]) {
      if (const NodeId all = graph.mul(w, y); all != zero) terms.push_back({all, one, acts_on});
    } else if (op == Op::add || op == Op::sub) {
      pass_to(a, w);
      pass_to(b, op == Op::add ? w : graph.neg(w));
    } else if (op == Op::neg) {
      pass_to(a, graph.neg(w));
    } else if (op == Op::mul && !moving[a.index]) {
      pass_to(b, graph.mul(w, a));
    } else if (op == Op::mul && !moving[b.index]) {
      pass_to(a, graph.mul(w, b));
    } else if (op == Op::div && !moving[b.index]) {
      pass_to(a, graph.div(w, b));
    } else {
      terms.push_back({w, y, acts_on});
    }
  }
  std::reverse(terms.begin() + static_cast<std::ptrdiff_t>(first), terms.end());
}

// ---- shapes ---------------------------------------------------------------------------------------------------------

// A number for every node that is the same for formulas of the same shape, whatever the order of commuting operands.
std::vector<std::uint64_t> forms_of_nodes(const Graph& graph) {
  const auto mixed = [](std::uint64_t a, std::uint64_t b) {
    const std::uint64_t x = (a ^ (b + 0x9e3779b97f4a7c15u + (a << 6) + (a >> 2))) * 0xbf58476d1ce4e5b9u;
    return x ^ (x >> 29);
  };
  std::vector<std::uint64_t> forms(graph.size());
  for (std::uint32_t i = 0; i < graph.size(); ++i) {
    const NodeId y{i};
    std::uint64_t form = mixed(0, static_cast<std::uint64_t>(graph.op(y)));
    if (graph.op(y) == Op::variable) form = mixed(form, static_cast<std::uint64_t>(graph.slot(y).block));
    if (graph.op(y) == Op::power) form = mixed(form, static_cast<std::uint64_t>(graph.exponent(y)));
    if (formula::is_table(graph.op(y))) {
      const formula::TableCall call = graph.table_call(y);
      form = mixed(form, call.table);
      for (const auto order : call.order) form = mixed(form, order);
    }
    std::array<std::uint64_t, 3> operands{};
    const auto children = graph.children(y);
    for (std::size_t k = 0; k < children.size(); ++k) operands[k] = forms[children[k].index];
    if (graph.op(y) == Op::add || graph.op(y) == Op::mul) std::sort(operands.begin(), operands.begin() + 2);
    for (std::size_t k = 0; k < children.size(); ++k) form = mixed(form, operands[k]);
    forms[i] = form;
  }
  return forms;
}

// f built again on another graph, its constants and variables replaced by leaf(node).
template <class Leaf>
NodeId rebuilt(const Graph& from, NodeId f, Graph& to, const Leaf& leaf) {
  const Reach reach(from, std::array{f});
  std::vector<NodeId> image(reach.size());
  for (std::size_t i = 0; i < reach.size(); ++i) {
    const NodeId y = reach.nodes()[i];
    const auto children = from.children(y);
    std::array<NodeId, 3> operands{};
    for (std::size_t k = 0; k < children.size(); ++k) operands[k] = image[reach.position(children[k])];
    image[i] = children.empty() ? leaf(y) : to.like(from, y, operands);
  }
  return image.back();
}

class Splitter {
 public:
  explicit Splitter(const LagrangianFormulas& formulas)
      : graph_(formulas.graph()), one_(graph_.constant(1)), minus_one_(graph_.constant(-1)) {
    const LagrangianFormulas::Formulas& given = formulas.formulas();
    const std::vector<bool> moving = moving_nodes(graph_);
    std::vector<Term> lagrangian, forces;
    append_terms(graph_, moving, given.lagrangian, -1, lagrangian);
    for (std::size_t i = 0; i < given.forces.size(); ++i)
      append_terms(graph_, moving, given.forces[i], static_cast<int>(i), forces);

    forms_ = forms_of_nodes(graph_);
    met_.resize(graph_.size());
    image_.resize(graph_.size());
    slots_.resize(graph_.size());
    for (const auto& [coordinates, terms] : by_coordinates(lagrangian)) add(ElementKind::lagrangian, terms, -1);
    for (std::size_t a = 0; a < given.constraints.size(); ++a)
      add(ElementKind::constraint, {with_factor(given.constraints[a])}, static_cast<int>(a));
    for (const auto& [coordinates, terms] : by_coordinates(forces)) add(ElementKind::force, terms, -1);
  }

  std::vector<ElementShape> take() {
    std::vector<ElementShape> finished;
    finished.reserve(shapes_.size());
    for (Shape& shape : shapes_) finished.push_back(finish(shape));
    return finished;
  }

 private:
  // What makes two elements equal but for their coordinates and numbers; the nodes are those of `canonical_`: one for L
  // or a constraint, one per coordinate for forces.
  struct Form {
    ElementKind kind;
    int coordinates, constants;
    std::vector<NodeId> formulas;
    friend auto operator<=>(const Form&, const Form&) = default;
  };
  struct Shape {
    Form form;
    int elements = 0;
    std::vector<int> indices, rows;
    std::vector<Number> values;
  };

  std::map<std::vector<int>, std::vector<Term>> by_coordinates(const std::vector<Term>& terms) {
    std::map<std::vector<int>, std::vector<Term>> groups;
    for (const Term& term : terms) {
      std::vector<int> coordinates = coordinates_of(term);
      std::sort(coordinates.begin(), coordinates.end());
      groups[std::move(coordinates)].push_back(term);
    }
    for (auto& [coordinates, group] : groups)
      std::stable_sort(group.begin(), group.end(), [this](const Term& a, const Term& b) {
        return std::pair(form(a.core), form(a.factor)) < std::pair(form(b.core), form(b.factor));
      });
    return groups;
  }

  // A constraint stays whole; a number before it is no part of its shape.
  Term with_factor(NodeId f) const {
    const auto children = graph_.children(f);
    if (graph_.op(f) == Op::neg) return {minus_one_, children[0]};
    if (graph_.op(f) == Op::mul && graph_.is_constant(children[0])) return {children[0], children[1]};
    return {one_, f};
  }

  std::uint64_t form(NodeId f) const { return forms_[f.index]; }

  std::vector<int> coordinates_of(const Term& term) {
    start_walk();
    if (term.acts_on >= 0) meet_coordinate(term.acts_on);
    meet(term.core);
    return coordinates_;
  }

  void add(ElementKind kind, const std::vector<Term>& terms, int row) {
    start_walk();
    std::vector<std::array<int, 2>> slots;  // of factor and core, where they are constants
    for (const Term& term : terms) {
      if (term.acts_on >= 0) meet_coordinate(term.acts_on);
      const int factor_slot = meet(term.factor);
      slots.push_back({factor_slot, meet(term.core)});
    }
    rebuild_met_nodes();
    const NodeId zero = canonical_.constant(0);
    std::vector<NodeId> formulas(kind == ElementKind::force ? coordinates_.size() : 1, zero);
    for (std::size_t k = 0; k < terms.size(); ++k) {
      NodeId& sum = formulas[terms[k].acts_on >= 0 ? position(local_[terms[k].acts_on]) : 0];
      sum = canonical_.add(sum, canonical_.mul(image(terms[k].factor, slots[k][0]), image(terms[k].core, slots[k][1])));
    }

    Form form{kind, static_cast<int>(coordinates_.size()), static_cast<int>(values_.size()), std::move(formulas)};
    const auto [place, is_new] = shape_of_.try_emplace(std::move(form), shapes_.size());
    if (is_new) shapes_.push_back({place->first, 0, {}, {}, {}});
    Shape& shape = shapes_[place->second];
    ++shape.elements;
    shape.indices.insert(shape.indices.end(), coordinates_.begin(), coordinates_.end());
    shape.values.insert(shape.values.end(), values_.begin(), values_.end());
    if (kind == ElementKind::constraint) shape.rows.push_back(row);
  }

  // ---- the walk over one element ------------------------------------------------------------------------------------

  void start_walk() {
    ++walk_;
    coordinates_.clear();
    local_.clear();
    values_.clear();
    nodes_.clear();
  }

  // Numbers what stands below a root. Constants have no node of their own here but a slot where they are used, so that
  // two numbers which happen to be equal stay two; returns the slot if the root is a constant.
  int meet(NodeId root) {
    const int slot = meet_leaf(root);
    if (graph_.children(root).empty()) return slot;
    open_.assign(1, root);
    while (!open_.empty()) {
      const NodeId y = open_.back();
      open_.pop_back();
      if (met_[y.index] == walk_) continue;
      met_[y.index] = walk_;
      nodes_.push_back(y);
      const auto children = graph_.children(y);
      std::array<std::size_t, 3> order{0, 1, 2};
      const bool commutes = graph_.op(y) == Op::add || graph_.op(y) == Op::mul;
      if (commutes && form(children[1]) < form(children[0])) std::swap(order[0], order[1]);
      const std::size_t bottom = open_.size();
      for (const std::size_t k : std::span(order).first(children.size())) {
        slots_[y.index][k] = meet_leaf(children[k]);
        if (!graph_.children(children[k]).empty()) open_.push_back(children[k]);
      }
      std::reverse(open_.begin() + static_cast<std::ptrdiff_t>(bottom), open_.end());
    }
    return slot;
  }

  int meet_leaf(NodeId f) {
    if (graph_.is_constant(f)) {
      values_.push_back(graph_.value(f));
      return static_cast<int>(values_.size()) - 1;
    }
    if (graph_.op(f) == Op::variable) {
      const Slot s = graph_.slot(f);
      if (is_coordinate(s))
        meet_coordinate(s.index);
      else if (s.block != LagrangianFormulas::time)
        throw std::invalid_argument("formulas to be split may contain coordinates, velocities and time only");
    }
    return -1;
  }

  void meet_coordinate(int i) {
    if (local_.try_emplace(i, static_cast<int>(coordinates_.size())).second) coordinates_.push_back(i);
  }

  // ---- the element on the graph of all shapes -----------------------------------------------------------------------

  void rebuild_met_nodes() {
    std::sort(nodes_.begin(), nodes_.end());  // children first
    for (const NodeId y : nodes_) {
      const auto children = graph_.children(y);
      std::array<NodeId, 3> operands{};
      for (std::size_t k = 0; k < children.size(); ++k) operands[k] = image(children[k], slots_[y.index][k]);
      image_[y.index] = canonical_.like(graph_, y, operands);
    }
  }

  NodeId image(NodeId f, int slot) {
    if (graph_.is_constant(f)) return canonical_.variable({LagrangianFormulas::constants, slot});
    if (graph_.op(f) != Op::variable) return image_[f.index];
    const Slot s = graph_.slot(f);
    return canonical_.variable(is_coordinate(s) ? Slot{s.block, local_.at(s.index)} : s);
  }

  // ---- the shape on its own -----------------------------------------------------------------------------------------

  ElementShape finish(Shape& shape) const {
    const std::size_t elements = position(shape.elements), given = position(shape.form.constants);
    const auto value = [&](std::size_t e, std::size_t k) { return shape.values[e * given + k]; };
    std::vector<std::size_t> kept;
    for (std::size_t k = 0; k < given; ++k)
      for (std::size_t e = 1; e < elements; ++e)
        if (value(e, k) != value(0, k)) {
          kept.push_back(k);
          break;
        }

    Graph graph;
    const auto leaf = [&](NodeId y) {
      if (canonical_.is_constant(y)) return graph.constant(canonical_.value(y));
      const Slot s = canonical_.slot(y);
      if (s.block != LagrangianFormulas::constants) return graph.variable(s);
      const auto found = std::lower_bound(kept.begin(), kept.end(), position(s.index));
      if (found == kept.end() || *found != position(s.index)) return graph.constant(value(0, position(s.index)));
      return graph.variable({LagrangianFormulas::constants, static_cast<int>(found - kept.begin())});
    };
    LagrangianFormulas::Formulas formulas;
    formulas.lagrangian = graph.constant(0);
    formulas.constants = static_cast<int>(kept.size());
    for (const NodeId f : shape.form.formulas) {
      const NodeId own = rebuilt(canonical_, f, graph, leaf);
      switch (shape.form.kind) {
        case ElementKind::lagrangian:
          formulas.lagrangian = own;
          break;
        case ElementKind::constraint:
          formulas.constraints.push_back(own);
          break;
        case ElementKind::force:
          formulas.forces.push_back(own);
      }
    }

    ElementShape result;
    result.kind = shape.form.kind;
    result.local =
        std::make_shared<const LagrangianFormulas>(std::move(graph), shape.form.coordinates, std::move(formulas));
    result.elements = shape.elements;
    result.indices = std::move(shape.indices);
    result.rows = std::move(shape.rows);
    result.values.reserve(elements * kept.size());
    for (std::size_t e = 0; e < elements; ++e)
      for (const std::size_t k : kept) result.values.push_back(value(e, k));
    return result;
  }

  Graph graph_, canonical_;
  NodeId one_, minus_one_;
  std::vector<std::uint64_t> forms_;
  std::map<Form, std::size_t> shape_of_;
  std::vector<Shape> shapes_;

  // Of the present walk.
  std::uint32_t walk_ = 0;
  std::vector<int> coordinates_;  // in the order in which they are met
  std::map<int, int> local_;      // their places in it
  std::vector<Number> values_;
  std::vector<NodeId> nodes_, open_;
  // Of the nodes met in the walk whose number stands in `met_`.
  std::vector<std::uint32_t> met_;
  std::vector<NodeId> image_;
  std::vector<std::array<int, 3>> slots_;
};

}  // namespace

ElementFormulas split(const LagrangianFormulas& formulas) {
  return {formulas.coordinates(), formulas.constraints(), formulas.structure(), Splitter(formulas).take()};
}

}  // namespace livens
