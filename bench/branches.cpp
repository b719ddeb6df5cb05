// Whether linkages change their assembly mode without a word, and whether they are refused without need.
//
//   bench_branches [LINKAGES [FIRST]]    so many random four-bars, 100 unless told, numbered from FIRST, with every
//                                        method
//
// Large steps: gaps of 0.003 .. 0.008, h = 0.1 .. 0.3, 60 steps. Small steps: h = 0.002, 2000 steps, where no method has
// a reason to fail. The figures of docs/results.md are what it prints.
#include <cstdio>
#include <cstdlib>

#include "simulation/four_bars.hpp"

using namespace four_bars;

namespace {

struct Counts {
  int runs = 0, kept = 0, refused = 0, told = 0, silent = 0, late = 0, needless = 0;
  void count(const Run& run) {
    ++runs;
    const bool said = run.refused() || run.told();
    silent += run.changed && !said;
    late += run.changed && run.refused() && !run.told();
    needless += run.needless;
    kept += !run.changed && !said;
    refused += run.refused();
    told += run.told() && !run.refused();
  }
};

}  // namespace

int main(int argc, char** argv) {
  const unsigned linkages = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 100,
                 first = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1;
  fmt::print("{:56} {:>6} {:>6} {:>8} {:>6} {:>7} {:>5} {:>9}\n", "", "runs", "kept", "refused", "told",
             "silent", "late", "needless");
  for (const bool large : {true, false}) {
    for (std::string method : all_methods()) {
      Counts counts;
      for (unsigned seed = first; seed < first + linkages; ++seed) {
        RandomFourBar random(seed);
        const FourBar f = random(0.003, 0.008);
        const double h = large ? 0.1 + 0.05 * (seed % 5) : 0.002;
        try {
          const Run r = run(f, method, h, large ? 60 : 2000);
          counts.count(r);
          if (std::getenv("EACH") && ((r.changed && !r.told()) || r.needless || (!large && (r.refused() || r.told()))))
            fmt::print("  {} h={} {}: changed {} needless {} steps {} {}\n", seed, h, method, r.changed, r.needless, r.result.report.steps, r.refused() ? std::string(name(r.result.report.failure->outcome)) : r.result.message);
        } catch (const std::exception& e) {
          fmt::print("  {} {}: {}\n", seed, method, e.what());
        }
      }
      std::replace(method.begin(), method.end(), '\n', ' ');
      fmt::print("{:56} {:6} {:6} {:8} {:6} {:7} {:5} {:9}\n", (large ? "large steps: " : "small steps: ") + method, counts.runs,
                 counts.kept, counts.refused, counts.told, counts.silent, counts.late, counts.needless);
    }
  }
  return 0;
}
