// A chain of rigid bodies with ball joints, the same in Livens, Simbody and MuJoCo: processor time to the same error.
//
//   bench_body_chain [N ...]     default: 20 100 1000
//   bench_body_chain steps PROGRAM METHOD N STEP STEPS     only these, for bench/peers/instructions, which counts them
//
// Errors are the largest distance of a component of a centre of mass at the end from the reference; energies are in
// units of what the chain sets free until it hangs. Every method begins with a coarse step or accuracy, which is made
// finer, steps by 2, accuracies by 10, until the error is 1e-8 or the next run would take more than two seconds (N =
// 1000: five).
#include "body_chain.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <limits>
#include <map>

namespace body_chain {

double process_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double Chain::energy(const Bodies& bodies) const {
  double sum = 0;
  for (const Body& body : bodies) {
    for (const double v : body.velocity) sum += mass * v * v / 2;
    for (std::size_t k = 0; k < 3; ++k) {
      double w = 0;  // about the k-th axis of the body
      for (std::size_t i = 0; i < 3; ++i) w += body.rotation[i][k] * body.angular_velocity[i];
      sum += inertia[k] * w * w / 2;
    }
    sum += mass * gravity * body.position[2];
  }
  return sum;
}

double Chain::start_energy() const {
  double sum = 0;
  for (int i = 0; i < N; ++i) {
    const double v = turn * (i + 0.5) * l;
    sum += (mass * v * v + inertia[2] * turn * turn) / 2;
  }
  return sum;
}

namespace {

constexpr int long_chain = 1000;
constexpr double wanted_errors[] = {1e-3, 1e-5, 1e-7};
constexpr double agreement = 1e-8;  // where a sequence ends: the programs mean the same chain
constexpr double drift_step = 0.001, drift_end = 10;

double end_time(const Chain& chain) {
  return chain.N < long_chain ? 0.5 : 0.1;
}
double longest_run(const Chain& chain) {  // seconds
  return chain.N < long_chain ? 2 : 5;
}

double distance(const Bodies& a, const Bodies& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    for (std::size_t k = 0; k < 3; ++k) {
      const double d = std::abs(a[i].position[k] - b[i].position[k]);
      if (!(d <= largest)) largest = d;  // and stays there if it is not a number
    }
  return largest;
}

struct Point {
  double error, seconds;
};

// Of a run: the best of three, where it is short.
Run timed(const Method& method, const Chain& chain, const Setting& setting) {
  Run run = method.run(chain, setting);
  for (int k = 0; k < 2 && run.failure.empty() && run.seconds < 0.1; ++k)
    run.seconds = std::min(run.seconds, method.run(chain, setting).seconds);
  return run;
}

std::vector<Point> sequence(const Method& method, const Chain& chain, const Bodies& exact) {
  std::vector<Point> points;
  const bool by_step = method.first_step > 0;
  double value = by_step ? method.first_step : method.first_accuracy, before = 0;
  int failures = 0;
  for (int k = 0; k < 24; ++k, value /= by_step ? 2 : 10) {
    Setting setting{end_time(chain), 0, 0, 1, 2 * longest_run(chain)};
    (by_step ? setting.step : setting.accuracy) = value;
    const Run run = timed(method, chain, setting);
    std::printf("  %-8s %-19s %-4s %9.2e ", method.program.c_str(), method.name.c_str(), by_step ? "step" : "acc.",
                value);
    if (run.failure.empty()) {
      const double error = distance(run.bodies, exact);
      const double energy = std::abs(chain.energy(run.bodies) - chain.start_energy()) / chain.energy_scale();
      std::printf("%7lld %9.1e %9.1e %9.4f %8.2f\n", run.steps, error, energy, run.seconds,
                  1e6 * run.seconds / static_cast<double>(run.steps) / chain.N);
      points.push_back({error, run.seconds});
      if (error <= agreement) break;
    } else {
      std::printf("%7lld %s\n", run.steps, run.failure.c_str());
    }
    std::fflush(stdout);
    if (!run.failure.empty()) {  // a finer setting may do
      if (++failures == 3 || (run.too_long && points.empty() && run.steps < 10)) break;
      continue;
    }
    const double growth = before > 0 ? std::max(1.0, run.seconds / before) : 1;
    before = run.seconds;
    if (run.seconds * growth > longest_run(chain)) break;
  }
  return points;
}

// The cheapest of the runs that reach the wanted error and of the points between neighbours on both sides of it, on
// lines in logarithms. A coarser setting is not always cheaper: Newton's method then takes more iterations.
std::string time_to(double wanted, const std::vector<Point>& points) {
  double best = std::numeric_limits<double>::infinity();
  bool by_first = false;  // the coarsest that came to the end, of which no line can be drawn
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& b = points[i];
    if (!(b.error <= wanted)) continue;
    if (b.seconds < best) best = b.seconds, by_first = i == 0;
    if (i == 0 || !(points[i - 1].error > wanted)) continue;
    const Point& a = points[i - 1];
    const double part = std::log(wanted / a.error) / std::log(b.error / a.error);
    const double between = a.seconds * std::pow(b.seconds / a.seconds, part);
    if (between < best) best = between, by_first = false;
  }
  if (std::isinf(best)) return "-";
  char words[32];
  std::snprintf(words, sizeof words, "%s%.4f", by_first ? "<" : "", best);
  return words;
}

void compare(const Chain& chain, const std::vector<Method>& methods) {
  std::printf("\nN = %d, %s, until t = %g\n", chain.N,
              chain.turn == 0 ? "from rest: the motion stays in a plane" : "turning about the vertical at 1 rad/s",
              end_time(chain));
  const Bodies exact = reference(chain, {end_time(chain), 0.001}).bodies;
  std::printf("Reference: Livens, galerkin s = 4, step 0.001; distance to the one with step 0.0005: %.1e\n\n",
              distance(reference(chain, {end_time(chain), 0.0005}).bodies, exact));
  std::printf("  %-8s %-19s %-14s %7s %9s %9s %9s %8s\n", "program", "method", "step, accuracy", "steps", "end",
              "energy", "seconds", "us per");
  std::printf("  %-8s %-19s %-14s %7s %9s %9s %9s %8s\n", "", "", "", "", "error", "error", "", "body,step");
  std::vector<std::vector<Point>> all;
  for (const Method& method : methods) all.push_back(sequence(method, chain, exact));

  std::printf("\n  Seconds to the error        %10.0e %10.0e %10.0e\n", wanted_errors[0], wanted_errors[1],
              wanted_errors[2]);
  std::map<std::string, double> nearest;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    std::printf("  %-8s %-19s", methods[m].program.c_str(), methods[m].name.c_str());
    for (const double wanted : wanted_errors) std::printf(" %10s", time_to(wanted, all[m]).c_str());
    std::printf("\n");
    for (const Point& point : all[m]) {
      const auto [place, is_new] = nearest.emplace(methods[m].program, point.error);
      if (!is_new) place->second = std::min(place->second, point.error);
    }
  }
  std::printf("  Nearest to the reference:");
  for (const auto& [program, error] : nearest) std::printf("  %s %.1e", program.c_str(), error);
  std::printf("\n");
}

