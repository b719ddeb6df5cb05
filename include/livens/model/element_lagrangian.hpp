// A Lagrangian system of formulas as a sparse system of elements: formulas split by themselves (element_formulas.hpp),
// each shape one group whose programs run for sixteen elements at a time. What is computed for an element does not
// depend on those it is computed with.
//
// Formulas number the coordinates of an element as they meet them, x1, x0, y1, y0, ...; here they stand as in the
// system, x0, y0, ..., x1, y1, ..., so that those of a point follow one another (math/sparse.hpp).
#pragma once

#include <algorithm>
#include <memory>
#include <numeric>
#include <vector>

#include "livens/model/element_formulas.hpp"
#include "livens/system/elements.hpp"

namespace livens {

// The elements of one shape.
template <class T>
class FormulaElements final : public ElementGroup<T> {
 public:
  using F = LagrangianFormulas;

  explicit FormulaElements(const ElementShape& shape)
      : kind_(shape.kind),
        size_(shape.elements),
        n_(shape.coordinates()),
        m_(shape.local->constraints()),
        constants_(shape.constants()),
        local_(shape.local),
        together_(*shape.local, n_, constants_),
        alone_(*shape.local, n_, constants_) {
    this->rows = shape.rows;
    put_in_order(shape.indices);
    for (int a = 0; a < m_; ++a) {
      own_rows_.push_back(a);
      for (const int j : own_) own_entries_.push_back(a * n_ + j);
    }
    values_.reserve(shape.values.size());
    for (const formula::Number& value : shape.values) values_.push_back(static_cast<T>(value));
  }

  int size() const override { return size_; }
  int coordinates() const override { return n_; }
  int constraints() const override { return m_; }
  bool has_lagrangian() const override { return kind_ == ElementShape::Kind::lagrangian; }
  Structure structure() const override { return local_->structure(); }

