// What was meant by what formulas do not know.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace livens::formula {

// What people paste into formulas, and what to write instead.
struct Substitute {
  std::string_view symbol, instead;
};
const Substitute* find_substitute(std::string_view text);  // at the start of a text; null if there is none

// x' for x_dot, xdot, vx, dx and their like, where it is known; empty if it is not.
std::string velocity_meant(std::string_view name, const std::vector<std::string>& known);

// Between which indices the names of a family lie, in words; empty if there is none.
std::string extent_of(std::string_view family, const std::vector<std::string>& names);

}  // namespace livens::formula
