"""Animations of what a run did: of `traffic`, and of rows that a model in Python has recorded."""

from __future__ import annotations

import math
import os
from typing import Any

import numpy as np

from ._animation import Animation, animation, check_file, check_network, places_of
from ._native import InputError
from ._report import Report
from ._run import run_once

_SHOWN = {"ratio": "vehicles per hour / capacity", "flow": "vehicles per hour"}


def animate(
    report: Report,
    file: str | os.PathLike[str] | None = None,
    *,
    frames: int = 30,
    fps: float = 4,
    show: str = "ratio",
    table: str | None = None,
    value: str | None = None,
    by: str = "lp",
    at: str = "nodes",
    links: Any = None,
    nodes: Any = None,
    title: str = "",
) -> Animation:
    """An animation of a run, which a notebook shows. `file`: where it is written, too, as a page or as a GIF; the name
    ends in .html or .gif. Each of the `frames` is an interval of the same length.

    Of `traffic`: how many vehicles enter each link, per hour of the interval. `show` is "ratio", the number divided by
    the link's capacity, or "flow". A report has totals alone. So the run is made again up to the end of each interval,
    which takes as long as about `frames` / 2 runs.

    Nodes without coordinates are put on a circle.

    Of other models: `table` is one of rows with a column `time`, such as those of cx.record; the only one, unless it is
    given. The column `by` has the number of the link or the node, as `at` says: "links" or "nodes". Shown is the newest
    `value`, a column; without it how many rows there are in the interval. `links` and `nodes` are those of
    anachron.plot.animation. Without `nodes` the nodes are put in rows, a square of them, in the order of their numbers.

    InputError: what is asked for is not there. Pages need no other package, GIFs matplotlib."""
    if file is not None:
        check_file(file)
    if not isinstance(report, Report):
        raise TypeError(f"an.animate({report!r:.60}): expected a report, which an.run and model.run return")
    if not isinstance(frames, int) or frames < 1:
        raise InputError(f"frames: {frames!r} is not valid: expected a whole number above 0")
    name = report.data.get("model_name") or "a model"
    about = {"title": title or f"Run of {name}", "fps": fps}
    if table is None and name == "traffic":
        made = _of_traffic(report, show, frames, about)
    else:
        table = table or _only_table(report, by)
        made = _of_rows(report, table, value, by, at, links, nodes, frames, about)
    if file is not None:
        made.save(file)
    return made


def _only_table(report: Report, by: str) -> str:
    found = [name for name in report.tables if {"time", by} <= set(report.tables.columns(name))]
    if len(found) == 1:
        return found[0]
    name = report.data.get("model_name") or "a model"
    raise InputError(f"table: say which has the rows of {name} over time (there are: {', '.join(report.tables) or 'none'})")


def _on_circle(count: int) -> np.ndarray:
    turns = np.arange(count) * (2 * np.pi / max(count, 1))
    return np.stack([np.sin(turns), np.cos(turns)], 1)


