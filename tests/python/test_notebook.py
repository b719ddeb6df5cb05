"""The notebook of examples/, executed by a kernel."""

import json

import pytest

nbformat = pytest.importorskip("nbformat")
nbclient = pytest.importorskip("nbclient")


def test_the_notebook_runs_and_shows_the_page(source):
    notebook = nbformat.read(source / "examples/swinging_spring.ipynb", as_version=4)
    long_run = "livens.run('pendulum', **{'run.steps': 5 * 10**6, 'run.every': 10**6}).outcome"
    notebook.cells.append(nbformat.v4.new_code_cell(long_run))
    nbclient.NotebookClient(notebook, timeout=60, kernel_name="python3").execute()
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    results = [next(o.data for o in cell.outputs if o.output_type == "execute_result") for cell in cells]
    assert "finished after 20000 steps" in results[0]["text/plain"]
    assert "no drift" in results[1]["text/plain"]
    assert results[2]["text/html"].startswith("<iframe") and "Swinging spring" in results[2]["text/html"]
    swing = json.loads(results[3]["text/plain"])
    assert swing[4] == max(swing) > 3 * swing[0] and swing[4] > 3 * swing[8]
    # a run of a second tells how far it is, and takes its words away
    assert [o.output_type for o in cells[4].outputs] == ["display_data", "execute_result"]
