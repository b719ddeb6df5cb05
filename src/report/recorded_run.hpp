// A run that has ended, as it stands on disk, summary.json and trajectory.h5 of one directory, or in memory.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "livens/model/model.hpp"
#include "livens/report/report.hpp"
#include "livens/store/json.hpp"
#include "livens/store/trajectory.hpp"

namespace livens::report {

struct RecordedRun {
  std::filesystem::path directory;  // empty: in memory
  Json summary;
  std::shared_ptr<const TrajectoryReader> file;  // of the rows; null: in memory
  const RowTable& rows;
  Model model;

  // Throws InputError, also for what is thrown later because a key of the summary is missing; see readable().
  explicit RecordedRun(const std::filesystem::path& directory);
  RecordedRun(const Model& model, const RowTable& rows, const Json& summary);
};

// Calls visit(t, number) for every row, in order, for one number of a column.
void visit_rows(const RowTable& rows, const std::string& column, int component,
                const std::function<void(double, double)>& visit);

std::vector<AuditLine> audit(const RecordedRun& run);

// What to do about results in this directory that are missing or, if `damaged`, cannot be read; rows_are_lost: those of
// trajectory.h5 are.
std::string remedy(const std::filesystem::path& directory, bool damaged = false, bool rows_are_lost = false);

// Runs `call` on the run in this directory; whatever cannot be read is an InputError with path and remedy.
template <class Call>
auto readable(const std::filesystem::path& directory, const Call& call) {
  try {
    return call(RecordedRun(directory));
  } catch (const StoreError& error) {
    throw InputError(std::string(error.what()) + "; " + remedy(directory, true, true));
  } catch (const JsonError& error) {
    throw InputError((directory / "summary.json").string() + ": is damaged (" + error.what() + "); " +
                     remedy(directory, true));
  }
}

}  // namespace livens::report
