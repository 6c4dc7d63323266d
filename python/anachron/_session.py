"""Runs in steps: drain, rewind, branch (docs/how-to/sessions.md)."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from ._final_states import copied_fields, with_containers
from ._fields import LP, Event, RecordMeta
from ._kinds import Id
from ._native import native, take_text, words_array
from ._columns import column_of
from ._report import Report, frame
from ._run import Watching, require_one_process
from ._what_if import Variant, VariantResult, run_variants

if TYPE_CHECKING:
    from ._setup import Setup

_ENDINGS = ("finished", "stopped", "interrupted")


class Mark(int):
    """A point of a session that it can go back to: made by `Session.mark`."""


class Session:
    """A run of a model that is stopped at any time to look at the LPs, to schedule events, to try what would happen.
    Made by `Model.session(**options)`; used by one thread. Its digest is that of the same events in one run."""

    def __init__(self, setup: Setup, history: bool = False):
        require_one_process("a session")
        self._setup = setup
        self._model = setup.model
        self._name = setup.model.name.encode()
        count, words = words_array(setup.words)
        self._address = native.session_new(setup.address, self._name, setup.fingerprint(), count, words)
        if history:
            native.session_keep_history(self._address)

    def __del__(self):
        if getattr(self, "_address", None) and native is not None:  # None: Python is going down
            native.session_free(self._address)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *error: object) -> None:
        """Ends the session."""
        if address := self._address:
            self._address = None
            native.session_free(address)

    def __repr__(self) -> str:
        return f"<session of {self._model.name} at {self.now:g}>"

    def _repr_html_(self) -> str:
        return f"<p>{escape(repr(self)[1:-1])}</p>"

    def run_until(
        self, until: float, progress: bool | Callable[..., Any] | None = False, on_interrupt: str = "raise"
    ) -> str:
        """Executes exactly the events with time < `until` (in the model's unit; math.inf: all). They commit, unless
        there is a mark. Returns "finished", "stopped" (an event called cx.stop; the session can go on behind it) or
        "interrupted" (`progress` has ended it, or Ctrl-C with on_interrupt="report"; likewise). Ctrl-C raises
        KeyboardInterrupt otherwise; the session can go on behind it, too. Raises SimulationError when an event fails; then the session can only be
        rewound, if there is a mark."""
        watching = Watching(progress, self._model.name, on_interrupt, self._setup.built.busy)
        with watching.at_work():
            ending = native.session_run_until(self._address, float(until), watching.callback, None)
        self._setup.print_lines()
        return _ENDINGS[ending]

    @property
    def now(self) -> float:
        """The time that was run to; that of the last event when the run ended before, or had no end."""
        return native.session_now(self._address)

    def states(self, lp: type[LP]) -> np.ndarray:
        """The LPs of a type as they are now: a read-only view, with a field for each of the state's. It shows what is
        there whenever it is looked at; copy it to keep it. Not to be used when the session has ended. Of a type with
        containers or texts it is a copy."""
        number = self._model._number_of_lp(lp)
        stride = ctypes.c_uint64()
        address = native.session_states(self._address, self._setup.address, number, ctypes.byref(stride))
        count, dtype = self._setup.counts[number], lp.dtype()
        fields: Any = dtype.fields or {}
        names: list[Any] = list(dtype.names or ())
        formats, offsets = [fields[n][0] for n in names], [fields[n][1] for n in names]
        layout: Any = {"names": names, "formats": formats, "offsets": offsets, "itemsize": stride.value}
        spread = np.dtype(layout)
        memory: Any = (ctypes.c_char * (count * stride.value)).from_address(address)
        memory._session = self  # what the view shows ends with it
        view = np.ndarray(count, spread, memory)
        view.flags.writeable = False
        return with_containers(lp, view, memory.raw if copied_fields(lp) else b"", stride.value, self._region_getter(number))

    def _region_getter(self, number: int) -> Callable[[int], bytes]:
        size = ctypes.c_uint64()

        def region_of(i: int) -> bytes:
            address = native.session_region(self._address, number, i, ctypes.byref(size))
            return ctypes.string_at(address, size.value) if size.value else b""

        return region_of

    def id(self, lp: type[LP], number: int) -> Id:
        """An LP, to schedule an event for it: `session.id(Shop, 3)`. `schedule` checks whether it exists."""
        return Id(lp, number)

    def _event_number(self, to: Id, event: Event) -> int:
        if not isinstance(to, Id) or not isinstance(to.type, RecordMeta):
            raise TypeError(f"schedule: {to!r} is no LP: session.id(LP, number)")
        return self._model._number_of_event(to.type, type(event))

    def schedule(self, to: Id, time: float, event: Event) -> int:
        """Has `event` handled by `to` at `time`, not before `now`: as if a further LP had sent it. Returns a number by
        which a variant can cancel it."""
        number = self._event_number(to, event)
        return native.session_schedule(self._address, number, to.index, float(time), bytes(event._memory))

    def variant(self, name: str = "") -> Variant:
        """A variant of what was run, so far without changes. The session has been made with `history=True`."""
        return Variant(self, name)

    def run(self, variants: Variant | Sequence[Variant], workers: int = 0) -> Any:
        """What the run so far would have been with the changes of a variant, or of several. It is so bit for bit, but only
        what differs is executed, `workers` variants at a time (0: on all cores). The session stays as it is. Rows and lines that
        handlers write are not made. Returns a VariantResult, or a list of them."""
        if isinstance(variants, Variant):
            return run_variants(self, [variants], 1)[0]
        return run_variants(self, variants, workers if self._setup.built.busy is None else 1)

    def side_by_side(self, results: Sequence[VariantResult]) -> Any:
        """Figures of the run and of variants as a data frame: a row for each figure, a column for each of them."""
        run = self.report()
        names = [name for name, value in run.results.items() if isinstance(value, (int, float))]
        columns: dict[str, Any] = {"figure": names, "run": [run[name] for name in names]}
        for number, result in enumerate(results):
            columns[result.name or f"variant {number}"] = [result.report.results.get(name) for name in names]
        return frame({name: column_of(values) for name, values in columns.items()})

    def checkpoint(self, folder: str) -> str:
        """Writes down where the session is. A session or a run with `resume=folder` goes on from there, with the same parameters
        and any number of workers. Returns the path of the checkpoint. Raises InputError when others' are in the folder, and
        OSError or RuntimeError when it cannot be written; the session can go on then."""
        return take_text(native.session_checkpoint(self._address, os.fsencode(folder)))

    def mark(self) -> Mark:
        """Notes this point to come back to. From here on nothing commits until the mark is accepted: memory grows."""
        return Mark(native.session_mark(self._address))

    def rewind(self, mark: Mark) -> None:
        """Goes back: as if nothing had been run or scheduled since. The mark stays valid, later ones do not."""
        native.session_rewind(self._address, mark)

    def accept(self, mark: Mark) -> None:
        """Keeps what was run since: ends this mark and later ones. When none is left, all that was run commits."""
        native.session_accept(self._address, mark)

    def branch(
        self,
        ways: Sequence[Callable[[Session], Any]],
        until: float,
        read: Callable[[Session], Any] | None = None,
    ) -> list[Any]:
        """Tries alternatives. Calls each with the session, which it may schedule events for, runs to `until`, and
        collects what `read` returns there, or the report. Each starts from the present point, to which the session
        goes back."""
        read = read or Session.report
        point = self.mark()
        results = []
        try:
            for way in ways:
                way(self)
                self.run_until(until)
                results.append(read(self))
                self.rewind(point)
        except BaseException:
            self.rewind(point)
            self.accept(point)
            raise
        self.accept(point)
        return results

    def report(self) -> Report:
        """The run so far. Events behind a mark count as committed; rows that they recorded are not there yet."""
        report = Report._of(native.session_report(self._address, self._name))
        lps = self._model.lps
        return self._setup.complete(report, lambda number: _packed(self.states(lps[number]), lps[number]))


def _packed(view: np.ndarray, lp: type[LP]) -> np.ndarray:
    if view.dtype.hasobject:
        return view  # a copy
    out = np.empty(len(view), lp.dtype())
    for name in out.dtype.names or ():
        out[name] = view[name]
    return out