def _in_rows(count: int) -> np.ndarray:
    """A square of places, from the upper left corner on."""
    wide = max(1, math.isqrt(max(count - 1, 0)) + 1)
    numbers = np.arange(max(count, 1))
    return np.stack([numbers % wide, -(numbers // wide)], 1).astype(float)


def _count_of(*numbers: Any) -> int:
    """How many nodes there are, if these are numbers of some."""
    return 1 + max((int(np.max(some)) for some in numbers if len(some)), default=-1)


def _intervals(end: float, frames: int, unit: str = "") -> tuple[np.ndarray, list[str]]:
    edges = np.linspace(0.0, end, frames + 1)
    return edges, [f"{a:.4g} to {b:.4g}{unit}" for a, b in zip(edges, edges[1:])]


def _of_traffic(report: Report, show: str, frames: int, about: dict[str, Any]) -> Animation:
    if show not in _SHOWN:
        raise InputError(f"show: {show!r} is not valid: expected {' or '.join(map(repr, _SHOWN))}")
    links = report.tables.columns("links")
    nodes = None if "from_x" in links else _on_circle(_count_of(links["from"], links["to"]))
    edges, texts = _intervals(_end_of_traffic(report), frames, " min")
    totals = [np.zeros(len(links["entered"]))]
    totals += [_entered_until(report, time) for time in edges[1:-1].tolist()]
    totals.append(np.asarray(links["entered"], float))
    with np.errstate(divide="ignore", invalid="ignore"):
        values = np.diff(totals, axis=0) / np.diff(edges)[:, None] * 60
        if show == "ratio":
            capacity = np.asarray(links["capacity"], float)
            values = np.where(capacity > 0, values / capacity, np.nan)
    return animation(links, nodes, values, texts, label=_SHOWN[show], **about)


def _end_of_traffic(report: Report) -> float:
    """When the last vehicle arrived, in minutes: `until` may be much later."""
    end = float(report.end_time)
    if report["driving"] == 0 and report["departed"] == report["trips"]:
        end = min(end, float(_again(report).end_time))
    if not end > 0:
        raise InputError("report: nothing happened in the run: it ended at time 0")
    return end


def _entered_until(report: Report, time: float) -> np.ndarray:
    """How many vehicles have entered each link by then."""
    return np.asarray(_again(report, until=time).tables.columns("links")["entered"], float)


def _again(report: Report, **until: float) -> Report:
    """The same run, to another end: it has the same events up to there."""
    options: dict[str, Any] = {n.replace("-", "_"): v for n, v in report.config["model"].items() if v != ""}
    options |= {n.replace("-", "_"): report.config[n] for n in ("seed", "tie-seed", "warm-up", "workers")}
    return run_once("traffic", progress=False, **{**options, **until})


def _of_rows(
    report: Report, table: str, value: str | None, by: str, at: str, links: Any, nodes: Any, frames: int, about: dict[str, Any]
) -> Animation:
    if table not in report.tables:
        raise InputError(f"table: there is no '{table}' (there are: {', '.join(report.tables) or 'none'})")
    columns = report.tables.columns(table)
    for option, name in (("table", "time"), ("by", by), ("value", value)):
        if name is not None and name not in columns:
            raise InputError(f"{option}: the table '{table}' has no column '{name}' (it has: {', '.join(columns)})")
    if nodes is None and at == "nodes" and np.asarray(columns[by]).dtype.kind in "iu":
        ends = [] if links is None else [np.asarray(links[end]) for end in ("from", "to") if end in links]
        nodes = _in_rows(max(_count_of(columns[by], *ends), report.data.get("lps", 0) if by == "lp" else 0))
    check_network(at, links, nodes)
    times = np.asarray(columns["time"], float)
    rows = places_of(nodes)[1] if at == "nodes" else {n: n for n in range(len(links[next(iter(links))]))}
    places = _rows_of(np.asarray(columns[by]).tolist(), rows, table, by, at)
    edges, texts = _intervals(float(report.end_time), frames)
    first = np.searchsorted(times, edges)
    first[-1] = len(times)  # events at the very end are in the last frame
    values, now = [], np.full(len(rows), np.nan)
    for a, b in zip(first, first[1:]):
        if value is None:
            now = np.bincount(places[a:b], minlength=len(rows))
        else:
            now = now.copy()
            now[places[a:b]] = np.asarray(columns[value], float)[a:b]  # of several the last one stays
        values.append(now)
    return animation(links, nodes, values, texts, at=at, label=value or f"{table} in the interval", **about)


def _rows_of(numbers: list[Any], rows: dict[Any, int], table: str, by: str, at: str) -> np.ndarray:
    unknown = [number for number in numbers if number not in rows]
    if unknown:
        raise InputError(f"by: '{by}' of the table '{table}' has {unknown[0]!r}, which is not among the {len(rows)} {at}")
    return np.array([rows[number] for number in numbers], dtype=np.int64)
