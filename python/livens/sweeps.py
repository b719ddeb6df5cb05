"""Sweeps: one model, many values of some of its keys."""

from __future__ import annotations

import functools
import itertools
import json
import operator
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from livens import _core
from livens.model import AnyModel, Model
from livens.progress import Beside, listener
from livens.runs import Array, Interrupted, Run
from livens.toml import overrides


class Sweep:
    """The runs of a sweep, stacked: first come the axes of the keys, in their order, then rows and components.

    ``sweep.q[i, k]`` is q of the i-th value at row k. Where a run has no row, after a failure, there is not-a-number.
    """

    def __init__(self, core: _core.Sweep, values: Mapping[str, Sequence[Any]]) -> None:
        self._core = core
        self.values = dict(values)
        """The values of every key."""
        self.shape = tuple(len(x) for x in values.values())
        outcomes, self.messages, self._summaries = (list(x) for x in zip(*core.ends))
        self.outcomes: npt.NDArray[np.str_] = np.array(outcomes).reshape(self.shape)
        """finished, failed, interrupted, refused (the input is wrong) or "" (not begun), in the shape of the sweep."""

    @property
    def finished(self) -> npt.NDArray[np.bool_]:
        """Which runs reached their end."""
        return np.asarray(self.outcomes == "finished")

    @property
    def columns(self) -> list[str]:
        """Names of the columns that can be stacked: all runs have them, and as wide."""
        return self._core.columns

    def stacked(self, column: str) -> Array:
        """A column of all runs, such as "audit/energy". Raises InputError where a key changes the columns themselves,
        such as a number of coordinates; each run has its own then, ``sweep[i].q``."""
        if column not in self._stacks:
            try:
                x = self._core.stacked(column)
            except KeyError:
                there = f"they have {', '.join(self.columns)}" if self.columns else f"of the first: {self.messages[0]}"
                raise KeyError(f"{column}: the runs have no such column; {there}") from None
            self._stacks[column] = x.reshape(self.shape + x.shape[1:])
        return self._stacks[column]

    @functools.cached_property
    def _stacks(self) -> dict[str, Array]:
        return {}

    def _column(self, name: str) -> Array:
        try:
            return self.stacked(name)
        except KeyError as error:
            raise AttributeError(*error.args) from None

    @property
    def t(self) -> Array:
        """Times."""
        return self._column("t")

    @property
    def q(self) -> Array:
        """Positions."""
        return self._column("q")

    @property
    def v(self) -> Array:
        """Velocities."""
        return self._column("v")

    @property
    def p(self) -> Array:
        """Momenta."""
        return self._column("p")

    @property
    def multipliers(self) -> Array:
        """Multipliers."""
        return self._column("lambda")

    @property
    def energy(self) -> Array:
        """Energies."""
        return self._column("audit/energy")

    @functools.cached_property
    def summaries(self) -> list[Optional[dict[str, Any]]]:
        """The summary of every run, the last key fastest; None: refused or not begun."""
        return [json.loads(text) if text else None for text in self._summaries]

    def __reduce__(self) -> str:
        raise TypeError("a livens.Sweep cannot be pickled; pickle its runs, sweep[i], or its columns, sweep.q")

    def __len__(self) -> int:
        return len(self.messages)

    def __getitem__(self, index: Union[int, tuple[int, ...]]) -> Run:
        """One run by its place, ``sweep[3]`` or ``sweep[1, 2]``; raises the InputError of one that was refused."""
        place, shape = (index, self.shape) if isinstance(index, tuple) else ((index,), (len(self),))
        place = tuple(map(operator.index, place))
        if len(place) != len(shape) or not all(-n <= i < n for i, n in zip(place, shape)):
            numbers, sizes = ", ".join(map(str, place)), " x ".join(map(str, shape))
            raise IndexError(f"there is no run {numbers} in a sweep of {sizes}")
        flat = np.ravel_multi_index(tuple(i % n for i, n in zip(place, shape)), shape)
        return Run(self._core.run(int(flat)))

    def __repr__(self) -> str:
        return f"<livens.Sweep of {', '.join(self.values)}: {int(self.finished.sum())} of {len(self)} finished>"


def threads(workers: Any) -> Optional[int]:
    """The number of threads, None: one a core."""
    if workers is None:
        return None
    if not isinstance(workers, (int, float, np.integer, np.floating)) or not workers >= 1 or workers % 1 != 0:
        raise _core.InputError(f"workers: {workers!r} is not a number of threads; give 1 or more")
    return int(workers)


def sweep(
    model: AnyModel,
    values: Mapping[str, Iterable[Any]],
    /,
    *,
    workers: Union[int, None, Any] = None,
    progress: Beside = None,
    **keys: Any,
) -> Sweep:
    """Runs a model with all values of some keys, ``{"system.parameters.l": np.linspace(1, 2, 100)}``; with several keys
    all combinations. Runs go in threads, as many as there are cores or ``workers``; nothing depends on their number.

    A run that fails or whose input is wrong is recorded as such (``outcomes``, ``messages``). Ctrl-C raises
    ``Interrupted``, whose result has the runs that were done.
    """
    if not isinstance(values, Mapping):
        raise _core.InputError(f'values: {values!r} is no dict; write {{"system.parameters.l": [1.0, 2.0]}}')
    for key, x in values.items():
        if isinstance(x, (str, Mapping)) or not isinstance(x, Iterable):
            raise _core.InputError(f"values: {key}: {x!r} is one value; give a list of them")
    lists = {key: list(x) for key, x in values.items()}
    if not lists or not all(lists.values()):
        raise _core.InputError('values: give values for at least one key, such as {"system.parameters.l": [1.0, 2.0]}')
    points = [overrides(dict(zip(lists, point))) for point in itertools.product(*lists.values())]
    for key in {key for key, _ in overrides(keys)} & {key for key, _ in points[0]}:
        raise _core.InputError(f"{key} is given twice, in values and beside them; leave one out")
    with listener(progress) as listen:
        core = _core.sweep(Model(model, **keys)._core, points, threads(workers), listen)
    out = Sweep(core, lists)
    if core.interrupted:
        raise Interrupted(f"interrupted after {int(out.finished.sum())} of {len(out)} runs", out)
    return out
