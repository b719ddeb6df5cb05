// [table.B], [record.values] and what may jump, as the reader sees them.
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "model/models.hpp"

namespace {

std::string model_of_table(const std::string& rows, const std::string& more = "") {
  return R"toml([system]
kind = "lagrangian"
coordinates = ["x", "y"]
lagrangian = "(x'^2 + y'^2)/2 - B(x)"
[table.B]
file = "b.csv"
[[table_data]]
file = "b.csv"
rows = """
)toml" + rows +
         "\"\"\"\n[initial]\nq = [0.5, 0.0]\nv = [0.0, 0.0]\n" + more;
}

std::string rows_of_square(double from = 0, int points = 7) {
  std::string rows = "x,force\n";
  for (int i = 0; i < points; ++i) {
    const double x = from + 0.25 * i;
    rows += std::to_string(x) + "," + std::to_string(x * x) + "\n";
  }
  return rows;
}

}  // namespace

TEST_CASE("what_is_wrong_with_a_table_is_said_with_file_line_and_remedy") {
  using models::refusal;
  const std::string good = rows_of_square();
  CHECK(refusal(model_of_table(good)) == "");
  const auto says = [&](const std::string& rows, const std::string& words) {
    const std::string message = refusal(model_of_table(rows));
    CAPTURE(message);
    CHECK(message.find("m.toml:6: table.B.file: b.csv" + words) != std::string::npos);
  };
  const auto exchanged = [&](const std::string& piece, const std::string& instead) {
    return models::with(good, piece, instead);
  };
  says("# nothing\n", " has no rows of numbers; write x,value on every line");
  says(exchanged("0.500000,0.250000", "0.500000,0,25"), ":4: 3 numbers in a row, 2 in those before");
  says(exchanged("0.500000,0.250000", "0,5;0,25"), ":4: has semicolons and commas; write numbers with a decimal point");
  says(exchanged("0.250000\n", "one\n"), ":4: \"one\" is not a number; write 1.5 or 1e-3");
  says(exchanged("0.500000,", "0.100000,"), ":4: x = 0.1 follows 0.25; sort the rows by the first variable");
  says(exchanged("0.500000,", "0.250000,"), ":4: the point is there twice; leave one row out");
  says(rows_of_square(0, 5), " has 5 points of x; splines of degree 5 need at least 6 of every variable");
  says("1,2,3,4,5\n", ":1: 5 numbers in a row; write one to three variables and the value");
  CHECK(refusal(model_of_table("\xEF\xBB\xBF"
                               "0,0\r\n1,1\r\n2,4\r\n3,9\r\n4,16\r\n5,25\r\n")) == "");
  std::string grid;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 7; ++j) grid += std::to_string(i) + " " + std::to_string(j) + " 1.0\n";
  CHECK(refusal(models::with(model_of_table(grid), "B(x)", "B(x, y)")) == "");
  says(models::with(grid, "2 3 1.0", "2 3.5 1.0"),
       ":18: variable 2 = 3.5, where the grid of the first rows has 3; every");
  says(models::with(grid, "5 6 1.0\n", ""), " has 41 rows, and its grid 42 points (6 x 7); write one row for every");
  CHECK(refusal(models::with(model_of_table(good), "B(x)", "B(x, y)")).find("table \"B\" has 1 variable, 2 given") !=
        std::string::npos);
  CHECK(refusal(
            models::with(model_of_table(good), "[[table_data]]\nfile = \"b.csv\"", "[[table_data]]\nfile = \"c.csv\""))
            .find("table.B.file: b.csv cannot be read: No such file") != std::string::npos);
}

TEST_CASE("jumps_are_refused_where_formulas_are_differentiated_and_allowed_elsewhere") {
  using models::pendulum, models::refusal, models::with;
  for (const std::string jump : {"sign(x)", "step(x - t)", "if(x > 0, x, 0)", "d(abs(x), x)"}) {
    CAPTURE(jump);
    const std::string message = refusal(with(pendulum, "- m*g*y\"", "- m*g*y + " + jump + "\""));
    CHECK(message.find("system.lagrangian: contains ") != std::string::npos);
    CHECK(message.find("which jumps") != std::string::npos);
    CHECK(message.find("smoothstep(x, w)") != std::string::npos);
    CHECK(refusal(with(pendulum, "\"-c*x'\"", "\"-c*" + jump + "\"")) == "");
    CHECK(refusal(pendulum + "\n[record.values]\na = \"" + jump + "\"\n") == "");
    CHECK(refusal(with(models::vortices, "(x^2 + y^2)/2", "x + " + jump)).find("system.hamiltonian: contains ") !=
          std::string::npos);
  }
  CHECK(refusal(with(pendulum, "- m*g*y\"", "- m*g*smoothabs(y, 0.1) + abs(x)\"")) == "");
}

TEST_CASE("values_may_contain_multipliers_energy_and_velocities_of_definitions") {
  using models::pendulum, models::refusal;
  const auto value = [](const std::string& formula) {
    return refusal(pendulum + "\n[record.values]\na = \"" + formula + "\"\n");
  };
  CHECK(value("lambda[1]*x + energy + r2' + p_x + t + d(energy, x')") == "");
  CHECK(value("lambda[2]").find("there is no \"lambda[2]\" at column 1; there are lambda[1]") != std::string::npos);
  CHECK(refusal(models::with(pendulum, "r2 =", "lambda = \"1\"\nr2 =") + "\n[record.values]\na = \"lambda*x\"\n") ==
        "");
  const livens::Model model =
      livens::read_model("m.toml", pendulum + "\n[record.values]\na = \"r2'\"\n[system.units]\na = \"m/s\"\n");
  CHECK(model.record.values == std::vector<std::string>{"a"});
  CHECK(model.unused.empty() == livens::read_model("m.toml", pendulum).unused.empty());
}

TEST_CASE("tables_that_no_formula_calls_are_told_as_unused") {
  using models::with;
  const auto unused = [](const std::string& model) { return livens::read_model("m.toml", model).unused; };
  const std::string called = model_of_table(rows_of_square()), idle = with(called, "B(x)", "x^2");
  using Keys = std::vector<std::string>;
  CHECK(unused(called).empty());
  CHECK(unused(idle) == Keys{"table.B"});
  CHECK(unused(idle + "\n[record.values]\na = \"d(B (x), x)\"\n").empty());
  CHECK(unused(with(idle, "[table.B]", "let = { f = \"2*B(x)\" }\n[table.B]")) == Keys{"table.B", "system.let.f"});
  CHECK(unused(with(with(called, "B(x)", "2*f"), "[table.B]", "let = { f = \"B(x)\" }\n[table.B]")).empty());
}
