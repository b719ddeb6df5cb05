#include "livens/model/boundary_values.hpp"

#include <fmt/format.h>

namespace livens {

std::string describe_final(const Model& model, const StartFault& fault) {
  using Kind = StartFault::Kind;
  const int number = fault.index + 1;
  switch (fault.kind) {
    case Kind::position:
      return model.at("final.q", fmt::format("constraint {} is {:.1e}, not 0 at the end of the run; correct q or set "
                                             "initial.project = true",
                                             number, fault.value));
    case Kind::no_projection:
      return model.at("initial.project",
                      "no point that satisfies the constraints was found near final.q; give a closer q");
    case Kind::constraint_not_finite:
    case Kind::zero_gradient:
    case Kind::dependent_constraints:
      return model.at("final.q", fmt::format("{} there (constraint {}); correct q", name(fault.kind), number));
    default:
      return model.at("final.q", fmt::format("{} there; correct q", name(fault.kind)));
  }
}

}  // namespace livens
