"""Statistics in states: `waits: an.Tally`. They roll back with the state, and are merged when the run has ended, as in
C++ (docs/results/statistics.md)."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from ._kinds import PlaceKind
from ._native import native

_TALLY = [("count", "u8"), ("mean", "f8"), ("squares", "f8"), ("min", "f8"), ("max", "f8")]
_INTERVALS = [("length", "f8"), ("intervals", [("sum", "f8"), ("count", "u8")], 64)]

#: What handlers call: statistic -> method -> function of the library. Each gets the context and a number.
METHODS: dict[str, dict[str, str]] = {}


class Merged:
    """The statistics of LPs, to be merged in the order of their numbers: what `finish` returns as a figure."""

    def __init__(self, cls: Any, states: np.ndarray):
        self.parts = [(cls, states)]

    def also(self, other: Merged) -> None:
        self.parts += other.parts


class StatisticMeta(type):
    """What the compiler knows the classes by."""


class Statistic(metaclass=StatisticMeta):
    """Base of statistics. What they count begins with the end of the warm-up (`warm_up=` of a run)."""

    __slots__ = ("_memory", "_offset")
    _kind: PlaceKind
    _number: int

    def __init__(self, *, _argument: float = 0.0):
        self._memory: Any = bytearray(self._kind.dtype.itemsize)
        self._offset = 0
        room = (ctypes.c_char * len(self._memory)).from_buffer(self._memory)
        native.stat_initial(self._number, _argument, ctypes.addressof(room))

    @classmethod
    def _at(cls, memory: Any, offset: int) -> Any:
        made = cls.__new__(cls)
        made._memory, made._offset = memory, offset
        return made

    def _bytes(self) -> bytes:
        return bytes(self._memory[self._offset : self._offset + self._kind.dtype.itemsize])

    def _address(self) -> int:
        if isinstance(self._memory, bytearray):
            raise TypeError(f"an an.{type(self).__name__} observes as a field of an LP's state: `waits: an.Tally`")
        return ctypes.addressof(self._memory) + self._offset

    def _observe(self, function: Any, cx: Any, x: float) -> None:
        address = self._address()
        function(cx._call, address, float(x))

    @classmethod
    def merged(cls, states: np.ndarray) -> Merged:
        """Of these LPs, `states["waits"]` in `finish(states, params)`: to be returned as a figure."""
        if not isinstance(states, np.ndarray) or states.dtype != cls._kind.dtype or states.ndim != 1:
            raise TypeError(f"an.{cls.__name__}.merged({states!r:.60}): expected a field of `states` of that type")
        return Merged(cls, states)

    def __repr__(self) -> str:
        return f"<an.{type(self).__name__}>"


def _declare(cls: Any, number: int, dtype: Any, **methods: str) -> None:
    cls._number, cls._kind = number, PlaceKind(cls, np.dtype(dtype))
    METHODS[cls.__name__] = methods
    if native.stat_bytes(number) != cls._kind.dtype.itemsize:
        raise ImportError(f"the library has another an.{cls.__name__} than this package")


class Tally(Statistic):
    """Count, mean, standard deviation and extremes of observations, in their unit. A field of a state:

        waits: an.Tally
        ...
        self.waits.add(cx, cx.now - event.arrived)
    """

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__()

    def add(self, cx: Any, x: float) -> None:
        """Takes an observation."""
        self._observe(native.stat_tally_add, cx, x)


class TimeAverage(Statistic):
    """A level that changes now and then, such as the length of a queue, weighted by how long it lasts.

    `level`: at time 0. A field of a state:

        length: an.TimeAverage = an.TimeAverage(0)
        ...
        self.length.change(cx, +1)
    """

    __slots__ = ()

    def __init__(self, level: float = 0.0):
        super().__init__(_argument=float(level))

    def set(self, cx: Any, level: float) -> None:
        """From now on the level is this."""
        self._observe(native.stat_level_set, cx, level)

    def change(self, cx: Any, by: float) -> None:
        """From now on the level is so much higher."""
        self._observe(native.stat_level_change, cx, by)

    @property
    def level(self) -> float:
        """The present level."""
        return float(np.frombuffer(self._bytes(), np.float64, 1)[0])


class Histogram(Statistic):
    """Quantiles to 1.6%, in 2 KiB, which are copied before events: think of `checkpoint_interval`. Observations are at
    least 0."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__()

    def add(self, cx: Any, x: float) -> None:
        """Takes an observation."""
        self._observe(native.stat_histogram_add, cx, x)


class BatchMeans(Statistic):
    """A mean with its confidence interval from a single run, in 1 KiB."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__()

    def add(self, cx: Any, x: float) -> None:
        """Takes an observation."""
        self._observe(native.stat_batches_add, cx, x)


class Series(Statistic):
    """Count and sum of observations in at most 64 intervals of time, which become a table; in 1 KiB. `interval`: the
    length of intervals, as long as 64 of them cover the run; None: as short as the run allows."""

    __slots__ = ()

    def __init__(self, interval: float | None = None):
        if interval is not None and not interval > 0:
            raise ValueError(f"an.Series({interval}): the length of the intervals is not above 0")
        super().__init__(_argument=float(interval or 0))

    def add(self, cx: Any, x: float = 1.0) -> None:
        """Takes an observation."""
        self._observe(native.stat_series_add, cx, x)


_declare(Tally, 0, _TALLY, add="stat_tally_add")
_declare(
    TimeAverage,
    1,
    [("level", "f8"), ("since", "f8"), ("weight", "f8"), *_TALLY[1:]],
    set="stat_level_set",
    change="stat_level_change",
)
_declare(
    Histogram,
    2,
    [("tally", _TALLY), ("counts", "u4", 512), ("below", "u4"), ("highest", "i4")],
    add="stat_histogram_add",
)
_declare(BatchMeans, 3, _INTERVALS, add="stat_batches_add")
_declare(Series, 4, _INTERVALS, add="stat_series_add")


def merged_figures(figures: dict[str, Merged], config: dict[str, Any], end_time: float) -> int:
    """The library's result, which has nothing but these."""
    address = native.merged_new(float(config["warm-up"]), end_time, float(config["confidence"]))
    try:
        for name, figure in figures.items():
            for cls, states in figure.parts:
                first, stride = states.ctypes.data, states.strides[0]
                native.merged_add(address, name.encode(), cls._number, first, len(states), stride)
        return native.merged_result(address)
    finally:
        native.merged_free(address)
