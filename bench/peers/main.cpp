// The hanging chain, N = 512, until T = 2: Livens beside SUNDIALS, each at the loosest setting that reaches a largest
// position error of 1e-6.
//
// Tolerances are halved, steps of Livens made shorter by 3 %, until the error is reached, from a setting that is
// known to miss it. Processor time of the process: the search has warmed up, then the best of
// three where a run is short. Then the pendulum.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>

#include "livens.hpp"
#include "pendulum.hpp"
#include "sundials.hpp"

using namespace peers;

namespace {

constexpr std::size_t masses = 512;
constexpr double end_time = 2, wanted_error = 1e-6;

struct Peer {
  const char* name;
  double first, factor;  // settings to try: first, first*factor, ...
  std::function<Run(double setting)> solve;
};

// Two tolerances and two methods: they must agree to 1e-10.
State reference(Chain& chain) {
  const auto tight = [](double tolerance) { return Settings{end_time, tolerance, Operations::ours}; };
  const State end = arkode(chain, tight(1e-13)).end;
  std::printf(
      "Reference: ARKODE at tolerance 1e-13; largest distance to ARKODE at 1e-12: %.1e, to CVODE at 1e-13: %.1e\n\n",
      position_error(arkode(chain, tight(1e-12)).end, end), position_error(cvode(chain, tight(1e-13)).end, end));
  return end;
}

}  // namespace

int main() {
  Chain chain(masses);
  const double energy = chain.energy(chain.start());
  const State exact = reference(chain);
  const auto sundials = [](double tolerance, Operations operations) {
    return Settings{end_time, tolerance, operations};
  };
  constexpr auto package = Operations::of_package, ours = Operations::ours;
  const Peer peers[] = {
      {"Livens, RATTLE", end_time / 3000, 1 / 1.03,
       [&](double step) { return livens_rattle(chain, end_time, end_time / std::round(end_time / step)); }},
      {"ARKODE, order 8", 0x1p-26, 0.5, [&](double tol) { return arkode(chain, sundials(tol, package)); }},
      {"  with our vectors", 0x1p-26, 0.5, [&](double tol) { return arkode(chain, sundials(tol, ours)); }},
      {"CVODE, Adams", 0x1p-24, 0.5, [&](double tol) { return cvode(chain, sundials(tol, package)); }},
      {"  with our vectors", 0x1p-24, 0.5, [&](double tol) { return cvode(chain, sundials(tol, ours)); }},
      {"IDA, order <= 5", 0x1p-21, 0.5, [&](double tol) { return ida(chain, sundials(tol, package), 5); }},
      {"IDA, order <= 2", 0x1p-26, 0.5, [&](double tol) { return ida(chain, sundials(tol, package), 2); }},
      {"  with our vectors", 0x1p-26, 0.5, [&](double tol) { return ida(chain, sundials(tol, ours), 2); }},
  };

  std::printf("%-20s %9s %7s %8s %8s %7s %9s %9s %9s %9s\n", "", "step,", "", "evalu-", "", "times", "position",
              "energy", "constr.", "hidden");
  std::printf("%-20s %9s %7s %8s %8s %7s %9s %9s %9s %9s\n", "", "tolerance", "steps", "ations", "seconds", "Livens",
              "error", "error", "error", "error");
  double livens_seconds = 0;
  for (const Peer& peer : peers) {
    double setting = peer.first;
    Run run = peer.solve(setting);
    while (!(run.succeeded && position_error(run.end, exact) <= wanted_error) && setting > 1e-12)
      run = peer.solve(setting *= peer.factor);
    double seconds = run.seconds;
    for (int k = 0; k < 3 && seconds < 2; ++k) seconds = std::min(seconds, peer.solve(setting).seconds);
    if (livens_seconds == 0) livens_seconds = seconds;
    std::printf("%-20s %9.2e %7ld %8ld %8.3f %7.1f %9.1e %9.1e %9.1e %9.1e\n", peer.name, setting, run.steps,
                run.evaluations, seconds, seconds / livens_seconds, position_error(run.end, exact),
                std::abs(chain.energy(run.end) - energy), chain.constraint_error(run.end),
                chain.hidden_constraint_error(run.end));
    std::fflush(stdout);
  }
  compare_on_pendulum();
}
