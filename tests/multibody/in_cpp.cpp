// What is stated wrongly in C++ is refused where it is stated, as in a file.
#include <doctest/doctest.h>

#include <cmath>

#include "livens/model/multibody.hpp"

using livens::Multibody;
using livens::multibody::ground;
using livens::multibody::StatementError;

TEST_CASE("names_stated_in_cpp_are_names_and_stand_once") {
  Multibody m;
  const int arm = m.body({.name = "arm", .mass = 1, .shape = Multibody::sphere(0.1)});
  CHECK_THROWS_WITH_AS(m.body({.name = "arm", .mass = 1, .shape = Multibody::sphere(0.1)}),
                       "there is another body 'arm'; choose another name", StatementError);
  CHECK_THROWS_WITH_AS(m.body({.mass = 1, .shape = Multibody::sphere(0.1)}),
                       "\"\" is not a name of a body; names are letters, digits, _ and -", StatementError);
  CHECK_THROWS_WITH_AS(m.body({.name = "ground", .mass = 1, .shape = Multibody::sphere(0.1)}),
                       "\"ground\" is the frame of space; choose another name", StatementError);
  CHECK_THROWS_WITH_AS(m.body({.name = "a/b", .mass = 1, .shape = Multibody::sphere(0.1)}),
                       doctest::Contains("\"a/b\" is not a name of a body"), StatementError);
  m.spherical("ball", ground, arm, {0, 0, 0});
  CHECK_THROWS_WITH_AS(m.distance("ball", ground, arm, {1, 0, 0}), "there is another joint 'ball'; choose another name",
                       StatementError);
  // What was refused takes no name.
  CHECK_THROWS_AS(m.body({.name = "leg", .mass = -1, .shape = Multibody::sphere(0.1)}), StatementError);
  CHECK(m.body({.name = "leg", .mass = 1, .shape = Multibody::sphere(0.1)}) == 1);
}

TEST_CASE("numbers_of_bodies_and_joints_that_are_not_there_are_refused") {
  Multibody m;
  const int arm = m.body({.name = "arm", .mass = 1, .shape = Multibody::sphere(0.1)});
  const char* words = "there is no body number 7; there are 1, numbered from 0, and ground";
  CHECK_THROWS_WITH_AS(m.spherical("ball", 7, arm, {0, 0, 0}), words, StatementError);
  CHECK_THROWS_AS(m.spherical("ball", -2, arm, {0, 0, 0}), StatementError);
  CHECK_THROWS_WITH_AS(m.spring({.bodies = {ground, 7}, .stiffness = 1}), words, StatementError);
  CHECK_THROWS_WITH_AS(m.spring({.stiffness = 1, .joint = 0}),
                       "there is no joint number 0; there are 0, numbered from 0", StatementError);
  CHECK_THROWS_WITH_AS(m.force(7, {0, 0, 0}, {"1", "0", "0"}), words, StatementError);
  CHECK_THROWS_WITH_AS(m.force(ground, {0, 0, 0}, {"1", "0", "0"}), "a force on ground moves nothing; name a body",
                       StatementError);
}

TEST_CASE("formulas_stated_in_cpp_have_their_count_and_contents") {
  Multibody m;
  const int arm = m.body({.name = "arm", .mass = 1, .shape = Multibody::sphere(0.1)});
  CHECK_THROWS_WITH_AS(m.force(arm, {0, 0, 0}, {"1", "0"}), "the force on body 'arm' has 2 formulas, must have 3",
                       StatementError);
  CHECK_THROWS_WITH_AS(m.force(arm, {0, 0, 0}, {}, {"1"}), "the force on body 'arm' has 1 formula, must have 3",
                       StatementError);
  CHECK_THROWS_WITH_AS(m.motion("0.1*x"), "a motion may contain t only: 0.1*x", livens::formula::FormulaError);
  CHECK_NOTHROW(m.motion("0.1*sin(t)"));
}

