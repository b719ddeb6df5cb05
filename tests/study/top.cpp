// Orders on the heavy top, whose steady precession is known: [exact] of the ready problem.
#include <doctest/doctest.h>

#include "cli/program.hpp"

using namespace program;

namespace {

struct Expected {
  const char* words;
  const char* steps;
  double q, p;
};

}  // namespace

TEST_CASE("orders_against_the_exact_steady_precession_of_the_top") {
  const Place place;
  for (const Expected& expected :
       {Expected{"--set method.name=galerkin --set method.s=3 --set method.w=3 --set run.end=0.024",
                 "0.004,0.002,0.001", 6, 6},
        Expected{"--set method.name=energy-momentum --set run.end=0.024", "0.001,0.0005,0.00025", 2, 2},
        Expected{"--set method.name=energy-momentum --set method.stabilised=true --set run.end=0.024",
                 "0.001,0.0005,0.00025", 2, 2},
        Expected{"--set method.name=rattle --set run.end=0.024", "0.001,0.0005,0.00025", 2, 2},
        Expected{"--set method.name=ggl --set run.end=0.006", "2.5e-5,1.25e-5,6.25e-6", 1, 1}}) {
    CAPTURE(expected.words);
    const Reply reply = place.livens(std::string("study order top --reference exact --json ") + expected.words +
                                     " --step-sizes " + expected.steps);
    REQUIRE(reply.status == 0);
    const Json rows = reply.json()["rows"];
    CHECK(rows[2]["order"]["q"].get<double>() == doctest::Approx(expected.q).epsilon(0.04).scale(0));
    CHECK(rows[2]["order"]["p"].get<double>() == doctest::Approx(expected.p).epsilon(0.02).scale(0));
  }
}
