"""Animations of networks: a frame for each interval of time, in a page or as a GIF."""

from __future__ import annotations

import base64
import os
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from ._animation_page import LIGHT, page
from ._matplotlib import new_figure
from ._native import InputError

_WIDE = 10_000  # units of a page's coordinates along the longer side
_BESIDE = 0.003  # of the longer side: so far to the right of its line a link is drawn, as roads have two directions


class Animation:
    """A network with a value for each link, or for each node, in each frame. A notebook shows it. Made by an.animate and
    anachron.plot.animation."""

    def __init__(self, lines: np.ndarray, points: np.ndarray, values: np.ndarray, times: Sequence[str], **about: Any):
        """`lines`: rows of x, y, x, y; `points`: rows of x, y. One of them has the values: `at`."""
        self._lines, self._points, self.values, self.times = lines, points, values, list(times)
        self._at: str = about["at"]
        self.label: str = about["label"]
        self.title: str = about["title"]
        self.fps: float = about["fps"]

    def save(self, file: str | os.PathLike[str]) -> None:
        """Writes a GIF (with matplotlib) or a page that needs no other file: the name ends in .gif or .html."""
        check_file(file)
        if Path(file).suffix.lower() == ".html":
            Path(file).write_text(self.html(), encoding="utf-8")
        else:
            self._save_gif(file)

    def range(self) -> tuple[float, float]:
        """The least and the greatest value of all frames."""
        known = self.values[np.isfinite(self.values)]
        return (float(known.min()), float(known.max())) if len(known) else (0.0, 0.0)

    def html(self) -> str:
        """The page: a slider and a button, in light and dark, without anything from the network."""
        low, high = self.range()
        corner = np.concatenate([self._lines.reshape(-1, 2), self._points])
        least, most = corner.min(axis=0), corner.max(axis=0)
        unit = _WIDE / (float((most - least).max()) or 1.0)

        def placed(places: np.ndarray) -> list[int]:  # y of a page grows downwards
            xy = places.reshape(-1, 2)
            moved = np.stack([xy[:, 0] - least[0], most[1] - xy[:, 1]], 1)
            return (moved * unit).round().astype(int).ravel().tolist()

        share = (self.values - low) / ((high - low) or 1.0)
        levels = np.where(np.isfinite(share), 1 + np.nan_to_num(share, posinf=0, neginf=0) * 254, 0).round().astype(np.uint8)
        data = {
            "at": self._at, "fps": self.fps, "times": self.times, "lines": placed(self._lines), "points": placed(self._points),
            "width": round(float(most[0] - least[0]) * unit), "height": round(float(most[1] - least[1]) * unit),
            "frames": [base64.b64encode(frame.tobytes()).decode() for frame in levels],
        }  # fmt: skip
        return page(data, self.title, self.label, f"{low:.4g}", f"{high:.4g}")

    def _repr_html_(self) -> str:
        frame = 'sandbox="allow-scripts" style="width: 100%; height: 620px; border: 0"'
        return f'<iframe title="{escape(self.title)}" {frame} srcdoc="{escape(self.html())}"></iframe>'

    def _save_gif(self, file: str | os.PathLike[str]) -> None:
        figure = new_figure()
        from matplotlib.animation import PillowWriter

        figure.set_size_inches(8, 7)
        axes = figure.subplots()
        artist = self._drawn(axes)
        figure.colorbar(artist, ax=axes, label=self.label)
        fps: Any = self.fps
        writer = PillowWriter(fps=fps)
        with writer.saving(figure, os.fspath(file), 80):
            for values, time in zip(self.values, self.times):
                artist.set_array(values)
                axes.set_title(f"{self.title}\n{time}" if self.title else time)
                writer.grab_frame()

    def _drawn(self, axes: Any) -> Any:
        """What has a colour for each value."""
        from matplotlib.collections import LineCollection
        from matplotlib.colors import LinearSegmentedColormap

        colours = LinearSegmentedColormap.from_list("anachron", LIGHT).with_extremes(bad="#eceef1")
        lines = LineCollection(list(self._lines.reshape(-1, 2, 2)), linewidths=1.4, zorder=1)
        axes.add_collection(lines)
        if self._at == "links":
            artist: Any = lines
            lines.set_cmap(colours)
        else:
            lines.set_color("#d8dbdf")
            artist = axes.scatter(*self._points.T, c=self.values[0], cmap=colours, s=18, zorder=2, plotnonfinite=True)
        artist.set_clim(*self.range())
        axes.autoscale()
        axes.set_aspect("equal")
        axes.set_axis_off()
        return artist

    def __repr__(self) -> str:
        return f"<animation of {len(self.values)} frames of {self.values.shape[1]} {self._at}: {self.label or 'values'}>"


