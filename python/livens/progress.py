"""How far a run is: a line on a terminal, a line below the cell of a notebook, nothing elsewhere."""

from __future__ import annotations

import math
import sys
import time
from typing import Any, Callable, Optional, Union

from livens._core import InputError

Progress = Callable[[int, int, float], None]

# Type checkers hold the keys of a model, **{"run.end": 1.0}, against all other keywords beside them: those of functions
# that take keys may be Any.
Beside = Union[bool, Progress, None, Any]


def _words(done: int, total: int, t: float, seconds: float) -> str:
    words = f"{100 * done / total:3.0f} %" if total else f"{done} done"
    if math.isfinite(t):
        words += f"  t = {t:.6g}"
    if 0 < done < total:
        words += f"  {seconds * (total - done) / done:.0f} s left"
    return words


class _Line:
    """Writes once half a second has passed: short runs stay silent."""

    def __init__(self) -> None:
        self.begin = time.monotonic()

    def __call__(self, done: int, total: int, t: float) -> None:
        seconds = time.monotonic() - self.begin
        if seconds > 0.5:
            self.write(_words(done, total, t, seconds))

    def write(self, words: str) -> None:
        raise NotImplementedError

    def close(self) -> None:
        raise NotImplementedError


class _Terminal(_Line):
    shown = False

    def write(self, words: str) -> None:
        print(f"\r\x1b[K{words}", end="", file=sys.stderr, flush=True)
        self.shown = True

    def close(self) -> None:
        if self.shown:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


class _Notebook(_Line):
    handle: Any = None

    def write(self, words: str) -> None:
        from IPython.display import display

        if self.handle is None:
            self.handle = display({"text/plain": words}, raw=True, display_id=True)
        else:
            self.handle.update({"text/plain": words}, raw=True)

    def close(self) -> None:
        if self.handle is not None:
            self.handle.update({"text/plain": ""}, raw=True)


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and hasattr(shell, "kernel")


class listener:
    """with listener(progress) as f: f is what the compiled part calls, or None."""

    def __init__(self, progress: Union[bool, Progress, None]) -> None:
        self.line: Optional[_Line] = None
        self.call: Optional[Progress] = None
        if callable(progress):
            self.call = progress
        elif not isinstance(progress, bool | None):
            raise InputError(f"progress: {progress!r} is neither True, False nor a function of step, steps and t")
        elif progress is not False and _in_notebook():
            self.line = _Notebook()
        elif progress is True or (progress is None and sys.stderr is not None and sys.stderr.isatty()):
            self.line = _Terminal()

    def __enter__(self) -> Optional[Progress]:
        return self.call or self.line

    def __exit__(self, *_: object) -> None:
        if self.line is not None:
            self.line.close()
