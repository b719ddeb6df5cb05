#include "cli/command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "cli/manual.hpp"
#include "livens/formula/nearest.hpp"
#include "livens/model/model.hpp"
#include "livens/model/problems.hpp"
#include "livens/store/atomic_file.hpp"
#include "livens/study/studies.hpp"

namespace livens::cli {

CommandLine::CommandLine()
    : app("Livens simulates constrained mechanical systems without losing what physics conserves.") {
  // The value that was forgotten, and the next option in its place.
  const auto no_option = [](const std::string& value) {
    return value.starts_with("--") ? "\"" + value + "\" looks like an option; ./" + value + " is a directory" : "";
  };
  const auto a_value = [](const std::string& value) {
    return value.starts_with("--") ? "its value is missing: \"" + value + "\" is the next option" : "";
  };

  app.name("livens");
  app.set_version_flag("--version", version());
  app.require_subcommand(1);

  // Keys that are overridden every day.
  const auto add_shortcuts = [&](CLI::App* command, RunArguments& arguments) {
    command->add_option("--step", arguments.step, "step size, run.step of the model")->check(a_value);
    CLI::Option* end = command->add_option("--end", arguments.end, "end time, run.end of the model")->check(a_value);
    command->add_option("--steps", arguments.steps, "number of steps, run.steps of the model")
        ->check(a_value)
        ->excludes(end);
    command
        ->add_option("--method", arguments.method,
                     "method with its options, such as \"galerkin(s=2)\": [method] of the model")
        ->check(a_value);
  };

  CLI::App* run_command = app.add_subcommand("run", "run a model and audit what it conserved");
  run_command
      ->add_option("MODEL", run_.model,
                   "a model file (contains / or ends in .toml), a ready problem, or - for standard input")
      ->required();
  run_command->add_option("--out", run_.out, "directory of the results (default: runs/<name>-<n>)")->check(no_option);
  run_command->add_option("--set", run_.set, "KEY=VALUE: override a key of the model, such as run.step=0.01")
      ->take_all()
      ->allow_extra_args(false);
  add_shortcuts(run_command, run_);
  CLI::Option* accuracy = run_command->add_option(
      "--accuracy", run_.accuracy, "find a step for this error of q, relative to its size; stands for run.step");
  accuracy->check(a_value)->excludes("--step")->excludes("--steps");
  run_command->add_flag("--estimate", run_.estimate, "also estimate the error, from runs with half and quarter step")
      ->excludes(accuracy);
  run_command->add_flag("--json", run_.json, "print the summary on standard output, and nothing else there");
  CLI::Option* report_option =
      run_command->add_flag("--report", run_.report, "also write report.html, a page about the run");
  run_command->add_flag("--open", run_.open, "show that page in the browser")->needs(report_option);
  run_command->add_flag("--quiet", run_.quiet, "no words on standard error but errors");
  run_command->add_flag("--force", run_.force, "replace a run that is in the directory");

  CLI::App* watch_command =
      app.add_subcommand("watch", "run a model with a page that shows it while it goes on, on this machine only");
  watch_command->add_option("MODEL", watched_.model, "a model file, a ready problem, or - for standard input")
      ->required();
  watch_command->add_option("--out", watched_.out, "directory of the results (default: runs/<name>-<n>)")
      ->check(no_option);
  watch_command->add_option("--set", watched_.set, "KEY=VALUE: override a key of the model")
      ->take_all()
      ->allow_extra_args(false);
  add_shortcuts(watch_command, watched_);
  watch_command->add_flag("--no-open", watched_.no_open, "only tell the address of the page");
  watch_command->add_flag("--json", watched_.json, "print the summary on standard output, and nothing else there");
  watch_command->add_flag("--quiet", watched_.quiet, "no words on standard error but the address and errors");
  watch_command->add_flag("--force", watched_.force, "replace a run that is in the directory");

  CLI::App* advise_command =
      app.add_subcommand("advise", "which method with which step: estimated errors and cost, with a recommendation");
  advise_command->add_option("MODEL", advised_.model, "a model file, a ready problem, or - for standard input")
      ->required();
  advise_command->add_option("--set", advised_.set, "KEY=VALUE: override a key of the model")
      ->take_all()
      ->allow_extra_args(false);
  advise_command->add_flag("--json", advised_.json, "print the figures as JSON");
  advise_command->add_option("--out", advised_.out, "new directory for advice.json and advice.html")->check(no_option);

  CLI::App* resume_command = app.add_subcommand("resume", "go on with a run that was stopped, or make it longer");
  resume_command->add_option("DIR", resumed_.directory, "the directory of its results")->required();
  CLI::Option* resume_end = resume_command->add_option("--end", resumed_.end, "new end time, a total from the start");
  resume_command->add_option("--steps", resumed_.steps, "new number of steps, a total from the start")
      ->excludes(resume_end);
  resume_command->add_flag("--json", resumed_.json, "print the summary on standard output, and nothing else there");
  resume_command->add_flag("--quiet", resumed_.quiet, "no words on standard error but errors");

  CLI::App* list_command = app.add_subcommand(
      "list", "what there is: problems, methods, studies, functions of formulas, keys of model files");
  list_command->add_option("WHAT", list_what_, "problems, methods, studies, functions or keys")->required();
  list_command->add_flag("--json", list_json_, "as JSON");

  CLI::App* show_command = app.add_subcommand("show", "print a ready problem as a model file, to copy and change");
  show_command->add_option("NAME", show_name_, "a ready problem")->required();

  CLI::App* check_command = app.add_subcommand("check", "read a model, check derivatives and consistency, run nothing");
  check_command->add_option("MODEL", check_.model, "a model file, a ready problem, or - for standard input")
      ->required();
  check_command->add_option("--set", check_.set, "KEY=VALUE: override a key of the model")
      ->take_all()
      ->allow_extra_args(false);
  check_command->add_flag("--json", check_.json, "print the findings as JSON");

  CLI::App* study_command = app.add_subcommand("study", "measure what a method promises, on a model");
  study_command->require_subcommand(1);
  const auto add_study = [study_command](const std::string& name, StudyArguments& arguments) {
    for (const StudyEntry& study : studies()) {
      if (study.name != name) continue;
      CLI::App* command = study_command->add_subcommand(name, study.summary);
      command->add_option("MODEL", arguments.model, "a model file, a ready problem, or - for standard input")
          ->required();
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
  CLI::App* order_command = add_errors("order", order_, "order.json and order.html");
  CLI::App* efficiency_command = add_errors("efficiency", efficiency_, "efficiency.json and efficiency.html");
  efficiency_command->add_option("--methods", efficiency_.methods, "such as \"rattle, galerkin(s=2, w=2)\"")
      ->required();
  CLI::App* symplecticity_command = add_study("symplecticity", symplecticity_);
  CLI::App* reversibility_command = add_study("reversibility", reversibility_);
  CLI::App* invariants_command = add_study("invariants", invariants_);
  invariants_command->add_option("--out", invariants_.out, "new directory for invariants.json and invariants.html")
      ->check(no_option);

  CLI::App* reproduce_command =
      app.add_subcommand("reproduce", "tables and figures of the papers, measured beside printed");
  reproduce_command->add_option("ID", reproduced_.id, "one of them, or all; without it they are listed");
  reproduce_command->add_flag("--json", reproduced_.json, "print the rows as JSON");
  reproduce_command->add_flag("--full", reproduced_.full, "with the longest runs, where an ID has any: many minutes");
  reproduce_command->add_option("--out", reproduced_.out, "directory for <ID>.json and, with figures, <ID>.html")
      ->check(no_option);

  CLI::App* audit_command = app.add_subcommand("audit", "what a recorded run conserved");
  audit_command->add_option("DIR", audit_directory_, "the directory of its results")->required();
  audit_command->add_flag("--json", audit_json_, "as JSON");
  CLI::App* report_command = app.add_subcommand("report", "write report.html, a page about a recorded run");
  report_command->add_option("DIR", report_directory_, "the directory of its results")->required();

  CLI::App* import_command =
      app.add_subcommand("import", "print a robot, described in URDF, as a model file of bodies and joints");
  import_command->add_option("FILE", imported_.file, "the URDF file, without macros, or - for standard input")
      ->required();
  import_command->add_option("--pose", imported_.pose, "JOINT=VALUE: angle or displacement at the start, default 0")
      ->take_all()
      ->allow_extra_args(false);
  import_command->add_flag("--free", imported_.free, "the root link is a body that nothing holds, not the ground");

  CLI::App* export_command = app.add_subcommand("export", "a recorded run for other programs");
  export_command->add_option("DIR", exported_.directory, "the directory of its results")->required();
  CLI::Option* csv = export_command->add_flag("--csv", exported_.csv, "print a table of all recorded numbers");
  CLI::Option* vtk = export_command->add_flag("--vtk", exported_.vtk, "write the motion for ParaView, motion.pvd");
  vtk->excludes(csv);
  export_command
      ->add_option("--out", exported_.out,
                   "directory for the files of --vtk (default: DIR-vtk), in place of earlier ones")
      ->check(no_option)
      ->needs(vtk);
  export_command->add_option("--every", exported_.every, "only every so many rows, and the last");

  CLI::App* help_command = app.add_subcommand("help", "what a command does, as livens COMMAND --help");
  help_command->add_option("COMMAND", help_, "such as run, or study order; without it all commands are listed");
  CLI::Option* man = help_command->add_flag("--man", help_man_, "as a manual page, for man -l -");
  help_command->add_option("--out", help_out_, "directory to write all manual pages to, livens-run.1 and so on")
      ->check(no_option)
      ->needs(man);

  CLI::App* completion_command = app.add_subcommand("completion", "print what completes command lines in a shell");
  completion_command->add_option("SHELL", completion_shell_, "bash or zsh")
      ->required()
      ->check(CLI::IsMember({"bash", "zsh"}));

  add_examples();

  actions_ = {
      {run_command, [this] { return run_model(run_); }},
      {watch_command, [this] { return watch_model(watched_); }},
      {advise_command, [this] { return advise(advised_); }},
      {resume_command, [this] { return resume(resumed_); }},
      {list_command, [this] { return list(list_what_, list_json_); }},
      {show_command, [this] { return show(show_name_); }},
      {order_command, [this] { return study_order(order_); }},
      {efficiency_command, [this] { return study_efficiency(efficiency_); }},
      {symplecticity_command, [this] { return study_symplecticity(symplecticity_); }},
      {reversibility_command, [this] { return study_reversibility(reversibility_); }},
      {invariants_command, [this] { return study_invariants(invariants_); }},
      {reproduce_command, [this] { return reproduce(reproduced_); }},
      {check_command, [this] { return check_model(check_); }},
      {audit_command, [this] { return audit(audit_directory_, audit_json_); }},
      {report_command, [this] { return report(report_directory_); }},
      {import_command, [this] { return import_robot(imported_); }},
      {export_command, [this] { return export_run(exported_); }},
      {completion_command, [this] { return complete(); }},
      {help_command, [this] { return help(); }},
  };
}

int CommandLine::act() const {
  for (const auto& [command, action] : actions_)
    if (*command) return action();
  throw std::logic_error("a command without an action");
}

namespace {

// A suggestion ends with its question mark, anything else with a semicolon before the next words.
std::string followed(const std::string& suggestion) {
  return suggestion.empty() ? ";" : suggestion;
}

bool is_model(const std::string& name) {
  return name.ends_with(".toml") ||
         std::ranges::any_of(ready_problems(), [&](const ReadyProblem& problem) { return problem.name == name; });
}

}  // namespace

std::vector<std::string> CommandLine::names_of_commands(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* each : command.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(each->get_name());
  return names;
}

std::vector<std::string> CommandLine::names_of_options(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// CLI11 misses a command or a model before it finds what stands in its place.
std::string CommandLine::what_is_wrong(const CLI::ParseError& error) const {
  const std::vector<std::string> unexpected = app.remaining(true);
  if (unexpected.empty()) return error.what() + std::string(";");
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().back();
  const std::string& given = unexpected.front();
  if (command == &app && is_model(given))
    return "\"" + given + "\" is a model and no command; did you mean \"livens run " + given + "\"?";
  const std::string near = given.starts_with("-")
                               ? formula::suggestion(given.substr(0, given.find('=')), names_of_options(*command))
                               : formula::suggestion(given, names_of_commands(*command));
  return "\"" + given + "\" is not known here" + followed(near);
}

// The table of examples stands in the help of a command and in its manual page.
void CommandLine::add_examples() {
  struct Example {
    std::vector<std::string> command;
    std::vector<std::string> lines;
  };
  const std::vector<Example> examples{
      {{}, {"livens list problems", "livens run pendulum --report --open", "livens help run"}},
      {{"run"},
       {"livens run pendulum --out swing --report", "livens run model.toml --step 0.005 --method \"galerkin(s=2)\"",
        "livens run model.toml --accuracy 1e-8 --json > summary.json",
        "livens show pendulum | livens run - --end 10.0"}},
      {{"watch"}, {"livens watch double-pendulum"}},
      {{"advise"}, {"livens advise pendulum --set run.accuracy=1e-6"}},
      {{"resume"}, {"livens resume runs/pendulum-1", "livens resume swing --end 200.0"}},
      {{"list"}, {"livens list methods", "livens list problems --json"}},
      {{"show"}, {"livens show pendulum > my.toml"}},
      {{"check"}, {"livens check model.toml", "livens check model.toml --json"}},
      {{"study", "order"}, {"livens study order pendulum --step-sizes 0.1,0.05,0.025 --set run.end=1.0"}},
      {{"study", "efficiency"}, {"livens study efficiency pendulum --methods \"rattle, galerkin(s=2)\""}},
      {{"study", "symplecticity"}, {"livens study symplecticity pendulum --set method.name=ggl"}},
      {{"study", "reversibility"}, {"livens study reversibility pendulum --set run.steps=100"}},
      {{"study", "invariants"}, {"livens study invariants symmetric-field --out invariants"}},
      {{"reproduce"}, {"livens reproduce galerkin/table-1"}},
      {{"audit"}, {"livens audit swing", "livens audit swing --json"}},
      {{"report"}, {"livens report swing"}},
      {{"export"}, {"livens export swing --csv > swing.csv", "livens export swing --vtk --every 10"}},
      {{"import"},
       {"livens import robot.urdf > robot.toml", "livens import robot.urdf --pose elbow=0.5 | livens check -"}},
      {{"completion"}, {"source <(livens completion bash)"}},
      {{"help"}, {"livens help study order", "livens help --man run | man -l -"}},
  };
  for (const Example& example : examples) {
    CLI::App* command = &app;
    for (const std::string& name : example.command) command = command->get_subcommand(name);
    command->footer(fmt::format("Examples:\n  {}", fmt::join(example.lines, "\n  ")));
  }
}

void CommandLine::write_manual(const CLI::App& command, const std::vector<std::string>& path) const {
  write_file_atomically(std::filesystem::path(*help_out_) / fmt::format("{}.1", fmt::join(path, "-")),
                        manual_page(command, path));
  for (const CLI::App* each : command.get_subcommands([](const CLI::App*) { return true; })) {
    std::vector<std::string> below = path;
    below.push_back(each->get_name());
    write_manual(*each, below);
  }
}

int CommandLine::complete() const {
  fmt::print("{}", completion_script(app, completion_shell_));
  return 0;
}

int CommandLine::help() const {
  const CLI::App* command = &app;
  std::vector<std::string> path = {app.get_name()};
  for (const std::string& name : help_) {
    const std::vector<std::string> names = names_of_commands(*command);
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw InputError("help: there is no command \"" + name + "\"" + followed(formula::suggestion(name, names)) +
                       " livens --help lists the commands");
    command = command->get_subcommand(name);
    path.push_back(name);
  }
  if (help_out_) {
    if (!help_.empty()) throw InputError("help: --out writes the pages of all commands; leave out " + help_.front());
    std::filesystem::create_directories(*help_out_);
    write_manual(app, path);
  } else if (help_man_) {
    fmt::print("{}", manual_page(*command, path));
  } else {
    // Not App::help, which tells of the command that was parsed: this one.
    fmt::print("{}", app.get_formatter()->make_help(command, fmt::format("{}", fmt::join(path, " ")),
                                                    CLI::AppFormatMode::Normal));
  }
  return 0;
}

}  // namespace livens::cli
