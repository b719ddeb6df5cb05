// A Lagrangian system as a sum of small functions: L, g and forces of elements that know few coordinates each,
//
//   L(t,q,v) = sum_e L_e(t, q_e, v_e) ,   F = sum_e F_e(t, q_e, v_e) ,   g: those of the elements, one after another,
//
// q_e being the coordinates in the index list of element e. An element is stated like a whole system
// (system/lagrangian.hpp), and may leave out what it has not:
//
//   struct PointMass { static constexpr int coordinates = 3; static constexpr bool constant_mass = true; double m;
//                      template <class T> T lagrangian(const Vec<T, 3>& q, const Vec<T, 3>& v) const; };
//   struct Rod       { static constexpr int coordinates = 6, constraints = 1; double length;
//                      template <class T> Vec<T, 1> constraint(const Vec<T, 6>& q) const; };
//
//   ElementSystem<double> system(6);
//   system.add(PointMass{1.0}, {0, 1, 2});  system.add(PointMass{1.0}, {3, 4, 5});  system.add(Rod{1.0}, {0, 1, 2, 3,
//   4, 5}); system.finish();
//
// Elements of one type are kept together, so that their loop is compiled for them. Patterns are found by `finish`; from
// then on values go to their places without search, and nothing allocates.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <typeindex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "livens/math/sparse.hpp"
#include "livens/solve/linear_choice.hpp"
#include "livens/system/lagrangian.hpp"

namespace livens {

// Elements of one shape, as the system sees them. `add_` functions add to what is there.
template <class T>
class ElementGroup {
 public:
  virtual ~ElementGroup() = default;

  virtual int size() const = 0;         // elements
  virtual int coordinates() const = 0;  // of each
  virtual int constraints() const = 0;  // of each
  virtual bool has_lagrangian() const = 0;
  virtual Structure structure() const = 0;  // of each
  virtual int invariants() const { return 0; }

  virtual void add_lagrangian(const T& t, const Vec<T>& q, const Vec<T>& v, T& L) = 0;
  virtual void add_lagrangian_rate(const T& t, const Vec<T>& q, const Vec<T>& v, T& Lt) = 0;
  virtual void add_gradient(const T& t, const Vec<T>& q, const Vec<T>& v, Vec<T>& Lq, Vec<T>& Lv) = 0;
  virtual void add_hessian(const T& t, const Vec<T>& q, const Vec<T>& v, T* Lqq, T* Lqv, T* Lvv) = 0;
  virtual void add_mass(const T& t, const Vec<T>& q, const Vec<T>& v, T* Lvv) = 0;
  virtual void add_momentum_rate(const T& t, const Vec<T>& q, const Vec<T>& v, Vec<T>& Lvt) = 0;
  virtual void add_potential_gradient(const T& t, const Vec<T>& q, Vec<T>& Vq) = 0;
  virtual void add_force(const T& t, const Vec<T>& q, const Vec<T>& v, Vec<T>& F) = 0;
  virtual void add_force_velocity_jacobian(const T& t, const Vec<T>& q, const Vec<T>& v, T* Fv) = 0;
  virtual void add_force_position_jacobian(const T& t, const Vec<T>& q, const Vec<T>& v, T* Fq) = 0;
  virtual void constraint(const T& t, const Vec<T>& q, Vec<T>& g) = 0;
  virtual void constraint_jacobian(const T& t, const Vec<T>& q, Vec<T>& g, T* G) = 0;
  virtual void constraint_along(const T& t, const Vec<T>& q, const Vec<T>& v, Vec<T>& g, Vec<T>& Gv) = 0;
  virtual void constraint_jacobian_along(const T& t, const Vec<T>& q, const Vec<T>& v, T* Gv) = 0;
  virtual void constraint_rate(const T& t, const Vec<T>& q, Vec<T>& gt) = 0;
  virtual void constraint_curvature(const T& t, const Vec<T>& q, const Vec<T>& v, Vec<T>& second) = 0;
  virtual void add_constraint_hessian(const T& t, const Vec<T>& q, const Vec<T>& lambda, T* H) = 0;
  virtual void add_constraint_third(const T& t, const Vec<T>& q, const Vec<T>& lambda, const Vec<T>& v, T* C) = 0;
  virtual void constraint_size(const T& t, const Vec<T>& q, Vec<T>& size) = 0;