  void add_lagrangian(const T& t, const Vec<T>& q, const Vec<T>& v, T& L) override {
    run(F::value, {t, &q, &v}, [&](const auto& batch) {
      for (int l = 0; l < batch.count; ++l) L += batch(0, l);
    });
  }
  void add_lagrangian_rate(const T& t, const Vec<T>& q, const Vec<T>& v, T& Lt) override {
    run(F::lagrangian_rate, {t, &q, &v}, [&](const auto& batch) {
      for (int l = 0; l < batch.count; ++l) Lt += batch(0, l);
    });
  }
  void add_gradient(const T& t, const Vec<T>& q, const Vec<T>& v, Vec<T>& Lq, Vec<T>& Lv) override {
    run(F::gradient, {t, &q, &v}, [&](const auto& batch) { scatter(batch, 0, Lq), scatter(batch, n_, Lv); });
  }
  void add_hessian(const T& t, const Vec<T>& q, const Vec<T>& v, T* Lqq, T* Lqv, T* Lvv) override {
    const int square = n_ * n_;
    run(F::hessian, {t, &q, &v}, [&](const auto& batch) {
      scatter(batch, 0, this->places, Lqq);
      scatter(batch, square, this->places, Lqv);
      scatter(batch, 2 * square, this->places, Lvv);
    });
  }
  void add_mass(const T& t, const Vec<T>& q, const Vec<T>& v, T* Lvv) override {
    run(F::mass, {t, &q, &v}, [&](const auto& batch) { scatter(batch, 0, this->places, Lvv); });
  }
  void add_momentum_rate(const T& t, const Vec<T>& q, const Vec<T>& v, Vec<T>& Lvt) override {
    run(F::momentum_rate, {t, &q, &v}, [&](const auto& batch) { scatter(batch, 0, Lvt); });
  }
  void add_potential_gradient(const T& t, const Vec<T>& q, Vec<T>& Vq) override {
    run(F::potential_gradient, {t, &q}, [&](const auto& batch) { scatter(batch, 0, Vq); });
  }
  void add_force(const T& t, const Vec<T>& q, const Vec<T>& v, Vec<T>& force) override {
    run(F::force, {t, &q, &v}, [&](const auto& batch) { scatter(batch, 0, force); });
  }
  void add_force_velocity_jacobian(const T& t, const Vec<T>& q, const Vec<T>& v, T* Fv) override {
    run(F::force_velocity, {t, &q, &v}, [&](const auto& batch) { scatter(batch, 0, this->places, Fv); });
  }
  void add_force_position_jacobian(const T& t, const Vec<T>& q, const Vec<T>& v, T* Fq) override {
    run(F::force_position, {t, &q, &v}, [&](const auto& batch) { scatter(batch, 0, this->places, Fq); });
  }
  void constraint(const T& t, const Vec<T>& q, Vec<T>& g) override { store(F::constraint, {t, &q}, g); }
  void constraint_jacobian(const T& t, const Vec<T>& q, Vec<T>& g, T* G) override {
    run(F::constraint_jacobian, {t, &q}, [&](const auto& batch) {
      batch.store(0, own_rows_, this->rows, g.data());
      batch.store(m_, own_entries_, this->row_starts, G);
    });
  }
  void constraint_along(const T& t, const Vec<T>& q, const Vec<T>& v, Vec<T>& g, Vec<T>& Gv) override {
    run(F::constraint_jacobian, {t, &q, &v}, [&](const auto& batch) {
      batch.store(0, own_rows_, this->rows, g.data());
      for (int a = 0; a < m_; ++a) batch.store_product(m_ + a * n_, n_, this->rows, Gv.data() + a);
    });
  }
  void constraint_jacobian_along(const T& t, const Vec<T>& q, const Vec<T>& v, T* Gv) override {
    run(F::constraint_along, {t, &q, &v},
        [&](const auto& batch) { batch.store(0, own_entries_, this->row_starts, Gv); });
  }
  void constraint_rate(const T& t, const Vec<T>& q, Vec<T>& gt) override { store(F::constraint_rate, {t, &q}, gt); }
  void constraint_curvature(const T& t, const Vec<T>& q, const Vec<T>& v, Vec<T>& second) override {
    store(F::constraint_curvature, {t, &q, &v}, second);
  }
  void add_constraint_hessian(const T& t, const Vec<T>& q, const Vec<T>& lambda, T* H) override {
    run(F::constraint_hessian, {t, &q, nullptr, &lambda},
        [&](const auto& batch) { scatter(batch, 0, this->constraint_places, H); });
  }
  void add_constraint_third(const T& t, const Vec<T>& q, const Vec<T>& lambda, const Vec<T>& v, T* C) override {
    run(F::constraint_third, {t, &q, &v, &lambda},
        [&](const auto& batch) { scatter(batch, 0, this->constraint_places, C); });
  }
  void constraint_size(const T& t, const Vec<T>& q, Vec<T>& size_of_terms) override {
    FormulaLagrangian<T> one(local_);
    Vec<T> q_e(n_), size_e(m_);
    for (int e = 0; e < size_; ++e) {
      for (int j = 0; j < n_; ++j) q_e[own(j)] = q[index(e)[j]];
      one.use_constants(values_.data() + e * constants_);
      one.constraint_size(t, q_e, size_e);
      for (int a = 0; a < m_; ++a) size_of_terms[row(e) + a] = size_e[a];
    }
  }

 private:
  // f(lane, element) for all lanes; those beyond the last element repeat it.
  template <int lanes, class Function>
  static void for_lanes(int first, int count, const Function& f) {
    if (count == lanes)
      for (int l = 0; l < lanes; ++l) f(l, first + l);
    else
      for (int l = 0; l < lanes; ++l) f(l, first + std::min(l, count - 1));
  }

  struct Arguments {
    const T& t;
    const Vec<T>* q;
    const Vec<T>* v = nullptr;
    const Vec<T>* lambda = nullptr;
  };

  // Programs for so many elements at once, and what they read.
  template <int lanes>
  struct Runner {
    using B = formula::Batch<T, lanes>;
    Programs<F, B> programs;
    B t;
    std::vector<B> q, v, lambda, constants;

