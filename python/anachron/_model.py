"""Models written in Python."""

from __future__ import annotations

import ctypes
import inspect
import math
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from . import _compile
from ._context import Context
from ._fields import LP, Event, IdKind, Option, Params, Row, field_array
from ._native import InputError, native, words_array
from ._report import Report
from ._run import Watching, option_words

Handler = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)


def cause_of(error: BaseException, trace: Any) -> str:
    """What a handler has raised, as the run's error tells it: of compiled and interpreted ones alike."""
    frames = traceback.extract_tb(trace)
    where = f" ({frames[-1].filename}:{frames[-1].lineno})" if frames else ""
    text = str(error)
    return f"threw {type(error).__name__}{': ' if text else ''}{text}{where}"


class Shared:
    """`cx.shared` of an interpreted model: attributes are the arrays and numbers."""

    def __init__(self, values: Mapping[str, Any]):
        for name, value in values.items():
            setattr(self, name, field_array(value) if isinstance(value, np.ndarray) else value)


class Model:
    """LP types, with what they need to run.

    - `lps`: the LP types, classes derived from an.LP
    - `params`: a class derived from an.Params; its fields are options of `run`
    - `rows`: the types of rows that handlers record
    - `shared`: read-only data of all LPs, `cx.shared`: a dictionary of numpy arrays and numbers, or a function of
      `params` that returns one and is called once per run
    - `until`: the default end time, in the model's unit
    - `name`: of the model in reports
    - `compile`: False runs handlers interpreted, for debugging: slowly, with the same results
    - `cache`: whether compiled code is kept on disk (in $ANACHRON_CACHE, else ~/.cache/anachron), by content

    With `compile=True` and unless `shared` is a function, handlers are compiled here, or fetched from the cache:
    CompileError says what cannot be compiled.
    """

    def __init__(
        self,
        lps: Sequence[type[LP]] | type[LP],
        *,
        params: type[Params] | None = None,
        rows: Sequence[type[Row]] = (),
        shared: Mapping[str, Any] | Callable[..., Mapping[str, Any]] | None = None,
        until: float = math.inf,
        name: str | None = None,
        compile: bool = True,
        cache: bool = True,
    ):
        self.lps: list[type[LP]] = [lps] if isinstance(lps, type) else list(lps)
        self.rows = list(rows)
        self.params = params or Params
        self.until, self.compile, self.cache = until, compile, cache
        self._shared = shared
        self._check_types()
        self.name = name or self.lps[0].__name__.lower()
        self.events: list[tuple[type[LP], type[Event]]] = [(lp, event) for lp in self.lps for event in lp._handlers]
        self._event_numbers = {pair: number for number, pair in enumerate(self.events)}
        self._resolve_ids()
        self._built: dict[Any, _Built] = {}
        if compile and not callable(shared):
            self._build(self._check_shared(shared or {}), True)

    def _check_types(self) -> None:
        if not self.lps:
            raise TypeError("an.Model: there is no LP type")
        for what, base, classes in (("LP", LP, self.lps), ("Row", Row, self.rows), ("Params", Params, [self.params])):
            for cls in classes:
                if not (isinstance(cls, type) and issubclass(cls, base)):
                    raise TypeError(f"an.Model: {cls!r} is not derived from an.{what}")
            if len(set(classes)) < len(classes):
                raise TypeError(f"an.Model: a type is listed twice among {classes}")
        for lp in self.lps:
            if not lp._handlers and not hasattr(lp, "start"):
                raise TypeError(f"{lp.__qualname__} has neither a handler (@an.on(EventType)) nor `start`")

    def _resolve_ids(self) -> None:
        by_name = {lp.__name__: lp for lp in self.lps}
        events = dict.fromkeys(event for _, event in self.events)
        for record in [*self.lps, *events, *self.rows]:
            for field in record._fields.values():
                if not isinstance(field.kind, IdKind):
                    continue
                of = field.kind.of
                if of is None and record in by_name.values():
                    of = record
                elif of is None:
                    receivers = [lp for lp, event in self.events if event is record]
                    if len(receivers) != 1:
                        raise TypeError(f"{record.__qualname__}.{field.name}: say of which type: an.Id[LP]")
                    of = receivers[0]
                elif isinstance(of, str):
                    if of not in by_name:
                        raise TypeError(
                            f"{record.__qualname__}.{field.name}: the model has no LP type '{of}' "
                            f"(it has: {', '.join(by_name)})"
                        )
                    of = by_name[of]
                field.kind.of = of

    def _number_of_lp(self, lp: Any) -> int:
        if lp not in self.lps:
            raise TypeError(f"the model has no LP type {getattr(lp, '__name__', lp)}")
        return self.lps.index(lp)

    def _number_of_event(self, lp: Any, event: Any) -> int:
        number = self._event_numbers.get((lp, event))
        if number is None:
            self._number_of_lp(lp)
            if not (isinstance(event, type) and issubclass(event, Event)):
                raise TypeError(f"cx.send: {event!r} is no event: derive its class from an.Event")
            handled = ", ".join(e.__name__ for e in lp._handlers) or "none"
            raise TypeError(f"{lp.__name__} has no handler for {event.__name__} (it handles: {handled})")
        return number

    def _number_of_table(self, row: Any) -> int:
        if row not in self.rows:
            raise TypeError(f"cx.record: {getattr(row, '__name__', row)} is not listed in `rows` of the model")
        return self.rows.index(row)

    # What a run is made with.

    def options(self) -> dict[str, dict[str, Any]]:
        """The parameters by name: `default` and `help`."""
        out: dict[str, dict[str, Any]] = {}
        for field in self.params._fields.values():
            option = field.default
            is_option = isinstance(option, Option)
            out[field.name] = {
                "default": option.default if is_option else option,
                "help": option.help if is_option else "",
            }
        if self._wants_lps() and "lps" not in out:
            out["lps"] = {"default": 1024, "help": "Number of LPs"}
        return out

    def _wants_lps(self) -> bool:
        return len(self.lps) == 1 and not hasattr(self.lps[0], "count")

    def _params_of(self, options: dict[str, Any]) -> Params:
        """Takes the parameters out of `options`."""
        given = {name: options.pop(name) for name in list(options) if name in self.params._fields}
        for name, value in given.items():
            kind = self.params._fields[name].kind
            if not isinstance(value, (bool, int, float, np.integer, np.floating, np.bool_)):
                raise InputError(f"{name}: {value!r} is not valid: expected a number")
            if kind.code != "d" and float(value) != int(value):
                raise InputError(f"{name}: {value!r} is not valid: expected a whole number")
            given[name] = int(value) if kind.code not in ("d", "?") else value
        params = self.params(**given)
        for name, field in self.params._fields.items():
            if isinstance(field.default, Option):
                wrong = field.default.check(name, getattr(params, name))
                if wrong:
                    raise InputError(wrong)
        return params

    @staticmethod
    def _check_shared(values: Mapping[str, Any]) -> dict[str, Any]:
        out: dict[str, Any] = {}
        for name, value in values.items():
            if isinstance(value, (bool, np.bool_)):
                value = int(value)
            if isinstance(value, (int, np.integer)):
                out[name] = int(value)
            elif isinstance(value, (float, np.floating)):
                out[name] = float(value)
            else:
                array = np.ascontiguousarray(value)
                if array.dtype.kind not in "iufb" or array.dtype.itemsize > 8 or array.ndim < 1:
                    raise InputError(
                        f"shared '{name}': {type(value).__name__} of {array.dtype} is not valid: expected a number or "
                        "an array of numbers"
                    )
                array = array.view()
                array.flags.writeable = False
                out[name] = array
        return out

    def run(
        self,
        *,
        progress: bool | Callable[[dict[str, Any]], Any] | None = None,
        shared: Mapping[str, Any] | None = None,
        compile: bool | None = None,
        **options: Any,
    ) -> Report:
        """Runs the model once; see an.run. `options` are the parameters and the engine's options. `shared` is used
        instead of the model's. May be called by several threads at the same time."""
        setup = Setup(self, dict(options), shared, self.compile if compile is None else compile)
        return setup.run(progress)

    def session(self, *, shared: Mapping[str, Any] | None = None, compile: bool | None = None, **options: Any) -> Any:
        """A run in steps: see an.Session."""
        from ._session import Session

        return Session(Setup(self, dict(options), shared, self.compile if compile is None else compile))

    def _build(self, shared: Mapping[str, Any], compile: bool) -> _Built:
        types = tuple(
            (name, (value.dtype.str, value.ndim) if isinstance(value, np.ndarray) else type(value).__name__)
            for name, value in shared.items()
        )
        key = (compile, types if compile else ())
        if key not in self._built:
            self._built[key] = _Built(self, dict(types), compile)
        return self._built[key]


