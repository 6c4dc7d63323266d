"""Replications until means are precise enough."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ._estimates import RunningMean, headlines, is_number, named, student, within
from ._job import Outcome
from ._native import InputError

#: Replications of a point before the first look at their precision, as `--precision` has it.
FIRST = 10


class PrecisionRule:
    """Says after which replication the means are precise: the half-width of the interval of each is at most `relative`
    of its magnitude. That is the sequential procedure of Y. S. Chow and H. Robbins, "On the asymptotic theory of
    fixed-width sequential confidence intervals for the mean", Annals of Mathematical Statistics 36, 1965, with a relative
    width (A. M. Law, Simulation Modeling and Analysis, chapter 9). Each replication takes constant time for a figure, and
    one evaluation of Student's distribution."""

    def __init__(self, relative: float, figures: Sequence[str], confidence: float):
        """`figures`: none are all numbers, and the means of all statistics."""
        self._relative, self._figures, self._confidence = relative, list(figures), confidence
        self._means: dict[str, RunningMean] = {}
        self._runs = 0

    def add(self, figures: Mapping[str, Any]) -> bool:
        """Takes the figures of the next replication. Returns whether the means are precise now. Raises InputError for
        figures that the first replications do not have."""
        self._runs += 1
        for name in [named(f, figures) for f in self._figures] or headlines(figures):
            if is_number(figures.get(name)):
                self._means.setdefault(name, RunningMean()).add(figures[name])
        if self._runs < FIRST:
            return False
        if self._runs == FIRST:
            self._check_names(figures)
        return bool(self._means) and all(self._is_precise(mean) for mean in self._means.values())

    def _is_precise(self, mean: RunningMean) -> bool:
        if mean.n < FIRST:
            return False
        target, error = self._relative * abs(mean.mean), mean.error()
        return error == 0 or within(target / error, mean.n - 1) >= self._confidence

    def _check_names(self, figures: Mapping[str, Any]) -> None:
        for name in self._figures:
            if name not in self._means and f"{name}.mean" not in self._means:
                known = ", ".join(f for f in figures if is_number(figures[f])) or "none"
                raise InputError(f"figure: {name!r} is none of the model's numbers (valid: {known})")

    def missed(self) -> dict[str, float]:
        """Of each mean that is not precise the half-width, relative to the magnitude of the mean."""
        return {name: self._reached(mean) for name, mean in self._means.items() if not self._is_precise(mean)}

    def _reached(self, mean: RunningMean) -> float:
        if mean.n < 2 or mean.mean == 0:
            return math.inf
        return student(self._confidence, mean.n - 1) * mean.error() / abs(mean.mean)


class PrecisionPlan:
    """Runs of each point until its rule is content, or `most`. A run that fails is the last one of its point."""

    def __init__(self, points: int, most: int, make_rule: Callable[[], PrecisionRule]):
        self.most = most
        self.rules = [make_rule() for _ in range(points)]
        self.is_precise = [False] * points
        self._has_failed = [False] * points

    def is_open(self, point: int) -> bool:
        return not self.is_precise[point] and not self._has_failed[point]

    def take(self, point: int, outcome: Outcome) -> None:
        if outcome.run is None:
            self._has_failed[point] = True
        else:
            self.is_precise[point] = self.rules[point].add(outcome.run["figures"])

    def missed(self) -> list[int]:
        """Points that had all their runs and are not precise."""
        return [point for point in range(len(self.rules)) if self.is_open(point)]
