#include <optional>

#include "livens/model/lagrangian_start.hpp"
#include "livens/sparse/sparse_lu.hpp"
#include "model/least_norm.hpp"
#include "simulation/systems.hpp"
#include "study/references.hpp"

namespace livens {

namespace {

// The system and its start in the reference's own scalar.
template <class T>
class DegenerateReference : public Reference {
 public:
  explicit DegenerateReference(const Model& model)
      : system_(model.system->degenerate()),
        start_(model_start(model, system_).state),
        solution_(system_, start_.t, start_.q) {}
  const SolutionNode* at(const Widest& t) override { return solution_.at(t); }

 private:
  FormulaDegenerate<T> system_;
  StartState<FormulaDegenerate<T>> start_;
  FieldReference<FormulaDegenerate<T>> solution_;
};

template <class T>
class OverdeterminedReference : public Reference {
 public:
  explicit OverdeterminedReference(const Model& model)
      : system_(model.system->odae()), solution_(system_, model_start(model, system_).state) {}
  const SolutionNode* at(const Widest& t) override { return solution_.at(t); }

 private:
  FormulaOdae<T> system_;
  HiddenReference<FormulaOdae<T>> solution_;
};

template <class System>
class FineReference : public Reference {
 public:
  using T = typename System::Scalar;

  FineReference(const Model& given, const IndependentModel& independent, System system)
      : system_(std::move(system)), solution_(system_, consistent_start(independent.model, system_)) {
    if (!independent.left_out.empty()) all_.emplace(given, independent.left_out);
  }
  const SolutionNode* at(const Widest& t) override {
    const SolutionNode* node = solution_.at(t);
    if (!node || !all_) return node;
    complete_ = *node;
    const Vec<T>& lambda = solution_.lambda();
    complete_.lambda = widened(all_->multipliers(static_cast<T>(t), solution_.q(), {lambda.begin(), lambda.end()}));
    return &complete_;
  }

 private:
  System system_;
  IndexOneReference<System> solution_;
  std::optional<LeastNorm<T>> all_;
  SolutionNode complete_;
};

template <class T>
std::unique_ptr<Reference> make_fine(const Model& model) {
  if (model.system->kind() == SystemKind::degenerate) return std::make_unique<DegenerateReference<T>>(model);
  if (model.system->kind() == SystemKind::odae) return std::make_unique<OverdeterminedReference<T>>(model);
  const IndependentModel independent = without_redundant(model);
  const SystemDescription& system = *independent.model.system;
  if (!system.is_large())
    return std::make_unique<FineReference<FormulaLagrangian<T>>>(model, independent, system.dense<T>());
  const bool blocks =
      mass_has_blocks(independent.model, system.elements<double>({LinearTarget::schur, make_sparse_lu<double>}));
  return std::make_unique<FineReference<ElementSystem<T>>>(
      model, independent, system.elements<T>({blocks ? LinearTarget::schur : LinearTarget::lu, make_sparse_lu<T>}));
}

template <class T>
ReferenceChoice fine(const Model& model, const std::string& scalar) {
  const std::string equations =
      model.system->kind() == SystemKind::degenerate ? "equations of motion" : "index-1 equations of motion";
  return {.description = equations + ", extrapolated midpoint rule to round-off, in " + scalar,
          .round_off = to_double(epsilon<T>()),
          .make = [&model] { return make_fine<T>(model); }};
}

}  // namespace

ReferenceChoice fine_reference(const Model& model) {
  if (model.run.precision == Precision::double_ || !LIVENS_QUAD) return fine<long double>(model, "extended precision");
  return fine<Widest>(model, "quad precision");
}

}  // namespace livens
