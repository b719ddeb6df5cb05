"""Pages that say what the program itself knows: problems.md, keys.md, methods/README.md, the table of choosing.md and,
measured anew, those of what a step costs.

    python3 site/generate.py build/livens            writes them
    python3 site/generate.py build/livens --check    fails where one is not up to date
"""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
import sys
from typing import Any, Callable

from costs import measured

DOCS = pathlib.Path(__file__).resolve().parents[1] / "docs"
livens = pathlib.Path(sys.argv[1]).resolve()


def ask(*words: str) -> Any:
    return json.loads(subprocess.run([livens, *words, "--json"], check=True, capture_output=True, text=True).stdout)


def made(title: str, words: str, *parts: str) -> str:
    return "\n".join([f"# {title}", "", "<!-- Made by site/generate.py: ./dev docs -->", "", words, "", *parts]) + "\n"


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def said(text: str, what: str) -> str:
    """What the comment at the top of a model says after "# what: ", whole sentences."""
    found = re.search(rf"^# {what}: (.*(?:\n# (?!(?:Look at|Facts|Source): ).*)*)", text, re.MULTILINE)
    words = re.sub(r"\s*\n# ", " ", found[1]) if found else ""
    if not words.endswith("."):
        sys.exit(f'a ready problem does not say "{what}: ..." in whole sentences: {words or text[:200]}')
    return words


def plain(text: str) -> str:
    """So that Markdown leaves it as it is."""
    return re.sub(r"([*_\[\]<>])", r"\\\1", text)


def problems() -> str:
    kinds = {
        "lagrangian": "Lagrangian systems",
        "multibody": "Mechanisms",
        "degenerate": "Degenerate Lagrangian systems",
        "odae": "Overdetermined systems",
    }
    rows = ask("list", "problems")
    parts = []
    for kind, title in kinds.items():
        parts += [f"## {title}", ""]
        for row in sorted((row for row in rows if row["kind"] == kind), key=lambda row: row["name"]):
            text = (DOCS.parent / "problems" / f"{row['name']}.toml").read_text()
            look, facts = plain(said(text, "Look at")), plain(said(text, "Facts"))
            parts += [f"**`{row['name']}`**: {row['title']}. {look[0].upper() + look[1:]} *Known:* {facts}", ""]
    words = f"""{len(rows)} models are compiled into the program: `livens run NAME --report`, and `livens show NAME` to copy and
change. What is known of each from elsewhere is checked by a test (`tests/model/ready_problems.cpp`)."""
    return made("Ready problems", words, *parts).rstrip("\n") + "\n"


def keys() -> str:
    rows = ask("list", "keys")
    sections: dict[str, list[list[str]]] = {}
    for row in rows:
        if "method" in row:
            continue
        section = row["key"].split(".")[0] if "." in row["key"] or row["example"].startswith("[") else "top"
        kinds = "" if len(row["kinds"]) == 4 else ", ".join(row["kinds"])
        sections.setdefault(section, []).append([f"`{row['key']}`", row["meaning"], f"`{row['example']}`", kinds])
    parts = []
    for section, lines in sections.items():
        parts += ["## Top level" if section == "top" else f"## {section}", ""]
        parts += [table(["key", "is", "is written", "kinds; all where empty"], lines), ""]
    parts += ["## Options of methods", ""]
    lines = [
        [f"`{r['key']}`", r["meaning"], f"`{r['example']}`", f"[{r['method']}](methods/{r['method']}.md)"]
        for r in rows
        if "method" in r
    ]
    parts += [table(["key", "is", "default", "method"], lines)]
    words = """Every key that a model file may hold, from the table by which the reader knows them; what is not here is refused.
[Model files](model-files.md) explains them, [mechanisms](mechanisms.md) those of bodies and joints, [contact](contact.md)
those of contacts and events, [pages](pages.md) `[view]`. `livens list keys` prints the same."""
    return made("Keys of model files", words, *parts)


