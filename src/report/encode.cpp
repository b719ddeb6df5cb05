#include "report/encode.hpp"

#include <bit>
#include <cstring>

namespace livens::report {

namespace {

static_assert(std::endian::native == std::endian::little, "pages hold little-endian numbers");

template <class To, class From>
std::string encoded(const std::vector<From>& numbers) {
  std::string bytes(numbers.size() * sizeof(To), '\0');
  for (std::size_t k = 0; k < numbers.size(); ++k) {
    const auto number = static_cast<To>(numbers[k]);
    std::memcpy(bytes.data() + k * sizeof(To), &number, sizeof(To));
  }
  return base64(bytes);
}

}  // namespace

std::string base64(std::string_view bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    const auto byte = [&](std::size_t k) {
      return at + k < bytes.size() ? static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + k])) : 0U;
    };
    const std::uint32_t three = byte(0) << 16 | byte(1) << 8 | byte(2);
    for (std::size_t k = 0; k < 4; ++k) out += at + k <= bytes.size() ? letters[three >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

std::string base64_of_hex(std::string_view digits) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  std::string bytes;
  for (std::size_t k = 0; k + 1 < digits.size(); k += 2)
    bytes += static_cast<char>(digit(digits[k]) << 4 | digit(digits[k + 1]));
  return base64(bytes);
}

std::string floats(const std::vector<double>& numbers) {
  return encoded<float>(numbers);
}
std::string doubles(const std::vector<double>& numbers) {
  return encoded<double>(numbers);
}
std::string shorts(const std::vector<std::int16_t>& numbers) {
  return encoded<std::int16_t>(numbers);
}

std::string script_json(const Json& value) {
  const std::string text = to_text(value, 0);
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    if (c == '<')
      out += "\\u003c";
    else if (c != '\n')  // between values only: in strings they are escaped
      out += c;
  }
  return out;
}

}  // namespace livens::report
