"""python -m livens.stubs DIRECTORY: writes method.pyi, the types of livens.method, from the table of methods."""

from __future__ import annotations

import pathlib
import sys
from typing import Any

from livens.lists import methods
from livens.method import identifier


def _type(option: dict[str, Any]) -> str:
    if "choices" in option:
        return f"Literal[{', '.join(repr(choice) for choice in option['choices'])}]"
    # A default in words, such as "2s", is that of a whole number.
    kinds = {bool: "bool", int: "int", float: "float", str: "int"}
    return kinds[type(option["default"])]


def text() -> str:
    """method.pyi"""
    lines = ["# Made by livens.stubs from the table of methods.", "from typing import Any, Literal", "", "def identifier(name: str) -> str: ..."]
    for entry in methods():
        options = "".join(f", {option['name']}: {_type(option)} = ..." for option in entry["options"])
        lines.append(f"def {identifier(entry['name'])}({'*' + options if options else ''}) -> dict[str, Any]:")
        lines.append(f"    {entry['summary']!r}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    pathlib.Path(sys.argv[1], "method.pyi").write_text(text(), encoding="utf-8")
