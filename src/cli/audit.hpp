// The audit as a table for people.
#pragma once

#include <string>
#include <vector>

#include "livens/report/report.hpp"

namespace livens::cli {

std::string table_of(const std::vector<AuditLine>& lines);

}  // namespace livens::cli
