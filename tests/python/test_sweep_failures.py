"""A run of a sweep that fails: the others are made, and the error says which it was."""

import pickle
import sys
import threading

import pandas
import pytest

import anachron as an
from anachron import _job, _report


def test_one_failing_point_is_named_and_loses_no_other(monkeypatch, tmp_path):
    made, lock = [], threading.Lock()

    class Ran:
        ending, digest, committed, wall_s, results = "end", "0", 1, 0.0, {"wait": 1.0}

    def run(_model, *, seed, servers, **_options):
        if servers == 1:
            raise an.InputError("no")
        with lock:
            made.append((servers, seed))
        return Ran()

    monkeypatch.setattr(_job, "run_once", run)
    file = tmp_path / "runs.jsonl"
    with pytest.raises(an.InputError, match=r"2 of 6 runs failed, .*servers=1, seed=7: no") as failed:
        an.sweep("mmc", {"servers": [1, 2, 3]}, replications=2, seed=7, file=file)
    assert (failed.value.point, failed.value.seed) == ({"servers": 1}, 7)
    assert "errors='keep'" in str(failed.value)
    frame = failed.value.frame
    assert frame["servers"].tolist() == [1, 2, 3] and frame["n"].tolist() == [0, 2, 2] and frame["mean"].tolist()[1:] == [1.0, 1.0]
    assert frame["error"].isna().tolist() == [False, True, True]
    assert sorted(made) == [(2, 7), (2, 8), (3, 7), (3, 8)]
    assert len(file.read_text().splitlines()) == 4


class Ran:
    ending, digest, committed, wall_s = "end", "0", 1, 0.0

    def __init__(self, wait):
        self.results = {"wait": wait}


def failing(_model, *, seed, servers, **_options):
    """All runs of one server fail, and of two servers that with seed 8."""
    if servers == 1 or (servers, seed) == (2, 8):
        raise an.InputError(f"no {servers}")
    return Ran(float(seed * servers))


def test_errors_are_kept_beside_what_others_found(monkeypatch):
    monkeypatch.setattr(_job, "run_once", failing)
    frame = an.sweep("mmc", {"servers": [1, 2, 3]}, replications=2, seed=7, errors="keep")
    assert frame["servers"].tolist() == [1, 2, 3] and frame["n"].tolist() == [0, 1, 2]
    assert frame["error"].tolist()[:2] == ["2 of 2 runs failed: no 1", "1 of 2 runs failed: no 2"]
    assert frame["error"].isna().tolist() == [False, False, True] and frame["figure"].isna().tolist() == [True, False, False]
    assert frame["mean"].tolist()[1:] == [14.0, 22.5]


def test_the_frame_of_the_error_is_that_of_kept_errors(monkeypatch):
    monkeypatch.setattr(_job, "run_once", failing)
    for options in ({}, {"runs": True}):
        with pytest.raises(an.SweepError) as failed:
            an.sweep("mmc", {"servers": [1, 2, 3]}, replications=2, seed=7, **options)
        kept = an.sweep("mmc", {"servers": [1, 2, 3]}, replications=2, seed=7, errors="keep", **options)
        pandas.testing.assert_frame_equal(failed.value.frame, kept)
        again = pickle.loads(pickle.dumps(failed.value))
        pandas.testing.assert_frame_equal(again.frame, kept)
        assert (again.point, again.seed) == ({"servers": 1}, 7)


def test_runs_that_failed_are_rows_with_their_error(monkeypatch, tmp_path):
    monkeypatch.setattr(_job, "run_once", failing)
    file = tmp_path / "runs.jsonl"
    frame = an.sweep("mmc", {"servers": [2, 3]}, replications=2, seed=7, errors="keep", runs=True, file=file)
    assert frame["seed"].tolist() == [7, 8, 7, 8] and frame["wait"].tolist()[2:] == [21.0, 24.0]
    assert frame["error"].isna().tolist() == [True, False, True, True] and frame["error"][1] == "no 2"
    assert len(file.read_text().splitlines()) == 3, "one that failed is made again next time"
    monkeypatch.setattr(_job, "run_once", lambda _model, *, seed, **_options: Ran(0.5))
    frame = an.sweep("mmc", {"servers": [2, 3]}, replications=2, seed=7, errors="keep", runs=True, file=file)
    assert frame["wait"].tolist() == [14.0, 0.5, 21.0, 24.0] and frame["error"].isna().all()


def test_without_failures_there_is_the_column_all_the_same():
    frame = an.sweep("phold", {"lps": [4]}, replications=2, until=5, errors="keep")
    assert frame["error"].isna().all()


def test_any_exception_of_a_run_is_its_error(monkeypatch):
    def run(_model, **_options):
        raise ZeroDivisionError("in finish")

    monkeypatch.setattr(_job, "run_once", run)
    with pytest.raises(an.SweepError, match="5 of 5 runs failed, first the one of lps=4, seed=1: in finish") as failed:
        an.sweep("phold", {"lps": [4]})
    assert isinstance(failed.value.__cause__, ZeroDivisionError)


def test_a_point_ends_with_its_first_failure_when_there_is_a_precision(monkeypatch):
    made = []

    def run(_model, *, seed, servers, **_options):
        made.append(servers)
        if servers == 1 and seed >= 12:
            raise an.InputError("no")
        return Ran(1.0 + (seed % 3) * (10.0 if servers == 1 else 0.001))

    monkeypatch.setattr(_job, "run_once", run)
    frame = an.sweep("mmc", {"servers": [1, 2]}, precision=0.05, workers=2, errors="keep")
    assert frame["n"].tolist() == [11, 10] and frame["error"][0] == "1 of 12 runs failed: no"
    assert frame["precise"].tolist() == [False, True] and made.count(1) <= 14


def test_a_frame_without_pandas_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        _report.frame({})


def test_the_error_can_be_pickled():
    error = pickle.loads(pickle.dumps(an.SweepError("no", {"servers": 1}, 7)))
    assert (str(error), error.point, error.seed) == ("no", {"servers": 1}, 7)
