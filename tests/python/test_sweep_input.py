"""What a sweep is asked for is checked before its first run."""

import math

import pytest

import anachron as an
from anachron import _job, _tidy


@pytest.fixture
def no_runs(monkeypatch):
    def refuse(*_args, **_options):
        raise AssertionError("a run was made")

    monkeypatch.setattr(_job, "run_once", refuse)


@pytest.mark.parametrize("confidence", [95, 1.5, 1.0, 0, -1, math.nan])
def test_confidence_is_a_probability(no_runs, confidence):
    with pytest.raises(an.InputError, match="confidence: .* above 0 and below 1"):
        an.sweep("mmc", {"servers": [1]}, confidence=confidence)


@pytest.mark.parametrize("value", [3, 0.5, "ab", None])
def test_a_single_value_in_the_grid_is_named(no_runs, value):
    with pytest.raises(an.InputError, match="grid: servers: .* single value"):
        an.sweep("mmc", {"servers": value})


@pytest.mark.parametrize("grid", [{"seed": [1, 2]}, [{"seed": 1}]])
def test_a_seed_in_the_grid_is_refused(no_runs, grid):
    with pytest.raises(an.InputError, match="grid: seed"):
        an.sweep("mmc", grid)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"precision": 1}, "precision: 1 is not valid: expected a number above 0 and below 1"),
        ({"precision": math.nan}, "precision: nan is not valid"),
        ({"precision": 0.1, "replications": 9}, "replications: 9 is not valid: expected at least 10 with precision="),
        ({"precision": 0.1, "figure": []}, r"figure: \[\] is not valid: expected the name of a figure"),
        ({"figure": "wait"}, "figure: 'wait' is not valid: expected with precision= only"),
        ({"errors": "ignore"}, "errors: 'ignore' is not valid: expected 'raise' or 'keep'"),
        ({"workers": 0}, "workers: 0 is not valid: expected a whole number, at least 1"),
        ({"workers": "2"}, "workers: '2' is not valid: expected a whole number, at least 1"),
        ({"executor": 4}, r"executor: 4 is not valid: expected one with submit\(\)"),
        ({"replications": 0}, "replications: 0 is not valid: expected at least 1"),
    ],
)
def test_what_is_not_valid_is_named(no_runs, options, message):
    with pytest.raises(an.InputError, match=message):
        an.sweep("phold", {"lps": [4]}, **options)


def test_a_figure_that_is_a_text_is_left_out_of_the_means():
    runs = [_job.Outcome({"figures": {"wait": x, "best": "east", "none": None}}) for x in (1.0, 3.0)]
    frame = _tidy.frame_of_estimates([{"n": 1}], [runs], 0.95, False)
    assert list(frame["figure"]) == ["wait"] and frame["mean"][0] == 2.0
