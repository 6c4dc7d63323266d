"""The runs of an experiment: points times seeds, on threads or on any executor, kept in a file."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from ._dispatch import Dispatcher, FixedPlan, Plan
from ._done import Done
from ._job import Outcome, Work, make_run
from ._native import InputError
from ._points import described
from ._run import progress_bar, require_one_process


class SweepError(InputError):
    """Runs of a sweep failed. Attributes: `point` and `seed` of the first; its error is `__cause__`. `frame` has what the other
    runs found: the data frame that the sweep would have returned with `errors="keep"`. Of an.select it is None."""

    def __init__(self, message: str, point: Mapping[str, Any] = {}, seed: int = 0, frame: Any = None):
        super().__init__(message)  # a pickle gives the message alone, and then the attributes
        self.point, self.seed, self.frame = dict(point), seed, frame


def run_points(
    model: Any,
    points: Sequence[Mapping[str, Any]],
    plan: Plan,
    *,
    seed: int,
    options: Mapping[str, Any],
    workers: int | None,
    executor: Any,
    file: Any,
    progress: bool | None,
) -> list[list[Outcome]]:
    """Of each point the outcomes of its runs, with the seeds `seed`, `seed` + 1 and so on, as many as `plan` wants."""
    if executor is None or type(executor) is ThreadPoolExecutor:
        require_one_process("a sweep")
    if workers is not None and not (isinstance(workers, int) and workers >= 1):
        raise InputError(f"workers: {workers!r} is not valid: expected a whole number, at least 1")
    if executor is not None and not callable(getattr(executor, "submit", None)):
        raise InputError(f"executor: {executor!r} is not valid: expected one with submit(), as concurrent.futures has them")
    options = {"sync": "sequential", **options}
    done, work, stop = Done(model, options, file), Work(model, options), threading.Event()
    own = executor is None
    pool = ThreadPoolExecutor(_places(None, workers)) if own else executor
    stops = (stop,) if type(pool) is ThreadPoolExecutor else ()  # other processes have no such event
    bar = _Bar(progress, len(points) * plan.most if isinstance(plan, FixedPlan) else None)

    def known(point: int, k: int) -> Outcome | None:
        run = done.get(points[point], seed + k)
        return None if run is None else Outcome(run)

    def made(point: int, k: int, outcome: Outcome) -> None:
        if outcome.run is not None:
            done.add(points[point], seed + k, outcome.run)
        bar.advance()

    places = None if isinstance(plan, FixedPlan) and not own and workers is None else _places(executor, workers)
    try:
        return Dispatcher(
            plan,
            len(points),
            places,
            lambda point, k: pool.submit(make_run, work, points[point], seed + k, *stops),
            known,
            made,
        ).run()
    finally:
        stop.set()
        bar.close()
        if own:
            pool.shutdown()


def raise_first(
    points: Sequence[Mapping[str, Any]], outcomes: list[list[Outcome]], seed: int, frame_of: Callable[[], Any]
) -> None:
    """Raises SweepError if there are runs that failed. It names the first, by point and seed. `frame_of` makes its frame."""
    runs = [(point, seed + k, o.error) for point, of in zip(points, outcomes) for k, o in enumerate(of)]
    failed = [run for run in runs if run[2] is not None]
    if failed:
        point, at, error = failed[0]
        what = f"{len(failed)} of {len(runs)} runs failed, first the one of {described(point, at)}: {error}"
        hint = "what the others found is in `frame` of this error; errors='keep' returns it"
        raise SweepError(f"{what} ({hint})", point, at, frame_of()) from error


def _places(executor: Any, workers: int | None) -> int:
    """How many runs an executor makes at a time, as far as it tells."""
    told = (workers, getattr(executor, "num_workers", None), getattr(executor, "_max_workers", None))
    return next((n for n in told if isinstance(n, int) and n > 0), len(os.sched_getaffinity(0)))


class _Bar:
    """A bar of progress with tqdm, on a terminal unless `progress` says otherwise."""

    def __init__(self, progress: bool | None, runs: int | None):
        is_shown = sys.stderr.isatty() if progress is None else progress
        self._bar = progress_bar("runs", " runs", runs) if is_shown else None

    def advance(self) -> None:
        if self._bar is not None:
            self._bar.update()

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
