"""What a step of each method costs: double pendulum in space (6 coordinates, 2 constraints), two vortices, a bead with
friction, over 200 steps."""

import functools
import json
import pathlib
import subprocess
import tempfile
from typing import Any

STEPS = 200
PROBLEMS = {
    "double-pendulum": (
        "0.005",
        ["shake", "rattle", "constrained-euler", "ggl", "classical-ggl", "energy-momentum", "hbvm"]
        + [f"galerkin(s={s})" for s in (1, 2, 4, 8)]
        + ["spark(s=2)", "euler", "composition"],
    ),
    "vortices": ("0.1", [f"vprk(stages={s})" for s in (1, 2, 4)]),
    "hoop-friction": ("0.01", ["euler", "composition", "spark(s=2)"]),
}


def _cost(livens: pathlib.Path, problem: str, step: str, method: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as scratch:
        words = ["run", problem, "--steps", str(STEPS), "--step", step, "--method", method, "--out", f"{scratch}/run"]
        reply = subprocess.run([livens, *words, "--json", "--quiet"], capture_output=True, text=True, check=True)
    cost = json.loads(reply.stdout)["cost"]
    figures = {key: cost[key] / STEPS for key in ("evaluations", "jacobians", "newton_iterations")}
    return {"problem": problem, "step": step, "method": method, **figures}


@functools.cache
def measured(livens: pathlib.Path) -> list[dict[str, Any]]:
    """One row for every method on a problem; figures are means of a step."""
    return [_cost(livens, problem, step, m) for problem, (step, methods) in PROBLEMS.items() for m in methods]
