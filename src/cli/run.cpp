// livens run, livens watch, livens resume
#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "cli/audit.hpp"
#include "cli/commands.hpp"
#include "cli/given_model.hpp"
#include "cli/open_page.hpp"
#include "cli/overrides.hpp"
#include "cli/page_server.hpp"
#include "cli/progress.hpp"
#include "cli/say.hpp"
#include "cli/signals.hpp"
#include "livens/report/report.hpp"
#include "livens/session/session.hpp"
#include "livens/store/shell_word.hpp"
#include "livens/study/studies.hpp"

namespace livens::cli {

namespace {

void print_audit(const Model& model, const SessionResult& session) {
  const long long steps = session.run.report.steps;
  say("\n");
  say_in(Colour::bold, model.title,
         fmt::format(": {} step{} of {}\n", steps, steps == 1 ? "" : "s", static_cast<double>(model.run.step)));
  say("{}", table_of(session.audit));
  if (!session.accuracy.empty()) say("\n{}\n", session.accuracy);
}

// The model with the step that its accuracy needs; says what was found. Empty: stopped.
std::optional<Model> find_accuracy(const Model& model, bool quiet) {
  if (!model.run.accuracy) return model;
  listen_to_signals();
  const bool shown = !quiet && isatty(STDERR_FILENO);
  long long pilots = 0, evaluations = 0;
  auto found = with_found_step(model, &stop_asked, [&](const PilotRow& row) {
    ++pilots, evaluations += row.cost.evaluations;
    if (shown) say("\r\x1b[Klooking for a step: {}, {} steps", row.method, row.steps);
  });
  if (shown) say("\r\x1b[K");
  if (found && !quiet) {
    std::string options;
    for (const auto& [key, value] : found->found.set)
      if (key.starts_with("method.") && key != "method.name") options += " " + key.substr(7) + " = " + value;
    say("accuracy {:.2g}: {}{}, {} steps of {:.6g}, found by {} pilot runs with {} evaluations\n", *model.run.accuracy,
        found->method.name, options, found->run.steps, to_double(found->run.step), pilots, evaluations);
  }
  return found;
}

// Runs with a progress line on a terminal and signals that end the run cleanly; then says what came out.
template <class Run>
int run_and_report(const Model& model, SessionRequest request, bool json, bool quiet, bool page, const Run& run) {
  std::unique_ptr<Monitor> progress;
  if (!quiet && isatty(STDERR_FILENO))
    progress = std::make_unique<ProgressLine>(model.run.steps);
  else if (!quiet)
    progress = std::make_unique<Warnings>();
  request.monitor = progress.get();
  request.stop = &stop_asked;
  listen_to_signals();

  SessionResult session = run(request);
  progress.reset();
  if (session.run.report.outcome == RunOutcome::interrupted)
    session.message += fmt::format("; livens resume {} goes on from there", shell_word(session.directory.string()));
  if (page) write_report(session.directory);
  if (!quiet) {
    print_audit(model, session);
    if (!session.message.empty()) say("\n{}\n", session.message);
    say("\nresults in {}: summary.json, trajectory.h5{}\n", session.directory.string(), page ? ", report.html" : "");
  } else if (session.status != 0) {
    say_wrong(session.message);
  }
  if (json) fmt::print("{}", session.summary);
  return session.status;
}

// --method "galerkin(s=2, w=2)"
void add_method(Overrides& set, OptionOverrides& options, const std::string& text) {
  for (const auto& [key, value] : read_method("--method", text).set)
    options.add(set, key == "method.name" ? "--method" : "--method: " + key.substr(key.find('.') + 1), key, value);
}

// What the command line says about the model, and which options it was said with.
struct Asked {
  explicit Asked(const RunArguments& arguments) : set(overrides(arguments.set)) {
    if (arguments.step) options.add(set, "--step", "run.step", *arguments.step);
    if (arguments.end) options.add(set, "--end", "run.end", *arguments.end);
    if (arguments.steps) options.add(set, "--steps", "run.steps", *arguments.steps);
    if (arguments.method) add_method(set, options, *arguments.method);
    if (arguments.accuracy) set.emplace_back("run.accuracy", *arguments.accuracy);
    if (arguments.estimate) set.emplace_back("run.estimate", "true");
  }
  Overrides set;
  OptionOverrides options;
};

}  // namespace

namespace {

int run_asked(const RunArguments& arguments, const Overrides& set) {
  std::optional<Model> found = find_accuracy(load_given_model(arguments.model, set), arguments.quiet);
  if (!found) {
    say_wrong("interrupted before a step was found; nothing was run");
    return 1;
  }
  found->name = name_of_results(arguments.model, *found);
  const Model& model = *found;
  SessionRequest request;
  request.out = arguments.out;
  request.force = arguments.force;
  request.report = arguments.report;
  std::filesystem::path directory;
  const int status =
      run_and_report(model, request, arguments.json, arguments.quiet, arguments.report, [&](const SessionRequest& r) {
        SessionResult session = run_session(model, r);
        directory = session.directory;
        return session;
      });
  if (arguments.open && !open_page(std::filesystem::absolute(directory / "report.html").string()))
    say_note("no browser could be started; open " + (directory / "report.html").string());
  return status;
}

// Rows of the session to the page. When everything is known to be right and the run could begin, it waits for somebody
// to look.
class ToPage : public RowWatcher {
 public:
  ToPage(LiveRun& run, PageServer& server, const WatchArguments& arguments)
      : run_(run), server_(server), arguments_(arguments) {}
  void begin(const Columns& columns) override {
    run_.begin(columns);
    const bool opened = !arguments_.no_open && open_page(server_.address());
    say("{} {}\n", opened ? "showing" : "open", server_.address());
    if (!arguments_.quiet && !opened) say("the run begins when the page is opened, or in 15 seconds\n");
    server_.wait_for_page(std::chrono::seconds(15), stop_asked);
  }
  void write(std::span<const double> row) override { run_.write(row); }

