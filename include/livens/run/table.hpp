// What a run records: rows of numbers under named columns. The run knows no file format, the store knows no mechanics.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace livens {

struct Column {
  std::string name;  // as in the results: "t", "q", "raw_p", "audit/energy", "audit/invariants/angular_momentum"
  int width;         // numbers per row; 0: a single number, recorded without a second dimension
  int numbers() const { return width == 0 ? 1 : width; }
};

using Columns = std::vector<Column>;

inline int row_width(const Columns& columns) {
  int sum = 0;
  for (const Column& c : columns) sum += c.numbers();
  return sum;
}

// Takes the rows in order. Numbers that a row does not have are not-a-number.
class RowSink {
 public:
  virtual ~RowSink() = default;
  virtual void write(std::span<const double> row) = 0;
};

}  // namespace livens
