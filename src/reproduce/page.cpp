// The page about a reproduction: the pictures, then the rows as a table.
#include <fmt/format.h>

#include <iterator>

#include "livens/reproduce/reproduce.hpp"
#include "report/sheet.hpp"

namespace livens {

namespace {

using svg::escaped;

std::string cell(const ReproducedFigure& figure, int digits) {
  if (const auto* number = std::get_if<double>(&figure)) return fmt::format("{:.{}g}", *number, digits);
  if (const auto* words = std::get_if<std::string>(&figure)) return escaped(*words);
  return "\u2013";
}

}  // namespace

std::string page(const Reproduction& r) {
  std::string text;
  const auto print = [&text]<class... Args>(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text), format, std::forward<Args>(args)...);
  };
  print("<h1>{}</h1>\n<p>{}: <span class=\"{}\">{}</span>. {}</p>\n", escaped(r.title), escaped(r.id),
        r.ok() ? "ok" : "wrong", r.ok() ? "every row holds" : "not every row holds", escaped(r.definition));
  for (const std::string& drawn : r.pictures) text += drawn;
  print(
      "<div "
      "class=\"scroll\"><table>\n<thead><tr><th>Row</th><th>Printed</th><th>Expected</th><th>Measured</th><th></th></"
      "tr></thead>\n");
  print("<tbody>\n");
  for (const ReproductionRow& row : r.rows)
    print(
        "<tr><td>{}</td><td class=\"value\">{}</td><td class=\"value\">{}</td><td class=\"value\">{}</td><td><span "
        "class=\"{}\">{}</span> {}</td></tr>\n",
        escaped(row.name), cell(row.printed, row.digits), cell(row.expected, row.digits),
        cell(row.measured, row.digits), row.ok ? "ok" : "wrong", row.ok ? "ok" : "not ok", escaped(row.note));
  print("</tbody>\n</table></div>\n");
  return sheet(r.id, text);
}

}  // namespace livens
