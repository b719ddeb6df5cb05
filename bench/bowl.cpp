// 10^5 balls in bowls with walls (tests/contact/bowl.hpp): none leaves its bowl, hangs or ends early.
//
//   bench_bowl [RUNS] [SEED]
#include "contact/bowl.hpp"

#include <cstdio>
#include <cstdlib>

int main(int count, char** arguments) {
  using namespace livens;
  const long runs = count > 1 ? std::atol(arguments[1]) : 100000;
  std::mt19937_64 random(count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1);
  long early = 0, outside = 0, most_events = 0;
  double deepest = 0;
  for (long k = 0; k < runs; ++k) {
    const test::BowlRun bowl = test::run_in_bowl(random, 100);
    const RunResult& run = bowl.result;
    const bool ended = run.report.outcome != RunOutcome::finished, left = run.audit.constraint > 1e-10;
    early += ended, outside += left;
    deepest = std::max(deepest, run.audit.constraint);
    most_events = std::max(most_events, static_cast<long>(run.events.size()));
    if (!ended && !left) continue;
    std::printf("run %ld: %s, violation %.2e:", k,
                ended ? std::string(name(run.report.failure->outcome)).c_str() : "left", run.audit.constraint);
    for (const auto& [key, value] : bowl.set) std::printf(" --set '%s=%s'", key.c_str(), value.c_str());
    std::printf("\n");
  }
  std::printf("%ld runs: %ld ended early, %ld left the bowl; deepest violation %.2e, most events %ld\n", runs, early,
              outside, deepest, most_events);
  return early + outside > 0 ? 1 : 0;
}
