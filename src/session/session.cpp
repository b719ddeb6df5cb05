#include "livens/session/session.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>

#include "build_info.hpp"
#include "livens/store/json.hpp"
#include "livens/store/record_file.hpp"
#include "livens/store/result_directory.hpp"
#include "livens/store/trajectory.hpp"
#include "session/summary.hpp"

namespace livens {

namespace {

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
        "step {} from t = {:.10g} could not be solved: {} after {} iterations (residuals {}); {}; "
        "the results are valid up to t = {:.10g}",
        steps + 1, t, name(f.outcome), f.iterations, residuals.empty() ? "none" : residuals, advice(f.outcome), t);
  }
  if (model.initial.project)
    return fmt::format("start values moved onto the constraints: q by {:.2e}, {} by {:.2e}", result.move.q,
                       model.initial.momentum_given ? "p" : "v",
                       model.initial.momentum_given ? result.move.p : result.move.v);
  return "";
}

}  // namespace

SessionResult run_session(const Model& model, const SessionRequest& request) {
  const MethodEntry& method = choose_method(model);
  const Options options = read_options(model, method);
  if (!model.run.given)
    throw InputError(
        model.at("run", "the section is missing; add [run] with step = 0.01 and end = 10.0 or steps = 1000"));

  std::optional<ResultDirectory> directory;
  try {
    directory.emplace(ResultDirectory::choose(request.out, model.name, request.force));
  } catch (const std::invalid_argument& e) {
    throw InputError(e.what());
  }

  std::unique_ptr<RecordFile> rows;
  Columns columns;
  RunContext context;
  context.monitor = request.monitor;
  context.stop = request.stop;
  context.open_rows = [&](const Columns& c) -> RowSink* {
    columns = c;
    directory->create();
    rows = std::make_unique<RecordFile>(directory->working() / "checkpoint.rows", columns);
    directory->appear();
    rows->moved_to(directory->path() / "checkpoint.rows");
    return rows.get();
  };

  SessionResult session;
  const auto begin = std::chrono::steady_clock::now();
  session.run = method.run(model, options, context);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;

  rows->sync();
  session.message = describe_end(model, session.run);
  write_trajectory(rows->path(), columns, model.text,
                   {{"livens", LIVENS_VERSION}, {"title", model.title}, {"method", method.name}},
                   directory->path() / "trajectory.h5");
  session.directory = directory->path();
  session.summary = to_text(summary(model, method, options, session.run, session.message, session.directory.string(),
                                    elapsed.count())) +
                    "\n";
  write_file_atomically(directory->path() / "summary.json", session.summary);
  rows.reset();
  std::filesystem::remove(directory->path() / "checkpoint.rows");
  session.status = session.run.report.outcome == RunOutcome::finished ? 0 : 1;
  return session;
}

}  // namespace livens
