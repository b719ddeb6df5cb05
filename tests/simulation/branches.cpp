// Linkages keep their assembly mode or the run says so, whatever the method, the size of the system and what is beside
// them. bench/branches.cpp does the same with more of them.
#include "simulation/branches.hpp"

#include <doctest/doctest.h>

#include "simulation/four_bars.hpp"

using namespace four_bars;

namespace {

double large_step(unsigned seed) {
  return 0.1 + 0.05 * (seed % 5);
}

std::string replaced_in(std::string text, const std::string& piece, const std::string& instead) {
  const std::size_t at = text.find(piece);
  REQUIRE_MESSAGE(at != text.npos, piece);
  return text.replace(at, piece.size(), instead);
}

}  // namespace

TEST_CASE("no_method_changes_the_assembly_mode_of_a_linkage_without_a_word") {
  // Of 300: those with which one method or another got away before steps were looked at as they are.
  int changed_or_refused = 0;
  for (const unsigned seed : {2u, 12u, 39u, 43u, 73u, 92u, 118u, 139u, 158u, 176u})
    for (const std::string& method : all_methods()) {
      CAPTURE(seed);
      CAPTURE(method);
      RandomFourBar random(seed);
      const Run r = run(random(0.003, 0.008), method, large_step(seed), 60);
      CHECK((!r.changed || r.told()));
      CHECK_FALSE(r.needless);
      changed_or_refused += r.refused() || r.told();
    }
  CHECK(changed_or_refused > 60);  // steps are as large as that
}

TEST_CASE("no_linkage_is_refused_at_a_sensible_step") {
  for (const unsigned seed : {1u, 2u, 12u})
    for (const std::string& method : all_methods()) {
      if (method == "name = \"classical-ggl\"") continue;  // a negative control, which stalls by itself
      CAPTURE(seed);
      CAPTURE(method);
      RandomFourBar random(seed);
      const Run r = run(random(0.003, 0.008), method, 0.004, 600);
      CHECK_FALSE(r.refused());
      CHECK_FALSE(r.told());
      CHECK_FALSE(r.changed);
    }
}

TEST_CASE("a_linkage_is_watched_among_many_constraints_and_beside_a_contact") {
  const std::string method = "name = \"rattle\"";
  const auto is_refused = [](const Run& r) {
    const auto& failure = r.result.report.failure;
    return failure && failure->outcome == Outcome::other_root && failure->part == StepPart::audit;
  };
  FourBar f;
  double h = 0;
  Run alone;
  for (unsigned seed = 1; !is_refused(alone); ++seed) {
    REQUIRE(seed < 20);
    RandomFourBar random(seed);
    f = random(0.003, 0.008), h = large_step(seed);
    alone = run(f, method, h, 60);
  }

  FourBar among = f;  // 70 pendulums that hang still, so that matrices are sparse
  among.text = replaced_in(among.text, "\"y2\"]", "\"y2\", {for = \"i = 1..70\", each = [\"a[i]\", \"b[i]\"]}]");
  among.text =
      replaced_in(among.text, "\"\nconstraints", " + sum(i = 1..70, (a[i]'^2 + b[i]'^2)/2 - b[i])\"\nconstraints");
  among.text = replaced_in(among.text, "/2\"]", "/2\", {for = \"i = 1..70\", each = [\"(a[i]^2 + b[i]^2 - 1)/2\"]}]");
  among.text = replaced_in(among.text, "]\nv = [", ", {for = \"i = 1..70\", each = [0.0, -1.0]}]\nv = [");
  among.text = replaced_in(among.text, "]\nproject", ", {for = \"i = 1..70\", each = [0.0, 0.0]}]\nproject");
  FourBar beside = f;  // a floor far below
  beside.text = replaced_in(beside.text, "/2\"]", "/2\", \"y2 + 50\"]") + "[contact]\nunilateral = [4]\n";
  for (const FourBar& other : {among, beside}) {
    CAPTURE(other.text);
    const Run r = run(other, method, h, 60);
    CHECK(is_refused(r));
    CHECK(r.result.report.steps == alone.result.report.steps);
    CHECK_FALSE(r.changed);
  }
}

// x^2 - y^2 = c has two branches, which meet where c = 0: (2) and its walk by hand.
TEST_CASE("ways_between_points_of_a_hyperbola_are_told_apart") {
  const auto model = [](double c) {
    return read_model("h", fmt::format("[system]\nkind = \"lagrangian\"\ncoordinates = [\"x\", \"y\"]\n"
                                       "lagrangian = \"(x'^2 + y'^2)/2\"\nconstraints = [\"(y^2 - x^2 - {:.17g})/2\"]\n"
                                       "[initial]\nq = [0.0, {:.17g}]\nv = [1.0, 0.0]\n",
                                       c, std::sqrt(c)));
  };
  const auto way = [&](double c, double x0, double x1, double side, bool straight) {
    Branches branches(watched_constraints(model(c)));
    Branches::Point a = branches.point(), b = a;
    const auto put = [&](Branches::Point& p, double t, double x, double sign) {
      p.at.t = t, p.at.q = Vec<double>{x, sign * std::sqrt(c + x * x)};
      p.at.v = Vec<double>{1, straight ? -1 : p.at.q[1] == 0 ? 0 : x / p.at.q[1]};
      branches.look(p);
      REQUIRE(p.regular);
      CHECK(p.length[0] == doctest::Approx(std::hypot(p.at.q[0], p.at.q[1])));
    };
    put(a, 0, x0, 1), put(b, x1 - x0, x1, side);
    return branches.way(a, b);
  };
  using Way = Branches::Way;
  CHECK(way(0.01, -1, 1.2, 1, false) == Way::continued);  // round the corner
  CHECK(way(0.01, -1, 1.2, -1, true) == Way::apart);      // straight on, over the gap
  CHECK(way(1e-6, -1, 1.2, -1, true) == Way::apart);
  CHECK(way(1e-6, -1, 1.2, 1, false) == Way::continued);
  CHECK(way(0, -1, 1.2, -1, true) == Way::singular);
  CHECK(way(0, -1, 1.2, 1, false) == Way::singular);
}
