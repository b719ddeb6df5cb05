"""Models in a few calls. Each builder is a dict of the same shape as a model file: whatever takes a model takes it.

Formulas are texts: Livens differentiates them and runs them without the interpreter. A function of Python in their
place is refused.
"""

from __future__ import annotations

import tomllib
from typing import Any, Iterable, Mapping, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

from livens._core import InputError, method_keys
from livens.model import Model
from livens.runs import Run, run
from livens.toml import Number, model_text, refusal, value_text

Names = Union[str, Sequence[str]]
Numbers = Union[Sequence[Number], npt.NDArray[Any]]


def _names(key: str, names: Names) -> list[str]:
    if not isinstance(names, Iterable):
        raise InputError(f'{key}: {names!r} is no list of names; write "x y" or ["x", "y"]')
    return names.replace(",", " ").split() if isinstance(names, str) else list(names)


def _formulas(key: str, formulas: Optional[Sequence[Number]]) -> Any:
    """Numbers among them as texts; what is no list is left to the reader of models."""
    if isinstance(formulas, str) or not isinstance(formulas, Iterable):
        return formulas
    numbers = (int, float, np.integer, np.floating)
    return [value_text(key, f) if isinstance(f, numbers) else f for f in formulas]


def _given(**keys: Any) -> dict[str, Any]:
    return {key: value for key, value in keys.items() if value is not None}


def _method(method: Union[str, Mapping[str, Any], None]) -> Optional[dict[str, Any]]:
    """[method] of a dict, or of a text such as "galerkin(s=2)"."""
    if not isinstance(method, str):
        if not isinstance(method, Mapping | None):
            raise refusal("method", method)
        return dict(method) if method is not None else None
    return {key.removeprefix("method."): _value(text) for key, text in method_keys(method)}


def _value(text: str) -> Any:
    try:
        return tomllib.loads(f"x = {text}")["x"]
    except tomllib.TOMLDecodeError:
        return text


class Builder(dict[str, Any]):
    """A model in the making: a dict with the sections of a model file."""

    def _finish(
        self,
        title: Optional[str],
        system: dict[str, Any],
        initial: dict[str, Any],
        method: Union[str, Mapping[str, Any], None],
        step: Optional[Number],
        end: Optional[Number],
        steps: Optional[int],
        sections: Mapping[str, Any],
    ) -> None:
        self.update(_given(title=title, system=system, initial=initial or None, method=_method(method)))
        timing = _given(step=step, end=end, steps=steps)
        if timing:
            self["run"] = timing
        for key, value in sections.items():
            if isinstance(value, Mapping) and key in self:
                for twice in self[key].keys() & value.keys():
                    raise InputError(f"{key}.{twice} is given twice; leave one out")
                self[key] = {**self[key], **value}
            else:
                self[key] = value
        model_text(self)  # refuses what no file can hold, such as a function

    @property
    def text(self) -> str:
        """The model file."""
        return model_text(self)

    def model(self, **keys: Any) -> Model:
        """Reads and checks it."""
        return Model(self, **keys)

    def run(self, **keys: Any) -> Run:
        """``livens.run`` of it."""
        return run(self, **keys)


