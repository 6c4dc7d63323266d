"""The points of an experiment: a grid, or a list of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from typing import Any

from ._native import InputError


def points_of(grid: Any) -> list[dict[str, Any]]:
    """Values by the name of an option, all of which are combined; or a list of dictionaries, the points. Raises InputError
    for a single value instead of a list, for `seed` and for `shared`."""
    if isinstance(grid, Mapping):
        _check_names(grid)
        names = list(grid)
        return [dict(zip(names, values)) for values in itertools.product(*(_values(n, grid[n]) for n in names))]
    points = [dict(point) for point in grid]
    for point in points:
        _check_names(point)
    return points


def _check_names(names: Iterable[str]) -> None:
    if "shared" in names:
        raise InputError("grid: shared is no part of a grid: give the sweep shared=, or the model a function of its parameters")
    if "seed" in names:
        raise InputError("grid: seed is no part of a grid: give the sweep seed= for the first one and replications=")


def _values(name: str, values: Any) -> list[Any]:
    if isinstance(values, (str, bytes)) or not hasattr(values, "__iter__") or getattr(values, "ndim", 1) == 0:
        raise InputError(f"grid: {name}: {values!r} is a single value: expected a list, such as [{values!r}]")
    return list(values)


def described(point: Mapping[str, Any], seed: int | None = None) -> str:
    """A point, and the seed of a run of it, for messages: "servers=2, seed=7"."""
    values = [f"{name}={value!r}" for name, value in point.items()]
    return ", ".join(values if seed is None else [*values, f"seed={seed}"]) or "the only point"
