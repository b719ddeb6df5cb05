// Mistakes that would otherwise be believed: each is told, and what is damaged or left over is found.
#include <doctest/doctest.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmath>
#include <fstream>

#include "cli/program.hpp"
#include "cli/trajectory.hpp"

using namespace program;

namespace {

std::string model(const std::string& lagrangian, const std::string& more = "", const std::string& method = "rattle") {
  return "[system]\nkind = \"lagrangian\"\ncoordinates = [\"x\", \"y\"]\nlagrangian = \"" + lagrangian + "\"\n" + more +
         "[initial]\nq = [0.5, 0.2]\nv = [0.0, 0.1]\n[method]\nname = \"" + method +
         "\"\n[run]\nstep = 0.01\nend = 1.0\n";
}
const std::string oscillator = "(x'^2 + y'^2)/2 - (x^2 + y^2)/2";

std::string line_of(const std::string& text, std::string_view begin) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with(begin)) return line;
  return "";
}

}  // namespace

TEST_CASE("a_parameter_that_the_model_does_not_have_cannot_be_set") {
  const Place place;
  const Reply near = place.livens("run pendulum --set system.parameters.G=1.0 --out r");
  CHECK(near.status == 2);
  CHECK(mentions(near.err, "the model has no parameter \"G\"; did you mean \"g\"?"));
  const Reply far = place.livens("check pendulum --set system.parameters.damping=1.0");
  CHECK(far.status == 2);
  CHECK(mentions(far.err, "it has g, l, m"));
  put(place / "m.toml", model(oscillator));
  CHECK(mentions(place.livens("check m.toml --set system.let.r=x").err,
                 "the model has no definition \"r\"; it has none"));
  CHECK(place.livens("check pendulum --set system.parameters.g=1.0").status == 0);
  const auto table = [&](const std::string& names) {
    return place.run({"check", "pendulum", "--set", "system.parameters={ m = 1.0, l = 1.0, " + names + " }"});
  };
  CHECK(table("g = 1.0").status == 0);
  CHECK(table("g = \"k\", k = 2.0").status == 0);
  CHECK(table("g = 1.0, damping = 2.0").status == 2);
  CHECK(mentions(table("g = 1.0, damping = 2.0").err, "the model has no parameter \"damping\"; it has g, l, m"));
  CHECK(place.livens("check pendulum --set system.parameters.k=2.0 --set system.parameters.g=k").status == 0);
}

TEST_CASE("check_tells_parameters_and_definitions_that_nothing_needs") {
  const Place place;
  put(place / "m.toml", model("m*(x'^2 + y'^2)/2 - r^2",
                              "let = { r = \"a*x\", s = \"y\" }\n[system.parameters]\nm = "
                              "\"2*n\"\nn = 1.0\na = 1.0\nb = [1.0, 2.0]\n"));
  const Reply reply = place.livens("check m.toml");
  CHECK(reply.status == 0);
  CHECK(mentions(line_of(reply.out, "unused"), "system.parameters.b, system.let.s: no formula needs them"));
  CHECK(line_of(place.livens("check chain").out, "unused") == "");
}

TEST_CASE("velocities_written_as_elsewhere_are_answered_with_a_quote") {
  const Place place;
  for (const std::string name : {"x_dot", "xdot", "vx", "dx", "v_x", "x_t", "dxdt"}) {
    put(place / "m.toml", model("(" + name + "^2 + y'^2)/2"));
    CAPTURE(name);
    CHECK(mentions(place.livens("check m.toml").err, "unknown name \"" + name +
                                                         "\" at column 2; a velocity is written "
                                                         "with a quote: x'"));
  }
  for (const std::string name : {"xdot12", "x_dot12", "x12dot", "vx12", "v_x12", "xp12", "dx12dt"}) {
    std::string numbered = model("(" + name + "^2 + y'^2)/2");
    numbered = numbered.replace(numbered.find("\"x\""), 3, "\"x12\"");
    put(place / "m.toml", numbered);
    CAPTURE(name);
    CHECK(mentions(place.livens("check m.toml").err, "a velocity is written with a quote: x12'"));
  }
}

