"""A run of a sweep that fails: the others are made, and the error says which it was."""

import pickle
import sys
import threading

import pytest

import anachron as an
from anachron import _report, _sweep


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

    monkeypatch.setattr(_sweep, "run_once", run)
    file = tmp_path / "runs.jsonl"
    with pytest.raises(an.InputError, match=r"2 of 6 runs failed, .*servers=1, seed=7: no") as failed:
        an.sweep("mmc", {"servers": [1, 2, 3]}, replications=2, seed=7, file=file)
    assert (failed.value.point, failed.value.seed) == ({"servers": 1}, 7)
    assert sorted(made) == [(2, 7), (2, 8), (3, 7), (3, 8)]
    assert len(file.read_text().splitlines()) == 4


def test_a_frame_without_pandas_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="pip install pandas"):
        _report.frame({})


def test_the_error_can_be_pickled():
    error = pickle.loads(pickle.dumps(an.SweepError("no", {"servers": 1}, 7)))
    assert (str(error), error.point, error.seed) == ("no", {"servers": 1}, 7)
