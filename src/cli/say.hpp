// Words for people, on standard error. Where they cannot be written they are lost, and nothing else is: a run is not a
// failure because nobody listens.
//
// Titles, names and values come from files, and a terminal obeys what is in them: control characters are shown, as
// \x1b, never sent.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "cli/colours.hpp"

namespace livens::cli {

// The text with all control characters but line feeds and tabs, and bytes that are not UTF-8, written as \x1b.
std::string printable(std::string_view text);

namespace detail {

template <class Argument>
decltype(auto) shown(const Argument& argument) {
  if constexpr (std::is_convertible_v<const Argument&, std::string_view>)
    return printable(std::string_view(argument));
  else
    return (argument);
}

}  // namespace detail

template <class... Arguments>
void say(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
  const auto print = [&](const auto&... shown) {
    std::fputs(fmt::vformat(fmt::string_view(format), fmt::make_format_args(shown...)).c_str(), stderr);
  };
  print(detail::shown(arguments)...);
}

// The first word in a colour where there are any, then the rest.
inline void say_in(Colour colour, std::string_view word, std::string_view rest) {
  std::fputs((coloured(printable(word), colour, stderr) + printable(rest)).c_str(), stderr);
}
// What went wrong, what is worth knowing: a line each.
inline void say_wrong(std::string_view message) {
  say_in(Colour::red, "livens:", fmt::format(" {}\n", message));
}
inline void say_note(std::string_view message) {
  say_in(Colour::yellow, "note:", fmt::format(" {}\n", message));
}

}  // namespace livens::cli
