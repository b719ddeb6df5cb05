#include "report/mechanism_outline.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace livens::report {

namespace {

constexpr int corners_of_circle = 24;

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

}  // namespace

Space space_of(const multibody::Vector& x) {
  return {to_double(x[0]), to_double(x[1]), to_double(x[2])};
}

std::vector<Line> outline_of_body(const multibody::Mechanism& m, int number) {
  const multibody::Body& body = m.bodies()[static_cast<std::size_t>(number)];
  if (body.shape.type != multibody::Shape::Type::none) return outline(body.shape, m.plane());
  std::vector<Line> lines;
  for (const multibody::Joint& joint : m.joints())
    for (std::size_t side = 0; side < 2; ++side)
      if (joint.bodies[side] == number) lines.push_back({{0, 0, 0}, space_of(joint.frames[side].point)});
  if (!lines.empty()) return lines;
  for (const int d : body.directors) {
    Space x{0, 0, 0};
    x[static_cast<std::size_t>(d)] = std::sqrt(3 * std::abs(to_double(body.euler(d, d) / body.mass)));
    lines.push_back({{-x[0], -x[1], -x[2]}, x});
  }
  return lines;
}

Pose pose_of(const RowTable& rows, const multibody::Mechanism& m, const multibody::Body& body, std::int64_t row) {
  Pose pose;
  std::vector<double> x;
  const std::string path = "bodies/" + body.name + "/";
  rows.read(path + "position", row, 1, x);
  std::copy(x.begin(), x.end(), pose.position.begin());
  if (m.plane() && !body.directors.empty()) {
    rows.read(path + "rotation", row, 1, x);
    pose.directors = {Space{std::cos(x[0]), std::sin(x[0]), 0}, Space{-std::sin(x[0]), std::cos(x[0]), 0},
                      Space{0, 0, 1}};
  } else if (body.directors.size() > 1) {
    rows.read(path + "rotation", row, 1, x);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) pose.directors[i][k] = x[3 * k + i];
  } else if (body.directors.size() == 1) {
    rows.read(path + "direction", row, 1, x);
    std::copy(x.begin(), x.end(), pose.directors[static_cast<std::size_t>(body.directors[0])].begin());
  }
  return pose;
}

}  // namespace livens::report
