// The functions of formulas in words: the one list behind suggestions, `livens list functions` and the documentation.
#pragma once

#include <span>
#include <string_view>

namespace livens::formula {

struct FunctionWords {
  std::string_view name, written, meaning;
  bool reserved = true;  // else a name like others where no parenthesis follows
  bool jumps = false;    // refused where a formula is differentiated
};

std::span<const FunctionWords> functions_in_words();

}  // namespace livens::formula
