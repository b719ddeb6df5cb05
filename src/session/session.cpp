#include "livens/session/session.hpp"

#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <memory>

#include "build_info.hpp"
#include "livens/store/checkpoint.hpp"
#include "livens/store/json.hpp"
#include "livens/store/record_file.hpp"
#include "livens/store/result_directory.hpp"
#include "livens/store/trajectory.hpp"
#include "session/summary.hpp"

namespace livens {

namespace fs = std::filesystem;

namespace {

// The formula that has no finite value where the failed step was last evaluated, in words; empty if all are finite.
std::string not_finite_formula(const Model& model, const RunReport& report) {
  using F = LagrangianFormulas;
  const double t = static_cast<double>(model.initial.t + (report.steps + 1) * model.run.step);
  const double* const blocks[F::blocks] = {&t, report.failed_q.data(), report.failed_v.data(), nullptr, nullptr};
  const int n = model.lagrangian->coordinates(), m = model.lagrangian->constraints();
  const auto look = [&](int part, int count, std::string_view key) -> std::string {
    for (int i = 0; i < count; ++i)
      if (const std::string reason = model.lagrangian->explain(part, i, blocks); !reason.empty())
        return fmt::format("; in {}: {}", key, reason);
    return "";
  };
  for (const std::string& found : {look(F::constraint_jacobian, m + m * n, "system.constraints"),
                                   look(F::gradient, 2 * n, "system.lagrangian"), look(F::force, n, "system.forces")})
    if (!found.empty()) return found;
  return "";
}

std::string describe_end(const Model& model, const RunResult& result) {
  const double t = result.final.front().numbers.front();
  const long long steps = result.report.steps;
  if (result.report.outcome == RunOutcome::interrupted)
    return fmt::format("interrupted after step {} of {}; the results are valid up to t = {:.10g}", steps,
                       model.run.steps, t);
  if (result.report.outcome == RunOutcome::failed) {
    const StepReport& f = *result.report.failure;
    std::string residuals;
    for (int k = 0; k < std::min(f.iterations, StepReport::history_size); ++k)
      residuals += fmt::format("{}{:.1e}", k ? ", " : "", f.history[static_cast<std::size_t>(k)]);
    return fmt::format(
        "step {} from t = {:.10g} could not be solved: {} after {} iterations (residuals {}){}; {}; "
        "the results are valid up to t = {:.10g}",
        steps + 1, t, name(f.outcome), f.iterations, residuals.empty() ? "none" : residuals,
        f.outcome == Outcome::left_domain || f.outcome == Outcome::not_finite ? not_finite_formula(model, result.report)
                                                                              : "",
        advice(f.outcome), t);
  }
  if (model.initial.project)
    return fmt::format("start values moved onto the constraints: q by {:.2e}, {} by {:.2e}", result.move.q,
                       model.initial.momentum_given ? "p" : "v",
                       model.initial.momentum_given ? result.move.p : result.move.v);
  return "";
}

// The files of a run in the making: rows, checkpoints, and at the end trajectory and summary.
class RunFiles : public CheckpointSink {
 public:
  RunFiles(const Model& model, ResultDirectory& directory) : directory_(&directory) { describe(model); }
  RunFiles(const Model& model, fs::path directory, Checkpoint checkpoint)
      : path_(std::move(directory)), checkpoint_(std::move(checkpoint)), seconds_before_(checkpoint_.seconds) {
    describe(model);
  }

  RowSink* open_rows(const Columns& columns) {
    columns_ = columns;
    if (directory_) directory_->create();
    rows_ = std::make_unique<RecordFile>(path() / rows_name, columns, checkpoint_.rows);
    return rows_.get();
  }

  // The first checkpoint makes the directory appear: every one that can be seen can be resumed.
  void save(long long step, const std::string& memory) override {
    rows_->sync();
    checkpoint_.step = step;
    checkpoint_.rows = rows_->rows();
    checkpoint_.seconds = seconds();
    checkpoint_.memory = memory;
    write_checkpoint(path(), checkpoint_);
    if (!directory_ || appeared_) return;
    directory_->appear();
    rows_->moved_to(path() / rows_name);
    appeared_ = true;
  }

