#include <doctest/doctest.h>

#include "livens/formula/names.hpp"

using namespace livens::formula;

namespace {

// x[0] .. x[4] with velocities, y[0,0] .. y[1,2], N = 4, a plain z, and squares s[k] = k^2 as definitions.
struct Family {
  Family() {
    int place = 0;
    for (int i = 0; i < 5; ++i) {
      const std::string name = "x[" + std::to_string(i) + "]";
      names.add_variable(name, {0, place++});
      names.add_variable(name + "'", {1, i});
    }
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 3; ++j)
        names.add_variable("y[" + std::to_string(i) + "," + std::to_string(j) + "]", {0, place++});
    names.add_variable("z", {0, place++});
    names.add_constant("N", 4);
    const auto square = std::make_shared<Wording>(Wording{"k^2", "parameters.s", {}});
    for (int k = 0; k < 5; ++k) names.add_definition("s[" + std::to_string(k) + "]", square, {{"k", k}});
  }

  NodeId operator()(const std::string& text) { return names.parse(text); }

  std::string message(const std::string& text) {
    try {
      names.parse(text);
    } catch (const FormulaError& error) {
      return error.what();
    }
    return "accepted";
  }

  Graph graph;
  Names names{graph};
};

}  // namespace

TEST_CASE("a_sum_is_its_terms_written_out") {
  Family f;
  CHECK(f("sum(i = 0..3, x[i]^2)") == f("x[0]^2 + x[1]^2 + x[2]^2 + x[3]^2"));
  CHECK(f("sum(i=1..N, (x[i] - x[i-1])*x[i]')") ==
        f("(x[1] - x[0])*x[1]' + (x[2] - x[1])*x[2]' + (x[3] - x[2])*x[3]' + (x[4] - x[3])*x[4]'"));
  CHECK(f("prod(i = 2..4, x[i])") == f("x[2]*x[3]*x[4]"));
  CHECK(f("sum(i = 0..1, sum(j = 0..2, y[i,j]*z))") ==
        f("(y[0,0]*z + y[0,1]*z + y[0,2]*z) + (y[1,0]*z + y[1,1]*z + y[1,2]*z)"));
  CHECK(f("2*sum(i = 0..1, x[i]) + z") == f("2*(x[0] + x[1]) + z"));
  CHECK(f("sum(i = -2..2, x[i + 2]*i)") == f("-2*x[0] - x[1] + x[3] + 2*x[4]"));
}

TEST_CASE("a_sum_of_nothing_is_0_and_a_product_1") {
  Family f;
  CHECK(f.graph.is_constant(f("sum(i = 5..N, x[i])"), 0));
  CHECK(f.graph.is_constant(f("prod(i = 1..0, x[i])"), 1));
}

TEST_CASE("indices_are_numbers_in_formulas") {
  Family f;
  CHECK(f.graph.is_constant(f("sum(i = 1..100, i)"), 5050));
  CHECK(f.graph.is_constant(f("prod(j = 1..10, j)"), 3628800));
  CHECK(f.graph.is_constant(f("sum(k = 0..4, s[k])"), 30));
  CHECK(f("x[2*N - 7]") == f("x[1]"));
  CHECK(f("x [ 1 ]'") == f("x[1]'"));
}

TEST_CASE("constants_that_only_lead_to_another_leave_no_nodes") {
  Family f;
  const std::size_t before = f.graph.size();
  f("sum(i = 1..1000, sin(i)/(1 + i^2))");
  CHECK(f.graph.size() == before + 1);
}

TEST_CASE("cumulative_sums_are_continued") {
  Family f;
  Wording wording{"sum(j = 1..i, sqrt(j)*prod(k = 1..j, k + 1))/i", "", {}};
  Number direct = 0, product = 1;
  for (int i = 1; i <= 100; ++i) {
    using std::sqrt;
    product *= i + 1;
    direct += sqrt(Number(i)) * product;
    CHECK(f.graph.is_constant(f.names.parse(wording, {{"i", i}}), direct / i));
  }
  CHECK(f.names.repeated < 100 * 100);  // measured 6600; the 5050 terms read anew would be 50 times as many
}

TEST_CASE("a_sum_that_mentions_an_outer_index_is_not_continued") {
  Family f;
  Wording wording{"sum(j = 0..i, i*j) + sum(j = 0..2, i)", "", {}};
  for (const int i : {1, 2, 3, 2, 7})
    CHECK(f.graph.is_constant(f.names.parse(wording, {{"i", i}}), i * i * (i + 1) / 2 + 3 * i));
}

