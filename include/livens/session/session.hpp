// One run of a model with its results on disk, or in memory alone: what the command line and Python call.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "livens/audit/line.hpp"
#include "livens/model/model.hpp"
#include "livens/run/result.hpp"
#include "livens/store/checkpoint.hpp"
#include "livens/store/run_lock.hpp"
#include "livens/study/step_search.hpp"

namespace livens {

// Sees the rows that are recorded, as they come.
class RowWatcher : public RowSink {
 public:
  virtual void begin(const Columns& columns) = 0;
};

struct SessionRequest {
  std::optional<std::filesystem::path> out;  // default: runs/<name>-<n>
  bool force = false;                        // replace a run that is there
  bool report = false;                       // whoever takes the run to its end is to write a page about it
  Monitor* monitor = nullptr;
  RowWatcher* rows = nullptr;
  const std::atomic<bool>* stop = nullptr;
};

std::string_view outcome_name(RunOutcome outcome);  // finished, failed, interrupted

struct SessionResult {
  std::filesystem::path directory;
  RunResult run;
  std::vector<AuditLine> audit;  // what it conserved, in words; empty where no motion was found
  std::string accuracy;          // how right the motion is, in words; empty where nobody asked
  std::string message;           // why the run ended early, or what is worth knowing about it
  std::string summary;           // summary.json
  int status = 0;                // exit status: 0 done, 1 stopped early
};

// The model with the step, and the method, that its run.accuracy needs; itself if it asks for none. Throws InputError,
// also where the accuracy cannot be reached. Empty: stopped from outside.
std::optional<Model> with_found_step(const Model& model, const std::atomic<bool>* stop = nullptr,
                                     const WatchPilot& watch = {});

// Both throw InputError (nothing was run or written) and StoreError (results could not be written; what was stays).
SessionResult run_session(const Model& model, const SessionRequest& request);

// The same run without a directory: what it recorded went to request.rows, and nothing can be resumed. The summary says
// null for its directory. Throws InputError.
SessionResult run_in_memory(const Model& model, const SessionRequest& request);

// A run that ended early, was killed, or is to be made longer.
struct Resumable {
  Model model;
  std::filesystem::path directory;
  bool finished = false;             // nothing is left to do
  std::string summary;               // of the finished run
  std::string other_program;         // the one that wrote the checkpoint, if it was not this one
  bool report = false;               // a page was asked for
  Checkpoint checkpoint;             // to go on from, if not finished
  std::string damaged_rows = {};     // the file without those of the last checkpoint: it is the one before
  std::string damaged_summary = {};  // why the summary is not what was written; it is written again
  std::shared_ptr<const RunLock> lock;
};

// `overrides`: run.end or run.steps, as totals from the start. Throws InputError, also where a run is going on there.
Resumable open_resumable(const std::filesystem::path& directory, const Overrides& overrides);
SessionResult resume_session(const Resumable& resumable, const SessionRequest& request);

}  // namespace livens
