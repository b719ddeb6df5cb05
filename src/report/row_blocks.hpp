// Recorded rows as formulas of the model take them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "livens/model/model.hpp"
#include "livens/store/row_table.hpp"

namespace livens::report {

// The blocks of variables of a row, as formulas of the kind know them; what was not recorded is not a number.
class RowBlocks {
 public:
  RowBlocks(const Model& model, const RowTable& rows) : rows_(rows) {
    const bool all = !model.record.coordinates;
    const auto n = static_cast<std::size_t>(model.system->coordinates());
    const auto m = static_cast<std::size_t>(model.system->momenta());
    const SystemKind kind = model.system->kind();
    add(kind == SystemKind::degenerate ? 2 : 0, Role::time, 1, {});
    const std::vector<int> chosen = all ? std::vector<int>{} : *model.record.coordinates;
    add(kind == SystemKind::degenerate ? 0 : 1, Role::position, n, chosen);
    if (kind == SystemKind::lagrangian) add(2, Role::velocity, n, chosen), add(3, Role::momentum, n, chosen);
    if (kind == SystemKind::degenerate) add(1, Role::momentum, n, chosen);
    if (kind == SystemKind::odae) add(2, Role::momentum, m, {});
  }

  // visit(t, blocks) for rows first, first + stride, ...
  template <class Visit>
  void visit(std::int64_t first, std::int64_t stride, std::int64_t count, const Visit& visit) {
    const std::int64_t rows_at_once = stride > 64 ? 1 : std::max<std::int64_t>(1, 4096 / stride);
    for (std::int64_t k = 0; k < count; k += rows_at_once) {
      const std::int64_t some = std::min(rows_at_once, count - k), begin = first + k * stride;
      for (Block& block : blocks_)
        if (!block.column.empty()) rows_.read(block.column, begin, (some - 1) * stride + 1, block.numbers);
      for (std::int64_t i = 0; i < some; ++i) {
        for (Block& block : blocks_) block.take(static_cast<std::size_t>(i * stride));
        const double* pointers[8] = {};
        for (const Block& block : blocks_) pointers[block.number] = block.row.data();
        visit(blocks_.front().row.front(), pointers);
      }
    }
  }

 private:
  struct Block {
    int number;
    std::string column;
    std::size_t width;
    std::vector<int> chosen;
    std::vector<double> numbers, row;
    void take(std::size_t k) {
      for (std::size_t i = 0; i < width; ++i)
        row[chosen.empty() ? i : static_cast<std::size_t>(chosen[i])] = numbers[k * width + i];
    }
  };
  void add(int number, Role role, std::size_t size, const std::vector<int>& chosen) {
    Block block{number, "", 0, chosen, {}, std::vector<double>(size, std::nan(""))};
    if (rows_.has(role)) {
      const Column& column = rows_.column(role);
      const auto width = static_cast<std::size_t>(column.numbers());
      if (width == (chosen.empty() ? size : chosen.size())) block.column = column.name, block.width = width;
    }
    blocks_.push_back(std::move(block));
  }

  const RowTable& rows_;
  std::vector<Block> blocks_;
};

}  // namespace livens::report
