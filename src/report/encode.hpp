// Numbers as the script of a page reads them: little-endian arrays in base64, in JSON that is safe inside of HTML.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "livens/store/json.hpp"

namespace livens::report {

std::string base64(std::string_view bytes);
std::string base64_of_hex(std::string_view digits);  // of a digest, as content security policies name it

std::string floats(const std::vector<double>& numbers);        // Float32Array
std::string doubles(const std::vector<double>& numbers);       // Float64Array
std::string shorts(const std::vector<std::int16_t>& numbers);  // Int16Array

// On one line, without any '<': it can neither end its element nor begin another.
std::string script_json(const Json& value);

}  // namespace livens::report