class Lagrangian(Builder):
    """A Lagrangian system with constraints.

        livens.Lagrangian(coordinates="x y", lagrangian="m/2*(x'^2 + y'^2) - m*g*y", constraints=["(x^2 + y^2 - 1)/2"],
                          parameters={"m": 1, "g": 9.81}, q=[1, 0], v=[0, 0], method="rattle", step=0.01, end=10)

    x' is the velocity of x. What else a model file has is given by section: ``run={"every": 10}``, ``solver={...}``.
    """

    def __init__(
        self,
        *,
        coordinates: Names,
        lagrangian: str,
        constraints: Optional[Sequence[str]] = None,
        forces: Optional[Sequence[Number]] = None,
        parameters: Optional[Mapping[str, Number]] = None,
        let: Optional[Mapping[str, str]] = None,
        invariants: Optional[Mapping[str, str]] = None,
        q: Optional[Numbers] = None,
        v: Optional[Numbers] = None,
        p: Optional[Numbers] = None,
        t: Optional[Number] = None,
        project: Optional[bool] = None,
        method: Union[str, Mapping[str, Any], None] = None,
        step: Optional[Number] = None,
        end: Optional[Number] = None,
        steps: Optional[int] = None,
        title: Optional[str] = None,
        **sections: Any,
    ) -> None:
        super().__init__()
        system = _given(
            kind="lagrangian",
            coordinates=_names("coordinates", coordinates),
            lagrangian=lagrangian,
            constraints=constraints,
            forces=_formulas("forces", forces),
            parameters=parameters,
            let=let,
            invariants=invariants,
        )
        self._finish(title, system, _given(t=t, q=q, v=v, p=p, project=project), method, step, end, steps, sections)


class Degenerate(Builder):
    """A degenerate Lagrangian system L = theta(q).v - H(q), such as a guiding centre or point vortices.

    livens.Degenerate(coordinates="x y", theta=["log(y)/x", "0"], hamiltonian="...", q=[1, 1], method="vprk", ...)
    """

    def __init__(
        self,
        *,
        coordinates: Names,
        theta: Sequence[Number],
        hamiltonian: str,
        parameters: Optional[Mapping[str, Number]] = None,
        let: Optional[Mapping[str, str]] = None,
        invariants: Optional[Mapping[str, str]] = None,
        q: Optional[Numbers] = None,
        method: Union[str, Mapping[str, Any], None] = None,
        step: Optional[Number] = None,
        end: Optional[Number] = None,
        steps: Optional[int] = None,
        title: Optional[str] = None,
        **sections: Any,
    ) -> None:
        super().__init__()
        system = _given(
            kind="degenerate",
            coordinates=_names("coordinates", coordinates),
            theta=_formulas("theta", theta),
            hamiltonian=hamiltonian,
            parameters=parameters,
            let=let,
            invariants=invariants,
        )
        self._finish(title, system, _given(q=q), method, step, end, steps, sections)


class Odae(Builder):
    """An overdetermined differential-algebraic system y' = velocity, z' = force + reaction, 0 = constraints.

    The reaction may be nonlinear in the multipliers.
    """

    def __init__(
        self,
        *,
        positions: Names,
        velocities: Names,
        multipliers: Names,
        velocity: Sequence[Number],
        force: Sequence[Number],
        reaction: Sequence[Number],
        constraints: Sequence[str],
        parameters: Optional[Mapping[str, Number]] = None,
        let: Optional[Mapping[str, str]] = None,
        invariants: Optional[Mapping[str, str]] = None,
        y: Optional[Numbers] = None,
        z: Optional[Numbers] = None,
        psi: Optional[Numbers] = None,
        t: Optional[Number] = None,
        project: Optional[bool] = None,
        method: Union[str, Mapping[str, Any], None] = None,
        step: Optional[Number] = None,
        end: Optional[Number] = None,
        steps: Optional[int] = None,
        title: Optional[str] = None,
        **sections: Any,
    ) -> None:
        super().__init__()
        system = _given(
            kind="odae",
            positions=_names("positions", positions),
            velocities=_names("velocities", velocities),
            multipliers=_names("multipliers", multipliers),
            velocity=_formulas("velocity", velocity),
            force=_formulas("force", force),
            reaction=_formulas("reaction", reaction),
            constraints=constraints,
            parameters=parameters,
            let=let,
            invariants=invariants,
        )
        self._finish(title, system, _given(t=t, y=y, z=z, psi=psi, project=project), method, step, end, steps, sections)


