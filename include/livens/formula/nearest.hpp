// "Did you mean ...?"
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace livens::formula {

// The candidate most like a misspelt name; none if nothing is close. Likeness is the number of letters inserted,
// dropped, exchanged or swapped with their neighbour (optimal string alignment), upper and lower case being the same;
// close is up to a third of the letters. Of equals, the first.
std::optional<std::string> nearest(std::string_view name, std::span<const std::string> candidates);

// ` did you mean "grav"?` after a semicolon, or nothing.
std::string suggestion(std::string_view name, std::span<const std::string> candidates);

}  // namespace livens::formula
