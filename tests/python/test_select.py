"""Ranking and selection: the design with the best mean is chosen as often as the procedure says."""

import random
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import mm1
import numpy as np
import pytest

import anachron as an
from anachron import _job
from anachron._kim_nelson import KimNelson

pandas = pytest.importorskip("pandas")


def chosen(observe, designs, zone, confidence, first):
    """What the procedure selects, and after how many observations of all. `observe(k)`: observation k of all designs."""
    procedure, k = KimNelson(designs, zone, confidence, first), 0
    while not procedure.is_decided:
        row = observe(k)
        for design in list(procedure.left):
            procedure.add(design, row[design])
        k += 1
    return procedure.best(), sum(len(procedure.observations(i)) for i in range(designs))


def share_of_right(means, deviations, shared, zone, confidence, times=400, first=10):
    """Of `times` selections those of the last design, and their mean number of observations. `shared`: the part of the
    variance that all designs have in common, as with common random numbers."""
    rng = np.random.default_rng(20)
    right = used = 0
    for _ in range(times):

        def observe(_k):
            common, own = rng.normal(), rng.normal(size=len(means))
            return means + deviations * (np.sqrt(shared) * common + np.sqrt(1 - shared) * own)

        best, observations = chosen(observe, len(means), zone, confidence, first)
        right, used = right + (best == len(means) - 1), used + observations / times
    return right / times, used


@pytest.mark.parametrize("shared", [0.0, 0.6])
@pytest.mark.parametrize("confidence", [0.8, 0.95])
def test_the_best_is_selected_as_often_as_it_says(shared, confidence):
    """In the slippage configuration all other designs are behind by the zone, which is the hardest case."""
    means, deviations = np.array([0.0, 0.0, 0.0, 0.0, 1.0]), np.array([2.0, 2.0, 2.0, 2.0, 2.0])
    right, _ = share_of_right(means, deviations, shared, 1.0, confidence)
    assert right >= confidence - 3 * np.sqrt(confidence * (1 - confidence) / 400)


def test_unequal_variances_are_no_matter():
    right, _ = share_of_right(np.array([0.0, 0.0, 1.0]), np.array([1.0, 3.0, 2.0]), 0.0, 1.0, 0.9)
    assert right >= 0.9 - 3 * np.sqrt(0.9 * 0.1 / 400)


def test_common_random_numbers_and_clear_differences_save_runs():
    means, deviations = np.array([0.0, 0.0, 0.0, 0.0, 1.0]), np.full(5, 2.0)
    _, apart = share_of_right(means, deviations, 0.0, 1.0, 0.95, times=100)
    _, common = share_of_right(means, deviations, 0.8, 1.0, 0.95, times=100)
    _, clear = share_of_right(5 * means, deviations, 0.0, 1.0, 0.95, times=100)
    assert common < apart / 2 and clear < apart / 2


def test_the_constant_is_that_of_the_paper():
    """eta of c = 1 solves (1 + 2 eta)^(-(n - 1) / 2) / 2 = alpha / (k - 1)."""
    procedure = KimNelson(5, 1.0, 0.95, 20)
    eta = procedure._h2 / 2 / 19
    assert (1 + 2 * eta) ** (-19 / 2) / 2 == pytest.approx(0.05 / 4)


def test_equal_designs_end_with_the_first():
    assert chosen(lambda k: [float(k % 3)] * 3, 3, 0.5, 0.95, 10) == (0, 30)


class Ran:
    ending, digest, committed, wall_s = "end", "0", 1, 0.0

    def __init__(self, results):
        self.results = results


def noisy(_model, *, seed, delay, **_options):
    time.sleep(random.random() * 0.002)
    common = np.random.default_rng(seed).normal()
    return Ran({"cost": {"mean": delay + common + np.random.default_rng([seed, int(delay * 10)]).normal()}})


