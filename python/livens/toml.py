"""Values and dicts as the text of a model file."""

from __future__ import annotations

import json
import math
import os
import re
from typing import Any, Iterator, Mapping, Union

import numpy as np

from livens._core import InputError, method_keys

_plain_key = re.compile(r"[A-Za-z0-9_-]+")


Number = Union[float, str, np.floating[Any], np.integer[Any]]


def refusal(key: str, value: Any) -> InputError:
    """What a value is that stands nowhere in a model file, and what to write."""
    if callable(value) and key == "method":
        return InputError(f"{key}: {value!r} is a function; call it, as livens.method.galerkin(s=2), or give a name")
    if callable(value):
        return InputError(
            f"{key}: {value!r} is a function of Python, which Livens cannot differentiate, nor run without Python; "
            'write it as a formula, such as "-k*x - c*x\'", and its numbers as parameters'
        )
    kind = type(value).__name__
    article = "an" if kind[0] in "aeiouAEIOU" else "a"
    return InputError(f"{key}: {value!r} is {article} {kind}; give a number, a text, True or False, a list or a dict")


def _number(key: str, x: float) -> str:
    if not math.isfinite(x):
        raise InputError(f"{key}: {x} is not a finite number")
    text = repr(float(x))
    return text.replace("e", ".0e") if "e" in text and "." not in text else text


def in_utf8(key: str, text: str) -> str:
    """The same text, refused where it has no form in UTF-8, as names of files in another encoding have."""
    try:
        text.encode()
    except UnicodeEncodeError:
        raise InputError(f"{key}: {ascii(text)} is no text in UTF-8; give another one") from None
    return text


def value_text(key: str, value: Any) -> str:
    """A value on the right of ``key =``; ``key`` begins the message if it is none."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(in_utf8(key, value), ensure_ascii=False).replace("\x7f", "\\u007F")
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return _number(key, float(value))
    if isinstance(value, np.ndarray):
        return value_text(key, value.tolist())
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(k)} = {value_text(f'{key}.{k}', v)}" for k, v in value.items()) + " }"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(value_text(f"{key}[{i}]", v) for i, v in enumerate(value, 1)) + "]"
    raise refusal(key, value)


def path_text(key: str, path: Any) -> str:
    """The path of a file or a directory, or a word in its place."""
    if not isinstance(path, (str, os.PathLike)):
        raise InputError(f"{key}: {path!r} is no path; give a text or a pathlib.Path")
    return in_utf8(key, os.fspath(path))


def _key(key: Any) -> str:
    if not isinstance(key, str):
        raise InputError(f"{key!r}: a key is a text")
    return key if _plain_key.fullmatch(key) else json.dumps(key)


def _is_tables(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) > 0 and all(isinstance(v, Mapping) for v in value)


def _section(path: str, table: Mapping[str, Any], lines: list[str]) -> None:
    def inside(key: str) -> str:
        return f"{path}.{_key(key)}" if path else _key(key)

    for key, value in table.items():
        if value is not None and not isinstance(value, Mapping) and not _is_tables(value):
            lines.append(f"{_key(key)} = {value_text(inside(key), value)}")
    for key, value in table.items():
        if isinstance(value, Mapping):
            lines.append(f"\n[{inside(key)}]")
            _section(inside(key), value, lines)
        elif _is_tables(value):
            for one in value:
                lines.append(f"\n[[{inside(key)}]]")
                for k, v in one.items():
                    if v is not None:
                        lines.append(f"{_key(k)} = {value_text(f'{inside(key)}.{k}', v)}")


def model_text(model: Mapping[str, Any]) -> str:
    """The model file that holds what the dict holds; values that are None are left out."""
    lines: list[str] = []
    _section("", model, lines)
    return "\n".join(lines).lstrip("\n") + "\n"


_short = {"step": "run.step", "end": "run.end", "steps": "run.steps"}  # the options --step, --end, --steps


def _given(keys: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, str, str]]:
    """How a key was given, the key, and its value as --set takes it."""
    for name, value in keys.items():
        key = above + (name if above else _short.get(name, name))
        if key == "method" and isinstance(value, str):
            yield from (("method", *pair) for pair in method_keys(value))
        elif isinstance(value, Mapping):
            yield from _given(value, f"{key}.")
        else:
            yield above + name, key, value_text(key, value)


def overrides(keys: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Keywords as --set takes them. A section given as a dict overrides its keys one by one; step, end, steps and a
    method as text are what the options of these names are."""
    out: dict[str, tuple[str, str]] = {}
    for name, key, text in _given(keys):
        other = {"run.end": "run.steps", "run.steps": "run.end"}.get(key, key)
        for same in (key, other):
            if same in out:
                before = out[same][0]
                raise InputError(
                    f"{before} and {name} are both given; leave one out"
                    if before != name
                    else f"{name} is given twice; leave one out"
                )
        out[key] = name, text
    return [(key, text) for key, (_, text) in out.items()]
