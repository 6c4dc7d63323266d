"""Two reports of one model, figure by figure."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ._native import InputError

if TYPE_CHECKING:
    from ._report import Report

#: Options of which the default follows what the machine has free when a run begins.
_OF_THE_MACHINE = frozenset({"memory"})


def comparison(this: Report, other: Report) -> tuple[dict[str, list[Any]], dict[str, Any]]:
    """Columns with a row for each figure, and what is the same of the runs themselves: see Report.compare."""
    names = this.data.get("model_name"), other.data.get("model_name")
    if names[0] != names[1]:
        raise InputError(f"compare: reports of two models, {names[0]} and {names[1]}: expected two of one model")
    here, there = dict(_numbers(this.results)), dict(_numbers(other.results))
    figures = list(dict.fromkeys([*here, *there]))
    pairs = [(here.get(name, math.nan), there.get(name, math.nan)) for name in figures]
    columns: dict[str, list[Any]] = {
        "figure": figures,
        "this": [a for a, _ in pairs],
        "other": [b for _, b in pairs],
        "difference": [a - b for a, b in pairs],
        "ratio": [a / b if b else math.nan for a, b in pairs],
    }
    options = _differing(this.data.get("config", {}), other.data.get("config", {}))
    for name in _OF_THE_MACHINE - (this._given | other._given):
        options.pop(name, None)
    about: dict[str, Any] = {"same_digest": this.data.get("digest") == other.data.get("digest"), "options": options}
    return columns, about


def _numbers(figures: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, float]]:
    """Numbers by name; those of a statistic as `name.mean` and so on."""
    for name, value in figures.items():
        if isinstance(value, Mapping):
            yield from _numbers(value, f"{prefix}{name}.")
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            yield prefix + name, value


def _differing(this: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Options by name that are not the same, with both values; those of the model among them."""
    out: dict[str, tuple[Any, Any]] = {}
    for name in dict.fromkeys([*this, *other]):
        a, b = this.get(name), other.get(name)
        if isinstance(a, Mapping) and isinstance(b, Mapping):
            out.update(_differing(a, b))
        elif a != b:
            out[name] = (a, b)
    return out
