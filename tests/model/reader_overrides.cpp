#include <doctest/doctest.h>

#include "model/models.hpp"

using namespace livens;
using formula::Number;
using models::cubic, models::pendulum, models::refusal, models::vortices;

TEST_CASE("an_override_replaces_or_adds_a_key") {
  const Model model = read_model("m.toml", pendulum,
                                 {{"title", "A pendulum"},
                                  {"run.step", "0.05"},
                                  {"system.parameters.l", "2"},
                                  {"initial.v", "[0.1, \"l/10\"]"},
                                  {"initial.project", "true"},
                                  {"solver.tolerance", "round-off"}});
  CHECK(model.title == "A pendulum");
  CHECK(model.run.step == Number(1) / 20);
  CHECK(model.run.steps == 200);
  CHECK(model.initial.q[0] == 2);
  CHECK(model.initial.v == std::vector<Number>{Number(1) / 10, Number(1) / 5});
  CHECK(model.initial.project);
  CHECK_FALSE(model.solver.tolerance);
  CHECK(model.set.size() == 6);
  CHECK(model.text == pendulum);
}

TEST_CASE("an_override_makes_the_sections_that_the_file_lacks") {
  const Model model =
      read_model("m.toml", vortices, {{"method.name", "vprk"}, {"run.step", "0.1"}, {"run.steps", "10"}});
  CHECK(model.method.name == "vprk");
  CHECK(model.run.steps == 10);
}

TEST_CASE("another_method_takes_no_options_from_the_file") {
  for (const Overrides& set : {Overrides{{"method.name", "spark"}, {"method.s", "3"}},
                               Overrides{{"method.s", "3"}, {"method.name", "spark"}}}) {
    const Model model = read_model("m.toml", pendulum, set);
    CHECK(model.method.name == "spark");
    REQUIRE(model.method.options.size() == 1);
    CHECK(std::get<long long>(model.method.options.at("s")) == 3);
    CHECK_FALSE(model.lines.contains("method.quadrature"));
  }
}

TEST_CASE("a_new_length_of_the_run_replaces_the_other_way_to_say_it") {
  CHECK(read_model("m.toml", pendulum, {{"run.steps", "3"}}).run.steps == 3);
  CHECK(read_model("m.toml", cubic, {{"run.end", "-5"}}).run.steps == 10);
  CHECK(refusal(pendulum, {{"run.steps", "3"}, {"run.end", "0.6"}}) ==
        "--set run.steps: end and steps are both given; leave one out");
}

TEST_CASE("what_is_no_toml_value_is_a_string") {
  const auto option = [](const std::string& value) {
    return read_model("m.toml", pendulum, {{"method.s", value}}).method.options.at("s");
  };
  CHECK(std::get<std::string>(option("lobatto-IIIA")) == "lobatto-IIIA");
  CHECK(std::get<std::string>(option("\"gauss\"")) == "gauss");
  CHECK(std::get<std::string>(option("")) == "");
  CHECK(std::get<std::string>(option("1 # one")) == "1 # one");
  CHECK(std::get<std::string>(option("1, w = 2")) == "1, w = 2");
  CHECK(std::get<std::string>(option("1\ns = 2")) == "1\ns = 2");
  CHECK(std::get<std::string>(option("True")) == "True");
  CHECK(std::get<bool>(option("true")) == true);
  CHECK(std::get<long long>(option(" 4 ")) == 4);
  CHECK(std::get<double>(option("2.5e-1")) == 0.25);
}

TEST_CASE("of_two_overrides_of_a_key_the_last_counts") {
  CHECK(read_model("m.toml", pendulum, {{"run.step", "0.3"}, {"run.step", "0.1"}}).run.step == Number(1) / 10);
  CHECK(read_model("m.toml", pendulum, {{"method.s", "0.3"}, {"method.s", "no"}}).method.options.at("s") ==
        OptionValue(std::string("no")));
}

TEST_CASE("a_wrong_override_is_named_as_it_was_given") {
  struct Row {
    std::string key, value, message;
  };
  const std::vector<Row> rows{
      {"run.step", "0,1", "--set run.step: is a string (\"0,1\"), must be a number; write step = 0.01"},
      {"run.step", "nan", "--set run.step: is nan; write a finite number"},
      {"run.stp", "0.1", "--set run.stp: unknown key; did you mean \"step\"?"},
      {"metod.s", "3", "--set metod.s: metod: unknown key; did you mean \"method\"?"},
      {"initial.q", "[1, 2, 3]",
       "--set initial.q: has 3 numbers, the system has 2 coordinates; write one number for every coordinate"},
      {"initial.q", "[1, \"l + k\"]",
       "--set initial.q: initial.q[2]: unknown name \"k\" at column 5; name it in system.parameters or system.let"},
      {"system.lagrangian", "x'^2 + v",
       "--set system.lagrangian: unknown name \"v\" at column 8; name it in system.parameters or system.let"},
      {"run", "3", "--set run: is an integer (3), must be a section; write [run] and below it step = 0.01"},
      {"method", "{s = 1}", "--set method: method.name: missing; write name = \"rattle\""},
      {"final.q", "[1]",
       "--set final.q: has 1 number, the system has 2 coordinates; write one number for every coordinate"},
      {"", "1", "--set =1: \"\" is not a key; write --set KEY=VALUE, such as --set run.step=0.01"},
      {"a..b", "1", "--set a..b=1: \"a..b\" is not a key; write --set KEY=VALUE, such as --set run.step=0.01"},
      {".a", "1", "--set .a=1: \".a\" is not a key; write --set KEY=VALUE, such as --set run.step=0.01"},
      {"run step", "1",
       "--set run step=1: \"run step\" is not a key; write --set KEY=VALUE, such as --set run.step=0.01"},
      {"initial.q[1]", "1",
       "--set initial.q[1]=1: what is inside an array cannot be set; set the whole array, --set initial.q=[1.0,0.0]"},
      {"initial.q.1", "1",
       "--set initial.q.1=1: initial.q is an array, nothing inside it can be set; set initial.q as a whole"},
      {"title.en", "1", "--set title.en=1: title is a string, nothing inside it can be set; set title as a whole"},
      {"system.parameters.x", "1",
       "--set system.parameters.x: the name \"x\" is already given at system.coordinates[1]; choose another one"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.key);
    CHECK(refusal(pendulum, {{row.key, row.value}}) == row.message);
  }
}