    Runner(const F& formulas, int n, int count)
        : programs(formulas),
          q(static_cast<std::size_t>(n)),
          v(q),
          lambda(static_cast<std::size_t>(formulas.constraints())),
          constants(static_cast<std::size_t>(count)) {}
  };

  // The outputs of elements first, first + 1, ... in successive lanes; those beyond the last element repeat it.
  template <int lanes>
  struct Outputs {
    int first, count;
    typename Programs<F, formula::Batch<T, lanes>>::Outputs outputs;
    const formula::Batch<T, lanes>* v;  // in the order of the formulas

    const T& operator()(int k, int lane) const { return outputs[k].lane[lane]; }

    // Outputs k + which[0], k + which[1], ... of element e to to[offsets[e]], to[offsets[e] + 1], ... Lanes that repeat
    // the last element write what it writes.
    void store(int k, const std::vector<int>& which, const std::vector<int>& offsets, T* to) const {
      T* place[lanes];
      for_lanes<lanes>(first, count, [&](int l, int e) { place[l] = to + offsets[static_cast<std::size_t>(e)]; });
      for (std::size_t i = 0; i < which.size(); ++i) {
        const formula::Batch<T, lanes>& value = outputs[k + which[i]];
        for (int l = 0; l < lanes; ++l) place[l][i] = value.lane[l];
      }
    }
    // sum_j x_j v_j of the n outputs x from k on, to to[offsets[e]].
    void store_product(int k, int n, const std::vector<int>& offsets, T* to) const {
      T sum[lanes] = {};
      for (int j = 0; j < n; ++j) {
        const formula::Batch<T, lanes>&x = outputs[k + j], &y = v[j];
        for (int l = 0; l < lanes; ++l) sum[l] += x.lane[l] * y.lane[l];
      }
      for_lanes<lanes>(first, count, [&](int l, int e) { to[offsets[static_cast<std::size_t>(e)]] = sum[l]; });
    }
  };

  // take(batch) for one batch of elements after another.
  template <class Take>
  void run(int part, const Arguments& x, const Take& take) {
    constexpr int few = 4;  // fewer are not worth a run of all lanes
    int e = 0;
    for (; size_ - e >= few; e += many) run(together_, part, x, e, std::min(many, size_ - e), take);
    for (; e < size_; ++e) run(alone_, part, x, e, 1, take);
  }

  template <int width, int lanes>
  void gather(const int* const (&place)[lanes], const T* from, formula::Batch<T, lanes>* to) const {
    for (int j = 0; j < n_; j += width)
      for (int l = 0; l < lanes; ++l) {
        const T* const point = from + place[l][j];
        detail::unrolled<width>([&](int c) { to[own(j + c)].lane[l] = point[c]; });
      }
  }

  template <int lanes, class Take>
  void run(Runner<lanes>& runner, int part, const Arguments& x, int first, int count, const Take& take) {
    using B = formula::Batch<T, lanes>;
    const int* place[lanes];
    for_lanes<lanes>(first, count, [&](int l, int e) { place[l] = index(e); });
    runner.t = B(x.t);
    with_width(this->index_width, [&](auto width) {
      gather<width>(place, x.q->data(), runner.q.data());
      if (x.v) gather<width>(place, x.v->data(), runner.v.data());
    });
    if (x.lambda)
      for_lanes<lanes>(first, count, [&](int l, int e) {
        for (int a = 0; a < m_; ++a) runner.lambda[static_cast<std::size_t>(a)].lane[l] = (*x.lambda)[row(e) + a];
      });
    if (constants_ > 0)
      for_lanes<lanes>(first, count, [&](int l, int e) {
        for (int k = 0; k < constants_; ++k)
          runner.constants[static_cast<std::size_t>(k)].lane[l] = values_[static_cast<std::size_t>(e * constants_ + k)];
      });
    const B* const blocks[F::blocks] = {&runner.t, runner.q.data(),      runner.v.data(),
                                        nullptr,   runner.lambda.data(), runner.constants.data()};
    take(Outputs<lanes>{first, count, runner.programs.run(part, blocks), runner.v.data()});
  }

