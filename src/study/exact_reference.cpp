#include <optional>

#include "livens/model/redundant.hpp"
#include "livens/system/kinetics.hpp"
#include "simulation/least_norm.hpp"
#include "study/references.hpp"

namespace livens {

namespace {

// q and p from the formulas of [exact]; v = dq/dt, and from it what is not given: p = L_v and lambda.
class ExactReference : public Reference {
 public:
  ExactReference(const Model& model, const IndependentModel& independent)
      : system_(independent.model.system->dense<Widest>()),
        kinetics_(system_),
        formulas_(model.exact.program),
        blocks_(static_cast<std::size_t>(model.exact.time_block) + 1, nullptr),
        momentum_given_(model.exact.momentum_given),
        values_(formulas_.program().outputs.size()),
        q_(system_.coordinates()),
        v_(q_),
        p_(q_),
        Lq_(q_),
        lambda_(system_.constraints()) {
    if (!independent.left_out.empty()) all_.emplace(model, independent.left_out);
  }

  const SolutionNode* at(const Widest& t) override {
    blocks_.back() = &t;
    formulas_(blocks_.data(), values_.data());
    const Widest* x = values_.data();
    for (Widest& qi : q_) qi = *x++;
    for (Widest& vi : v_) vi = *x++;
    system_.gradient(t, q_, v_, Lq_, p_);
    if (momentum_given_)
      for (Widest& pi : p_) pi = *x++;
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
  formula::Evaluator<Widest> formulas_;
  std::vector<const Widest*> blocks_;
  bool momentum_given_, started_ = false;
  std::vector<Widest> values_;
  System::Coordinates q_, v_, p_, Lq_;
  System::Multipliers lambda_;
  std::optional<LeastNorm<Widest>> all_;
  SolutionNode node_;
};

}  // namespace

ReferenceChoice exact_reference(const Model& model) {
  if (!model.exact.program)
    throw InputError(model.at("exact",
                              "the model has no exact solution; add [exact] with q = [...] as formulas in t, or use "
                              "--reference fine"));
  return {.description = "the formulas of [exact]", .round_off = to_double(epsilon<Widest>()), .make = [&model] {
            return std::make_unique<ExactReference>(model, without_redundant(model));
          }};
}

}  // namespace livens
