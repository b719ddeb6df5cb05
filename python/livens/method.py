"""The methods as functions: ``livens.run("pendulum", method=livens.method.galerkin(s=2, w=2))``.

Each returns the section [method] of a model as a dict. Names, options, defaults and their words are those of the table
of methods of the library.
"""

from __future__ import annotations

import inspect
import textwrap
from typing import Any, Callable

from livens._core import InputError
from livens.lists import methods as _methods


def identifier(name: str) -> str:
    """constrained-euler as constrained_euler"""
    return name.replace("-", "_")


def _words(entry: dict[str, Any]) -> str:
    lines = [entry["summary"], "", f"For {', '.join(entry['kinds'])} systems; order {entry['order']}."]
    lines.append(f"Keeps: {entry['keeps']}.")
    if entry["options"]:
        lines.append("")
    for option in entry["options"]:
        choices = f" One of {', '.join(option['choices'])}." if "choices" in option else ""
        words = f"{option['name']} (default {option['default']}): {option['help']}.{choices}"
        lines += textwrap.wrap(words, 100, subsequent_indent="    ")
    return "\n".join(lines)


def _function(entry: dict[str, Any]) -> Callable[..., dict[str, Any]]:
    known = [option["name"] for option in entry["options"]]

    def method(**options: Any) -> dict[str, Any]:
        for name in options:
            if name not in known:
                there = ", ".join(known) or "none"
                raise InputError(f"method.{name}: {entry['name']} has no such option; it has {there}")
        return {"name": entry["name"], **options}

    method.__name__ = method.__qualname__ = identifier(entry["name"])
    keyword = inspect.Parameter.KEYWORD_ONLY
    options = [inspect.Parameter(o["name"], keyword, default=o["default"]) for o in entry["options"]]
    setattr(method, "__signature__", inspect.Signature(options))  # for help() and completion
    method.__doc__ = _words(entry)
    return method


for _entry in _methods():
    globals()[identifier(_entry["name"])] = _function(_entry)

__all__ = [identifier(_entry["name"]) for _entry in _methods()]
