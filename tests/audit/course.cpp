// The course of an error taken row by row, beside the same figures from all rows at once.
#include "livens/audit/course.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

using namespace livens;

namespace {

struct Row {
  double t, e;
};

Course at_once(const std::vector<Row>& rows) {
  Course c;
  Drift line;
  for (const Row& r : rows) c.largest = std::max(c.largest, std::abs(r.e)), line.add(r.t, r.e);
  c.rows = static_cast<double>(rows.size());
  c.slope = line.slope();
  c.duration = std::abs(rows.back().t - rows.front().t);
  const double middle = rows.front().t + (rows.back().t - rows.front().t) / 2;
  double low = INFINITY, high = -INFINITY, squares[2] = {}, counts[2] = {};
  for (const Row& r : rows) {
    const double off = r.e - c.slope * (r.t - rows.front().t);
    low = std::min(low, off), high = std::max(high, off);
    const int half = (r.t - middle) * (rows.back().t - rows.front().t) > 0;
    squares[half] += r.e * r.e, counts[half] += 1;
  }
  c.band = high - low;
  c.first_half = std::sqrt(squares[0] / std::max(counts[0], 1.0));
  c.second_half = std::sqrt(squares[1] / std::max(counts[1], 1.0));
  return c;
}

// Differences relative to the figures of all rows at once.
void compare(const std::vector<Row>& rows, double of_band, double of_halves) {
  CourseWatch watch;
  for (const Row& r : rows) watch.add(r.t, r.e);
  const Course c = watch.course(), d = at_once(rows);
  CHECK(c.rows == d.rows);
  CHECK(c.largest == d.largest);
  CHECK(c.slope == d.slope);
  CHECK(c.duration == d.duration);
  CHECK(std::abs(c.band - d.band) <= of_band * d.band);
  CHECK(std::abs(c.first_half - d.first_half) <= of_halves * d.first_half);
  CHECK(std::abs(c.second_half - d.second_half) <= of_halves * d.second_half);
}

std::vector<Row> series(int count, double step, double (*e)(double)) {
  std::vector<Row> rows;
  for (int n = 0; n < count; ++n) rows.push_back({1 + n * step, e(n * std::abs(step))});
  return rows;
}

}  // namespace

TEST_CASE("up_to_4096_rows_the_course_is_exact_forward_and_back_in_time") {
  for (const double step : {0.1, -0.1})
    for (auto e : {+[](double t) { return std::sin(3 * t) + 0.01 * t; }, +[](double t) { return t * t; },
                   +[](double t) { return -std::exp(0.02 * t) * std::cos(t); }}) {
      compare(series(4001, step, e), 1e-14, 1e-14);
      compare(series(2, step, e), 1e-14, 1e-14);
    }
  std::mt19937 random(7);
  std::vector<Row> walk = {{0, 0}};
  while (walk.size() < 4096) walk.push_back({walk.back().t + 1, walk.back().e + (random() % 2 == 0 ? 1e-6 : -1e-6)});
  compare(walk, 1e-14, 1e-14);
}

TEST_CASE("long_runs_lose_less_than_a_thousandth_of_it") {
  compare(series(100001, 0.01, [](double t) { return std::sin(t) + 0.001 * t; }), 1e-14, 1e-3);
  // All points of a parabola are corners of the hull: of those near each other some are left out.
  compare(series(100001, 0.01, [](double t) { return t * t; }), 1e-6, 1e-3);
}
