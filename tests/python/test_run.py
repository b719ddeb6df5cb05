"""Runs: the same numbers and words as the program, in memory, with errors that keep what was computed."""

import json
import multiprocessing
import os
import pathlib
import pickle
import signal
import subprocess
import threading
import time

import livens
import numpy as np
import pytest

PROGRAM = os.environ["LIVENS_PROGRAM"]

PENDULUM = {
    "title": "Swing",
    "system": {
        "kind": "lagrangian",
        "coordinates": ["x", "y"],
        "lagrangian": "m/2*(x'^2 + y'^2) - m*g*y",
        "constraints": ["(x^2 + y^2 - l^2)/2"],
        "parameters": {"m": 1.0, "l": 1.0, "g": 9.81},
        "invariants": {"spin": "x*p_y - y*p_x"},
    },
    "initial": {"q": np.array([1.0, 0.0]), "v": (0, 0)},
    "method": {"name": "rattle"},
    "run": {"step": 0.01, "end": 1.0},
}


def test_a_run_has_the_numbers_of_the_program(tmp_path):
    keys = {"method.name": "galerkin", "method.s": 3, "run.end": 2.0}
    run = livens.run("pendulum", **keys)
    command = [PROGRAM, "run", "pendulum", "--json", "--quiet", "--out", str(tmp_path / "r")]
    command += [word for key, value in keys.items() for word in ("--set", f"{key}={value}")]
    told = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    recorded = livens.load(tmp_path / "r")
    for key in ("final", "raw", "audit", "method", "model_sha256", "steps", "outcome"):
        assert run.summary[key] == told[key] == recorded.summary[key]
    assert run.summary["directory"] is None
    assert run.columns.keys() == recorded.columns.keys()
    for name, column in run.columns.items():
        assert np.array_equal(column, recorded.columns[name], equal_nan=True)
    assert run.q[-1].tolist() == told["final"]["q"] and run.multipliers[-1].tolist() == told["final"]["lambda"]


def test_rows_are_not_asked_of_a_run_itself():
    with pytest.raises(TypeError, match="rows are those of run.q"):
        livens.run("pendulum", end=0.1)[0]


def test_arrays_are_views_that_outlive_the_run():
    run = livens.run(PENDULUM)
    q = run.q
    assert q.shape == (101, 2) and run.t.shape == (101,) and run.multipliers.shape == (101, 1)
    assert not q.flags.owndata and not q.flags.writeable and q.flags.c_contiguous
    assert np.shares_memory(q, run["x"]) and np.array_equal(run["y'"], run.v[:, 1])
    assert np.ptp(run.energy) < 0.01 and run.constraint.max() < 1e-14 and list(run.invariants) == ["spin"]
    last = q[-1].copy()
    del run
    livens.run(PENDULUM)
    assert np.array_equal(q[-1], last)


def test_a_file_a_text_a_dict_and_a_path_are_the_same_model(tmp_path, monkeypatch):
    model = livens.Model(PENDULUM)
    model.write(tmp_path / "swing.toml")
    monkeypatch.chdir(tmp_path)
    last = livens.run(PENDULUM).q[-1].tolist()
    for same in (model, model.text, "swing.toml", pathlib.Path("swing.toml"), tmp_path / "swing.toml"):
        assert livens.run(same).q[-1].tolist() == last
    changed = livens.Model(model, **{"system.parameters.l": 1.0, "run.step": 0.02})
    assert "step = 0.02" in changed.text and "step = 0.01" in model.text
    assert all(words and "WRONG" not in words for words in model.check().values())


def test_a_check_has_all_lines_of_that_of_the_program():
    command = [PROGRAM, "check", "rope-swing", "--json"]
    told = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    found = livens.Model("rope-swing").check()
    assert len(told["checks"]) > len(found)
    lines = [(what, line) for what, text in found.items() for line in text.split("\n")]
    assert sorted(lines) == sorted((line["what"], line["finding"]) for line in told["checks"])


