// The program: reads the command line, calls the library, speaks to people on standard error and to programs on
// standard output.  Exit status: 0 done, 1 stopped early, 2 wrong input, 3 results could not be written.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <string>
#include <system_error>

#include "cli/commands.hpp"
#include "livens/model/model.hpp"
#include "livens/store/error.hpp"

namespace {

int complain(int status, const std::string& message) {
  std::fprintf(stderr, "livens: %s\n", message.c_str());
  return status;
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

  CLI::App app{"Livens simulates constrained mechanical systems without losing what physics conserves."};
  app.name("livens");
  app.set_version_flag("--version", version());
  app.require_subcommand(1);

  RunArguments run;
  CLI::App* run_command = app.add_subcommand("run", "run a model and audit what it conserved");
  run_command->add_option("MODEL", run.model, "a model file (contains / or ends in .toml) or a ready problem")
      ->required();
  run_command->add_option("--out", run.out, "directory of the results (default: runs/<name>-<n>)");
  run_command->add_option("--set", run.set, "KEY=VALUE: override a key of the model, such as run.step=0.01")
      ->take_all()
      ->allow_extra_args(false);
  run_command->add_flag("--json", run.json, "print the summary on standard output, and nothing else there");
  run_command->add_flag("--quiet", run.quiet, "no words on standard error but errors");
  run_command->add_flag("--force", run.force, "replace a run that is in the directory");

  std::string list_what;
  bool list_json = false;
  CLI::App* list_command = app.add_subcommand("list", "what there is: problems or methods");
  list_command->add_option("WHAT", list_what, "problems or methods")->required();
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

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return printed(app.exit(e));
    return complain(2, what_is_wrong(app, e) + "; livens --help lists the commands, livens COMMAND --help its options");
  }

  try {
    if (*run_command) return printed(run_model(run));
    if (*list_command) return printed(list(list_what, list_json));
    if (*show_command) return printed(show(show_name));
    if (*check_command) return printed(check_model(check));
  } catch (const InputError& e) {
    return complain(2, e.what());
  } catch (const StoreError& e) {
    return complain(3, e.what());
  } catch (const std::system_error& e) {
    return complain(3, e.what());
  } catch (const std::bad_alloc&) {
    return complain(3, "out of memory");
  }
  return 2;
}
