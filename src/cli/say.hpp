// Words for people, on standard error. Where they cannot be written they are lost, and nothing else is: a run is not a
// failure because nobody listens.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace livens::cli {

template <class... Arguments>
void say(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  std::fputs(fmt::format(format, std::forward<Arguments>(arguments)...).c_str(), stderr);
}

}  // namespace livens::cli
