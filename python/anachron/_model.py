"""Models written in Python."""

from __future__ import annotations

import copy
import math
import pickle
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any


from . import _check
from ._built import Built
from ._check_source import check_source
from ._declared import hook_of
from ._fields import LP, Event, Params, Row
from ._interpreted import InterpretedProcess
from ._ints import BY_OVERFLOW
from ._kinds import IdKind, Kind
from ._native import InputError
from ._param import Option
from ._print import Texts
from ._processes import processes_by_name
from ._remembered import Remembered
from ._report import Report
from ._run import takes_engine_options
from ._runs import replicated
from ._setup import Setup
from ._shared import check_shared, type_of_shared
from ._unknown import UnknownModel
from ._values import parameter

if TYPE_CHECKING:
    from ._session import Session


def _ids_in(kind: Kind) -> Iterator[IdKind]:
    """In a field of this kind: itself, and those of its elements."""
    if isinstance(kind, IdKind):
        yield kind
    for part in kind.parts:
        yield from _ids_in(part)


def _is_made_again(cls: Any, own: type) -> bool:
    """Whether the class is another one of the same name, as when a cell of a notebook has been run again."""
    return isinstance(cls, type) and cls is not own and (cls.__module__, cls.__qualname__) == (
        own.__module__,
        own.__qualname__,
    )


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
    - `overflow`: whole numbers that do not fit "wrap" around, at 64 bits and at the size of a field; "error": they raise
      OverflowError
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
        overflow: str = "wrap",
    ):
        self._made_with: dict[str, Any] = {
            "lps": lps, "params": params, "rows": rows, "shared": shared, "until": until, "name": name,
            "compile": compile, "cache": cache, "overflow": overflow,
        }  # fmt: skip
        if overflow not in BY_OVERFLOW:
            raise TypeError(f"an.Model: overflow={overflow!r} is not valid: expected 'wrap' or 'error'")
        self.overflow = overflow
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
        self._processes_in_python: dict[Any, InterpretedProcess] = {}
        self._remembered = Remembered(self)
        self.printed = Texts()
        self._built: dict[Any, Built] = {}
        if compile and not callable(shared):
            self._build(check_shared(shared or {}, self), True)

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
            if lp._undoers and lp._has_region:
                raise TypeError(f"{lp.__qualname__} has containers or processes, which undo what they do: leave out an.undo")
            _check.check_returns_at_once(lp)
            check_source(lp)
            processes_by_name(lp)  # raises TypeError for what their arguments cannot be

    def _resolve_ids(self) -> None:
        by_name = {lp.__name__: lp for lp in self.lps}
        events = dict.fromkeys(event for _, event in self.events)
        found: dict[IdKind, Any] = {}
        for record in [*self.lps, *events, *self.rows]:
            fields = [(field, kind) for field in record._fields.values() for kind in _ids_in(field.kind)]
            for field, kind in fields:
                of = kind.declared  # what another model has made of it is not asked for
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
                if found.setdefault(kind, of) is not of:
                    raise TypeError(f"{record.__qualname__}.{field.name}: its LP is one of {of.__name__} here and of {found[kind].__name__} there: say of which type: an.Id[LP]")
                kind.of = of

    def _number_of_lp(self, lp: Any) -> int:
        if lp not in self.lps:
            if any(_is_made_again(lp, own) for own in self.lps):
                raise TypeError(f"the class {lp.__name__} was made again since the model was: make the model again")
            raise TypeError(f"the model has no LP type {getattr(lp, '__name__', lp)}")
        return self.lps.index(lp)

    def _number_of_event(self, lp: Any, event: Any) -> int:
        number = self._event_numbers.get((lp, event))
        if number is None:
            self._number_of_lp(lp)
            if not (isinstance(event, type) and issubclass(event, Event)):
                raise TypeError(f"cx.send: {event!r} is no event: derive its class from an.Event")
            if any(_is_made_again(event, own) for own in lp._handlers):
                raise TypeError(
                    f"the class {event.__name__} was made again since {lp.__name__} was, which handles the one before: "
                    f"make {lp.__name__} and the model again"
                )
            handled = ", ".join(e.__name__ for e in lp._handlers) or "none"
            raise TypeError(f"{lp.__name__} has no handler for {event.__name__} (it handles: {handled})")
        return number

    def _number_of_table(self, row: Any) -> int:
        if row not in self.rows:
            if any(_is_made_again(row, own) for own in self.rows):
                raise TypeError(f"the class {row.__name__} was made again since the model was: make the model again")
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
        return len(self.lps) == 1 and hook_of(self.lps[0], "count") is None

    def _params_of(self, options: dict[str, Any]) -> Params:
        """Takes the parameters out of `options`."""
        given = {name: options.pop(name) for name in list(options) if name in self.params._fields}
        for name, value in given.items():
            field = self.params._fields[name]
            if not field.kind.code:
                raise InputError(f"{name} is an array: its values are those that the class {self.params.__name__} gives")
            given[name] = parameter(name, value, field.kind, field.members)
        params = self.params(**given)
        for name, field in self.params._fields.items():
            if isinstance(field.default, Option):
                wrong = field.default.check(name, getattr(params, name))
                if wrong:
                    raise InputError(wrong)
        return params

    @takes_engine_options
    def run(
        self,
        *,
        progress: bool | Callable[[dict[str, Any]], Any] | None = None,
        shared: Mapping[str, Any] | None = None,
        compile: bool | None = None,
        on_interrupt: str = "raise",
        **options: Any,
    ) -> Report:
        """Runs the model once; see an.run. `options` are the parameters and the engine's options. `shared` is used
        instead of the model's. May be called by several threads at the same time."""
        if options.keys() & {"replications", "precision"}:
            return replicated(self, progress=progress, shared=shared, compile=compile, **options)
        setup = Setup(self, dict(options), shared, self.compile if compile is None else compile)
        return setup.run(progress, on_interrupt)

    def session(
        self,
        *,
        shared: Mapping[str, Any] | None = None,
        compile: bool | None = None,
        history: bool = False,
        **options: Any,
    ) -> Session:
        """A run in steps: see an.Session. With `history` it keeps what is run, so that variants of it can be run."""
        from ._session import Session

        return Session(Setup(self, dict(options), shared, self.compile if compile is None else compile), history)

    def __repr__(self) -> str:
        lps = ", ".join(lp.__name__ for lp in self.lps)
        return f"<model {self.name} of {lps}: {', '.join(self.params._fields) or 'no parameters'}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{escape(name)}</th><td>{escape(str(option['default']))}</td><td>{escape(option['help'])}</td></tr>"
            for name, option in self.options().items()
        )
        return f"<p>{escape(repr(self)[1:-1])}</p><table>{rows}</table>"

    def __reduce__(self) -> Any:
        """A pickle has what the model was made with: it is compiled, or fetched from the cache, where it is unpickled."""
        if not self._is_of_a_prompt():
            return _made_again, (self._made_with,)
        return _made_again_if_known, (self.name, pickle.dumps(self._made_with))

    def __copy__(self) -> Model:
        return Model(**self._made_with)

    def __deepcopy__(self, memo: dict[int, Any]) -> Model:
        return Model(**copy.deepcopy(self._made_with, memo))

    def _is_of_a_prompt(self) -> bool:
        """Whether its classes were typed at a prompt or into a cell of a notebook: only this process and its forks have
        them."""
        main = sys.modules["__main__"]
        if hasattr(main, "__file__") or getattr(main, "__spec__", None) is not None:
            return False
        events = [event for _, event in self.events]
        return any(cls.__module__ == "__main__" for cls in (*self.lps, *events, *self.rows, self.params))

    def _build(self, shared: Mapping[str, Any], compile: bool) -> Built:
        self._remembered.check()
        types = tuple((name, type_of_shared(value, self)) for name, value in shared.items())
        key = (compile, types if compile else ())
        if key not in self._built:
            self._resolve_ids()  # another model may have the same events
            self._built[key] = Built(self, dict(types), compile)
        return self._built[key]


def _made_again(made_with: dict[str, Any]) -> Model:
    return Model(**made_with)


def _made_again_if_known(name: str, made_with: bytes) -> Model | UnknownModel:
    try:
        return _made_again(pickle.loads(made_with))
    except AttributeError as error:
        return UnknownModel(name, str(error))
