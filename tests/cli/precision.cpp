// Beyond double precision, and back in time.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdlib>

#include "cli/program.hpp"

using namespace program;

namespace {

std::size_t significant_digits(const std::string& number) {
  std::size_t count = 0;
  for (const char c : number.substr(0, number.find('e')))
    if ((c >= '1' && c <= '9') || (c == '0' && count > 0)) ++count;
  return count;
}

double farthest(const Json& a, const Json& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i].get<double>() - b[i].get<double>()));
  return most;
}

// Largest distance of the final states; `digits` of the wider run begin with its doubles.
void compare(const Json& narrow, const Json& wide, std::size_t digits) {
  CHECK(keys(wide["final_digits"]) == keys(wide["final"]));
  for (const char* name : {"q", "v", "p", "lambda"}) {
    CAPTURE(name);
    CHECK(farthest(narrow["final"][name], wide["final"][name]) <
          4 * 1.8e-15);  // lambda, about 7; q and v agree to 4e-16
    const Json& strings = wide["final_digits"][name];
    REQUIRE(strings.size() == wide["final"][name].size());
    for (std::size_t i = 0; i < strings.size(); ++i) {
      const std::string text = strings[i];
      CHECK(significant_digits(text) >= digits - 2);  // a number may end in zeros
      CHECK(significant_digits(text) <= digits);
      CHECK(std::strtod(text.c_str(), nullptr) == wide["final"][name][i].get<double>());
    }
  }
}

}  // namespace

TEST_CASE("a_double_run_has_no_further_digits") {
  const Place place;
  CHECK_FALSE(place.summary("pendulum", {"run.steps=100"}).contains("final_digits"));
}

TEST_CASE("an_extended_run_agrees_with_double_and_has_21_digits") {
  const Place place;
  const Json s = place.summary("pendulum", {"run.steps=100", "run.precision=extended"});
  compare(place.summary("pendulum", {"run.steps=100"}), s, 21);
  CHECK(s["audit"]["constraint"]["max"] < 4 * 1.7e-19);
}

#if LIVENS_QUAD
TEST_CASE("a_quad_run_agrees_with_double_and_has_36_digits") {
  const Place place;
  const Json s = place.summary("pendulum", {"run.steps=100", "run.precision=quad"});
  compare(place.summary("pendulum", {"run.steps=100"}), s, 36);
  CHECK(s["audit"]["constraint"]["max"] < 4 * 1.5e-34);
  CHECK(s["audit"]["hidden_constraint"]["max"] < 4 * 3.9e-34);
}

TEST_CASE("a_tenth_in_the_file_is_a_tenth_in_quad") {
  const Place place;
  const Json s = place.summary("pendulum", {"run.steps=1", "run.step=0.1", "run.precision=quad"});
  CHECK(s["final_digits"]["t"].get<std::string>().starts_with("0.1000000000000000000000000000000000"));
}
#else
TEST_CASE("a_build_without_quad_says_so") {
  const Place place;
  const Reply reply = place.livens("run pendulum --set run.precision=quad");
  CHECK(reply.status == 2);
  CHECK(mentions(reply.err, "write \"extended\""));
}
#endif

TEST_CASE("going_back_with_negative_steps_leads_to_the_start") {
  const Place place;
  const Json there = place.summary("spherical-pendulum", {"run.end=5"});
  const Json back =
      place.summary("spherical-pendulum", {"initial.t=5", "initial.q=" + there["final"]["q"].dump(),
                                           "initial.v=" + there["final"]["v"].dump(), "run.step=-0.01", "run.end=0"});
  CHECK(back["step"] == -0.01);
  CHECK(back["steps"] == 500);
  CHECK(back["final"]["t"] == 0.0);
  CHECK(farthest(back["final"]["q"], Json{0.6, 0.0, -0.8}) < 4 * 1.2e-16);
  CHECK(farthest(back["final"]["v"], Json{0.0, 0.9, 0.0}) < 4 * 1.2e-16);
  CHECK(farthest(there["final"]["q"], Json{0.6, 0.0, -0.8}) > 0.1);
}