class Mechanism(Builder):
    """Bodies and joints, added one by one with the keys of [[body]], [[joint]], [[spring]], [[damper]] and [[force]].

    m = livens.Mechanism(gravity=[0, -9.81], plane=True, method="rattle", step=0.001, end=5)
    m.body("crank", mass=1, shape={"type": "box", "size": [0.1, 0.02]}, position=[0.05, 0])
    m.revolute("axle", "ground", "crank", at=[0, 0])
    """

    def __init__(
        self,
        *,
        gravity: Optional[Numbers] = None,
        plane: Optional[bool] = None,
        parameters: Optional[Mapping[str, Number]] = None,
        let: Optional[Mapping[str, str]] = None,
        t: Optional[Number] = None,
        project: Optional[bool] = None,
        method: Union[str, Mapping[str, Any], None] = None,
        step: Optional[Number] = None,
        end: Optional[Number] = None,
        steps: Optional[int] = None,
        title: Optional[str] = None,
        **sections: Any,
    ) -> None:
        super().__init__()
        system = _given(kind="multibody", gravity=gravity, plane=plane, parameters=parameters, let=let)
        self._finish(title, system, _given(t=t, project=project), method, step, end, steps, sections)

    def _add(self, section: str, keys: dict[str, Any]) -> None:
        model_text({section: [keys]})
        self.setdefault(section, []).append(keys)

    def body(self, name: str, **keys: Any) -> str:
        """Adds a body (mass, inertia, shape, density, position, rotation, velocity, ...) and returns its name."""
        self._add("body", _given(name=name, **keys))
        return name

    def joint(self, type: str, name: str, first: str, second: str, **keys: Any) -> str:
        """Adds a joint of a type between two bodies, "ground" is space, and returns its name."""
        self._add("joint", _given(name=name, type=type, bodies=[first, second], **keys))
        return name

    def revolute(self, name: str, first: str, second: str, **keys: Any) -> str:
        """A hinge: at, axis (not in the plane), motion."""
        return self.joint("revolute", name, first, second, **keys)

    def spherical(self, name: str, first: str, second: str, **keys: Any) -> str:
        """A ball: at."""
        return self.joint("spherical", name, first, second, **keys)

    def prismatic(self, name: str, first: str, second: str, **keys: Any) -> str:
        """A slide: at, axis, motion."""
        return self.joint("prismatic", name, first, second, **keys)

    def universal(self, name: str, first: str, second: str, **keys: Any) -> str:
        """A Cardan joint, in space: at, axes (one on each body)."""
        return self.joint("universal", name, first, second, **keys)

    def cylindrical(self, name: str, first: str, second: str, **keys: Any) -> str:
        """A slide that turns, in space: at, axis."""
        return self.joint("cylindrical", name, first, second, **keys)

    def planar(self, name: str, first: str, second: str, **keys: Any) -> str:
        """A face on a face, in space: at, axis (the normal)."""
        return self.joint("planar", name, first, second, **keys)

    def slider(self, name: str, first: str, second: str, **keys: Any) -> str:
        """A point of the second body on a line of the first, in the plane: at, axis, unilateral."""
        return self.joint("slider", name, first, second, **keys)

    def fixed(self, name: str, first: str, second: str, **keys: Any) -> str:
        """A weld: at."""
        return self.joint("fixed", name, first, second, **keys)

    def distance(self, name: str, first: str, second: str, **keys: Any) -> str:
        """A massless rod, or with unilateral=True a rope, between two points: points, length."""
        return self.joint("distance", name, first, second, **keys)

    def spring(self, first: Optional[str] = None, second: Optional[str] = None, **keys: Any) -> None:
        """A spring between points of two bodies, or with joint="elbow" one that turns."""
        self._add("spring", _given(bodies=[body for body in (first, second) if body is not None] or None, **keys))

    def damper(self, first: Optional[str] = None, second: Optional[str] = None, **keys: Any) -> None:
        """A damper between points of two bodies, or with joint="elbow" one that turns."""
        self._add("damper", _given(bodies=[body for body in (first, second) if body is not None] or None, **keys))

    def force(self, body: str, **keys: Any) -> None:
        """A force (formulas in the axes of space) at a point of a body, and a torque."""
        self._add("force", _given(body=body, **keys))
