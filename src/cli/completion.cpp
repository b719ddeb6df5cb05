// The words that may stand next on a command line: first what stands before the cursor is followed through the table,
// to the command; then its options, its commands, or what its argument or the value of the option before it is called
// by.
#include <fmt/format.h>

#include "cli/manual.hpp"
#include "livens/methods/methods.hpp"
#include "livens/model/problems.hpp"
#include "livens/reproduce/reproduce.hpp"

namespace livens::cli {

namespace {

// Both shells know these words of one table; `give` offers words, `give_files` files that end so and `give_directories`
// directories. Bash gives the word as it was typed, with quotes; names of files may have blanks.
constexpr std::string_view bash_frame = R"(# bash completion of livens: source it, or install it as completions/livens
_livens() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD-1]}} command= i
  current=${{current//\\/}} current=${{current#[\"\']}}
  offer() {{ mapfile -t -O ${{#COMPREPLY[@]}} COMPREPLY < <(compgen "$@" -- "$current"); }}
  give() {{ offer -W "$*"; }}
  give_files() {{ compopt -o filenames 2> /dev/null; offer -f -X "!*.$1"; offer -d; }}
  give_directories() {{ compopt -o filenames 2> /dev/null; offer -d; }}
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case "$command ${{COMP_WORDS[i]}}" in
{commands}    esac
  done
{rest}}}
complete -F _livens livens
)";

constexpr std::string_view zsh_frame = R"(#compdef livens
_livens() {{
  local current=${{words[CURRENT]}} previous=${{words[CURRENT-1]}} command= i
  give() {{ compadd -- ${{=*}} }}
  give_files() {{ _files -g "*.$1" }}
  give_directories() {{ _files -/ }}
  for ((i = 2; i < CURRENT; ++i)); do
    case "$command ${{words[i]}}" in
{commands}    esac
  done
{rest}}}
_livens "$@"
)";

std::string ready_names() {
  std::string names;
  for (const ReadyProblem& problem : ready_problems()) names += (names.empty() ? "" : " ") + std::string(problem.name);
  return names;
}

std::string method_names() {
  std::string names;
  for (const MethodEntry& method : methods()) names += (names.empty() ? "" : " ") + std::string(method.name);
  return names;
}

std::string reproduction_names() {
  std::string names = "all";
  for (const ReproductionEntry& entry : reproductions()) names += " " + std::string(entry.id);
  return names;
}

std::string command_names(const CLI::App& command) {
  std::string names;
  for (const CLI::App* each : command.get_subcommands([](const CLI::App*) { return true; }))
    names += " " + each->get_name();
  return names;
}

// What offers the values of an option or an argument, by its name; nothing is known of numbers and keys.
std::string offer(const std::string& name, const CLI::App& app) {
  if (name == "MODEL") return "give " + ready_names() + "; give_files toml";
  if (name == "NAME") return "give " + ready_names();
  if (name == "DIR" || name == "--out") return "give_directories";
  if (name == "WHAT") return "give problems methods studies functions keys";
  if (name == "FILE") return "give_files urdf";
  if (name == "ID") return "give " + reproduction_names();
  if (name == "--reference") return "give fine exact; give_directories";
  if (name == "SHELL") return "give bash zsh";
  if (name == "--method" || name == "--methods") return "give " + method_names();
  return name == "COMMAND" ? "give" + command_names(app) : "";
}

struct CompletionTable {
  std::string commands, choices;

  // Commands as arguments: help study order.
  void add_names(const CLI::App& command, const std::string& path) {
    for (const CLI::App* each : command.get_subcommands([](const CLI::App*) { return true; })) {
      const std::string below = path + " " + each->get_name(), names = command_names(*each);
      commands += fmt::format("      \"{}\") command=\"{}\" ;;\n", below, below);
      if (!names.empty()) choices += fmt::format("    \"{}\") give{} ;;\n", below, names);
      add_names(*each, below);
    }
  }

  void add(const CLI::App& app, const CLI::App& command, const std::string& path) {
    std::string options, values, arguments;
    for (const CLI::Option* option : command.get_options()) {
      if (option->get_positional()) {
        arguments += offer(option->get_name(true), app);
        if (option->get_name(true) == "COMMAND") add_names(app, path);
        continue;
      }
      for (const std::string& name : option->get_lnames()) {
        options += " --" + name;
        if (option->get_items_expected_max() == 0) continue;
        const std::string offered = offer("--" + name, app);
        values += fmt::format("        --{}) {}return ;;\n", name, offered.empty() ? "" : offered + "; ");
      }
    }
    for (const CLI::App* each : command.get_subcommands([](const CLI::App*) { return true; })) {
      const std::string name = each->get_name(), below = path.empty() ? name : path + " " + name;
      commands += fmt::format("      \"{} {}\") command=\"{}\" ;;\n", path, name, below);
      add(app, *each, below);
    }
    choices += fmt::format("    \"{}\")\n", path);
    if (!values.empty()) choices += "      case \"$previous\" in\n" + values + "      esac\n";
    choices += fmt::format("      if [[ $current == -* ]]; then give{}; return; fi\n", options);
    if (const std::string names = command_names(command); !names.empty())
      choices += fmt::format("      give{}\n", names);
    if (!arguments.empty()) choices += "      " + arguments + "\n";
    choices += "      ;;\n";
  }
};

}  // namespace

std::string completion_script(const CLI::App& app, const std::string& shell) {
  CompletionTable table;
  table.add(app, app, "");
  return fmt::format(fmt::runtime(shell == "bash" ? bash_frame : zsh_frame), fmt::arg("commands", table.commands),
                     fmt::arg("rest", "  case \"$command\" in\n" + table.choices + "  esac\n"));
}

}  // namespace livens::cli
