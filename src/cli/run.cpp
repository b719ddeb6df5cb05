// livens run
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <memory>

#include "cli/commands.hpp"
#include "cli/overrides.hpp"
#include "cli/progress.hpp"
#include "livens/session/session.hpp"

namespace livens::cli {

namespace {

std::atomic<bool> stop_asked = false;

constexpr int stop_signals[] = {SIGINT, SIGTERM, SIGHUP};

// The first signal ends the run after the current step, a second one, of whichever kind, at once.
extern "C" void on_signal(int) {
  stop_asked.store(true);
  for (const int signal : stop_signals) std::signal(signal, SIG_DFL);
}

void print_audit(const Model& model, const SessionResult& session) {
  const AuditFigures& a = session.run.audit;
  const auto row = [](std::string_view name, const std::string& figure, const std::string& words) {
    fmt::print(stderr, "  {:<20} {:>10}   {}\n", name, figure, words);
  };
  fmt::print(stderr, "\n{}: {} steps of {}\n", model.title.empty() ? model.name : model.title, session.run.report.steps,
             static_cast<double>(model.run.step));
  const double drift = a.energy_drift.slope();
  if (model.lagrangian->structure().conserves_energy())
    row("energy", fmt::format("{:.1e}", a.energy.max_error),
        fmt::format("largest error (initial {:.6g}), drift {:.1e} per unit of time", a.energy.initial, drift));
  else
    row("energy", fmt::format("{:.1e}", a.energy.max_error),
        fmt::format("largest change (initial {:.6g}); the model does not conserve energy", a.energy.initial));
  if (model.lagrangian->constraints() > 0) {
    row("constraint", fmt::format("{:.1e}", a.constraint), "largest |g|");
    row("hidden constraint", fmt::format("{:.1e}", a.hidden_constraint), "largest |G v + g_t|");
  }
  for (std::size_t k = 0; k < a.invariants.size(); ++k)
    row(model.lagrangian->invariant_names()[k], fmt::format("{:.1e}", a.invariants[k].max_error),
        fmt::format("largest error (initial {:.6g})", a.invariants[k].initial));
}

}  // namespace

int run_model(const RunArguments& arguments) {
  const Model model = load_model(arguments.model, overrides(arguments.set));
  SessionRequest request;
  request.out = arguments.out;
  request.force = arguments.force;
  request.stop = &stop_asked;
  std::unique_ptr<ProgressLine> progress;
  if (!arguments.quiet && isatty(STDERR_FILENO)) progress = std::make_unique<ProgressLine>(model.run.steps);
  request.monitor = progress.get();
  for (const int signal : stop_signals) std::signal(signal, on_signal);

  const SessionResult session = run_session(model, request);
  progress.reset();
  if (!arguments.quiet) {
    print_audit(model, session);
    if (!session.message.empty()) fmt::print(stderr, "\n{}\n", session.message);
    fmt::print(stderr, "\nresults in {}: summary.json, trajectory.h5\n", session.directory.string());
  } else if (session.status != 0) {
    fmt::print(stderr, "livens: {}\n", session.message);
  }
  if (arguments.json) fmt::print("{}", session.summary);
  return session.status;
}

}  // namespace livens::cli
