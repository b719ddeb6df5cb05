// report.html: what the run kept, in words and pictures, and all that is needed to repeat it.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "livens/audit/words.hpp"
#include "livens/report/report.hpp"
#include "report/figures.hpp"
#include "report/recorded_run.hpp"
#include "report/svg.hpp"

namespace livens::report {

namespace {

using svg::escaped;

constexpr std::string_view style = R"css(
:root { --paper: #fbfbf8; --card: #fff; --ink: #22262a; --soft: #62676b; --line: #e2e1da; --grid: #ecebe5;
  --good: #2f7d4f; --bad: #b3372b; --c0: #1f6f8b; --c1: #c8553d; --c2: #64882a; --c3: #7a4fa0; --c4: #a87a08;
  --c5: #3b5b92; --c6: #a1456f; --c7: #4d6b57; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #15181b; --card: #1d2125; --ink: #e6e6e1; --soft: #a2a8ad; --line: #343a40; --grid: #2a2f34;
    --good: #6cc492; --bad: #f08678; --c0: #5cbddc; --c1: #f08a6c; --c2: #a5cb5f; --c3: #c19be6; --c4: #e6bb52;
    --c5: #8fb0ea; --c6: #e78bb4; --c7: #96bfa4; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 3rem; max-width: 70rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
h1 { margin: 0 0 .4rem; font-size: 1.9rem; line-height: 1.2; letter-spacing: -.01em; }
h2 { margin: 2.6rem 0 .9rem; font-size: 1.2rem; }
.verdict { margin: 0; font-size: 1.12rem; max-width: 48rem; }
.outcome { font-weight: 600; }
.finished { color: var(--good); } .failed, .interrupted { color: var(--bad); }
.message { margin: .8rem 0 0; padding: .6rem .9rem; border-left: 3px solid var(--line); color: var(--soft);
  max-width: 48rem; overflow-wrap: anywhere; }
.failed-message { border-color: var(--bad); color: inherit; }
.card, figure { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
.figures { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr)); }
figure { margin: 0; padding: .8rem .9rem .5rem; }
figcaption { display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: baseline; font-size: .92rem; }
figcaption b { font-weight: 600; }
figcaption .note { color: var(--soft); font-size: .85rem; }
.key { white-space: nowrap; color: var(--soft); font-size: .85rem; }
.key::before { content: ""; display: inline-block; width: 1rem; height: .2rem; margin-right: .35rem;
  vertical-align: middle; border-radius: .1rem; background: var(--colour); }
svg { display: block; width: 100%; height: auto; margin-top: .4rem; font-size: 13.5px; }
svg text { fill: var(--soft); } svg .label { fill: var(--ink); } svg .power { font-size: 10.5px; }
svg .mid { text-anchor: middle; } svg .end { text-anchor: end; }
.grid { stroke: var(--grid); fill: none; } .axis { stroke: var(--soft); fill: none; }
.curve { fill: none; stroke: var(--colour); stroke-width: 1.5; stroke-linejoin: round; stroke-linecap: round; }
.dot { fill: var(--colour); stroke: var(--card); stroke-width: 1; }
.c0 { --colour: var(--c0); } .c1 { --colour: var(--c1); } .c2 { --colour: var(--c2); } .c3 { --colour: var(--c3); }
.c4 { --colour: var(--c4); } .c5 { --colour: var(--c5); } .c6 { --colour: var(--c6); } .c7 { --colour: var(--c7); }
table { width: 100%; border-collapse: collapse; font-size: .95rem; }
th, td { padding: .5rem .9rem; text-align: left; vertical-align: baseline; border-bottom: 1px solid var(--line); }
tr:last-child td { border-bottom: 0; }
th { color: var(--soft); font-weight: 500; font-size: .85rem; }
td:first-child { font-weight: 600; white-space: nowrap; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.5rem; margin: 0; padding: .9rem; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
pre { margin: 0; padding: .9rem; overflow-x: auto; font:
  .85rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
pre + p, p + pre { margin-top: .8rem; }
footer { margin-top: 2.5rem; color: var(--soft); font-size: .85rem; }
@media (max-width: 40rem) {
  body { padding: 1.2rem .8rem 2rem; } h1 { font-size: 1.5rem; }
  thead { display: none; } tr { display: block; padding: .6rem .9rem; border-bottom: 1px solid var(--line); }
  tr:last-child { border-bottom: 0; } td { display: block; padding: 0; border: 0; }
  td.number { text-align: left; color: var(--soft); font-size: .85rem; }
  td.number::before { content: attr(title) ": "; }
  figure { padding: .7rem .5rem .4rem; } figcaption { padding: 0 .3rem; }
  dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
@media print { body { max-width: none; } figure, tr { break-inside: avoid; } }
)css";

class Page {
 public:
  explicit Page(const RecordedRun& run) : run_(run), s_(run.summary), audit_(report::audit(run)) {}

  std::string text() && {
    print("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
    print("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n");
    print("<meta name=\"color-scheme\" content=\"light dark\"/>\n");
    print("<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n", escaped(title()), style);
    print_head();
    print_audit();
    print_figures("Errors", errors(run_, audit_));
    print_figures("Paths", projections(run_));
    print_figures("Over time", coordinates_over_time(run_));
    print_run();
    print_model();
    print("<footer>Written by Livens {}.</footer>\n</body>\n</html>\n", escaped(text_at("livens")));
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
      if (key != "name") options += fmt::format("{}{} = {}", options.empty() ? "" : ", ", key, value.dump());
    const std::string name = s_["method"].at("name").get<std::string>();
    return options.empty() ? name : fmt::format("{} ({})", name, options);
  }

  void print_head() {
    const std::string outcome = text_at("outcome"), message = text_at("message");
    std::string kept;
    for (const AuditLine& line : audit_)
      if (line.about == AuditLine::About::energy || line.about == AuditLine::About::constraint)
        kept += fmt::format(" {}: {}.", capitalised(line.name), line.words);
    print("<header>\n<h1>{}</h1>\n", escaped(title()));
    print("<p class=\"verdict\"><span class=\"outcome {}\">{}</span> after {} of {} with {}.{}</p>\n", escaped(outcome),
          escaped(capitalised(outcome)), steps(), s_.at("step").get<double>(),
          escaped(s_.at("method").at("name").get<std::string>()), escaped(kept));
    if (!message.empty())
      print("<p class=\"message{}\">{}</p>\n", outcome == "finished" ? "" : " failed-message", escaped(message));
    print("</header>\n");
  }

  void print_audit() {
    if (audit_.empty()) return;
    print("<h2>What was conserved</h2>\n<div class=\"card\">\n<table>\n<thead><tr><th>Quantity</th><th>In words</th>");
    print("<th class=\"number\">Initial</th><th class=\"number\">Largest error, all steps</th>");
    print("<th class=\"number\">Recorded rows</th></tr></thead>\n<tbody>\n");
    for (const AuditLine& line : audit_) {
      print("<tr><td>{}</td><td>{}</td>", escaped(line.name), escaped(line.words));
      print("<td class=\"number\" title=\"Initial\">{}</td>",
            line.initial ? fmt::format("{:.6g}", *line.initial) : std::string("\u2013"));
      print("<td class=\"number\" title=\"Largest error, all steps\">{}</td>", in_two_digits(line.all_steps.largest));
      print("<td class=\"number\" title=\"Recorded rows\">{}</td></tr>\n", in_two_digits(line.rows.largest));
    }
    print("</tbody>\n</table>\n</div>\n");
  }

  void print_figures(std::string_view heading, const std::vector<Figure>& figures) {
    if (figures.empty()) return;
    print("<h2>{}</h2>\n<div class=\"figures\">\n", heading);
    for (const Figure& figure : figures) {
      print("<figure>\n<figcaption><b>{}</b>", escaped(figure.title));
      if (figure.plot.curves.size() > 1)
        for (const svg::Curve& curve : figure.plot.curves)
          print("<span class=\"key c{}\">{}</span>", curve.colour, escaped(curve.name));
      if (!figure.note.empty()) print("<span class=\"note\">{}</span>", escaped(figure.note));
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
    print_fact("Recorded",
               fmt::format("{} row{} in trajectory.h5", run_.rows.rows(), run_.rows.rows() == 1 ? "" : "s"));
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
    print("<h2>The model</h2>\n<div class=\"card\"><pre>{}</pre></div>\n", escaped(run_.rows.model_text()));
  }

  std::string command() const {
    std::string words = "livens run model.toml";
    for (const auto& [key, value] : s_.at("set").items())
      words += " --set " + quoted(key + "=" + value.get<std::string>());
    // A run that was lengthened later has done more steps than its model says.
    const auto steps = s_.at("steps").get<long long>();
    if (text_at("outcome") == "finished" && steps != run_.model.run.steps)
      words += fmt::format(" --set run.steps={}", steps);
    return words;
  }

  // One word for a POSIX shell.
  static std::string quoted(const std::string& word) {
    const auto plain = [](unsigned char c) {
      return std::isalnum(c) || std::string_view("._-=+/,:").find(static_cast<char>(c)) != std::string_view::npos;
    };
    if (std::all_of(word.begin(), word.end(), plain)) return word;
    std::string out = "'";
    for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
    return out + "'";
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

void write_report(const std::filesystem::path& directory) {
  write_file_atomically(directory / "report.html", report_page(directory));
}

}  // namespace livens
