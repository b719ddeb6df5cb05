// Pilots whose differences grow exponentially, also where they share few of their nodes.
#include "study/lost_motion.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <utility>

using namespace livens;

namespace {

constexpr double end = 20, rate = 2, first = 1e-10;

// sin t, and off by first e^(rate t) up to 1.
Pilot pilot(long long nodes, bool off) {
  Pilot p;
  p.steps = p.nodes = nodes, p.solved = true, p.q_size = 1, p.range = 2;
  for (long long k = 0; k <= nodes; ++k) {
    const double t = end * static_cast<double>(k) / static_cast<double>(nodes);
    p.t.push_back(t);
    p.q.push_back(static_cast<Widest>(std::sin(t) + (off ? std::min(1.0, first * std::exp(rate * t)) : 0)));
  }
  return p;
}

}  // namespace

TEST_CASE("the motion is known until rounding that grows as pilots part is as large as it") {
  const double epsilon = 2e-16;
  // From the rounding of the fine one's steps, at the same rate, to a tenth of the range.
  for (const auto& nodes : {std::pair{256, 512}, std::pair{512, 768}, std::pair{512, 256}}) {
    const int coarse = nodes.first, fine = nodes.second;
    CAPTURE(coarse);
    CAPTURE(fine);
    const auto lost = lost_motion(pilot(coarse, true), pilot(fine, false), epsilon);
    REQUIRE(lost);
    const double until = std::log(0.2 / first) / rate, later = std::log(first / (epsilon * std::sqrt(fine))) / rate;
    CHECK(lost->known > until + 0.6 * later);
    CHECK(lost->known < until + 2 * later);
    CHECK(lost->at_end > 1e3);
  }
  CHECK(!lost_motion(pilot(512, false), pilot(768, false), epsilon));
}
