#include "livens/session/session.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iterator>
#include <memory>

#include "build_info.hpp"
#include "livens/methods/methods.hpp"
#include "livens/model/redundant.hpp"
#include "livens/run/archive.hpp"
#include "livens/session/memory_rows.hpp"
#include "livens/simulation/failure.hpp"
#include "livens/simulation/simulate.hpp"
#include "livens/store/atomic_file.hpp"
#include "livens/store/checkpoint.hpp"
#include "livens/store/json.hpp"
#include "livens/store/record_file.hpp"
#include "livens/store/result_directory.hpp"
#include "livens/store/sha256.hpp"
#include "livens/store/summary_check.hpp"
#include "livens/store/trajectory.hpp"
#include "livens/store/version.hpp"
#include "session/row_audit.hpp"
#include "session/run_audit.hpp"
#include "session/selected_rows.hpp"
#include "session/summary.hpp"
#include "simulation/linear.hpp"

namespace livens {

namespace fs = std::filesystem;

namespace {

// What the store refuses is wrong input here.
template <class Call>
auto as_input(const Call& call) {
  try {
    return call();
  } catch (const std::invalid_argument& e) {
    throw InputError(e.what());
  }
}

std::string describe_end(const Model& model, const RunResult& result) {
  if (model.is_boundary_problem() && result.report.steps == 0) return "";  // not solved, as its method says
  const double t = result.final.t.numbers.front();
  const long long steps = result.report.steps;
  const std::optional<Values>& lambda = result.final.lambda;
  const char* const without_multiplier =
      !lambda || std::all_of(lambda->numbers.begin(), lambda->numbers.end(), [](double x) { return std::isfinite(x); })
          ? ""
          : "; its multiplier is not finite";
  if (result.report.outcome == RunOutcome::interrupted)
    return fmt::format("interrupted after step {} of {}; the results are valid up to t = {:.10g}{}", steps,
                       model.run.steps, t, without_multiplier);
  if (result.report.outcome == RunOutcome::failed)
    return fmt::format("{}; the results are valid up to t = {:.10g}{}",
                       describe_failure(model, *result.report.failure, result.report.attempt, steps + 1), t,
                       without_multiplier);
  if (model.initial.project && model.is_boundary_problem())
    return fmt::format("boundary values moved onto the constraints: q by {:.2e}", result.move.q);
  if (model.initial.project && model.system->kind() == SystemKind::odae)
    return fmt::format("start values moved onto the constraints: y by {:.2e}, z by {:.2e}", result.move.q,
                       result.move.p);
  if (model.initial.project)
    return fmt::format("start values moved onto the constraints: q by {:.2e}, {} by {:.2e}", result.move.q,
                       model.initial.momentum_given ? "p" : "v",
                       model.initial.momentum_given ? result.move.p : result.move.v);
  return "";
}

EventTable event_table(const Model& model, const std::vector<RunEvent>& events) {
  EventTable table;
  table.width = model.system->coordinates();
  for (const RunEvent& e : events) {
    const auto index = static_cast<std::size_t>(e.index);
    const bool contact = is_of_contact(e.kind);
    table.t.push_back(e.t);
    table.kind.emplace_back(name(e.kind));
    table.constraint.push_back(contact ? model.contact.one_sided[index].constraint + 1 : 0);
    table.name.push_back(contact ? model.contact.one_sided[index].joint : model.events[index].name);
    table.q.insert(table.q.end(), e.q.begin(), e.q.end());
    table.v.insert(table.v.end(), e.v.begin(), e.v.end());
  }
  return table;
}

constexpr const char* rows_name = "checkpoint.rows";

// {"s": 2, "points": "gauss"}
std::string options_text(const Options& options) {
  Json all = Json::object();
  for (const auto& option : options.values())
    std::visit([&](const auto& value) { all[option.first] = value; }, option.second);
  return to_text(all, 0);
}

// To the file first, where there is one: what is seen is kept.
struct WatchedRows : RowSink {
  RowSink* file = nullptr;
  RowWatcher* watcher = nullptr;
  void write(std::span<const double> row) override {
    if (file) file->write(row);
    if (watcher) watcher->write(row);
  }
};

// The files of a run in the making: rows, checkpoints, and at the end trajectory and summary.
class RunFiles : public CheckpointSink {
 public:
  RunFiles(const Model& model, ResultDirectory& directory, bool report) : directory_(&directory) {
    checkpoint_.report = report;
    describe(model);
  }
  RunFiles(const Model& model, fs::path directory, Checkpoint checkpoint)
      : path_(std::move(directory)), checkpoint_(std::move(checkpoint)), seconds_before_(checkpoint_.seconds) {
    lengthened_ = checkpoint_.overrides != model.set;
    describe(model);
  }

