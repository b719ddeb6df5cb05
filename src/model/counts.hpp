// How many numbers or formulas an array must have.
#pragma once

#include <fmt/format.h>

#include <string_view>

#include "model/document.hpp"

namespace livens {

// What an array gives one number or formula for: 2 coordinates, 1 velocity.
struct Owners {
  std::size_t count;
  std::string_view one, many;
};

inline void check_count(const Value& array, std::size_t given, std::string_view thing, const Owners& owners) {
  if (given != owners.count)
    array.refuse(fmt::format("has {} {}{}, the system has {} {}; write one {} for every {}", given, thing,
                             given == 1 ? "" : "s", owners.count, owners.count == 1 ? owners.one : owners.many, thing,
                             owners.one));
}

}  // namespace livens
