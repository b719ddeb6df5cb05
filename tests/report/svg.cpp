// The plotting kit.
#include "report/svg.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "report/markup.hpp"

using namespace livens::svg;

namespace {

std::vector<std::string> labels(double lowest, double highest, int wanted) {
  std::vector<std::string> out;
  const Ticks marks = ticks(lowest, highest, wanted);
  for (const double value : marks.values) out.push_back(tick_label(value, marks));
  return out;
}

using Labels = std::vector<std::string>;

}  // namespace

TEST_CASE("ticks_are_round_numbers_within_the_range") {
  CHECK(labels(0, 100, 5) == Labels{"0", "20", "40", "60", "80", "100"});
  CHECK(labels(-0.35, 0.35, 5) == Labels{"-0.2", "0", "0.2"});
  CHECK(labels(0, 1, 5) == Labels{"0", "0.2", "0.4", "0.6", "0.8", "1.0"});
  CHECK(labels(19.99, 20.02, 3) == Labels{"19.99", "20.00", "20.01", "20.02"});
  CHECK(labels(-3e-7, 1e-7, 4) == Labels{"-3e-7", "-2e-7", "-1e-7", "0", "1e-7"});
  CHECK(labels(0, 3e6, 3) == Labels{"0", "1e6", "2e6", "3e6"});
  CHECK(labels(-1e-3, 5e-4, 3) == Labels{"-1.0e-3", "-0.5e-3", "0", "0.5e-3"});  // one power of ten
}

TEST_CASE("there_are_about_as_many_ticks_as_wanted_at_any_scale") {
  for (int k = -200; k <= 200; ++k) {
    const double span = std::pow(10, k / 17.0);
    const std::size_t count = ticks(-0.37 * span, 0.63 * span, 5).values.size();
    CAPTURE(span);
    CHECK(count >= 2);
    CHECK(count <= 8);
  }
}

TEST_CASE("thinning_keeps_every_extreme_and_the_order") {
  constexpr int length = 100000;
  Thinned thinned(length, 500, Thinned::Keep::both);
  const auto value = [](int n) { return n == 77777 ? 9.0 : n == 12345 ? -8.0 : std::sin(0.37 * n); };
  for (int n = 0; n < length; ++n) thinned.add(n, value(n));
  const std::vector<Point> points = thinned.points();
  CHECK(points.size() == 1000);
  CHECK(std::is_sorted(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.x < b.x; }));
  const auto has = [&](double x, double y) {
    return std::any_of(points.begin(), points.end(), [&](const Point& p) { return p.x == x && p.y == y; });
  };
  CHECK(has(77777, 9));
  CHECK(has(12345, -8));
  for (const Point& p : points) CHECK(p.y == value(static_cast<int>(p.x)));
}

TEST_CASE("a_short_series_is_not_thinned") {
  Thinned thinned(3, 500, Thinned::Keep::both);
  for (int n = 0; n < 3; ++n) thinned.add(n, n * n);
  CHECK(thinned.points().size() == 3);
}

TEST_CASE("an_error_curve_keeps_the_highest_value_of_every_part_and_skips_what_is_not_finite") {
  Thinned thinned(10, 2, Thinned::Keep::highest);
  for (const double y : std::vector<double>{1, 3, 2, 0, 1, 5, NAN, 7, 6, INFINITY}) thinned.add(0, y);
  const std::vector<Point> points = thinned.points();
  REQUIRE(points.size() == 2);
  CHECK(points[0].y == 3);
  CHECK(points[1].y == 7);
}

TEST_CASE("text_cannot_become_markup") {
  CHECK(escaped("a < b && \"c\" > d") == "a &lt; b &amp;&amp; &quot;c&quot; &gt; d");
  const std::string text = drawing({.description = "\"><script>", .x_label = "<x>", .y_label = "&y"});
  CHECK(text.find("<script>") == text.npos);
  CHECK(text.find("&lt;x&gt;") != text.npos);
  CHECK(markup::complaint(text) == "");
}

