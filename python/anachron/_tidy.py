"""What the runs of a sweep found, as tidy frames and as arrays of xarray."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._estimates import is_number, summary
from ._job import Outcome
from ._native import InputError

if TYPE_CHECKING:
    import pandas

FACTS = ("seed", "digest", "committed", "wall_s")
ESTIMATES = ("figure", "mean", "half_width", "sd", "n", "min", "max", "error")


def columns_of(point: Mapping[str, Any], taken: Sequence[str]) -> dict[str, Any]:
    """An option that is called as a column of the frame is gets a "_" behind its name, as in "mean_"."""
    return {f"{name}_" if name in taken else name: value for name, value in point.items()}


def frame_of_runs(
    points: Sequence[Mapping[str, Any]], outcomes: list[list[Outcome]], seed: int, with_errors: bool
) -> Any:
    """A row for each run. `with_errors`: those that failed too, with their error as a text."""
    import pandas

    rows = []
    for point, of in zip(points, outcomes):
        own = columns_of(point, (*FACTS, "error"))
        for k, (run, error) in enumerate(of):
            row = {**own, **({name: run[name] for name in FACTS} if run else {"seed": seed + k})}
            if with_errors:
                row["error"] = None if error is None else str(error)
            rows.append({**row, **(run["figures"] if run else {})})
    return pandas.DataFrame(rows)


def frame_of_estimates(
    points: Sequence[Mapping[str, Any]],
    outcomes: list[list[Outcome]],
    confidence: float,
    with_errors: bool,
    precision: float | None = None,
) -> Any:
    """A row for each point and figure. A point at which all runs failed has a single row, without a figure."""
    import pandas

    rows = []
    for point, of in zip(points, outcomes):
        own = columns_of(point, (*ESTIMATES, "precise"))
        failed = [error for _, error in of if error is not None]
        note = {"error": f"{len(failed)} of {len(of)} runs failed: {failed[0]}" if failed else None} if with_errors else {}
        runs = [run["figures"] for run, _ in of if run is not None]
        figures = dict.fromkeys(name for run in runs for name in run)
        values = {name: [run[name] for run in runs if is_number(run.get(name))] for name in figures}
        found = [{**own, "figure": name, **summary(x, confidence), **note} for name, x in values.items() if x]
        for row in found if precision is not None else ():
            row["precise"] = bool(row["half_width"] <= precision * abs(row["mean"]))
        rows += found or ([{**own, "figure": None, "n": 0, **note}] if failed else [])
    return pandas.DataFrame(rows)


def to_xarray(frame: pandas.DataFrame) -> Any:
    """The frame of a sweep as an `xarray.Dataset`. Its dimensions are the options of the grid and `figure`, its variables
    `mean`, `half_width` and so on. Of a sweep with `runs=True` the dimensions are the options and `seed`, and the
    variables the figures. A combination that the sweep did not have is NaN.

    Takes memory for all combinations. Needs xarray, and raises ImportError without it; raises InputError for another
    frame.
    """
    try:
        import xarray  # noqa: F401
    except ImportError:
        raise ImportError("to_xarray needs xarray: pip install xarray") from None
    columns = list(frame.columns)
    last = next((name for name in ("figure", "seed") if name in columns), None)
    if last is None:
        raise InputError(f"to_xarray: expected the frame of a sweep, with a column figure or seed, and not {columns}")
    kept = frame[frame[last].notna()]  # a point without any figure is missing in the arrays
    dimensions = columns[: columns.index(last) + 1]
    if kept.duplicated(dimensions).any():
        raise InputError(f"to_xarray: rows are the same in {', '.join(dimensions)}: the sweep has a point twice")
    return kept.set_index(dimensions).to_xarray()
