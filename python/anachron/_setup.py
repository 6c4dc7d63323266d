"""A model with parameters and shared data: what a run or a session is made with."""

from __future__ import annotations

import ctypes
import difflib
import hashlib
import inspect
import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ._final_states import with_containers
from ._declared import declared, hook_of
from ._fields import LP, Row
from ._finished import figures_of
from ._kinds import F8, I8
from ._native import InputError, native, words_array
from ._print import ROW_BYTES, lines_of
from ._report import Report
from ._run import Watching, given_of, note_workers, option_words, rank_count
from ._shared import Shared, check_shared, shared_table
from ._stats import Merged, merged_figures
from ._values import parameter

if TYPE_CHECKING:
    from ._model import Model


def _end(given: Any, default: float) -> float:
    if given is None:
        return default
    return math.inf if given in (math.inf, "inf") else parameter("until", given, F8, None)


def _unknown(error: InputError, options: Iterable[str]) -> InputError:
    """The library's error for an unknown option, with the nearest option of the model."""
    name = re.match(r"unknown option (\w+)=", str(error))
    near = difflib.get_close_matches(name[1], options, 1) if name and "did you mean" not in str(error) else []
    return InputError(f"{error}; did you mean {near[0]}=?") if near else error


class Setup:
    """A model with parameters and shared data, for one run or session."""

    def __init__(self, model: Model, options: dict[str, Any], shared: Mapping[str, Any] | None, compile: bool):
        self.model = model
        self.until = _end(options.pop("until", None), model.until)
        lps = options.pop("lps", 1024) if model._wants_lps() and "lps" not in model.params._fields else None
        if lps is not None:
            lps = parameter("lps", lps, I8, None)
        self.params = model._params_of(options)
        self.options = options  # the engine's
        self.words = option_words(options)
        if shared is None:
            shared = model._shared(self.params) if callable(model._shared) else model._shared
        self.shared = check_shared(shared or {}, model)
        self.built = model._build(self.shared, compile)
        self._params_memory = ctypes.create_string_buffer(bytes(self.params._memory), max(len(self.params._memory), 8))
        self._params_address = ctypes.addressof(self._params_memory)
        self._table = shared_table(self.shared)
        frozen = model.params._at(self._params_memory, frozen=True)
        self.built.data[self._params_address] = (frozen, Shared(self.shared))
        self.counts = [self._count(lp, lps) for lp in model.lps]
        self.address = self._make()
        self._printed = 0  # lines so far

    def __del__(self):
        if getattr(self, "address", None) and native is not None:  # None: Python is going down
            native.setup_free(self.address)
        if hasattr(self, "_params_address"):
            self.built.data.pop(self._params_address, None)

    def _call(self, hook: Any) -> Any:
        """A hook of `params`, or of `params, shared`."""
        if not callable(hook):
            return hook
        wants = len(inspect.signature(hook).parameters)
        return hook(self.params) if wants < 2 else hook(self.params, Shared(self.shared))

    def _count(self, lp: type[LP], lps: int | None) -> int:
        how = hook_of(lp, "count")
        if lps is None and how is None:
            if "lps" in self.model.params._fields and len(self.model.lps) == 1:
                return int(getattr(self.params, "lps"))  # noqa: B009
            raise InputError(
                f"number of LPs of type {lp.__name__} is not known: give it a static method `count(params)`"
            )
        count = self._call(how) if lps is None else lps
        if int(count) != count or count < 1:
            raise InputError(f"number of LPs of type {lp.__name__}: {count} is not valid: expected at least 1")
        return int(count)

    def _make(self) -> int:
        lps, n = self.model.lps, len(self.model.lps)
        arrays: list[Any] = []

        def numbers(hook: str) -> Any:
            pointers = (ctypes.c_void_p * n)()
            for i, lp in enumerate(lps):
                if (how := hook_of(lp, hook)) is not None:
                    values = np.ascontiguousarray(self._call(how), dtype=np.float64)
                    if values.shape != (self.counts[i],):
                        raise InputError(f"{hook} of {lp.__name__}: {values.shape} for {self.counts[i]} LPs")
                    arrays.append(values)
                    pointers[i] = values.ctypes.data
            return pointers

        def each(kind: Any, hook: str, otherwise: Any) -> Any:
            values = [self._call(declared(lp).get(hook, otherwise)) for lp in lps]
            return (kind * n)(*[kind(value).value for value in values])

        return native.setup_new(
            self.built.address,
            n,
            (ctypes.c_uint64 * n)(*self.counts),
            each(ctypes.c_double, "lookahead", 0.0),
            each(ctypes.c_int, "may_stop", 1),
            numbers("load"),
            numbers("position"),
            self._params_address,
            self._table.ctypes.data,
        )

    def run(self, progress: Any, on_interrupt: str = "raise") -> Report:
        count, words = words_array(self.words)
        watching = Watching(progress, self.model.name, on_interrupt, self.built.busy)
        try:
            with watching.at_work():
                report = Report._of(
                    native.setup_run(
                        self.address,
                        self.model.name.encode(),
                        b"" if rank_count() == 1 and not self.options.keys() & {"checkpoint", "resume"} else self.fingerprint(),
                        self.until,
                        count,
                        words,
                        watching.callback,
                        None,
                    )
                )
        except InputError as error:
            raise _unknown(error, self.model.options()) from None
        finally:  # also of a run that has failed
            self.print_lines()
        note_workers(report, self.options)
        return self.complete(report, self.final_states)

    def fingerprint(self) -> bytes:
        """What ranks compare, and a run with its checkpoint."""
        hash = hashlib.sha256(bytes(self.params._memory))
        for name, value in self.shared.items():
            parts = [getattr(value, part) for part in ("numbers", "starts") if hasattr(value, part)] or [value]
            hash.update(name.encode())
            for part in parts:
                hash.update(part.tobytes() if isinstance(part, np.ndarray) else repr(part).encode())
        for lp, event in self.model.events:
            hash.update(getattr(lp, lp._handlers[event]).__code__.co_code)
        return hash.hexdigest().encode()

    def complete(self, report: Report, states_of: Callable[[int], np.ndarray]) -> Report:
        """Adds what the library does not know: parameters, states, rows, and what `finish` makes of them."""
        report.data["model_name"] = self.model.name
        report._given = given_of(self.options)
        config = report.data.setdefault("config", {})
        config["model"] = {name: getattr(self.params, name) for name in self.params._fields}
        for number, row in enumerate(self.model.rows):
            report._tables[row.__name__] = self.rows_of(number, row)
        figures: dict[str, Any] = report.data["model"]
        for number, lp in enumerate(self.model.lps):
            states = states_of(number)
            report._states[lp.__name__] = states
            if report.data["ending"] == "interrupted" or (finish := hook_of(lp, "finish")) is None:
                continue
            try:
                found = figures_of(lp, finish(states, self.params))
            except Exception as error:
                error.report = report  # type: ignore[attr-defined] # nothing of the run is lost
                raise
            for name, value in found.items():
                if isinstance(value, dict):
                    report._tables[name] = value
                elif isinstance(value, Merged) and isinstance(figures.get(name), Merged):
                    figures[name].also(value)  # LPs of several types
                else:
                    figures[name] = value
        self._merge(report, figures)
        return report

    @staticmethod
    def _merge(report: Report, figures: dict[str, Any]) -> None:
        """Merges the statistics among the figures; a series is no figure but a table."""
        statistics = {name: value for name, value in figures.items() if isinstance(value, Merged)}
        if not statistics:
            return
        merged = Report._of(merged_figures(statistics, report.data["config"], report.data["end_time"]))
        for name in statistics:
            if name in merged.data["model"]:
                figures[name] = merged.data["model"][name]
            else:
                del figures[name]
        report._tables.update(merged._tables)

    def final_states(self, number: int) -> np.ndarray:
        states = np.empty(self.counts[number], self.model.lps[number].dtype())
        native.setup_states(self.address, number, states.ctypes.data)
        lp = self.model.lps[number]
        return with_containers(lp, states, states.view(np.uint8), states.itemsize, self._region_getter(number))

    def _region_getter(self, number: int) -> Callable[[int], bytes]:
        size = ctypes.c_uint64()

        def region_of(i: int) -> bytes:
            address = native.setup_region(self.address, number, i, ctypes.byref(size))
            return ctypes.string_at(address, size.value) if size.value else b""

        return region_of

    def print_lines(self) -> None:
        """What handlers have printed, of events that have committed."""
        number = len(self.model.rows)
        count = native.setup_row_count(self.address, number) - self._printed
        if count <= 0:
            return
        rows = np.empty((count + self._printed, ROW_BYTES), np.uint8)
        times, lps = np.empty(len(rows)), np.empty(len(rows), np.uint32)
        native.setup_rows(self.address, number, rows.ctypes.data, times.ctypes.data, lps.ctypes.data)
        lines = lines_of(rows, self.built.formats, self.model.printed)
        own = ctypes.c_uint32()
        native.ranks(ctypes.byref(own))
        for time, line in list(zip(times.tolist(), lines))[self._printed :] if own.value == 0 else ():
            print(f"{time:g}: {line}")
        self._printed = len(rows)

    def rows_of(self, number: int, row: type[Row]) -> dict[str, np.ndarray]:
        count = native.setup_row_count(self.address, number)
        rows, times, lps = np.empty(count, row.dtype()), np.empty(count), np.empty(count, np.uint32)
        native.setup_rows(self.address, number, rows.ctypes.data, times.ctypes.data, lps.ctypes.data)
        columns = {"time": times, "lp": lps}
        for name in row._fields:
            values = np.ascontiguousarray(rows[name])
            if values.ndim == 1:
                columns[name] = values
            else:
                flat = values.reshape(count, math.prod(values.shape[1:]))
                columns.update({f"{name}_{i}": np.ascontiguousarray(flat[:, i]) for i in range(flat.shape[1])})
        return columns
