"""Sweeps: all values at once, nothing depends on the number of threads."""

import os
import signal
import threading
import time

import livens
import numpy as np
import pytest


def test_a_sweep_is_its_runs_stacked():
    g = np.linspace(5, 15, 5)
    sweep = livens.sweep("pendulum", {"system.parameters.g": g}, workers=2, **{"run.end": 0.5})
    assert sweep.q.shape == (5, 51, 2) and sweep.t.shape == (5, 51) and sweep.finished.all()
    for i, value in enumerate(g):
        alone = livens.run("pendulum", **{"run.end": 0.5, "system.parameters.g": value})
        assert np.array_equal(sweep.q[i], alone.q) and np.array_equal(sweep.energy[i], alone.energy)
        assert sweep.summaries[i]["final"] == alone.summary["final"] and np.array_equal(sweep[i].p, alone.p)
    one = livens.sweep("pendulum", {"system.parameters.g": g}, workers=1, **{"run.end": 0.5})
    assert np.array_equal(one.multipliers, sweep.multipliers)


def test_several_keys_span_a_grid():
    sweep = livens.sweep("pendulum", {"system.parameters.g": [5, 10, 15], "run.end": [0.1, 0.2]})
    assert sweep.q.shape == (3, 2, 21, 2) and sweep.shape == (3, 2)
    assert np.isnan(sweep.t[0, 0, 11:]).all() and sweep.t[2, 1, -1] == 0.2
    assert sweep[2, 1].model.text.count("15") and len(sweep[-1]) == 21
    assert np.array_equal(sweep[-1, -2].q, sweep[2, 0].q) and len(sweep[2, 0]) == 11
    for wrong, words in (((3, 0), "no run 3, 0 in a sweep of 3 x 2"), ((1,), "no run 1 in a sweep of 3 x 2")):
        with pytest.raises(IndexError, match=words):
            sweep[wrong]
    with pytest.raises(KeyError, match="lamda: the runs have no such column; they have t, q, v, p, lambda"):
        sweep.stacked("lamda")
    assert not hasattr(livens.sweep("lotka-volterra", {"run.step": [0.1]}, steps=2), "multipliers")


def test_a_key_is_swept_or_given():
    with pytest.raises(livens.InputError, match="run.end is given twice, in values and beside them; leave one out"):
        livens.sweep("pendulum", {"run.end": [0.1, 0.2]}, end=0.5)


def test_what_fails_is_recorded():
    fall = livens.Lagrangian(
        coordinates="x",
        lagrangian="x'^2/2 + sqrt(x)",
        q=["x0"],
        v=[-1],
        parameters={"x0": 1},
        method="rattle",
        step=0.01,
        end=0.5,
    )
    sweep = livens.sweep(fall, {"system.parameters.x0": [0.1, 3, -1]})
    assert sweep.outcomes.tolist() == ["failed", "finished", "refused"]
    assert np.isnan(sweep.q[0, -1]).all() and np.isfinite(sweep.q[0, 0]).all() and np.isnan(sweep.q[2]).all()
    assert "valid up to" in sweep.messages[0] and sweep.summaries[2] is None
    with pytest.raises(livens.InputError):
        sweep[2]
    refused = livens.sweep(fall, {"run.stepp": [1, 2]})
    assert refused.outcomes.tolist() == ["refused"] * 2 and all("unknown key" in words for words in refused.messages)
    with pytest.raises(AttributeError, match="q: the runs have no such column; of the first: .*unknown key"):
        refused.q
    for wrong in ({}, {"run.step": []}):
        with pytest.raises(livens.InputError, match="values"):
            livens.sweep(fall, wrong)
    for number in (0, 2.5):
        with pytest.raises(livens.InputError, match="workers"):
            livens.sweep(fall, {"run.step": [0.1]}, workers=number)
    for one in (0.1, "rattle", {"name": "rattle"}):
        with pytest.raises(livens.InputError, match="is one value; give a list"):
            livens.sweep(fall, {"method": one})
    with pytest.raises(IndexError, match="no run 3 in a sweep of 3"):
        sweep[3]
    assert sweep[-2].outcome == "finished"


def test_runs_with_other_columns_are_not_stacked_but_kept():
    sweep = livens.sweep(
        "n-pendulum", {"system.parameters.N": [1, 2, 3]}, **{"system.parameters.x": 1.0, "run.steps": 5}
    )
    assert [run.q.shape for run in sweep] == [(6, 1), (6, 2), (6, 3)] and sweep.t.shape == (3, 6)
    with pytest.raises(livens.InputError, match=r"q: run 1 of the sweep has another number of .* take sweep\[1\]"):
        sweep.q
    assert "t" in sweep.columns and "q" not in sweep.columns


def test_columns_are_stacked_by_name_wherever_runs_have_them():
    methods = ["rattle", "ggl", "composition"]
    sweep = livens.sweep("pendulum", {"method.name": methods}, steps=5)
    assert len({list(run.columns).index("audit/energy") for run in sweep}) > 1
    for i, run in enumerate(sweep):
        for name in sweep.columns:
            assert np.array_equal(sweep.stacked(name)[i], run.columns[name], equal_nan=True)


def test_two_workers_do_not_wait_for_each_other():
    def seconds(workers):
        begin = time.process_time()
        livens.sweep(
            "pendulum", {"system.parameters.g": np.linspace(1, 2, 20)}, workers=workers, **{"run.every": 10000}
        )
        return time.process_time() - begin

    # Waiting on locks that spin, or on lines of the cache, is time of the CPU: measured 1.00
    assert min(seconds(2) for _ in range(3)) < 1.3 * min(seconds(1) for _ in range(3))


def test_ctrl_c_keeps_the_runs_that_were_done():
    threading.Timer(0.15, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(livens.Interrupted) as interrupt:
        livens.sweep("pendulum", {"run.steps": [10, 10**9, 10**9, 10]}, workers=1, **{"run.every": 10**9})
    assert interrupt.value.result.outcomes.tolist() == ["finished", "interrupted", "", ""]
    assert "1 of 4" in str(interrupt.value)