TEST_CASE("mechanisms_stated_in_cpp_in_the_plane_stay_in_it") {
  const Multibody::Options plane{.plane = true};
  CHECK_THROWS_WITH_AS(Multibody({.gravity = {0, 0, -9.81}, .plane = true}),
                       "gravity has the third component -9.81, but the mechanism lies in the plane; leave it 0",
                       StatementError);
  Multibody m(plane);
  const auto box = Multibody::box(1, 0.1);
  CHECK_THROWS_WITH_AS(m.body({.name = "a", .mass = 1, .shape = box, .position = {0, 0, 1}}),
                       doctest::Contains("body 'a': position has the third component 1"), StatementError);
  CHECK_THROWS_AS(m.body({.name = "a", .mass = 1, .shape = box, .velocity = {0, 0, 1}}), StatementError);
  CHECK_THROWS_AS(m.body({.name = "a", .mass = 1, .shape = Multibody::box(1, 0.1, 0.2)}), StatementError);
  CHECK_THROWS_WITH_AS(m.body({.name = "a", .mass = 1, .shape = box, .angular_velocity = {1, 0, 0}}),
                       doctest::Contains("leave the first two components 0"), StatementError);
  const int arm = m.body({.name = "a", .mass = 1, .shape = box, .velocity = {0, 1, 0}, .angular_velocity = {0, 0, 2}});
  CHECK_THROWS_AS(m.revolute("pin", ground, arm, {0, 0, 1}), StatementError);
  CHECK_THROWS_WITH_AS(m.revolute("pin", ground, arm, {0, 0, 0}, {0, 1, 0}),
                       "joint 'pin': its axis stands on the plane; leave it out", StatementError);
  CHECK_THROWS_AS(m.prismatic("slide", ground, arm, {0, 0, 0}, {0, 0, 1}), StatementError);
  CHECK_THROWS_AS(m.distance("rope", ground, arm, {0, 0, 1}), StatementError);
  CHECK_THROWS_AS(m.spring({.bodies = {ground, arm}, .points = {{{0, 0, 1}, {0, 0, 0}}}, .stiffness = 1}),
                  StatementError);
  CHECK_THROWS_AS(m.force(arm, {0, 0, 1}, {"1", "0"}), StatementError);
  CHECK(m.revolute("pin", ground, arm, {0, 0, 0}) == 0);
}

// Six rows of rank 5 where the door hangs, and of rank 6 beside: it was said to close in a singular pose only.
TEST_CASE("a_door_on_two_balls_is_assembled_from_beside") {
  const double angle = 0.1, c = std::cos(angle), s = std::sin(angle);
  livens::multibody::Matrix turned = livens::multibody::identity();
  turned(0, 0) = c, turned(0, 1) = -s, turned(1, 0) = s, turned(1, 1) = c;
  Multibody m({.gravity = {0, 0, -9.81}});
  const int door = m.body({.name = "door",
                           .mass = 2,
                           .inertia = Multibody::inertia(0.3, 0.35, 0.4),
                           .position = {1.06, 0.04, -0.04},
                           .rotation = turned});
  const auto ball = [&](const char* name, const Multibody::Vector& here, const Multibody::Vector& there) {
    livens::multibody::JointStatement joint;
    joint.name = name, joint.type = livens::multibody::JointType::spherical, joint.bodies = {ground, door};
    joint.frames.emplace();
    (*joint.frames)[0].point = here, (*joint.frames)[1].point = there;
    m.joint(joint);
  };
  ball("above", {2.83, -3.08, 0.96}, {1.83, -3.08, 0.96});
  ball("below", {1.07, 1.32, 0.39}, {0.07, 1.32, 0.39});
  CHECK_NOTHROW(m.model("door", true));
}

TEST_CASE("shapes_and_inertias_stated_in_cpp_have_lengths_that_bodies_have") {
  using livens::multibody::Shape;
  const double infinite = INFINITY, none = NAN;
  const auto refused = [](const Shape& shape, const char* words, bool plane = false) {
    Multibody m(Multibody::Options{.plane = plane});
    CHECK_THROWS_WITH_AS(m.body({.name = "arm", .mass = 1, .shape = shape}), words, StatementError);
  };
  refused(Multibody::sphere(-0.1), "body 'arm': radius of its sphere is -0.1, must be positive");
  refused(Multibody::sphere(none), "body 'arm': radius of its sphere is nan, must be positive");
  refused(Multibody::box(1, 0, 1), "body 'arm': size of its box is 0, must be positive");
  refused(Multibody::plate(1, infinite), "body 'arm': size of its plate is inf, must be positive");
  refused(Multibody::rod(0), "body 'arm': length of its rod is 0, must be positive");
  refused(Multibody::cylinder(1, -2), "body 'arm': length of its cylinder is -2, must be positive");
  refused(Multibody::disc(-1), "body 'arm': radius of its disc is -1, must be positive", true);
  refused(Multibody::sphere(1), "body 'arm': a sphere is no shape in the plane; take a box or a disc", true);
  refused(Multibody::disc(1), "body 'arm': a disc is no shape in space; take a cylinder");
  Multibody m;
  CHECK_THROWS_WITH_AS(m.body({.name = "arm", .mass = infinite, .shape = Multibody::sphere(1)}),
                       "body 'arm': mass is inf, must be positive", StatementError);
}
