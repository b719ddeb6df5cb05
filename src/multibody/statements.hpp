// What the files of this room share: places, names in messages, and how exact statements have to be.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace livens::multibody {

// How far a point may stand off a rod or plate, as part of its size.
inline constexpr double reach = 1e-9;

inline std::size_t at(int i) {
  return static_cast<std::size_t>(i);
}

// "joint 'elbow'"
inline std::string quoted(std::string_view what, std::string_view name) {
  return fmt::format("{} '{}'", what, name);
}

}  // namespace livens::multibody
