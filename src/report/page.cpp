// report.html: what the run kept, in words and pictures, and all that is needed to repeat it.
#include <fmt/format.h>

#include <cctype>
#include <cmath>
#include <string_view>

#include "livens/audit/words.hpp"
#include "livens/report/report.hpp"
#include "livens/store/atomic_file.hpp"
#include "livens/store/shell_word.hpp"
#include "report/assets.hpp"
#include "report/encode.hpp"
#include "report/figures.hpp"
#include "report/page_data.hpp"
#include "report/recorded_run.hpp"
#include "report/sheet.hpp"
#include "report/svg.hpp"

namespace livens::report {

namespace {

using svg::escaped;

class Page {
 public:
  explicit Page(const RecordedRun& run) : run_(run), s_(run.summary), audit_(report::audit(run)) {}

  std::string text() && {
    print("<div id=\"told\">\n");
    print_head();
    print("</div>\n<section id=\"stage\" class=\"stage\" aria-label=\"The motion\" hidden=\"\"></section>\n");
    print_audit();
    print("<div id=\"plots\" hidden=\"\"></div>\n<div id=\"still\">\n");
    print_figures("Errors", errors(run_, audit_));
    print_figures("Paths", projections(run_));
    print_figures("Over time", coordinates_over_time(run_));
    print("</div>\n");
    print_run();
    print_model();
    print("<footer>Written by Livens {}.</footer>\n", escaped(text_at("livens")));
    print("<script type=\"application/json\" id=\"data\">{}</script>\n",
          script_json(page_data(run_.model, run_.rows, s_)));
    return html_page(title(), text_, page_script());
  }

  // Verdict and audit alone.
  std::string told() && {
    print_head();
    print_audit();
    return std::move(text_);
  }

 private:
  std::string text_at(const std::string& key) const { return s_.at(key).get<std::string>(); }
  std::string title() const { return text_at("title").empty() ? "A run of Livens" : text_at("title"); }

  std::string steps() const {
    const auto count = s_.at("steps").get<long long>();
    return fmt::format("{} step{}", count, count == 1 ? "" : "s");
  }

  // "rattle", "constrained-euler (conjugate = false)"
  std::string method() const {
    std::string options;
    for (const auto& [key, value] : s_.at("method").items())
      if (key != "name") options += fmt::format("{}{} = {}", options.empty() ? "" : ", ", key, to_text(value));
    const std::string name = s_["method"].at("name").get<std::string>();
    return options.empty() ? name : fmt::format("{} ({})", name, options);
  }

  void print_head() {
    const std::string outcome = text_at("outcome"), message = text_at("message");
    std::string kept;
    for (const AuditLine& line : audit_)
      if (line.about == AuditLine::About::energy || line.about == AuditLine::About::energy_balance ||
          line.about == AuditLine::About::constraint)
        kept += fmt::format(" {}: {}.", capitalised(line.name), line.words);
    print("<header>\n<h1>{}</h1>\n", escaped(title()));
    print("<p class=\"verdict\" id=\"verdict\"><span class=\"outcome {}\">{}</span> after {} of {} with {}.{}</p>\n",
          escaped(outcome), escaped(capitalised(outcome)), steps(), s_.at("step").get<double>(),
          escaped(s_.at("method").at("name").get<std::string>()), escaped(kept));
    print_accuracy();
    if (!message.empty())
      print("<p class=\"message{}\">{}</p>\n", outcome == "finished" ? "" : " failed-message", escaped(message));
    print("</header>\n");
  }

  // How right the motion is, where somebody asked.
  void print_accuracy() {
    if (!s_.contains("accuracy")) return;
    const Json& accuracy = s_.at("accuracy");
    if (accuracy.contains("words")) {
      print("<p class=\"accuracy\">{}</p>\n", escaped(capitalised(accuracy.at("words").get<std::string>())));
      return;
    }
    if (!accuracy.contains("q") || accuracy.at("q").at("max").is_null()) return;
    std::string words = fmt::format("Estimated error of q: {}, relative to its size",
                                    in_two_digits(accuracy.at("q").at("max").get<double>()));
    if (accuracy.contains("horizon") && !accuracy.at("horizon").is_null())
      words += fmt::format("; beyond t = {:.4g} the motion cannot be known", accuracy.at("horizon").get<double>());
    print("<p class=\"accuracy\">{}.</p>\n", escaped(words));
  }

  void print_audit() {
    if (audit_.empty()) return;
    print("<h2>What was conserved</h2>\n<div class=\"card\">\n<table>\n<thead><tr><th>Quantity</th><th>In words</th>");
    print("<th class=\"number\">Initial</th><th class=\"number\">Largest error, all steps</th>");
    print("<th class=\"number\">Relative</th>");
    print("<th class=\"number\">Recorded rows</th></tr></thead>\n<tbody>\n");
    for (const AuditLine& line : audit_) {
      print("<tr><td>{}</td><td>{}</td>", escaped(line.label()), escaped(line.words));
      print("<td class=\"number\" title=\"Initial\">{}</td>",
            line.initial ? fmt::format("{:.6g}", *line.initial) : std::string("\u2013"));
      print("<td class=\"number\" title=\"Largest error, all steps\">{}</td>", if_known(line.all_steps.largest));
      print("<td class=\"number\" title=\"Relative to the size of the terms\">{}</td>",
            line.relative() ? in_two_digits(*line.relative()) : std::string("\u2013"));
      print("<td class=\"number\" title=\"Recorded rows\">{}</td></tr>\n", if_known(line.rows.largest));
    }
    print("</tbody>\n</table>\n</div>\n");
  }

