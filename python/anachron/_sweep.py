"""Design of experiments: runs of a grid of parameters with several seeds, side by side."""

from __future__ import annotations

import functools
import hashlib
import itertools
import json
import math
import os
import threading
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._cache import contents_of
from ._native import AnachronError, InputError, library_hash
from ._run import progress_bar, require_one_process, run_once, text_of


if TYPE_CHECKING:
    import pandas


class SweepError(InputError):
    """Runs of a sweep failed. Attributes: `point` and `seed` of the first; its error is `__cause__`."""

    def __init__(self, message: str, point: Mapping[str, Any] = {}, seed: int = 0):  # a pickle gives the message alone
        super().__init__(message)
        self.point, self.seed = dict(point), seed


def sweep(
    model: Any,
    grid: Mapping[str, Iterable[Any]] | Sequence[Mapping[str, Any]],
    replications: int = 5,
    workers: int | None = None,
    *,
    seed: int = 1,
    confidence: float = 0.95,
    file: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
    runs: bool = False,
    **options: Any,
) -> pandas.DataFrame:
    """Runs `model` (a name, or an an.Model) at each point of `grid`, `replications` times each, and returns a tidy data
    frame. It has a row for each point and figure, with the columns of the grid, `figure`, `mean`, `half_width`, `sd`,
    `n`, `min` and `max`. `half_width` is that of the mean's interval with probability `confidence`, and NaN for one
    replication. With `runs=True` there is a row for each run instead, with `seed`, `digest`, `committed`, `wall_s`
    (seconds) and the figures as columns.

    `grid`: values by the name of an option, all of which are combined; or a list of dictionaries, the points. `options`
    are the same for all runs. Replication k of every point has the seed `seed` + k: points differ by their parameters
    and not by chance (common random numbers), as far as models draw alike.

    `workers` runs are made at a time, one for each core unless it is given; each is sequential unless `sync` is given.
    `file`: runs that ended are appended to it as JSON lines, and not made again when the sweep is started again. Those of
    another code, other defaults, other shared data or another build of the library are runs of another model, and are
    made anew.
    `shared`: read-only data of the LPs instead of the model's, as `Model.run` has it.
    A run that fails does not end the others: the error comes after them, and names the point and the seed.
    """
    require_one_process("a sweep")
    if replications < 1:
        raise InputError(f"replications: {replications} is not valid: expected at least 1")
    if not 0 < confidence < 1:
        raise InputError(f"confidence: {confidence} is not valid: expected a number above 0 and below 1, such as 0.95")
    points = _points(grid)
    options.setdefault("sync", "sequential")
    tasks = [(point, seed + k) for point in points for k in range(replications)]
    done = _Done(model, options, file)
    _make(model, [task for task in tasks if done.get(*task) is None], options, workers, done, progress)
    rows = [(point, done.get(point, task_seed)) for point, task_seed in tasks]
    return _frame_of_runs(rows) if runs else _frame(points, rows, confidence)


def _points(grid: Any) -> list[dict[str, Any]]:
    if isinstance(grid, Mapping):
        _require_no_seed(grid)
        names = list(grid)
        return [dict(zip(names, values)) for values in itertools.product(*(_values(n, grid[n]) for n in names))]
    points = [dict(point) for point in grid]
    for point in points:
        _require_no_seed(point)
    return points


def _require_no_seed(names: Iterable[str]) -> None:
    if "shared" in names:
        raise InputError("grid: shared is no part of a grid: give the sweep shared=, or the model a function of its parameters")
    if "seed" in names:
        raise InputError("grid: seed is no part of a grid: give the sweep seed= for the first one and replications=")


def _values(name: str, values: Any) -> list[Any]:
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__") or getattr(values, "ndim", 1) == 0:
        raise InputError(f"grid: {name}: {values!r} is a single value: expected a list, such as [{values!r}]")
    return list(values)


_DATA = ("shared",)  # options that are data and no values


def _identity(model: Any, shared: Any) -> list[Any]:
    """What the results of a model depend on beside its options: of a bundled one the library, in which it is."""
    if isinstance(model, str):
        return [model, library_hash()]
    return [model.name, library_hash(), contents_of(model, shared)]


class _Done:
    """Runs that have ended, by what they were."""

    def __init__(self, model: Any, options: Mapping[str, Any], file: Any):
        own = {n: _plain(v) for n, v in options.items() if n not in _DATA}
        self._file = Path(file) if file is not None else None
        self._of = [*(_identity(model, options.get("shared")) if self._file else ()), own]
        self._lock = threading.Lock()
        self._runs: dict[str, dict[str, Any]] = {}
        if self._file and self._file.exists():
            self._read(self._file)

    def _read(self, file: Path) -> None:
        text = file.read_text()
        whole = text[: text.rfind("\n") + 1]  # the sweep may have been ended while it wrote a line
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                entry = json.loads(line)
                self._runs[entry["key"]] = entry["run"]
            except (ValueError, KeyError, TypeError):
                raise InputError(f"{file}:{number}: this is no run of a sweep") from None
        if whole != text:
            file.write_text(whole)

    def _key(self, point: Mapping[str, Any], seed: int) -> str:
        return json.dumps([*self._of, {n: _plain(v) for n, v in point.items()}, seed], sort_keys=True)

    def get(self, point: Mapping[str, Any], seed: int) -> dict[str, Any] | None:
        return self._runs.get(self._key(point, seed))

    def add(self, point: Mapping[str, Any], seed: int, report: Any) -> None:
        figures = {}
        for name, value in report.results.items():
            if isinstance(value, Mapping):  # a statistic
                figures.update({f"{name}.{part}": x for part, x in value.items()})
            else:
                figures[name] = value
        ran = {"seed": seed, "digest": report.digest, "committed": report.committed, "wall_s": report.wall_s}
        ran["figures"] = figures
        key = self._key(point, seed)
        with self._lock:
            self._runs[key] = ran
            if self._file:
                with self._file.open("a") as out:
                    out.write(json.dumps({"key": key, "run": ran}) + "\n")