// The motion is chaotic by then: only what is conserved can be compared.
void drift(const Chain& chain, const std::vector<Method>& methods) {
  std::printf("\nN = %d, step %g, until t = %g: error of the energy\n\n  %-8s %-19s %9s %9s %9s\n", chain.N, drift_step,
              drift_end, "program", "method", "at end", "largest", "seconds");
  for (const Method& method : methods) {
    const Run run = method.run(chain, {drift_end, drift_step, 0, 100});
    std::printf("  %-8s %-19s ", method.program.c_str(), method.name.c_str());
    if (run.failure.empty())
      std::printf("%9.1e %9.1e %9.3f\n",
                  std::abs(chain.energy(run.bodies) - chain.start_energy()) / chain.energy_scale(),
                  run.largest_energy_error, run.seconds);
    else
      std::printf("%s\n", run.failure.c_str());
    std::fflush(stdout);
  }
}

std::vector<Method> all_methods() {
  std::vector<Method> methods = livens_methods();
  [[maybe_unused]] const auto add = [&](const std::vector<Method>& more) {
    methods.insert(methods.end(), more.begin(), more.end());
  };
#if BODY_CHAIN_SIMBODY
  add(simbody_methods());
#endif
#if BODY_CHAIN_MUJOCO
  add(mujoco_methods());
#endif
  return methods;
}

void tell_versions() {
#if BODY_CHAIN_SIMBODY
  std::printf("Simbody %s\n", simbody_version().c_str());
#else
  std::printf("Simbody: not found when this program was built\n");
#endif
#if BODY_CHAIN_MUJOCO
  std::printf("MuJoCo %s\n", mujoco_version().c_str());
#else
  std::printf("MuJoCo: not found when this program was built\n");
#endif
}

// arguments: PROGRAM METHOD N STEP STEPS
int take_steps(char** arguments) {
  const std::string program = arguments[0], name = arguments[1];
  const Chain chain{std::atoi(arguments[2]), 0};
  const double step = std::atof(arguments[3]), steps = std::atof(arguments[4]);
  for (const Method& method : all_methods())
    if (method.program == program && method.name == name) {
      const Run run = method.run(chain, {.end = step * steps, .step = step, .longest = 1e9});
      std::printf("%lld steps, last body at z = %.17g\n", run.steps, run.bodies.back().position[2]);
      if (!run.failure.empty()) std::fprintf(stderr, "%s\n", run.failure.c_str());
      return run.failure.empty() ? 0 : 1;
    }
  return std::fprintf(stderr, "%s %s: not there\n", program.c_str(), name.c_str()), 2;
}

}  // namespace

}  // namespace body_chain

int main(int argc, char** argv) {
  using namespace body_chain;
  if (argc == 7 && std::string(argv[1]) == "steps") return take_steps(argv + 2);
  std::vector<int> sizes;
  for (int i = 1; i < argc; ++i) {
    sizes.push_back(std::atoi(argv[i]));
    if (sizes.back() < 1) return std::fprintf(stderr, "%s: give numbers of bodies, such as 20 100\n", argv[i]), 2;
  }
  if (sizes.empty()) sizes = {20, 100, long_chain};
  try {
    const std::vector<Method> methods = all_methods();
    tell_versions();
    for (const int N : sizes) compare({N, 0}, methods);
    compare({sizes.front(), 1}, methods);
    drift({sizes.front(), 1}, methods);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