TEST_CASE("a_term_linear_in_v_leaves_the_mass_matrix_constant_and_is_why_methods_do_not_fit") {
  const Place place;
  put(place / "m.toml", model("(x'^2 + y'^2)/2 + x*y' - y*x'"));
  CHECK(mentions(line_of(place.livens("check m.toml").out, "mass matrix"),
                 "constant; beside v.Mv/2 - V(t,q) L has a term "
                 "linear in v"));
  const Reply refused = place.livens("run m.toml --set method.name=hbvm");
  CHECK(refused.status == 2);
  CHECK(mentions(refused.err, "this L has a term linear in v"));
}

TEST_CASE("a_polynomial_of_degree_200_passes_the_check_and_needs_no_200_points") {
  const Place place;
  put(place / "m.toml", model("(x'^2 + y'^2)/2 - x^200 - y^2", "", "hbvm"));
  const Reply check = place.livens("check m.toml");
  CHECK(check.status == 0);
  CHECK_FALSE(mentions(check.out, "WRONG"));
  const Json summary = place.summary("m.toml --out r");
  CHECK(summary["method"]["k"] <= 40);
  CHECK(mentions(summary["message"].get<std::string>(), "200 points would be exact"));
}

TEST_CASE("control_characters_are_shown_and_never_sent") {
  const Place place;
  put(place / "m.toml", "title = \"a\\u001b[31mb\\u009bc\"\n" + model(oscillator));
  const Reply run = place.livens("run m.toml --out r");
  CHECK(run.status == 0);
  CHECK(mentions(run.err, "a\\x1b[31mb\\xc2\\x9bc: 100 steps"));
  const Reply order = place.livens("study order m.toml --step-sizes 0.1,0.05");
  CHECK(mentions(order.out, "a\\x1b[31mb"));
  const Reply missing = place.run({"run", "no\x1b[2J\rsuch.toml"});
  CHECK(missing.status == 2);
  CHECK(mentions(missing.err, "no\\x1b[2J\\x0dsuch.toml"));
  const Reply set = place.run({"check", "m.toml", "--set", "run.step=\x1b]0;x\x07"});
  for (const std::string& text : {run.err, run.out, order.out, missing.err, set.err})
    CHECK(text.find_first_of("\x1b\r\x07") == std::string::npos);
}

TEST_CASE("an_untitled_run_carries_the_name_of_its_file_and_a_pipe_may_be_a_model") {
  const Place place;
  put(place / "swing.toml", model(oscillator));
  CHECK(place.summary("swing.toml --out r")["title"] == "swing");
  const fs::path pipe = place / "pipe.toml";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  const pid_t writer = ::fork();
  if (writer == 0) {
    std::ofstream(pipe) << model(oscillator);
    ::_exit(0);
  }
  const Reply study = place.run({"study", "efficiency", "pipe.toml", "--methods", "rattle, galerkin(s=2)"});
  ::waitpid(writer, nullptr, 0);
  CHECK(study.status == 0);
  CHECK(mentions(study.out, "galerkin(s=2)"));
}

TEST_CASE("a_study_of_efficiency_goes_on_where_a_method_does_not_fit_and_has_step_sizes_by_itself") {
  const Place place;
  put(place / "m.toml", model("(x'^2 + y'^2)/2 + x*y' - y*x' - x^2"));
  const Reply reply = place.run({"study", "efficiency", "m.toml", "--methods", "hbvm, rattle"});
  CHECK(reply.status == 0);
  CHECK(mentions(line_of(reply.out, "hbvm"), "does not fit: it needs L = v.Mv/2"));
  const Json study = place.run({"study", "efficiency", "m.toml", "--methods", "hbvm, rattle", "--json"}).json();
  REQUIRE(study["rows"].size() == 5);
  CHECK(study["rows"][0]["step"].get<double>() == doctest::Approx(1.0 / 12));
  CHECK(study["rows"][3]["step"].get<double>() == doctest::Approx(0.01));
  CHECK(study["rows"][3]["cost"]["seconds"] > 0);
  CHECK(mentions(study["rows"][4]["does_not_fit"].get<std::string>(), "linear in v"));
  CHECK(place.run({"study", "efficiency", "m.toml", "--methods", "hbvm"}).status == 2);
  CHECK(place.run({"study", "efficiency", "m.toml", "--methods", "hbvm, ratle"}).status == 2);
}

