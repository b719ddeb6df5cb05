// What a run records: rows of numbers under named columns, each with its role. The run knows no file format, the store
// knows no mechanics.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace livens {

enum class Role {
  time,
  position,
  velocity,
  momentum,
  multiplier,
  raw,  // what the scheme itself produced
  energy,
  energy_balance,
  constraint,
  hidden_constraint,
  invariant,
  companion
};

// What a column holds one number for. Blocks of multipliers may follow one another.
enum class Per { row, coordinate, multiplier, other };

struct Column {
  std::string name;  // as in the results: "t", "q", "raw_p", "audit/energy", "audit/invariants/angular_momentum"
  int width;         // numbers per row; 0: a single number, recorded without a second dimension
  Role role = Role::companion;
  Per per = Per::row;
  int numbers() const { return width == 0 ? 1 : width; }
};

using Columns = std::vector<Column>;

inline int row_width(const Columns& columns) {
  int sum = 0;
  for (const Column& c : columns) sum += c.numbers();
  return sum;
}

// The numbers of the first column of a role, in a row of these columns; empty where there is none.
inline std::span<const double> part_of(std::span<const double> row, const Columns& columns, Role role) {
  std::size_t first = 0;
  for (const Column& c : columns) {
    const auto numbers = static_cast<std::size_t>(c.numbers());
    if (c.role == role) return row.subspan(first, numbers);
    first += numbers;
  }
  return {};
}

// Takes the rows in order. Numbers that a row does not have are not-a-number.
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual void write(std::span<const double> row) = 0;
};

}  // namespace livens