  RowSink* open_rows(const Columns& columns) {
    selected_.emplace(*model_, columns);
    if (directory_) directory_->create();
    rows_ =
        std::make_unique<RecordFile>(path() / rows_name, selected_->columns(), checkpoint_.rows, shown() / rows_name,
                                     checkpoint_.rows > 0 ? RowCheck(checkpoint_.rows_check) : RowCheck());
    audit_.emplace(selected_->columns());
    show_rows_before();
    watched_.file = rows_.get();
    if (watched_.watcher) {  // who may take their time, which is not that of the run
      const auto asked = std::chrono::steady_clock::now();
      watched_.watcher->begin(selected_->columns());
      begin_ += std::chrono::steady_clock::now() - asked;
    }
    audit_->write_to(&watched_);
    selected_->write_to(&*audit_);
    if (directory_) lock_.emplace(path());
    // A longer run stays the longer run, however soon it is killed.
    if (lengthened_) write_checkpoint(path(), checkpoint_, shown());
    return &*selected_;
  }

  // The first checkpoint makes the directory appear: every one that can be seen can be resumed.
  void save(long long step, const std::string& memory) override {
    rows_->sync();
    checkpoint_.step = step;
    checkpoint_.rows = rows_->rows();
    checkpoint_.row_width = row_width(selected_->columns());
    checkpoint_.rows_check = rows_->check().value();
    checkpoint_.seconds = seconds();
    checkpoint_.memory = memory;
    write_checkpoint(path(), checkpoint_, shown());
    if (!directory_ || appeared_) return;
    directory_->appear();
    appeared_ = true;
  }

  void finish(const Model& model, const MethodEntry& method, const Options& options, SessionResult& session) {
    rows_->sync();
    session.directory = path();
    const bool has_events = model.has_contact() || !model.events.empty();
    const EventTable events = event_table(model, session.run.events);
    write_trajectory(path() / rows_name, selected_->columns(),
                     {{"model", model.text}, {"model_as_run", model.as_run}, {"names", selected_->names()}},
                     {{"livens", LIVENS_VERSION},
                      {"title", model.title},
                      {"method", method.name},
                      {"options", options_text(options)},
                      {"precision", std::string(name(model.run.precision))}},
                     path() / "trajectory.h5", rows_->check(),
                     {.lists = {{"coordinate_names", model.recorded_coordinates()}},
                      .numbers = {{"step", to_double(model.run.step)},
                                  {"steps", static_cast<double>(session.run.report.steps)},
                                  {"every", static_cast<double>(model.run.every)}},
                      .events = has_events ? &events : nullptr});
    session.audit = audit_in_lines(model, session.run, *audit_);
    session.summary = summary_text(model, method, options, session, seconds());
    write_file_atomically(path() / "summary.json", session.summary);
    // Twice is once too often; a longer run takes them from trajectory.h5 again.
    if (session.run.report.outcome == RunOutcome::finished) rows_->clear();
  }

  const std::string& memory() const { return checkpoint_.memory; }
  void show_to(RowWatcher* watcher) { watched_.watcher = watcher; }

