"""Builders write what a model file would hold."""

import inspect

import livens
import numpy as np
import pytest


def test_a_builder_runs_as_the_ready_problem_does():
    swing = livens.Lagrangian(
        coordinates="x, y",
        lagrangian="m/2*(x'^2 + y'^2) - m*g*y",
        constraints=["(x^2 + y^2 - l^2)/2"],
        parameters={"m": 1.0, "l": 1.0, "g": 9.81},
        q=["sin(1)", "-cos(1)"],
        v=["cos(1)/2", "sin(1)/2"],
        method="rattle",
        step=0.01,
        end=1,
    )
    assert np.array_equal(swing.run().q, livens.run("pendulum", **{"run.end": 1.0}).q)
    assert livens.Model(swing.text).coordinates == ["x", "y"]
    assert swing.model().kind == "lagrangian" and swing["run"] == {"step": 0.01, "end": 1}
    with_every = livens.Lagrangian(
        coordinates="x", lagrangian="x'^2/2", q=[0], v=[1], method="rattle", step=0.5, end=1, run={"every": 2}
    )
    assert with_every.run().q[:, 0].tolist() == [0, 1]
    falls = {"coordinates": "x", "lagrangian": "x'^2/2 - x", "q": [0], "v": [1], "method": "rattle", "step": 0.5}
    assert livens.Lagrangian(**falls, steps=3).run().t.tolist() == [0, 0.5, 1, 1.5]
    pushed = livens.Lagrangian(**falls, steps=3, forces=[np.float64(1)]).run()
    assert pushed.q[-1, 0] == pytest.approx(1.5)
    with pytest.raises(livens.InputError, match="forces: nan is not a finite number"):
        livens.Lagrangian(**falls, forces=[float("nan")])
    with pytest.raises(livens.InputError, match="run.step is given twice"):
        livens.Lagrangian(**falls, run={"step": 0.1})


def test_degenerate_and_overdetermined_systems():
    volterra = livens.Degenerate(
        coordinates="x y",
        theta=["log(y)/x", 0],  # a number is a formula, too
        hamiltonian="x - log(x) + y - 2*log(y)",
        q=[1, 1],
        method=livens.method.vprk(stages=2),
        step=0.1,
        end=1,
    )
    assert np.ptp(volterra.run().energy) < 1e-3
    swing = livens.Odae(
        positions="x y",
        velocities="u w",
        multipliers="l",
        velocity=["u", "w"],
        force=[0, np.float64(-9.81)],
        reaction=["-l*x", "-l*y"],
        constraints=["(x^2 + y^2 - 1)/2"],
        y=[1, 0],
        z=[0, 0],
        method="euler",
        step=0.001,
        end=0.1,
    )
    assert swing.run().constraint.max() < 1e-13


def test_a_mechanism_from_calls():
    m = livens.Mechanism(gravity=[0, -9.81], plane=True, method="rattle", step=0.001, end=0.1, parameters={"l": 1.0})
    rod = m.body("rod", mass=1, shape={"type": "rod", "length": "l"}, position=["l/2", 0])
    m.revolute("pin", "ground", rod, at=[0, 0])
    m.spring("ground", rod, stiffness=10.0, damping=0.1)
    m.force(rod, force=["0", "sin(t)"])
    run = m.run()
    assert run.columns["bodies/rod/position"].shape == (101, 2)
    # about its end a rod falls with 3 g / (2 l): the centre of mass by 3/8 g t^2, less the spring and the force
    assert -0.375 * 9.81 * 0.1**2 * 1.01 < run.columns["bodies/rod/position"][-1, 1] < -0.03
    with pytest.raises(livens.InputError, match="force.force.*write it as a formula"):
        m.force(rod, force=[abs, "0"])
    assert len(m["force"]) == 1
    m.spring(rod, stiffness=1.0)
    with pytest.raises(livens.InputError, match=r"spring.2..bodies: has 1 entry; write two"):
        m.model()


@pytest.mark.parametrize(
    "joint, plane, keys",
    [
        ("universal", False, {"at": [0, 0, 0.5], "axes": [[1, 0, 0], [0, 1, 0]]}),
        ("cylindrical", False, {"at": [0, 0, 0.5], "axis": [0, 0, 1]}),
        ("planar", False, {"at": [0, 0, 0], "axis": [0, 1, 0]}),
        ("slider", True, {"at": [0, 0], "axis": [1, 1]}),
    ],
)
def test_every_joint_has_a_call_that_states_what_a_file_does(joint, plane, keys):
    numbers = 2 if plane else 3
    gravity = [0.0] * (numbers - 1) + [-9.81]
    m = livens.Mechanism(gravity=gravity, plane=plane, method="rattle", step=0.01, end=0.1)
    inertia = 0.1 if plane else [0.1, 0.2, 0.25]
    m.body("arm", mass=1, inertia=inertia, position=[0] * numbers, **({} if plane else {"angular_velocity": [0, 0, 1]}))
    assert getattr(m, joint)("link", "ground", "arm", **keys) == "link"
    written = f"""
[system]
kind = "multibody"
plane = {str(plane).lower()}
gravity = {gravity}
[initial]
project = true
[[body]]
name = "arm"
mass = 1.0
inertia = {inertia}
{"" if plane else "angular_velocity = [0, 0, 1]"}
[[joint]]
name = "link"
type = "{joint}"
bodies = ["ground", "arm"]
{chr(10).join(f"{key} = {value}" for key, value in keys.items())}
[method]
name = "rattle"
[run]
step = 0.01
end = 0.1
"""
    assert np.array_equal(m.run(initial={"project": True}).q, livens.run(written).q)


def test_methods_are_functions_with_the_words_of_the_table():
    assert livens.method.galerkin(s=3) == {"name": "galerkin", "s": 3}
    run = livens.run("pendulum", method=livens.method.galerkin(s=3), **{"run.end": 0.1})
    assert run.summary["method"]["s"] == 3
    assert livens.run("pendulum", method={"s": 3, "name": "galerkin"}, **{"run.end": 0.1}).q.tolist() == run.q.tolist()
    for entry in livens.methods():
        words = getattr(livens.method, entry["name"].replace("-", "_")).__doc__
        assert words.startswith(entry["summary"]) and all(
            option["help"] in words.replace("\n    ", " ") for option in entry["options"]
        )
        options = inspect.signature(getattr(livens.method, entry["name"].replace("-", "_"))).parameters
        assert {name: option.default for name, option in options.items()} == {
            option["name"]: option["default"] for option in entry["options"]
        }
    with pytest.raises(livens.InputError, match="galerkin has no such option"):
        livens.method.galerkin(stages=3)
