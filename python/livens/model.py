"""Models: what moves, from where, by which method, how long."""

from __future__ import annotations

import os
from typing import Any, Mapping, Union

from livens import _core
from livens.toml import in_utf8, model_text, overrides, path_text


class Model:
    """A model that has been read and understood.

    ``source`` is the path of a model file (it contains "/" or ends in .toml), the name of a ready problem, the text of
    a model file (it has more than one line), a dict of the same shape, a builder, or another model. Keywords override
    keys: ``Model("pendulum", **{"run.step": 0.005})``; a section may be a dict, ``method=livens.method.galerkin(s=2)``,
    and ``step``, ``end``, ``steps`` and ``method="galerkin(s=2)"`` need none.
    Raises ``livens.InputError``.
    """

    def __init__(self, source: AnyModel, /, **keys: Any) -> None:
        set_ = overrides(keys)
        if isinstance(source, Model):
            self._core: _core.Model = source._core.with_overrides(set_) if set_ else source._core
        elif isinstance(source, Mapping):
            self._core = _core.Model.read("model", model_text(source), set_)
        elif isinstance(source, str) and "\n" in source:
            self._core = _core.Model.read("model", in_utf8("model", source), set_)
        elif isinstance(source, str):
            self._core = _core.Model.load(in_utf8("model", source), set_)
        elif isinstance(source, os.PathLike):
            path = path_text("model", source)
            self._core = _core.Model.load(path if "/" in path else f"./{path}", set_)
        else:
            raise _core.InputError(
                f"{source!r}: a model is a path, the name of a ready problem, a text, a dict or a builder of livens"
            )

    @classmethod
    def _of(cls, core: _core.Model) -> Model:
        model = cls.__new__(cls)
        model._core = core
        return model

    @property
    def text(self) -> str:
        """The model file, with all overrides in it."""
        return self._core.as_run if self._core.set else self._core.text

    @property
    def title(self) -> str:
        """Its name for people."""
        return self._core.title

    @property
    def kind(self) -> str:
        """lagrangian, degenerate, odae or multibody"""
        return self._core.kind

    @property
    def coordinates(self) -> list[str]:
        """Names of the coordinates that are recorded, in the order of ``run.q``."""
        return self._core.coordinates

    @property
    def constraints(self) -> int:
        """Number of constraints."""
        return self._core.constraints

    @property
    def method(self) -> str:
        """Name of the method; "" where the model has none."""
        return self._core.method

    def check(self) -> dict[str, str]:
        """Derivatives, structure and start values, as ``livens check`` looks at them; nothing is run.

        Where several findings are about the same, as the mass matrix, they stand in one text, one a line.
        """
        findings: dict[str, list[str]] = {}
        for what, finding in self._core.check():
            findings.setdefault(what, []).append(finding)
        return {what: "\n".join(lines) for what, lines in findings.items()}

    def write(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the model file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text)

    def __repr__(self) -> str:
        return f"<livens.Model {self.title!r}: {self.kind}, {len(self.coordinates)} coordinates>"

    def __str__(self) -> str:
        return self.text


AnyModel = Union[str, "os.PathLike[str]", Mapping[str, Any], Model]
