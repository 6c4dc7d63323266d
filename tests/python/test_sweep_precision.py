"""Sweeps that end when means are precise: a matter of results, and not of cores."""

import json
import random
import subprocess
import sys
import time
import warnings

import numpy as np
import pytest

import anachron as an
from anachron import _job
from anachron._estimates import headlines, student
from anachron._precision import FIRST, PrecisionRule

pandas = pytest.importorskip("pandas")


def needed(values, precision, confidence=0.95):
    """How many of the values, by the definition."""
    for n in range(FIRST, len(values) + 1):
        half_width = student(confidence, n - 1) * np.std(values[:n], ddof=1) / np.sqrt(n)
        if half_width <= precision * abs(np.mean(values[:n])):
            return n
    return len(values)


def test_replications_end_with_the_first_that_is_enough():
    frame = an.sweep("phold", {"lps": [8, 32]}, precision=0.004, figure="received", until=5)
    frame = frame[frame.figure == "received"]
    for _, row in frame.iterrows():
        values = [an.run("phold", lps=row["lps"], until=5, sync="sequential", seed=1 + k)["received"] for k in range(row["n"])]
        assert row["n"] == needed(values, 0.004) > FIRST and row["precise"] and row["mean"] == pytest.approx(np.mean(values))
    assert frame["n"].tolist() == sorted(frame["n"], reverse=True), "more LPs scatter less"


class Ran:
    ending, digest, committed, wall_s = "end", "0", 1, 0.0

    def __init__(self, results):
        self.results = results


def noisy(_model, *, seed, lps, **_options):
    time.sleep(random.random() * 0.004)  # so that runs end in another order each time
    rng = np.random.default_rng([seed, lps])
    return Ran({"wait": {"mean": rng.normal(10, lps), "sd": rng.normal(0, 1)}, "cost": rng.normal(-5, 0.1)})


@pytest.mark.parametrize("workers", [1, 2, 7])
def test_the_answer_is_the_same_on_any_number_of_cores(monkeypatch, workers):
    monkeypatch.setattr(_job, "run_once", noisy)
    frame = an.sweep("any", {"lps": [1, 2, 3]}, workers=workers, precision=0.05, figure="wait")
    for lps in (1, 2, 3):
        values = [np.random.default_rng([seed, lps]).normal(10, lps) for seed in range(1, 400)]
        rows = frame[frame.lps == lps]
        assert set(rows["n"]) == {needed(values, 0.05)}
        assert rows[rows.figure == "wait.mean"]["precise"].all() and not rows[rows.figure == "wait.sd"]["precise"].any()


def test_without_a_figure_all_means_are_precise(monkeypatch):
    monkeypatch.setattr(_job, "run_once", noisy)
    both = an.sweep("any", {"lps": [2]}, workers=3, precision=0.03)
    counts = [set(an.sweep("any", {"lps": [2]}, workers=3, precision=0.03, figure=f)["n"]).pop() for f in ("wait", "cost")]
    assert set(both["n"]) == {max(counts)} and counts[1] == FIRST
    named = an.sweep("any", {"lps": [2]}, workers=3, precision=0.03, figure=["wait.mean", "cost"])
    pandas.testing.assert_frame_equal(named, both)


def test_a_point_that_misses_the_precision_is_named(monkeypatch):
    monkeypatch.setattr(_job, "run_once", noisy)
    with pytest.warns(UserWarning, match=r"precision=0.01 was missed with 12 replications at lps=3: wait.mean has 0\.\d+"):
        frame = an.sweep("any", {"lps": [3]}, 12, precision=0.01, figure="wait")
    assert set(frame["n"]) == {12} and not frame["precise"].any() or frame["precise"].sum() == 1
    with pytest.warns(UserWarning) as told:
        an.sweep("any", {"lps": list(range(3, 10))}, 10, precision=0.001, figure="wait")
    assert len(told) == 6 and "at 7 of 7 points" in str(told[5].message)


