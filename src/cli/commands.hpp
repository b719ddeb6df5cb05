// The commands of the program, one function each; all return the exit status.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace livens::cli {

struct RunArguments {
  std::string model;
  std::optional<std::string> out;
  std::vector<std::string> set;
  std::optional<std::string> step, end, steps, method, accuracy;
  bool estimate = false, json = false, quiet = false, force = false, report = false, open = false;
};

struct WatchArguments : RunArguments {
  bool no_open = false;
};

struct AdviseArguments {
  std::string model;
  std::vector<std::string> set;
  std::optional<std::string> out;
  bool json = false;
};

struct ResumeArguments {
  std::string directory;
  std::optional<std::string> end, steps;
  bool json = false, quiet = false;
};

struct CheckArguments {
  std::string model;
  std::vector<std::string> set;
  bool json = false;
};

struct StudyArguments {
  std::string model;
  std::vector<std::string> set;
  bool json = false;
};

struct OrderArguments : StudyArguments {
  std::string step_sizes, reference = "fine";
  std::optional<std::string> out;
};

struct EfficiencyArguments : OrderArguments {
  std::string methods;
};

struct InvariantsArguments : StudyArguments {
  std::optional<std::string> out;
};

struct ReproduceArguments {
  std::optional<std::string> id, out;
  bool json = false, full = false;
};

struct ExportArguments {
  std::string directory;
  std::optional<std::string> out;
  long long every = 1;
  bool csv = false, vtk = false;
};

struct ImportArguments {
  std::string file;
  std::vector<std::string> pose;
  bool free = false;
};

int run_model(const RunArguments& arguments);
int watch_model(const WatchArguments& arguments);
int advise(const AdviseArguments& arguments);
int resume(const ResumeArguments& arguments);
int list(const std::string& what, bool json);
int show(const std::string& name);
int study_order(const OrderArguments& arguments);
int study_efficiency(const EfficiencyArguments& arguments);
int study_symplecticity(const StudyArguments& arguments);
int study_reversibility(const StudyArguments& arguments);
int study_invariants(const InvariantsArguments& arguments);
int reproduce(const ReproduceArguments& arguments);
int check_model(const CheckArguments& arguments);
int audit(const std::string& directory, bool json);
int export_run(const ExportArguments& arguments);
int import_robot(const ImportArguments& arguments);
int report(const std::string& directory);
std::string version();

}  // namespace livens::cli