@pytest.mark.parametrize("workers", [1, 2, 6])
def test_the_answer_is_the_same_on_any_number_of_cores(monkeypatch, workers):
    monkeypatch.setattr(_job, "run_once", noisy)
    found = an.select("any", {"delay": [3.0, 1.0, 1.6, 5.0]}, figure="cost", zone=0.3, workers=workers)
    assert found.best == {"delay": 1.0} and found.number == 1 and found.decided
    frame = found.frame
    assert frame["delay"].tolist() == [3.0, 1.0, 1.6, 5.0] and frame["n"].sum() == found.runs
    assert frame["eliminated_after"].isna().tolist() == [False, True, False, False]
    assert frame["n"][3] == 20 <= frame["n"][0] < frame["n"][2] == frame["n"][1]
    assert frame["eliminated_by"].tolist()[2] == 1
    monkeypatch.setattr(_job, "run_once", lambda m, **o: noisy(m, **o))
    alone = an.select("any", {"delay": [3.0, 1.0, 1.6, 5.0]}, figure="cost.mean", zone=0.3, workers=3)
    pandas.testing.assert_frame_equal(alone.frame, frame)


def test_maximise_chooses_the_largest(monkeypatch):
    monkeypatch.setattr(_job, "run_once", noisy)
    found = an.select("any", [{"delay": 1.0}, {"delay": 9.0}], figure="cost", zone=0.5, maximise=True)
    assert found.best == {"delay": 9.0} and found.frame["mean"][1] == pytest.approx(9, abs=1)


def test_the_fastest_clerk_is_chosen_in_a_model_and_in_processes(tmp_path):
    file, options = tmp_path / "runs.jsonl", {"figure": "mean_wait", "zone": 0.1, "first": 10, "customers": 500}
    designs = {"service": [0.6, 0.5, 0.55, 0.8]}
    found = an.select(mm1.model, designs, file=file, **options)
    assert found.best == {"service": 0.5} and found.runs <= len(file.read_text().splitlines())
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        again = an.select(mm1.model, designs, executor=pool, **options)
    pandas.testing.assert_frame_equal(again.frame, found.frame)


def test_too_few_replications_are_a_warning(monkeypatch):
    monkeypatch.setattr(_job, "run_once", noisy)
    with pytest.warns(UserWarning, match="2 designs are left after replications=25"):
        found = an.select("any", {"delay": [1.0, 1.11]}, figure="cost", zone=0.01, replications=25)
    assert not found.decided and found.runs == 50


def test_failures_and_figures_that_are_missing_are_named(monkeypatch):
    def run(_model, *, seed, delay, **_options):
        if (delay, seed) == (2.0, 5):
            raise an.InputError("no")
        return Ran({"cost": delay, "name": "x"})

    monkeypatch.setattr(_job, "run_once", run)
    with pytest.raises(an.SweepError, match="the run of delay=2.0, seed=5 failed: no") as failed:
        an.select("any", {"delay": [1.0, 2.0]}, figure="cost", zone=1)
    assert (failed.value.point, failed.value.seed) == ({"delay": 2.0}, 5)
    with pytest.raises(an.InputError, match=r"figure: 'name' is no number of the run of delay=1.0, seed=1 \(valid: cost\)"):
        an.select("any", {"delay": [1.0, 3.0]}, figure="name", zone=1)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"zone": 0}, "zone: 0 is not valid: expected a difference above 0"),
        ({"zone": float("nan")}, "zone: nan is not valid"),
        ({"confidence": 0.5}, "confidence: 0.5 is not valid: expected a number above 0.5"),
        ({"confidence": 1}, "confidence: 1 is not valid"),
        ({"first": 1}, "first: 1 is not valid: expected at least 2"),
        ({"replications": 5}, "replications: 5 is not valid: expected at least first=20"),
        ({"designs": [{}]}, "designs: there are 1: expected at least 2"),
    ],
)
def test_what_is_not_valid_is_named(options, message):
    given = {"designs": {"lps": [4, 8]}, "figure": "received", "zone": 1, **options}
    with pytest.raises(an.InputError, match=message):
        an.select("phold", **given)
