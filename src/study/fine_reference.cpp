#include "livens/model/lagrangian_start.hpp"
#include "study/references.hpp"

namespace livens {

namespace {

// The system and its start in the reference's own scalar.
template <class T>
class FineReference : public Reference {
 public:
  explicit FineReference(const Model& model)
      : system_(model.lagrangian), solution_(system_, consistent_start(model, system_)) {}
  const SolutionNode* at(const Widest& t) override { return solution_.at(t); }

 private:
  FormulaLagrangian<T> system_;
  IndexOneReference<FormulaLagrangian<T>> solution_;
};

template <class T>
ReferenceChoice fine(const Model& model, const std::string& scalar) {
  return {.description = "index-1 equations of motion, extrapolated midpoint rule to round-off, in " + scalar,
          .round_off = to_double(epsilon<T>()),
          .make = [&model] { return std::make_unique<FineReference<T>>(model); }};
}

}  // namespace

ReferenceChoice fine_reference(const Model& model) {
  if (model.run.precision == Precision::double_ || !LIVENS_QUAD) return fine<long double>(model, "extended precision");
  return fine<Widest>(model, "quad precision");
}

}  // namespace livens
