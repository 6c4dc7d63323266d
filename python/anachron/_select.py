"""The best of several designs."""

from __future__ import annotations

import dataclasses
import math
import os
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ._estimates import is_number, named, summary
from ._experiment import SweepError, run_points
from ._job import Outcome
from ._kim_nelson import KimNelson
from ._native import InputError
from ._points import described, points_of
from ._tidy import ESTIMATES, columns_of

if TYPE_CHECKING:
    import pandas


@dataclasses.dataclass(frozen=True)
class Selection:
    """What an.select found.

    - `best`: the options of the chosen design; `number`: which one it is, from 0
    - `frame`: a data frame with a row for each design. It has the options, and the `mean`, `half_width`, `sd`, `min` and
      `max` of the figure over `n` replications. `eliminated_after` is a number of replications, `eliminated_by` the
      number of another design; the chosen one has neither
    - `runs`: replications of all designs together
    - `decided`: False if `replications` was too few for the procedure to end
    """

    best: dict[str, Any]
    number: int
    frame: pandas.DataFrame
    runs: int
    decided: bool


def select(
    model: Any,
    designs: Mapping[str, Iterable[Any]] | Sequence[Mapping[str, Any]],
    *,
    figure: str,
    zone: float,
    maximise: bool = False,
    confidence: float = 0.95,
    first: int = 20,
    replications: int = 10_000,
    workers: int | None = None,
    executor: Any = None,
    seed: int = 1,
    file: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
    **options: Any,
) -> Selection:
    """Finds the design with the smallest mean of `figure`; with `maximise` the largest.

    `designs`: a grid or a list of points, as an.sweep has it; at least two. `zone` is the indifference zone, in the unit of the
    figure: a difference of means below it does not matter. The design that is chosen is the best with a probability of
    at least `confidence`, if the best is better than each other one by `zone` or more. All of them
    have the same seeds, `seed`, `seed` + 1 and so on (common random numbers). The more alike two designs react to chance,
    the fewer runs tell them apart.

    The procedure is KN of S.-H. Kim and B. L. Nelson, "A fully sequential procedure for indifference-zone selection in
    simulation", ACM Transactions on Modeling and Computer Simulation 11(3), 2001. It is valid with common random numbers, and
    assumes that the figure is normally distributed over seeds, as averages of long runs nearly are. All designs get `first`
    replications, at least 2, which tell how much their differences scatter. Then the procedure adds one replication of
    each design at a time, and eliminates those that are behind. `replications` is the most of a design. Where that is
    too few, a warning says so, and the design that is ahead is chosen.

    `workers`, `executor`, `file`, `progress` and `options` are those of an.sweep, and the answer is the same on any number
    of cores. Between stages the procedure takes time quadratic in the number of designs that are left.

    Raises InputError for values that are not valid, also for a figure that a run does not have as a number. Raises
    SweepError when a run fails.
    """
    points = points_of(designs)
    _check(points, zone, confidence, first, replications)
    plan = _Race(points, figure, 1 if maximise else -1, KimNelson(len(points), zone, confidence, first), replications, seed)
    run_points(
        model, points, plan,
        seed=seed, options=options, workers=workers, executor=executor, file=file, progress=progress,
    )  # fmt: skip
    return plan.selection(confidence)


def _check(points: list[dict[str, Any]], zone: float, confidence: float, first: int, replications: int) -> None:
    if len(points) < 2:
        raise InputError(f"designs: there are {len(points)}: expected at least 2")
    if not 0 < zone < math.inf:
        raise InputError(f"zone: {zone} is not valid: expected a difference above 0, in the unit of the figure")
    if not 1 / len(points) < confidence < 1:
        valid = f"a number above {1 / len(points):.3g}, which any of {len(points)} designs has by chance, and below 1"
        raise InputError(f"confidence: {confidence} is not valid: expected {valid}")
    if first < 2:
        raise InputError(f"first: {first} is not valid: expected at least 2 replications")
    if replications < first:
        raise InputError(f"replications: {replications} is not valid: expected at least first={first}")


class _Race:
    """Replications of all designs that are left, until one is."""

    def __init__(
        self, points: list[dict[str, Any]], figure: str, sign: int, procedure: KimNelson, most: int, seed: int
    ):
        self.most = most
        self._points, self._figure, self._sign, self._procedure, self._seed = points, figure, sign, procedure, seed
        self._outcomes: list[list[Outcome]] = [[] for _ in points]
        self._seen = 0  # outcomes of each design that the procedure has seen

    def is_open(self, point: int) -> bool:
        return not self._procedure.is_decided and point in self._procedure.left

    def take(self, point: int, outcome: Outcome) -> None:
        """The procedure sees an outcome when all designs that are left have theirs with the same seed. So a run that was made
        ahead has no effect, nor has its failure, if its design is eliminated before."""
        self._outcomes[point].append(outcome)
        while not self._procedure.is_decided and all(len(self._outcomes[i]) > self._seen for i in self._procedure.left):
            for design in list(self._procedure.left):
                self._procedure.add(design, self._sign * self._value(design, self._outcomes[design][self._seen]))
            self._seen += 1

    def _value(self, design: int, outcome: Outcome) -> float:
        at = self._seed + self._seen
        where = described(self._points[design], at)
        if outcome.run is None:
            raise SweepError(f"the run of {where} failed: {outcome.error}", self._points[design], at) from outcome.error
        figures = outcome.run["figures"]
        x = figures.get(named(self._figure, figures))
        if not is_number(x):
            known = ", ".join(name for name in figures if is_number(figures[name])) or "none"
            raise InputError(f"figure: {self._figure!r} is no number of the run of {where} (valid: {known})")
        return x

    def selection(self, confidence: float) -> Selection:
        import pandas

        procedure, number = self._procedure, self._procedure.best()
        if not procedure.is_decided:
            left = len(procedure.left)
            advice = "take more, or a larger zone"
            warnings.warn(f"{left} designs are left after replications={self.most}: {advice}", stacklevel=3)
        found = [procedure.observations(design) for design in range(len(self._points))]
        rows = [
            {**columns_of(point, ESTIMATES), **summary([self._sign * x for x in values], confidence)}
            for point, values in zip(self._points, found)
        ]
        frame = pandas.DataFrame(rows)
        frame["eliminated_after"] = pandas.array(procedure.stage_of, "Int64")
        frame["eliminated_by"] = pandas.array(procedure.beaten_by, "Int64")
        return Selection(self._points[number], number, frame, sum(map(len, found)), procedure.is_decided)
