// A running check of recorded numbers and texts, to find out whether a file still holds what was written to it. Every
// number enters as its 64 bits, by a step that no single changed number survives (each is a bijection, of the check as
// of the number); the rotation keeps changes of high bits from staying there, where two of them would cancel.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <string_view>

namespace livens {

class RowCheck {
 public:
  RowCheck() = default;
  explicit RowCheck(std::uint64_t value) : value_(value) {}
  void add(std::span<const double> numbers) {
    for (const double x : numbers) value_ = std::rotl(value_ ^ std::bit_cast<std::uint64_t>(x), 29) * odd;
  }
  // Its bytes by eights, the last ones padded, and their number.
  void add(std::string_view text) {
    double number;
    for (std::size_t first = 0; first < text.size(); first += sizeof number) {
      number = 0;
      text.substr(first, sizeof number).copy(reinterpret_cast<char*>(&number), sizeof number);
      add(std::span(&number, 1));
    }
    number = static_cast<double>(text.size());
    add(std::span(&number, 1));
  }
  std::uint64_t value() const { return value_; }

 private:
  static constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio: its bits have no pattern
  std::uint64_t value_ = odd;
};

}  // namespace livens
