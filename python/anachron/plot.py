"""Pictures of reports and of networks, with matplotlib, and animations.

`python -m anachron plot report.json [-o picture.png]` draws what `--report report.json` has written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ._animation import animation as animation
from ._matplotlib import need_matplotlib, new_figure

if TYPE_CHECKING:
    from ._report import Report


def _pyplot() -> Any:
    need_matplotlib()
    from matplotlib import pyplot

    return pyplot


def _numbers(values: Any) -> np.ndarray:
    return np.array([np.nan if v is None else v for v in values], dtype=float)


def report(report: Report, figure: Any = None) -> Any:
    """Four plots over wall time in seconds. They show GVT (model time) with the horizon, efficiency between GVT rounds
    (committed / executed events), the rate of committed events, and what each PE committed and rolled back. Returns the
    matplotlib figure, which a notebook shows; `figure.savefig(path)` writes it. `figure`: one to draw into, such as
    one of pyplot for `pyplot.show()`."""
    rounds = report.data["rounds"]
    figure = figure if figure is not None else new_figure()
    axes = figure.subplots(2, 2).ravel()
    wall, gvt, horizon = (_numbers(rounds[name]) for name in ("wall_s", "gvt", "horizon"))
    committed, executed = _numbers(rounds["committed"]), _numbers(rounds["executed"])

    axes[0].plot(wall, horizon, color="0.7", label="horizon")
    axes[0].plot(wall, gvt, label="GVT")
    axes[0].set(xlabel="wall time (s)", ylabel="model time", title="progress")
    axes[0].legend()

    with np.errstate(divide="ignore", invalid="ignore"):
        efficiency = np.diff(committed) / np.diff(executed)
        rate = np.diff(committed) / np.diff(wall) / 1e6
    axes[1].plot(wall[1:], np.clip(efficiency, 0, 1))
    axes[1].set(xlabel="wall time (s)", ylabel="committed / executed", ylim=(0, 1.05), title="efficiency")
    axes[2].plot(wall[1:], rate)
    axes[2].set(xlabel="wall time (s)", ylabel="million events/s", title="rate")

    pes = report.data["pes"]
    places = np.arange(len(pes))
    axes[3].bar(places, [pe["committed"] for pe in pes], label="committed")
    axes[3].bar(places, [pe["rolled_back"] for pe in pes], bottom=[pe["committed"] for pe in pes], label="rolled back")
    axes[3].set(xlabel="processing element", ylabel="events", title=f"waiting {report.data.get('waiting_s', 0):.3g} s")
    axes[3].xaxis.get_major_locator().set_params(integer=True, min_n_ticks=1)
    axes[3].legend()
    figure.suptitle(f"{report.data['committed']:,} events, digest {report.data['digest']}")
    return figure


def network(
    links: Any,
    nodes: Any,
    values: Any = None,
    *,
    start: str = "from",
    end: str = "to",
    label: str = "",
    axes: Any = None,
    cmap: str = "viridis",
) -> Any:
    """A map: a line for each link, coloured by `values` (a column, one value for each). `links` has the columns `start`
    and `end`, numbers of nodes; `nodes` has `x` and `y` and the node's number as its index, or is an array of (x, y).
    Returns the axes."""
    from matplotlib.collections import LineCollection

    pyplot = _pyplot()
    axes = axes if axes is not None else pyplot.subplots(layout="constrained")[1]
    if hasattr(nodes, "columns"):
        at = {number: (x, y) for number, x, y in zip(nodes.index, nodes["x"], nodes["y"])}
    else:
        at = {number: (x, y) for number, (x, y) in enumerate(nodes)}
    lines = LineCollection([[at[a], at[b]] for a, b in zip(links[start], links[end])], cmap=cmap)
    if values is not None:
        lines.set_array(np.asarray(values, dtype=float))
        axes.figure.colorbar(lines, ax=axes, label=label or getattr(values, "name", "") or "")
    axes.add_collection(lines)
    axes.autoscale()
    axes.set_aspect("equal")
    return axes
