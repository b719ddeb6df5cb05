// Which rows are exported: 0, every, 2 every, ..., and the last.
#pragma once

#include <cstdint>
#include <vector>

namespace livens::report {

inline std::vector<std::int64_t> exported_rows(std::int64_t rows, std::int64_t every) {
  std::vector<std::int64_t> out;
  for (std::int64_t row = 0; row < rows; row += every) out.push_back(row);
  if (out.back() != rows - 1) out.push_back(rows - 1);
  return out;
}

}  // namespace livens::report
