"""Studies, advice and lists: what the program prints as JSON."""

import json
import os
import pathlib
import signal
import subprocess
import threading
import time

import livens
import numpy as np
import pytest

PROGRAM = os.environ["LIVENS_PROGRAM"]


def told(*words):
    return json.loads(subprocess.run([PROGRAM, *words, "--json"], capture_output=True, check=True).stdout)


def test_order_is_that_of_the_program():
    study = livens.study_order("pendulum", step_sizes=[0.1, 0.05, "1/40"], **{"run.end": 0.5})
    assert study.pop("failures") == []
    assert study == told("study", "order", "pendulum", "--step-sizes", "0.1,0.05,1/40", "--set", "run.end=0.5")
    assert 1.9 < study["rows"][-1]["order"]["q"] < 2.1
    array = livens.study_order("pendulum", step_sizes=np.array([0.1, 0.05, 0.025]), **{"run.end": 0.5})
    assert array["rows"] == study["rows"]
    with pytest.raises(livens.InputError, match="does not divide"):
        livens.study_order("pendulum", step_sizes=[0.3], **{"run.end": 0.5})
    for one in (0.1, "0.1"):
        with pytest.raises(livens.InputError, match="step_sizes: .* is one value"):
            livens.study_order("pendulum", step_sizes=one)


def test_a_reference_that_is_none_is_told_and_nothing_else(python, tmp_path):
    (tmp_path / "run.h5").write_text("no HDF5")
    for path in ("none.h5", "run.h5"):
        said = python(
            f"import livens; livens.study_order('pendulum', step_sizes=[0.1], reference='{path}', end=1.0)",
            cwd=tmp_path,
        )
        assert said.stderr.splitlines()[-1].startswith(f"livens.InputError: --reference {path}: ")


def test_the_other_studies():
    keys = {"run.end": 0.5}
    rows = livens.study_efficiency("pendulum", methods="rattle, galerkin(s=2), vprk", step_sizes=[0.1], **keys)["rows"]
    assert [row["method"]["name"] for row in rows] == ["rattle", "galerkin", "vprk"] and "does_not_fit" in rows[2]
    for methods in (["rattle", "galerkin(s=3)"], [livens.method.rattle(), livens.method.galerkin(s=3)]):
        again = livens.study_efficiency("pendulum", methods=methods, step_sizes=[0.1], **keys)["rows"]
        assert [row["method"].get("s") for row in again] == [None, 3]
    assert livens.study_symplecticity("pendulum")["defect"] < 1e-14
    assert max(livens.study_reversibility("pendulum", **keys)["distance"].values()) < 1e-12
    with pytest.raises(livens.InputError):
        livens.study_invariants("pendulum")
    change = livens.study_invariants("symmetric-field", workers=1, **{"run.steps": 2})["largest_change"]
    assert change


def test_advice_recommends_a_row():
    advice = livens.advise("pendulum", **{"run.end": 0.1})
    assert advice["rows"][advice["recommended"]]["error"] <= advice["accuracy"] == 1e-6


def test_an_accuracy_is_met():
    run = livens.run("pendulum", **{"run.end": 0.5, "run.accuracy": 1e-6})
    assert run.summary["accuracy"]["q"]["max"] <= 1e-6 and run.t[-1] == 0.5


def test_lists_are_those_of_the_program():
    assert livens.methods() == told("list", "methods") and livens.studies() == told("list", "studies")
    assert livens.problems() == told("list", "problems")
    shown = subprocess.run([PROGRAM, "show", "top"], capture_output=True, text=True).stdout
    assert livens.show("top") == shown
    with pytest.raises(livens.InputError, match="did you mean"):
        livens.show("tpo")


def test_ctrl_c_ends_every_study_soon():
    endless = {"run.step": 1e-6, "run.steps": 10**9}
    studies = [
        lambda: livens.study_order("pendulum", step_sizes=[1e-5], **endless),
        lambda: livens.study_efficiency("pendulum", methods="rattle", step_sizes=[1e-5], **endless),
        lambda: livens.study_symplecticity("chain", **{"system.parameters.N": 80}),  # 10 s without Ctrl-C
        lambda: livens.study_reversibility("pendulum", **endless),
        lambda: livens.study_invariants("symmetric-field", **{"run.steps": 10**8}),
        lambda: livens.advise("pendulum", **{"run.end": 1e6}),
    ]
    for study in studies:
        timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        begin = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            study()
        assert time.monotonic() - begin < 5  # measured 0.2 s


def listens(process):
    """Whether the program has its own answer to SIGINT by now."""
    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
    return int(status.split("SigCgt:")[1].split()[0], 16) >> (signal.SIGINT - 1) & 1


@pytest.mark.parametrize(
    "words",
    [
        "study order pendulum --step-sizes 1e-5 --set run.step=1e-6 --set run.steps=1000000000",
        "study efficiency pendulum --methods rattle --step-sizes 1e-5 --set run.step=1e-6 --set run.steps=1000000000",
        "study symplecticity chain --set system.parameters.N=100",
        "study reversibility pendulum --set run.steps=1000000000",
        "study invariants symmetric-field --set run.steps=100000000",
        "advise pendulum --set run.end=1e6",
    ],
)
def test_a_signal_ends_a_study_of_the_program_with_words_and_no_results(words, tmp_path):
    keeps_nothing = words.split()[1] in ("symplecticity", "reversibility")
    command = [PROGRAM, *words.split(), "--json"] + ([] if keeps_nothing else ["--out", "study"])
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen(command, cwd=tmp_path, **pipes) as process:
        while not listens(process):
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        said, complaint = process.communicate(timeout=20)
    assert process.returncode == 1 and said == "" and "interrupted: a study has results only" in complaint
    assert not list(tmp_path.iterdir())
