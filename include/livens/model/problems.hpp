// The ready problems: the model files of problems/, compiled into the library.
#pragma once

#include <string_view>
#include <vector>

namespace livens {

struct ReadyProblem {
  std::string_view name, text;
};

const std::vector<ReadyProblem>& ready_problems();

}  // namespace livens