  static std::string if_known(double x) { return std::isfinite(x) ? in_two_digits(x) : "\u2013"; }

  void print_figures(std::string_view heading, const std::vector<Figure>& figures) {
    if (figures.empty()) return;
    print("<h2>{}</h2>\n<div class=\"figures\">\n", heading);
    for (const Figure& figure : figures) {
      print("<figure>\n<figcaption><b>{}</b>", escaped(figure.title));
      if (figure.plot.curves.size() > 1)
        for (const svg::Curve& curve : figure.plot.curves)
          if (!curve.name.empty()) print("<span class=\"key c{}\">{}</span>", curve.colour, escaped(curve.name));
      if (const std::string note = with_note(figure.note, svg::left_out(figure.plot)); !note.empty())
        print("<span class=\"note\">{}</span>", escaped(note));
      print("</figcaption>\n{}</figure>\n", svg::drawing(figure.plot));
    }
    print("</div>\n");
  }

  void print_fact(std::string_view name, const std::string& fact) {
    print("<dt>{}</dt><dd>{}</dd>\n", name, escaped(fact));
  }

  void print_run() {
    const Json &build = s_.at("build"), &cost = s_.at("cost");
    std::vector<double> first;
    run_.rows.read("t", 0, 1, first);
    print("<h2>The run</h2>\n<dl class=\"card\">\n");
    print_fact("Method", method());
    print_fact("Step", fmt::format("{}, {} from t = {} to t = {}", s_.at("step").get<double>(), steps(), first.front(),
                                   s_.at("final").at("t").get<double>()));
    print_fact("Precision", text_at("precision"));
    print_fact("Recorded", fmt::format("{} row{}{}", run_.rows.rows(), run_.rows.rows() == 1 ? "" : "s",
                                       run_.file ? " in trajectory.h5" : ""));
    print_fact("Cost",
               fmt::format("{:.2g} s, {} Newton iterations, {} factorisations", cost.at("seconds").get<double>(),
                           cost.at("newton_iterations").get<long long>(), cost.at("jacobians").get<long long>()));
    print_fact("Program",
               fmt::format("Livens {}, commit {}", text_at("livens"), build.at("commit").get<std::string>()));
    print_fact("Built with",
               fmt::format("{} {}", build.at("compiler").get<std::string>(), build.at("flags").get<std::string>()));
    print_fact("Model, SHA-256", text_at("model_sha256"));
    print("</dl>\n");
  }

  void print_model() {
    print(
        "<h2>To repeat it</h2>\n<p>Save the model below as model.toml; the same program on the same machine gives "
        "the ");
    print("same bits.</p>\n<div class=\"card\"><pre>{}</pre></div>\n", escaped(command()));
    constexpr std::size_t readable = 50'000;  // characters of tables
    const std::string_view written = run_.model.written_text();
    const bool whole = run_.model.text.size() - written.size() < readable;
    print("<h2>The model</h2>\n<div class=\"card\"><pre>{}</pre></div>\n",
          escaped(whole ? run_.model.text
                        : std::string(written) +
                              "\n# The tables are in trajectory.h5: /model, with the rest of this file."));
  }

  std::string command() const {
    std::string words = "livens run model.toml";
    for (const auto& [key, value] : s_.at("set").items())
      words += " --set " + shell_word(key + "=" + value.get<std::string>());
    // A run that was lengthened later has done more steps than its model says.
    const auto steps = s_.at("steps").get<long long>();
    if (text_at("outcome") == "finished" && steps != run_.model.run.steps)
      words += fmt::format(" --set run.steps={}", steps);
    return words;
  }

  static std::string capitalised(std::string word) {
    if (!word.empty()) word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
    return word;
  }

  template <class... Arguments>
  void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
  }

  const RecordedRun& run_;
  const Json& s_;
  std::vector<AuditLine> audit_;
  std::string text_;
};

}  // namespace

}  // namespace livens::report

namespace livens {

std::string report_page(const std::filesystem::path& directory) {
  return report::readable(directory, [](const report::RecordedRun& run) { return report::Page(run).text(); });
}

std::string report_page(const Model& model, const RowTable& rows, const std::string& summary) {
  return report::Page(report::RecordedRun(model, rows, Json::parse(summary))).text();
}

std::string ended_data(const std::filesystem::path& directory) {
  return report::readable(directory, [](const report::RecordedRun& run) {
    Json data = report::page_data(run.model, run.rows, run.summary);
    data["state"] = "ended";
    data["ended"] = true;
    data["words"] = run.summary.at("outcome");
    data["html"] = report::Page(run).told();
    return report::script_json(data);
  });
}

void write_report(const std::filesystem::path& directory) {
  write_file_atomically(directory / "report.html", report_page(directory));
}

}  // namespace livens
