"""Sweeps, pictures, and the examples."""

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import anachron as an
from anachron._estimates import student

pandas = pytest.importorskip("pandas")


def test_a_sweep_is_a_tidy_frame():
    frame = an.sweep("phold", {"lps": [4, 8], "remote": [0.5, 1.0]}, replications=3, workers=2, until=5)
    assert set(frame["figure"]) == {"received", "most_received"} and len(frame) == 8
    row = frame[(frame.lps == 8) & (frame.remote == 1.0) & (frame.figure == "received")].iloc[0]
    values = [an.run("phold", lps=8, until=5, seed=seed)["received"] for seed in (1, 2, 3)]
    assert row["mean"] == pytest.approx(np.mean(values)) and row["n"] == 3
    assert row["half_width"] == pytest.approx(4.302653 * np.std(values, ddof=1) / math.sqrt(3), rel=1e-6)


def test_a_sweep_goes_on_where_it_ended(tmp_path):
    file = tmp_path / "runs.jsonl"
    an.sweep("phold", {"lps": [4]}, replications=2, until=5, file=file)
    first = file.read_text().splitlines(True)[0]
    file.write_text(first + '{"key": "ha')  # it was killed in the middle of a line
    frame = an.sweep("phold", [{"lps": 4}, {"lps": 8}], replications=2, until=5, file=file, runs=True)
    lines = file.read_text().splitlines()
    assert len(lines) == 4 and all(line.endswith("}}}") for line in lines)
    assert list(frame["lps"]) == [4, 4, 8, 8] and list(frame["seed"]) == [1, 2, 1, 2]


def test_errors_of_a_sweep_are_raised():
    with pytest.raises(an.InputError, match="lps: "):
        an.sweep("phold", {"lps": [4, 0]}, replications=1, until=5)
    with pytest.raises(an.InputError, match="replications: 0"):
        an.sweep("phold", {"lps": [4]}, replications=0)


@pytest.mark.parametrize(("degrees", "t"), [(1, 12.7062047), (2, 4.3026527), (9, 2.2621572), (30, 2.0422725)])
def test_students_t(degrees, t):  # tables
    assert student(0.95, degrees) == pytest.approx(t, rel=1e-7)


def test_phold_is_the_phold_of_cpp():
    import phold

    for options in ({"lps": 50, "until": 10}, {"lps": 20, "remote": 0.3, "lookahead": 0.5, "until": 20}):
        expected = an.run("phold", sync="sequential", **options)
        for mode in ({"sync": "sequential"}, {"workers": 2}, {"sync": "sequential", "compile": False}):
            assert phold.model.run(**options, **mode).digest == expected.digest
    conservative = phold.model.run(lps=20, lookahead=0.5, until=20, sync="conservative", workers=2)
    assert conservative.digest == an.run("phold", lps=20, lookahead=0.5, until=20).digest


def test_waiting_times_are_those_of_theory():
    import queue_network as network

    report = network.model.run(sync="sequential")
    assert report["mean_wait"] == pytest.approx(network.theory(network.Params()), rel=0.03)  # 3 sd


def test_an_epidemic_reaches_those_whom_percolation_says():
    import epidemic

    report = epidemic.model.run(sync="sequential", until=200)
    assert epidemic.model.run(workers=2, until=200).digest == report.digest
    states = report.states(epidemic.Person)
    assert report["ever_ill"] == len(report.tables["Case"]) > 4500  # of 5000: nearly everybody is linked
    assert set(states["state"]) == {epidemic.SUSCEPTIBLE, epidemic.RECOVERED}
    # Days of illness would be exponential; those infected first are not chosen by it.
    assert (states["since"][: epidemic.Params().first] == 0).all()


def test_the_tour(capsys):
    import tour

    tour.bundled_models()
    tour.sweeps()
    tour.selection()
    tour.sessions()
    tour.errors()
    assert "are ill on day 10" in capsys.readouterr().out


@pytest.mark.parametrize("pes", [1, 2, 3, 16])
def test_pes_of_a_picture_have_whole_numbers(pes):
    pytest.importorskip("matplotlib")
    figure = an.run("phold", lps=64, until=5, workers=1, pes=pes, sync="optimistic").plot()
    figure.canvas.draw()  # now ticks have their labels
    axis = figure.axes[3]
    assert axis.get_xlabel() == "processing element" and len(axis.patches) == 2 * pes
    left, right = axis.get_xlim()
    shown = [label.get_text() for at, label in zip(axis.get_xticks(), axis.get_xticklabels()) if left <= at <= right]
    assert shown and all(0 <= int(text) < pes for text in shown), shown


def test_a_picture_is_shown_once():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    before = pyplot.get_fignums()
    an.run("phold", lps=64, until=5, workers=2, sync="optimistic").plot()
    assert pyplot.get_fignums() == before, "a notebook shows what pyplot knows besides what a cell returns"


def test_pictures(tmp_path):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    from anachron import plot

    report = an.run("phold", lps=64, until=10, workers=2)
    assert len(report.plot().axes) == 4
    (tmp_path / "report.json").write_text(report.to_json())
    words = [sys.executable, "-m", "anachron", "plot", str(tmp_path / "report.json"), "-o", str(tmp_path / "p.png")]
    assert subprocess.run(words, check=False).returncode == 0
    assert (tmp_path / "p.png").read_bytes()[:4] == b"\x89PNG"
    assert subprocess.run([*words[:4], "none.json"], capture_output=True, check=False).returncode == 2
    links = pandas.DataFrame({"from": [0, 1], "to": [1, 2], "flow": [10.0, 20.0]})
    axes = plot.network(links, [(0, 0), (1, 0), (1, 1)], links["flow"], label="vehicles/h")
    assert len(axes.collections) == 1


@pytest.mark.parametrize("name", ["first_steps", "own_model"])
def test_notebooks_run(name):
    pytest.importorskip("matplotlib")
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    file = Path(__file__).parents[2] / "examples" / "python" / f"{name}.ipynb"
    notebook = nbformat.read(file, as_version=4)
    kernel = {"kernel_name": "python3", "timeout": 300, "resources": {"metadata": {"path": str(file.parent)}}}
    nbclient.NotebookClient(notebook, **kernel).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert outputs and not [output for output in outputs if output.output_type == "error"]
