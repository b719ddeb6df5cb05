// livens check
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/overrides.hpp"
#include "livens/model/check_model.hpp"
#include "livens/registry/registry.hpp"

namespace livens::cli {

int check_model(const CheckArguments& arguments) {
  const Model model = load_model(arguments.model, overrides(arguments.set));
  const CheckReport report = livens::check_model(model);
  for (const CheckReport::Line& line : report.lines)
    fmt::print("{:<24} {}{}\n", line.what, line.ok ? "" : "WRONG: ", line.finding);
  if (model.method.name.empty()) {
    fmt::print("{:<24} none given: the model can be checked, not run\n", "method");
  } else {
    const MethodEntry& method = choose_method(model);
    const Options options = read_options(model, method);
    fmt::print("{:<24} {} fits\n", "method", method.name);
  }
  return report.ok ? 0 : 1;
}

}  // namespace livens::cli