  std::vector<int> indices;     // the coordinates of one element after another
  int index_width = 1;          // they come in groups of so many successive ones, as those of points do
  std::vector<int> rows;        // the first constraint of every element
  std::vector<int> row_starts;  // where in the Jacobian its entries begin
  // Where its n x n entries are in the squares of L and F, and in that of the constraints
  std::vector<int> places, constraint_places;
};

// Elements that are C++ structs of one type.
template <class T, class Element>
class StructElements final : public ElementGroup<T> {
 public:
  using System = Lagrangian<Element, T>;
  using Coordinates = typename System::Coordinates;
  using Multipliers = typename System::Multipliers;
  using Jacobian = typename System::Jacobian;
  using Square = typename System::Square;
  static constexpr int n = System::n, m = System::m;

  void add(const Element& element) { elements_.emplace_back(element); }

  int size() const override { return static_cast<int>(elements_.size()); }
  int coordinates() const override { return n; }
  int constraints() const override { return m; }
  bool has_lagrangian() const override { return System::has_lagrangian; }
  Structure structure() const override { return System::structure(); }

  void add_lagrangian(const T& t, const Vec<T>& q, const Vec<T>& v, T& L) override {
    for (int e = 0; e < size(); ++e) L += at(e).lagrangian(t, of(e, q), of(e, v));
  }
  void add_lagrangian_rate(const T& t, const Vec<T>& q, const Vec<T>& v, T& Lt) override {
    for (int e = 0; e < size(); ++e) Lt += at(e).lagrangian_rate(t, of(e, q), of(e, v));
  }
  void add_gradient(const T& t, const Vec<T>& q, const Vec<T>& v, Vec<T>& Lq, Vec<T>& Lv) override {
    for (int e = 0; e < size(); ++e) {
      Coordinates a, b;
      at(e).gradient(t, of(e, q), of(e, v), a, b);
      scatter(e, a, Lq), scatter(e, b, Lv);
    }
  }
  void add_hessian(const T& t, const Vec<T>& q, const Vec<T>& v, T* Lqq, T* Lqv, T* Lvv) override {
    for (int e = 0; e < size(); ++e) {
      Square A, B, C;
      at(e).hessian(t, of(e, q), of(e, v), A, B, C);
      scatter(e, this->places, A, Lqq), scatter(e, this->places, B, Lqv), scatter(e, this->places, C, Lvv);
    }
  }
  void add_mass(const T& t, const Vec<T>& q, const Vec<T>& v, T* Lvv) override {
    for (int e = 0; e < size(); ++e) {
      Square A;
      at(e).mass(t, of(e, q), of(e, v), A);
      scatter(e, this->places, A, Lvv);
    }
  }
  void add_momentum_rate(const T& t, const Vec<T>& q, const Vec<T>& v, Vec<T>& Lvt) override {
    for (int e = 0; e < size(); ++e) {
      Coordinates a;
      at(e).momentum_rate(t, of(e, q), of(e, v), a);
      scatter(e, a, Lvt);
    }
  }
  void add_potential_gradient(const T& t, const Vec<T>& q, Vec<T>& Vq) override {
    for (int e = 0; e < size(); ++e) {
      Coordinates a;
      at(e).potential_gradient(t, of(e, q), a);
      scatter(e, a, Vq);
    }
  }
  void add_force(const T& t, const Vec<T>& q, const Vec<T>& v, Vec<T>& F) override {
    for (int e = 0; e < size(); ++e) {
      Coordinates a;
      at(e).force(t, of(e, q), of(e, v), a);
      scatter(e, a, F);
    }
  }
  void add_force_velocity_jacobian(const T& t, const Vec<T>& q, const Vec<T>& v, T* Fv) override {
    for (int e = 0; e < size(); ++e) {
      Square A;
      at(e).force_velocity_jacobian(t, of(e, q), of(e, v), A);
      scatter(e, this->places, A, Fv);
    }
  }
  void add_force_position_jacobian(const T& t, const Vec<T>& q, const Vec<T>& v, T* Fq) override {
    for (int e = 0; e < size(); ++e) {
      Square A;
      at(e).force_position_jacobian(t, of(e, q), of(e, v), A);
      scatter(e, this->places, A, Fq);
    }
  }
  void constraint(const T& t, const Vec<T>& q, Vec<T>& g) override {
    for (int e = 0; e < size(); ++e) {
      Multipliers x;
      at(e).constraint(t, of(e, q), x);
      store(e, x, g);
    }
  }
  void constraint_jacobian(const T& t, const Vec<T>& q, Vec<T>& g, T* G) override {
    with_width(this->index_width, [&](auto width) {
      for (int e = 0; e < size(); ++e) {
        Multipliers x;
        Jacobian A;
        at(e).constraint_jacobian(t, of<width>(e, q), x, A);
        store(e, x, g), store(e, A, G);
      }
    });
  }
  void constraint_along(const T& t, const Vec<T>& q, const Vec<T>& v, Vec<T>& g, Vec<T>& Gv) override {
    for (int e = 0; e < size(); ++e) {
      Multipliers x, along;
      Jacobian A;
      at(e).constraint_jacobian(t, of(e, q), x, A);
      multiply(A, of(e, v), along);
      store(e, x, g), store(e, along, Gv);
    }
  }
  void constraint_jacobian_along(const T& t, const Vec<T>& q, const Vec<T>& v, T* Gv) override {
    for (int e = 0; e < size(); ++e) {
      Jacobian A;
      at(e).constraint_jacobian_along(t, of(e, q), of(e, v), A);
      store(e, A, Gv);
    }
  }
  void constraint_rate(const T& t, const Vec<T>& q, Vec<T>& gt) override {
    for (int e = 0; e < size(); ++e) {
      Multipliers x;
      at(e).constraint_rate(t, of(e, q), x);
      store(e, x, gt);
    }
  }
  void constraint_curvature(const T& t, const Vec<T>& q, const Vec<T>& v, Vec<T>& second) override {
    for (int e = 0; e < size(); ++e) {
      Multipliers x;
      at(e).constraint_curvature(t, of(e, q), of(e, v), x);
      store(e, x, second);
    }
  }
  void add_constraint_hessian(const T& t, const Vec<T>& q, const Vec<T>& lambda, T* H) override {
    for (int e = 0; e < size(); ++e) {
      Multipliers x;
      Square A;
      for (int a = 0; a < m; ++a) x[a] = lambda[row(e) + a];
      at(e).constraint_hessian(t, of(e, q), x, A);
      scatter(e, this->constraint_places, A, H);
    }
  }
  void add_constraint_third(const T& t, const Vec<T>& q, const Vec<T>& lambda, const Vec<T>& v, T* C) override {
    for (int e = 0; e < size(); ++e) {
      Multipliers x;
      Square A;
      for (int a = 0; a < m; ++a) x[a] = lambda[row(e) + a];
      at(e).constraint_third(t, of(e, q), x, of(e, v), A);
      scatter(e, this->constraint_places, A, C);
    }
  }
  void constraint_size(const T& t, const Vec<T>& q, Vec<T>& size_of_terms) override {
    for (int e = 0; e < size(); ++e) {
      Multipliers x;
      at(e).constraint_size(t, of(e, q), x);
      store(e, x, size_of_terms);
    }
  }

