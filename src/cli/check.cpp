// livens check
#include <fmt/format.h>

#include "cli/commands.hpp"
#include "cli/given_model.hpp"
#include "cli/overrides.hpp"
#include "cli/say.hpp"
#include "livens/methods/methods.hpp"
#include "livens/model/check_model.hpp"
#include "livens/simulation/simulate.hpp"
#include "livens/store/json.hpp"

namespace livens::cli {

int check_model(const CheckArguments& arguments) {
  const Model model = load_given_model(arguments.model, overrides(arguments.set));
  const CheckReport report = livens::check_model(model);
  // Before the first word is printed: standard output stays empty where the input is wrong.
  const bool runnable = !model.method.name.empty();
  std::string method = "none given: the model can be checked, not run";
  if (runnable) {
    const MethodEntry& entry = choose_method(model);
    check_run(model, entry, read_options(model, entry));
    method = model.method.name + " fits";
  }
  if (arguments.json) {
    Json lines = Json::array();
    for (const CheckReport::Line& line : report.lines)
      lines.push_back({{"what", line.what}, {"finding", line.finding}, {"ok", line.ok}});
    fmt::print("{}\n", to_text(Json{{"model", model.source},
                                    {"title", model.title},
                                    {"kind", model.system->written_kind()},
                                    {"checks", lines},
                                    {"method", runnable ? Json(model.method.name) : Json(nullptr)},
                                    {"ok", report.ok}}));
    return report.ok ? 0 : 1;
  }
  for (const CheckReport::Line& line : report.lines)
    fmt::print("{:<26} {}{}\n", line.what, line.ok ? "" : coloured("WRONG:", Colour::red, stdout) + " ",
               printable(line.finding));
  fmt::print("{:<26} {}\n", "method", method);
  return report.ok ? 0 : 1;
}

}  // namespace livens::cli
