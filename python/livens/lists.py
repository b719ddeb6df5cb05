"""What there is: ready problems, methods, studies, functions of formulas."""

from __future__ import annotations

import json
from typing import Any

from livens import _core


def problems() -> list[dict[str, str]]:
    """The ready problems: name, title, kind, method."""
    rows: list[dict[str, str]] = json.loads(_core.problems())
    return rows


def methods() -> list[dict[str, Any]]:
    """The methods: name, summary, kinds of systems, order, what they keep, options."""
    rows: list[dict[str, Any]] = json.loads(_core.methods())
    return rows


def studies() -> list[dict[str, str]]:
    """The studies: name, summary."""
    rows: list[dict[str, str]] = json.loads(_core.studies())
    return rows


def functions() -> list[dict[str, Any]]:
    """The functions of formulas: name, how they are written, summary, whether the name is reserved, whether they jump."""
    rows: list[dict[str, Any]] = json.loads(_core.functions())
    return rows


def show(problem: str) -> str:
    """A ready problem as a model file, to copy and change."""
    if not isinstance(problem, str):
        raise _core.InputError(f"show: {problem!r} is no name; livens.problems() has them")
    return _core.problem_text(problem)
