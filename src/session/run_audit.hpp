// The audit of a run in words, from the run in memory.
#pragma once

#include <vector>

#include "livens/audit/line.hpp"
#include "livens/model/model.hpp"
#include "livens/run/result.hpp"
#include "session/row_audit.hpp"

namespace livens {

// Empty where no motion was found.
std::vector<AuditLine> audit_in_lines(const Model& model, const RunResult& result, const RowAudit& rows);

}  // namespace livens
