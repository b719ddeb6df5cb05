#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>

#include "livens/model/problems.hpp"
#include "model/models.hpp"
#include "store/scratch.hpp"

using namespace livens;
using formula::Number;
using models::cubic, models::pendulum, models::refusal, models::vortices, models::with;

namespace {

std::string message_of_loading(const std::string& model) {
  try {
    load_model(model);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool contains(const std::string& text, std::string_view words) {
  return text.find(words) != text.npos;
}

// A file that is gone at the end of the test.
struct TemporaryFile {
  explicit TemporaryFile(const std::string& text) : path(place / "livens-reader-test.toml") {
    scratch::put(path, text);
  }
  scratch::Directory place;
  std::filesystem::path path;
};

}  // namespace

TEST_CASE("every_key_of_a_lagrangian_model_arrives") {
  const Model model = read_model("folder/planar.toml", pendulum);
  CHECK(model.source == "folder/planar.toml");
  CHECK(model.name == "planar");
  CHECK(model.text == pendulum);
  CHECK(model.title == "Planar pendulum");
  CHECK(model.system->kind() == SystemKind::lagrangian);
  CHECK(model.system->coordinate_names() == std::vector<std::string>{"x", "y"});
  CHECK(model.initial.t == Number(0.5));
  CHECK(model.initial.q == std::vector<Number>{1, 0});
  CHECK(model.initial.v == std::vector<Number>{0, Number(1) / 10});
  CHECK(model.initial.p.empty());
  CHECK_FALSE(model.initial.momentum_given);
  CHECK_FALSE(model.initial.project);
  CHECK(model.initial.tolerance == 1e-9);
  CHECK(model.method.name == "galerkin");
  CHECK(model.method.options.size() == 4);
  CHECK(std::get<long long>(model.method.options.at("s")) == 2);
  CHECK(std::get<std::string>(model.method.options.at("quadrature")) == "gauss");
  CHECK(std::get<bool>(model.method.options.at("damped")) == false);
  CHECK(std::get<double>(model.method.options.at("alpha")) == 0.25);
  CHECK(model.run.given);
  CHECK(model.run.step == Number(1) / 10);
  CHECK(model.run.steps == 100);
  CHECK(model.run.every == 10);
  CHECK(model.run.precision == Precision::extended);
  CHECK(model.solver.tolerance == 1e-12);
  CHECK(model.solver.iterations == 20);
  CHECK(model.solver.linear == "auto");
  CHECK(model.solver.redundant == "error");
}

TEST_CASE("formulas_of_a_lagrangian_model_mean_what_they_say") {
  const Model model = read_model("planar.toml", pendulum);
  const auto system = model.system->dense<double>();
  Vec<double> q(2), v(2), p(2), force(2), g(1);
  q[0] = 3, q[1] = 4, v[0] = 5, v[1] = 7, p[0] = 11, p[1] = 13;
  CHECK(system.lagrangian(0, q, v) == doctest::Approx(0.5 * (25 + 49) - 9.81 * 4).epsilon(1e-15).scale(0));
  system.constraint(0, q, g);
  CHECK(g[0] == 12);
  system.force(0, q, v, force);
  CHECK(force[0] == -0.5);
  CHECK(force[1] == -0.1 * 7);
  double angular_momentum = 0;
  system.invariant_values(0, q, v, p, &angular_momentum);
  CHECK(angular_momentum == 3 * 13 - 4 * 11);
  CHECK(model.system->invariant_names() == std::vector<std::string>{"angular_momentum"});
}

TEST_CASE("a_name_of_the_model_may_be_that_of_a_momentum_where_no_invariant_needs_it") {
  const std::string text = with(with(pendulum, "x*p_y - y*p_x", "x*p_y"), "m = 1.0", "m = \"p_x\"\np_x = 100");
  const Model model = read_model("planar.toml", text);
  Vec<double> q(2), v(2);
  q[0] = q[1] = v[1] = 0, v[0] = 2;
  CHECK(model.system->dense<double>().lagrangian(0.0, q, v) == 200);
}

TEST_CASE("a_degenerate_model_arrives") {
  const Model model = read_model("vortices.toml", vortices);
  CHECK(model.system->kind() == SystemKind::degenerate);
  CHECK(model.system->degenerate()->coordinates() == 2);
  CHECK(model.system->degenerate()->invariant_names() == std::vector<std::string>{"off"});
  const FormulaDegenerate<double> system(model.system->degenerate());
  Vec<double> q(2), p(2), theta(2);
  q[0] = 3, q[1] = 4, p[0] = 11, p[1] = 13;
  system.theta(q, theta);
  CHECK(theta[0] == -2);
  CHECK(theta[1] == 1.5);
  CHECK(system.hamiltonian(q) == 12.5);
  double off = 0;
  system.invariant_values(q, p, &off);
  CHECK(off == 13);
  CHECK(model.initial.q == std::vector<Number>{1, 0});
  CHECK(model.method.name.empty());
  CHECK_FALSE(model.run.given);
  CHECK_FALSE(model.solver.tolerance);
  CHECK(model.solver.iterations == 30);
}

TEST_CASE("an_odae_model_arrives") {
  const Model model = read_model("cubic.toml", cubic);
  CHECK(model.system->kind() == SystemKind::odae);
  CHECK(model.system->odae()->positions() == 2);
  CHECK(model.system->odae()->velocities() == 1);
  CHECK(model.system->odae()->multipliers() == 1);
  CHECK(model.system->coordinate_names() == std::vector<std::string>{"y1", "y2"});
  const FormulaOdae<double> system(model.system->odae());
  Vec<double> y(2), z(1), psi(1), velocity(2), force(1), reaction(1), g(1);
  y[0] = 3, y[1] = 4, z[0] = 5, psi[0] = 2;
  system.velocity(100, y, z, velocity);
  CHECK(velocity[0] == 5);
  CHECK(velocity[1] == 95);
  system.force(100, y, z, force);
  CHECK(force[0] == 115);
  system.reaction(100, y, z, psi, reaction);
  CHECK(reaction[0] == -24);
  system.constraint(y, g);
  CHECK(g[0] == 11);
  double speed = 0;
  system.invariant_values(100, y, z, &speed);
  CHECK(speed == 25);
  CHECK(model.initial.q == std::vector<Number>{1, 1});
  CHECK(model.initial.z == std::vector<Number>{1});
  CHECK(model.initial.psi.empty());
  CHECK(model.run.step == Number(-0.5));
  CHECK(model.run.steps == 1'000'000);
  CHECK(model.run.every == 1);
  CHECK(read_model("cubic.toml", with(cubic, "z = [1.0]", "z = [1.0]\npsi = [2]")).initial.psi ==
        std::vector<Number>{2});
}

TEST_CASE("numbers_mean_their_decimals_in_the_widest_precision") {
  const auto start = [](const std::string& numbers) {
    return read_model("m.toml", with(pendulum, "[0.0, 0.1]", numbers)).initial.v;
  };
  const Number tenth = Number(1) / 10;
  CHECK(tenth != Number(0.1));
  CHECK(start("[0.1, -0.1]") == std::vector<Number>{tenth, -tenth});
  CHECK(start("[+1e-1, 1_0.0_1e-1]") == std::vector<Number>{tenth, Number(1001) / 1000});
  CHECK(start("[\n # \u00e4 comment, 0.2\n 0.1 ,0.1]") == std::vector<Number>{tenth, tenth});
  CHECK(start("[\"0.1\", \"sqrt(2)^2/20\"]")[0] == tenth);
  CHECK(start("[0x10, 9007199254740993]") == std::vector<Number>{16, Number(9007199254740993LL)});
  CHECK(std::signbit(to_double(start("[-0.0, 1e-320]")[0])));
}

TEST_CASE("a_number_keeps_its_digits_wherever_it_stands") {
  const std::string rest = with(vortices, "[initial]\nq = [1.0, 0.0]\n", "");
  const Model model = read_model("m.toml", "initial = {t = \"0*pi\",\tq=[\"1\",+0.1]}  # \u03c0 is 3.1\r\n" + rest);
  CHECK(model.initial.q[1] == Number(1) / 10);
  CHECK(read_model("m.toml", vortices + "[run]\nsteps = 1\nstep = 0.1").run.step == Number(1) / 10);
}

TEST_CASE("parameters_use_each_other_and_lets_may_be_constant") {
  std::string text = with(pendulum, "m = 1.0", "m = \"2*g - 18.62\"\nangle = \"pi/6\"");
  text = with(text, "r2 =", "start = \"sin(angle)\"\nr2 =");
  const Model model = read_model("m.toml", with(text, "[\"l\", 0]", "[\"start\", \"m\"]"));
  CHECK(to_double(model.initial.q[0]) == doctest::Approx(0.5).epsilon(1e-15).scale(0));
  CHECK(to_double(model.initial.q[1]) == doctest::Approx(1).epsilon(1e-15).scale(0));
}

TEST_CASE("the_end_is_a_whole_number_of_steps_to_1e-9") {
  const auto steps = [](std::string_view step, std::string_view end) {
    const std::string text = with(with(pendulum, "step  = 0.1", step), "end   = 10.5", end);
    return refusal(text).empty() ? read_model("m.toml", text).run.steps : -1;
  };
  CHECK(steps("step = 0.1", "end = 0.6") == 1);
  CHECK(steps("step = 0.1", "end = 100000.5") == 1'000'000);
  CHECK(steps("step = -0.01", "end = -1") == 150);
  CHECK(steps("step = 0.3333333333", "end = 1.5") == 3);  // off by 1e-10 of the whole
  CHECK(steps("step = 0.33333333", "end = 1.5") == -1);   // by 1e-8
}

TEST_CASE("messages_find_the_line_of_a_key") {
  const Model model = read_model("m.toml", pendulum, {{"method.s", "3"}, {"initial", "{q = [1, 0], v = [0, 0]}"}});
  CHECK(model.lines.at("system") == 4);
  CHECK(model.lines.at("system.lagrangian") == 7);
  CHECK(model.lines.at("system.constraints[1]") == 9);
  CHECK(model.lines.at("system.parameters.g") == 15);
  CHECK(model.lines.at("method.quadrature") == 30);
  CHECK_FALSE(model.lines.contains("method.s"));
  CHECK(model.at("run.step", "is odd") == "m.toml:35: run.step: is odd");
  CHECK(model.at("run.speed", "is missing") == "m.toml: run.speed: is missing");
  CHECK(model.at("method.s", "is 3") == "--set method.s: is 3");
  CHECK(model.at("initial.q[1]", "is 1") == "--set initial: initial.q[1]: is 1");
}

TEST_CASE("a_model_of_1000_coordinates_is_read_at_once") {
  std::string names, kinetic = "0", constraints, zeros;
  for (int i = 0; i < 1000; ++i) {
    const std::string x = "x" + std::to_string(i);
    names += "\"" + x + "\", ";
    kinetic += " + " + x + "'^2/2";
    if (i > 0) constraints += "\"" + x + "^2 - x" + std::to_string(i - 1) + "^2 - 0.1\",\n";
    zeros += "0.1, ";
  }
  const std::string text = "[system]\nkind = \"lagrangian\"\ncoordinates = [" + names + "]\nlagrangian = \"" + kinetic +
                           "\"\nconstraints = [" + constraints + "]\n[initial]\nq = [" + zeros + "]\nv = [" + zeros +
                           "]\n";
  const auto start = std::chrono::steady_clock::now();
  const Model model = read_model("m.toml", text);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
  CHECK(model.system->constraints() == 999);
  CHECK(model.initial.v[999] == Number(1) / 10);
  CHECK(elapsed.count() < 2);  // measured 0.03 s, 0.2 s with sanitizers
}

TEST_CASE("a_file_is_loaded_by_its_path") {
  const TemporaryFile file(pendulum);
  const Model model = load_model(file.path.string(), {{"run.steps", "7"}});
  CHECK(model.source == file.path.string());
  CHECK(model.name == "livens-reader-test");
  CHECK(model.run.steps == 7);
}

TEST_CASE("files_that_are_no_models_are_refused") {
  CHECK(contains(message_of_loading("no/such.toml"), "no/such.toml: cannot be read: No such file or directory"));
  CHECK(contains(message_of_loading("./"), "./: is a directory"));
  const TemporaryFile large(std::string(50'000'001, '#'));
  CHECK(contains(message_of_loading(large.path.string()), "is larger than 50 MB"));
}

TEST_CASE("ready_problems_are_loaded_by_their_names") {
  for (const ReadyProblem& problem : ready_problems()) {
    const Model model = load_model(std::string(problem.name));
    CHECK(model.name == problem.name);
    CHECK(model.text == problem.text);
  }
  CHECK(contains(message_of_loading("no-such-problem"), "livens list problems"));
}
