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
  bool json = false, quiet = false, force = false;
};

struct CheckArguments {
  std::string model;
  std::vector<std::string> set;
};

int run_model(const RunArguments& arguments);
int list(const std::string& what, bool json);
int show(const std::string& name);
int check_model(const CheckArguments& arguments);
std::string version();

}  // namespace livens::cli
