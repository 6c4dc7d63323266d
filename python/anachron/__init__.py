"""Parallel discrete event simulation with bit-identical results in every mode: the engine, its models, and models
written in Python. See docs/reference/python.md.

    import anachron as an
    report = an.run("phold", lps=10_000, until=100, workers=2)
    print(report.digest, report.rate)
"""

from ._animate import animate
from ._animation import Animation
from ._bounded import Dict, List, Set
from ._containers import PriorityQueue
from ._context import Context
from ._fields import LP, Event, Params, Row, Struct
from ._functions import Functions, functions
from ._handlers import on, undo
from ._groups import Group, Groups
from ._kinds import Array, Handle, Id, Stream, array, b1, f8, i1, i2, i4, i8, u1, u2, u4
from ._model import Model
from ._native import AnachronError, CompileError, InputError, SimulationError, native
from ._param import param
from ._ranks import Ranks, ranks
from ._report import Report, Tables
from ._run import engine_options, models
from ._runs import run
from ._select import Selection, select
from ._session import Mark, Session
from ._stats import BatchMeans, Histogram, Series, Tally, TimeAverage
from ._sweep import SweepError, sweep
from ._texts import Bytes, Text
from ._tidy import to_xarray
from ._what_if import Variant, VariantResult
from ._waits import (
    Container,
    Failed,
    FilterStore,
    Interrupt,
    PreemptiveResource,
    PriorityResource,
    PriorityStore,
    Resource,
    Store,
    Wait,
)

__version__: str = native.version().decode()

__all__ = [
    "LP",
    "AnachronError",
    "Animation",
    "Array",
    "BatchMeans",
    "Bytes",
    "CompileError",
    "Container",
    "Context",
    "Dict",
    "Event",
    "Failed",
    "FilterStore",
    "Functions",
    "Group",
    "Groups",
    "Handle",
    "Histogram",
    "Id",
    "InputError",
    "Interrupt",
    "List",
    "Mark",
    "Model",
    "Params",
    "PreemptiveResource",
    "PriorityQueue",
    "PriorityResource",
    "PriorityStore",
    "Ranks",
    "Report",
    "Resource",
    "Row",
    "Selection",
    "Series",
    "Session",
    "Set",
    "SimulationError",
    "Store",
    "Stream",
    "Struct",
    "SweepError",
    "Tables",
    "Tally",
    "Text",
    "TimeAverage",
    "Variant",
    "VariantResult",
    "Wait",
    "animate",
    "array",
    "b1",
    "f8",
    "i1",
    "i2",
    "i4",
    "i8",
    "engine_options",
    "functions",
    "models",
    "on",
    "param",
    "ranks",
    "run",
    "select",
    "sweep",
    "to_xarray",
    "u1",
    "u2",
    "u4",
    "undo",
]
