"""Which methods of an LP type handle events, and what they are given of them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

Method = TypeVar("Method", bound=Callable[..., Any])


def _marks(what: str, mark: str, events: tuple[Any, ...]) -> Any:
    for event in events:
        if not (isinstance(event, type) and getattr(event, "_what", "") == "event"):
            raise TypeError(f"an.{what}({event!r}): expected an event type, a class derived from an.Event")

    def marked(method: Any) -> Any:
        setattr(method, mark, events)
        return method

    return marked


def on(*events: type) -> Callable[[Method], Method]:
    """Marks a method of an LP type as the handler of events of these types. It gets `(self, cx, event)`; or, with names
    behind a star, fields of the event: `def ball(self, cx, *, hops)`; or nothing of it: `def ball(self, cx)`. TypeError
    when the class is made: the event has no such field."""
    return _marks("on", "_anachron_events", events)


def undo(*events: type) -> Callable[[Method], Method]:
    """Marks a method `(self, event)` of an LP type as a reverser. When an event of these types is rolled back, it takes
    back all that the handler has done to the fields, instead of a copy of the state. What was sent, random numbers
    and rows are taken back without it. `check_rollback=True` finds mistakes."""
    return _marks("undo", "_anachron_undoes", events)


def processes_of(cls: Any) -> dict[str, Any]:
    """The methods of an LP type that wait, by name: generators."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        found |= {name: member for name, member in vars(base).items() if inspect.isgeneratorfunction(member)}
    return found


def fields_wanted(method: Any) -> list[str] | None:
    """The fields that a handler gets instead of the event; `(self, cx)` gets none of them. None: it gets the event."""
    if not hasattr(method, "_anachron_events"):
        return None
    parameters = inspect.signature(method).parameters.values()
    wanted = [p.name for p in parameters if p.kind is inspect.Parameter.KEYWORD_ONLY]
    positional = [p for p in parameters if p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD]
    return wanted if wanted or len(positional) == len(parameters) == 2 else None


def check_arguments(lp: type, name: str, method: Any, count: int, expected: str) -> None:
    """Raises TypeError for a method that does not take so many arguments."""
    if not inspect.isfunction(method):
        return
    signature = inspect.signature(method)
    given = [p for p in signature.parameters.values() if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    needed = [p for p in signature.parameters.values() if p.default is p.empty and p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)]
    takes_more = any(p.kind is p.VAR_POSITIONAL for p in signature.parameters.values())
    if len(needed) > count or (len(given) < count and not takes_more):
        raise TypeError(f"{lp.__qualname__}.{name}{signature}: expected {expected}")


def check_fields(lp: type, name: str, method: Any, event: Any) -> None:
    """Raises TypeError where a handler wants fields that its event does not have, or the event as well."""
    wanted = fields_wanted(method)
    if wanted is None:
        fields = ", ".join(event._fields)
        by_name = f"or with fields of {event.__name__} by name, (self, cx, *, {fields})" if fields else "or (self, cx)"
        check_arguments(lp, name, method, 3, f"(self, cx, event), {by_name}")
    if not wanted:
        return
    where = f"{lp.__qualname__}.{name}"
    unknown = [field for field in wanted if field not in event._fields]
    if unknown:
        has = ", ".join(event._fields) or "none"
        raise TypeError(f"{where}: {event.__name__} has no field '{unknown[0]}' (it has: {has})")
    signature = inspect.signature(method)
    if len(signature.parameters) != 2 + len(wanted):
        raise TypeError(f"{where}{signature}: expected (self, cx, *, ..) with fields of {event.__name__}, and not the event too")
    if any(p.default is not inspect.Parameter.empty for p in signature.parameters.values()):
        raise TypeError(f"{where}{signature}: what a handler gets has no default: the event's field has one")
