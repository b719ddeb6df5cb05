// Recorded rows, wherever they lie: columns by name and role, and their numbers in blocks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "livens/run/recorded_roles.hpp"
#include "livens/run/table.hpp"

namespace livens {

class RowTable {
 public:
  virtual ~RowTable() = default;

  virtual const Columns& columns() const = 0;
  virtual std::int64_t rows() const = 0;
  // The numbers of rows first .. first + count - 1, row after row.
  virtual void read(const std::string& column, std::int64_t first, std::int64_t count,
                    std::vector<double>& numbers) const = 0;

  bool has(const std::string& column) const { return find(column) != nullptr; }
  bool has(Role role) const {
    return std::any_of(columns().begin(), columns().end(), [&](const Column& c) { return c.role == role; });
  }
  bool has(Role role, const std::string& which) const { return has(recorded_name(role, which)); }
  // The column of this role, and of which invariant, say; whoever has none refuses.
  const Column& column(Role role, const std::string& which = "") const {
    const std::string name = recorded_name(role, which);
    const Column* found = find(name);
    if (found == nullptr || found->role != role) refuse(name);
    return *found;
  }
  int numbers(const std::string& column) const {  // per row
    const Column* found = find(column);
    if (found == nullptr) refuse(column);
    return found->numbers();
  }
  // Null: there is none of this name.
  const Column* find(const std::string& name) const {
    const auto found =
        std::find_if(columns().begin(), columns().end(), [&](const Column& c) { return c.name == name; });
    return found == columns().end() ? nullptr : &*found;
  }

 protected:
  [[noreturn]] virtual void refuse(const std::string& column) const = 0;
};

}  // namespace livens
