// A mass on a rod in space, of length and weight one.
#pragma once

#include "livens/math/vec.hpp"

namespace livens::test {

struct SphericalPendulum {
  static constexpr int coordinates = 3, constraints = 1;
  static constexpr bool constant_mass = true;
  template <class T>
  T lagrangian(const Vec<T, 3>& q, const Vec<T, 3>& v) const {
    return (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / 2 - q[2];
  }
  template <class T>
  Vec<T, 1> constraint(const Vec<T, 3>& q) const {
    return {(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] - 1) / 2};
  }
  Vec<double, 3> q0() const { return {0.6, 0, -0.8}; }
  Vec<double, 3> v0() const { return {0, 0.9, 0}; }
};

}  // namespace livens::test
