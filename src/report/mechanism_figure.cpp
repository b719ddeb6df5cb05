#include "report/mechanism_figure.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "livens/multibody/mechanism.hpp"

namespace livens::report {

namespace {

constexpr int instants = 6;
constexpr std::size_t most_outlines = 150;  // bodies; of more, their centres are connected
constexpr int corners_of_circle = 24;

using Space = std::array<double, 3>;
using Line = std::vector<Space>;

Space number_of(const multibody::Vector& x) {
  return {to_double(x[0]), to_double(x[1]), to_double(x[2])};
}

// About the axis, at a height along it.
Line circle(double radius, double height, int axis) {
  Line line;
  for (int k = 0; k <= corners_of_circle; ++k) {
    const double angle = 2 * std::numbers::pi * k / corners_of_circle;
    Space x{0, 0, 0};
    x[static_cast<std::size_t>(axis)] = height;
    x[static_cast<std::size_t>((axis + 1) % 3)] = radius * std::cos(angle);
    x[static_cast<std::size_t>((axis + 2) % 3)] = radius * std::sin(angle);
    line.push_back(x);
  }
  return line;
}

Line rectangle(double a, double b, double height) {
  return {{a, b, height}, {-a, b, height}, {-a, -b, height}, {a, -b, height}, {a, b, height}};
}

// In the body's own axes, from its centre of mass; the tip of a cone is at -3/4 of its length.
std::vector<Line> outline(const multibody::Shape& shape, bool plane) {
  using Type = multibody::Shape::Type;
  const double a = to_double(shape.size[0]) / 2, b = to_double(shape.size[1]) / 2, c = to_double(shape.size[2]) / 2,
               r = to_double(shape.radius), l = to_double(shape.length);
  switch (shape.type) {
    case Type::box: {
      if (plane) return {rectangle(a, b, 0)};
      std::vector<Line> lines{rectangle(a, b, -c), rectangle(a, b, c)};
      for (const double x : {-a, a})
        for (const double y : {-b, b}) lines.push_back({{x, y, -c}, {x, y, c}});
      return lines;
    }
    case Type::plate:
      return {rectangle(a, b, 0)};
    case Type::sphere:
      return {circle(r, 0, 0), circle(r, 0, 1), circle(r, 0, 2)};
    case Type::disc:
      return {circle(r, 0, 2), {{0, 0, 0}, {r, 0, 0}}};
    case Type::cylinder: {
      std::vector<Line> lines{circle(r, -l / 2, 2), circle(r, l / 2, 2)};
      for (const double x : {-r, r}) lines.push_back({{x, 0, -l / 2}, {x, 0, l / 2}});
      for (const double y : {-r, r}) lines.push_back({{0, y, -l / 2}, {0, y, l / 2}});
      return lines;
    }
    case Type::cone: {
      std::vector<Line> lines{circle(r, l / 4, 2)};
      for (const double x : {-r, r}) lines.push_back({{0, 0, -3 * l / 4}, {x, 0, l / 4}});
      for (const double y : {-r, r}) lines.push_back({{0, 0, -3 * l / 4}, {0, y, l / 4}});
      return lines;
    }
    case Type::rod:
      return plane ? std::vector<Line>{{{-l / 2, 0, 0}, {l / 2, 0, 0}}}
                   : std::vector<Line>{{{0, 0, -l / 2}, {0, 0, l / 2}}};
    case Type::none:
    case Type::point:
      break;
  }
  return {};
}

// Bodies without a shape are drawn as lines from their centre of mass to their joints or, without these, as their axes,
// each as long as the body is wide along it.
std::vector<Line> drawn(const multibody::Mechanism& m, int number) {
  const multibody::Body& body = m.bodies()[static_cast<std::size_t>(number)];
  if (body.shape.type != multibody::Shape::Type::none) return outline(body.shape, m.plane());
  std::vector<Line> lines;
  for (const multibody::Joint& joint : m.joints())
    for (std::size_t side = 0; side < 2; ++side)
      if (joint.bodies[side] == number) lines.push_back({{0, 0, 0}, number_of(joint.frames[side].point)});
  if (!lines.empty()) return lines;
  for (const int d : body.directors) {
    Space x{0, 0, 0};
    x[static_cast<std::size_t>(d)] = std::sqrt(3 * std::abs(to_double(body.euler(d, d) / body.mass)));
    lines.push_back({{-x[0], -x[1], -x[2]}, x});
  }
  return lines;
}

struct Pose {
  Space position{0, 0, 0};
  std::array<Space, 3> directors{};
  Space at(const Space& X) const {
    Space x = position;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) x[k] += X[i] * directors[i][k];
    return x;
  }
};

Pose pose_of(const RecordedRun& run, const multibody::Mechanism& m, const multibody::Body& body, std::int64_t row) {
  Pose pose;
  std::vector<double> x;
  const std::string path = "bodies/" + body.name + "/";
  run.rows.read(path + "position", row, 1, x);
  std::copy(x.begin(), x.end(), pose.position.begin());
  if (m.plane() && !body.directors.empty()) {
    run.rows.read(path + "rotation", row, 1, x);
    pose.directors = {Space{std::cos(x[0]), std::sin(x[0]), 0}, Space{-std::sin(x[0]), std::cos(x[0]), 0},
                      Space{0, 0, 1}};
  } else if (body.directors.size() > 1) {
    run.rows.read(path + "rotation", row, 1, x);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) pose.directors[i][k] = x[3 * k + i];
  } else if (body.directors.size() == 1) {
    run.rows.read(path + "direction", row, 1, x);
    std::copy(x.begin(), x.end(), pose.directors[static_cast<std::size_t>(body.directors[0])].begin());
  }
  return pose;
}

