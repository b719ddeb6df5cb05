"""Studies, advice and lists: what the program prints as JSON."""

import json
import os
import subprocess

import livens
import pytest

PROGRAM = os.environ["LIVENS_PROGRAM"]


def told(*words):
    return json.loads(subprocess.run([PROGRAM, *words, "--json"], capture_output=True, check=True).stdout)


def test_order_is_that_of_the_program():
    study = livens.study_order("pendulum", step_sizes=[0.1, 0.05, "1/40"], **{"run.end": 0.5})
    assert study.pop("failures") == []
    assert study == told("study", "order", "pendulum", "--step-sizes", "0.1,0.05,1/40", "--set", "run.end=0.5")
    assert 1.9 < study["rows"][-1]["order"]["q"] < 2.1
    with pytest.raises(livens.InputError, match="does not divide"):
        livens.study_order("pendulum", step_sizes=[0.3], **{"run.end": 0.5})


def test_the_other_studies():
    keys = {"run.end": 0.5}
    rows = livens.study_efficiency("pendulum", methods="rattle, galerkin(s=2), vprk", step_sizes=[0.1], **keys)["rows"]
    assert [row["method"]["name"] for row in rows] == ["rattle", "galerkin", "vprk"] and "does_not_fit" in rows[2]
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
