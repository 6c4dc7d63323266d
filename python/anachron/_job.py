"""A single run of an experiment, in whichever thread or process an executor makes it."""

from __future__ import annotations

import functools
import os
import pickle
import threading
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from ._run import run_once


class Outcome(NamedTuple):
    """What a run found: `run` has seed, digest, committed, wall_s and figures. Neither of the two: it was interrupted."""

    run: dict[str, Any] | None = None
    error: Exception | None = None


class Work:
    """A model with the options that all runs share. It is pickled once, and unpickled once in each process, so that a
    process compiles the model once."""

    def __init__(self, model: Any, options: Mapping[str, Any]):
        self.model, self.options = model, dict(options)
        self._pickled: bytes | None = None

    def __reduce__(self) -> Any:
        if self._pickled is None:
            self._pickled = pickle.dumps((self.model, self.options))
        return _unpickled, (self._pickled, os.getpid())


@functools.lru_cache(4)  # of several sweeps at a time
def _unpickled(data: bytes, caller: int) -> Work:
    """In a process of an executor. Its runs are its own, also if mpi4py.futures has started it as a rank among others."""
    if os.getpid() != caller:
        os.environ["ANACHRON_ALONE"] = "1"
    return Work(*pickle.loads(data))


def make_run(work: Work, point: Mapping[str, Any], seed: int, stop: threading.Event | None = None) -> Outcome:
    """`stop` ends the run when it is set, where the run is made by a thread of the calling process."""
    if stop is not None and stop.is_set():
        return Outcome()
    ends = _end_when(stop)
    try:
        report = run_once(work.model, progress=ends, seed=seed, **{**work.options, **point})
    except Exception as error:
        return Outcome(error=_portable(error))
    if report.ending == "interrupted":
        return Outcome()
    figures: dict[str, Any] = {}
    for name, value in report.results.items():
        if isinstance(value, Mapping):  # a statistic
            figures.update({f"{name}.{part}": x for part, x in value.items()})
        else:
            figures[name] = value
    facts = {"seed": seed, "digest": report.digest, "committed": report.committed, "wall_s": report.wall_s}
    return Outcome({**facts, "figures": figures})


def _end_when(stop: threading.Event | None) -> bool | Callable[[Any], bool]:
    """What a run is given as `progress`."""
    if stop is None:
        return False
    is_set = stop.is_set
    return lambda _now: is_set()


def _portable(error: Exception) -> Exception:
    """The error, or its text where it cannot be pickled: a pool of processes would end with it."""
    try:
        pickle.loads(pickle.dumps(error))
        return error
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
