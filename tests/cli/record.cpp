// [record]: what the rows hold of the state, and what beside it.
#include <cmath>

#include "cli/program.hpp"
#include "cli/trajectory.hpp"

using namespace program;

namespace {

std::vector<double> columns_of(const Trajectory& h5, const std::string& name, const std::vector<std::size_t>& chosen) {
  const std::vector<double> all = h5.numbers(name);
  const std::size_t width = all.size() / h5.rows();
  std::vector<double> out;
  for (std::size_t n = 0; n < h5.rows(); ++n)
    for (const std::size_t i : chosen) out.push_back(all[n * width + i]);
  return out;
}

// The nonlinear pendulum with a drag that is not linear, and a push that depends on time.
const std::string dragged = R"toml(
[system]
kind = "lagrangian"
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2 - 9.81*y"
constraints = ["(x^2 + y^2 - 1)/2"]
forces = ["-0.3*x'*sqrt(1 + x'^2 + y'^2) + sin(3*t)", "-0.3*y'*sqrt(1 + x'^2 + y'^2)"]
[initial]
q = ["sin(1)", "-cos(1)"]
v = ["0.5*cos(1)", "0.5*sin(1)"]
[method]
name = "galerkin"
s = 3
[run]
step = 0.01
end = 1.0
[record]
work = true
reactions = true
)toml";

}  // namespace

TEST_CASE("chosen_coordinates_and_multipliers_have_the_bits_of_the_whole_record") {
  const Place place;
  for (const std::string method : {"rattle", "galerkin", "spark"}) {
    CAPTURE(method);
    const std::vector<std::string> set{"run.steps=40", "method.name=" + method};
    std::vector<std::string> some = set;
    some.insert(some.end(), {"record.coordinates=[\"z2\", \"x1\"]", "record.multipliers=[2]"});
    const Json whole = place.summary("double-pendulum --force --out all", set);
    const Json chosen = place.summary("double-pendulum --force --out some", some);
    CHECK(whole["final"] == chosen["final"]);
    CHECK(whole["audit"] == chosen["audit"]);
    const Trajectory all(place / "all/trajectory.h5"), few(place / "some/trajectory.h5");
    CHECK(all.text("names") == "x1\ny1\nz1\nx2\ny2\nz2");
    CHECK(few.text("names") == "z2\nx1");
    const auto check = [&](const std::string& name, const std::vector<std::size_t>& places) {
      CAPTURE(name);
      const std::vector<double> expected = columns_of(all, name, places), found = few.numbers(name);
      REQUIRE(expected.size() == found.size());
      for (std::size_t k = 0; k < found.size(); ++k)
        CHECK((found[k] == expected[k] || (std::isnan(found[k]) && std::isnan(expected[k]))));
    };
    for (const std::string name : {"q", "v", "p", "raw_p"}) check(name, {5, 0});
    check("lambda", {1});
    check("raw_lambda", method == "spark" ? std::vector<std::size_t>{1, 3, 5} : std::vector<std::size_t>{1});
    check("audit/energy", {0});
  }
}

TEST_CASE("names_may_be_repeated_and_no_multipliers_may_be_wanted") {
  const Place place;
  place.summary("chain --out r", {"run.steps=20", "record.multipliers=[]",
                                  R"(record.coordinates=[{ for = "i = 1..3", each = ["z[8*i]"] }, "x[N-1]"])"});
  const Trajectory h5(place / "r/trajectory.h5");
  CHECK(h5.text("names") == "z[8]\nz[16]\nz[24]\nx[31]");
  CHECK(h5.shape("q").back() == 4);
  const Reply list = place.livens("audit r --json");
  CHECK(list.status == 0);
  CHECK(mentions(list.out, "constraint"));
  CHECK(place.livens("report r").status == 0);
}

