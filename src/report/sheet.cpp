#include "report/sheet.hpp"

#include <fmt/format.h>

#include <string_view>

namespace livens {

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
table { width: 100%; border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .6rem; text-align: left; vertical-align: baseline; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 500; }
.card table { font-size: .95rem; } .card th { font-size: .85rem; } .card th, .card td { padding: .5rem .9rem; }
.card tr:last-child td { border-bottom: 0; } .card td:first-child { font-weight: 600; white-space: nowrap; }
.ok { color: var(--good); } .wrong { color: var(--bad); }
.sheet p { max-width: 50rem; }
.sheet figure { display: inline-block; width: min(100%, 32rem); margin: .5rem .5rem .5rem 0; vertical-align: top; }
.number { text-align: right; white-space: nowrap; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.5rem; margin: 0; padding: .9rem; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }
pre { margin: 0; padding: .9rem; overflow-x: auto; font:
  .85rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
pre + p, p + pre { margin-top: .8rem; }
footer { margin-top: 2.5rem; color: var(--soft); font-size: .85rem; }
@media (max-width: 40rem) {
  body { padding: 1.2rem .8rem 2rem; } h1 { font-size: 1.5rem; }
  .card thead { display: none; }
  .card tr { display: block; padding: .6rem .9rem; border-bottom: 1px solid var(--line); }
  .card tr:last-child { border-bottom: 0; } .card td { display: block; padding: 0; border: 0; }
  td.number { text-align: left; color: var(--soft); font-size: .85rem; }
  td.number::before { content: attr(title) ": "; }
  figure { padding: .7rem .5rem .4rem; } figcaption { padding: 0 .3rem; }
  dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .5rem; } }
@media print { body { max-width: none; } figure, tr { break-inside: avoid; } }
)css";

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

std::string html_page(const std::string& title, const std::string& body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
      escaped(title), style, body);
}

std::string sheet(const std::string& title, const std::string& body) {
  return html_page(title, fmt::format("<main class=\"sheet\">\n{}</main>\n", body));
}

}  // namespace livens
