// Steps on the two overdetermined problems whose reaction is nonlinear in the multiplier, h = 0.01. Counted by
// bench/run.
//
//   artificial|cubic euler|strang|yoshida4|spark STEPS     the model files; spark: s = 2
#include <cstdio>
#include <cstdlib>
#include <string>

#include "livens/method/composition.hpp"
#include "livens/method/spark.hpp"
#include "livens/model/model.hpp"

using namespace livens;

namespace {

using System = FormulaOdae<double>;

// The first 50 steps over and over: the motion of neither problem lasts for long.
template <class Method>
double march(const Model& model, const Method& method, long steps) {
  const System system(model.system->odae());
  State<System> start(system);
  for (int i = 0; i < 2; ++i) {
    start.q[i] = static_cast<double>(model.initial.q[static_cast<std::size_t>(i)]);
    start.p[i] = static_cast<double>(model.initial.z[static_cast<std::size_t>(i)]);
  }
  Vec<double> psi(1);
  psi[0] = 1;
  typename Method::template Step<System> step(system, method, {});
  StepReport report;
  State<System> x = start;
  for (long n = 0; n < steps; ++n) {
    if (n % 50 == 0) x = start, step.start(0, x, psi);
    step.advance(0, 0, 0.01, x, report);
    if (!succeeded(report.outcome)) std::exit(1);
  }
  return x.q[0];
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 4) return std::fprintf(stderr, "odae artificial|cubic euler|strang|yoshida4|spark STEPS\n"), 2;
  const Model model = load_model("overdetermined-" + std::string(arguments[1]));
  const std::string method = arguments[2];
  const long steps = std::atol(arguments[3]);
  using Scheme = Composition::Scheme;
  const double end = method == "euler"      ? march(model, Euler{}, steps)
                     : method == "strang"   ? march(model, Composition{}, steps)
                     : method == "yoshida4" ? march(model, Composition{.scheme = Scheme::yoshida4}, steps)
                                            : march(model, Spark{.s = 2}, steps);
  std::printf("%.17g\n", end);
}
