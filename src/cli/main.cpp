// The program: reads the command line, calls the library, speaks to people on standard error and to programs on
// standard output.  Exit status: 0 done, 1 stopped early, 2 wrong input, 3 results could not be written.
#include <fcntl.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <string>
#include <system_error>

#include "cli/commands.hpp"
#include "cli/say.hpp"
#include "livens/model/model.hpp"
#include "livens/store/error.hpp"
#include "livens/study/studies.hpp"

namespace {

int complain(int status, const std::string& message) {
  livens::cli::say("livens: {}\n", message);
  return status;
}

// A file of results must not get the number of a standard stream that the caller has closed. What is read only cannot
// be printed to: a closed standard output stays one that cannot be written.
void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);
}

// CLI11 misses a command or a model before it finds what stands in its place.
std::string what_is_wrong(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> unexpected = app.remaining(true);
  return unexpected.empty() ? error.what() : "\"" + unexpected.front() + "\" is not known here";
}

// What was printed has to arrive: a full disk under standard output is found out here at the latest.
int printed(int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  return complain(3, "standard output could not be written");
}

}  // namespace

int main(int argc, char** argv) {
  using namespace livens;
  using namespace livens::cli;
  open_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file larger than allowed is then an error of write, as a full disk is

  // The value that was forgotten, and the next option in its place.
  const auto no_option = [](const std::string& value) {
    return value.starts_with("--") ? "\"" + value + "\" looks like an option; ./" + value + " is a directory" : "";
  };

  CLI::App app{"Livens simulates constrained mechanical systems without losing what physics conserves."};
  app.name("livens");
  app.set_version_flag("--version", version());
  app.require_subcommand(1);

  RunArguments run;
  CLI::App* run_command = app.add_subcommand("run", "run a model and audit what it conserved");
  run_command->add_option("MODEL", run.model, "a model file (contains / or ends in .toml) or a ready problem")
      ->required();
  run_command->add_option("--out", run.out, "directory of the results (default: runs/<name>-<n>)")->check(no_option);
  run_command->add_option("--set", run.set, "KEY=VALUE: override a key of the model, such as run.step=0.01")
      ->take_all()
      ->allow_extra_args(false);
  CLI::Option* accuracy = run_command->add_option(
      "--accuracy", run.accuracy, "find a step for this error of q, relative to its size; stands for run.step");
  run_command->add_flag("--estimate", run.estimate, "also estimate the error, from runs with half and quarter step")
      ->excludes(accuracy);
  run_command->add_flag("--json", run.json, "print the summary on standard output, and nothing else there");
  CLI::Option* report_option =
      run_command->add_flag("--report", run.report, "also write report.html, a page about the run");
  run_command->add_flag("--open", run.open, "show that page in the browser")->needs(report_option);
  run_command->add_flag("--quiet", run.quiet, "no words on standard error but errors");
  run_command->add_flag("--force", run.force, "replace a run that is in the directory");

  WatchArguments watched;
  CLI::App* watch_command =
      app.add_subcommand("watch", "run a model with a page that shows it while it goes on, on this machine only");
  watch_command->add_option("MODEL", watched.model, "a model file or a ready problem")->required();
  watch_command->add_option("--out", watched.out, "directory of the results (default: runs/<name>-<n>)")
      ->check(no_option);
  watch_command->add_option("--set", watched.set, "KEY=VALUE: override a key of the model")
      ->take_all()
      ->allow_extra_args(false);
  watch_command->add_flag("--no-open", watched.no_open, "only tell the address of the page");
  watch_command->add_flag("--json", watched.json, "print the summary on standard output, and nothing else there");
  watch_command->add_flag("--quiet", watched.quiet, "no words on standard error but the address and errors");
  watch_command->add_flag("--force", watched.force, "replace a run that is in the directory");

  AdviseArguments advised;
  CLI::App* advise_command =
      app.add_subcommand("advise", "which method with which step: estimated errors and cost, with a recommendation");
  advise_command->add_option("MODEL", advised.model, "a model file or a ready problem")->required();
  advise_command->add_option("--set", advised.set, "KEY=VALUE: override a key of the model")
      ->take_all()
      ->allow_extra_args(false);
  advise_command->add_flag("--json", advised.json, "print the figures as JSON");
  advise_command->add_option("--out", advised.out, "new directory for advice.json and advice.html")->check(no_option);

  ResumeArguments resumed;
  CLI::App* resume_command = app.add_subcommand("resume", "go on with a run that was stopped, or make it longer");
  resume_command->add_option("DIR", resumed.directory, "the directory of its results")->required();
  CLI::Option* resume_end = resume_command->add_option("--end", resumed.end, "new end time, a total from the start");
  resume_command->add_option("--steps", resumed.steps, "new number of steps, a total from the start")
      ->excludes(resume_end);
  resume_command->add_flag("--json", resumed.json, "print the summary on standard output, and nothing else there");
  resume_command->add_flag("--quiet", resumed.quiet, "no words on standard error but errors");

  std::string list_what;
  bool list_json = false;
  CLI::App* list_command = app.add_subcommand("list", "what there is: problems, methods or studies");
  list_command->add_option("WHAT", list_what, "problems, methods or studies")->required();
  list_command->add_flag("--json", list_json, "as JSON");

  std::string show_name;
  CLI::App* show_command = app.add_subcommand("show", "print a ready problem as a model file, to copy and change");
  show_command->add_option("NAME", show_name, "a ready problem")->required();

  CheckArguments check;
  CLI::App* check_command = app.add_subcommand("check", "read a model, check derivatives and consistency, run nothing");
  check_command->add_option("MODEL", check.model, "a model file or a ready problem")->required();
  check_command->add_option("--set", check.set, "KEY=VALUE: override a key of the model")
      ->take_all()
      ->allow_extra_args(false);

  CLI::App* study_command = app.add_subcommand("study", "measure what a method promises, on a model");
  study_command->require_subcommand(1);
  const auto add_study = [&](const std::string& name, StudyArguments& arguments) {
    for (const StudyEntry& study : studies()) {
      if (study.name != name) continue;
      CLI::App* command = study_command->add_subcommand(name, study.summary);
      command->add_option("MODEL", arguments.model, "a model file or a ready problem")->required();
      command->add_option("--set", arguments.set, "KEY=VALUE: override a key of the model")
          ->take_all()
          ->allow_extra_args(false);
      command->add_flag("--json", arguments.json, "print the figures as JSON");
      return command;
    }
    throw std::logic_error("no such study");
  };
  const auto add_errors = [&](const std::string& name, OrderArguments& arguments, const std::string& files) {
    CLI::App* command = add_study(name, arguments);
    command
        ->add_option("--step-sizes", arguments.step_sizes,
                     std::string("H1,H2,...: each must divide the time span of the run") +
                         (name == "efficiency" ? " (default: 8, 4, 2 times run.step and it)" : ""))
        ->required(name == "order");
    command->add_option("--reference", arguments.reference,
                        "fine (default), exact: [exact] of the model, or the directory of an earlier run");
    command->add_option("--out", arguments.out, "new directory for " + files)->check(no_option);
    return command;
  };
  OrderArguments order;
  CLI::App* order_command = add_errors("order", order, "order.json and order.html");
  EfficiencyArguments efficiency;
  CLI::App* efficiency_command = add_errors("efficiency", efficiency, "efficiency.json and efficiency.html");
  efficiency_command->add_option("--methods", efficiency.methods, "such as \"rattle, galerkin(s=2, w=2)\"")->required();
  StudyArguments symplecticity, reversibility;
  CLI::App* symplecticity_command = add_study("symplecticity", symplecticity);
  CLI::App* reversibility_command = add_study("reversibility", reversibility);
  InvariantsArguments invariants;
  CLI::App* invariants_command = add_study("invariants", invariants);
  invariants_command->add_option("--out", invariants.out, "new directory for invariants.json and invariants.html")
      ->check(no_option);

  ReproduceArguments reproduced;
  CLI::App* reproduce_command =
      app.add_subcommand("reproduce", "tables and figures of the papers, measured beside printed");
  reproduce_command->add_option("ID", reproduced.id, "one of them, or all; without it they are listed");
  reproduce_command->add_flag("--json", reproduced.json, "print the rows as JSON");
  reproduce_command->add_flag("--full", reproduced.full, "with the longest runs, where an ID has any: many minutes");
  reproduce_command->add_option("--out", reproduced.out, "directory for <ID>.json and, with figures, <ID>.html")
      ->check(no_option);

  std::string audit_directory, report_directory;
  bool audit_json = false;
  CLI::App* audit_command = app.add_subcommand("audit", "what a recorded run conserved");
  audit_command->add_option("DIR", audit_directory, "the directory of its results")->required();
  audit_command->add_flag("--json", audit_json, "as JSON");
  CLI::App* report_command = app.add_subcommand("report", "write report.html, a page about a recorded run");
  report_command->add_option("DIR", report_directory, "the directory of its results")->required();

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return printed(app.exit(e));
    return complain(2, what_is_wrong(app, e) + "; livens --help lists the commands, livens COMMAND --help its options");
  }

  try {
    if (*run_command) return printed(run_model(run));
    if (*watch_command) return printed(watch_model(watched));
    if (*advise_command) return printed(advise(advised));
    if (*resume_command) return printed(resume(resumed));
    if (*list_command) return printed(list(list_what, list_json));
    if (*show_command) return printed(show(show_name));
    if (*order_command) return printed(study_order(order));
    if (*efficiency_command) return printed(study_efficiency(efficiency));
    if (*symplecticity_command) return printed(study_symplecticity(symplecticity));
    if (*reversibility_command) return printed(study_reversibility(reversibility));
    if (*invariants_command) return printed(study_invariants(invariants));
    if (*reproduce_command) return printed(reproduce(reproduced));
    if (*check_command) return printed(check_model(check));
    if (*audit_command) return printed(audit(audit_directory, audit_json));
    if (*report_command) return printed(report(report_directory));
  } catch (const InputError& e) {
    return complain(2, e.what());
  } catch (const StoreError& e) {
    return complain(3, e.what());
  } catch (const std::system_error& e) {
    return complain(3, e.what());
  } catch (const std::bad_alloc&) {
    return complain(3, "out of memory");
  } catch (const std::exception& e) {
    return complain(3, std::string("something that should not happen: ") + e.what());
  }
  return 2;
}
