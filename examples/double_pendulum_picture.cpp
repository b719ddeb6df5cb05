// The picture of the README: a double pendulum in space, kept on its rods by RATTLE, as SVG on standard output.
//
//   L = m1/2 |r1'|^2 + m2/2 |r2'|^2 - g (m1 z1 + m2 z2) ,   |r1|^2 = l1^2 ,   |r2 - r1|^2 = l2^2
//
// Left the path of the second mass, seen from the front; right what the run conserved.
// Build and run:  ./dev test example_double_pendulum_picture
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "livens/method/rattle.hpp"
#include "livens/run/march.hpp"

using livens::Vec;

struct DoublePendulum {
  static constexpr int coordinates = 6, constraints = 2;
  static constexpr bool constant_mass = true;
  double m1 = 1, m2 = 1.5, l1 = 1, l2 = 0.8, g = 9.81;

  template <class T>
  T lagrangian(const Vec<T, 6>& q, const Vec<T, 6>& v) const {
    return m1 / 2 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) + m2 / 2 * (v[3] * v[3] + v[4] * v[4] + v[5] * v[5]) -
           g * (m1 * q[2] + m2 * q[5]);
  }
  template <class T>
  Vec<T, 2> constraint(const Vec<T, 6>& q) const {
    const T x = q[3] - q[0], y = q[4] - q[1], z = q[5] - q[2];
    return {(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - l1 * l1) / 2, (x * x + y * y + z * z - l2 * l2) / 2};
  }
};

constexpr const char *ink = "#333", *faint = "#ddd", *path_colour = "#1f6f8b", *energy_colour = "#c8553d";

// A rectangle of the page with its own coordinates.
struct Axes {
  double left, top, width, height, x0, x1, y0, y1;
  double x(double value) const { return left + width * (value - x0) / (x1 - x0); }
  double y(double value) const { return top + height * (y1 - value) / (y1 - y0); }

  void vertical_line(double value) const { line(x(value), top, x(value), top + height); }
  void horizontal_line(double value) const { line(left, y(value), left + width, y(value)); }
  void label_below(double value, const std::string& text) const {
    std::printf("<text x='%.1f' y='%.1f' text-anchor='middle'>%s</text>\n", x(value), top + height + 18, text.c_str());
  }
  void label_left(double value, const std::string& text) const {
    std::printf("<text x='%.1f' y='%.1f' text-anchor='end'>%s</text>\n", left - 8, y(value) + 4, text.c_str());
  }
  static void line(double xa, double ya, double xb, double yb) {
    std::printf("<line x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke='%s'/>\n", xa, ya, xb, yb, faint);
  }
};

struct Point {
  double x, y;
};

void curve(const Axes& axes, const std::vector<Point>& points, const char* colour, double width, double opacity) {
  std::printf(
      "<polyline fill='none' stroke='%s' stroke-width='%.1f' stroke-opacity='%.2f' stroke-linejoin='round' points='",
      colour, width, opacity);
  for (const Point& p : points) std::printf("%.1f,%.1f ", axes.x(p.x), axes.y(p.y));
  std::printf("'/>\n");
}

void circle(const Axes& axes, const Point& centre, double radius) {
  std::printf("<circle cx='%.1f' cy='%.1f' r='%.1f' fill='%s'/>\n", axes.x(centre.x), axes.y(centre.y), radius, ink);
}

void text(double x, double y, const std::string& style, const char* words) {
  std::printf("<text x='%.1f' y='%.1f' %s>%s</text>\n", x, y, style.c_str(), words);
}