  void finish(const Model& model, const MethodEntry& method, const Options& options, SessionResult& session) {
    rows_->sync();
    session.directory = path();
    write_trajectory(path() / rows_name, columns_, model.text,
                     {{"livens", LIVENS_VERSION}, {"title", model.title}, {"method", method.name}},
                     path() / "trajectory.h5");
    session.summary =
        to_text(summary(model, method, options, session.run, session.message, path().string(), seconds())) + "\n";
    write_file_atomically(path() / "summary.json", session.summary);
  }

  const std::string& memory() const { return checkpoint_.memory; }

 private:
  static constexpr const char* rows_name = "checkpoint.rows";

  void describe(const Model& model) {
    checkpoint_.program = library_version();
    checkpoint_.source = model.source;
    checkpoint_.text = model.text;
    checkpoint_.overrides = model.set;
  }
  fs::path path() const { return directory_ ? directory_->working() : path_; }
  double seconds() const {
    return seconds_before_ + std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
  }

  ResultDirectory* directory_ = nullptr;  // of a new run
  bool appeared_ = false;
  fs::path path_;  // of a resumed one
  Checkpoint checkpoint_;
  Columns columns_;
  std::unique_ptr<RecordFile> rows_;
  double seconds_before_ = 0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

// Steps between checkpoints: about a third of a second of work for dense linear algebra of this size. A number of
// steps, not a time, so that every run of a model has its checkpoints at the same steps.
long long checkpoint_interval(const Model& model) {
  const double size = model.lagrangian->coordinates() + model.lagrangian->constraints();
  return std::max(1LL, static_cast<long long>(1e9 / (1000 + 20 * size * size * size)));
}

SessionResult run_with(const Model& model, const SessionRequest& request, RunFiles& files) {
  const MethodEntry& method = choose_method(model);
  const Options options = read_options(model, method);
  RunContext context;
  context.monitor = request.monitor;
  context.stop = request.stop;
  context.open_rows = [&](const Columns& columns) { return files.open_rows(columns); };
  context.checkpoints = &files;
  context.checkpoint_every = checkpoint_interval(model);
  context.resume_from = files.memory();

  SessionResult session;
  session.run = method.run(model, options, context);
  session.message = describe_end(model, session.run);
  files.finish(model, method, options, session);
  session.status = session.run.report.outcome == RunOutcome::finished ? 0 : 1;
  return session;
}

}  // namespace

SessionResult run_session(const Model& model, const SessionRequest& request) {
  choose_method(model);
  if (!model.run.given)
    throw InputError(
        model.at("run", "the section is missing; add [run] with step = 0.01 and end = 10.0 or steps = 1000"));
  std::optional<ResultDirectory> directory;
  try {
    directory.emplace(ResultDirectory::choose(request.out, model.name, request.force));
  } catch (const std::invalid_argument& e) {
    throw InputError(e.what());
  }
  RunFiles files(model, *directory);
  return run_with(model, request, files);
}

Resumable open_resumable(const fs::path& directory, const Overrides& overrides) {
  const Checkpoint checkpoint = read_checkpoint(directory);
  Overrides all = checkpoint.overrides;
  for (const auto& [key, value] : overrides) {
    std::erase_if(all, [](const auto& o) { return o.first == "run.end" || o.first == "run.steps"; });
    all.emplace_back(key, value);
  }
  Resumable r{.model = read_model(checkpoint.source, checkpoint.text, all),
              .directory = directory,
              .finished = false,
              .summary = "",
              .other_program = checkpoint.program == library_version() ? "" : checkpoint.program};
  if (checkpoint.step > r.model.run.steps)
    throw InputError(fmt::format("{}: has done {} steps already, more than the {} asked for; give a later end",
                                 directory.string(), checkpoint.step, r.model.run.steps));
  std::ifstream file(directory / "summary.json", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto old = nlohmann::json::parse(text, nullptr, false);
  r.finished = checkpoint.step == r.model.run.steps && old.is_object() && old.value("outcome", "") == "finished" &&
               old.value("steps", -1LL) == checkpoint.step && fs::exists(directory / "trajectory.h5");
  if (r.finished) r.summary = text;
  return r;
}

SessionResult resume_session(const Resumable& resumable, const SessionRequest& request) {
  RunFiles files(resumable.model, resumable.directory, read_checkpoint(resumable.directory));
  return run_with(resumable.model, request, files);
}

}  // namespace livens
