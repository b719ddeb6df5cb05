#include "livens/store/summary_check.hpp"

#include <doctest/doctest.h>

using namespace livens;

namespace {

const std::string written = R"({"directory": "a", "steps": 100, "final": {"t": 1.0, "q": [0.1, -0.0]},
                                "cost": {"evaluations": 7, "seconds": 0.5}})";

std::string check_of(std::string text, const std::string& from = "", const std::string& to = "") {
  return summary_check(Json::parse(from.empty() ? text : text.replace(text.find(from), from.size(), to)));
}

}  // namespace

TEST_CASE("another_layout_of_the_same_values_has_the_same_check_sum") {
  const std::string check = check_of(written);
  CHECK(check_of(R"({"cost":{"evaluations":7,"seconds":0.5},"final":{"q":[1e-1,0],"t":1},"steps":100.0})") == check);
  CHECK(check_of(to_text(Json::parse(written))) == check);
  CHECK(check_of(written, "0.5", "0.75") == check);     // how long it took
  CHECK(check_of(written, "\"a\"", "\"b\"") == check);  // where it lies
}

TEST_CASE("other_values_have_another_check_sum") {
  const std::string check = check_of(written);
  CHECK(check_of(written, "0.1", "0.10000000000000002") != check);
  CHECK(check_of(written, "100", "101") != check);
  CHECK(check_of(written, "7", "8") != check);
  CHECK(check_of(written, "\"t\"", "\"T\"") != check);
  CHECK(check_of(written, "0.1, -0.0", "-0.0, 0.1") != check);
  CHECK(check_of(written, "0.1, -0.0", "0.1") != check);
}

TEST_CASE("a_summary_is_what_was_written_or_has_no_check_sum") {
  Json summary = Json::parse(written);
  CHECK_NOTHROW(verify_summary(summary));
  summary["check"] = summary_check(summary);
  CHECK_NOTHROW(verify_summary(Json::parse(to_text(summary))));
  summary["steps"] = 99;
  CHECK_THROWS_AS(verify_summary(summary), JsonError);
}
