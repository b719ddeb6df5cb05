// livens list, show, check, --version and --help.
#include <doctest/doctest.h>

#include <algorithm>

#include "cli/program.hpp"

using namespace program;

namespace {

std::vector<std::string> problem_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(LIVENS_SOURCE) / "problems"))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string answer(const std::string& words) {
  const Place place;
  const Reply reply = place.livens(words);
  CAPTURE(words);
  CHECK(reply.status == 0);
  CHECK(reply.err == "");
  CHECK(place.empty());
  return reply.out;
}

}  // namespace

TEST_CASE("the_list_of_problems_has_every_file_of_the_problems_folder") {
  const Json list = Json::parse(answer("list problems --json"));
  const std::string text = answer("list problems");
  std::vector<std::string> names;
  for (const Json& row : list) {
    CHECK(keys(row) == std::vector<std::string>{"name", "title", "kind", "method"});
    CHECK(row["title"] != "");
    CHECK(mentions(text, row["name"].get<std::string>() + " "));
    CHECK(mentions(text, row["title"].get<std::string>() + "\n"));
    names.push_back(row["name"]);
  }
  std::sort(names.begin(), names.end());
  CHECK(names == problem_names());
}

TEST_CASE("the_list_of_methods_tells_what_they_fit_and_what_they_keep") {
  const Json list = Json::parse(answer("list methods --json"));
  const std::string text = answer("list methods");
  std::vector<std::string> names;
  for (const Json& row : list) {
    CHECK(keys(row) ==
          std::vector<std::string>{"name", "summary", "kinds", "order", "symplectic", "symmetric", "keeps", "options"});
    CHECK_FALSE(row["kinds"].empty());
    CHECK(mentions(text, row["name"].get<std::string>() + " "));
    CHECK(mentions(text, row["summary"].get<std::string>()));
    for (const Json& option : row["options"]) {
      std::vector<std::string> wanted{"name", "default", "help"};
      if (option["default"].is_string() && option.contains("choices")) {
        wanted.push_back("choices");
        for (const Json& choice : option["choices"]) CHECK(mentions(text, choice.get<std::string>()));
      }
      CHECK(keys(option) == wanted);
    }
    names.push_back(row["name"]);
  }
  for (const char* name : {"shake", "rattle", "constrained-euler"})
    CHECK(std::find(names.begin(), names.end(), name) != names.end());
}

TEST_CASE("every_key_of_a_model_file_and_of_a_method_is_told_with_its_meaning_in_a_line") {
  const Json list = Json::parse(answer("list keys --json"));
  const std::string text = answer("list keys");
  for (const Json& row : list) {
    CAPTURE(row["key"]);
    const std::string meaning = row["meaning"].get<std::string>();
    CHECK(meaning.size() > 7);
    CHECK(meaning.find('\n') == meaning.npos);
    CHECK(mentions(text, meaning + "\n"));
  }
  CHECK(list.size() > 180);
}

TEST_CASE("show_prints_the_very_file_of_a_ready_problem") {
  for (const std::string& name : problem_names()) CHECK(answer("show " + name) == problem(name));
}

TEST_CASE("what_show_prints_can_be_run") {
  const Place place;
  put(place / "copy.toml", place.livens("show pendulum").out);
  CHECK(place.summary("copy.toml", {"run.steps=5"})["final"] == place.summary("pendulum", {"run.steps=5"})["final"]);
}

TEST_CASE("every_ready_problem_passes_the_check") {
  for (const std::string& name : problem_names()) {
    const std::string text = answer("check " + name);
    CHECK(mentions(text, "agrees with automatic differentiation"));
    CHECK_FALSE(mentions(text, "WRONG"));
  }
}

TEST_CASE("every_ready_problem_with_a_method_runs") {
  const Place place;
  for (const Json& row : Json::parse(answer("list problems --json"))) {
    if (row["method"] == "") continue;
    const std::string name = row["name"];
    CHECK(place.summary(name, {"run.steps=10"})["outcome"] == "finished");
  }
}

TEST_CASE("check_speaks_of_the_method_and_takes_overrides") {
  CHECK(mentions(answer("check pendulum"), "rattle fits"));
  CHECK(mentions(answer("check pendulum --set method.name=shake"), "shake fits"));
  CHECK(mentions(answer("check overdetermined-cubic"), "euler fits"));
}

TEST_CASE("version_and_help_are_answers_not_errors") {
  CHECK(answer("--version").starts_with("livens 0.1.0 ("));
  for (const char* command : {"run", "list", "show", "check"}) {
    CHECK(mentions(answer("--help"), std::string("\n  ") + command + " "));
    CHECK(mentions(answer(std::string(command) + " --help"), "Usage: livens " + std::string(command)));
  }
}
