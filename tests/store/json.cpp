#include "livens/store/json.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

using namespace livens;

TEST_CASE("floating_point_numbers_have_17_digits_and_always_look_like_floating_point") {
  CHECK(to_text(0.1) == "0.10000000000000001");
  CHECK(to_text(100.0) == "100.0");
  CHECK(to_text(-0.0) == "-0.0");
  CHECK(to_text(1e16) == "10000000000000000.0");
  CHECK(to_text(1e300) == "1.0000000000000001e+300");
  CHECK(to_text(1e22) == "1e+22");
  CHECK(to_text(3) == "3");
  CHECK(to_text(-9007199254740993LL) == "-9007199254740993");
}

TEST_CASE("every_double_comes_back_from_its_text") {
  double x = 1e-320;  // through the subnormal numbers up to the largest
  while (std::isfinite(x)) {
    for (const double y : {x, -x, std::nextafter(x, 0.0)}) CHECK(Json::parse(to_text(y)).get<double>() == y);
    x *= 7.3;
  }
}

TEST_CASE("not_finite_numbers_are_null") {
  const double inf = std::numeric_limits<double>::infinity();
  CHECK(to_text(inf) == "null");
  CHECK(to_text(Json{1.0, std::nan(""), -inf}) == "[1.0, null, null]");
}

TEST_CASE("a_summary_keeps_its_order_and_has_arrays_of_numbers_on_one_line") {
  Json summary;
  summary["title"] = "a \"top\"\n";
  summary["set"] = Json::object();
  summary["final"]["q"] = {0.5, 2};
  summary["final"]["lambda"] = Json::array();
  const auto alone = [](Json x) {
    Json list = Json::array();
    list.push_back(std::move(x));
    return list;
  };
  summary["rows"] = {Json{{"ok", true}}, {alone(1.0), alone(2.0)}};
  CHECK(to_text(summary) ==
        R"({
  "title": "a \"top\"\n",
  "set": {},
  "final": {
    "q": [0.5, 2],
    "lambda": []
  },
  "rows": [
    {
      "ok": true
    },
    [
      [1.0],
      [2.0]
    ]
  ]
})");
  CHECK(to_text(Json{{"a", 1}}, 4) == "{\n    \"a\": 1\n}");
}

TEST_CASE("bytes_that_are_not_text_do_not_stop_a_summary") {
  CHECK(to_text(Json("runs/\xff")) == "\"runs/\xef\xbf\xbd\"");
  CHECK(to_text(Json("K\xc3\xb6rper")) == "\"K\xc3\xb6rper\"");
}

TEST_CASE("what_is_printed_is_read_again") {
  const Json x = {{"name", "top"}, {"s", 2}, {"step", 0.1}, {"none", nullptr}, {"ok", true}, {"q", {1.0, -2.5e-300}}};
  const Json y = Json::parse(to_text(x));
  CHECK(y == x);
  CHECK(y.at("s").is_whole());
  CHECK_FALSE(y.at("step").is_whole());
  CHECK(y.at("q")[std::size_t{1}].get<double>() == -2.5e-300);
  CHECK(y.contains("none"));
  CHECK_FALSE(y.contains("p"));
  CHECK(Json(2) == Json(2.0));
}

TEST_CASE("what_is_not_there_or_of_another_type_is_said") {
  const Json x = {{"q", {1, 2}}};
  CHECK_THROWS_WITH_AS(x.at("p"), "key 'p' not found", JsonError);
  CHECK_THROWS_WITH_AS(x.at("q").get<double>(), "type must be number, but is array", JsonError);
  CHECK_THROWS_WITH_AS(x.at("q").items(), "type must be object, but is array", JsonError);
  CHECK_THROWS_AS(Json::parse("{\"q\": [1, "), JsonError);
}
