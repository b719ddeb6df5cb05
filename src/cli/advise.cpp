// livens advise
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>

#include "cli/commands.hpp"
#include "cli/given_model.hpp"
#include "cli/overrides.hpp"
#include "cli/say.hpp"
#include "cli/signals.hpp"
#include "cli/study_directory.hpp"
#include "livens/store/json.hpp"
#include "livens/study/step_search.hpp"
#include "livens/study/stopped.hpp"
#include "livens/study/study_json.hpp"
#include "report/sheet.hpp"

namespace livens::cli {

namespace {

// Error of q against work, and the table.
std::string advice_page(const Model& model, const Advice& advice) {
  svg::Plot plot{.description = "error of q against work",
                 .x_label = "evaluations",
                 .y_label = "error of q",
                 .logarithmic = true,
                 .x_logarithmic = true};
  std::string rows;
  for (std::size_t k = 0; k < advice.rows.size(); ++k) {
    const PilotRow& row = advice.rows[k];
    if (plot.curves.empty() || plot.curves.back().name != row.method)
      plot.curves.push_back({.name = row.method, .colour = static_cast<int>(plot.curves.size()) % svg::colours});
    plot.curves.back().points.push_back({static_cast<double>(row.cost.evaluations), *row.error});
    rows += fmt::format(
        "<tr><td>{}</td><td>{:.4g}</td><td class=\"value\">{:.1e}</td><td>{}</td>"
        "<td class=\"value\">{:.1e}</td><td>{}</td></tr>\n",
        svg::escaped(row.method), row.step, *row.error, row.cost.evaluations, row.seconds,
        k == advice.recommended ? "recommended" : "");
  }
  const std::string heading = model.title + ": which method, which step";
  return sheet(
      heading,
      fmt::format("<h1>{}</h1>\n<p>Errors of q are maxima over nodes and components, relative to the largest |q|, "
                  "estimated from runs with twice as many steps.</p>\n",
                  svg::escaped(heading)) +
          picture("Error against evaluations", "of the equations of a step", plot) +
          "<div "
          "class=\"scroll\"><table><tr><th>method</th><th>step</th><th>error</th><th>evaluations</th><th>seconds</"
          "th><th></th>"
          "</tr>\n" +
          rows + "</table></div>\n");
}

}  // namespace

int advise(const AdviseArguments& arguments) {
  const Model model = load_given_model(arguments.model, overrides(arguments.set));
  StudyDirectory directory(arguments.out);
  const bool terminal = isatty(STDERR_FILENO);
  listen_to_signals();
  const std::optional<Advice> advice = livens::advise(model, &stop_asked, [&](const PilotRow& row) {
    if (terminal) say("\r\x1b[K{}, {} steps", row.method, row.steps);
  });
  if (terminal) say("\r\x1b[K");
  if (!advice) throw Stopped();
  const std::string text = to_text(advice_json(*advice)) + "\n";
  directory.write({{"advice.json", text}, {"advice.html", advice_page(model, *advice)}});
  if (arguments.json) {
    fmt::print("{}", text);
    return 0;
  }
  std::size_t width = 6;
  for (const PilotRow& row : advice->rows) width = std::max(width, row.method.size());
  fmt::print("{:<{}}  {:>10}  {:>9}  {:>11}  {:>9}\n", "method", width, "step", "error", "evaluations", "seconds");
  for (const PilotRow& row : advice->rows)
    fmt::print("{:<{}}  {:>10.4g}  {:>9.1e}  {:>11}  {:>9.1e}\n", row.method, width, row.step, *row.error,
               row.cost.evaluations, row.seconds);
  const PilotRow& best = advice->rows[advice->recommended];
  if (*best.error <= advice->accuracy)
    fmt::print(
        "\nfor an error of {:.0e}: {} with step {:.4g}; livens run --accuracy {:.0e} finds the largest step for it\n",
        advice->accuracy, best.method, best.step, advice->accuracy);
  else
    fmt::print("\nnone reaches an error of {:.0e} in short runs; the best is {} with step {:.4g}\n", advice->accuracy,
               best.method, best.step);
  return 0;
}

}  // namespace livens::cli