 private:
  const System& at(int e) const { return elements_[static_cast<std::size_t>(e)]; }
  const int* indices_of(int e) const { return this->indices.data() + static_cast<std::size_t>(e * n); }
  int row(int e) const { return this->rows[static_cast<std::size_t>(e)]; }

  template <int width = 1>
  Coordinates of(int e, const Vec<T>& all) const {
    const int* const index = indices_of(e);
    Coordinates x;
    for (int j = 0; j + width <= n; j += width)
      for (int c = 0; c < width; ++c) x[j + c] = all[index[j] + c];
    return x;
  }
  void scatter(int e, const Coordinates& x, Vec<T>& to) const {
    const int* const index = indices_of(e);
    for (int j = 0; j < n; ++j) to[index[j]] += x[j];
  }
  void scatter(int e, const std::vector<int>& table, const Square& A, T* to) const {
    const int* const place = table.data() + static_cast<std::size_t>(e * n * n);
    for (int k = 0; k < n * n; ++k) to[place[k]] += A.data()[k];
  }
  void store(int e, const Multipliers& x, Vec<T>& to) const {
    for (int a = 0; a < m; ++a) to[row(e) + a] = x[a];
  }
  void store(int e, const Jacobian& A, T* to) const {
    const int start = this->row_starts[static_cast<std::size_t>(e)];
    for (int k = 0; k < m * n; ++k) to[start + k] = A.data()[k];
  }