class _Built:
    """The model as the engine knows it, with its handlers."""

    def __init__(self, model: Model, shared: dict[str, Any], compile: bool):
        self.model = model
        self.data: dict[int, tuple[Any, Any]] = {}  # params and shared of the runs in progress, by address
        self.address = native.model_new()
        self._kept: list[Any] = []
        if compile:
            code = _compile.compile_model(model, shared)
            self._kept.append(code)
            handler = code.address
        else:
            handler = self._interpreted
        self._add_types(handler)

    def __del__(self):
        if getattr(self, "address", None):
            native.model_free(self.address)

    def _add_types(self, handler: Callable[[type[LP], type[Event] | None], int]) -> None:
        for lp in self.model.lps:
            hooks = ("lookahead", "may_stop", "load", "position")
            declares = sum(1 << bit for bit, hook in enumerate(hooks) if hasattr(lp, hook))
            start = handler(lp, None) if hasattr(lp, "start") else None
            native.model_lp(self.address, lp.type_name().encode(), lp._initial, len(lp._initial), start, None, declares)
        for lp, event in self.model.events:
            native.model_event(
                self.address,
                self.model.lps.index(lp),
                event.type_name().encode(),
                event._size,
                handler(lp, event),
                None,
                event._priority,
                int(event._in_order),
            )
        for row in self.model.rows:
            native.model_table(self.address, max(row._size, 8))

    def _interpreted(self, lp: type[LP], event: type[Event] | None) -> int:
        method = getattr(lp, "start" if event is None else lp._handlers[event])
        state_type = ctypes.c_char * lp._size
        event_type = ctypes.c_char * (event._size if event else 0)

        def call(state: int, payload: int, at: int) -> int:
            try:
                params, shared = self.data[ctypes.c_void_p.from_address(at + 16).value]
                cx = Context(at, self.model, lp, params, shared)
                own = lp._at(state_type.from_address(state))
                if event is None:
                    method(own, cx)
                else:
                    method(own, cx, event._at(event_type.from_address(payload), frozen=True))
                return 0
            except BaseException as error:
                native.call_fail(at, cause_of(error, error.__traceback__).encode())
                return 1

        callback = Handler(call)
        self._kept.append(callback)
        return ctypes.cast(callback, ctypes.c_void_p).value or 0


