// The table of commands and options: help, and what is misspelt.
#include <doctest/doctest.h>

#include <cstdlib>

#include "cli/program.hpp"

using namespace program;

namespace {

// A line of the shell in that place, in which $livens is the program; what it prints on both streams.
Reply shell(const Place& place, const std::string& line, const std::string& with = "sh") {
  put(place / "line", "cd '" + (place / "").string() + "'; livens='" + LIVENS_PROGRAM + "'\n" + line);
  const std::string all = with + " " + (place / "line").string() + " > " + (place / "said").string() + " 2>&1";
  Reply reply;
  reply.status = WEXITSTATUS(std::system(all.c_str()));
  reply.out = contents(place / "said");
  return reply;
}

}  // namespace

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

TEST_CASE("a_model_on_standard_input_is_run_and_resumed_as_one_of_a_file") {
  const Place place;
  std::string text = problem("pendulum");
  text.erase(text.find("title"), text.find('\n', text.find("title")) - text.find("title"));
  put(place / "m.toml", text);
  CHECK(shell(place, "$livens run - --steps 20 --quiet < m.toml").status == 0);
  CHECK(place.livens("resume runs/standard-input-1 --steps 40").status == 0);
  const Json whole = place.summary("m.toml --steps 40 --out r");
  const Json resumed = Json::parse(contents(place / "runs/standard-input-1/summary.json"));
  CHECK(resumed["final"] == whole["final"]);
  CHECK(resumed["model_sha256"] == whole["model_sha256"]);
  CHECK(resumed["title"] == "standard input");
  for (const std::string command : {"check -", "study reversibility - --set run.steps=5", "advise - --set run.end=0.1"})
    CHECK_MESSAGE(shell(place, "$livens " + command + " < m.toml").status == 0, command);
  const Reply wrong = shell(place, "echo '[system]\nkind = \"flying\"' | $livens check -");
  CHECK(wrong.status == 2);
  CHECK(mentions(wrong.out, "livens: standard input:2: system.kind: "));
  const Reply nothing = shell(place, "$livens run - < /dev/null");
  CHECK(nothing.status == 2);
  CHECK(mentions(nothing.out, "standard input: is empty; "));
}

TEST_CASE("check_tells_programs_what_it_tells_people") {
  const Place place;
  const Reply words = place.livens("check pendulum");
  const Json found = place.livens("check pendulum --json").json();
  CHECK(keys(found) == std::vector<std::string>{"model", "title", "kind", "checks", "method", "ok"});
  CHECK(found["model"] == "pendulum");
  CHECK(found["kind"] == "lagrangian");
  CHECK(found["method"] == "rattle");
  CHECK(found["ok"] == true);
  REQUIRE(found["checks"].size() > 3);
  for (const Json& line : found["checks"]) {
    CHECK(mentions(words.out, line["what"].get<std::string>()));
    CHECK(mentions(words.out, line["finding"].get<std::string>()));
    CHECK(line["ok"] == true);
  }
}