  std::vector<System> elements_;
};

template <class Scalar_>
class ElementSystem {
 public:
  using T = Scalar_;
  using Scalar = T;
  static constexpr int n = Dynamic, m = Dynamic;
  using Coordinates = Vec<T>;
  using Multipliers = Vec<T>;
  using Square = SparseMat<T>;
  using Jacobian = SparseMat<T>;

  explicit ElementSystem(int coordinates, LinearChoice<T> linear = {}) : n_(coordinates), linear_(linear) {}

  // Constraints are numbered as they are added.
  template <class Element>
  void add(const Element& element, std::span<const int> indices) {
    if constexpr (stated::element<Element>) add_stated(element, indices);
  }
  template <class Element>
  void add(const Element& element, std::initializer_list<int> indices) {
    add(element, std::span(indices.begin(), indices.size()));
  }
  // A group with its indices and, where it has constraints, the first row of each element.
  void add(std::unique_ptr<ElementGroup<T>> group) {
    refuse_if(finished_, "add: the system is finished; add all elements before");
    m_ += group->size() * group->constraints();
    groups_.push_back(std::move(group));
  }

  // To be called once, after the last `add`. Throws std::invalid_argument where a coordinate of structs has no mass
  // because no Lagrangian knows it.
  void finish() {
    refuse_if(finished_, "finish: the system is finished already");
    finished_ = true;
    for (const auto& group : groups_) {
      check_indices(*group);
      group->index_width = common_width(group->indices, group->coordinates());
    }
    check_masses();
    find_structure();
    find_jacobian();
    const auto moves = [](const ElementGroup<T>& g) { return g.has_lagrangian() || g.structure().forces; };
    const auto binds = [](const ElementGroup<T>& g) { return g.constraints() > 0; };
    uniform_ = !structure_.time_in_lagrangian && structure_.potential_degree.value_or(2) <= 1;
    square_ = find_square(moves, &ElementGroup<T>::places);
    constraint_square_ = find_square(binds, &ElementGroup<T>::constraint_places);
  }

  int coordinates() const { return n_; }
  int constraints() const { return m_; }
  const Structure& structure() const { return structure_; }
  // Of the whole, where more is known about it than about its elements.
  void set_structure(const Structure& structure) { structure_ = structure; }
  const LinearChoice<T>& linear() const { return linear_; }
  void set_linear(const LinearChoice<T>& choice) { linear_ = choice; }

  Jacobian jacobian() const { return Jacobian(found(jacobian_)); }
  Square square() const { return Square(found(square_)); }                        // of L and F
  Square constraint_square() const { return Square(found(constraint_square_)); }  // of constraint_hessian