TEST_CASE("numbers_of_multipliers_may_be_repeated_as_well") {
  const Place place;
  place.summary("chain --out all", {"run.steps=5"});
  place.summary("chain --out some",
                {"run.steps=5", R"(record.multipliers=[{ for = "i = 1..3", each = ["N-i", "2*i"] }, 1])"});
  const Trajectory all(place / "all/trajectory.h5"), few(place / "some/trajectory.h5");
  CHECK(few.numbers("lambda") == columns_of(all, "lambda", {30, 1, 29, 3, 28, 5, 0}));
  const auto refusal = [&](const std::string& numbers) {
    const Reply reply = place.run({"check", "chain", "--set", "record.multipliers=" + numbers});
    CHECK(reply.status == 2);
    return reply.err;
  };
  CHECK(mentions(refusal("[33]"), "record.multipliers[1]: is 33; write an integer from 1 to 32"));
  CHECK(mentions(refusal("[2, \"1+1\"]"), "record.multipliers[2]: is there twice; leave one out"));
  CHECK(mentions(refusal("[\"N/5\"]"), "record.multipliers[1]: is 6.4; write a whole number"));
  CHECK(
      mentions(refusal("[{ for = \"i = 31..33\", each = [\"i\"] }]"), "is 33; write an integer from 1 to 32 (i = 33)"));
}

TEST_CASE("reactions_are_minus_G_transposed_lambda") {
  const Place place;
  put(place / "m.toml", dragged);
  place.summary("m.toml --out r", {});
  const Trajectory h5(place / "r/trajectory.h5");
  const std::vector<double> q = h5.numbers("q"), lambda = h5.numbers("lambda"), reaction = h5.numbers("reaction");
  REQUIRE(reaction.size() == 2 * lambda.size());
  for (std::size_t n = 0; n < lambda.size(); ++n)
    for (const std::size_t i : {2 * n, 2 * n + 1}) CHECK(std::abs(reaction[i] + lambda[n] * q[i]) < 1e-14);
}

// L does not contain t and the constraint stands still: energy changes by the work of the forces alone.
TEST_CASE("work_is_the_change_of_energy") {
  const auto error = [](const std::string& step) {
    const Place place;
    put(place / "m.toml", dragged);
    place.summary("m.toml --out r", {"run.step=" + step});
    const Trajectory h5(place / "r/trajectory.h5");
    const std::vector<double> energy = h5.numbers("audit/energy"), work = h5.numbers("work");
    CHECK(work.front() == 0);
    CHECK(std::abs(work.back()) > 0.1);
    double largest = 0;
    for (std::size_t n = 6; n < work.size(); ++n)
      largest = std::max(largest, std::abs(energy[n] - energy[0] - work[n]));
    return largest;
  };
  const double coarse = error("0.02"), fine = error("0.01");
  MESSAGE("error of the work at h = 0.02 and 0.01: " << coarse << ", " << fine);
  CHECK(fine < 1.5e-8);
  CHECK(std::log2(coarse / fine) > 5.3);
  CHECK(std::log2(coarse / fine) < 7);
}

TEST_CASE("a_run_with_work_that_is_made_longer_has_the_bits_of_the_long_one") {
  const Place place;
  put(place / "m.toml", dragged);
  place.summary("m.toml --out long", {"run.end=0.8"});
  place.summary("m.toml --out short", {"run.end=0.3"});
  CHECK(place.livens("resume short --end 0.8").status == 0);
  for (const std::string name : {"work", "reaction", "q"})
    CHECK(Trajectory(place / "long/trajectory.h5").numbers(name) ==
          Trajectory(place / "short/trajectory.h5").numbers(name));
}

