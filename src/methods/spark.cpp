#include "livens/method/spark.hpp"

#include "methods/entries.hpp"
#include "methods/lagrangian_run.hpp"
#include "methods/lagrangian_study.hpp"

namespace livens {

namespace {

Spark method(const Options& options) {
  return {.s = static_cast<int>(options.get<long long>("s"))};
}

}  // namespace

MethodEntry spark_entry() {
  return {.name = "spark",
          .summary = "(s,s)-Gauss-Lobatto SPARK",
          .options = {{.name = "s",
                       .standard = 2LL,
                       .standard_words = {},
                       .help = "Gauss stages",
                       .smallest = 1,
                       .largest = 40,
                       .choices = {}}},
          .kinds = {SystemKind::lagrangian},
          .misfit = nullptr,
          .order = "2s",
          .symplectic = true,
          .symmetric = true,
          .keeps = "constraints, hidden constraints, linear momentum maps",
          .studies = lagrangian_studies(method),
          .complete = nullptr,
          .run = [](const Model& model, const Options& options, const RunContext& context) {
            return run_lagrangian(model, method(options), context);
          }};
}

}  // namespace livens