  T lagrangian(const T& t, const Vec<T>& q, const Vec<T>& v) const {
    T L(0);
    for (const auto& g : groups_)
      if (g->has_lagrangian()) g->add_lagrangian(t, q, v, L);
    return L;
  }
  T lagrangian_rate(const T& t, const Vec<T>& q, const Vec<T>& v) const {
    T Lt(0);
    for (const auto& g : groups_)
      if (g->structure().time_in_lagrangian) g->add_lagrangian_rate(t, q, v, Lt);
    return Lt;
  }
  void gradient(const T& t, const Vec<T>& q, const Vec<T>& v, Vec<T>& Lq, Vec<T>& Lv) const {
    Lq.fill(T(0)), Lv.fill(T(0));
    for (const auto& g : groups_)
      if (g->has_lagrangian()) g->add_gradient(t, q, v, Lq, Lv);
  }
  void hessian(const T& t, const Vec<T>& q, const Vec<T>& v, Square& Lqq, Square& Lqv, Square& Lvv) const {
    Lqq.fill(T(0)), Lqv.fill(T(0)), Lvv.fill(T(0));
    for (const auto& g : groups_)
      if (g->has_lagrangian()) g->add_hessian(t, q, v, Lqq.values(), Lqv.values(), Lvv.values());
  }
  void mass(const T& t, const Vec<T>& q, const Vec<T>& v, Square& Lvv) const {
    Lvv.fill(T(0));
    for (const auto& g : groups_)
      if (g->has_lagrangian()) g->add_mass(t, q, v, Lvv.values());
  }
  void momentum_rate(const T& t, const Vec<T>& q, const Vec<T>& v, Vec<T>& Lvt) const {
    Lvt.fill(T(0));
    for (const auto& g : groups_)
      if (g->structure().time_in_lagrangian) g->add_momentum_rate(t, q, v, Lvt);
  }
  // Where V is linear in q, as under gravity alone, its gradient is computed once.
  void potential_gradient(const T& t, const Vec<T>& q, Vec<T>& Vq) const {
    if (uniform_) {
      if (uniform_gradient_.size() != n_) sum_potential_gradient(t, q, uniform_gradient_ = Vec<T>(n_));
      for (int i = 0; i < n_; ++i) Vq[i] = uniform_gradient_[i];
    } else {
      sum_potential_gradient(t, q, Vq);
    }
  }
  void force(const T& t, const Vec<T>& q, const Vec<T>& v, Vec<T>& F) const {
    F.fill(T(0));
    for (const auto& g : groups_)
      if (g->structure().forces) g->add_force(t, q, v, F);
  }
  void force_velocity_jacobian(const T& t, const Vec<T>& q, const Vec<T>& v, Square& Fv) const {
    Fv.fill(T(0));
    for (const auto& g : groups_)
      if (g->structure().velocity_in_forces) g->add_force_velocity_jacobian(t, q, v, Fv.values());
  }
  void force_position_jacobian(const T& t, const Vec<T>& q, const Vec<T>& v, Square& Fq) const {
    Fq.fill(T(0));
    for (const auto& g : groups_)
      if (g->structure().forces) g->add_force_position_jacobian(t, q, v, Fq.values());
  }
  void constraint(const T& t, const Vec<T>& q, Vec<T>& g) const {
    for (const auto& group : groups_)
      if (group->constraints() > 0) group->constraint(t, q, g);
  }
  void constraint_jacobian(const T& t, const Vec<T>& q, Vec<T>& g, Jacobian& G) const {
    for (const auto& group : groups_)
      if (group->constraints() > 0) group->constraint_jacobian(t, q, g, G.values());
  }
  // g and G v, for those who do not need G.
  void constraint_along(const T& t, const Vec<T>& q, const Vec<T>& v, Vec<T>& g, Vec<T>& Gv) const {
    for (const auto& group : groups_)
      if (group->constraints() > 0) group->constraint_along(t, q, v, g, Gv);
  }
  void constraint_jacobian_along(const T& t, const Vec<T>& q, const Vec<T>& v, Jacobian& Gv) const {
    for (const auto& group : groups_)
      if (group->constraints() > 0) group->constraint_jacobian_along(t, q, v, Gv.values());
  }
  void constraint_rate(const T& t, const Vec<T>& q, Vec<T>& gt) const {
    if (structure_.time_in_constraints) {
      for (const auto& group : groups_)
        if (group->constraints() > 0) group->constraint_rate(t, q, gt);
    } else {
      gt.fill(T(0));
    }
  }
  void constraint_curvature(const T& t, const Vec<T>& q, const Vec<T>& v, Vec<T>& second) const {
    for (const auto& group : groups_)
      if (group->constraints() > 0) group->constraint_curvature(t, q, v, second);
  }
  void constraint_hessian(const T& t, const Vec<T>& q, const Vec<T>& lambda, Square& H) const {
    H.fill(T(0));
    for (const auto& group : groups_)
      if (group->constraints() > 0) group->add_constraint_hessian(t, q, lambda, H.values());
  }
  void constraint_third(const T& t, const Vec<T>& q, const Vec<T>& lambda, const Vec<T>& v, Square& C) const {
    C.fill(T(0));
    for (const auto& group : groups_)
      if (group->constraints() > 0) group->add_constraint_third(t, q, lambda, v, C.values());
  }
  void constraint_size(const T& t, const Vec<T>& q, Vec<T>& size) const {
    for (const auto& group : groups_)
      if (group->constraints() > 0) group->constraint_size(t, q, size);
    for (std::size_t a = 0; a < least_sizes_.size(); ++a)
      size[static_cast<int>(a)] = std::max(size[static_cast<int>(a)], least_sizes_[a]);
  }
  // Of each constraint: terms may all be small where something is measured against a length of 1.
  void set_least_sizes(std::vector<T> sizes) { least_sizes_ = std::move(sizes); }

