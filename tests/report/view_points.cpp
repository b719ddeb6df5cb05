// Points and rods that are found in a model, or stated in it.
#include "report/view_points.hpp"

#include <doctest/doctest.h>

#include "report/page_data.hpp"
#include "store/scratch.hpp"

using namespace livens;
using livens::report::points_of, livens::report::points_of_names;

namespace {

Model lagrangian(const std::string& coordinates, const std::string& q, const std::string& L,
                 const std::string& constraints, const std::string& more = "") {
  return read_model("m.toml", "[system]\nkind = \"lagrangian\"\ncoordinates = [" + coordinates + "]\nlagrangian = \"" +
                                  L + "\"\nconstraints = [" + constraints + "]\n" + more + "[initial]\nq = " + q +
                                  "\np = " + q + "\n");
}

std::string refusal(const std::string& more) {
  try {
    read_model("m.toml",
               "[system]\nkind = \"lagrangian\"\ncoordinates = [\"x\", \"y\"]\nlagrangian = \"x'^2 + y'^2\"\n"
               "[initial]\nq = [1.0, 2.0]\nv = [0.0, 0.0]\n" +
                   more);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

}  // namespace

TEST_CASE("names_make_points_and_what_is_none_is_left_out") {
  const auto two = points_of_names({"x1", "y1", "z1", "x2", "y2", "z2"});
  CHECK(two.dimension == 3);
  REQUIRE(two.points.size() == 2);
  CHECK(two.points[1].name == "2");
  CHECK(two.points[1].coordinates == std::array{3, 4, 5});
  const auto sorted = points_of_names({"x[0]", "x[1]", "y[0]", "y[1]", "phi"});
  CHECK(sorted.dimension == 2);
  REQUIRE(sorted.points.size() == 2);
  CHECK(sorted.points[1].coordinates == std::array{1, 3, -1});
  const auto cart = points_of_names({"x_cart", "x1", "y1"});
  REQUIRE(cart.points.size() == 2);
  CHECK(cart.points[0].name == "cart");
  CHECK(cart.points[0].coordinates == std::array{0, -1, -1});
  CHECK(points_of_names({"s", "x", "y"}).points.size() == 1);
  CHECK(points_of_names({"theta", "phi"}).dimension == 0);
  CHECK(points_of_names({"x"}).dimension == 0);
  CHECK(points_of_names({"xi", "yaw"}).dimension == 0);
}

TEST_CASE("rods_are_distances_that_constraints_keep") {
  const auto found = points_of(
      lagrangian("\"x1\", \"y1\", \"x2\", \"y2\", \"x3\", \"y3\"", "[1, 0, 1, 1, 3, 2]",
                 "x1'^2 + y1'^2 + x2'^2 + y2'^2 + x3'^2 + y3'^2 - 2*y1 - y2",
                 "\"(x1^2 + y1^2 - 1)/2\", \"sqrt((x2 - x1)^2 + (y2 - y1)^2) - 1\", \"(x3 - 2)^2 + (y3 - 1)^2 - 2\", "
                 "\"x3 - y3^2 + 1\", \"(x3 - t)^2 + y3^2 - 5\""));
  REQUIRE(found.rods.size() == 3);
  CHECK(found.rods[0].from == -1);
  CHECK(found.rods[0].to == 0);
  CHECK((found.rods[1].from == 1 || found.rods[1].to == 1));
  REQUIRE(found.places.size() == 2);
  CHECK(found.places[0] == report::Place{0, 0, 0});
  CHECK(found.places[1][0] == doctest::Approx(2));
  CHECK(found.places[1][1] == doctest::Approx(1));
  REQUIRE(found.gravity);
  CHECK((*found.gravity)[1] == doctest::Approx(-1));
}

TEST_CASE("a_cart_is_the_end_of_a_rod_and_springs_are_no_gravity") {
  const auto found = points_of(lagrangian("\"x_c\", \"x1\", \"y1\"", "[0.1, 0.6, -0.8]",
                                          "x_c'^2 + x1'^2 + y1'^2 - x_c^2 - y1", "\"((x1 - x_c)^2 + y1^2 - 1)/2\""));
  REQUIRE(found.rods.size() == 1);
  CHECK(found.rods[0].from + found.rods[0].to == 1);
  CHECK(!found.gravity);
}

TEST_CASE("views_are_refused_in_words") {
  const auto says = [](const std::string& more, const std::string& words) {
    const std::string told = refusal(more);
    CHECK_MESSAGE(scratch::mentions(told, words), told);
  };
  says("[view]\npoints = [[\"x\"]]\n", "view.points[1]: has 1 component; write");
  says("[view]\npoints = [[\"x\", \"y\"], [\"x\", \"y\", \"0\"]]\n",
       "view.points[2]: has 3 components, those before have 2");
  says("[view]\npoints = [[\"x\", \"w\"]]\n", "unknown name \"w\"");
  says("[view]\nrods = [[1, 2]]\n", "view.rods: connects points that are not given");
  says("[view]\npoints = [[\"x\", \"y\"]]\nrods = [[0, 2]]\n",
       "is 2; write the number of a point, 1 to 1, or 0 for the origin");
  says("[view]\ntrail = -1.0\n", "view.trail: is -1");
  says("[view]\nradius = 0.0\n", "view.radius: is 0; write the radius of points, a positive number");
  says("[view]\nbackground = [[\"x\", \"tau\"]]\n", "a background may contain tau and parameters only");
  says("[view]\nbackground = [[\"1/tau\", \"tau\"]]\n", "is not finite at tau = 0");
  says("[view]\npoint = [[\"x\", \"y\"]]\n", "points");
  says("[system.units]\nz = \"m\"\n", "\"z\" is nothing that this model has");
  CHECK(refusal("[view]\npoints = [[\"2*x'\", \"y + t\"]]\nrods = [[0, 1]]\ntrail = 1.0\nradius = 0.1\n"
                "background = [[\"cos(2*pi*tau)\", \"sin(2*pi*tau)\"]]\n[system.units]\nx = \"m\"\nt = \"s\"\n")
            .empty());
}
