"""Runs and what came out of them."""

from __future__ import annotations

import functools
import html
import json
import os
import warnings
from typing import Any, Optional, Union

import numpy as np
import numpy.typing as npt

from livens import _core
from livens.model import AnyModel, Model
from livens.progress import Beside, Progress, listener
from livens.toml import Number, path_text, value_text

Array = npt.NDArray[np.float64]


class Frame:
    """A page inside a page: notebooks show it."""

    def __init__(self, page: str, height: int) -> None:
        self.page, self.height = page, height

    def _repr_html_(self) -> str:
        return (
            f'<iframe style="width:100%;height:{self.height}px;border:0" sandbox="allow-scripts allow-downloads" '
            f'srcdoc="{html.escape(self.page, quote=True)}"></iframe>'
        )


class Run:
    """What a run recorded. Arrays are views of its memory: nothing is copied, and they cannot be written to."""

    def __init__(self, core: _core.Run) -> None:
        self._core = core
        self.columns: dict[str, Array] = core.columns()
        """All columns by the names they have in trajectory.h5, such as "q", "raw_p", "audit/energy"."""

    def __reduce__(self) -> tuple[type[Run], tuple[_core.Run]]:
        return Run, (self._core,)

    @functools.cached_property
    def summary(self) -> dict[str, Any]:
        """summary.json as a dict."""
        summary: dict[str, Any] = json.loads(self._core.summary)
        return summary

    @functools.cached_property
    def model(self) -> Model:
        """The model as it was run."""
        return Model._of(self._core.model)

    @property
    def outcome(self) -> str:
        """finished, failed or interrupted"""
        return self._core.outcome

    @property
    def message(self) -> str:
        """Why the run ended early, or what is worth knowing about it."""
        return self._core.message

    @property
    def directory(self) -> Optional[str]:
        """Where its results stand; None: in memory alone."""
        return self._core.directory or None

    def _column(self, name: str) -> Array:
        try:
            return self.columns[name]
        except KeyError:
            there = ", ".join(self.columns)
            raise AttributeError(f"a run of kind {self.model.kind} has no column {name}; it has {there}") from None

    @property
    def t(self) -> Array:
        """Times, shape (N,)."""
        return self._column("t")

    @property
    def q(self) -> Array:
        """Positions, shape (N, n); of odae systems y."""
        return self._column("q")

    @property
    def v(self) -> Array:
        """Velocities, shape (N, n)."""
        return self._column("v")

    @property
    def p(self) -> Array:
        """Momenta, shape (N, n); of odae systems z."""
        return self._column("p")

    @property
    def multipliers(self) -> Array:
        """Multipliers of the constraints, shape (N, m); of odae systems psi."""
        return self._column("lambda")

    @property
    def energy(self) -> Array:
        """Energy, shape (N,)."""
        return self._column("audit/energy")

    @property
    def constraint(self) -> Array:
        """Largest |g|, shape (N,)."""
        return self._column("audit/constraint")

    @property
    def hidden_constraint(self) -> Array:
        """Largest |G v + g_t|, shape (N,)."""
        return self._column("audit/hidden_constraint")

    @property
    def invariants(self) -> dict[str, Array]:
        """The invariants of the model by name, each of shape (N,)."""
        start = "audit/invariants/"
        return {name[len(start) :]: x for name, x in self.columns.items() if name.startswith(start)}

    @property
    def values(self) -> dict[str, Array]:
        """The quantities of [record.values] by name, each of shape (N,)."""
        start = "values/"
        return {name[len(start) :]: x for name, x in self.columns.items() if name.startswith(start)}

    @property
    def events(self) -> list[dict[str, Any]]:
        """Impacts, releases and the events of the model, by time."""
        return list(self.summary.get("events", []))

    def __getitem__(self, name: str) -> Array:
        """A coordinate by its name, ``run["x"]``, its velocity, ``run["x'"]``, a value of [record.values], or a column."""
        names = self.model.coordinates
        if not isinstance(name, str):
            raise TypeError(f"run[{name!r}]: name a coordinate, a value or a column; rows are those of run.q[{name!r}]")
        if name in names:
            return self.q[:, names.index(name)]
        if name.endswith("'") and name[:-1] in names:
            return self.v[:, names.index(name[:-1])]
        if name not in self.values and name not in self.columns:
            there = ", ".join([*names, *self.values, *self.columns])
            raise KeyError(f"{name}: the run has no such coordinate, value or column; it has {there}")
        return self.values[name] if name in self.values else self.columns[name]

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        return (
            f"<livens.Run {self.summary['title']!r}: {self.outcome} after {self.summary['steps']} steps, "
            f"t = {self.summary['final']['t']:g}, {len(self)} rows>"
        )

    def page(self) -> str:
        """The page about the run: HTML that needs nothing else."""
        return self._core.page()

    def report(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the page about the run: one file that moves in every browser. Raises ``StoreError``."""
        place = path_text("report", path)
        try:
            with open(place, "w", encoding="utf-8") as file:
                file.write(self.page())
        except OSError as error:
            raise _core.StoreError(f"{place}: {error.strerror}; choose another place") from error

    def animate(self, height: int = 720) -> Frame:
        """The page, for the cell of a notebook that ends with it."""
        return Frame(self.page(), height)

    def plot(self, *names: str, axes: Any = None) -> Any:
        """Coordinates over time, or what is named as in ``run["x"]`` (needs Matplotlib). Returns the axes."""
        if axes is None:
            import matplotlib.pyplot as plt

            axes = plt.figure().add_subplot()
        for name in names or self.model.coordinates:
            axes.plot(self.t, self[name], label=name)
        axes.set_xlabel("t")
        axes.set_title(self.summary["title"])
        axes.legend()
        return axes

    def to_xarray(self) -> Any:
        """An xarray.Dataset with all columns over t (needs xarray)."""
        import xarray

        names = self.model.coordinates
        data: dict[str, Any] = {}
        for name, x in self.columns.items():
            if name == "t":
                continue
            if x.ndim == 1:
                data[name] = ("t", x)
            elif name in ("q", "v", "p") and x.shape[1] == len(names):
                data[name] = (("t", "coordinate"), x)
            else:
                data[name] = (("t", f"{name} component"), x)
        return xarray.Dataset(data, coords={"t": self.t, "coordinate": names}, attrs={"title": self.summary["title"]})


class StepError(RuntimeError):
    """A step could not be solved. ``run`` is what was computed before, valid up to its last row."""

    def __init__(self, message: str, run: Optional[Run] = None) -> None:
        super().__init__(message)
        self.run = run


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a run or a sweep after the current step. ``result`` is what was computed before."""

    def __init__(self, message: str, result: Any = None) -> None:
        super().__init__(message)
        self.result = result


def _ended(core: _core.Run, check: bool) -> Run:
    for words in core.warnings:
        warnings.warn(words, RuntimeWarning, stacklevel=3)
    out = Run(core)
    if core.interrupted or core.outcome == "interrupted":
        raise Interrupted(core.message, out)
    if check and core.outcome == "failed":
        raise StepError(core.message, out)
    return out


def run(
    model: AnyModel,
    /,
    *,
    out: Union[str, os.PathLike[str], None, Any] = None,
    force: Union[bool, Any] = False,
    check: Union[bool, Any] = True,
    progress: Beside = None,
    **keys: Any,
) -> Run:
    """Runs a model (see ``livens.Model``) and returns what it recorded.

    Keywords override keys of the model: ``run("pendulum", **{"run.every": 10})``. ``step``, ``end``, ``steps`` and
    ``method``, such as "galerkin(s=2)", need no section.

    out: a directory for the results, as ``livens run --out`` writes them; without it nothing is written.
    force: replace a run that is there.
    check: raise ``StepError`` where a step cannot be solved; else the outcome of the run says so.
    progress: called as progress(step, steps, t) from time to time; None: a line on a terminal or in a notebook.

    Raises ``InputError`` (nothing was run), ``StepError``, ``StoreError`` and, on Ctrl-C, ``Interrupted``.
    """
    with listener(progress) as listen:
        core = _core.run(
            Model(model, **keys)._core, None if out is None else path_text("out", out), bool(force), listen
        )
    return _ended(core, check)


def load(directory: Union[str, os.PathLike[str]]) -> Run:
    """The run that ``livens run --out DIRECTORY`` or ``livens.run(out=...)`` has recorded."""
    return Run(_core.recorded(path_text("load", directory)))


def resume(
    directory: Union[str, os.PathLike[str]],
    *,
    end: Optional[Number] = None,
    steps: Union[int, np.integer[Any], None] = None,
    check: bool = True,
    progress: Union[bool, Progress, None] = None,
) -> Run:
    """Takes the run in a directory to its end, or on to a later one; both are totals from the start."""
    if end is not None and steps is not None:
        raise _core.InputError("resume: end and steps are both given; leave one out")
    set_ = [(f"run.{key}", value_text(key, x)) for key, x in (("end", end), ("steps", steps)) if x is not None]
    with listener(progress) as listen:
        core = _core.resume(path_text("resume", directory), set_, listen)
    return _ended(core, check)