// Seen from the side and a little from above, gravity pulling down the page; the plane is seen as it is.
class View {
 public:
  explicit View(const multibody::Mechanism& m) : plane_(m.plane()) {
    const Space g = number_of(m.gravity());
    std::size_t down = 2;
    for (std::size_t k = 0; k < 3; ++k)
      if (std::abs(g[k]) > std::abs(g[down])) down = k;
    up_ = down, first_ = (down + 1) % 3, second_ = (down + 2) % 3;
    sign_ = g[down] > 0 ? -1 : 1;
  }
  svg::Point operator()(const Space& x) const {
    if (plane_) return {x[0], x[1]};
    constexpr double around = -1.0, above = 0.35;
    const double a = x[first_], b = x[second_];
    return {-std::sin(around) * a + std::cos(around) * b,
            sign_ * std::cos(above) * x[up_] - std::sin(above) * (std::cos(around) * a + std::sin(around) * b)};
  }

 private:
  bool plane_;
  std::size_t up_, first_, second_;
  double sign_;
};

}  // namespace

std::vector<Figure> mechanism_figure(const RecordedRun& run) {
  if (!run.model.system->mechanism()) return {};
  const multibody::Mechanism& m = *run.model.system->mechanism();
  for (const multibody::Body& body : m.bodies())
    if (!run.rows.has("bodies/" + body.name + "/position")) return {};
  const View view(m);
  const std::int64_t last = run.rows.rows() - 1;
  const auto count = static_cast<int>(std::min<std::int64_t>(instants, last + 1));
  const bool outlines = m.bodies().size() <= most_outlines;

  Figure figure;
  figure.title = "The mechanism";
  figure.plot = {.description = fmt::format("the mechanism at {} instants", count), .equal_scales = true};
  if (!m.plane()) figure.note = "seen from the side and a little from above";
  if (m.plane()) figure.plot.x_label = "x", figure.plot.y_label = "y";
  for (int k = 0; k < count; ++k) {
    const std::int64_t row = count == 1 ? 0 : last * k / (count - 1);
    std::vector<double> t;
    run.rows.read(run.rows.column(Role::time).name, row, 1, t);
    std::string name = fmt::format("t = {:.4g}", t.front());
    const auto draw = [&](const std::vector<svg::Point>& points, bool dot) {
      figure.plot.curves.push_back({.name = std::move(name),
                                    .colour = k % svg::colours,
                                    .points = points,
                                    .ends_with_dot = dot,
                                    .marks_few_points = false});
      name.clear();
    };
    std::vector<Pose> poses;
    for (const multibody::Body& body : m.bodies()) poses.push_back(pose_of(run, m, body, row));
    if (!outlines) {
      std::vector<svg::Point> centres;
      for (const Pose& pose : poses) centres.push_back(view(pose.position));
      draw(centres, true);
      continue;
    }
    for (std::size_t b = 0; b < poses.size(); ++b) {
      for (const Line& line : drawn(m, static_cast<int>(b))) {
        std::vector<svg::Point> points;
        for (const Space& X : line) points.push_back(view(poses[b].at(X)));
        draw(points, false);
      }
      if (m.bodies()[b].shape.type == multibody::Shape::Type::point) draw({view(poses[b].position)}, true);
    }
    for (const multibody::Joint& joint : m.joints()) {
      const std::size_t side = joint.bodies[1] == multibody::ground ? 0 : 1;
      draw({view(poses[static_cast<std::size_t>(joint.bodies[side])].at(number_of(joint.frames[side].point)))}, true);
    }
  }
  return {figure};
}

}  // namespace livens::report
