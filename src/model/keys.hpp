// The keys of a model file: the one table behind unknown keys, missing keys and how they are written.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "livens/model/model.hpp"

namespace livens {

struct ModelKey {
  std::string_view path, example, meaning;                          // run.step; step = 0.01; step size
  std::string_view kinds = "lagrangian degenerate odae multibody";  // of systems, by their names in the file
};

// The whole table, in the order of a file.
std::span<const ModelKey> model_keys();

// The keys of a section, such as "run" or "joint[2].frames[1]" ("" for the top level), that a kind of system, by its
// name in the file, has.
std::vector<std::string> known_keys(std::string_view section, std::string_view kind);

// How a key is written, such as `coordinates = ["x", "y"]`; that of the array or section for what stands inside.
std::string_view example(std::string_view key);

}  // namespace livens