// Bead on a curve that is known by a table; the height as a let, its velocity in L.
TEST_CASE("a_run_with_a_table_and_values_goes_on_without_the_file_and_ends_with_the_same_bits") {
  const Place place;
  std::string rows = "x,height\n";
  for (int i = -20; i <= 20; ++i) {
    const double x = 0.1 * i;
    rows += std::to_string(x) + "," + Json(x * x / 2 - 0.1 * std::cos(3 * x)).dump() + "\n";
  }
  fs::create_directory(place / "models");
  put(place / "models/curve.csv", rows);
  put(place / "models/bead.toml", R"toml([system]
kind = "lagrangian"
coordinates = ["x"]
lagrangian = "(x'^2 + y'^2)/2 - 9.81*y"
[system.let]
y = "height(x)"
[table.height]
file = "curve.csv"
[initial]
q = [1.0]
v = [0.0]
[method]
name = "galerkin"
[run]
step = 0.01
end = 0.5
[record.values]
height = "y"
falls = "if(y' < 0, 1, 0)"
twice = "2*energy"
undefined = "log(-1 - x^2)"
)toml");
  // The spline is C^4: galerkin with s = 2 has its order 4.
  const Json study =
      place.run({"study", "order", "models/bead.toml", "--step-sizes", "0.05,0.025,0.0125", "--json"}).json();
  for (const int row : {1, 2}) {
    const double order = study["rows"][static_cast<std::size_t>(row)]["order"]["q"];
    CHECK(order > 3.4);  // measured 3.8, 4.0
    CHECK(order < 4.4);
  }
  const Json longer = place.summary("models/bead.toml --out long", {"run.end=1.0"});
  const Json half = place.summary("models/bead.toml --out half", {});
  fs::remove(place / "models/curve.csv");
  CHECK(place.livens("resume half --end 1.0 --quiet").status == 0);
  const Trajectory all(place / "long/trajectory.h5"), two(place / "half/trajectory.h5");
  for (const std::string name : {"q", "values/height", "values/falls", "values/twice"})
    CHECK(all.numbers(name) == two.numbers(name));
  CHECK(longer["final"]["values"]["height"] == all.numbers("values/height").back());
  CHECK(longer["final"]["values"]["undefined"].is_null());
  CHECK(longer["audit"]["invariants"].empty());
  const std::vector<double> twice = all.numbers("values/twice"), energy = all.numbers("audit/energy");
  for (std::size_t n = 0; n < twice.size(); ++n) CHECK(std::abs(twice[n] - 2 * energy[n]) < 1e-13);
  for (const double x : all.numbers("values/undefined")) CHECK(std::isnan(x));

  CHECK(place.livens("report half").status == 0);
  CHECK(mentions(contents(place / "half/report.html"), "\"title\": \"Values\""));
  CHECK(mentions(place.livens("export half --csv").out, ",values/falls,values/height,values/twice,values/undefined\n"));
  const Reply gone = place.livens("run models/bead.toml --out more");
  CHECK(gone.status == 2);
  CHECK(mentions(gone.err, "models/bead.toml:8: table.height.file: models/curve.csv cannot be read: No such file"));

  put(place / "models/curve.csv", rows);
  const Reply beyond = place.run({"run", "models/bead.toml", "--out", "beyond", "--set", "initial.v=[9.0]"});
  CHECK(beyond.status == 1);
  CHECK(mentions(beyond.err, "is outside of table height, whose x goes from -2 to 2"));
}

TEST_CASE("values_of_multipliers_are_those_of_the_rows_also_where_constraints_are_redundant") {
  const Place place;
  put(place / "m.toml", dragged);
  const Arguments both{"record.values.tension=lambda[1] + 2*lambda[2]", "solver.redundant=least-norm",
                       "system.constraints=[\"(x^2 + y^2 - 1)/2\", \"x^2 + y^2 - 1\"]"};
  place.summary("m.toml --out r", both);
  const Trajectory h5(place / "r/trajectory.h5");
  const std::vector<double> lambda = h5.numbers("lambda"), tension = h5.numbers("values/tension");
  REQUIRE(lambda.size() == 2 * tension.size());
  for (std::size_t n = 0; n < tension.size(); ++n) CHECK(tension[n] == lambda[2 * n] + 2 * lambda[2 * n + 1]);
  const Json crank =
      place.summary("slider-crank --out s",
                    {"run.steps=3", "record.values.a=axle_lambda[1] - pin_lambda[2]", "record.values.b=crank_x'"});
  CHECK(crank["final"]["values"].size() == 2);
  const auto& rows = crank["final"]["lambda"];
  const double a = crank["final"]["values"]["a"];
  bool found = false;
  for (const double x : rows)
    for (const double y : rows) found = found || a == x - y;
  CHECK(found);
}
