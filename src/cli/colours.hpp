// Colours for people at a terminal: never in pipes and files, and none where NO_COLOR asks for that (no-color.org).
#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace livens::cli {

enum class Colour { red, yellow, bold };

inline bool shows_colours(std::FILE* stream) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  return isatty(fileno(stream)) != 0 && (no_colour == nullptr || *no_colour == '\0') &&
         (terminal == nullptr || std::string_view(terminal) != "dumb");
}

// The words, in this colour if the stream shows any. They are sent as they are; see printable().
inline std::string coloured(std::string_view words, Colour colour, std::FILE* stream) {
  if (!shows_colours(stream)) return std::string(words);
  const char* begin = colour == Colour::red ? "\x1b[1;31m" : colour == Colour::yellow ? "\x1b[33m" : "\x1b[1m";
  return std::string(begin) + std::string(words) + "\x1b[0m";
}

}  // namespace livens::cli
