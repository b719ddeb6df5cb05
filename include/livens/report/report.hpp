// What a recorded run conserved, and the page about it, from the files in its directory.
//
// Figures and words of the audit are those of summary.json, made when the run was in memory.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "livens/audit/line.hpp"
#include "livens/model/model.hpp"
#include "livens/store/error.hpp"
#include "livens/store/row_table.hpp"

namespace livens {

// Throws InputError: no directory, no run in it, an unfinished run, files that are damaged or not of one run.
std::vector<AuditLine> audit_run(const std::filesystem::path& directory);

// A self-contained page that moves: its script and its data lie in it, nothing is fetched when it is looked at. Throws
// InputError.
std::string report_page(const std::filesystem::path& directory);

// Of a run that is in memory alone, with its summary.json.
std::string report_page(const Model& model, const RowTable& rows, const std::string& summary);

// The same run as the page of one that goes on takes it in when it has ended: JSON.
std::string ended_data(const std::filesystem::path& directory);

// Writes report.html into the directory. Throws InputError, and StoreError if it cannot be written.
void write_report(const std::filesystem::path& directory);

}  // namespace livens
