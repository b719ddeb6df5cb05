#include "report/sheet.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "livens/store/json.hpp"
#include "livens/store/sha256.hpp"
#include "report/assets.hpp"
#include "report/encode.hpp"

namespace livens {

namespace {

using svg::escaped;

constexpr std::size_t most_rows = 24;  // of curves that are measurements, to be read as a table

// A path, where one abscissa has several values, stays a still picture.
bool is_path(const svg::Plot& plot) {
  return plot.equal_scales || std::any_of(plot.curves.begin(), plot.curves.end(), [](const svg::Curve& curve) {
           const auto& points = curve.points;
           const auto before = [](const svg::Point& a, const svg::Point& b) { return a.x < b.x; };
           return !std::is_sorted(points.begin(), points.end(), before) &&
                  !std::is_sorted(points.rbegin(), points.rend(), before);
         });
}

Json data_of(const std::string& title, const svg::Plot& plot) {
  if (is_path(plot)) return {{"path", true}};
  Json curves = Json::array();
  for (const svg::Curve& curve : plot.curves) {
    std::vector<double> x, y;
    for (const svg::Point& p : curve.points) x.push_back(p.x), y.push_back(p.y);
    curves.push_back({{"name", curve.name},
                      {"colour", curve.colour},
                      {"guide", curve.guide},
                      {"x", report::floats(x)},
                      {"y", report::floats(y)}});
  }
  return {{"title", title},          {"path", false},           {"x_label", plot.x_label},
          {"y_label", plot.y_label}, {"log", plot.logarithmic}, {"x_log", plot.x_logarithmic},
          {"curves", curves}};
}

std::string number_cell(double x) {
  return std::isfinite(x) ? fmt::format("<td class=\"number\">{:.4g}</td>", x) : "<td></td>";
}

std::string slope_cell(const std::vector<double>& between, std::size_t k) {
  const bool known = k > 0 && std::isfinite(between[k - 1]);
  return fmt::format("<td class=\"number\">{}</td>", known ? fmt::format("{:.2f}", between[k - 1]) : "");
}

bool share_abscissas(const svg::Plot& plot) {
  const auto same = [](const svg::Point& a, const svg::Point& b) { return a.x == b.x; };
  return std::all_of(plot.curves.begin(), plot.curves.end(), [&](const svg::Curve& curve) {
    const auto &points = curve.points, &first = plot.curves.front().points;
    return std::equal(points.begin(), points.end(), first.begin(), first.end(), same);
  });
}

// The points of measurements, with the slopes between them where both axes have powers of ten: a column a curve where
// all have the same abscissas, else one curve below the other.
std::string table_of(const svg::Plot& plot, bool powers) {
  if (is_path(plot) || plot.curves.empty() ||
      std::any_of(plot.curves.begin(), plot.curves.end(),
                  [](const svg::Curve& curve) { return curve.points.size() > most_rows; }))
    return "";
  const bool beside = share_abscissas(plot);
  const std::string slope = powers ? "<th class=\"number\">slope</th>" : "";
  std::string head, rows;
  std::vector<std::vector<double>> between;
  for (const svg::Curve& curve : plot.curves) between.push_back(svg::slopes(curve));
  if (beside) {
    head = fmt::format("<th class=\"number\">{}</th>", escaped(plot.x_label));
    for (const svg::Curve& curve : plot.curves)
      head +=
          fmt::format("<th class=\"number\">{}</th>{}", escaped(curve.name.empty() ? plot.y_label : curve.name), slope);
    for (std::size_t k = 0; k < plot.curves.front().points.size(); ++k) {
      rows += "<tr>" + number_cell(plot.curves.front().points[k].x);
      for (std::size_t c = 0; c < plot.curves.size(); ++c)
        rows += number_cell(plot.curves[c].points[k].y) + (powers ? slope_cell(between[c], k) : "");
      rows += "</tr>\n";
    }
  } else {
    head = fmt::format("<th></th><th class=\"number\">{}</th><th class=\"number\">{}</th>{}", escaped(plot.x_label),
                       escaped(plot.y_label), slope);
    for (std::size_t c = 0; c < plot.curves.size(); ++c)
      for (std::size_t k = 0; k < plot.curves[c].points.size(); ++k)
        rows += fmt::format("<tr><td>{}</td>{}{}{}</tr>\n", k == 0 ? escaped(plot.curves[c].name) : "",
                            number_cell(plot.curves[c].points[k].x), number_cell(plot.curves[c].points[k].y),
                            powers ? slope_cell(between[c], k) : "");
  }
  return fmt::format("<div class=\"scroll\"><table>\n<thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody>\n</table></div>\n",
                     head, rows);
}

}  // namespace

std::string with_note(const std::string& note, const std::string& another) {
  return note + (note.empty() || another.empty() ? "" : "; ") + another;
}

std::string picture(const std::string& title, const std::string& note, const svg::Plot& given) {
  svg::Plot plot = given;
  const bool powers = plot.logarithmic && plot.x_logarithmic;
  if (powers) svg::add_slopes(plot);
  std::string keys;
  for (const svg::Curve& curve : plot.curves)
    if (!curve.name.empty())
      keys += fmt::format("<span class=\"key {}c{}\">{}</span>", curve.guide ? "dashed " : "", curve.colour,
                          escaped(curve.name));
  const std::string table = table_of(given, powers);
  return fmt::format(
      "<div class=\"beside{}\">\n<figure>\n<figcaption><b>{}</b>{}<span class=\"note\">{}</span></figcaption>\n{}\n"
      "<script type=\"application/json\">{}</script>\n</figure>\n{}</div>\n",
      table.empty() ? "" : " tabled", escaped(title), keys, escaped(with_note(note, svg::left_out(given))),
      svg::drawing(plot), report::script_json(data_of(title, plot)), table);
}

std::string html_page(const std::string& title, const std::string& body, std::string_view script, Connects connects) {
  const auto source = [](std::string_view text) {
    return fmt::format("'sha256-{}'", report::base64_of_hex(sha256(text)));
  };
  const std::string_view style = report::page_style();
  const std::string policy =
      fmt::format("default-src 'none'; script-src {}; style-src {}; img-src blob:{}", source(script), source(style),
                  connects == Connects::to_its_server ? "; connect-src 'self'" : "");
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}<script>{}</script>\n</body>\n</html>\n",
      policy, escaped(title), style, body, script);
}

std::string sheet(const std::string& title, const std::string& body) {
  return html_page(title, fmt::format("<main class=\"sheet\">\n{}</main>\n", body), report::sheet_script());
}

}  // namespace livens
