#include <optional>

#include "livens/model/redundant.hpp"
#include "livens/system/kinetics.hpp"
#include "model/least_norm.hpp"
#include "simulation/systems.hpp"
#include "study/references.hpp"

namespace livens {

namespace {

// The formulas of [exact] at one time after another: q, q' and, where it is given, p.
class ExactFormulas {
 public:
  explicit ExactFormulas(const Model& model)
      : formulas_(model.exact.program),
        blocks_(static_cast<std::size_t>(model.exact.time_block) + 1, nullptr),
        momentum_given_(model.exact.momentum_given),
        values_(formulas_.program().outputs.size()) {}

  bool momentum_given() const { return momentum_given_; }

  // p keeps what it has where the model gives none.
  void at(const Widest& t, Vec<Widest>& q, Vec<Widest>& v, Vec<Widest>& p) {
    blocks_.back() = &t;
    formulas_(blocks_.data(), values_.data());
    const Widest* x = values_.data();
    for (Widest& qi : q) qi = *x++;
    for (Widest& vi : v) vi = *x++;
    if (momentum_given_)
      for (Widest& pi : p) pi = *x++;
  }

 private:
  formula::Evaluator<Widest> formulas_;
  std::vector<const Widest*> blocks_;
  bool momentum_given_;
  std::vector<Widest> values_;
};

// v = dq/dt, and from it what is not given: p = L_v and lambda.
class ExactReference : public Reference {
 public:
  ExactReference(const Model& model, const IndependentModel& independent)
      : system_(independent.model.system->dense<Widest>()),
        kinetics_(system_),
        formulas_(model),
        q_(system_.coordinates()),
        v_(q_),
        p_(q_),
        Lq_(q_),
        lambda_(system_.constraints()) {
    if (!independent.left_out.empty()) all_.emplace(model, independent.left_out);
  }

  const SolutionNode* at(const Widest& t) override {
    formulas_.at(t, q_, v_, p_);
    if (!formulas_.momentum_given()) system_.gradient(t, q_, v_, Lq_, p_);
    if (!started_ && !kinetics_.start(t, q_, v_)) return nullptr;
    started_ = true;
    if (!is_finite(size_of(q_)) || !is_finite(size_of(p_)) || !succeeded(kinetics_.multiplier(t, q_, v_, lambda_)))
      return nullptr;
    const std::span<const Widest> lambda(lambda_.begin(), lambda_.end());
    node_ = {widened(q_), widened(p_), widened(all_ ? all_->multipliers(t, q_, lambda) : lambda_)};
    return &node_;
  }

 private:
  using System = FormulaLagrangian<Widest>;
  System system_;
  Kinetics<System> kinetics_;
  ExactFormulas formulas_;
  bool started_ = false;
  System::Coordinates q_, v_, p_, Lq_;
  System::Multipliers lambda_;
  std::optional<LeastNorm<Widest>> all_;
  SolutionNode node_;
};

// What is not given: p = theta(q).
class ExactDegenerate : public Reference {
 public:
  explicit ExactDegenerate(const Model& model)
      : system_(model.system->degenerate()), formulas_(model), q_(system_.coordinates()), v_(q_), p_(q_) {}

  const SolutionNode* at(const Widest& t) override {
    formulas_.at(t, q_, v_, p_);
    if (!formulas_.momentum_given()) system_.theta(q_, p_);
    if (!is_finite(size_of(q_)) || !is_finite(size_of(p_))) return nullptr;
    node_ = {widened(q_), widened(p_), {}};
    return &node_;
  }

 private:
  FormulaDegenerate<Widest> system_;
  ExactFormulas formulas_;
  Vec<Widest> q_, v_, p_;
  SolutionNode node_;
};

// q and p are y and z; psi from the hidden equation, the root that continues that of the start.
class ExactOverdetermined : public Reference {
 public:
  explicit ExactOverdetermined(const Model& model)
      : system_(model.system->odae()),
        hidden_(system_),
        formulas_(model),
        y_(system_.positions()),
        v_(y_),
        z_(system_.velocities()),
        psi_(model_start(model, system_).state.hint) {}

  const SolutionNode* at(const Widest& t) override {
    formulas_.at(t, y_, v_, z_);
    if (!is_finite(size_of(y_)) || !is_finite(size_of(z_)) || !succeeded(hidden_.solve(t, y_, z_, psi_)))
      return nullptr;
    node_ = {widened(y_), widened(z_), widened(psi_)};
    return &node_;
  }

 private:
  using System = FormulaOdae<Widest>;
  System system_;
  HiddenEquation<System> hidden_;
  ExactFormulas formulas_;
  Vec<Widest> y_, v_, z_;
  System::Multipliers psi_;
  SolutionNode node_;
};

std::unique_ptr<Reference> make_exact(const Model& model) {
  if (model.system->kind() == SystemKind::odae) return std::make_unique<ExactOverdetermined>(model);
  if (model.system->kind() == SystemKind::degenerate) return std::make_unique<ExactDegenerate>(model);
  return std::make_unique<ExactReference>(model, without_redundant(model));
}

}  // namespace

ReferenceChoice exact_reference(const Model& model) {
  if (!model.exact.program)
    throw InputError(model.at("exact",
                              "the model has no exact solution; add [exact] with q = [...] as formulas in t, or use "
                              "--reference fine"));
  if (model.system->kind() == SystemKind::odae && !model.exact.momentum_given)
    throw InputError(model.at("exact",
                              "p is missing: of kind \"odae\" q and p are y and z; add p = [...], or use "
                              "--reference fine"));
  return {.description = "the formulas of [exact]", .round_off = to_double(epsilon<Widest>()), .make = [&model] {
            return make_exact(model);
          }};
}

}  // namespace livens
