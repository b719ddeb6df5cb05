// The rows of a mechanism's constraints: how many a joint has, whose they are, what they say.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "livens/multibody/mechanism.hpp"
#include "multibody/statements.hpp"

namespace livens::multibody {

int Mechanism::rows_of(const Joint& joint) const {
  const int driven = joint.motion ? 1 : 0;
  switch (joint.type) {
    case JointType::spherical:
    case JointType::planar:
      return 3;
    case JointType::revolute:
      return (plane_ ? 2 : 5) + driven;
    case JointType::universal:
    case JointType::cylindrical:
      return 4;
    case JointType::prismatic:
      return (plane_ ? 2 : 5) + driven;
    case JointType::fixed:
      return plane_ ? 3 : 6;
    case JointType::distance:
    case JointType::slider:
      return 1;
  }
  return 0;
}

// In the order in which mechanism_formulas.cpp writes them. "axis": a direction that stands on it; "offset": of the
// points, across the axis; "turn": about the axis.
std::vector<std::string> Mechanism::meanings_of_rows(const Joint& joint) const {
  std::vector<std::string> rows;
  const auto add = [&](std::initializer_list<const char*> more) { rows.insert(rows.end(), more.begin(), more.end()); };
  const auto point = [&] { plane_ ? add({"point x", "point y"}) : add({"point x", "point y", "point z"}); };
  switch (joint.type) {
    case JointType::spherical:
      point();
      break;
    case JointType::revolute:
      point();
      if (!plane_) add({"axis 1", "axis 2"});
      break;
    case JointType::universal:
      point(), add({"angle of the axes"});
      break;
    case JointType::fixed:
      point();
      if (!plane_) add({"axis 1", "axis 2"});
      add({"turn"});
      break;
    case JointType::cylindrical:
      add({"axis 1", "axis 2", "offset 1", "offset 2"});
      break;
    case JointType::prismatic:
      plane_ ? add({"offset", "turn"}) : add({"axis 1", "axis 2", "offset 1", "offset 2", "turn"});
      break;
    case JointType::planar:
      add({"axis 1", "axis 2", "offset"});
      break;
    case JointType::distance:
      add({"length"});
      break;
    case JointType::slider:
      add({"offset"});
      break;
  }
  if (joint.motion) add({"motion"});
  return rows;
}

const Body& Mechanism::body_of_row(int row) const {
  return *std::prev(std::upper_bound(bodies_.begin(), bodies_.end(), row,
                                     [](int r, const Body& body) { return r < body.first_row; }));
}

const Joint& Mechanism::joint_of_row(int row) const {
  return *std::prev(std::upper_bound(joints_.begin(), joints_.end(), row - internal_rows_,
                                     [](int r, const Joint& joint) { return r < joint.first_row; }));
}

std::string Mechanism::owner_of_row(int row) const {
  return row < internal_rows_ ? quoted("body", body_of_row(row).name) : quoted("joint", joint_of_row(row).name);
}

std::string Mechanism::key_of_row(int row) const {
  return row < internal_rows_ ? body_of_row(row).key : joint_of_row(row).key;
}

double Mechanism::opening(int row, double value) const {
  if (row < internal_rows_ || joint_of_row(row).type != JointType::distance) return std::abs(value);
  const double l = to_double(*joint_of_row(row).length);
  return std::abs(std::sqrt(std::max(0.0, l * l + 2 * value)) - l);
}

double Mechanism::opening_slope(int row) const {
  if (row < internal_rows_ || joint_of_row(row).type != JointType::distance) return 1;
  return 1 / to_double(*joint_of_row(row).length);
}

std::string Mechanism::name_of_row(int row) const {
  return list_of_rows({row});
}

std::string Mechanism::list_of_rows(const std::vector<int>& rows) const {
  std::vector<std::string> parts;
  const auto joined = [](const std::vector<std::string>& all) {
    const std::size_t last = all.size() - 1;
    return last == 0 ? all[0]
                     : fmt::format("{} and {}", fmt::join(all.begin(), all.begin() + static_cast<long>(last), ", "),
                                   all[last]);
  };
  for (std::size_t k = 0; k < rows.size();) {
    const std::string owner = owner_of_row(rows[k]);
    std::vector<std::string> numbers, meanings;
    const std::size_t first = k;
    for (; k < rows.size() && owner_of_row(rows[k]) == owner; ++k)
      if (rows[k] >= internal_rows_) {
        const Joint& joint = joint_of_row(rows[k]);
        const int number = rows[k] - internal_rows_ - joint.first_row;
        numbers.push_back(std::to_string(number + 1));
        meanings.push_back(meanings_of_rows(joint)[at(number)]);
      }
    if (numbers.empty()) {
      parts.push_back(owner);
    } else {
      const int all = joint_of_row(rows[first]).rows;
      parts.push_back(numbers.size() == 1 ? fmt::format("{} (row {} of {}: {})", owner, numbers[0], all, meanings[0])
                                          : fmt::format("{} (rows {} of {}: {})", owner, joined(numbers), all,
                                                        fmt::join(meanings, ", ")));
    }
  }
  return joined(parts);
}

}  // namespace livens::multibody
