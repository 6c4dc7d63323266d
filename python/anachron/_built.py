"""A model as the engine knows it: its types, and the addresses of its handlers and processes."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from threading import get_ident
from typing import TYPE_CHECKING, Any

from . import _compile
from ._context import Context
from ._declared import HOOKS, declared
from ._faults import cause_of
from ._fields import LP, Event
from ._filters import takes
from ._handlers import fields_wanted
from ._interpreted import FRAME_BYTES, Frames, InterpretedProcess
from ._ints import BY_OVERFLOW, mode
from ._native import native
from ._print import ROW_BYTES, Formats
from ._processes import processes_by_name

if TYPE_CHECKING:
    from ._model import Model

Handler = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
Filter = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
Undoer = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


class Built:
    """The model as the engine knows it, with its handlers."""

    def __init__(self, model: Model, shared: dict[str, Any], compile: bool):
        self.model = model
        self.data: dict[int, tuple[Any, Any]] = {}  # params and shared of the runs in progress, by address
        self.address = native.model_new()
        self._kept: list[Any] = []
        self.formats = Formats()
        self.busy: dict[int, str] | None = None if compile else {}  # of threads in handlers, which
        if compile:
            code = _compile.compile_model(model, shared)
            self._kept.append(code)
            self.formats = code.formats
            self._add_types(code.address, code.undoer)
            self._add_processes(code.process, code.filters)
        else:
            self._add_types(self._interpreted, self._interpreted_undoer)
            self._frames = Frames(model)
            self._add_processes(self._interpreted_process, self._interpreted_filters)

    def __del__(self):
        if getattr(self, "address", None) and native is not None:  # None: Python is going down
            native.model_free(self.address)

    def _add_types(
        self,
        handler: Callable[[type[LP], type[Event] | None], int],
        undoer: Callable[[type[LP], type[Event]], int],
    ) -> None:
        for lp in self.model.lps:
            declares = sum(1 << HOOKS.index(hook) for hook in declared(lp)) | 16 * lp._has_region
            start = handler(lp, None) if hasattr(lp, "start") else None
            native.model_lp(self.address, lp.type_name().encode(), lp._initial, len(lp._initial), start, None, declares)
        for lp, event in self.model.events:
            native.model_event(
                self.address,
                self.model.lps.index(lp),
                event.type_name().encode(),
                event._size,
                handler(lp, event),
                undoer(lp, event) if event in lp._undoers else None,
                None,
                event._priority,
                int(event._in_order),
            )
        for row in self.model.rows:
            native.model_table(self.address, max(row._size, 8), True)
        native.model_table(self.address, ROW_BYTES, False)  # what handlers print: each process prints its own lines

    def _add_processes(
        self,
        process: Callable[[type[LP], str], tuple[int, int, list[int] | None]],
        filters: Callable[[type[LP]], list[int]],
    ) -> None:
        """Behind all events, as these are numbered. `process`: the address of one, the bytes of its frame, and where that
        names what it may wait for; None: it begins with that. `filters`: the addresses of those of an LP type."""
        for number, lp in enumerate(self.model.lps):
            if not lp._waits:
                continue
            names = list(processes_by_name(lp))
            found = [process(lp, name) for name in names]
            handles = [offset for _, _, offsets in found for offset in offsets or ()]
            takers = filters(lp)
            native.model_processes(
                self.address,
                number,
                len(names),
                (ctypes.c_char_p * len(names))(*(name.encode() for name in names)),
                (ctypes.c_void_p * len(names))(*(address for address, _, _ in found)),
                (ctypes.c_uint32 * len(names))(*(size for _, size, _ in found)),
                (ctypes.c_int32 * len(names))(*(-1 if offsets is None else len(offsets) for _, _, offsets in found)),
                (ctypes.c_uint32 * len(handles))(*handles),
                len(takers),
                (ctypes.c_void_p * len(takers))(*takers),
            )

    def _interpreted_filters(self, lp: type[LP]) -> list[int]:
        state_type = ctypes.c_char * lp._size

        def call(state: int, item: int, packed: int, at: int) -> int:
            try:
                return int(takes(lp._at(state_type.from_address(state)), item, packed))
            except BaseException as error:
                native.call_fail(at, cause_of(error, error.__traceback__, f"a filter of {lp.__qualname__}").encode())
                return -1

        callback = Filter(call)
        self._kept.append(callback)
        return [ctypes.cast(callback, ctypes.c_void_p).value or 0]

    def _interpreted_process(self, lp: type[LP], name: str) -> tuple[int, int, None]:
        made = InterpretedProcess(processes_by_name(lp)[name], self._frames)
        self.model._processes_in_python[lp, made.process.function.__code__] = made
        code = made.process.function.__code__
        where = f"{made.process.where}, {code.co_filename}:{code.co_firstlineno}"
        return self._callback(lp, where, None, lambda own, cx, _: made.run(own, cx)), FRAME_BYTES, None

    def _interpreted(self, lp: type[LP], event: type[Event] | None) -> int:
        method = getattr(lp, "start" if event is None else lp._handlers[event])
        wanted = fields_wanted(method)

        def handle(own: Any, cx: Any, got: Any) -> None:
            if event is None:
                method(own, cx)
            elif wanted is not None:
                method(own, cx, **{field: getattr(got, field) for field in wanted})
            else:
                method(own, cx, got)

        name = f"{lp.__qualname__}.{method.__name__}, {method.__code__.co_filename}:{method.__code__.co_firstlineno}"
        return self._callback(lp, name, event, handle)

    def _callback(self, lp: type[LP], name: str, event: type[Event] | None, handle: Callable[[Any, Any, Any], None]) -> int:
        """The address of what the library calls; `handle` gets the LP, the context, and the event if there is one."""
        state_type = ctypes.c_char * lp._size
        event_type = ctypes.c_char * (event._size if event else 0)
        busy = {} if self.busy is None else self.busy
        ints = BY_OVERFLOW[self.model.overflow]

        def call(state: int, payload: int, at: int) -> int:
            try:
                busy[get_ident()] = name
                mode.ints = ints
                of_run = ctypes.c_void_p.from_address(at + 16).value or 0
                params, shared = self.data[ctypes.c_void_p.from_address(of_run).value or 0]
                cx = Context(at, self.model, lp, params, shared)
                own = lp._at(state_type.from_address(state))
                handle(own, cx, event._at(event_type.from_address(payload), frozen=True) if event else None)
                return 0
            except BaseException as error:
                native.call_fail(at, cause_of(error, error.__traceback__, name).encode())
                return 1
            finally:
                mode.ints = None
                busy.pop(get_ident(), None)

        callback = Handler(call)
        self._kept.append(callback)
        return ctypes.cast(callback, ctypes.c_void_p).value or 0

    def _interpreted_undoer(self, lp: type[LP], event: type[Event]) -> int:
        method = getattr(lp, lp._undoers[event])
        state_type, event_type = ctypes.c_char * lp._size, ctypes.c_char * event._size

        ints = BY_OVERFLOW[self.model.overflow]

        def call(state: int, payload: int) -> int:
            mode.ints = ints
            try:
                method(lp._at(state_type.from_address(state)), event._at(event_type.from_address(payload), frozen=True))
                return 0
            except BaseException:
                return 1  # the library tells which it was
            finally:
                mode.ints = None

        callback = Undoer(call)
        self._kept.append(callback)
        return ctypes.cast(callback, ctypes.c_void_p).value or 0
