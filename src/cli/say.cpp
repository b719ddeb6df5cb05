#include "cli/say.hpp"

namespace livens::cli {

namespace {

// Bytes of the UTF-8 character that the text begins with; 0 if there is none.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(text[k]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xc2 && first < 0xe0 ? 2
                             : (first & 0xf0) == 0xe0        ? 3
                             : first >= 0xf0 && first < 0xf5 ? 4
                                                             : 0;
  if (length == 0 || length > text.size()) return 0;
  for (std::size_t k = 1; k < length; ++k)
    if ((byte(k) & 0xc0) != 0x80) return 0;
  return length;
}

// Of ASCII, of Latin 1 (which terminals may take for escape sequences), and those that turn the direction of writing.
bool is_control(std::string_view character) {
  const auto byte = [&](std::size_t k) { return static_cast<unsigned char>(character[k]); };
  if (character.size() == 1) return (byte(0) < 0x20 && character != "\n" && character != "\t") || byte(0) == 0x7f;
  if (character.size() == 2) return byte(0) == 0xc2 && byte(1) < 0xa0;
  return character.size() == 3 && byte(0) == 0xe2 &&
         ((byte(1) == 0x80 && byte(2) >= 0xa8 && byte(2) <= 0xae) ||
          (byte(1) == 0x81 && byte(2) >= 0xa6 && byte(2) <= 0xa9));
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const std::string_view character = text.substr(0, length == 0 ? 1 : length);
    if (length == 0 || is_control(character))
      for (const char c : character) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    else
      out += character;
    text.remove_prefix(character.size());
  }
  return out;
}

}  // namespace livens::cli