def _plain(value: Any) -> Any:
    """Of an option that names a file what is in the file, too."""
    if isinstance(value, (bool, int, float)) or value is None:
        return value
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    text = text_of(value)
    return [text, _contents_of_file(text, os.stat(text).st_mtime_ns)] if os.path.isfile(text) else text


@functools.lru_cache(1000)
def _contents_of_file(path: str, _changed: int) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


def _make(model: Any, tasks: list[Any], options: Mapping[str, Any], workers: Any, done: _Done, progress: Any) -> None:
    """Makes all runs, also after one has failed: an error then names the point and the seed of the first."""
    stop = threading.Event()
    failures: list[tuple[Any, AnachronError]] = []
    bar = None
    if progress:
        bar = progress_bar("runs")
        if bar is not None:
            bar.total = len(tasks)

    def one(task: Any) -> None:
        point, seed = task
        if stop.is_set():
            return
        try:
            report = run_once(model, progress=lambda _now: stop.is_set(), seed=seed, **{**options, **point})
        except AnachronError as error:
            failures.append((task, error))
            return
        if report.ending != "interrupted":
            done.add(point, seed, report)
        if bar is not None:
            bar.update()

    side_by_side = workers or len(os.sched_getaffinity(0))
    with ThreadPoolExecutor(side_by_side) as pool:
        try:
            for future in [pool.submit(one, task) for task in tasks]:
                future.result()
        except BaseException:
            stop.set()
            raise
        finally:
            if bar is not None:
                bar.close()
    if failures:
        (point, seed), error = min(failures, key=lambda failure: tasks.index(failure[0]))
        raise SweepError(_failed(point, seed, error, len(failures), len(tasks)), point, seed) from error


def _failed(point: Mapping[str, Any], seed: int, error: Exception, failed: int, of: int) -> str:
    values = "".join(f"{name}={value!r}, " for name, value in point.items())
    return f"{failed} of {of} runs failed, first the one of {values}seed={seed}: {error}"


def _frame_of_runs(rows: list[Any]) -> Any:
    import pandas

    facts = ("seed", "digest", "committed", "wall_s")
    return pandas.DataFrame([{**point, **{k: ran[k] for k in facts}, **ran["figures"]} for point, ran in rows])


def _frame(points: list[dict[str, Any]], rows: list[Any], confidence: float) -> Any:
    import pandas

    out = []
    each = len(rows) // max(len(points), 1)
    for number, point in enumerate(points):
        runs = [ran["figures"] for _, ran in rows[number * each : (number + 1) * each]]
        for figure in dict.fromkeys(name for ran in runs for name in ran):
            values = [ran[figure] for ran in runs if _is_number(ran.get(figure))]
            if values:
                out.append({**point, "figure": figure, **_summary(values, confidence)})
    return pandas.DataFrame(out)


def _is_number(figure: Any) -> bool:
    """A text has no mean: it is in the frame of the runs alone."""
    return isinstance(figure, (int, float))


def _summary(values: list[float], confidence: float) -> dict[str, float]:
    n = len(values)
    mean = math.fsum(values) / n
    sd = math.sqrt(math.fsum((x - mean) ** 2 for x in values) / (n - 1)) if n > 1 else math.nan
    half_width = student(confidence, n - 1) * sd / math.sqrt(n) if n > 1 else math.nan
    return {"mean": mean, "half_width": half_width, "sd": sd, "n": n, "min": min(values), "max": max(values)}


def student(confidence: float, degrees: int) -> float:
    """The t for which Student's distribution has so much probability between -t and t: by bisection of its integral, an
    elementary sum for whole degrees of freedom (M. Abramowitz, I. A. Stegun, 26.7.3 and 26.7.4)."""

    def between(t: float) -> float:
        theta = math.atan(t / math.sqrt(degrees))
        c, s = math.cos(theta), math.sin(theta)
        if degrees % 2 == 1:
            term, total = c, 0.0
            for k in range(3, degrees + 1, 2):
                total += term
                term *= c * c * (k - 1) / k
            return 2 / math.pi * (theta + s * total)
        term, total = 1.0, 0.0
        for k in range(2, degrees + 1, 2):
            total += term
            term *= c * c * (k - 1) / k
        return s * total

    low, high = 0.0, 1.0
    while between(high) < confidence:
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if between(middle) < confidence else (low, middle)
    return (low + high) / 2