@pytest.mark.parametrize(
    "model, keys",
    [
        ("pendulm", {}),
        ("pendulum", {"run.stepp": 1.0}),
        ("pendulum", {"initial.q": [2.0, 0.0]}),
        ("./absent.toml", {}),
        ("pendulum", {"method.name": "vprk"}),
    ],
)
def test_wrong_input_is_told_in_the_words_of_the_program(model, keys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(livens.InputError) as error:
        livens.run(model, **keys)
    command = [PROGRAM, "run", model] + [w for k, v in keys.items() for w in ("--set", f"{k}={v}")]
    said = subprocess.run(command, capture_output=True, text=True)
    assert said.returncode == 2 and str(error.value) in said.stderr
    assert isinstance(error.value, ValueError) and not list(tmp_path.iterdir())


def test_functions_and_numbers_that_are_none_are_refused_with_advice():
    with pytest.raises(livens.InputError, match="write it as a formula"):
        livens.run("pendulum", **{"system.forces": [lambda t: 0, "0"]})
    with pytest.raises(livens.InputError, match="initial.q.2.: nan is not a finite number"):
        livens.run("pendulum", **{"initial.q": [1.0, float("nan")]})
    with pytest.raises(livens.InputError, match="a model is a path"):
        livens.run(42)


def test_step_end_and_method_need_no_section(tmp_path):
    keys = {"run.step": 0.02, "run.end": 1.0, "method.name": "galerkin", "method.s": 3}
    short = livens.run("pendulum", step=0.02, end=1.0, method="galerkin(s=3)")
    assert np.array_equal(short.q, livens.run("pendulum", **keys).q) and short.summary["method"]["s"] == 3
    for shake in ("shake", "shake()", " shake ( ) ", livens.method.shake()):
        assert len(livens.run("pendulum", steps=7, method=shake)) == 8
    swing = livens.Lagrangian(
        coordinates="x", lagrangian="x'^2/2 - x^2/2", q=[1], v=[0], method="galerkin(s=3)", step=0.1, end=1
    )
    assert swing["method"] == {"name": "galerkin", "s": 3} and swing.run().summary["method"]["s"] == 3
    for wrong, words in (
        ({"step": 0.1, "run.step": 0.1}, "step and run.step are both given"),
        ({"run": {"step": 0.1}, "step": 0.2}, "run.step and step are both given"),
        ({"end": 1.0, "run": {"steps": 3}}, "end and run.steps are both given"),
        ({"method": livens.method.galerkin(s=2), "method.s": 3}, "method.s is given twice"),
        ({"method": "galerkin(s=3"}, 'method: "galerkin\\(s=3": the parenthesis is not closed; write a method'),
        ({"method": "rattle, shake"}, "a run has one method"),
    ):
        with pytest.raises(livens.InputError, match=words):
            livens.run("pendulum", **wrong)
    livens.run("pendulum", out=tmp_path / "r", steps=3)
    with pytest.raises(livens.InputError, match="end and steps are both given"):
        livens.resume(tmp_path / "r", end=1.0, steps=4)
    with pytest.raises(KeyError, match="z: the run has no such coordinate, value or column; it has x, y, t, q"):
        short["z"]


@pytest.mark.parametrize(
    "words, call",
    [
        ("coordinates: None is no list of names", lambda: livens.Lagrangian(coordinates=None, lagrangian="x'^2/2")),
        ("method: .* is a function; call it", lambda: livens.run("pendulum", method=livens.method.galerkin)),
        (
            "method: .* is a function; call it",
            lambda: livens.Lagrangian(coordinates="x", lagrangian="x'^2/2", method=livens.method.rattle),
        ),
        ("method: 3 is an int", lambda: livens.Lagrangian(coordinates="x", lagrangian="x'^2/2", method=3)),
        ("out: 3 is no path", lambda: livens.run("pendulum", out=3, steps=3)),
        ("model: './.udcff' is no text in UTF-8", lambda: livens.run("./\udcff")),
        ("model: '.*udcff.toml' is no text", lambda: livens.run(pathlib.Path("./\udcff.toml"))),
        ("title: '.ud800' is no text", lambda: livens.run("pendulum", title="\ud800")),
        ("progress: 3 is neither", lambda: livens.run("pendulum", progress=3, steps=3)),
        ("load: None is no path", lambda: livens.load(None)),
        ("resume: 3 is no path", lambda: livens.resume(3)),
        ("show: 3 is no name", lambda: livens.show(3)),
        ("reference: 3 is no path", lambda: livens.study_order("pendulum", step_sizes=[0.1], reference=3, end=1)),
        ("methods: 3 is none", lambda: livens.study_efficiency("pendulum", methods=[3], step_sizes=[0.1], end=1)),
        ("values: .* is no dict", lambda: livens.sweep("pendulum", [("run.step", [0.1])])),
        ("workers: 'two' is not", lambda: livens.sweep("pendulum", {"run.step": [0.1]}, workers="two")),
        ("workers: nan is not", lambda: livens.sweep("pendulum", {"run.step": [0.1]}, workers=float("nan"))),
        ("workers: 0 is not", lambda: livens.study_invariants("symmetric-field", workers=0, steps=1)),
    ],
)
def test_what_is_of_another_type_is_wrong_input_too(words, call):
    with pytest.raises(livens.InputError, match=words):
        call()


def test_a_failed_step_raises_and_keeps_what_was_computed():
    falls = livens.Lagrangian(
        coordinates="x", lagrangian="x'^2/2 + sqrt(x)", q=[0.1], v=[-1], method="rattle", step=0.01, end=1
    )
    with pytest.raises(livens.StepError) as error:
        livens.run(falls)
    run = error.value.run
    assert run.outcome == "failed" and str(error.value) == run.message == run.summary["message"]
    assert 0 < run.t[-1] < 1 and "valid up to" in run.message
    assert np.array_equal(livens.run(falls, check=False).q, run.q)


def test_models_runs_and_errors_go_to_other_processes():
    model = livens.Model("slider-crank", step=0.001, end=0.01)
    assert pickle.loads(pickle.dumps(model)).text == model.text
    run = livens.run(model)
    again = pickle.loads(pickle.dumps(run))
    assert again.columns.keys() == run.columns.keys() and again.summary == run.summary
    assert all(np.array_equal(again.columns[name], x, equal_nan=True) for name, x in run.columns.items())
    assert again.page() == run.page() and np.array_equal(livens.run(again.model).q, run.q)
    falls = livens.Lagrangian(
        coordinates="x", lagrangian="x'^2/2 + sqrt(x)", q=[0.1], v=[-1], method="rattle", step=0.01, end=1
    )
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        with pytest.raises(livens.StepError) as error:
            pool.apply(livens.run, (falls.text,))
        assert error.value.run.outcome == "failed" and "valid up to" in str(error.value)
        with pytest.raises(livens.InputError, match="did you mean"):
            pool.apply(livens.run, ("pendulm",))
    with pytest.raises(TypeError, match="pickle its runs"):
        pickle.dumps(livens.sweep("pendulum", {"run.steps": [2, 3]}))


def test_more_rows_than_memory_holds_are_refused_before_the_first_step(tmp_path):
    words = r"1e\+12 rows of 15 numbers take 1.2e\+05 GB of memory, .* record fewer rows with every = \d+"
    for out in (None, tmp_path / "r"):
        with pytest.raises(livens.InputError, match=words):
            livens.run("pendulum", steps=10**12, out=out, **{"run.every": 1})
    assert not list(tmp_path.iterdir())


def test_a_run_on_disk_is_resumed_and_made_longer(tmp_path):
    livens.run(PENDULUM, out=tmp_path / "r")
    with pytest.raises(livens.InputError, match="force"):
        livens.run(PENDULUM, out=tmp_path / "r")
    longer = livens.resume(tmp_path / "r", end=2.0)
    whole = livens.run(PENDULUM, **{"run.end": 2.0})
    assert longer.directory == str(tmp_path / "r") and np.array_equal(longer.q, whole.q)
    assert livens.resume(tmp_path / "r").summary["final"] == whole.summary["final"]
    page = tmp_path / "r/report.html"
    assert not page.exists()
    longer.report(page)
    livens.resume(tmp_path / "r", steps=300)  # a page about the shorter run would be wrong
    assert "300 steps" in page.read_text()
    with pytest.raises(livens.InputError, match="no such directory"):
        livens.load(tmp_path / "none")
    with pytest.raises(livens.StoreError, match="none/page.html: No such file or directory; choose another place"):
        longer.report(tmp_path / "none/page.html")
    with pytest.raises(livens.InputError, match="report: 3 is no path"):
        longer.report(3)


def test_the_lock_is_released_and_progress_is_told():
    seen, others = [], 0
    worker = threading.Thread(
        target=lambda: livens.run(
            "pendulum", progress=lambda *x: seen.append(x), **{"run.steps": 1000000, "run.every": 1000000}
        )
    )
    worker.start()
    while worker.is_alive():
        others += 1
        time.sleep(0.005)
    assert others > 10
    assert seen and all(0 <= done <= total == 1000000 for done, total, _ in seen)


def test_progress_that_raises_ends_the_run():
    def enough(done, total, t):
        raise ZeroDivisionError

    begin = time.monotonic()
    with pytest.raises(ZeroDivisionError):
        livens.run("pendulum", progress=enough, **{"run.steps": 10**9, "run.every": 10**9})
    assert time.monotonic() - begin < 2


def test_ctrl_c_ends_a_run_after_the_current_step(tmp_path):
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(livens.Interrupted) as interrupt:
        livens.run("pendulum", out=tmp_path / "r", **{"run.steps": 10**9, "run.every": 10**6})
    run = interrupt.value.result
    assert isinstance(interrupt.value, KeyboardInterrupt) and run.outcome == "interrupted"
    assert 0 < run.summary["steps"] < 10**9 and "interrupted after step" in run.message
    assert livens.load(tmp_path / "r").summary["outcome"] == "interrupted"


@pytest.mark.parametrize("progress", ["None", "False", "lambda *_: time.sleep(0.01)"])
def test_an_interpreter_that_ends_ends_daemon_threads_in_runs(python, tmp_path, progress):
    said = python(
        f"""
import threading, time
import livens
endless = {{"run.steps": 10**9, "run.every": 10**6}}
for place in (None, "r"):
    call = lambda: livens.run("pendulum", out=place, progress={progress}, **endless)
    threading.Thread(target=call, daemon=True).start()
threading.Thread(target=livens.sweep, args=("pendulum", {{"run.steps": [10**9] * 3}}), daemon=True).start()
time.sleep(0.5)
""",
        cwd=tmp_path,
        timeout=20,
    )
    assert said.returncode == 0 and said.stderr == ""
    assert livens.load(tmp_path / "r").outcome == "interrupted"


def test_functions_of_atexit_may_run(python):
    call = "atexit.register(lambda: print(len(livens.run('pendulum', steps=3))))"
    for order in (f"import livens; {call}", f"{call}; import livens"):
        assert python(f"import atexit; {order}", timeout=20).stdout == "4\n"


def test_contacts_have_events_and_mechanisms_bodies():
    ball = livens.run("bouncing-ball")
    assert ball.events and {"t", "kind"} <= ball.events[0].keys()
    crank = livens.run("slider-crank", **{"run.end": 0.1})
    assert crank.columns["bodies/crank/position"].shape[1] == 2


def test_kinds_without_a_quantity_say_so():
    run = livens.run("lotka-volterra", **{"run.steps": 10})
    with pytest.raises(AttributeError, match="has no column lambda"):
        run.multipliers


def test_recorded_values_and_tables(tmp_path):
    x = np.linspace(-2, 2, 41)
    (tmp_path / "curve.csv").write_text("".join(f"{a},{a * a / 2}\n" for a in x))
    model = livens.Lagrangian(
        coordinates="x",
        lagrangian="(x'^2 + y'^2)/2 - 9.81*y",
        let={"y": "height(x)"},
        table={"height": {"file": str(tmp_path / "curve.csv")}},
        record={"values": {"height": "y", "slope": "d(y, x)"}},
        q=[1],
        v=[0],
        method="rattle",
        step=0.01,
        end=0.5,
    )
    run = model.run()
    assert list(run.values) == ["height", "slope"] and run.values["height"].shape == (51,)
    assert np.abs(run["height"] - run["x"] ** 2 / 2).max() < 1e-15 and np.abs(run["slope"] - run["x"]).max() < 1e-14
    assert run.summary["final"]["values"]["height"] == run["height"][-1]
    (tmp_path / "curve.csv").unlink()
    assert np.array_equal(livens.run(pickle.loads(pickle.dumps(run)).model).q, run.q)
    assert np.array_equal(livens.run(run.model).q, run.q)
    assert [f["name"] for f in livens.functions() if f["jumps"]] == ["sign", "step", "if"]
