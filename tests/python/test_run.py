"""Runs of bundled models: reports, tables, options, errors, Ctrl-C, threads."""

import inspect
import json
import math
import signal
import subprocess
import sys
import threading

import numpy as np
import pytest

import anachron as an


def test_a_run_has_the_digest_of_every_mode():
    reports = [an.run("phold", lps=64, until=10, **mode) for mode in ({"sync": "sequential"}, {"workers": 2, "pes": 3})]
    assert reports[0].digest == reports[1].digest
    assert reports[0].committed == reports[0]["received"] > 1000
    assert reports[0].config["sync"] == "sequential"
    assert 0 < reports[1].efficiency <= 1


def test_rounds_and_pes_are_data_frames():
    report = an.run("phold", lps=64, until=10, workers=2, pes=3)
    assert list(report.rounds.columns[:3]) == ["gvt", "wall_s", "committed"]
    assert report.rounds["committed"].is_monotonic_increasing
    assert len(report.pes) == 3
    assert report.pes["committed"].sum() == report.committed


def test_tables_are_data_frames():
    report = an.run("traffic", city="4x4", until=900, sync="sequential")
    assert report.tables, "the model has tables"
    for name in report.tables:
        table = report.tables[name]
        assert len(table) == len(next(iter(report.tables.columns(name).values())))
    assert report.tables["links"]["mean_travel_time"].dtype == float  # NaN where nobody has travelled
    assert report.tables["links"]["entered"].dtype == np.int64
    with pytest.raises(KeyError, match="no table 'nothing'"):
        report.tables["nothing"]


def test_the_report_goes_to_json_and_back():
    report = an.run("phold", lps=8, until=5, sync="sequential")
    back = an.Report.from_json(report.to_json())
    assert back.digest == report.digest and back.results == report.results
    assert json.loads(report.to_json())["schema"].startswith("anachron-report/")
    with pytest.raises(AttributeError, match="a report has no 'speed'"):
        report.speed  # noqa: B018


@pytest.mark.parametrize(
    ("model", "options", "message"),
    [
        ("pholt", {}, "unknown model 'pholt'"),
        ("phold", {"lsp": 3}, "did you mean lps="),
        ("phold", {"lps": 0}, "^lps: "),
        ("phold", {"workers": "many"}, "^workers: "),
        ("phold", {"report": "x.json"}, "option of the command line"),
        ("traffic", {"network": "no such file", "trips": "none"}, "no such file"),
    ],
)
def test_bad_input_is_an_error_that_names_it(model, options, message):
    with pytest.raises(an.InputError, match=message) as caught:
        an.run(model, **options)
    assert isinstance(caught.value, ValueError)


def test_models_are_listed_with_their_options():
    models = an.models()
    assert {"phold", "traffic"} <= set(models)
    assert any(option["name"] == "events-per-lp" for option in models["phold"]["options"])


def test_runs_have_the_engines_options_in_their_signature():
    names = {option["name"].replace("-", "_") for option in an.engine_options()}
    assert {"workers", "until", "sync", "memory", "check_rollback"} <= names
    assert not {"report", "trace", "quiet", "config"} & names
    for function in (an.run, an.Model.run):
        parameters = inspect.signature(function).parameters
        assert names <= set(parameters)
        assert parameters["options"].kind is inspect.Parameter.VAR_KEYWORD
    assert inspect.signature(an.run).parameters["queue"].default == "radix"


def test_a_progress_function_sees_the_run_and_ends_it():
    seen = []

    def look(now):
        seen.append(now)
        return now["committed"] > 0

    report = an.run("phold", lps=1024, until=1e9, progress=look, sync="sequential")
    assert report.ending == "interrupted" and report.committed > 0
    assert seen[-1]["gvt"] > 0 and seen[-1]["until"] == 1e9


def test_an_exception_in_a_progress_function_is_raised():
    def look(_now):
        raise RuntimeError("no more")

    with pytest.raises(RuntimeError, match="no more"):
        an.run("phold", lps=1024, until=math.inf, progress=look, sync="sequential")


def press_ctrl_c(_now):
    """When the run is in progress, once."""
    global pressed
    if not pressed:
        pressed = True
        signal.raise_signal(signal.SIGINT)


@pytest.mark.parametrize("make", [lambda: "phold", lambda: __import__("mm1").model], ids=["bundled", "own"])
def test_ctrl_c_ends_a_run_and_a_loop_of_runs(make):
    global pressed
    model = make()
    options = {"workers": 2} | ({"lps": 64, "until": 1e9} if model == "phold" else {"customers": 10**9})
    pressed = False
    with pytest.raises(KeyboardInterrupt):
        for _ in range(10):
            an.run(model, progress=press_ctrl_c, **options)
    pressed = False
    report = an.run(model, progress=press_ctrl_c, on_interrupt="report", **options)
    assert report.ending == "interrupted"
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with pytest.raises(an.InputError, match="on_interrupt: 'no' is not valid"):
        an.run(model, on_interrupt="no")


def test_two_runs_at_the_same_time():
    expected = [an.run("phold", lps=64, until=20, seed=seed, sync="sequential").digest for seed in (1, 2)]
    found = [None, None]

    def work(i):
        found[i] = an.run("phold", lps=64, until=20, seed=i + 1, workers=2).digest

    threads = [threading.Thread(target=work, args=[i]) for i in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == expected


def test_the_command_line():
    def call(*words):
        return subprocess.run([sys.executable, "-m", "anachron", *words], capture_output=True, text=True, check=False)

    assert "phold" in call("list").stdout
    assert call("run", "phold", "--lsp", "3").returncode == 2
    report = json.loads(call("run", "phold", "--lps", "8", "--until", "5", "--quiet", "--report", "-").stdout)
    assert report["digest"] == an.run("phold", lps=8, until=5).digest


def test_numbers_of_numpy_are_options():
    assert an.run("phold", lps=np.int64(8), until=np.float64(5)).digest == an.run("phold", lps=8, until=5).digest
