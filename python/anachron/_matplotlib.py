"""Figures of matplotlib, which may not be installed."""

from __future__ import annotations

from typing import Any


def need_matplotlib() -> Any:
    try:
        import matplotlib
    except ImportError:
        raise ImportError("pictures need matplotlib: pip install anachron[plot]") from None
    return matplotlib


def new_figure() -> Any:
    """One that pyplot does not know: a notebook shows what a cell returns, and all that pyplot knows once more."""
    need_matplotlib()
    from matplotlib.figure import Figure

    return Figure(figsize=(10, 7), layout="constrained")