TEST_CASE("a_logarithmic_axis_is_labelled_with_powers_of_ten_and_takes_zeros") {
  const std::string text = drawing({.description = "",
                                    .x_label = "t",
                                    .y_label = "e",
                                    .logarithmic = true,
                                    .curves = {{"", 0, {{0, 0}, {1, 1e-7}, {2, 2e-4}}}}});
  CHECK(text.find("10<tspan dy=\"-6\" class=\"power\">\u22124</tspan>") != text.npos);
  CHECK(text.find("nan") == text.npos);
  CHECK(text.find("inf") == text.npos);
}

TEST_CASE("a_logarithmic_axis_reaches_down_to_what_is_there_and_leaves_out_zeros") {
  Plot plot{.logarithmic = true,
            .curves = {{"high", 0, {{0, 1e-4}, {1, 1e-4}}},
                       {"low", 1, {{0, 0}, {1, 2e-16}, {2, 2e-16}, {3, 0}, {4, 3e-16}, {5, 0}}},
                       {"none", 2, {{0, 0}, {1, 0}}}}};
  const std::string text = drawing(plot);
  CHECK(markup::count(text, "class=\"curve c1\"") == 1);  // two points and their line
  CHECK(markup::count(text, "class=\"dot c1\"") == 3);    // and one between zeros
  CHECK(markup::count(text, "c2\"") == 0);
  const std::string low = text.substr(text.find("curve c1"));
  double x = 0, y = 0;
  char comma = 0;
  std::istringstream(markup::attribute(low, "points")) >> x >> comma >> y;
  CHECK(y > 240);  // near the bottom, which is at 272
  CHECK(y < 271);
  CHECK(left_out(plot) == "none is exactly 0; what is exactly 0 is not drawn");
  plot.curves.pop_back();
  CHECK(left_out(plot) == "what is exactly 0 is not drawn");
  plot.curves.pop_back();
  CHECK(left_out(plot) == "");
}

TEST_CASE("labels_of_the_vertical_axis_have_room") {
  for (const double size : {1e-12, 1.0, 3e4, 1.2345e-7}) {
    const std::string text = drawing({.curves = {{"", 0, {{0, -size}, {1, 0.2 * size}}}}});
    const std::string minus = "\u2212";
    double right = 0;
    std::size_t longest = 0;
    for (std::size_t at = text.find("\"tick end\""); at != text.npos; at = text.find("\"tick end\"", at + 1)) {
      right = std::stod(markup::attribute(text.substr(at), "x"));
      const std::size_t begin = text.find('>', at) + 1;
      std::string label = text.substr(begin, text.find('<', begin) - begin);
      for (std::size_t k = label.find(minus); k != label.npos; k = label.find(minus))
        label.replace(k, minus.size(), "-");
      longest = std::max(longest, label.size());
    }
    CAPTURE(size);
    CHECK(right >= 8.6 * static_cast<double>(longest));  // pixels a digit, of the widest fonts
  }
}

TEST_CASE("curves_without_extent_can_be_drawn") {
  for (const std::vector<Point>& points : std::vector<std::vector<Point>>{
           {}, {{0, 0}}, {{1, 5}, {2, 5}}, {{1, 1e-300}, {1, 1e-300}}, {{0, 1e15}, {1, 1e15 + 0.125}}}) {
    for (const bool logarithmic : {false, true}) {
      const std::string text = drawing({.logarithmic = logarithmic, .curves = {{"", 0, points}}});
      CHECK(text.find("nan") == text.npos);
      CHECK(text.find("inf") == text.npos);
      CHECK(markup::complaint(text) == "");
    }
  }
}

TEST_CASE("equal_scales_make_a_circle_round") {
  Curve circle;
  for (int k = 0; k <= 100; ++k) circle.points.push_back({3 + std::cos(0.0628318 * k), std::sin(0.0628318 * k)});
  const std::string text = drawing({.equal_scales = true, .curves = {circle}});
  std::istringstream points(markup::attribute(text, "points"));
  double x, y, left = 1e9, right = -1e9, top = 1e9, bottom = -1e9;
  for (char comma; points >> x >> comma >> y;) {
    left = std::min(left, x), right = std::max(right, x);
    top = std::min(top, y), bottom = std::max(bottom, y);
  }
  CHECK(std::abs((right - left) - (bottom - top)) < 0.5);
  CHECK(right - left > 100);
}
