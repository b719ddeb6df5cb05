// The table of commands and options: help, and what is misspelt.
#include <doctest/doctest.h>

#include "cli/program.hpp"

using namespace program;

TEST_CASE("misspelt_commands_and_options_are_answered_with_the_nearest") {
  const Place place;
  const auto refusal = [&](const std::string& words) {
    const Reply reply = place.livens(words);
    CHECK(reply.status == 2);
    CHECK(reply.out == "");
    return reply.err;
  };
  CHECK(mentions(refusal("rnu pendulum"), "\"rnu\" is not known here; did you mean \"run\"? livens --help"));
  CHECK(mentions(refusal("study ordr pendulum"), "did you mean \"order\"?"));
  CHECK(mentions(refusal("run pendulum --jsno"), "did you mean \"--json\"?"));
  CHECK(mentions(refusal("run pendulum --acuracy=1e-3"), "did you mean \"--accuracy\"?"));
  CHECK(mentions(refusal("help rnu"), "there is no command \"rnu\"; did you mean \"run\"? livens --help"));
  CHECK_FALSE(mentions(refusal("fly pendulum"), "did you mean"));
  CHECK(place.empty());
}

TEST_CASE("help_of_a_command_is_what_the_command_says_of_itself") {
  const Place place;
  for (const std::string command : {"", "run", "study", "study order"}) {
    const Reply asked = place.livens("help " + command);
    CHECK(asked.status == 0);
    CHECK(asked.out == place.livens(command + " --help").out);
    CHECK(mentions(asked.out, "Usage: livens " + command));
  }
}
