"""For MkDocs: files of the repository that pages link to become part of the site, as plain text below source/."""

import os
import pathlib
import posixpath
import re
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = pathlib.Path(__file__).resolve().parents[1]
LINK = re.compile(r"\]\(([^)#\s:]+)((?:#[^)\s]*)?)\)")


def _outside(page: str, target: str) -> str | None:
    """The path from the root of what a page of docs/ links to, where that is no part of docs/."""
    path = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page), target))
    return None if path.startswith(("docs/", "..")) or not (ROOT / path).exists() else path


def on_files(files: Files, config: Any) -> Files:
    linked = set()
    for page in files.documentation_pages():
        text = pathlib.Path(page.abs_src_path).read_text()
        linked |= {path for match in LINK.finditer(text) if (path := _outside(page.src_uri, match[1]))}
    for path in sorted(linked):
        source = pathlib.Path(config["site_dir"]).parent / "site-sources" / "source" / (path + ".txt")
        source.parent.mkdir(parents=True, exist_ok=True)
        text = "\n".join(sorted(os.listdir(ROOT / path))) if (ROOT / path).is_dir() else (ROOT / path).read_text()
        source.write_text(text)
        files.append(File(f"source/{path}.txt", str(source.parents[path.count("/") + 1]), config["site_dir"], False))
    files.append(File("tables.css", str(ROOT / "site"), config["site_dir"], False))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    def changed(match: re.Match[str]) -> str:
        path = _outside(page.file.src_uri, match[1])
        if path is None:
            return match[0]
        up = "../" * page.file.src_uri.count("/")
        return f"]({up}source/{path}.txt)"

    return LINK.sub(changed, markdown)


def _scripts(output: str, config: Any) -> str:
    """Scripts under the names that they have: Debian's theme names some that it brings under others, or not at all."""
    there = {path.name for folder in config["theme"].dirs for path in pathlib.Path(folder, "js").glob("*.js")}

    def changed(match: re.Match[str]) -> str:
        if match[1] in there:
            return match[0]
        others = sorted(name for name in there if name.startswith(match[1].split("-")[0] + "-"))
        return match[0].replace(match[1], others[0]) if others else ""

    return re.sub(r'<script src="[^"]*js/([^"/]+)"[^>]*></script>', changed, output)


def on_post_page(output: str, config: Any, **_: Any) -> str:
    # Of the class that the theme's sheet draws tables by; the script that would set it is one of those that Debian lacks.
    return _scripts(output, config).replace("<table>", '<table class="docutils">')


def on_post_template(output: str, config: Any, **_: Any) -> str:
    return _scripts(output, config)
