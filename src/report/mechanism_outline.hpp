// Bodies as lines, in their own axes, and where they are in a recorded row.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "livens/multibody/mechanism.hpp"
#include "livens/store/row_table.hpp"

namespace livens::report {

using Space = std::array<double, 3>;
using Line = std::vector<Space>;

Space space_of(const multibody::Vector& x);

// From the centre of mass. Bodies without a shape are lines from their centre of mass to their joints or, without
// these, their axes, each as long as the body is wide along it.
std::vector<Line> outline_of_body(const multibody::Mechanism& m, int number);

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

Pose pose_of(const RowTable& rows, const multibody::Mechanism& m, const multibody::Body& body, std::int64_t row);

}  // namespace livens::report