template <class Rows>
void draw_path(const Rows& rows) {
  const Axes axes{.left = 60, .top = 50, .width = 360, .height = 300, .x0 = -1.8, .x1 = 1.8, .y0 = -2, .y1 = 1};
  for (const double x : {-1.0, 0.0, 1.0})
    axes.vertical_line(x), axes.label_below(x, std::to_string(static_cast<int>(x)));
  for (const double z : {-2.0, -1.0, 0.0, 1.0})
    axes.horizontal_line(z), axes.label_left(z, std::to_string(static_cast<int>(z)));

  const std::size_t tail = 8000, piece = 200, stride = 5;  // the last 8 seconds, in pieces that fade with age
  for (std::size_t begin = rows.size() - 1 - tail; begin + 1 < rows.size(); begin += piece) {
    std::vector<Point> points;
    for (std::size_t k = begin; k <= begin + piece; k += stride) points.push_back({rows[k].q[3], rows[k].q[5]});
    const double youth = 1 - static_cast<double>(rows.size() - 1 - begin) / static_cast<double>(tail + piece);
    curve(axes, points, path_colour, 1.6, 0.08 + 0.92 * youth * youth);
  }
  const auto& q = rows.back().q;
  curve(axes, {{0, 0}, {q[0], q[2]}, {q[3], q[5]}}, ink, 2.5, 1);
  circle(axes, {0, 0}, 3), circle(axes, {q[0], q[2]}, 6), circle(axes, {q[3], q[5]}, 7.5);
  text(axes.left, 30, "font-size='15'", "Path of the second mass, last 8 s");
  text(axes.x(0), 392, "text-anchor='middle'", "x");
  text(18, axes.y(-0.5), "text-anchor='middle'", "z");
}

// The largest value in each of the `count` equal parts of the run.
template <class Rows, class Value>
std::vector<Point> envelope(const Rows& rows, std::size_t count, const Value& value) {
  std::vector<Point> points;
  const std::size_t part = (rows.size() - 1) / count;
  for (std::size_t k = 0; k < count; ++k) {
    double largest = 0;
    for (std::size_t i = 1 + k * part; i <= (k + 1) * part; ++i) largest = std::max(largest, value(rows[i]));
    points.push_back({rows[k * part + part / 2].t, std::log10(largest)});
  }
  return points;
}

int main() {
  const DoublePendulum problem;
  const auto run = livens::march(problem, livens::Rattle{},
                                 {.q = {1, 0, 0, 1, 0.8, 0}, .v = {0, 1, 0, -1, 1, 0}, .step = 0.001, .end = 20.0});
  const auto energy = [&](const auto& row) { return dot(row.p, row.v) - problem.lagrangian(row.q, row.v); };
  const double initial = energy(run.rows.front());
  const auto energy_error = [&](const auto& row) { return std::abs(energy(row) - initial); };
  const auto constraint_error = [&](const auto& row) { return max_norm(problem.constraint(row.q)); };

  std::printf(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 900 410' width='900' height='410' "
      "font-family='sans-serif' font-size='12' fill='%s'>\n<rect width='900' height='410' fill='#fbfbf8'/>\n",
      ink);
  draw_path(run.rows);

  const Axes axes{.left = 520, .top = 50, .width = 350, .height = 300, .x0 = 0, .x1 = 20, .y0 = -18, .y1 = -2};
  for (const double t : {0.0, 5.0, 10.0, 15.0, 20.0})
    axes.vertical_line(t), axes.label_below(t, std::to_string(static_cast<int>(t)));
  for (int e = -18; e <= -2; e += 4)
    axes.horizontal_line(e), axes.label_left(e, "10<tspan dy='-5' font-size='9'>" + std::to_string(e) + "</tspan>");
  curve(axes, envelope(run.rows, 200, energy_error), energy_colour, 1.6, 1);
  curve(axes, envelope(run.rows, 200, constraint_error), path_colour, 1.6, 1);
  text(axes.left, 30, "font-size='15'", "What RATTLE keeps, step 0.001");
  text(axes.x(10), 392, "text-anchor='middle'", "time");
  text(axes.x(0.5), axes.y(-7.9), std::string("fill='") + energy_colour + "'",
       "energy error: oscillates, does not grow");
  text(axes.x(0.5), axes.y(-16.9), std::string("fill='") + path_colour + "'", "constraint error |g|: round-off");
  std::printf("</svg>\n");

  return run.report.outcome == livens::RunOutcome::finished && run.audit.constraint < 1e-15 ? 0 : 1;
}