  // Coordinates of every element in ascending order, if one order of those of the formulas does that.
  void put_in_order(const std::vector<int>& as_met) {
    own_.resize(static_cast<std::size_t>(n_));
    std::iota(own_.begin(), own_.end(), 0);
    this->indices = as_met;
    if (size_ == 0) return;
    std::sort(own_.begin(), own_.end(),
              [&](int i, int j) { return as_met[static_cast<std::size_t>(i)] < as_met[static_cast<std::size_t>(j)]; });
    for (int e = 0; e < size_; ++e) {
      int* const sorted = this->indices.data() + e * n_;
      for (int j = 0; j < n_; ++j) sorted[j] = as_met[static_cast<std::size_t>(e * n_ + own(j))];
      if (!std::is_sorted(sorted, sorted + n_)) {
        std::iota(own_.begin(), own_.end(), 0);
        this->indices = as_met;
        return;
      }
    }
  }
  int own(int j) const { return own_[static_cast<std::size_t>(j)]; }

  const int* index(int e) const { return this->indices.data() + static_cast<std::size_t>(e * n_); }
  int row(int e) const { return this->rows[static_cast<std::size_t>(e)]; }

  void store(int part, const Arguments& x, Vec<T>& to) {
    run(part, x, [&](const auto& batch) { batch.store(0, own_rows_, this->rows, to.data()); });
  }
  // Sums go from one element to the next, whatever the batches are.
  template <class Batch>
  void scatter(const Batch& batch, int k, Vec<T>& to) const {
    for (int l = 0; l < batch.count; ++l)
      for (int j = 0; j < n_; ++j) to[index(batch.first + l)[j]] += batch(k + own(j), l);
  }
  template <class Batch>
  void scatter(const Batch& batch, int k, const std::vector<int>& table, T* to) const {
    for (int l = 0; l < batch.count; ++l) {
      const int* place = table.data() + static_cast<std::size_t>((batch.first + l) * n_ * n_);
      for (int i = 0; i < n_; ++i)
        for (int j = 0; j < n_; ++j) to[*place++] += batch(k + own(i) * n_ + own(j), l);
    }
  }

  ElementShape::Kind kind_;
  int size_, n_, m_, constants_;
  std::vector<int> own_;                     // the number that the formulas give to every coordinate
  std::vector<int> own_rows_, own_entries_;  // likewise constraints, and their derivatives by rows
  std::shared_ptr<const F> local_;
  std::vector<T> values_;  // constants of one element after another
  static constexpr int many = 16;
  Runner<many> together_;
  Runner<1> alone_;
};

extern template class FormulaElements<double>;

// One such object serves one thread.
template <class T>
ElementSystem<T> element_lagrangian(const std::shared_ptr<const LagrangianFormulas>& formulas,
                                    const ElementFormulas& parts, LinearChoice<T> linear) {
  ElementSystem<T> system(parts.coordinates, linear);
  for (const ElementShape& shape : parts.shapes) system.add(std::make_unique<FormulaElements<T>>(shape));
  system.finish();
  system.set_structure(parts.structure);
  const std::vector<formula::Number>& sizes = formulas->formulas().least_sizes;
  std::vector<T> least;
  for (const formula::Number& size : sizes) least.push_back(T(static_cast<RealOf<T>>(size)));
  system.set_least_sizes(std::move(least));
  const auto whole = std::make_shared<FormulaLagrangian<T>>(formulas);
  system.set_invariants(whole->invariants(), [whole](const T& t, const Vec<T>& q, const Vec<T>& v, const Vec<T>& p,
                                                     T* out) { whole->invariant_values(t, q, v, p, out); });
  return system;
}
template <class T>
ElementSystem<T> element_lagrangian(const std::shared_ptr<const LagrangianFormulas>& formulas, LinearChoice<T> linear) {
  return element_lagrangian<T>(formulas, split(*formulas), std::move(linear));
}

}  // namespace livens
