// A name as one word of a command that people may copy into a POSIX shell.
#pragma once

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace livens {

inline std::string shell_word(const std::string& name) {
  const auto plain = [](unsigned char c) {
    return std::isalnum(c) || std::string_view("._-=+/,:").find(static_cast<char>(c)) != std::string_view::npos;
  };
  if (!name.empty() && std::all_of(name.begin(), name.end(), plain)) return name;
  std::string out = "'";
  for (const char c : name) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

}  // namespace livens
