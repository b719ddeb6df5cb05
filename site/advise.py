"""Asks `livens advise` about ready problems and stores the answers in site/advice.json, for the table of choosing.md.

    python3 site/advise.py build/livens [PROBLEM ...]        minutes; problems: those anew, the others as stored

The runs are those of the problems, shortened as stated here: errors grow with time, and a table needs no long runs. An
answer counts if the end of its run is confirmed, within three times the error, by a run of high order with a fine step.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

SHORTER = {
    "pendulum": 10,
    "spherical-pendulum": 10,
    "double-pendulum": 5,
    "modified-pendulum": 10,
    "kepler-sphere": 20,
    "n-pendulum": 2,
    "figure-eight": 13,
    "foucault": 100,
    "trefoil": 21,
    "tautochrone": 10,
    "chain": 0.2,
    "water": 0.5,
    "catenary": 1,
    "tethered-satellites": 100,
    "top": 0.5,
    "top-body": 0.5,
    "t-handle": 6,
    "slider-crank": 1,
    "governor": 1,
    "gimbals": 0.5,
    "rssr": 2,
    "peaucellier": 2,
    "squeezer": 0.01,
    "double-four-bar-body": 1,
    "hoop-friction": 2,
    "overdetermined-cubic": 1,
    "lotka-volterra": 20,
    "vortices": 20,
    "n-vortices": 20,
    "plane-particle": 20,
    "guiding-centre": 300,
    "guiding-centre-deeply-trapped": 300,
    "symmetric-field": 200,
}
ACCURACIES = (1e-3, 1e-6, 1e-9)

REFERENCE = {"degenerate": {"name": "vprk", "stages": 4}, "odae": {"name": "spark", "s": 3}}

livens = pathlib.Path(sys.argv[1]).resolve()
stored = pathlib.Path(__file__).with_name("advice.json")
methods = json.loads(subprocess.check_output([livens, "list", "methods", "--json"]))
options = {m["name"]: {o["name"]: o["default"] for o in m["options"] if isinstance(o["default"], int)} for m in methods}
options["vprk"]["stages"] = 2  # told in words
kinds = {
    row["name"]: row["kind"] for row in json.loads(subprocess.check_output([livens, "list", "problems", "--json"]))
}


def end_of(problem, end, method, steps):
    """q at the end."""
    options = ",".join(f"{key}={value}" for key, value in method.items() if key != "name")
    with tempfile.TemporaryDirectory() as scratch:
        words = [livens, "run", problem, "--end", str(end), "--step", repr(end / steps), "--method"]
        words += [f"{method['name']}({options})", "--set", "run.every=1000000000", "--out", f"{scratch}/run"]
        reply = subprocess.run([*words, "--json", "--quiet"], capture_output=True, text=True)
    if reply.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))}: {reply.stderr}")
    return json.loads(reply.stdout)["final"]["q"]


def work(row, end):
    """Evaluations times stages: of force and constraints at a point, the same on every machine. An explicit step (rattle
    without constraints) solves nothing and counts none, but evaluates its force once."""
    given = {**options[row["method"]["name"]], **row["method"]}
    return max(row["evaluations"], end / row["step"]) * given.get("s", given.get("stages", 1))


def answer_of(problem, end):
    words = [livens, "advise", problem, "--json", "--set", f"run.end={end}"]
    rows = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)["rows"]
    rows = sorted((row for row in rows if row["error"] is not None), key=lambda row: work(row, end))
    reference = REFERENCE.get(kinds[problem], {"name": "galerkin", "s": 6})
    cheapest = []
    for accuracy in ACCURACIES:
        for row in (row for row in rows if row["error"] <= accuracy):
            steps = round(end / row["step"])
            q, exact = (
                end_of(problem, end, row["method"], steps),
                end_of(problem, end, reference, max(256, 4 * steps)),
            )
            error = max(abs(x - y) for x, y in zip(q, exact)) / max(map(abs, exact))
            if error <= 3 * accuracy:
                kept = {key: row[key] for key in ("method", "step", "error", "evaluations")}
                cheapest.append({"accuracy": accuracy, **kept})
                break
            print(
                f"{problem}: {row['method']} with step {row['step']}: error {error:.1e}, estimated {row['error']:.1e}"
            )
        else:
            cheapest.append(None)
    return {"problem": problem, "kind": kinds[problem], "end": end, "cheapest": cheapest}


answers = {answer["problem"]: answer for answer in json.loads(stored.read_text())} if stored.exists() else {}
for problem in sys.argv[2:] or SHORTER:
    answers[problem] = answer_of(problem, SHORTER[problem])
    print(problem, [best and best["method"] for best in answers[problem]["cheapest"]], flush=True)
stored.write_text(json.dumps([answers[problem] for problem in SHORTER], indent=1) + "\n")