  // Watched by the audit: count values written by `evaluate`.
  using Invariants = std::function<void(const T& t, const Vec<T>& q, const Vec<T>& v, const Vec<T>& p, T* out)>;
  void set_invariants(int count, Invariants evaluate) { invariants_ = count, evaluate_ = std::move(evaluate); }
  int invariants() const { return invariants_; }
  void invariant_values(const T& t, const Vec<T>& q, const Vec<T>& v, const Vec<T>& p, T* out) const {
    if (invariants_ > 0) evaluate_(t, q, v, p, out);
  }

 private:
  template <class Element>
  void add_stated(const Element& element, std::span<const int> indices) {
    using Group = StructElements<T, Element>;
    refuse_if(finished_, "add: the system is finished; add all elements before");
    if (static_cast<int>(indices.size()) != Element::coordinates)
      throw std::invalid_argument("ElementSystem::add: " + std::to_string(indices.size()) +
                                  " indices for an element of " + std::to_string(Element::coordinates) +
                                  " coordinates");
    const auto [entry, is_new] = group_of_type_.try_emplace(std::type_index(typeid(Element)), groups_.size());
    if (is_new) groups_.push_back(std::make_unique<Group>());
    auto& group = static_cast<Group&>(*groups_[entry->second]);
    group.add(element);
    group.rows.push_back(m_);
    group.indices.insert(group.indices.end(), indices.begin(), indices.end());
    m_ += group.constraints();
  }

  static void refuse_if(bool wrong, const char* words) {
    if (wrong) throw std::logic_error(std::string("ElementSystem: ") + words);
  }
  static const std::shared_ptr<const SparsePattern>& found(const std::shared_ptr<const SparsePattern>& pattern) {
    refuse_if(!pattern, "call finish() after the last add()");
    return pattern;
  }
  void sum_potential_gradient(const T& t, const Vec<T>& q, Vec<T>& Vq) const {
    Vq.fill(T(0));
    for (const auto& g : groups_)
      if (g->has_lagrangian() && g->structure().potential_degree.value_or(1) > 0) g->add_potential_gradient(t, q, Vq);
  }

  void check_indices(const ElementGroup<T>& group) const {
    std::vector<int> sorted;
    for (int e = 0; e < group.size(); ++e) {
      const auto first = group.indices.begin() + e * group.coordinates();
      sorted.assign(first, first + group.coordinates());
      std::sort(sorted.begin(), sorted.end());
      for (std::size_t j = 0; j < sorted.size(); ++j)
        if (sorted[j] < 0 || sorted[j] >= n_ || (j > 0 && sorted[j] == sorted[j - 1]))
          throw std::invalid_argument("ElementSystem: index " + std::to_string(sorted[j]) + " of an element is " +
                                      (sorted[j] < 0 || sorted[j] >= n_ ? "outside 0 .. " + std::to_string(n_ - 1)
                                                                        : std::string("stated twice")));
    }
  }

  // A mass may also vanish by its value, which `start` of a method finds. Groups that were added whole come from
  // models, whose words about it are better.
  void check_masses() const {
    if (group_of_type_.empty() && !groups_.empty()) return;
    std::vector<bool> moves(static_cast<std::size_t>(n_), false);
    for (const auto& group : groups_)
      for (std::size_t k = 0; group->has_lagrangian() && k < group->indices.size(); ++k)
        moves[static_cast<std::size_t>(group->indices[k])] = true;
    std::string without;
    int named = 0, others = 0;
    for (int i = 0; i < n_; ++i) {
      if (moves[static_cast<std::size_t>(i)]) continue;
      if (named == 8)
        ++others;
      else
        without += (named++ > 0 ? ", " : "") + std::to_string(i);
    }
    if (named == 0) return;
    if (others > 0) without += " and " + std::to_string(others) + " more";
    throw std::invalid_argument("ElementSystem: no element with a Lagrangian has coordinate " + without +
                                ": it is without mass; add a mass, or leave it out of the system");
  }

  // Lists of `count` indices, one after another.
  static int common_width(const std::vector<int>& indices, int count) {
    const auto has_width = [&](int width) {
      if (count % width != 0) return false;
      for (std::size_t k = 0; k < indices.size(); ++k)
        if (k % static_cast<std::size_t>(width) != 0 && indices[k] != indices[k - 1] + 1) return false;
      return true;
    };
    return has_width(3) ? 3 : has_width(2) ? 2 : 1;
  }

