// Whether linkages change their assembly mode without a word, and whether runs are refused without need.
//
//   bench_branches [SYSTEMS [FIRST [KIND]]]    so many random systems, 300 unless told, numbered from FIRST, with every
//   method; all kinds, or one of
//
//   large steps   four-bars with gaps of 0.003 .. 0.008, h = 0.1 .. 0.3, 60 steps
//   small steps   the same, h = 0.002, 2000 steps: no method has a reason to fail
//   ropes         2 .. 8 masses in space on rods, held at both ends, h = 0.005, 1000 steps: no branch comes near
//   sheets        a point on parabolas or shells that lie beside each other, some of which move, h = 0.05 .. 0.2, 60
//   steps slow sheets   the same, h = 0.002, 1000 steps
//
// silent: the mode has changed and the run says nothing; late: it has changed in a row of a run that then ended;
// needless: the watch of branches has refused a state of the same mode not far away. The figures of docs/results.md are
// what it prints.
#include <cstdlib>

#include "simulation/four_bars.hpp"
#include "simulation/sheets.hpp"

using namespace four_bars;

namespace {

struct Counts {
  int runs = 0, kept = 0, refused = 0, told = 0, silent = 0, late = 0, needless = 0;
  void count(const Run& run) {
    ++runs;
    kept += !run.changed && !run.refused() && !run.told();
    refused += run.refused();
    told += run.told() && !run.refused();
    silent += run.changed && !run.refused() && !run.told();
    late += run.changed && run.refused() && !run.told();
    needless += run.needless;
  }
  void print(const std::string& kind, std::string method) const {
    std::replace(method.begin(), method.end(), '\n', ' ');
    fmt::print("{:12} {:58} {:6} {:6} {:8} {:6} {:7} {:5} {:9}\n", kind, method, runs, kept, refused, told, silent,
               late, needless);
  }
};

// Orientations mean nothing here: `changed` is not looked at.
FourBar random_rope(unsigned seed) {
  std::mt19937_64 random(seed);
  const auto uniform = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
  const int masses = 2 + static_cast<int>(random() % 7);
  const double width = uniform(0.3, 0.8) * (masses + 1);
  std::string names, lagrangian, constraints, q, v;
  const auto add = [](std::string& list, const std::string& item) { list += (list.empty() ? "" : ", ") + item; };
  double before[3] = {0, 0, 0};
  for (int i = 0; i <= masses; ++i) {
    const double s = (i + 1.0) / (masses + 1),
                 here[3] = {s * width, i < masses ? uniform(-0.3, 0.3) : 0, i < masses ? uniform(-0.8, -0.2) : 0};
    double square = 0;
    std::string terms;
    for (int k = 0; k < 3; ++k) {
      const std::string now = i < masses ? fmt::format("x{}{}", i, k) : fmt::format("{:.17g}", here[k]),
                        last = i > 0 ? fmt::format("x{}{}", i - 1, k) : std::string("0");
      terms += fmt::format("({} - {})^2 + ", now, last);
      square += (here[k] - before[k]) * (here[k] - before[k]);
      before[k] = here[k];
      if (i == masses) continue;
      add(names, '"' + now + '"'), add(q, fmt::format("{:.17g}", here[k])),
          add(v, fmt::format("{:.3f}", uniform(-1, 1)));
      lagrangian +=
          fmt::format("{:.3f}/2*{}'^2{} + ", uniform(0.5, 2), now, k == 2 ? fmt::format(" - 9.81*{}", now) : "");
    }
    add(constraints, fmt::format("\"({}- {:.17g})/2\"", terms.substr(0, terms.size() - 2), square));
  }
  FourBar rope{};
  rope.text = fmt::format(
      "[system]\nkind = \"lagrangian\"\ncoordinates = [{}]\nlagrangian = \"{}0\"\nconstraints = [{}]\n[initial]\n"
      "q = [{}]\nv = [{}]\nproject = true\n",
      names, lagrangian, constraints, q, v);
  return rope;
}

}  // namespace

int main(int argc, char** argv) {
  const unsigned systems = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 300,
                 first = argc > 2 ? static_cast<unsigned>(std::atoi(argv[2])) : 1;
  fmt::print("{:71} {:>6} {:>6} {:>8} {:>6} {:>7} {:>5} {:>9}\n", "", "runs", "kept", "refused", "told", "silent",
             "late", "needless");
  for (const std::string kind : {"large steps", "small steps", "ropes", "sheets", "slow sheets"}) {
    if (argc > 3 && kind != argv[3]) continue;
    Counts all;
    for (const std::string& method : all_methods()) {
      Counts counts;
      for (unsigned seed = first; seed < first + systems; ++seed) {
        const Branched on_sheets = sheets::random_sheets(seed);
        if (kind.ends_with("sheets") && !sheets::takes(method, on_sheets)) continue;
        RandomFourBar random(seed);
        Run r = kind == "large steps"   ? run(random(0.003, 0.008), method, 0.1 + 0.05 * (seed % 5), 60)
                : kind == "small steps" ? run(random(0.003, 0.008), method, 0.002, 2000)
                : kind == "ropes"       ? run(random_rope(seed), method, 0.005, 1000)
                : kind == "sheets"      ? run(on_sheets, method, 0.05 + 0.03 * (seed % 6), 60)
                                        : run(on_sheets, method, 0.002, 1000);
        if (kind == "ropes") r.changed = false;
        counts.count(r), all.count(r);
      }
      counts.print(kind, method);
    }
    all.print(kind, "all");
  }
  return 0;
}
