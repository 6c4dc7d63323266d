"""What a sweep returns as arrays of xarray and as Parquet."""

import sys

import pytest

import anachron as an

pandas = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def frames():
    grid = {"lps": [4, 8], "remote": [0.5, 1.0]}
    return [an.sweep("phold", grid, 3, until=5, runs=runs) for runs in (False, True)]


def test_xarray_has_a_dimension_for_each_option(frames):
    pytest.importorskip("xarray")
    estimates, runs = map(an.to_xarray, frames)
    assert dict(estimates.sizes) == {"lps": 2, "remote": 2, "figure": 2}
    row = frames[0].query("lps == 8 and remote == 0.5 and figure == 'received'").iloc[0]
    assert float(estimates["mean"].sel(lps=8, remote=0.5, figure="received")) == row["mean"]
    assert dict(runs.sizes) == {"lps": 2, "remote": 2, "seed": 3}
    assert runs["received"].mean("seed").sel(lps=8, remote=0.5) == pytest.approx(row["mean"])


def test_a_combination_that_is_missing_is_nan():
    pytest.importorskip("xarray")
    points = [{"lps": 4, "remote": 0.5}, {"lps": 8, "remote": 1.0}]
    data = an.to_xarray(an.sweep("phold", points, 2, until=5))
    assert data["mean"].isnull().sum() == 4 and float(data["n"].sel(lps=8, remote=1.0, figure="received")) == 2


def test_other_frames_are_refused():
    pytest.importorskip("xarray")
    with pytest.raises(an.InputError, match="expected the frame of a sweep"):
        an.to_xarray(pandas.DataFrame({"lps": [1]}))
    twice = an.sweep("phold", [{"lps": 4}, {"lps": 4}], 2, until=5)
    with pytest.raises(an.InputError, match="rows are the same in lps, figure"):
        an.to_xarray(twice)


def test_without_xarray_the_error_says_what_to_install(monkeypatch, frames):
    monkeypatch.setitem(sys.modules, "xarray", None)
    with pytest.raises(ImportError, match="pip install xarray"):
        an.to_xarray(frames[0])


@pytest.mark.parametrize("number", [0, 1])
def test_parquet_gives_back_the_frame(tmp_path, frames, number):
    pytest.importorskip("pyarrow")
    frames[number].to_parquet(tmp_path / "sweep.parquet")
    pandas.testing.assert_frame_equal(pandas.read_parquet(tmp_path / "sweep.parquet"), frames[number])


def test_errors_and_precision_are_in_parquet_too(tmp_path):
    pytest.importorskip("pyarrow")
    frame = an.sweep("phold", {"lps": [0, 8]}, until=5, errors="keep", precision=0.5)
    frame.to_parquet(tmp_path / "sweep.parquet")
    again = pandas.read_parquet(tmp_path / "sweep.parquet")
    assert again["error"].isna().tolist() == [False, True, True] and again["lps"].tolist() == [0, 8, 8]


def test_an_option_that_is_called_like_a_column_keeps_its_values():
    frame = an.sweep("phold", {"mean": [1.0, 2.0]}, 2, lps=4, until=5)
    assert frame[frame.figure == "received"]["mean_"].tolist() == [1.0, 2.0]
    assert frame[frame.figure == "received"]["mean"].tolist() != [1.0, 2.0]
