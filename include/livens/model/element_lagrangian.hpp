// A Lagrangian system of formulas as a sparse system of elements: formulas split by themselves (element_formulas.hpp),
// each shape one group whose programs run for eight elements at a time. What is computed for an element does not depend
// on those it is computed with.
#pragma once

#include <algorithm>
#include <memory>
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
    this->indices = shape.indices;
    this->rows = shape.rows;
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
      batch.store(0, m_, this->rows, g.data());
      batch.store(m_, m_ * n_, this->row_starts, G);
    });
  }
  void constraint_jacobian_along(const T& t, const Vec<T>& q, const Vec<T>& v, T* Gv) override {
    run(F::constraint_along, {t, &q, &v}, [&](const auto& batch) { batch.store(0, m_ * n_, this->row_starts, Gv); });
  }
  void constraint_rate(const T& t, const Vec<T>& q, Vec<T>& gt) override { store(F::constraint_rate, {t, &q}, gt); }
  void constraint_curvature(const T& t, const Vec<T>& q, const Vec<T>& v, Vec<T>& second) override {
    store(F::constraint_curvature, {t, &q, &v}, second);
  }
  void add_constraint_hessian(const T& t, const Vec<T>& q, const Vec<T>& lambda, T* H) override {
    run(F::constraint_hessian, {t, &q, nullptr, &lambda},
        [&](const auto& batch) { scatter(batch, 0, this->constraint_places, H); });
  }
  void constraint_size(const T& t, const Vec<T>& q, Vec<T>& size_of_terms) override {
    FormulaLagrangian<T> one(local_);
    Vec<T> q_e(n_), size_e(m_);
    for (int e = 0; e < size_; ++e) {
      for (int j = 0; j < n_; ++j) q_e[j] = q[index(e)[j]];
      one.use_constants(values_.data() + e * constants_);
      one.constraint_size(t, q_e, size_e);
      for (int a = 0; a < m_; ++a) size_of_terms[row(e) + a] = size_e[a];
    }
  }

 private:
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

  // The outputs of elements first, first + 1, ... in successive lanes.
  template <int lanes>
  struct Outputs {
    int first, count;
    typename Programs<F, formula::Batch<T, lanes>>::Outputs outputs;

    const T& operator()(int k, int lane) const { return outputs[k].lane[lane]; }

    // Outputs k, k + 1, ... of element e to to[offsets[e]], to[offsets[e] + 1], ... Lanes that repeat the last element
    // write what it writes.
    void store(int k, int outputs_each, const std::vector<int>& offsets, T* to) const {
      T* place[lanes];
      for (int l = 0; l < lanes; ++l) place[l] = to + offsets[static_cast<std::size_t>(first + std::min(l, count - 1))];
      for (int i = 0; i < outputs_each; ++i) {
        const formula::Batch<T, lanes>& value = outputs[k + i];
        for (int l = 0; l < lanes; ++l) place[l][i] = value.lane[l];
      }
    }
  };

  // take(batch) for one batch of elements after another.
  template <class Take>
  void run(int part, const Arguments& x, const Take& take) {
    constexpr int few = 3;  // fewer are not worth a run of all lanes
    int e = 0;
    for (; size_ - e >= few; e += many) run(together_, part, x, e, std::min(many, size_ - e), take);
    for (; e < size_; ++e) run(alone_, part, x, e, 1, take);
  }

  // Lanes beyond the last element repeat it.
  template <int lanes, class Take>
  void run(Runner<lanes>& runner, int part, const Arguments& x, int first, int count, const Take& take) {
    using B = formula::Batch<T, lanes>;
    const auto gather = [&](std::vector<B>& to, const T* from, const auto& place_of_element) {
      const int* place[lanes];
      for (int l = 0; l < lanes; ++l) place[l] = place_of_element(first + std::min(l, count - 1));
      const int values = static_cast<int>(to.size());
      B* const value = to.data();
      for (int k = 0; k < values; ++k)
        for (int l = 0; l < lanes; ++l) value[k].lane[l] = from[place[l][k]];
    };
    const auto index_of = [this](int e) { return index(e); };
    runner.t = B(x.t);
    gather(runner.q, x.q->data(), index_of);
    if (x.v) gather(runner.v, x.v->data(), index_of);
    for (int l = 0; l < lanes; ++l) {
      const int e = first + std::min(l, count - 1);
      if (x.lambda)
        for (int a = 0; a < m_; ++a) runner.lambda[static_cast<std::size_t>(a)].lane[l] = (*x.lambda)[row(e) + a];
      for (int k = 0; k < constants_; ++k)
        runner.constants[static_cast<std::size_t>(k)].lane[l] = values_[static_cast<std::size_t>(e * constants_ + k)];
    }
    const B* const blocks[F::blocks] = {&runner.t, runner.q.data(),      runner.v.data(),
                                        nullptr,   runner.lambda.data(), runner.constants.data()};
    take(Outputs<lanes>{first, count, runner.programs.run(part, blocks)});
  }

  const int* index(int e) const { return this->indices.data() + static_cast<std::size_t>(e * n_); }
  int row(int e) const { return this->rows[static_cast<std::size_t>(e)]; }

  void store(int part, const Arguments& x, Vec<T>& to) {
    run(part, x, [&](const auto& batch) { batch.store(0, m_, this->rows, to.data()); });
  }
  // Sums go from one element to the next, whatever the batches are.
  template <class Batch>
  void scatter(const Batch& batch, int k, Vec<T>& to) const {
    for (int l = 0; l < batch.count; ++l)
      for (int j = 0; j < n_; ++j) to[index(batch.first + l)[j]] += batch(k + j, l);
  }
  template <class Batch>
  void scatter(const Batch& batch, int k, const std::vector<int>& table, T* to) const {
    const int square = n_ * n_;
    for (int l = 0; l < batch.count; ++l) {
      const int* const place = table.data() + static_cast<std::size_t>((batch.first + l) * square);
      for (int i = 0; i < square; ++i) to[place[i]] += batch(k + i, l);
    }
  }

  ElementShape::Kind kind_;
  int size_, n_, m_, constants_;
  std::shared_ptr<const F> local_;
  std::vector<T> values_;  // constants of one element after another
  static constexpr int many = 8;
  Runner<many> together_;
  Runner<1> alone_;
};

// One such object serves one thread.
template <class T>
ElementSystem<T> element_lagrangian(const std::shared_ptr<const LagrangianFormulas>& formulas, LinearChoice<T> linear) {
  const ElementFormulas parts = split(*formulas);
  ElementSystem<T> system(parts.coordinates, linear);
  for (const ElementShape& shape : parts.shapes) system.add(std::make_unique<FormulaElements<T>>(shape));
  system.finish();
  system.set_structure(parts.structure);
  const auto whole = std::make_shared<FormulaLagrangian<T>>(formulas);
  system.set_invariants(whole->invariants(), [whole](const T& t, const Vec<T>& q, const Vec<T>& v, const Vec<T>& p,
                                                     T* out) { whole->invariant_values(t, q, v, p, out); });
  return system;
}

}  // namespace livens
