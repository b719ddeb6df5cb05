#include "report/sheet.hpp"

#include <fmt/format.h>

#include <string_view>

#include "livens/store/sha256.hpp"
#include "report/assets.hpp"
#include "report/encode.hpp"

namespace livens {

namespace {

using svg::escaped;

}  // namespace

std::string with_note(const std::string& note, const std::string& another) {
  return note + (note.empty() || another.empty() ? "" : "; ") + another;
}

std::string picture(const std::string& title, const std::string& note, const svg::Plot& plot) {
  std::string keys;
  for (const svg::Curve& curve : plot.curves)
    if (!curve.name.empty())
      keys += fmt::format("<span class=\"key c{}\">{}</span>", curve.colour, escaped(curve.name));
  return fmt::format("<figure>\n<figcaption><b>{}</b>{}<span class=\"note\">{}</span></figcaption>\n{}\n</figure>\n",
                     escaped(title), keys, escaped(with_note(note, svg::left_out(plot))), svg::drawing(plot));
}

std::string html_page(const std::string& title, const std::string& body, std::string_view script, Connects connects) {
  const auto source = [](std::string_view text) {
    return fmt::format("'sha256-{}'", report::base64_of_hex(sha256(text)));
  };
  const std::string_view style = report::page_style();
  const std::string policy = fmt::format("default-src 'none'; script-src {}; style-src {}; img-src blob:{}", source(script),
                                         source(style), connects == Connects::to_its_server ? "; connect-src 'self'" : "");
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
