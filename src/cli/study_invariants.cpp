// livens study invariants
#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <functional>
#include <string_view>

#include "cli/commands.hpp"
#include "cli/given_model.hpp"
#include "cli/overrides.hpp"
#include "cli/say.hpp"
#include "cli/signals.hpp"
#include "cli/study_directory.hpp"
#include "livens/methods/methods.hpp"
#include "livens/store/json.hpp"
#include "livens/study/studies.hpp"
#include "livens/study/study_json.hpp"
#include "report/sheet.hpp"

namespace livens::cli {

namespace {

// vprk (tableau gauss, stages 2, ...), 1000 steps of 10
std::string what_was_run(const Model& model) {
  const MethodEntry& method = choose_method(model);
  const Options options = read_options(model, method);
  std::string chosen;
  for (const auto& [key, value] : options.values())
    chosen += fmt::format("{}{} {}", chosen.empty() ? "" : ", ", key,
                          std::visit([](const auto& x) { return fmt::format("{}", x); }, value));
  return fmt::format("{}{}, {} step{} of {}", method.name, chosen.empty() ? "" : " (" + chosen + ")", model.run.steps,
                     model.run.steps == 1 ? "" : "s", to_double(model.run.step));
}

std::string title_of(const Model& model) {
  return model.title.empty() ? model.name : model.title;
}

const Model::Samples& samples_of(const Model& model, std::string_view invariant) {
  return invariant == "first" ? model.loop : model.surface;
}

std::string sampled(const Model::Samples& samples) {
  return samples.points.size() == 1 ? fmt::format("{} points of a loop", samples.points[0])
                                    : fmt::format("{} x {} points of a surface", samples.points[0], samples.points[1]);
}

// "Not resolved from t = 80 on with 96 points of a loop: take more points."; empty where all records are resolved.
std::string not_resolved(const Invariant& invariant, const Model::Samples& samples) {
  if (invariant.resolved() == invariant.t.size()) return "";
  return fmt::format("Not resolved from t = {:.6g} on with {}: take more points.", invariant.t[invariant.resolved()],
                     sampled(samples));
}

std::string largest_in_words(const InvariantCourse& course) {
  return course.resolved == 0 ? "not resolved" : fmt::format("{:.2e}", course.largest_change());
}

// The forms of an invariant and how well each was kept, as a sentence.
std::string invariant_in_words(const char* name, const Invariant& invariant) {
  if (invariant.resolved() == 0) return fmt::format("Of the {} invariant nothing can be said.", name);
  std::string forms;
  for_each_form(invariant, [&](const char* form, const InvariantCourse& course) {
    forms += fmt::format("{}{:.1e} in the {} form", forms.empty() ? "" : ", ", course.largest_change(), form);
  });
  return fmt::format("Up to t = {:.6g} the {} invariant changed by at most {}.", invariant.t[invariant.resolved() - 1],
                     name, forms);
}

void print_invariants(const Model& model, const InvariantsStudy& study) {
  fmt::print("{}\n{}\n\n{:<8} {:<14} {:>22} {:>24}\n", printable(title_of(model)), what_was_run(model), "", "form",
             "at the start", "largest relative change");
  for_each_invariant(study, [&](const char* name, const Invariant& invariant) {
    for_each_form(invariant, [&](const char* form, const InvariantCourse& course) {
      fmt::print("{:<8} {:<14} {:>22.15g} {:>24}\n", name, form, course.value.front(), largest_in_words(course));
    });
  });
  fmt::print("\n");
  for_each_invariant(study, [&](const char* name, const Invariant& invariant) {
    const std::string missing = not_resolved(invariant, samples_of(model, name));
    fmt::print("{}{}{}\n", invariant_in_words(name, invariant), missing.empty() ? "" : " ", missing);
  });
}

// |I - I(0)| / |I(0)| of all forms over time, as far as it is resolved, without the start, where it is 0.
svg::Plot change_over_time(const char* name, const Invariant& invariant) {
  svg::Plot plot{.description = fmt::format("relative change of the {} invariant over time", name),
                 .x_label = "t",
                 .y_label = "relative change",
                 .logarithmic = true,
                 .x_includes = {invariant.t.front(), invariant.t.back()}};
  for_each_form(invariant, [&](const char* form, const InvariantCourse& course) {
    const auto records = static_cast<std::int64_t>(course.resolved);
    svg::Thinned points(records, 400, svg::Thinned::Keep::highest);
    for (std::size_t k = 1; k < course.resolved; ++k) points.add(invariant.t[k], std::abs(course.change[k]));
    plot.curves.push_back({.name = form, .colour = static_cast<int>(plot.curves.size()), .points = points.points()});
  });
  return plot;
}

std::string invariants_page(const Model& model, const InvariantsStudy& study) {
  using svg::escaped;
  std::string rows, pictures, words;
  for_each_invariant(study, [&](const char* name, const Invariant& invariant) {
    const bool first = std::string_view(name) == "first";
    const Model::Samples& samples = samples_of(model, name);
    for_each_form(invariant, [&](const char* form, const InvariantCourse& course) {
      rows += fmt::format("<tr><td>{}</td><td>{}</td><td>{:.15g}</td><td>{}</td></tr>\n", name, form,
                          course.value.front(), largest_in_words(course));
    });
    pictures += picture(fmt::format("{} invariant", first ? "First" : "Second"), sampled(samples),
                        change_over_time(name, invariant));
    words += fmt::format("<p>{} <span class=\"wrong\">{}</span></p>\n", invariant_in_words(name, invariant),
                         not_resolved(invariant, samples));
  });
  for (const std::string& failure : study.failures)
    words += fmt::format("<p><span class=\"wrong\">Ended early.</span> {}</p>\n", escaped(failure));
  const std::string title = title_of(model) + ": Poincaré integral invariants";
  return sheet(
      title, fmt::format("<h1>{}</h1>\n<p>{}. The first invariant is the integral of the one-form along a closed loop "
                         "of start points, the second that of the two-form over a surface of them, both carried along "
                         "by the method. The flow itself keeps them.</p>\n{}{}<div "
                         "class=\"scroll\"><table>\n<thead><tr><th>Invariant</th>"
                         "<th>Form</th><th>At the start</th><th>Largest relative change</th></tr></thead>\n<tbody>\n"
                         "{}</tbody>\n</table></div>\n",
                         escaped(title), escaped(what_was_run(model)), words, pictures, rows));
}

}  // namespace

int study_invariants(const InvariantsArguments& arguments) {
  const Model model = load_given_model(arguments.model, overrides(arguments.set));
  StudyDirectory directory(arguments.out);
  const bool terminal = isatty(STDERR_FILENO);
  listen_to_signals();
  InvariantOptions options;
  options.stop = &stop_asked;
  if (terminal)
    options.watch = [&](std::string_view section, long long done) {
      say("{}: {} of {} steps\n", section, done, model.run.steps);
    };
  const InvariantsStudy study = livens::study_invariants(model, options);
  const std::string text = to_text(invariants_json(study)) + "\n";
  directory.write({{"invariants.json", text}, {"invariants.html", invariants_page(model, study)}});
  if (arguments.json)
    fmt::print("{}", text);
  else
    print_invariants(model, study);
  for (const std::string& failure : study.failures) say_wrong(failure);
  return study.failures.empty() ? 0 : 1;
}

}  // namespace livens::cli
