// The table of commands and options, and what is made from it: the arguments of a command, its help and
// manual page, completion, suggestions for what is misspelt.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/commands.hpp"

namespace livens::cli {

class CommandLine {
 public:
  CommandLine();
  CommandLine(const CommandLine&) = delete;

  // Does what the parsed command asks for; returns the exit status.
  int act() const;
  // In words for people, with the nearest known name; ends with what separates it from a hint.
  std::string what_is_wrong(const CLI::ParseError& error) const;

  CLI::App app;

 private:
  static std::vector<std::string> names_of_commands(const CLI::App& command);
  static std::vector<std::string> names_of_options(const CLI::App& command);
  void add_examples();
  int help() const;
  void write_manual(const CLI::App& command, const std::vector<std::string>& path) const;
  int complete() const;

  std::vector<std::pair<const CLI::App*, std::function<int()>>> actions_;

  RunArguments run_;
  WatchArguments watched_;
  AdviseArguments advised_;
  ResumeArguments resumed_;
  CheckArguments check_;
  OrderArguments order_;
  EfficiencyArguments efficiency_;
  StudyArguments symplecticity_, reversibility_;
  InvariantsArguments invariants_;
  ReproduceArguments reproduced_;
  ExportArguments exported_;
  ImportArguments imported_;
  std::string list_what_, show_name_, audit_directory_, report_directory_;
  bool list_json_ = false, audit_json_ = false;
  std::vector<std::string> help_;
  bool help_man_ = false;
  std::optional<std::string> help_out_;
  std::string completion_shell_;
};

}  // namespace livens::cli
