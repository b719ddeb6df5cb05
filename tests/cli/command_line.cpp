// The table of commands and options: help, and what is misspelt.
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
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
  CHECK(mentions(refusal("pendulum --end 1.0"),
                 "\"pendulum\" is a model and no command; did you mean \"livens run pendulum\"?"));
  CHECK(mentions(refusal("./mine.toml"), "did you mean \"livens run ./mine.toml\"?"));
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

TEST_CASE("bash_completes_commands_options_and_names_from_the_table") {
  const Place place;
  put(place / "mine.toml", "");
  fs::create_directory(place / "runs");
  const auto completed = [&](const std::string& words) {
    const Reply reply = shell(place,
                              "source <($livens completion bash)\nCOMP_WORDS=(livens " + words +
                                  ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_livens\necho \"${COMPREPLY[@]}\"",
                              "bash");
    CHECK(reply.status == 0);
    return Place::split(reply.out);
  };
  CHECK(completed("re") == Arguments{"resume", "reproduce", "report"});
  CHECK(completed("study ef") == Arguments{"efficiency"});
  CHECK(completed("study order --step") == Arguments{"--step-sizes"});
  CHECK(completed("run pendulum --st") == Arguments{"--step", "--steps"});
  CHECK(completed("run pendulum-") == Arguments{"pendulum-boundary"});
  CHECK(completed("run m") == Arguments{"modified-pendulum", "mine.toml"});
  CHECK(completed("run pendulum --method gal") == Arguments{"galerkin"});
  CHECK(completed("resume r") == Arguments{"runs"});
  CHECK(completed("list m") == Arguments{"methods"});
  CHECK(completed("run pendulum --step \"\"").empty());
  // Every option of every command is offered.
  for (const std::string command : {"run", "study efficiency", "export"}) {
    const Arguments offered = completed(command + " --");
    std::istringstream said(place.livens(command + " --help").out);
    for (std::string word; said >> word;)
      if (word.starts_with("--") && word.size() > 2 && std::islower(word[2]))
        CHECK_MESSAGE(std::find(offered.begin(), offered.end(), word) != offered.end(), command << " " << word);
  }
}

TEST_CASE("bash_completes_names_of_files_with_blanks_robots_and_help") {
  const Place place;
  for (const char* file : {"my arm.urdf", "my model.toml"}) put(place / file, "");
  fs::create_directory(place / "my runs");
  const auto completed = [&](const std::string& words) {  // as typed: what bash hands on keeps quotes and backslashes
    const Reply reply = shell(place,
                              "source <($livens completion bash)\nCOMP_WORDS=(livens " + words +
                                  ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_livens\nprintf '%s|' \"${COMPREPLY[@]}\"",
                              "bash");
    CHECK(reply.status == 0);
    return reply.out;
  };
  CHECK(completed("import m") == "my arm.urdf|my runs|");
  CHECK(completed("import 'my\\ a'") == "my arm.urdf|");
  CHECK(completed("run '\"my m'") == "my model.toml|");
  CHECK(completed("resume my") == "my runs|");
  CHECK(completed("help study ef") == "efficiency|");
  CHECK(completed("reproduce ggl/t") == "ggl/top|");
  CHECK(completed("study order x --reference e") == "exact|");
}

TEST_CASE("examples_in_the_help_of_all_commands_run" * doctest::test_suite("long")) {
  const Place place;
  std::string model = problem("pendulum");
  model.replace(model.find("100.0"), 5, "1.0");
  put(place / "model.toml", model);
  fs::copy_file(LIVENS_SOURCE "/examples/arm.urdf", place / "robot.urdf");
  ::setenv("BROWSER", "true", 1);
  const auto examples = [&](const std::string& command) {
    Arguments lines;
    std::istringstream said(place.livens("help " + command).out);
    std::string line;
    while (std::getline(said, line) && line != "Examples:") {
    }
    while (std::getline(said, line)) lines.push_back(line.substr(line.find_first_not_of(' ')));
    return lines;
  };
  // A run leaves what the commands after it are about. Watching waits for a browser; man need not be there.
  int run = 0;
  for (const std::string command : {"", "run", "resume", "list", "show", "check", "study order", "study efficiency",
                                    "study symplecticity", "study reversibility", "study invariants", "reproduce",
                                    "advise", "audit", "report", "export", "import", "completion", "help"}) {
    const Arguments lines = examples(command);
    CHECK_MESSAGE(!lines.empty(), command);
    for (std::string line : lines) {
      if (line.ends_with("| man -l -")) line.erase(line.find('|'));
      for (std::size_t at = 0; (at = line.find("livens ", at)) != line.npos; at += 8) line.insert(at, 1, '$');
      const Reply reply = shell(place, "set -e -o pipefail\n" + line, "bash");
      // The last row of table 1, of order 12, is not ok without binary128.
      const bool too_narrow = !LIVENS_QUAD && mentions(line, "reproduce galerkin/table-1") && reply.status == 1;
      CHECK_MESSAGE((reply.status == 0 || too_narrow), line << "\n" << reply.out);
      ++run;
    }
  }
  CHECK(run > 25);
}

TEST_CASE("zsh_reads_its_completion_where_there_is_zsh_and_other_shells_are_refused") {
  const Place place;
  CHECK(shell(place, "$livens completion zsh > _livens; ! command -v zsh > /dev/null || zsh -n _livens").status == 0);
  CHECK(mentions(contents(place / "_livens"), "#compdef livens"));
  CHECK(place.livens("completion fish").status == 2);
}

TEST_CASE("manual_pages_say_what_help_says") {
  const Place place;
  REQUIRE(place.livens("help --man --out man").status == 0);
  for (const std::string command : {"run", "study order"}) {
    std::string name = "livens " + command;
    std::replace(name.begin(), name.end(), ' ', '-');
    const std::string page = contents(place / ("man/" + name + ".1"));
    CHECK(page == place.livens("help --man " + command).out);
    std::string plain = page;
    plain.erase(std::remove(plain.begin(), plain.end(), '\\'), plain.end());
    CHECK(mentions(plain, "KEY=VALUE: override a key of the model"));
    CHECK(mentions(plain, "\n.SH EXAMPLES\n"));
    CHECK(mentions(plain, "livens " + command + " pendulum"));
    CHECK(mentions(place.livens("help " + command).out, "Examples:"));
  }
  // man-db is not needed to run, nor to test; where it is, it has nothing to complain of.
  const Reply troff = shell(place, "! command -v groff > /dev/null || groff -man -ww -z -Tutf8 man/*.1");
  CHECK(troff.status == 0);
  CHECK(troff.out == "");
}

TEST_CASE("colours_are_for_terminals_and_not_where_they_are_not_wanted") {
  const Place place;
  const auto refusal = [&](Errors errors) { return place.start({"run", "pendulm"}, errors).wait().err; };
  const std::string red = "\033[1;31mlivens:\033[0m \"pendulm\" is not a ready problem",
                    plain = "livens: \"pendulm\" is not a ready problem";
  ::unsetenv("NO_COLOR");
  ::setenv("TERM", "xterm", 1);
  CHECK(refusal(Errors::terminal).starts_with(red));
  CHECK(refusal(Errors::pipe).starts_with(plain));
  ::setenv("NO_COLOR", "1", 1);
  CHECK(refusal(Errors::terminal).starts_with(plain));
  ::unsetenv("NO_COLOR");
  ::setenv("TERM", "dumb", 1);
  CHECK(refusal(Errors::terminal).starts_with(plain));
}
