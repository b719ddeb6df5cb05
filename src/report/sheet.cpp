#include "report/sheet.hpp"

#include <fmt/format.h>

#include <string_view>

namespace livens {

namespace {

using svg::escaped;

constexpr std::string_view style = R"css(
:root { --paper: #fbfbf8; --card: #fff; --ink: #22262a; --soft: #62676b; --line: #e2e1da; --good: #2f7d4f;
  --bad: #b3372b; --c0: #1f6f8b; --c1: #c8553d; --c2: #64882a; --c3: #7a4fa0; --c4: #a87a08; --c5: #3b5b92;
  --c6: #a1456f; --c7: #4d6b57; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #15181b; --card: #1d2125; --ink: #e6e6e1; --soft: #a2a8ad; --line: #343a40; --good: #6cc492;
    --bad: #f08678; --c0: #5cbddc; --c1: #f08a6c; --c2: #a5cb5f; --c3: #c19be6; --c4: #e6bb52; --c5: #8fb0ea;
    --c6: #e78bb4; --c7: #96bfa4; } }
body { margin: 0 auto; padding: 2rem 1.25rem; max-width: 70rem; background: var(--paper); color: var(--ink);
  font: 1rem/1.55 system-ui, sans-serif; }
h1 { font-size: 1.7rem; margin: 0 0 .4rem; } p { max-width: 50rem; }
figure { display: inline-block; box-sizing: border-box; width: min(100%, 32rem); margin: .5rem .5rem .5rem 0;
  padding: .8rem .9rem .5rem; vertical-align: top; background: var(--card); border: 1px solid var(--line);
  border-radius: .5rem; }
figcaption { display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: baseline; font-size: .92rem; }
.key, .note { color: var(--soft); font-size: .85rem; }
.key::before { content: ""; display: inline-block; width: 1rem; height: .2rem; margin-right: .35rem;
  vertical-align: middle; background: var(--colour); }
svg { display: block; width: 100%; height: auto; font-size: 13.5px; } svg text { fill: var(--soft); }
svg .label { fill: var(--ink); } svg .power { font-size: 10.5px; }
svg .mid { text-anchor: middle; } svg .end { text-anchor: end; }
.grid { stroke: var(--line); fill: none; } .axis { stroke: var(--soft); fill: none; }
.curve { fill: none; stroke: var(--colour); stroke-width: 1.5; stroke-linejoin: round; }
.dot { fill: var(--colour); }
.c0 { --colour: var(--c0); } .c1 { --colour: var(--c1); } .c2 { --colour: var(--c2); } .c3 { --colour: var(--c3); }
.c4 { --colour: var(--c4); } .c5 { --colour: var(--c5); } .c6 { --colour: var(--c6); } .c7 { --colour: var(--c7); }
table { width: 100%; border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { padding: .3rem .6rem; text-align: left; border-bottom: 1px solid var(--line); }
th { color: var(--soft); font-weight: 500; } .ok { color: var(--good); } .wrong { color: var(--bad); }
)css";

}  // namespace

std::string picture(const std::string& title, const std::string& note, const svg::Plot& plot) {
  std::string keys;
  for (const svg::Curve& curve : plot.curves)
    if (!curve.name.empty())
      keys += fmt::format("<span class=\"key c{}\">{}</span>", curve.colour, escaped(curve.name));
  return fmt::format("<figure>\n<figcaption><b>{}</b>{}<span class=\"note\">{}</span></figcaption>\n{}\n</figure>\n",
                     escaped(title), keys, escaped(note), svg::drawing(plot));
}

std::string sheet(const std::string& title, const std::string& body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
      "<meta name=\"color-scheme\" content=\"light dark\"/>\n"
      "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
      escaped(title), style, body);
}

}  // namespace livens
