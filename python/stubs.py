"""stubs.py PACKAGE: writes method.pyi, the types of livens.method, from the table of methods of the module in PACKAGE.

A part of the build: it loads the module alone, so that NumPy need not be there.
"""

from __future__ import annotations

import json
import pathlib
import sys
from typing import Any


def type_of(option: dict[str, Any]) -> str:
    if "choices" in option:
        return f"Literal[{', '.join(json.dumps(choice) for choice in option['choices'])}]"
    # A default in words, such as "2s", is that of a whole number.
    return {bool: "bool", int: "int", float: "float", str: "int"}[type(option["default"])]


def stub(methods: list[dict[str, Any]]) -> str:
    lines = ["# Made by python/stubs.py from the table of methods.", "from typing import Any, Literal", ""]
    lines.append("def identifier(name: str) -> str: ...")
    for method in methods:
        options = "".join(f", {option['name']}: {type_of(option)} = ..." for option in method["options"])
        lines.append(f"def {method['name'].replace('-', '_')}({'*' + options if options else ''}) -> dict[str, Any]:")
        lines.append(f"    {json.dumps(method['summary'])}")
    return "\n".join(lines) + "\n"


package = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(package))
import _core  # type: ignore[import]  # noqa: E402

(package / "method.pyi").write_text(stub(json.loads(_core.methods())), encoding="utf-8")