def test_an_unknown_figure_is_named_with_those_there_are(monkeypatch):
    monkeypatch.setattr(_job, "run_once", noisy)
    with pytest.raises(an.InputError, match="figure: 'wiat' is none of the model's numbers .valid: wait.mean, wait.sd, cost"):
        an.sweep("any", {"lps": [3]}, precision=0.01, figure=["wait", "wiat"])


def test_runs_ahead_are_in_the_file_and_not_in_the_frame(monkeypatch, tmp_path):
    monkeypatch.setattr(_job, "run_once", noisy)
    file = tmp_path / "runs.jsonl"
    first = an.sweep("phold", {"lps": [1]}, workers=6, precision=0.05, figure="wait", file=file, runs=True)
    lines = file.read_text().splitlines()
    assert len(first) <= len(lines)
    monkeypatch.setattr(_job, "run_once", lambda *_args, **_options: pytest.fail("a run was made again"))
    again = an.sweep("phold", {"lps": [1]}, workers=2, precision=0.05, figure="wait", file=file, runs=True)
    pandas.testing.assert_frame_equal(first, again)
    assert file.read_text().splitlines() == lines


def test_run_takes_a_precision_too():
    frame = an.run("phold", lps=16, until=5, precision=0.05)
    pandas.testing.assert_frame_equal(frame, an.sweep("phold", [{}], precision=0.05, lps=16, until=5))
    import mm1

    waits = mm1.model.run(customers=200, precision=0.2, figure="mean_wait")
    assert waits["precise"].all() and waits["n"][0] >= FIRST


def test_the_command_line_makes_as_many(tmp_path):
    file = tmp_path / "r.json"
    words = ["run", "phold", "--lps", "8", "--until", "5", "--replications", "1000", "--precision", "0.004"]
    words += ["--precision-of", "received", "--quiet", "--report", str(file)]
    subprocess.run([sys.executable, "-m", "anachron", *words], check=True)
    report = json.loads(file.read_text())
    frame = an.sweep("phold", {"lps": [8]}, precision=0.004, figure="received", until=5)
    row = frame[frame.figure == "received"].iloc[0]
    assert report["ended"] == report["replications"] == row["n"]
    assert report["estimates"]["received"]["mean"] == pytest.approx(row["mean"], rel=1e-12)
    assert report["precision"] == {"relative": 0.004, "of": "received", "missed": {}}


def test_headlines_are_numbers_and_means():
    names = ["wait.count", "wait.mean", "wait.p99", "a.b", "total"]
    assert headlines(dict.fromkeys(names)) == ["wait.mean", "a.b", "total"]


def test_values_that_are_not_known_do_not_count():
    rule = PrecisionRule(0.1, ["x"], 0.95)
    answers = [rule.add({"x": None if k % 2 else 5.0, "y": 1}) for k in range(2 * FIRST)]
    assert answers.index(True) == 2 * FIRST - 2


def test_a_mean_of_zero_is_never_precise_unless_it_is_constant():
    rule, constant = PrecisionRule(0.5, [], 0.95), PrecisionRule(0.5, [], 0.95)
    assert not any(rule.add({"x": (-1.0) ** k}) for k in range(100)) and rule.missed()["x"] > 1e6
    assert [constant.add({"x": 0}) for _ in range(FIRST)][-1]


def test_intervals_have_the_truth_nearly_as_often_as_they_say():
    """For normal values with a standard deviation of half of the mean. The first look after 10 replications costs little."""
    rng, times = np.random.default_rng(5), 600
    covered, counts = 0, []
    for _ in range(times):
        rule, values = PrecisionRule(0.1, ["x"], 0.95), []
        while True:
            values.append(rng.normal(2, 1))
            if rule.add({"x": values[-1]}):
                break
        counts.append(len(values))
        covered += abs(np.mean(values) - 2) <= 0.1 * abs(np.mean(values))
    assert 0.90 < covered / times < 0.98
    assert 70 < np.mean(counts) < 110  # (1.96 * 0.5 / 0.1)**2 is 96


def test_nothing_is_said_when_all_is_precise(monkeypatch):
    monkeypatch.setattr(_job, "run_once", noisy)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        an.sweep("any", {"lps": [1]}, precision=0.1, figure="wait")
