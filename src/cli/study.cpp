// livens study
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>

#include "cli/commands.hpp"
#include "cli/given_model.hpp"
#include "cli/overrides.hpp"
#include "cli/say.hpp"
#include "cli/signals.hpp"
#include "cli/study_directory.hpp"
#include "livens/methods/methods.hpp"
#include "livens/simulation/failure.hpp"
#include "livens/store/json.hpp"
#include "livens/study/studies.hpp"
#include "livens/study/study_json.hpp"
#include "report/sheet.hpp"

namespace livens::cli {

namespace {

using Maybe = PerQuantity<std::optional<double>>;

std::string title(const Model& model) {
  return fmt::format("{}, {}", printable(model.title), model.method.name);
}

void print_table(const Model& model, const OrderStudy& study) {
  const auto figure = [](const std::optional<double>& x, std::string_view format) {
    return x ? fmt::format(fmt::runtime(format), *x) : std::string("-");
  };
  const auto cell = [&](const std::optional<double>& error, const std::optional<double>& order) {
    fmt::print("  {:>9} {:>6}", figure(error, "{:.2e}"), figure(order, "{:.2f}"));
  };
  fmt::print("{}; reference: {}\n\n{:>12}", title(model), printable(study.reference_description), "step");
  fmt::print("  {:>9} {:>6}  {:>9} {:>6}", "q error", "order", "p error", "order");
  if (study.constrained) fmt::print("  {:>9} {:>6}", "lambda", "order");
  fmt::print("\n");
  for (const OrderRow& row : study.rows) {
    fmt::print("{:>12.6g}", row.step);
    cell(row.error.q, row.order.q), cell(row.error.p, row.order.p);
    if (study.constrained) cell(row.error.lambda, row.order.lambda);
    fmt::print("\n");
  }
}

void print_table(const MethodModels& compared, const EfficiencyStudy& study) {
  const Model& model = compared.models.front();
  const std::vector<MethodChoice>& methods = compared.methods;
  const std::vector<Misfit>& misfits = compared.misfits;
  const auto figure = [](const std::optional<double>& x) { return x ? fmt::format("{:.2e}", *x) : std::string("-"); };
  std::size_t width = 6;
  for (const MethodChoice& method : methods) width = std::max(width, method.text.size());
  for (const Misfit& misfit : misfits) width = std::max(width, misfit.method.text.size());
  fmt::print("{}; reference: {}\n\n", printable(model.title), printable(study.reference_description));
  fmt::print("{:<{}}  {:>10}  {:>9}  {:>9}", "method", width, "step", "q error", "p error");
  if (study.constrained) fmt::print("  {:>9}", "lambda");
  fmt::print("  {:>9}  {:>11}\n", "seconds", "evaluations");
  for (const EfficiencyRow& row : study.rows) {
    fmt::print("{:<{}}  {:>10.6g}  {:>9}  {:>9}", printable(methods[row.method].text), width, row.step,
               figure(row.error.q), figure(row.error.p));
    if (study.constrained) fmt::print("  {:>9}", figure(row.error.lambda));
    fmt::print("  {:>9}  {:>11}\n", figure(row.seconds), row.seconds ? std::to_string(row.cost.evaluations) : "-");
  }
  for (const Misfit& misfit : misfits)
    fmt::print("{:<{}}  does not fit: {}\n", printable(misfit.method.text), width, misfit.reason);
}

// Error of q against seconds and against evaluations.
std::string efficiency_page(const Model& model, const std::vector<MethodChoice>& methods,
                            const EfficiencyStudy& study) {
  const auto plot_against = [&](const std::string& words, const auto& effort) {
    svg::Plot plot{.description = "error of q against " + words,
                   .x_label = words,
                   .y_label = "error of q",
                   .logarithmic = true,
                   .x_logarithmic = true};
    for (std::size_t i = 0; i < methods.size(); ++i)
      plot.curves.push_back({.name = methods[i].text, .colour = static_cast<int>(i) % svg::colours});
    for (const EfficiencyRow& row : study.rows)
      if (row.seconds) plot.curves[row.method].points.push_back({effort(row), *row.error.q});
    return plot;
  };
  const std::string heading = model.title + ": error against effort";
  return sheet(heading,
               fmt::format("<h1>{}</h1>\n<p>Errors of q are maxima over nodes and components; reference: {}.</p>\n",
                           svg::escaped(heading), svg::escaped(study.reference_description)) +
                   picture("CPU time", "", plot_against("CPU seconds", [](const auto& row) { return *row.seconds; })) +
                   picture("Evaluations", "of the equations of a step",
                           plot_against("evaluations", [](const EfficiencyRow& row) {
                             return static_cast<double>(row.cost.evaluations);
                           })));
}

// Errors against the step, with their slopes.
std::string order_page(const Model& model, const OrderStudy& study) {
  svg::Plot plot{.description = "errors against the step size",
                 .x_label = "step size",
                 .y_label = "error",
                 .logarithmic = true,
                 .x_logarithmic = true};
  const auto add = [&](const char* name, std::optional<double> PerQuantity<std::optional<double>>::*quantity) {
    svg::Curve curve{.name = name, .colour = static_cast<int>(plot.curves.size())};
    for (const OrderRow& row : study.rows)
      if (row.error.*quantity) curve.points.push_back({row.step, *(row.error.*quantity)});
    plot.curves.push_back(curve);
  };
  add("q", &Maybe::q), add("p", &Maybe::p);
  if (study.constrained) add("lambda", &Maybe::lambda);
  const std::string heading = title(model) + ": order";
  std::string words;
  for (const std::string& failure : study.failures)
    words += fmt::format("<p><span class=\"wrong\">A run failed.</span> {}</p>\n", svg::escaped(failure));
  return sheet(heading,
               fmt::format("<h1>{}</h1>\n<p>Errors are maxima over nodes and components; reference: {}.</p>\n{}",
                           svg::escaped(heading), svg::escaped(study.reference_description), words) +
                   picture("Errors", "", plot));
}

int complain(const std::string& message) {
  say_wrong(message);
  return 1;
}

}  // namespace

int study_order(const OrderArguments& arguments) {
  const Model model = load_given_model(arguments.model, overrides(arguments.set));
  const std::vector<formula::Number> steps = read_step_sizes(arguments.step_sizes);
  StudyDirectory directory(arguments.out);
  const bool terminal = isatty(STDERR_FILENO);
  listen_to_signals();
  const auto watch = [&](const OrderRow& row) {
    if (terminal) say("step size {} done\n", row.step);
  };
  const OrderStudy study = livens::study_order(model, steps, arguments.reference, watch, &stop_asked);

  const std::string text = to_text(order_json(model, study)) + "\n";
  directory.write({{"order.json", text}, {"order.html", order_page(model, study)}});
  if (arguments.json)
    fmt::print("{}", text);
  else
    print_table(model, study);
  int status = 0;
  for (const std::string& failure : study.failures) status = complain(failure);
  return status;
}

int study_efficiency(const EfficiencyArguments& arguments) {
  const std::vector<MethodChoice> asked = read_methods(arguments.methods);
  const MethodModels compared = with_methods(load_given_model(arguments.model, overrides(arguments.set)), asked);
  const std::vector<Model>& models = compared.models;
  const std::vector<formula::Number> steps =
      arguments.step_sizes.empty() ? default_step_sizes(models.front()) : read_step_sizes(arguments.step_sizes);
  StudyDirectory directory(arguments.out);
  const bool terminal = isatty(STDERR_FILENO);
  listen_to_signals();
  const auto watch = [&](const EfficiencyRow& row) {
    if (terminal) say("{}, step size {} done\n", compared.methods[row.method].text, row.step);
  };
  const EfficiencyStudy study = livens::study_efficiency(models, steps, arguments.reference, watch, &stop_asked);

  const std::string text = to_text(efficiency_json(compared, study)) + "\n";
  directory.write(
      {{"efficiency.json", text}, {"efficiency.html", efficiency_page(models.front(), compared.methods, study)}});
  if (arguments.json)
    fmt::print("{}", text);
  else
    print_table(compared, study);
  int status = 0;
  for (const std::string& failure : study.failures) status = complain(failure);
  return status;
}

int study_symplecticity(const StudyArguments& arguments) {
  const Model model = load_given_model(arguments.model, overrides(arguments.set));
  listen_to_signals();
  const Symplecticity study = livens::study_symplecticity(model, &stop_asked);
  if (arguments.json) {
    fmt::print("{}\n", to_text(symplecticity_json(study)));
  } else if (!study.failure) {
    fmt::print("{}, one step of {}\n\n", title(model), to_double(model.run.step));
    fmt::print("  {:<8} {:>9.2e}   largest change of dq ^ dp\n", "defect", study.defect);
    fmt::print("  {:<8} {:>9.2e}   largest sum of |terms| of dq ^ dp: round-off is relative to it\n", "scale",
               study.scale);
    if (model.system->kind() == SystemKind::lagrangian && model.system->structure().forces)
      fmt::print("\nthe model has forces: its own flow need not keep dq ^ dp\n");
    const MethodEntry& method = choose_method(model);
    if (method.traits(read_options(model, method)).keeps_projection_form)
      fmt::print("\nthis projection keeps a form of q and its multiplier: livens study invariants measures it\n");
  }
  return study.failure ? complain(describe_failure(model, *study.failure, study.attempt, 1)) : 0;
}

int study_reversibility(const StudyArguments& arguments) {
  const Model model = load_given_model(arguments.model, overrides(arguments.set));
  listen_to_signals();
  const Reversibility study = livens::study_reversibility(model, &stop_asked);
  if (arguments.json) {
    fmt::print("{}\n", to_text(reversibility_json(study)));
  } else if (!study.failure) {
    fmt::print("{}, {} step{} of {} and back\n\n", title(model), model.run.steps, model.run.steps == 1 ? "" : "s",
               to_double(model.run.step));
    fmt::print("  {:<4} {:>9.2e}   largest distance to the start\n  {:<4} {:>9.2e}\n", "q", study.q, "p", study.p);
  }
  return study.failure ? complain(describe_failure(model, *study.failure, study.attempt, study.steps + 1)) : 0;
}

}  // namespace livens::cli
