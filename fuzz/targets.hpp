// What is fuzzed: functions that take any bytes and either understand them or refuse them in words. Every other end
// (a signal, a sanitizer's report, an exception of another type) is a finding.
#pragma once

#include <string_view>

namespace livens::fuzz {

void model_reader(std::string_view input);
void formula_parser(std::string_view input);

}  // namespace livens::fuzz
