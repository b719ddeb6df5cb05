// The audit as a table for people.
#pragma once

#include <cstdio>
#include <vector>

#include "livens/report/report.hpp"

namespace livens::cli {

void print_lines(std::FILE* out, const std::vector<AuditLine>& lines);

}  // namespace livens::cli
