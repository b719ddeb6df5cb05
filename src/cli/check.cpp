// livens check
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/given_model.hpp"
#include "cli/overrides.hpp"
#include "cli/say.hpp"
#include "livens/methods/methods.hpp"
#include "livens/model/check_model.hpp"
#include "livens/simulation/simulate.hpp"

namespace livens::cli {

int check_model(const CheckArguments& arguments) {
  const Model model = load_given_model(arguments.model, overrides(arguments.set));
  const CheckReport report = livens::check_model(model);
  // Before the first word is printed: standard output stays empty where the input is wrong.
  std::string method = "none given: the model can be checked, not run";
  if (!model.method.name.empty()) {
    const MethodEntry& entry = choose_method(model);
    check_run(model, entry, read_options(model, entry));
    method = model.method.name + " fits";
  }
  for (const CheckReport::Line& line : report.lines)
    fmt::print("{:<26} {}{}\n", line.what, line.ok ? "" : "WRONG: ", printable(line.finding));
  fmt::print("{:<26} {}\n", "method", method);
  return report.ok ? 0 : 1;
}

}  // namespace livens::cli
