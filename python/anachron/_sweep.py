"""Design of experiments: runs of a grid of parameters with several seeds, side by side."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._dispatch import FixedPlan
from ._experiment import SweepError, raise_first, run_points
from ._native import InputError
from ._points import described, points_of
from ._precision import FIRST, PrecisionPlan, PrecisionRule
from ._tidy import frame_of_estimates, frame_of_runs

if TYPE_CHECKING:
    import pandas

__all__ = ["SweepError", "sweep"]

_MOST = 1000  # replications with a precision, unless they are given


def sweep(
    model: Any,
    grid: Mapping[str, Iterable[Any]] | Sequence[Mapping[str, Any]],
    replications: int | None = None,
    workers: int | None = None,
    *,
    seed: int = 1,
    confidence: float = 0.95,
    precision: float | None = None,
    figure: str | Sequence[str] | None = None,
    executor: Any = None,
    errors: str = "raise",
    file: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
    runs: bool = False,
    **options: Any,
) -> pandas.DataFrame:
    """Runs `model` (a name, or an an.Model) at each point of `grid`, `replications` times each, 5 unless given, and returns
    a tidy data frame. It has a row for each point and figure, with the columns of the grid, `figure`, `mean`,
    `half_width`, `sd`, `n`, `min` and `max`. `half_width` is that of the mean's interval with probability `confidence`,
    and NaN for one replication. With `runs=True` there is a row for each run instead, with `seed`, `digest`, `committed`,
    `wall_s` (seconds) and the figures as columns. An option that is called like a column, such as `mean`, is the column
    `mean_`. `an.to_xarray(frame)` makes an xarray.Dataset of it, `frame.to_parquet(file)` a file.

    `grid`: values by the name of an option, all of which are combined; or a list of dictionaries, the points. `options`
    are the same for all runs. Replication k of every point has the seed `seed` + k: points differ by their parameters
    and not by chance (common random numbers), as far as models draw alike.

    `precision=0.01` makes replications of each point, at least 10, until the half-width is at most 1% of the mean of
    `figure`, or of each figure in a list. "wait" is the mean of the statistic `wait`. Without `figure` that goes for all
    numbers, and for the means of all statistics. `replications` is then the most of a point, 1000 unless given. A
    warning names points that miss the precision, and the column `precise` says of each row whether it has it. The rule
    looks at runs in the order of their seeds, and not beyond the last one it needs. So the frame is the same on any
    number of cores (Y. S. Chow, H. Robbins, Annals of Mathematical Statistics 36, 1965; A. M. Law, Simulation Modeling
    and Analysis, chapter 9). Such intervals have the true mean a little less often than `confidence` says.

    `workers` runs are made at a time, one for each core unless it is given; each is sequential unless `sync` is given.
    `executor`: makes the runs instead of threads of this process. It is any object with the `submit` of
    concurrent.futures.Executor: ProcessPoolExecutor, `Client.get_executor()` of Dask, MPIPoolExecutor of mpi4py.futures.
    The frame is the same. With `precision`, `workers` then says how many runs are made at a time, where the executor does
    not tell.

    `file`: runs that ended are appended to it as JSON lines, and not made again when the sweep is started again. Those of
    another code, other defaults, other shared data or another build of the library are runs of another model, and are
    made anew. Only the calling process writes it.
    `shared`: read-only data of the LPs instead of the model's, as `Model.run` has it.
    `progress`: True shows a bar (with tqdm), None does so on a terminal.

    A run that fails does not end the others. With `errors="raise"` a SweepError comes after them, and names the point and
    the seed; its `frame` has what the other runs found. With `errors="keep"` a column `error` has its text: of each run with `runs=True`, else of each point, whose
    figures are those of its other runs. With `precision` a point ends with the first run that fails.
    Ctrl-C cancels the runs that have not begun, and ends those in threads of this process.

    Raises InputError for values that are not valid, before the first run as far as they are the sweep's own.
    """
    points = points_of(grid)
    _check(replications, confidence, errors)
    if precision is None:
        if figure is not None:
            raise InputError(f"figure: {figure!r} is not valid: expected with precision= only")
        plan: FixedPlan | PrecisionPlan = FixedPlan(5 if replications is None else replications)
    else:
        plan = _precision_plan(precision, figure, replications, confidence, len(points))
    outcomes = run_points(
        model, points, plan,
        seed=seed, options=options, workers=workers, executor=executor, file=file, progress=progress,
    )  # fmt: skip

    def frame(with_errors: bool) -> pandas.DataFrame:
        if runs:
            return frame_of_runs(points, outcomes, seed, with_errors)
        return frame_of_estimates(points, outcomes, confidence, with_errors, precision)

    if errors == "raise":
        raise_first(points, outcomes, seed, lambda: frame(True))
    if isinstance(plan, PrecisionPlan):
        _warn_of_missed(points, plan, precision or 0)
    return frame(errors == "keep")


def _check(replications: int | None, confidence: float, errors: str) -> None:
    if replications is not None and replications < 1:
        raise InputError(f"replications: {replications} is not valid: expected at least 1")
    if not 0 < confidence < 1:
        raise InputError(f"confidence: {confidence} is not valid: expected a number above 0 and below 1, such as 0.95")
    if errors not in ("raise", "keep"):
        raise InputError(f"errors: {errors!r} is not valid: expected 'raise' or 'keep'")


def _precision_plan(
    precision: float, figure: str | Sequence[str] | None, replications: int | None, confidence: float, points: int
) -> PrecisionPlan:
    if not 0 < precision < 1:
        raise InputError(f"precision: {precision} is not valid: expected a number above 0 and below 1, such as 0.01 for 1%")
    most = _MOST if replications is None else replications
    if most < FIRST:
        raise InputError(f"replications: {most} is not valid: expected at least {FIRST} with precision=, the most of a point")
    figures = [figure] if isinstance(figure, str) else list(figure or ())
    if figure is not None and not (figures and all(isinstance(name, str) for name in figures)):
        raise InputError(f"figure: {figure!r} is not valid: expected the name of a figure, or a list of names")
    return PrecisionPlan(points, most, lambda: PrecisionRule(precision, figures, confidence))


def _warn_of_missed(points: Sequence[Mapping[str, Any]], plan: PrecisionPlan, precision: float) -> None:
    missed = plan.missed()
    for point in missed[:5]:
        reached = ", ".join(f"{name} has {x:.3g}" for name, x in plan.rules[point].missed().items()) or "there is no figure"
        what = f"precision={precision:g} was missed with {plan.most} replications at {described(points[point])}"
        warnings.warn(f"{what}: {reached}; replications= allows more", stacklevel=3)
    if len(missed) > 5:
        warnings.warn(f"precision={precision:g} was missed at {len(missed)} of {len(points)} points", stacklevel=3)
