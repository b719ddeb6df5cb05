// A ball in a bowl y >= k x^2 between walls and under a lid, from a random start, with random restitution and friction.
#pragma once

#include <random>

#include "contact/runs.hpp"

namespace livens::test {

struct BowlRun {
  Overrides set;
  RunResult result;
};

// flat: its bottom is a plane, on which steps are exact.
inline BowlRun run_in_bowl(std::mt19937_64& random, int steps, bool flat = false, const RunContext& context = {}) {
  const auto between = [&](double a, double b) { return std::uniform_real_distribution<double>(a, b)(random); };
  const auto digits = [](double x) { return livens::digits(x); };
  static const std::string model = point("\"y - k*x^2\", \"1 - x\", \"1 + x\", \"1.5 - y\"", "q = [0, 1]\nv = [0, 0]",
                                         "unilateral = true", "step = 0.01\nsteps = 10");
  const double k = flat ? 0 : between(0, 1), x = between(-0.95, 0.95),
               y = k * x * x + between(0, 1) * (1.4 - k * x * x);
  const bool on_surface = random() % 4 == 0, rests = random() % 8 == 0;
  const double slope = 2 * k * x, speed = rests ? 0 : between(-3, 3);
  Overrides set = {{"run.steps", std::to_string(steps)}, {"system.parameters.k", digits(k)}};
  const auto pair = [&](double a, double b) { return "[" + digits(a) + ", " + digits(b) + "]"; };
  set.emplace_back("initial.q",
                   on_surface ? "[" + digits(x) + ", \"" + digits(k) + "*(" + digits(x) + ")^2\"]" : pair(x, y));
  set.emplace_back("initial.v", on_surface ? pair(speed, slope * speed) : pair(between(-4, 4), between(-4, 4)));
  const double e = random() % 3 == 0 ? 0 : between(0, 1);
  set.emplace_back("contact.restitution", digits(random() % 16 == 0 ? 1 : e));
  if (random() % 2 == 0) set.emplace_back("contact.friction", digits(between(0, 1)));
  return {set, run_model(model, set, context)};
}

}  // namespace livens::test
