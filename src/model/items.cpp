#include "model/items.hpp"

namespace livens {

namespace {

constexpr std::string_view how = "a repeat is written { for = \"i = 0..9\", each = [\"x[i]\", \"y[i]\"] }";

Item item_of(const Value& value) {
  Item item{value, nullptr, std::nullopt, {}};
  if (value.is_text())
    item.wording = std::make_shared<formula::Wording>(formula::Wording{value.text(), value.key(), {}});
  if (!value.is_section()) return item;

  const Section repeat = value.section();
  for (const auto& [key, entry] : repeat.entries())
    if (key != "for" && key != "each") entry.refuse("unknown key; " + std::string(how));
  item.range = repeat.find("for");
  const auto each = repeat.find("each");
  if (!item.range || !item.range->is_text()) value.refuse("has no \"for\" with a text; " + std::string(how));
  if (!each || !each->is_array()) value.refuse("has no \"each\" with an array; " + std::string(how));
  item.each = items_of(*each);
  if (item.each.empty()) each->refuse("is empty; write what is repeated, such as [\"x[i]\", \"y[i]\"]");
  return item;
}

}  // namespace

std::vector<Item> items_of(const Value& array) {
  std::vector<Item> items;
  for (const Value& value : array.items()) items.push_back(item_of(value));
  return items;
}

}  // namespace livens
