#include "report/mechanism_view.hpp"

#include <array>
#include <cmath>

namespace livens::report {

namespace {

using Vector = std::array<double, 3>;

Json json_of(const multibody::Vector& x) {
  return Json::Array{to_double(x[0]), to_double(x[1]), to_double(x[2])};
}

Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// Of the rotation with these columns (Shepperd's method: the largest of the four is divided by).
std::array<double, 4> quaternion_of(const std::array<Vector, 3>& d) {
  const double xx = d[0][0], yy = d[1][1], zz = d[2][2], trace = xx + yy + zz;
  std::array<double, 4> q{};
  if (trace > std::max({xx, yy, zz})) {
    const double w = std::sqrt(1 + trace) / 2;
    q = {(d[1][2] - d[2][1]) / (4 * w), (d[2][0] - d[0][2]) / (4 * w), (d[0][1] - d[1][0]) / (4 * w), w};
  } else {
    const std::size_t i = xx >= yy && xx >= zz ? 0 : yy >= zz ? 1 : 2, j = (i + 1) % 3, k = (i + 2) % 3;
    const double u = std::sqrt(std::max(0.0, 1 + d[i][i] - d[j][j] - d[k][k])) / 2;
    q[i] = u;
    q[j] = (d[i][j] + d[j][i]) / (4 * u);
    q[k] = (d[i][k] + d[k][i]) / (4 * u);
    q[3] = (d[j][k] - d[k][j]) / (4 * u);
  }
  const double size = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (double& x : q) x /= size;
  return q;
}

// A rod says where its axis points; how it is turned about it is not told by anything.
std::array<Vector, 3> around(const Vector& axis, std::size_t number) {
  std::array<Vector, 3> d{};
  const std::size_t least = std::abs(axis[0]) <= std::abs(axis[1]) && std::abs(axis[0]) <= std::abs(axis[2]) ? 0
                            : std::abs(axis[1]) <= std::abs(axis[2])                                         ? 1
                                                                                                             : 2;
  Vector aside{0, 0, 0};
  aside[least] = 1;
  Vector across = cross(axis, aside);
  const double size = std::hypot(across[0], across[1], across[2]);
  for (double& x : across) x /= size;
  d[number] = axis, d[(number + 1) % 3] = across, d[(number + 2) % 3] = cross(axis, across);
  return d;
}

}  // namespace

void MechanismDrawing::draw(const double* q, double* out) const {
  const std::size_t D = m_.plane() ? 2 : 3;
  double* turn = out + m_.bodies().size() * D;
  for (const multibody::Body& body : m_.bodies()) {
    const double* place = q + m_.place_of(body, -1);
    for (std::size_t k = 0; k < D; ++k) *out++ = place[k];
    std::array<Vector, 3> d{Vector{1, 0, 0}, Vector{0, 1, 0}, Vector{0, 0, 1}};
    for (const int i : body.directors) {
      const double* from = q + m_.place_of(body, i);
      for (std::size_t k = 0; k < D; ++k) d[static_cast<std::size_t>(i)][k] = from[k];
    }
    if (m_.plane()) {
      const double size = std::hypot(d[0][0], d[0][1]);
      *turn++ = d[0][0] / size, *turn++ = d[0][1] / size;
      continue;
    }
    if (body.directors.size() == 2) {  // a plate: the one that it lacks
      for (std::size_t i = 0; i < 3; ++i)
        if (!body.has(static_cast<int>(i))) d[i] = cross(d[(i + 1) % 3], d[(i + 2) % 3]);
    } else if (body.directors.size() == 1) {
      const auto i = static_cast<std::size_t>(body.directors.front());
      d = around(d[i], i);
    }
    for (const double x : quaternion_of(d)) *turn++ = x;
  }
}

Json MechanismDrawing::parts() const {
  Json bodies = Json::array(), joints = Json::array(), springs = Json::array();
  for (std::size_t b = 0; b < m_.bodies().size(); ++b) {
    const multibody::Body& body = m_.bodies()[b];
    Json shape = {{"type", multibody::name(body.shape.type)},
                  {"size", json_of(body.shape.size)},
                  {"radius", to_double(body.shape.radius)},
                  {"length", to_double(body.shape.length)}};
    Json arms = Json::array(), reach = Json::array();
    if (body.shape.type == multibody::Shape::Type::none) {
      shape["type"] = "none";
      for (const multibody::Joint& joint : m_.joints())
        for (std::size_t side = 0; side < 2; ++side)
          if (joint.bodies[side] == static_cast<int>(b)) arms.push_back(json_of(joint.frames[side].point));
      for (int i = 0; i < 3; ++i) reach.push_back(std::sqrt(3 * std::abs(to_double(body.euler(i, i) / body.mass))));
    }
    bodies.push_back({{"name", body.name}, {"shape", shape}, {"arms", arms}, {"reach", reach}});
  }
  for (const multibody::Joint& joint : m_.joints()) {
    const std::size_t side = joint.bodies[1] == multibody::ground ? 0 : 1;
    joints.push_back({{"name", joint.name},
                      {"type", multibody::name(joint.type)},
                      {"bodies", Json::Array{joint.bodies[0], joint.bodies[1]}},
                      {"points", Json::Array{json_of(joint.frames[0].point), json_of(joint.frames[1].point)}},
                      {"side", side},
                      {"axis", json_of(joint.frames[side].axis)}});
  }
  for (const multibody::Spring& spring : m_.springs())
    if (!spring.joint)
      springs.push_back({{"name", spring.name},
                         {"coil", spring.stiffness != 0},
                         {"bodies", Json::Array{spring.bodies[0], spring.bodies[1]}},
                         {"points", Json::Array{json_of(spring.points[0]), json_of(spring.points[1])}}});
  Json view = {{"kind", "mechanism"}, {"equal", true}, {"bodies", bodies}, {"joints", joints}, {"springs", springs}};
  const auto& g = m_.gravity();
  if (g[0] != 0 || g[1] != 0 || g[2] != 0) {
    const double size = to_double(multibody::length(g));
    view["gravity"] = Json::Array{to_double(g[0]) / size, to_double(g[1]) / size, to_double(g[2]) / size};
  }
  return view;
}

}  // namespace livens::report
