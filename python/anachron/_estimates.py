"""Estimates of means, and their intervals of confidence."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from typing import Any


def is_number(figure: Any) -> bool:
    """A text has no mean: it is in the frame of the runs alone. What is not known is None or NaN."""
    return isinstance(figure, (int, float)) and math.isfinite(figure)


def headlines(figures: Mapping[str, Any]) -> list[str]:
    """The figures that are numbers of their own, and the means of statistics: "wait.mean", but not "wait.sd"."""
    statistics = {name.removesuffix(".mean") for name in figures if name.endswith(".mean")}
    return [name for name in figures if name.endswith(".mean") or name.rpartition(".")[0] not in statistics]


def named(figure: str, figures: Mapping[str, Any]) -> str:
    """Of a statistic its mean: "wait" is "wait.mean" there."""
    return figure if figure in figures or f"{figure}.mean" not in figures else f"{figure}.mean"


def summary(values: list[float], confidence: float) -> dict[str, float]:
    n = len(values)
    mean = math.fsum(values) / n
    sd = math.sqrt(math.fsum((x - mean) ** 2 for x in values) / (n - 1)) if n > 1 else math.nan
    half_width = student(confidence, n - 1) * sd / math.sqrt(n) if n > 1 else math.nan
    return {"mean": mean, "half_width": half_width, "sd": sd, "n": n, "min": min(values), "max": max(values)}


class RunningMean:
    """Mean and variance of observations that come one by one (B. P. Welford, Technometrics 4(3), 1962), as an::Tally has
    them."""

    def __init__(self) -> None:
        self.n, self.mean, self._squares = 0, 0.0, 0.0

    def add(self, x: float) -> None:
        self.n += 1
        from_mean = x - self.mean
        self.mean += from_mean / self.n
        self._squares += from_mean * (x - self.mean)

    def error(self) -> float:
        """The standard error of the mean; of at least two observations."""
        return math.sqrt(self._squares / (self.n - 1) / self.n)


def within(t: float, degrees: int) -> float:
    """The probability that Student's distribution has between -t and t: an elementary sum for whole degrees of freedom
    (M. Abramowitz, I. A. Stegun, 26.7.3 and 26.7.4). Takes time in proportion to `degrees`."""
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


@functools.lru_cache(10_000)
def student(confidence: float, degrees: int) -> float:
    """The t for which Student's distribution has so much probability between -t and t, by bisection."""
    low, high = 0.0, 1.0
    while within(high, degrees) < confidence:
        high *= 2
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if within(middle, degrees) < confidence else (low, middle)
    return (low + high) / 2