TEST_CASE("an_interrupted_run_names_the_command_that_goes_on") {
  const Place place;
  for (const auto& [directory, word] : {std::pair{"r", "r"}, {"a swing", "'a swing'"}, {"it's", "'it'\\''s'"}}) {
    Process process = place.start({"run", "pendulum", "--set", "run.end=1e6", "--out", directory});
    place.wait_for(directory);
    process.signal(SIGINT);
    const Reply reply = process.wait();
    CHECK(reply.status == 1);
    CHECK(mentions(reply.err, std::string("livens resume ") + word + " goes on from there"));
  }
}

TEST_CASE("check_ends_at_once_when_it_is_asked_to_and_leaves_out_what_takes_minutes") {
  const Place place;
  const std::string many = "i = 0..1499", sum = "sum(i = 0..1499, x[i]^2)";
  put(place / "m.toml", "[system]\nkind = \"lagrangian\"\ncoordinates = [{ for = \"" + many +
                            "\", each = [\"x[i]\"] }]\nlagrangian = \"sum(i = 0..1499, x[i]'^2)/2 - exp(-sum(i = "
                            "0..1499, sin(x[i])*x[i]))*"
                            "cos(" +
                            sum + ")\"\n[initial]\nq = [{ for = \"" + many + "\", each = [\"0\"] }]\nv = [{ for = \"" +
                            many + "\", each = [\"0\"] }]\n");
  Process process = place.start({"check", "m.toml"});
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  process.signal(SIGINT);
  CHECK(process.wait().status == 128 + SIGINT);
}

// ---- what is stored -------------------------------------------------------------------------------------------------

TEST_CASE("a_trajectory_holds_the_model_as_it_was_run_and_what_its_numbers_mean") {
  const Place place;
  put(place / "m.toml", "# my pendulum\n" + problem("pendulum"));
  place.summary("m.toml --out r", {"system.parameters.g=1.625", "run.end=1.0", "method.name=galerkin", "method.s=3"});
  const std::string file = contents(place / "r/trajectory.h5");
  for (const std::string_view part : {"model_as_run", "g = 1.625", "coordinate_names", "description", "check",
                                      "options", "velocities dq/dt", "step", "# my pendulum"})
    CHECK_MESSAGE(mentions(file, part), part);
  // What stands there is the same model.
  put(place / "again.toml", Trajectory(place / "r/trajectory.h5").text("model_as_run"));
  CHECK(place.summary("again.toml --out s")["final"] == Json::parse(contents(place / "r/summary.json"))["final"]);
}

TEST_CASE("numbers_that_were_changed_are_found_and_named_by_all_who_read_them") {
  const Place place;
  const Json summary = place.summary("pendulum --out r", {"run.end=1.0"});
  CHECK(place.livens("audit r").status == 0);
  const std::string file = contents(place / "r/trajectory.h5");
  const auto change = [&](double number) {
    std::string changed = file;
    const std::size_t at = changed.find(std::string(reinterpret_cast<const char*>(&number), sizeof number));
    REQUIRE(at != std::string::npos);
    changed[at + 2] = static_cast<char>(changed[at + 2] ^ 1);
    put(place / "r/trajectory.h5", changed);
  };
  change(-std::cos(1.0));  // the first number of y
  for (const std::string command :
       {"audit r", "report r", "export r --csv", "study order pendulum --step-sizes 0.1,0.05 --reference r"}) {
    const Reply reply = place.livens(command);
    CHECK(reply.status == 2);
    CHECK(mentions(reply.err, "/q does not hold the numbers that were written; "));
  }
  CHECK(mentions(place.livens("resume r --end 1.5").err, "r/trajectory.h5: is damaged"));
  change(summary["final"]["q"][1].get<double>());  // the first row is whole: the longer run starts from it again
  const Reply longer = place.livens("resume r --end 1.5");
  CHECK(longer.status == 0);
  CHECK(mentions(longer.err, "note: trajectory.h5 is damaged; the run goes on from the checkpoint before, step 0"));
}

