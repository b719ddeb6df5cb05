// Wrong contacts and events, and what is said about them.
#include <doctest/doctest.h>

#include "contact/runs.hpp"

using namespace livens;
using namespace livens::test;

namespace {

struct Wrong {
  Overrides set;
  std::string words;
};

}  // namespace

TEST_CASE("wrong_contacts_are_refused_in_words") {
  const std::string model =
      point("\"y\", \"4 - x\"", "q = [0.2, 1.0]\nv = [0.5, 0.0]", "unilateral = true\nrestitution = 0.6",
            "step = 0.01\nend = 1.0", "[[event]]\nname = \"apex\"\nwhen = \"y'\"\naction = \"record\"\n");
  REQUIRE(refusal(model) == "");
  const std::vector<Wrong> wrong = {
      {{{"contact.restitution", "2.0"}}, "contact.restitution: is 2; restitution is a number from 0"},
      {{{"contact.restitution", "-0.1"}}, "contact.restitution: is -0.1; restitution"},
      {{{"contact.restitution", "[0.5, 0.5, 0.5]"}},
       "contact.restitution: has 3 numbers, and 2 constraints are one-sided"},
      {{{"contact.restitution", "[0.5, 7]"}}, "contact.restitution: contact.restitution[2]: is 7; restitution"},
      {{{"contact.unilateral", "[3]"}}, "is 3; write an integer from 1 to 2"},
      {{{"contact.unilateral", "[1, 1]"}}, "is there twice; leave one out"},
      {{{"contact.unilateral", "[]"}}, "contact.unilateral: is empty; write numbers of constraints"},
      {{{"contact.unilateral", "false"}}, "contact.unilateral: is false; write true for all constraints"},
      {{{"contact.unilateral", "\"all\""}}, "contact.unilateral: is a string"},
      {{{"contact.threshold", "0"}}, "contact.threshold: is 0; write a positive number"},
      {{{"contact.events_per_step", "0"}}, "contact.events_per_step: is 0; write an integer from 1"},
      {{{"contact.restitutoin", "0.5"}}, "unknown key; did you mean \"restitution\"?"},
      {{{"contact.friction", "-1"}}, "contact.friction: is -1, must not be negative"},
      {{{"contact.exponent", "2"}}, "contact.exponent: belongs to friction, which is not given"},
      {{{"contact.impulse", "[[\"1\", \"0\"]]"}}, "contact.impulse: belongs to kind \"odae\", not to \"lagrangian\""},
      {{{"initial.q", "[0.2, -0.1]"}}, "initial.q: constraint 1 is -1.0e-01, below 0: the start is on the wrong side"},
      {{{"method.name", "galerkin"}}, "method.name: \"galerkin\" has no steps that end at contacts"},
      {{{"run.step", "-0.01"}, {"run.steps", "10"}}, "run.step: is negative; contacts lose energy"},
      {{{"run.precision", "extended"}}, "run.precision: \"extended\" is not made for contacts; write \"double\""},
      {{{"contact.friction", "0.3"}, {"system.lagrangian", "\"x'^2/2 + y'^2 - y\""}},
       "contact.friction: constraint 1 contains 1 coordinate, and"},
      {{{"contact.friction", "0.3"}, {"system.lagrangian", "\"(1 + x^2)*x'^2/2 + y'^2/2 - y\""}},
       "contact.friction: needs a constant mass matrix"},
      {{{"contact.friction", "0.3"}, {"system.constraints", "[\"y - t\", \"4 - x\"]"}},
       "contact.friction: needs constraints without t"},
      {{{"system.constraints", "[\"y^2\", \"4 - x\"]"}, {"initial.q", "[0.0, 0.0]"}}, "constraint 1 has no gradient"},
      {{{"system.constraints", "[\"y\", \"2*y\"]"}},
       "constraint 1 and constraint 2 are one contact: the gap of one is 2 times"},
      {{{"system.constraints", "[\"y - 1\", \"1 - y\"]"}}, "are the two sides of one surface"},
      {{{"method.name", "auto"}},
       "\"auto\" chooses among methods for constraints that hold on both sides; name one; "
       "methods that fit: rattle"},
      {{{"method.name", "newton"}}, "there is no method \"newton\" in this version; methods that fit: rattle"},
      {{{"event", "[{ name = \"a\", when = \"y\", action = \"halt\" }]"}}, "\"halt\" is unknown"},
      {{{"event", "[{ name = \"a\", when = \"q\", action = \"stop\" }]"}}, "unknown name \"q\" at column 1"},
      {{{"event", "[{ name = \"a\", when = \"m - 2\", action = \"stop\" }]"}}, "does not change"},
      {{{"event", "[{ name = \"a\", when = \"y\", direction = 2, action = \"stop\" }]"}},
       "is 2; write an integer from -1 to 1"},
      {{{"event", "[{ name = \"a\", when = \"y\" }]"}}, "missing; write action = \"record\""},
      {{{"event",
         "[{ name = \"a\", when = \"y\", action = \"stop\" }, { name = \"a\", when = \"x\", action = \"stop\" }]"}},
       "there is another event \"a\"; choose another name"},
      {{{"event", "[{ name = \"a\", wen = \"y\", action = \"stop\" }]"}}, "unknown key; did you mean \"when\"?"},
  };
  for (const Wrong& w : wrong) {
    CAPTURE(w.words);
    const std::string words = refusal(model, w.set);
    CHECK_MESSAGE(words.find(w.words) != std::string::npos, words);
  }
}

TEST_CASE("wrong_ropes_and_contacts_of_other_kinds_are_refused_in_words") {
  const std::string rope =
      "[system]\nkind = \"multibody\"\nplane = true\n[[body]]\nname = \"stone\"\nmass = 1.0\nshape = { type = "
      "\"point\" }\n"
      "position = [2.0, 0.0]\n[[joint]]\nname = \"rope\"\ntype = \"distance\"\nbodies = [\"ground\", \"stone\"]\n";
  const std::string rest = "[method]\nname = \"rattle\"\n[run]\nstep = 0.01\nsteps = 3\n";
  const auto said = [&](const std::string& keys, const std::string& words) {
    const std::string found = refusal(rope + keys + rest);
    CHECK_MESSAGE(found.find(words) != std::string::npos, found);
  };
  CHECK(refusal(rope + "unilateral = true\n" + rest) == "");
  said("length = 1.0\nunilateral = true\n", "joint 'rope' is passed by");
  said("unilateral = true\nrestitution = 2\n", "restitution is 2");
  said("restitution = 0.5\n", "belongs to one-sided joints; write unilateral = true");
  said("[contact]\nthreshold = 1e-6\n", "no joint is one-sided");
  const std::string revolute =
      "[[joint]]\nname = \"pin\"\ntype = \"revolute\"\nbodies = [\"ground\", \"stone\"]\n"
      "at = [2.0, 0.0]\nunilateral = true\n";
  said(revolute, "one-sided joints are distance (a rope) and slider (a stop), this one is revolute");
}
