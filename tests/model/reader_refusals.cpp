#include <doctest/doctest.h>

#include <string>

#include "model/models.hpp"
#include "model/refusals.hpp"

using models::cubic, models::pendulum, models::refusal, models::vortices, models::with;

TEST_CASE("what_is_wrong_is_named_with_its_line_its_key_and_the_remedy") {
  for (const models::Refusal& row : models::refusals) {
    CAPTURE(row.piece);
    CAPTURE(row.instead);
    REQUIRE(row.model.find(row.piece) != std::string::npos);
    const std::string message = refusal(with(row.model, row.piece, row.instead));
    CHECK(message.substr(0, 6 + row.message.size()) == "m.toml" + std::string(row.message));
  }
}

TEST_CASE("loops_and_surfaces_that_are_none_are_refused_in_words") {
  const std::string loop = "[loop]\nq = [\"cos(2*pi*tau)\", \"sin(2*pi*tau)\"]\npoints = 20\n";
  const std::string surface = "[surface]\nq = [\"sigma\", \"tau\"]\npoints = [4, 5]\n";
  const std::string both = vortices + "\n" + loop + surface;
  CHECK(refusal(both) == "");
  const struct {
    std::string piece, instead, words;
  } rows[] = {
      {"points = 20", "point = 20", "loop.point: unknown key; did you mean \"points\"?"},
      {"points = [4, 5]", "size = 3", "surface.size: unknown key"},
      {"\"cos(2*pi*tau)\", ", "",
       "loop.q: has 1 formula, the system has 2 coordinates; write one formula for every coordinate"},
      {"points = 20", "points = 2", "loop.points: is 2; write an integer from 3 to 1000000"},
      {"points = 20", "points = 20.5", "loop.points: is a number (20.5), must be an integer; write points = 200"},
      {"points = [4, 5]", "points = [4]", "surface.points: has 1 number; write one for both parameters, or [of sigma"},
      {"points = [4, 5]", "points = [4, 1]", "surface.points[2]: is 1; write an integer from 3 to 1000"},
      {"\"cos(2*pi*tau)\"", "\"1/(tau - 1/2)\"", "loop.q: formula 1 is not finite at tau = 0.5: "},
      {"[\"sigma\"", "[\"log(sigma)\"", "surface.q: formula 1 is not finite at sigma = 0, tau = 0: log(sigma)"},
      {"\"cos(2*pi*tau)\"", "\"x\"", "loop.q[1]: contains \"x\"; a loop may contain tau and parameters only"},
      {"\"cos(2*pi*tau)\"", "\"p_x\"", "loop.q[1]: contains \"p_x\"; a loop may contain tau and parameters only"},
      {"\"cos(2*pi*tau)\"", "\"sigma\"", "loop.q[1]: contains \"sigma\"; a loop may contain tau and parameters only"},
      {"[\"sigma\"", "[\"t\"", "surface.q[1]: contains \"t\"; a surface may contain sigma, tau and parameters only"},
      {"\"cos(2*pi*tau)\"", "\"cos(pi*tau)\"",
       "loop.q: the loop is not closed: formula 1 is 1 at tau = 0 and -1 at tau = 1; write functions of period 1"},
      {"\"cos(2*pi*tau)\"", "\"cos(2*pi*tua)\"", "loop.q[1]: unknown name \"tua\" at column 10; did you mean \"tau\"?"},
      {"\"cos(2*pi*tau)\"", "0", "loop.q[1]: is an integer (0), must be a string"},
      {"q = [\"sigma\", \"tau\"]", "", "surface.q: missing; write q = [\"sigma\", \"tau\"]"},
  };
  for (const auto& row : rows) {
    CAPTURE(row.instead);
    REQUIRE(both.find(row.piece) != std::string::npos);
    const std::string message = refusal(with(both, row.piece, row.instead));
    CHECK_MESSAGE(message.find(row.words) != std::string::npos, message);
  }
  CHECK(
      refusal(pendulum + "\n" + loop).find("loop: integral invariants are made for kind \"degenerate\", this one is") !=
      std::string::npos);
  const std::string named = with(both, "[initial]", "[system.parameters]\nsigma = 2.0\n[initial]");
  CHECK(refusal(named).find("surface: \"sigma\" is its parameter on [0, 1], and the name is already given at "
                            "system.parameters.sigma") != std::string::npos);
}

TEST_CASE("keys_nested_without_end_are_refused_before_they_overflow_the_stack") {
  std::string key = "a";
  for (int k = 0; k < 200'000; ++k) key += k % 2 == 0 ? ". a" : ".\"b.c\"";
  CHECK(refusal(key + " = 1").find("more than 16 parts") != std::string::npos);
  CHECK(refusal("[" + key + "]").find("more than 16 parts") != std::string::npos);
  CHECK(refusal("title = {" + key + " = 1}").find("more than 16 parts") != std::string::npos);
  CHECK(refusal("title = " + std::string(100'000, '[')).find("m.toml:1:") != std::string::npos);
  CHECK(refusal("", {{key, "1"}}) != "");
  CHECK(refusal("", {{"title", "{" + key + " = 1}"}}) != "");
}

TEST_CASE("dots_in_texts_and_comments_are_no_keys") {
  const std::string dots = "a.b.c.d.e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.w.x.y.z";
  CHECK(refusal(with(pendulum, "Planar", dots)) == "");
  CHECK(refusal(with(pendulum, "Planar", "\\\"" + dots)) == "");
  CHECK(refusal(with(pendulum, "\"Planar pendulum\"", "'\\'  # " + dots)) == "");
  CHECK(refusal(with(pendulum, "\"Planar pendulum\"", "\"\"\"\"Planar\"\n" + dots + "\"\"\"")) == "");
}

TEST_CASE("any_beginning_of_a_model_is_read_or_refused") {
  for (const std::string& model : {pendulum, vortices, cubic})
    for (std::size_t size = 0; size < model.size(); ++size) {
      const std::string message = refusal(model.substr(0, size));
      CHECK((message.empty() || message.starts_with("m.toml:")));
    }
}

#if !LIVENS_QUAD
TEST_CASE("quad_precision_is_refused_where_the_build_lacks_it") {
  CHECK(refusal(with(pendulum, "\"extended\"", "\"quad\"")) ==
        "m.toml:38: run.precision: \"quad\" is not possible, this build has no binary128; write \"extended\"");
}
#endif
