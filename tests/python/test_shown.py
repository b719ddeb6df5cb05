"""Pages, plots, datasets."""

import livens
import livens.progress
import numpy as np
import pytest


@pytest.fixture(scope="module")
def run():
    return livens.run("pendulum", **{"run.end": 1.0})


def test_the_page_of_a_run_in_memory_is_that_of_one_on_disk(run, tmp_path):
    run.report(tmp_path / "a.html")
    livens.run("pendulum", out=tmp_path / "r", **{"run.end": 1.0}).report(tmp_path / "b.html")
    a, b = ((tmp_path / name).read_text() for name in ("a.html", "b.html"))
    assert a.startswith("<!DOCTYPE html>") and "Planar pendulum" in a and 'id="data"' in a
    data = lambda page: page[page.index('id="data"') : page.index("</script>", page.index('id="data"'))]
    assert data(a) == data(b)


def test_animate_is_the_page_in_a_frame(run):
    frame = run.animate(height=400)._repr_html_()
    assert frame.startswith("<iframe") and "height:400px" in frame and "Planar pendulum" in frame


def test_plot_draws_coordinates_over_time(run):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    axes = run.plot()
    assert [line.get_label() for line in axes.get_lines()] == ["x", "y"]
    assert np.array_equal(run.plot("x'", axes=axes).get_lines()[2].get_ydata(), run.v[:, 0])


def test_xarray_has_all_columns(run):
    pytest.importorskip("xarray")
    data = run.to_xarray()
    assert np.array_equal(data["q"].sel(coordinate="y"), run["y"]) and data["audit/energy"].dims == ("t",)
    assert set(run.columns) - {"t"} == set(data.data_vars)


def test_a_terminal_sees_a_line_that_goes_away(capsys):
    with livens.progress.listener(True) as line:
        line(10, 100, 0.1)
        assert capsys.readouterr().err == ""  # short runs stay silent
        line.begin -= 3
        line(75, 100, 1.5)
        assert capsys.readouterr().err == "\r\x1b[K 75 %  t = 1.5  1 s left"
    assert capsys.readouterr().err == "\r\x1b[K"
    with livens.progress.listener(None) as line:  # neither a terminal nor a notebook
        assert line is None