TEST_CASE("a_shorter_sum_after_a_longer_one_starts_again") {
  Family f;
  Wording wording{"sum(j = a..i, j)", "", {}};
  CHECK(f.graph.is_constant(f.names.parse(wording, {{"a", 0}, {"i", 4}}), 10));
  CHECK(f.graph.is_constant(f.names.parse(wording, {{"a", 0}, {"i", 2}}), 3));
  CHECK(f.graph.is_constant(f.names.parse(wording, {{"a", 1}, {"i", 4}}), 10));
  CHECK(f.graph.is_constant(f.names.parse(wording, {{"a", 2}, {"i", 4}}), 9));
}

TEST_CASE("sum_and_prod_are_names_like_others_where_no_parenthesis_follows") {
  Family f;
  f.names.add_constant("sum", 7);
  f.names.add_definition("prod", "sum(i = 1..3, sum)", "let.prod");
  CHECK(f.graph.is_constant(f("prod + sum"), 28));
}

TEST_CASE("a_family_with_gaps_is_told_with_them") {
  Graph graph;
  Names names(graph);
  for (const int i : {1, 2, 3, 5, 6, 9}) names.add_variable("x[" + std::to_string(i) + "]", {0, i});
  std::string message;
  try {
    names.parse("x[4]");
  } catch (const FormulaError& error) {
    message = error.what();
  }
  CHECK(message == "there is no \"x[4]\" at column 1; there are x[1] to x[3], x[5] to x[6], x[9]");
}

TEST_CASE("what_is_wrong_with_a_repetition_is_named_with_its_column") {
  Family f;
  const std::vector<std::pair<std::string, std::string>> rows{
      {"x[5]", "there is no \"x[5]\" at column 1; there are x[0] to x[4]"},
      {"2*x[-1]", "there is no \"x[-1]\" at column 3; there are x[0] to x[4]"},
      {"x[0]' + x", "there is no \"x\" at column 9; there are x[0] to x[4]"},
      {"y[2,0]", "there is no \"y[2,0]\" at column 1; there are y[0,0] to y[1,2]"},
      {"y[0]", "there is no \"y[0]\" at column 1; there are y[0,0] to y[1,2]"},
      {"z[0]", "\"z\" has no indices at column 1; leave them out"},
      {"w[0]", "unknown name \"w[0]\" at column 1"},
      {"y[0,0]'", "there is no \"y[0,0]'\" at column 1"},
      {"x'[1]", "\"'\" stands before the index at column 2; write x[...]'"},
      {"x[1]''", "\"'\" follows \"x[1]'\" at column 6"},
      {"x[1/2]", "an index is 0.5 at column 3; write a whole number"},
      {"x[1e10]", "an index is 1e+10 at column 3; write a number from -1000000000 to 1000000000"},
      {"x[1e4000]", "an index is 1e+4000 at column 3; write a number from -1000000000 to 1000000000"},
      {"x[sqrt(-1)]", "an index is sqrt(-1), which is not finite, at column 3"},
      {"x[z]", "an index is not a number at column 3; it may contain parameters and other indices only"},
      {"x[1", "\"[\" at column 2 is never closed"},
      {"x[1)", "\")\" at column 4 closes nothing"},
      {"x[]", "an index is missing at column 3; write a whole number"},
      {"x[k]", "unknown name \"k\" at column 3; an index is known inside of its sum"},
      {"Sum(i = 0..3, x[i])", "unknown function \"Sum\" at column 1; did you mean \"sum\"?"},
      {"total(i = 0..3, x[i])", "unknown function \"total\" at column 1; there are sin, cos, tan"},
      {"sum i = 0..3, x[i]", "\"sum\" is a function at column 1; write sum(i = 0..9, x[i])"},
      {"sum(i, 0, 3, x[i])", "expected \"=\" at column 6; a range is written i = 0..9, and stands first"},
      {"sum(z*x[i], i = 0..3)", "expected \"=\" at column 6; a range is written i = 0..9, and stands first"},
      {"sum(x = 0..3, x[i])", "\"x\" is an index here at column 15; choose a name for it that nothing else has"},
      {"sum(i = 0...3, x[i])", "a third \".\" at column 12; a range is written i = 0..9"},
      {"2*[z]", "\"[\" is not used at column 3; write \"(\""},
      {"z]", "\"]\" is not used at column 2; write \")\""},
      {"sum(x[0], x[1])", "expected \"=\" at column 6; a range is written i = 0..9"},
      {"sum()", "expected an index at column 5; a range is written i = 0..9"},
      {"sum(i = 0, x[i])", "expected \"..\" at column 10; a range is written i = 0..9"},
      {"sum(i = 0..3)", "expected \",\" at column 13; write sum(i = 0..9, x[i])"},
      {"sum(i = 0..3, x[i], z)", "\",\" at column 19 stands outside"},
      {"sum(i = 0..3, x[i]", "\"(\" at column 4 is never closed"},
      {"sum(i = 3..0, x[i])", "the range 3..0 runs backwards at column 5; write the smaller number first"},
      {"sum(z = 0..3, z)", "\"z\" has a meaning already at column 5; choose another name for the index"},
      {"sum(t = 0..3, t)", "\"t\" has a meaning already at column 5"},
      {"sum(i = 0..3, sum(i = 0..3, i))", "\"i\" has a meaning already at column 19"},
      {"sum(i = 0..5, x[i])", "there is no \"x[5]\" at column 15"},
      {"sum(i = 0..3, x[i]) + i", "unknown name \"i\" at column 23"},
      {"sum(i = 0..1000000000, z)", "too much is repeated at column 4"},
  };
  for (const auto& row : rows) {
    const std::string &text = row.first, &message = row.second;
    CAPTURE(text);
    CHECK(f.message(text).substr(0, message.size()) == message);
    f.names.repeated = 0;
  }
  CHECK(f.names.nesting == 0);
  f.names.repeated = most_repeated - 200;
  CHECK(f.message("sum(i = 0..2, i)") == "accepted");
  CHECK(f.message("sum(i = 0..9, i)").starts_with("too much is repeated at column 4"));
}