 private:
  void describe(const Model& model) {
    model_ = &model;
    checkpoint_.layout = memory_layout;
    checkpoint_.program = library_version();
    checkpoint_.source = model.source;
    checkpoint_.text = model.text;
    checkpoint_.overrides = model.set;
    checkpoint_.found = model.found.set;
    checkpoint_.accuracy = model.found.accuracy;
  }
  // Those that a resumed run goes on after.
  void show_rows_before() {
    if (checkpoint_.rows == 0) return;
    const auto width = static_cast<std::size_t>(row_width(selected_->columns()));
    RecordReader reader(path() / rows_name, selected_->columns());
    std::int64_t left = checkpoint_.rows;
    for (auto block = reader.next(); left > 0 && !block.empty(); block = reader.next())
      for (; left > 0 && !block.empty(); block = block.subspan(width), --left) audit_->look(block.first(width));
  }
  fs::path path() const { return directory_ ? directory_->working() : path_; }
  fs::path shown() const { return directory_ ? directory_->path() : path_; }
  double seconds() const {
    return seconds_before_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  ResultDirectory* directory_ = nullptr;  // of a new run
  bool appeared_ = false;
  std::optional<RunLock> lock_;  // of a new run
  fs::path path_;                // of a resumed one
  bool lengthened_ = false;
  Checkpoint checkpoint_;
  const Model* model_ = nullptr;
  std::unique_ptr<RecordFile> rows_;
  WatchedRows watched_;
  std::optional<SelectedRows> selected_;  // what of the rows of the run is written
  std::optional<RowAudit> audit_;         // of those
  double seconds_before_ = 0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// About what a step costs, in nanoseconds: linear algebra, dense or sparse, and formulas with their derivatives over
// some three Newton iterations. Met within a factor of two where measured: pendulum 170 (extended 840,
// quad 8000), double pendulum 420, tethered satellites 1000, chain of 32 rods 8700, a thousand sines 30000
// (quad 1.8e6).
double work_of_step(const Model& given, const MethodTraits& method) {
  const Model model = without_redundant(given).model;
  const SystemDescription& system = *model.system;
  const bool in_double = model.run.precision == Precision::double_;
  const double size = system.coordinates() + system.constraints();
  const bool dense = system.kind() != SystemKind::lagrangian || choose_linear(model, method) == Linear::dense;
  const double linear_algebra = dense ? 0.3 * size * size * size : 15 * size;
  const double slower = in_double ? 1 : model.run.precision == Precision::extended ? 5 : 50;
  return slower * (30 + linear_algebra + 1.8 * system.operations_of_step());
}

// Steps between checkpoints: about a third of a second of work. A number of steps, not a time, so that every run of a
// model has its checkpoints at the same steps.
long long checkpoint_interval(const Model& model, const MethodTraits& method) {
  return std::max(1LL, static_cast<long long>(0.33e9 / work_of_step(model, method)));
}

// The accuracy that a step was found for is that of the run which it was found for. Of another end only what was asked
// for is kept, and until when.
bool is_claimed(const Json& found) {
  return !found.contains("until");
}
std::string claimed_until(const std::string& accuracy, const formula::Number& end) {
  const Json found = Json::parse(accuracy);
  return is_claimed(found) ? to_text(Json{{"asked", found.at("asked")}, {"until", to_double(end)}}) : accuracy;
}
std::string no_claim_in_words(const Json& found) {
  return fmt::format(
      "its step was found for an error of {:.2g} until t = {:.10g}, and how right this run is is not known; livens run "
      "--accuracy with its end finds a step for it",
      found.at("asked").get<double>(), found.at("until").get<double>());
}

// The run itself, and what is to be said about it.
SessionResult simulated(const Model& model, const MethodEntry& method, const Options& options,
                        const RunContext& context) {
  SessionResult session;
  session.run = simulate(model, method, options, context);
  session.message = describe_end(model, session.run);
  if (session.run.accuracy) session.accuracy = accuracy_in_words(*session.run.accuracy, model);
  if (!model.found.accuracy.empty()) {
    const Json found = Json::parse(accuracy_as_run(model.found.accuracy, session.run));
    if (is_claimed(found))
      session.accuracy = found.at("words").get<std::string>();
    else
      session.message += (session.message.empty() ? "" : "; ") + no_claim_in_words(found);
  }
  if (const std::string& note = session.run.message; !note.empty())  // of the method
    session.message += (session.message.empty() ? "" : "; ") + note;
  session.status = session.run.report.outcome == RunOutcome::finished ? 0 : 1;
  return session;
}

RunContext asked_for(const SessionRequest& request) {
  RunContext context;
  context.monitor = request.monitor;
  context.stop = request.stop;
  return context;
}

SessionResult run_with(const Model& model, const SessionRequest& request, RunFiles& files) {
  const MethodEntry& method = choose_method(model);
  const Options options = read_options(model, method);
  RunContext context = asked_for(request);
  files.show_to(request.rows);
  context.open_rows = [&](const Columns& columns) { return files.open_rows(columns); };
  context.checkpoints = &files;
  context.checkpoint_every = checkpoint_interval(model, method.traits(options));
  if (model.run.estimate) context.checkpoint_every = std::max(1LL, context.checkpoint_every / 7);
  context.resume_from = files.memory();
  SessionResult session = simulated(model, method, options, context);
  files.finish(model, method, options, session);
  return session;
}

// The model that is run: with the step that its accuracy needs.
Model runnable(const Model& given, const std::atomic<bool>* stop) {
  std::optional<Model> model = with_found_step(given, stop, {});
  if (!model) throw InputError(given.at("run.accuracy", "interrupted before a step was found; nothing was run"));
  require_step(*model);
  choose_method(*model);
  if (!model->run.given)
    throw InputError(
        model->at("run", "the section is missing; add [run] with step = 0.01 and end = 10.0 or steps = 1000"));
  return *std::move(model);
}

}  // namespace

std::optional<Model> with_found_step(const Model& model, const std::atomic<bool>* stop, const WatchPilot& watch) {
  if (!model.run.accuracy) return model;
  const std::optional<FoundStep> found = find_step(model, stop, watch);
  if (!found) return {};
  return read_model(model.source, model.text, model.set, {found->set, accuracy_text(*found, model)});
}

SessionResult run_session(const Model& given, const SessionRequest& request) {
  const Model model = runnable(given, request.stop);
  ResultDirectory directory = as_input([&] { return ResultDirectory::choose(request.out, model.name, request.force); });
  RunFiles files(model, directory, request.report);
  return run_with(model, request, files);
}

void check_memory(const Model& model, const Columns& columns) {
  const double rows = static_cast<double>(model.run.steps) / static_cast<double>(model.run.every) + 1,
               bytes = rows * 8 * row_width(columns),
               there = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  if (bytes > there)
    throw InputError(
        model.at("run.every", fmt::format("{:.2g} rows of {} numbers take {:.2g} GB of memory, and there "
                                          "are {:.2g}; record fewer rows with every = {:.0f}",
                                          rows, row_width(columns), bytes / 1e9, there / 1e9,
                                          std::ceil(10 * static_cast<double>(model.run.every) * bytes / there))));
}

SessionResult run_in_memory(const Model& given, const SessionRequest& request) {
  const auto begin = std::chrono::steady_clock::now();
  const Model model = runnable(given, request.stop);
  const MethodEntry& method = choose_method(model);
  const Options options = read_options(model, method);
  std::optional<SelectedRows> selected;
  std::optional<RowAudit> audit;
  WatchedRows watched;
  watched.watcher = request.rows;
  RunContext context = asked_for(request);
  context.open_rows = [&](const Columns& columns) -> RowSink* {
    selected.emplace(model, columns);
    if (request.rows) check_memory(model, selected->columns());
    audit.emplace(selected->columns());
    if (request.rows) request.rows->begin(selected->columns());
    audit->write_to(&watched);
    selected->write_to(&*audit);
    return &*selected;
  };
  SessionResult session = simulated(model, method, options, context);
  session.audit = audit_in_lines(model, session.run, *audit);
  session.summary = summary_text(model, method, options, session,
                                 std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  return session;
}

namespace {

// Why the summary is not what was written; empty: it is.
std::string damage_of(const std::string& summary_text) {
  try {
    verify_summary(Json::parse(summary_text));
    return {};
  } catch (const JsonError& error) {
    return error.what();
  }
}

// Whether summary.json and trajectory.h5 are those of the finished run that the checkpoint is of.
bool are_results(const fs::path& directory, const std::string& summary_text, const Checkpoint& checkpoint) {
  try {
    const Json summary = Json::parse(summary_text);
    const TrajectoryReader rows(directory / "trajectory.h5");
    std::vector<double> last;
    rows.read(rows.column(Role::time).name, rows.rows() - 1, 1, last);
    return summary.at("outcome") == "finished" && summary.at("steps") == checkpoint.step &&
           summary.at("model_sha256") == sha256(checkpoint.text) && summary.at("final").at("t") == last.front();
  } catch (const JsonError&) {
    return false;
  } catch (const StoreError&) {
    return false;
  }
}

}  // namespace

Resumable open_resumable(const fs::path& directory, const Overrides& overrides) {
  std::shared_ptr<const RunLock> lock = as_input([&] { return std::make_shared<const RunLock>(directory); });
  const Checkpoint checkpoint = as_input([&] { return read_checkpoint(directory); });
  Overrides all = checkpoint.overrides;
  for (const auto& [key, value] : overrides) {
    std::erase_if(all, [](const auto& o) { return o.first == "run.end" || o.first == "run.steps"; });
    all.emplace_back(key, value);
  }
  Resumable r{.model = read_model(checkpoint.source, checkpoint.text, all, {checkpoint.found, checkpoint.accuracy}),
              .directory = directory,
              .finished = false,
              .summary = "",
              .other_program = checkpoint.program == library_version() ? "" : checkpoint.program,
              .report = checkpoint.report,
              .checkpoint = {},
              .damaged_rows = {},
              .damaged_summary = {},
              .lock = std::move(lock)};
  if (!checkpoint.accuracy.empty() && !overrides.empty()) {
    const Model given = read_model(checkpoint.source, checkpoint.text, checkpoint.overrides, {checkpoint.found, ""});
    if (given.run.end != r.model.run.end) r.model.found.accuracy = claimed_until(checkpoint.accuracy, given.run.end);
  }
  if (checkpoint.step > r.model.run.steps)
    throw InputError(fmt::format("{}: has done {} step{} already, more than the {} asked for; give a later end",
                                 directory.string(), checkpoint.step, checkpoint.step == 1 ? "" : "s",
                                 r.model.run.steps));
  std::ifstream file(directory / "summary.json", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (file.is_open()) r.damaged_summary = damage_of(text);
  r.finished =
      checkpoint.step == r.model.run.steps && r.damaged_summary.empty() && are_results(directory, text, checkpoint);
  if (r.finished) r.summary = text;
  if (!r.finished && !fs::exists(directory / rows_name))
    throw InputError(
        fmt::format("{}: {} is missing, and without its rows the run cannot go on; start again with "
                    "livens run --force",
                    directory.string(), rows_name));
  if (!r.finished) {
    auto [usable, damaged] = as_input([&] { return read_checkpoint_with_rows(directory); });
    r.checkpoint = std::move(usable);
    r.damaged_rows = damaged;
  }
  return r;
}

SessionResult resume_session(const Resumable& resumable, const SessionRequest& request) {
  remove_partial_files(resumable.directory);
  RunFiles files(resumable.model, resumable.directory, resumable.checkpoint);
  try {
    return run_with(resumable.model, request, files);
  } catch (const ArchiveError&) {
    throw InputError(fmt::format("{}: its checkpoint does not fit the model in it; start again with livens run --force",
                                 resumable.directory.string()));
  }
}

}  // namespace livens
