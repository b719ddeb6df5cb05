// Points and rods in space as elements, for tests of large systems.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "livens/sparse/sparse_lu.hpp"
#include "livens/system/elements.hpp"

namespace livens::test {

struct PointMass {
  static constexpr int coordinates = 3;
  static constexpr bool constant_mass = true;
  double m, gravity = 9.81;
  template <class T>
  T lagrangian(const Vec<T, 3>& q, const Vec<T, 3>& v) const {
    return m / 2 * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) - m * gravity * q[2];
  }
};

struct Rod {
  static constexpr int coordinates = 6, constraints = 1;
  double length;
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 6>& q) const {
    const T x = q[3] - q[0], y = q[4] - q[1], z = q[5] - q[2];
    return {(x * x + y * y + z * z - length * length) / 2};
  }
};

struct RodToGround {
  static constexpr int coordinates = 3, constraints = 1;
  double length, x = 0, y = 0, z = 0;
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 3>& q) const {
    const T dx = q[0] - x, dy = q[1] - y, dz = q[2] - z;
    return {(dx * dx + dy * dy + dz * dz - length * length) / 2};
  }
};

// Not constant: mass grows with height; damped along its velocity.
struct HeavyAbove {
  static constexpr int coordinates = 3;
  double m;
  template <class T>
  T lagrangian(const T& t, const Vec<T, 3>& q, const Vec<T, 3>& v) const {
    using std::sin;
    return m / 2 * (1.0 + 0.3 * q[2] * q[2]) * (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) - 9.81 * m * q[2] +
           0.2 * q[0] * v[1] * sin(t);
  }
  template <class T>
  Vec<T, 3> force(const Vec<T, 3>& q, const Vec<T, 3>& v) const {
    return {-0.1 * v[0] * (1.0 + q[1] * q[1]), -0.1 * v[1], -0.1 * v[2]};
  }
};

struct Network {
  struct Bar {
    int a, b;  // points; b = -1: to the ground
  };
  std::vector<std::array<double, 3>> points;
  std::vector<Bar> bars;
  std::array<double, 3> ground{0, 0, 0};

  double length(const Bar& bar) const {
    const auto& a = points[static_cast<std::size_t>(bar.a)];
    const auto& b = bar.b < 0 ? ground : points[static_cast<std::size_t>(bar.b)];
    return std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  }

  ElementSystem<double> system(LinearChoice<double> linear) const {
    ElementSystem<double> s(3 * static_cast<int>(points.size()), linear);
    for (int i = 0; i < static_cast<int>(points.size()); ++i)
      s.add(PointMass{1.0 + 0.1 * (i % 7)}, {3 * i, 3 * i + 1, 3 * i + 2});
    for (const Bar& bar : bars) {
      const int a = 3 * bar.a, b = 3 * bar.b;
      if (bar.b < 0)
        s.add(RodToGround{length(bar), ground[0], ground[1], ground[2]}, {a, a + 1, a + 2});
      else
        s.add(Rod{length(bar)}, {a, a + 1, a + 2, b, b + 1, b + 2});
    }
    s.finish();
    return s;
  }
  Vec<double> positions() const {
    Vec<double> q(3 * static_cast<int>(points.size()));
    for (int i = 0; i < q.size(); ++i) q[i] = points[static_cast<std::size_t>(i / 3)][static_cast<std::size_t>(i % 3)];
    return q;
  }
};

inline Network chain(int count) {
  Network n;
  double x = 0, z = 0;
  for (int i = 0; i < count; ++i) {
    const double angle = 0.3 + 0.9 * std::sin(0.7 * i);
    x += std::sin(angle) / count, z -= std::cos(angle) / count;
    n.points.push_back({x, 0.1 * std::sin(1.0 + i) / count, z});
    n.bars.push_back({i, i - 1});
  }
  return n;
}

inline Network ring(int count) {
  Network n;
  for (int i = 0; i < count; ++i) {
    const double angle = 2 * M_PI * i / count;
    n.points.push_back({0.3 * std::sin(angle), 0.1 * std::sin(2 * angle), 0.3 * std::cos(angle) - 0.5});
    n.bars.push_back({i, (i + 1) % count});
  }
  n.bars.push_back({0, -1});
  return n;
}

// Every point hangs on the one with half its number.
inline Network tree(int count) {
  Network n;
  for (int i = 0; i < count; ++i) {
    const int parent = (i + 1) / 2 - 1;
    const auto above = parent < 0 ? n.ground : n.points[static_cast<std::size_t>(parent)];
    const double angle = 1.7 * i, size = 0.5 / std::sqrt(1.0 + i);
    n.points.push_back({above[0] + size * std::cos(angle), above[1] + size * std::sin(angle), above[2] - 0.2});
    n.bars.push_back({i, parent});
  }
  return n;
}

// side x side points, neighbours joined, one corner held.
inline Network net(int side) {
  Network n;
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j)
      n.points.push_back({1.0 * i / side, 1.0 * j / side, 0.1 * std::sin(5.0 * i / side) * std::cos(4.0 * j / side)});
  n.ground = {-1.0 / side, 0, 0.02};
  for (int i = 0; i < side; ++i)
    for (int j = 0; j < side; ++j) {
      if (i + 1 < side) n.bars.push_back({i * side + j, (i + 1) * side + j});
      if (j + 1 < side) n.bars.push_back({i * side + j, i * side + j + 1});
    }
  n.bars.push_back({0, -1});
  return n;
}

}  // namespace livens::test