class Setup:
    """A model with parameters and shared data, for one run or session."""

    def __init__(self, model: Model, options: dict[str, Any], shared: Mapping[str, Any] | None, compile: bool):
        self.model = model
        self.until = float(options.pop("until", None) or model.until)
        lps = options.pop("lps", 1024) if model._wants_lps() and "lps" not in model.params._fields else None
        self.params = model._params_of(options)
        self.words = option_words(options)
        if shared is None:
            shared = model._shared(self.params) if callable(model._shared) else model._shared
        self.shared = model._check_shared(shared or {})
        self.built = model._build(self.shared, compile)
        self._params_memory = (ctypes.c_char * max(len(self.params._memory), 8))(*bytes(self.params._memory))
        self._params_address = ctypes.addressof(self._params_memory)
        self._table = self._shared_table()
        self.built.data[self._params_address] = (self.params, Shared(self.shared))
        self.counts = [self._count(lp, lps) for lp in model.lps]
        self.address = self._make()

    def __del__(self):
        if getattr(self, "address", None):
            native.setup_free(self.address)
        if hasattr(self, "_params_address"):
            self.built.data.pop(self._params_address, None)

    def _shared_table(self) -> np.ndarray:
        """As compiled handlers read it: of an array address and shape, of a number the number."""
        words: list[np.ndarray] = []
        for value in self.shared.values():
            if isinstance(value, np.ndarray):
                words.append(np.array([value.ctypes.data, *value.shape], dtype=np.int64))
            else:
                words.append(np.array([value]).view(np.int64))
        return np.concatenate(words) if words else np.zeros(1, np.int64)

    def _call(self, hook: Any) -> Any:
        """A hook of `params`, or of `params, shared`."""
        if not callable(hook):
            return hook
        wants = len(inspect.signature(hook).parameters)
        return hook(self.params) if wants < 2 else hook(self.params, Shared(self.shared))

    def _count(self, lp: type[LP], lps: int | None) -> int:
        if lps is None and not hasattr(lp, "count"):
            if "lps" in self.model.params._fields and len(self.model.lps) == 1:
                return int(self.params.lps)
            raise InputError(
                f"number of LPs of type {lp.__name__} is not known: give it a static method `count(params)`"
            )
        count = self._call(lp.count) if lps is None else lps
        if int(count) != count or count < 1:
            raise InputError(f"number of LPs of type {lp.__name__}: {count} is not valid: expected at least 1")
        return int(count)

    def _make(self) -> int:
        lps, n = self.model.lps, len(self.model.lps)
        arrays: list[Any] = []

        def numbers(hook: str) -> Any:
            pointers = (ctypes.c_void_p * n)()
            for i, lp in enumerate(lps):
                if hasattr(lp, hook):
                    values = np.ascontiguousarray(self._call(getattr(lp, hook)), dtype=np.float64)
                    if values.shape != (self.counts[i],):
                        raise InputError(f"{hook} of {lp.__name__}: {values.shape} for {self.counts[i]} LPs")
                    arrays.append(values)
                    pointers[i] = values.ctypes.data
            return pointers

        def each(kind: Any, hook: str, otherwise: Any) -> Any:
            values = [self._call(getattr(lp, hook)) if hasattr(lp, hook) else otherwise for lp in lps]
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

    def run(self, progress: Any) -> Report:
        count, words = words_array(self.words)
        watching = Watching(progress, self.model.name)
        with watching.at_work():
            report = Report._of(
                native.setup_run(
                    self.address, self.model.name.encode(), self.until, count, words, watching.callback, None
                )
            )
        return self.complete(report, self.final_states)

    def complete(self, report: Report, states_of: Callable[[int], np.ndarray]) -> Report:
        """Adds what the library does not know: parameters, states, rows, and what `finish` makes of them."""
        report.data["model_name"] = self.model.name
        config = report.data.setdefault("config", {})
        config["model"] = {name: getattr(self.params, name) for name in self.params._fields}
        for number, row in enumerate(self.model.rows):
            report._tables[row.__name__] = self.rows_of(number, row)
        for number, lp in enumerate(self.model.lps):
            states = states_of(number)
            report._states[lp.__name__] = states
            if report.data["ending"] == "interrupted" or not hasattr(lp, "finish"):
                continue
            for name, value in (lp.finish(states, self.params) or {}).items():
                if isinstance(value, Mapping):
                    report._tables[name] = {str(column): np.asarray(values) for column, values in value.items()}
                else:
                    report.data["model"][name] = value.item() if hasattr(value, "item") else value
        return report

    def final_states(self, number: int) -> np.ndarray:
        states = np.empty(self.counts[number], self.model.lps[number].dtype())
        native.setup_states(self.address, number, states.ctypes.data)
        return states

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
