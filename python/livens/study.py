"""Studies of a method on a model. Each returns what ``livens study NAME --json`` prints, as a dict."""

from __future__ import annotations

import json
import os
from typing import Any, Iterable, Mapping, Union

from livens import _core
from livens.model import AnyModel, Model
from livens.progress import Beside, listener
from livens.runs import StepError
from livens.sweeps import threads
from livens.toml import Number, path_text, value_text


def _told(told: tuple[str, list[str]], one_run: bool = False) -> dict[str, Any]:
    text, failures = told
    if one_run and failures:
        raise StepError("; ".join(failures))
    out: dict[str, Any] = json.loads(text)
    out["failures"] = failures
    return out


def _steps(step_sizes: Iterable[Number]) -> str:
    if isinstance(step_sizes, str) or not isinstance(step_sizes, Iterable):
        raise _core.InputError(f"step_sizes: {step_sizes!r} is one value; give a list of them")
    return ",".join(h if isinstance(h, str) else value_text("step_sizes", h) for h in step_sizes)


def _methods(methods: Union[str, Iterable[Union[str, Mapping[str, Any]]]]) -> str:
    if isinstance(methods, str):
        return methods
    texts = []
    for method in [methods] if isinstance(methods, Mapping) else methods:
        if isinstance(method, Mapping):
            options = (f"{key}={value_text(key, x)}" for key, x in method.items() if key != "name")
            method = f"{method.get('name', '')}({', '.join(options)})"
        elif not isinstance(method, str):
            raise _core.InputError(f'methods: {method!r} is none; write "rattle, galerkin(s=2)", or a list of methods')
        texts.append(method)
    return ", ".join(texts)


def study_order(
    model: AnyModel,
    /,
    *,
    step_sizes: Iterable[Number],
    reference: Union[str, os.PathLike[str], Any] = "fine",
    progress: Beside = None,
    **keys: Any,
) -> dict[str, Any]:
    """Errors and slopes of q, p and lambda over several step sizes (numbers, or formulas such as "1/40").

    reference: "fine", "exact" ([exact] of the model) or the path of a trajectory.h5. ``failures`` of the result names
    the runs that did not end.
    """
    with listener(progress) as listen:
        core, of = Model(model, **keys)._core, path_text("reference", reference)
        return _told(_core.study_order(core, _steps(step_sizes), of, listen))


def study_efficiency(
    model: AnyModel,
    /,
    *,
    methods: Union[str, Iterable[Union[str, Mapping[str, Any]]]],
    step_sizes: Union[Iterable[Number], None, Any] = None,
    reference: Union[str, os.PathLike[str], Any] = "fine",
    progress: Beside = None,
    **keys: Any,
) -> dict[str, Any]:
    """Errors against seconds and evaluations over several step sizes, of methods such as "rattle, galerkin(s=2)" or
    [livens.method.rattle(), livens.method.galerkin(s=2)]."""
    steps = "" if step_sizes is None else _steps(step_sizes)
    with listener(progress) as listen:
        core, of = Model(model, **keys)._core, path_text("reference", reference)
        return _told(_core.study_efficiency(core, _methods(methods), steps, of, listen))


def study_symplecticity(model: AnyModel, /, **keys: Any) -> dict[str, Any]:
    """Defect of the two-form under the exact derivative of one step."""
    return _told(_core.study_symplecticity(Model(model, **keys)._core), one_run=True)


def study_reversibility(model: AnyModel, /, **keys: Any) -> dict[str, Any]:
    """Distance to the start after N steps with h and N with -h."""
    return _told(_core.study_reversibility(Model(model, **keys)._core), one_run=True)


def study_invariants(model: AnyModel, /, *, workers: Union[int, None, Any] = None, **keys: Any) -> dict[str, Any]:
    """Poincare integral invariants along [loop] and over [surface] of the model."""
    return _told(_core.study_invariants(Model(model, **keys)._core, threads(workers)))


def advise(model: AnyModel, /, *, progress: Beside = None, **keys: Any) -> dict[str, Any]:
    """Methods that fit and their steps, with estimated errors and cost; ``rows[recommended]`` is the one to take.

    The accuracy is that of the model, ``**{"run.accuracy": 1e-8}``, or 1e-6.
    """
    with listener(progress) as listen:
        text, _ = _core.advise(Model(model, **keys)._core, listen)
    out: dict[str, Any] = json.loads(text)
    return out
