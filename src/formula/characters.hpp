// Numbers and names as they are written in formulas. Locale-free, unlike the character classes of the C library.
#pragma once

#include <string_view>

#include "livens/formula/expression.hpp"

namespace livens::formula {

bool continues_name(char c);
bool is_space(char c);

// The length of the number at the start of a text: 12, 1., .5, 1e-3; 0 if there is none.
std::size_t number_length(std::string_view text);
std::size_t name_length(std::string_view text);

// A text of that length as a number, correctly rounded.
Number to_number(std::string_view text);

}  // namespace livens::formula