TEST_CASE("indices_and_ranges_nested_without_end_are_refused") {
  Family f;
  for (const std::string piece : {"x[", "sum(i = ", "sum(i = 0..0, x["}) {
    std::string text;
    for (int k = 0; k < 100'000; ++k) text += piece;
    const std::string message = f.message(text);
    CAPTURE(message);
    CHECK((message.starts_with("nested more than 1000 levels deep") ||
           message.starts_with("\"i\" has a meaning already")));
  }
}

TEST_CASE("definitions_with_indices_that_need_themselves_are_refused") {
  Family f;
  const auto previous = std::make_shared<Wording>(Wording{"1 + r[i - 1]", "parameters.r", {}});
  const auto next = std::make_shared<Wording>(Wording{"1 + d[i + 1]", "parameters.d", {}});
  const auto round = std::make_shared<Wording>(Wording{"1 + c[1 - i]", "parameters.c", {}});
  f.names.add_constant("r[0]", 0);
  for (int i = 1; i < 1000; ++i) f.names.add_definition("r[" + std::to_string(i) + "]", previous, {{"i", i}});
  for (int i = 0; i < 1000; ++i) f.names.add_definition("d[" + std::to_string(i) + "]", next, {{"i", i}});
  for (int i = 0; i < 2; ++i) f.names.add_definition("c[" + std::to_string(i) + "]", round, {{"i", i}});
  CHECK(f.message("c[0]") == "parameters.c: \"c[0]\" needs itself; no definition may need itself");
  CHECK(f.message("d[0]").find("is needed at the end of a long row of definitions") != std::string::npos);
  for (int i = 1; i < 1000; ++i) REQUIRE(f.graph.is_constant(f("r[" + std::to_string(i) + "]"), i));
  CHECK(f.names.nesting == 0);
}

TEST_CASE("ranges_and_declared_names_are_read_on_their_own") {
  Family f;
  const Range range = parse_range(f.graph, " i = 1..N-1 ", f.names);
  CHECK(range.index == "i");
  CHECK(range.first == 1);
  CHECK(range.last == 3);
  CHECK(parse_name(f.graph, "q[i+1, 2*i]", f.names, {{"i", 3}}) == "q[4,6]");
  CHECK(parse_name(f.graph, "q", f.names) == "q");
  CHECK_THROWS_WITH_AS(parse_range(f.graph, "i = 0..3, j", f.names), doctest::Contains("column 9"), FormulaError);
  CHECK_THROWS_WITH_AS(parse_range(f.graph, "", f.names), "the range is empty; a range is written i = 0..9",
                       FormulaError);
  CHECK_THROWS_WITH_AS(parse_name(f.graph, "q[1]'", f.names), doctest::Contains("unexpected \"'\" at column 5"),
                       FormulaError);
}