def check_file(file: str | os.PathLike[str]) -> None:
    """Raises InputError for an ending that is not valid, before anything is computed."""
    if Path(file).suffix.lower() not in (".gif", ".html"):
        raise InputError(f"file: {os.fspath(file)!r} is not valid: expected a name that ends in .gif or .html")


def check_network(at: str, links: Any, nodes: Any) -> None:
    """Raises InputError where that which has the values is missing."""
    if at not in ("links", "nodes"):
        raise InputError(f"at: {at!r} is not valid: expected 'links' or 'nodes'")
    if {"links": links, "nodes": nodes}[at] is None:
        raise InputError(f"{at}: there are none, and at='{at}' wants a value for each")


def places_of(nodes: Any) -> tuple[np.ndarray, dict[Any, int]]:
    """Rows of x, y, and of each node's number the row."""
    if hasattr(nodes, "columns"):
        return np.stack([np.asarray(nodes[c], float) for c in ("x", "y")], 1), {n: i for i, n in enumerate(nodes.index)}
    places = np.asarray(nodes, dtype=float)
    if places.ndim != 2 or places.shape[1] != 2 or not len(places):
        raise InputError(f"nodes: expected a row of x and y for each node, not an array of shape {places.shape}")
    return places, {n: n for n in range(len(places))}


def lines_of(links: Any, nodes: Any, start: str, end: str) -> np.ndarray:
    """Rows of x, y, x, y: of links that have them, or between nodes."""
    columns = ("from_x", "from_y", "to_x", "to_y") if nodes is None else (start, end)
    missing = [column for column in columns if column not in links]
    if missing:
        how = "; or give `nodes`, rows of x and y" if nodes is None else ""
        raise InputError(f"links: there is no column '{missing[0]}' (there are: {', '.join(map(str, links))}){how}")
    if nodes is None:
        return _beside(np.stack([np.asarray(links[column], float) for column in columns], 1))
    places, rows = places_of(nodes)
    ends = []
    for column in columns:
        numbers = np.asarray(links[column]).tolist()
        unknown = [number for number in numbers if number not in rows]
        if unknown:
            raise InputError(f"links: '{column}' has the node {unknown[0]}, which is not among the {len(rows)} of `nodes`")
        ends.append(places[[rows[number] for number in numbers]])
    return _beside(np.concatenate(ends, axis=1))


def _beside(lines: np.ndarray) -> np.ndarray:
    """Lines moved to the right, so that the two directions of a road do not hide each other."""
    if not len(lines):
        return lines
    along = lines[:, 2:] - lines[:, :2]
    length = np.hypot(*along.T)[:, None]
    right = np.stack([along[:, 1], -along[:, 0]], 1) / np.where(length > 0, length, 1)
    by = right * _BESIDE * float(np.ptp(lines.reshape(-1, 2), axis=0).max())
    return lines + np.concatenate([by, by], 1)


def animation(
    links: Any,
    nodes: Any,
    values: Any,
    times: Any = None,
    *,
    at: str = "links",
    start: str = "from",
    end: str = "to",
    label: str = "",
    title: str = "",
    fps: float = 4,
) -> Animation:
    """An animation of `values`: a row for each frame, with a number for each link, or with at="nodes" for each node; NaN:
    there is none. `times` has of each frame the time, a number or a text. `links` and `nodes` are those of
    anachron.plot.network; links with the columns from_x, from_y, to_x and to_y need no nodes (None), and nodes with values
    no links (None). `fps`: frames in a second. `save(file)` of the animation writes it."""
    check_network(at, links, nodes)
    if not fps > 0:
        raise InputError(f"fps: {fps!r} is not valid: expected a number above 0")
    lines = np.empty((0, 4)) if links is None else lines_of(links, nodes, start, end)
    points = places_of(nodes)[0] if at == "nodes" else np.empty((0, 2))
    frames = np.atleast_2d(np.asarray(values, dtype=float))
    count = len(lines) if at == "links" else len(points)
    if frames.shape[1:] != (count,):
        raise InputError(f"values: expected rows of {count} numbers, one for each of `{at}`, not the shape {frames.shape}")
    texts = [t if isinstance(t, str) else f"{t:.6g}" for t in (range(1, len(frames) + 1) if times is None else times)]
    if len(texts) != len(frames):
        raise InputError(f"times: expected {len(frames)}, one for each row of `values`, not {len(texts)}")
    return Animation(lines, points, frames, texts, at=at, label=label, title=title, fps=fps)
