// Redundant constraints and large model files, through the program.
#include <doctest/doctest.h>

#include <cmath>

#include "cli/program.hpp"

using namespace program;

namespace {

// The circle said three times in different units.
const char* const said_thrice = "system.constraints=[\"(x^2+y^2-l^2)/2\", \"2*(x^2+y^2-l^2)\", \"x^2+y^2-l^2\"]";

}  // namespace

TEST_CASE("a_constraint_said_twice_is_refused_by_its_number") {
  const Place place;
  const Reply reply = place.run({"run", "pendulum", "--set", said_thrice});
  CHECK(reply.status == 2);
  CHECK(reply.out == "");
  CHECK(mentions(reply.err, "constraint 2, 3"));
}

TEST_CASE("least_norm_gives_the_same_motion_and_the_smallest_multipliers_with_the_same_force") {
  const Place place;
  for (const std::string method : {"rattle", "galerkin", "hbvm"}) {
    CAPTURE(method);
    const Json once = place.summary("pendulum --quiet --out once-" + method, {"method.name=" + method});
    const Json thrice = place.summary("pendulum --quiet --out thrice-" + method,
                                      {"method.name=" + method, said_thrice, "solver.redundant=least-norm"});
    for (std::size_t i = 0; i < 2; ++i)
      CHECK(std::abs(once["final"]["q"][i].get<double>() - thrice["final"]["q"][i].get<double>()) < 1e-12);
    const double force = once["final"]["lambda"][0];  // rows of G are 1, 4 and 2 times that of the first
    REQUIRE(thrice["final"]["lambda"].size() == 3);
    const double parts[] = {1, 4, 2};
    for (std::size_t k = 0; k < 3; ++k)
      CHECK(std::abs(thrice["final"]["lambda"][k].get<double>() - parts[k] * force / 21) < 1e-9 * std::abs(force));
    CHECK(mentions(thrice["message"].get<std::string>(), "constraints 2 and 3 say what others say"));
  }
}

TEST_CASE("least_norm_completes_every_block_of_raw_multipliers") {
  const Place place;
  for (const std::string method : {"spark", "hbvm"}) {
    CAPTURE(method);
    Arguments set = {"method.name=" + method, "method.s=3"};
    if (method == "hbvm") set.push_back("method.r=2");
    const Json once = place.summary("pendulum --quiet --out once-" + method, set);
    set.insert(set.end(), {said_thrice, "solver.redundant=least-norm"});
    const Json thrice = place.summary("pendulum --quiet --out thrice-" + method, set);
    const Json &a = once["raw"]["lambda"], &b = thrice["raw"]["lambda"];
    REQUIRE(a.size() == (method == "spark" ? 4 : 2));
    REQUIRE(b.size() == 3 * a.size());
    const double parts[] = {1, 4, 2};
    for (std::size_t block = 0; block < a.size(); ++block)
      for (std::size_t k = 0; k < 3; ++k)
        CHECK(std::abs(b[3 * block + k].get<double>() - parts[k] * a[block].get<double>() / 21) < 1e-7);
  }
}

TEST_CASE("least_norm_refuses_a_constraint_that_contradicts_the_others") {
  const Place place;
  const Reply reply =
      place.run(Place::joined({"run", "pendulum"}, {"system.constraints=[\"(x^2+y^2-l^2)/2\", \"x^2+y^2-2*l^2\"]",
                                                    "solver.redundant=least-norm"}));
  CHECK(reply.status == 2);
  CHECK(mentions(reply.err, "constraint 2"));
  CHECK(place.empty());
}

TEST_CASE("dense_sparse_and_schur_agree_on_a_chain_of_60_masses") {
  const Place place;
  const auto run = [&](const std::string& linear) {
    return place.summary("chain --quiet --out " + linear,
                         {"system.parameters.N=60", "run.steps=20", "solver.linear=" + linear});
  };
  const Json dense = run("dense");
  for (const std::string linear : {"auto", "schur", "sparse"}) {
    CAPTURE(linear);
    const Json sparse = run(linear);
    double largest = 0;
    for (std::size_t i = 0; i < dense["final"]["q"].size(); ++i)
      largest =
          std::max(largest, std::abs(dense["final"]["q"][i].get<double>() - sparse["final"]["q"][i].get<double>()));
    CHECK(largest < 1e-12);
    CHECK(sparse["audit"]["constraint"]["max"].get<double>() < 1e-16);
  }
}
