#include "livens/method/spark.hpp"

#include "methods/steps_of.hpp"

namespace livens {

namespace {

Spark method(const Options& options) {
  return {.s = static_cast<int>(options.get<long long>("s"))};
}

}  // namespace

MethodEntry spark_entry() {
  return {.name = "spark",
          .summary = "(s,s)-Gauss-Lobatto SPARK",
          .options = {whole_number("s", 2, "", "Gauss stages", 40)},
          .kinds = {SystemKind::lagrangian, SystemKind::odae},
          .order = "2s",
          .symplectic = true,
          .symmetric = true,
          .keeps = "constraints, hidden constraints, linear momentum maps",
          .traits = traits_of(method),
          .steps = steps_of(method)};
}

}  // namespace livens
