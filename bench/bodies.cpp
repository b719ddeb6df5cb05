// Steps of a chain of N rigid bodies with ball joints, h = 0.0001, as `livens run body-chain` takes them, with loop and
// audit. Counted by bench/run.
//
//   rattle|ggl|galerkin|energy-momentum N STEPS     galerkin: s = 2
#include <cstdio>
#include <string>

#include "livens/methods/methods.hpp"
#include "livens/model/model.hpp"
#include "livens/simulation/simulate.hpp"

int main(int count, char** arguments) {
  using namespace livens;
  if (count != 4) return std::fprintf(stderr, "bodies rattle|ggl|galerkin|energy-momentum N STEPS\n"), 2;
  const std::string steps = arguments[3];
  const Model model = load_model("body-chain", {{"method.name", arguments[1]},
                                                {"system.parameters.N", arguments[2]},
                                                {"system.parameters.l", "0.1"},
                                                {"system.parameters.w", "0"},
                                                {"run.step", "0.0001"},
                                                {"run.steps", steps},
                                                {"run.every", steps}});
  const MethodEntry& method = choose_method(model);
  const RunResult result = simulate(model, method, read_options(model, method), {});
  std::printf("%.17g\n", result.final.q.numbers.back());
  return result.report.outcome == RunOutcome::finished ? 0 : 1;
}
