// Steps of a chain of N rigid bodies with ball joints, as `livens run body-chain` takes them, with loop and audit.
// Counted by bench/run.
//
//   rattle|ggl|galerkin|energy-momentum N LENGTH TURN STEP STEPS
//
// galerkin: s = 2; LENGTH: of a link; TURN: angular velocity about the vertical at the start. Seconds are processor
// time.
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "livens/methods/methods.hpp"
#include "livens/model/model.hpp"
#include "livens/simulation/simulate.hpp"

int main(int count, char** arguments) {
  using namespace livens;
  if (count != 7)
    return std::fprintf(stderr, "bodies rattle|ggl|galerkin|energy-momentum N LENGTH TURN STEP STEPS\n"), 2;
  const std::string steps = arguments[6];
  const Model model = load_model("body-chain", {{"method.name", arguments[1]},
                                                {"system.parameters.N", arguments[2]},
                                                {"system.parameters.l", arguments[3]},
                                                {"system.parameters.w", arguments[4]},
                                                {"run.step", arguments[5]},
                                                {"run.steps", steps},
                                                {"run.every", steps}});
  const MethodEntry& method = choose_method(model);
  std::clock_t begin = 0;
  RunContext context;
  context.open_rows = [&](const Columns&) -> RowSink* {
    begin = std::clock();  // the model is ready, the first step comes
    return nullptr;
  };
  const RunResult result = simulate(model, method, read_options(model, method), context);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  const double taken = static_cast<double>(result.report.steps);
  std::printf("%.17g, %.2f iterations and %.2f matrices a step, joints %.1e, %.2f us per body and step\n",
              result.final.q.numbers.back(), static_cast<double>(result.report.cost.newton_iterations) / taken,
              static_cast<double>(result.report.cost.jacobians) / taken, result.audit.constraint,
              1e6 * seconds / taken / std::atof(arguments[2]));
  return result.report.outcome == RunOutcome::finished ? 0 : 1;
}
