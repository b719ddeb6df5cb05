// The items of an array. Where an item could stand, a repeat may stand as well,
//
//   { for = "i = 0..N-1", each = ["x[i]", "y[i]"] }
//
// which means the items of `each` once for every i, one i after another; repeats may stand in repeats.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "livens/formula/names.hpp"
#include "model/document.hpp"

namespace livens {

struct Item {
  Value value;
  std::shared_ptr<formula::Wording> wording;  // of a text
  std::optional<Value> range;                 // of a repeat
  std::vector<Item> each;
};

// Refuses what is no array, and repeats without `for`, without `each` or with anything else.
std::vector<Item> items_of(const Value& array);

}  // namespace livens
