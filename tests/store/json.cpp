#include "livens/store/json.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <string>

using livens::to_text;
using Json = nlohmann::ordered_json;

TEST_CASE("floating_point_numbers_have_17_digits_and_always_look_like_floating_point") {
  CHECK(to_text(0.1) == "0.10000000000000001");
  CHECK(to_text(100.0) == "100.0");
  CHECK(to_text(-0.0) == "-0.0");
  CHECK(to_text(1e16) == "10000000000000000.0");
  CHECK(to_text(1e300) == "1.0000000000000001e+300");
  CHECK(to_text(1e22) == "1e+22");
  CHECK(to_text(3) == "3");
  CHECK(to_text(std::uint64_t{18446744073709551615u}) == "18446744073709551615");
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
  summary["rows"] = Json::array({Json{{"ok", true}}, Json::array({Json::array({1.0}), Json::array({2.0})})});
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