 private:
  LiveRun& run_;
  PageServer& server_;
  const WatchArguments& arguments_;
};

int watch_asked(const WatchArguments& arguments, const Overrides& set) {
  std::optional<Model> found = find_accuracy(load_given_model(arguments.model, set), arguments.quiet);
  if (!found) {
    say_wrong("interrupted before a step was found; nothing was run");
    return 1;
  }
  found->name = name_of_results(arguments.model, *found);
  LiveRun live(*found);
  PageServer server(live);
  ToPage rows(live, server, arguments);
  SessionRequest request;
  request.out = arguments.out;
  request.force = arguments.force;
  request.report = true;
  request.rows = &rows;
  return run_and_report(*found, request, arguments.json, arguments.quiet, true, [&](const SessionRequest& r) {
    SessionResult session = run_session(*found, r);
    server.finish(ended_data(session.directory), std::chrono::seconds(5));
    return session;
  });
}

}  // namespace

int run_model(const RunArguments& arguments) {
  const Asked asked(arguments);
  return asked.options.name_in_errors_of([&] { return run_asked(arguments, asked.set); });
}

int watch_model(const WatchArguments& arguments) {
  const Asked asked(arguments);
  return asked.options.name_in_errors_of([&] { return watch_asked(arguments, asked.set); });
}

int resume(const ResumeArguments& arguments) {
  Overrides set;
  OptionOverrides options;
  if (arguments.end) options.add(set, "--end", "run.end", *arguments.end);
  if (arguments.steps) options.add(set, "--steps", "run.steps", *arguments.steps);
  const Resumable resumable = options.name_in_errors_of([&] { return open_resumable(arguments.directory, set); });
  const bool has_page = std::filesystem::exists(std::filesystem::path(arguments.directory) / "report.html");
  if (resumable.finished) {
    if (resumable.report && !has_page) write_report(arguments.directory);
    if (!arguments.quiet)
      say("{}: the run is finished{}\n", arguments.directory,
          resumable.model.is_boundary_problem() ? "" : "; --end or --steps makes it longer");
    if (arguments.json) fmt::print("{}", resumable.summary);
    return 0;
  }
  if (!resumable.other_program.empty() && !arguments.quiet)
    say_note(
        fmt::format("the checkpoint was written by livens {}; the last digits may differ", resumable.other_program));
  if (!resumable.damaged_rows.empty() && !arguments.quiet)
    say_note(fmt::format("{} is damaged; the run goes on from the checkpoint before, step {}", resumable.damaged_rows,
                         resumable.checkpoint.step));
  if (!resumable.damaged_summary.empty() && !arguments.quiet)
    say_note(fmt::format("{}: is damaged ({}); it is written again",
                         (std::filesystem::path(arguments.directory) / "summary.json").string(),
                         resumable.damaged_summary));
  // A page about the shorter run would be wrong.
  return run_and_report(resumable.model, {}, arguments.json, arguments.quiet, resumable.report || has_page,
                        [&](const SessionRequest& r) { return resume_session(resumable, r); });
}

}  // namespace livens::cli
