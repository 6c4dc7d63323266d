"""Models from functions, for small cases: they become the classes that other models are written in."""

from __future__ import annotations

import inspect
import math
import types
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from ._fields import LP, Event, Params, RecordMeta
from ._handlers import on
from ._kinds import Kind
from ._model import Model
from ._param import Option

Function = TypeVar("Function", bound=Callable[..., Any])

_ONCE = ("count", "finish", "lookahead", "load", "may_stop", "position")
_RESERVED = {"name", "start", *_ONCE}


def _class(base: Any, name: str, qualname: str, module: str, fields: Mapping[str, Any], members: Mapping[str, Any]) -> Any:
    """A class derived from `base`. `fields` has of each field its default, or its type."""
    annotations, values = {}, dict(members)
    for field, given in fields.items():
        if isinstance(given, (type, types.GenericAlias, Kind)):
            annotations[field] = given
            continue
        default = given.default if isinstance(given, Option) else given
        annotations[field], values[field] = type(default), given
    return RecordMeta(name, (base,), {"__module__": module, "__qualname__": qualname, "__annotations__": annotations, **values})


class Functions:
    """A model of one LP type that is written as functions; made by an.functions, which see."""

    def __init__(self, name: str, state: Mapping[str, Any], params: Mapping[str, Any], module: str):
        self.name, self._module = name, module
        self._state, self._members = dict(state), {"name": name}
        self._lp: Any = None
        self.params: type[Params] = _class(Params, f"{name}_params", f"{name}.params", module, params, {})

    def start(self, function: Function) -> Function:
        """Marks the function `(self, cx)` that each LP runs once, at time 0."""
        self._add("start", function)
        return function

    def on(self, function: Callable[..., Any]) -> type[Event]:
        """Makes an event type of a function, which handles it. `(self, cx, *, size: int = 1)`: it has these fields.
        From here on the function's name is the event type: `cx.send(cx.self_id, 1.0, step(size=2))`."""
        name, where = function.__name__, f"{self.name}.{function.__name__}"
        parameters = list(inspect.signature(function).parameters.values())
        fields = [p for p in parameters if p.kind is p.KEYWORD_ONLY]
        self._check_free("an event", name)
        if len(parameters) - len(fields) != 2 or any(p.kind is p.VAR_POSITIONAL for p in parameters):
            raise TypeError(f"{where}{inspect.signature(function)}: expected (self, cx), and behind a star the event's fields")
        annotations, defaults = {}, {}
        for p in fields:
            if p.default is not p.empty:
                defaults[p.name] = p.default
            elif p.annotation is p.empty:
                raise TypeError(f"{where}: the field '{p.name}' has no type: write {p.name}: int, or {p.name}=0")
            annotations[p.name] = type(p.default) if p.annotation is p.empty else p.annotation
        members = {"__module__": function.__module__, "__qualname__": function.__qualname__, "__annotations__": annotations}
        event = RecordMeta(name, (Event,), {**members, **defaults})
        function.__kwdefaults__ = None  # type: ignore[attr-defined] # the event has them
        self._add(name, on(event)(function))
        return event  # type: ignore[return-value]

    def process(self, function: Function) -> Function:
        """Marks a process, a function `(self, cx, ..)` that waits with `yield`. `cx.process(self.customer(cx, 3))` begins
        one. Its arguments have a type, `number: int`, or a default."""
        if not inspect.isgeneratorfunction(function):
            raise TypeError(f"{self.name}.process: '{function.__name__}' has no `yield`: mark it as {self.name}.method")
        self._add_called(function)
        return function

    def method(self, function: Function) -> Function:
        """Marks a function `(self, ..)` that others call: `self.note(cx, 3)`."""
        if inspect.isgeneratorfunction(function):
            raise TypeError(f"{self.name}.method: '{function.__name__}' has `yield`: mark it as {self.name}.process")
        self._add_called(function)
        return function

    def once(self, function: Function) -> Function:
        """Marks a function of `params` that is called once per run, such as `count` or `finish`: see an.LP."""
        if function.__name__ not in _ONCE:
            raise TypeError(f"{self.name}.once: '{function.__name__}' is not valid: expected one of {', '.join(_ONCE)}")
        self._add(function.__name__, staticmethod(function))
        return function

    def _check_free(self, what: str, name: str) -> None:
        if name in _RESERVED:
            raise TypeError(f"{self.name}.{name}: {what} cannot be called '{name}', which means something else in an an.LP")

    def _add_called(self, function: Any) -> None:
        self._check_free("a method", function.__name__)
        self._add(function.__name__, function)

    def _add(self, name: str, member: Any) -> None:
        if self._lp is not None:
            raise TypeError(f"{self.name}: its LP type has been made, '{name}' comes too late: make an.functions(..) again")
        if name in self._members or name in self._state:
            raise TypeError(f"{self.name} has '{name}' already: functions and fields of the state have different names")
        self._members[name] = member

    @property
    def lp(self) -> type[LP]:
        """The LP type, which is made when it is first asked for: `report.states(walk.lp)`."""
        if self._lp is None:
            self._lp = _class(LP, self.name, f"{self.name}.lp", self._module, self._state, self._members)
        return self._lp

    def model(self, *, until: float = math.inf, **options: Any) -> Model:
        """The model, compiled. `options` are those of an.Model."""
        return Model(self.lp, **{"params": self.params, "name": self.name, "until": until, **options})

    def __repr__(self) -> str:
        return f"<functions of {self.name}: {', '.join(name for name in self._members if name != 'name') or 'none yet'}>"


def functions(name: str, state: Mapping[str, Any] | None = None, params: Mapping[str, Any] | None = None) -> Functions:
    """A small model without classes: functions, one for each event type.

        walk = an.functions("walk", state={"place": 0}, params={"mean": 1.0})

        @walk.start
        def begin(self, cx):
            cx.send(cx.self_id, 0.0, step(size=2))

        @walk.on
        def step(self, cx, *, size: int = 1):
            self.place += size
            cx.send(cx.self_id, cx.rng.exponential(cx.params.mean), step(size=size))

        model = walk.model(until=100)

    `walk.process` marks processes, and `walk.method` other functions that handlers call, `self.note(cx)`.

    `name`: that of the variable, by which pickles find the model. `state`, `params`: of each field its default, which
    says the type, or a type (`an.i4`, `list[int]`); of parameters also an.param(..)."""
    if not (isinstance(name, str) and name.isidentifier()):
        raise TypeError(f"an.functions({name!r}): expected a name, such as 'walk'")
    for field in _RESERVED & set(state or {}):
        raise TypeError(f"an.functions('{name}'): a field cannot be called '{field}', which means something else in an an.LP")
    frame = inspect.currentframe()
    caller = frame.f_back if frame else None
    return Functions(name, state or {}, params or {}, caller.f_globals["__name__"] if caller else "__main__")