  void find_structure() {
    structure_ = {};
    structure_.constant_mass = structure_.constant_hessian = structure_.separable = true;
    structure_.constraint_degree = structure_.potential_degree = 0;
    const auto raise = [](std::optional<int>& degree, const std::optional<int>& of_element) {
      if (degree) degree = of_element ? std::optional(std::max(*degree, *of_element)) : std::nullopt;
    };
    for (const auto& group : groups_) {
      const Structure s = group->structure();
      if (group->has_lagrangian()) {
        structure_.constant_mass = structure_.constant_mass && s.constant_mass;
        structure_.constant_hessian = structure_.constant_hessian && s.constant_hessian;
        structure_.separable = structure_.separable && s.separable;
        raise(structure_.potential_degree, s.potential_degree);
      }
      if (group->constraints() > 0) raise(structure_.constraint_degree, s.constraint_degree);
      structure_.time_in_lagrangian = structure_.time_in_lagrangian || s.time_in_lagrangian;
      structure_.time_in_constraints = structure_.time_in_constraints || s.time_in_constraints;
      structure_.forces = structure_.forces || s.forces;
      structure_.velocity_in_forces = structure_.velocity_in_forces || s.velocity_in_forces;
    }
    if (!structure_.constant_mass) structure_.potential_degree.reset();
  }

  void find_jacobian() {
    auto pattern = std::make_shared<SparsePattern>();
    pattern->rows = m_, pattern->cols = n_;
    pattern->start.assign(static_cast<std::size_t>(m_) + 1, 0);
    for (const auto& group : groups_)
      for (int e = 0; e < group->size(); ++e)
        for (int a = 0; a < group->constraints(); ++a)
          pattern->start[static_cast<std::size_t>(group->rows[static_cast<std::size_t>(e)] + a) + 1] =
              group->coordinates();
    for (std::size_t a = 0; a < static_cast<std::size_t>(m_); ++a) pattern->start[a + 1] += pattern->start[a];
    pattern->column.resize(static_cast<std::size_t>(pattern->start.back()));
    for (const auto& group : groups_)
      for (int e = 0; e < group->size() && group->constraints() > 0; ++e) {
        int to = pattern->begin(group->rows[static_cast<std::size_t>(e)]);
        group->row_starts.push_back(to);
        for (int a = 0; a < group->constraints(); ++a)
          for (int j = 0; j < group->coordinates(); ++j)
            pattern->column[static_cast<std::size_t>(to++)] =
                group->indices[static_cast<std::size_t>(e * group->coordinates() + j)];
      }
    find_groups(*pattern);
    jacobian_ = std::move(pattern);
  }

  // The union of the elements' squares and the diagonal.
  template <class Takes>
  std::shared_ptr<const SparsePattern> find_square(const Takes& takes, std::vector<int> ElementGroup<T>::*places) {
    const auto for_entries = [](const ElementGroup<T>& g, const auto& f) {
      const int k = g.coordinates();
      for (int e = 0; e < g.size(); ++e)
        for (int i = 0; i < k; ++i)
          for (int j = 0; j < k; ++j)
            f(g.indices[static_cast<std::size_t>(e * k + i)], g.indices[static_cast<std::size_t>(e * k + j)]);
    };
    std::vector<std::pair<int, int>> pairs;
    for (int i = 0; i < n_; ++i) pairs.emplace_back(i, i);
    for (const auto& group : groups_)
      if (takes(*group)) for_entries(*group, [&](int i, int j) { pairs.emplace_back(i, j); });
    auto pattern = std::make_shared<SparsePattern>(make_pattern(n_, n_, std::move(pairs)));
    find_groups(*pattern);
    for (const auto& group : groups_)
      if (takes(*group))
        for_entries(*group, [&](int i, int j) { ((*group).*places).push_back(find_entry(*pattern, i, j)); });
    return pattern;
  }

  int n_, m_ = 0;
  LinearChoice<T> linear_;
  bool finished_ = false;
  Structure structure_;
  std::vector<std::unique_ptr<ElementGroup<T>>> groups_;
  std::unordered_map<std::type_index, std::size_t> group_of_type_;
  std::shared_ptr<const SparsePattern> jacobian_, square_, constraint_square_;
  std::vector<T> least_sizes_;  // empty: none
  int invariants_ = 0;
  Invariants evaluate_;
  bool uniform_ = false;
  mutable Vec<T> uniform_gradient_;
};

}  // namespace livens
