#include "method/lobatto_pair.hpp"
#include "methods/steps_of.hpp"

namespace livens {

namespace {

LobattoPair method(const Options& options) {
  return {.s = static_cast<int>(options.get<long long>("s"))};
}

}  // namespace

MethodEntry lobatto_pair_entry() {
  return {.name = "lobatto-pair",
          .summary = "Lobatto IIIA-IIIB with constraints",
          .options = {whole_number("s", 3, "", "stages", 20, 2)},
          .kinds = {SystemKind::lagrangian},
          .order = "2s-2",
          .symplectic = true,
          .symmetric = true,
          .keeps = "constraints, hidden constraints, linear momentum maps",
          .traits = traits_of(method),
          .steps = steps_of(method)};
}

}  // namespace livens
