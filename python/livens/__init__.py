"""Constrained mechanical systems, integrated without losing what physics conserves.

    import livens
    run = livens.run("pendulum", **{"run.step": 0.005})
    run.t, run.q, run.p, run.multipliers        # NumPy arrays
    run.summary["audit"]["energy"]["max_error"]
    run.report("pendulum.html")

A model is the path of a model file, the name of a ready problem (``livens.problems()``), a dict of the same shape as a
file, the text of a file, or one of the builders ``Lagrangian``, ``Degenerate``, ``Odae`` and ``Mechanism``. Keywords
such as ``**{"method.s": 3}`` override its keys as ``livens run --set`` does.
"""

from livens import method
from livens._core import InputError, StoreError, version
from livens.build import Degenerate, Lagrangian, Mechanism, Odae
from livens.lists import functions, methods, problems, show, studies
from livens.model import Model
from livens.runs import Interrupted, Run, StepError, load, resume, run
from livens.study import (
    advise,
    study_efficiency,
    study_invariants,
    study_order,
    study_reversibility,
    study_symplecticity,
)
from livens.sweeps import Sweep, sweep

__version__ = version.split()[0]  # the rest is commit and compiler

__all__ = [
    "Degenerate",
    "InputError",
    "Interrupted",
    "Lagrangian",
    "Mechanism",
    "Model",
    "Odae",
    "Run",
    "StepError",
    "StoreError",
    "Sweep",
    "__version__",
    "advise",
    "functions",
    "load",
    "method",
    "methods",
    "problems",
    "resume",
    "run",
    "show",
    "studies",
    "study_efficiency",
    "study_invariants",
    "study_order",
    "study_reversibility",
    "study_symplecticity",
    "sweep",
    "version",
]
