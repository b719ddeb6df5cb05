// The text of a model file, to read a number again in full precision from where it is written: the TOML library gives
// doubles, but 0.1 shall mean one tenth in the precision of the run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "livens/formula/expression.hpp"

namespace livens {

class SourceText {
 public:
  explicit SourceText(std::string text);

  // The number written at a position (both count from 1), whose double is known: the double itself if something else
  // stands there. Columns are bytes: all that a valid model can have before a number on its line is ASCII.
  formula::Number number(std::size_t line, std::size_t column, double rounded) const;

 private:
  std::string text_;
  std::vector<std::size_t> line_starts_;
};

}  // namespace livens
