"""Links of README, CONTRIBUTING and docs: files and headings that they name exist, and every page stands in mkdocs.yml;
pages of methods have all their parts.

links.py SOURCE_DIRECTORY
"""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1]).resolve()
pages = [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]
faults: list[str] = []


def without_code(text: str) -> str:
    """The same lines, those of code blocks and pieces between backquotes empty."""
    lines, inside = [], False
    for line in text.splitlines():
        fence = line.lstrip().startswith("```")
        lines.append("" if inside or fence or line.startswith("    ") else re.sub(r"`[^`]*`", "", line))
        inside ^= fence
    return "\n".join(lines)


def anchors(page: pathlib.Path) -> set[str]:
    """Those of headings, as MkDocs and forges name them."""
    found, inside = set(), False
    for line in page.read_text().splitlines():
        inside ^= line.lstrip().startswith("```")
        if not inside and (heading := re.match(r"#+ (.*)", line)):
            words = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading[1]).lower()
            found.add(re.sub(r"[\s]+", "-", re.sub(r"[^\w\s-]", "", words).strip()))
    return found


for page in pages:
    text = without_code(page.read_text())
    for match in re.finditer(r"\]\(([^)\s]+)\)", text):
        place = f"{page.relative_to(root)}:{text.count(chr(10), 0, match.start()) + 1}: {match[1]}"
        if re.match(r"[a-z]+:", match[1]):
            continue
        file, _, anchor = match[1].partition("#")
        target = (page.parent / file).resolve() if file else page
        if not target.exists():
            faults.append(f"{place}: there is no such file")
        elif anchor and target.suffix == ".md" and anchor not in anchors(target):
            faults.append(f"{place}: there is no such heading")

listed = re.findall(r": ([\w/-]+\.md)$", (root / "mkdocs.yml").read_text(), re.MULTILINE)
written = [str(page.relative_to(root / "docs")) for page in pages if root / "docs" in page.parents]
faults += [f"mkdocs.yml: {name}: there is no such page" for name in listed if name not in written]
faults += [f"docs/{name}: is not in mkdocs.yml" for name in written if name not in listed]
faults += [f"mkdocs.yml: {name}: stands there twice" for name in set(listed) if listed.count(name) > 1]
told = (root / "docs/cpp.md").read_text()
declared = re.findall(
    r"^(?:inline |template.*\n)\S+ (\w+)\(", (root / "include/livens/math/vec.hpp").read_text(), re.MULTILINE
)
faults += [
    f"docs/cpp.md: does not tell {name}(...) of livens/math/vec.hpp" for name in declared if f"`{name}(" not in told
]
for page in pages:
    if page.parent.name == "methods" and page.name != "README.md":
        for part in ("```sh", "    ", "What is kept", "rder", "## Cost of a step", "Errata of "):
            if part not in page.read_text():
                faults.append(f'{page.relative_to(root)}: has no "{part}"; a method is told with all its parts')
if faults:
    sys.exit("\n".join(faults))