def methods() -> str:
    word = {True: "yes", False: "no", None: "by options"}
    rows, details = [], []
    for m in ask("list", "methods"):
        link = f"[{m['name']}]({m['name']}.md)"
        rows.append([link, ", ".join(m["kinds"]), m["order"], word[m["symplectic"]], word[m["symmetric"]], m["keeps"]])
        details.append([link, m["summary"], ", ".join(f"`{o['name']}`" for o in m["options"]) or "none"])
    words = """What the table of methods says; `livens list methods` prints it. Each has a page with its equations, what it keeps
and what not, its orders and costs as measured, and where its paper has to be read with care.
[Choosing](../choosing.md) says which one to take."""
    parts = [table(["method", "kinds", "order", "symplectic", "symmetric", "keeps"], rows), "", "## In a sentence", ""]
    parts += [table(["method", "what it is", "options"], details), "", "## What a step costs", ""]
    parts += ["Per step, over 200 steps (`site/costs.py`); dense, as models of this size are solved.", ""]
    return made("Methods", words, *parts, costs())


def costs(only: str = "") -> str:
    """Of all methods, or of one."""
    rows = [
        [
            f"`{c['problem']}`, h = {c['step']}",
            f"`{c['method']}`",
            *(f"{c[k]:.1f}" for k in ("evaluations", "jacobians", "newton_iterations")),
        ]
        for c in measured(livens)
        if only in ("", c["method"].split("(")[0])
    ]
    return table(["problem", "method", "evaluations", "matrices", "iterations"], rows)


def between(page: str, name: str, words: str) -> str:
    """The page with other words between its marks of this name."""
    begin, end = f"<!-- {name}: site/generate.py -->\n", f"<!-- end of {name} -->"
    head, rest = (DOCS / page).read_text().split(begin)
    return head + begin + "\n" + words + "\n\n" + end + rest.split(end)[1]


def cost_page(method: str) -> Callable[[], str]:
    words = (
        "Per step; one evaluation of a method with s stages is s times as much work, and matrices are as large as its\n"
    )
    words += "unknowns ([all methods](README.md#what-a-step-costs)).\n\n"
    return lambda: between(f"methods/{method}.md", "cost", words + costs(method))


def named(method: dict[str, Any]) -> str:
    options = ", ".join(f"{key}={value}" for key, value in method.items() if key != "name")
    return f"`{method['name']}({options})`" if options else f"`{method['name']}`"


def advice() -> str:
    rows = []
    for answer in json.loads(pathlib.Path(__file__).with_name("advice.json").read_text()):
        cells = [f"`{answer['problem']}`, t = {answer['end']:g}"]
        for best in answer["cheapest"]:
            cells.append("-" if best is None else f"{named(best['method'])}, step {best['step']:.3g}")
        rows.append(cells)
    return table(["ready problem, until", "error 1e-3", "error 1e-6", "error 1e-9"], rows)


def choosing() -> str:
    return between("choosing.md", "advice", advice())


COST = re.compile(r"(\| `[^`]*`, h = \S+ \| `[^`]*`)((?: \| \d+\.\d){3}) \|")


def says(page: str, text: str) -> bool:
    """Means of a step may differ by 0.2: when iterations end at round-off depends on the compiler."""

    def same(old: str, new: str) -> bool:
        cost = COST.fullmatch(old), COST.fullmatch(new)
        if not (cost[0] and cost[1]) or cost[0][1] != cost[1][1]:
            return old == new
        figures = zip(cost[0][2].split(" | ")[1:], cost[1][2].split(" | ")[1:])
        return all(abs(float(a) - float(b)) < 0.25 for a, b in figures)

    old, new = page.split("\n"), text.split("\n")
    return len(old) == len(new) and all(map(same, old, new))


pages = {"problems.md": problems, "keys.md": keys, "methods/README.md": methods, "choosing.md": choosing}
pages |= {f"methods/{m['name']}.md": cost_page(m["name"]) for m in ask("list", "methods")}
stale = []
for name, make in pages.items():
    path, text = DOCS / name, make()
    if path.exists() and says(path.read_text(), text):
        continue
    stale.append(f"docs/{name}")
    if "--check" not in sys.argv:
        path.write_text(text)
if stale:
    print(("not up to date, run ./dev docs: " if "--check" in sys.argv else "written: ") + ", ".join(stale))
sys.exit(1 if stale and "--check" in sys.argv else 0)
