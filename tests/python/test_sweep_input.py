"""What a sweep is asked for is checked before its first run."""

import math

import pytest

import anachron as an
from anachron import _sweep


@pytest.fixture
def no_runs(monkeypatch):
    def refuse(*_args, **_options):
        raise AssertionError("a run was made")

    monkeypatch.setattr(_sweep, "run_once", refuse)


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


def test_a_figure_that_is_a_text_is_left_out_of_the_means():
    rows = [({"n": 1}, {"figures": {"wait": x, "best": "east"}}) for x in (1.0, 3.0)]
    frame = _sweep._frame([{"n": 1}], rows, 0.95)
    assert list(frame["figure"]) == ["wait"] and frame["mean"][0] == 2.0