TEST_CASE("texts_attributes_and_events_that_were_changed_are_found_too") {
  const Place place;
  put(place / "m.toml", model(oscillator) + "[[event]]\nname = \"crossing\"\nwhen = \"x\"\naction = \"record\"\n");
  const Json summary = place.summary("m.toml --out r", {"run.step=0.0625", "run.end=4.0"});
  REQUIRE(summary["events"].size() == 1);
  const std::string file = contents(place / "r/trajectory.h5");
  const auto bytes = [](double number) { return std::string(reinterpret_cast<const char*>(&number), sizeof number); };
  for (const auto& [part, place_of_change, told] :
       {std::tuple<std::string, std::size_t, std::string>{"step = 0.0625", 8, "/model_as_run is not what was written"},
        {"rattle", 0, "the attributes are not what was written"},
        {bytes(0.0625), 1, "the attributes are not what was written"},
        {"crossing", 0, "is not what was written"},
        {bytes(summary["events"][0]["t"].get<double>()), 0, "/events/t is not what was written"}}) {
    const std::string words = told;  // clang 14 captures no parts of a tuple
    CAPTURE(words);
    std::string changed = file;
    // Not that of the model file, whose hash is in the summary.
    const std::size_t model = part.starts_with("step") ? changed.find("step = 0.01") + 1 : 0,
                      at = part == "crossing" ? changed.rfind(part) : changed.find(part, model);
    REQUIRE(at != std::string::npos);
    changed[at + place_of_change] = static_cast<char>(changed[at + place_of_change] ^ 1);
    put(place / "r/trajectory.h5", changed);
    for (const std::string command : {"audit r", "report r"}) {
      const Reply reply = place.livens(command);
      CHECK(reply.status == 2);
      CHECK_MESSAGE(mentions(reply.err, words), reply.err);
    }
  }
  put(place / "r/trajectory.h5", file);
  CHECK(place.livens("audit r").status == 0);
}

TEST_CASE("rows_of_a_finished_run_are_stored_once_and_a_longer_run_has_the_same_bits") {
  const Place place;
  place.summary("pendulum --out long", {"run.end=2.0"});
  place.summary("pendulum --out r", {"run.end=1.0"});
  CHECK(fs::file_size(place / "r/checkpoint.rows") == 0);
  CHECK(place.livens("resume r").status == 0);
  fs::remove(place / "r/summary.json");
  CHECK(place.livens("resume r").status == 0);
  CHECK(place.has("r/summary.json"));
  REQUIRE(place.livens("resume r --end 2.0").status == 0);
  const auto summary = [&](const std::string& name) { return Json::parse(contents(place / (name + "/summary.json"))); };
  CHECK(summary("r")["final"] == summary("long")["final"]);
  CHECK(summary("r")["audit"] == summary("long")["audit"]);
  CHECK(fs::file_size(place / "r/checkpoint.rows") == 0);
  fs::remove(place / "r/trajectory.h5");
  const Reply lost = place.livens("audit r");
  CHECK(lost.status == 2);
  CHECK(mentions(lost.err, "trajectory.h5: is missing; run the model again with --force"));
  CHECK(place.livens("resume r --end 3.0").status == 2);
}

TEST_CASE("what_a_killed_run_left_behind_is_taken_away_by_the_next") {
  const Place place;
  const pid_t dead = ::fork();
  if (dead == 0) ::_exit(0);
  ::waitpid(dead, nullptr, 0);
  const std::string of_dead = ".r.partial-" + std::to_string(dead) + "-1",
                    of_living = ".q.partial-" + std::to_string(::getpid()) + "-1";
  fs::create_directory(place / of_dead);
  fs::create_directory(place / of_living);
  fs::create_directory(place / ".notes.partial-x");
  put(place / (of_dead + "/checkpoint.rows"), "rows");
  place.summary("pendulum --out r", {"run.end=0.1"});
  CHECK_FALSE(place.has(of_dead));
  CHECK(place.has(of_living));
  CHECK(place.has(".notes.partial-x"));
}
