// JSON as Livens prints it. The only header that knows nlohmann-json.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "livens/store/atomic_file.hpp"

namespace livens {

// Numbers that are floating-point in the value have 17 significant digits, which give back the same double, and always
// look like one (100.0); not-finite ones are null. Arrays of numbers stand on one line, everything else on lines of its
// own, `indent` blanks per level. Bytes that are not UTF-8 become U+FFFD.
std::string to_text(const nlohmann::ordered_json& value, int indent = 2);

}  // namespace livens
