"""What compiled and interpreted handlers are told alike."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

NO_EVENT = "an an.Wait is used to which nothing was assigned: assign it first, such as `self.news = cx.event()`"
TRIGGERED_TWICE = "an event is triggered that was triggered before"
NOT_TRIGGERED = "the value of an event is asked for that was not triggered yet"
VALUE_IS_GONE = "the value of an event is asked for that was processed before the process waited again"
HAS_ENDED = "a process is interrupted that has ended"
INTERRUPTS_ITSELF = "a process interrupts itself"
NOT_PASSIVE = "a process is activated that is not passive"
NEGATIVE_DELAY = "cx.timeout(delay): the delay is below 0, or no number"
AMOUNT_ABOVE_0 = "a container gets and gives amounts above 0"
TYPES_OF_EVENTS = "cx.event(float): expected int, float or bool; an event has no other value"
MOST_WAITS = 8  #: arguments of `cx.any_of`; a list may have more


def members_of(cls: Any) -> list[str]:
    """The public attributes and methods of a class, in the order in which they are written; no constants."""
    names = (name for base in reversed(cls.__mro__) for name in vars(base))
    return [name for name in dict.fromkeys(names) if not name.startswith("_") and not name.isupper()]


def has_no(what: str, missing: str, has: Iterable[str], also: str = "") -> str:
    return f"{what} has no {missing} (it has: {', '.join(has)}{f'; and {also}' if also else ''})"


def is_constant(what: str, name: str, was_read: bool) -> str:
    """Of a field of a record that a handler assigns. `was_read`: it did not make the record."""
    if what == "parameters":
        return f"parameters are constant: '{name}' cannot be assigned"
    record = {"struct": "a struct that was read is a copy, and", "row": "a row is"}.get(what)
    if record is None:
        record = "an event that was received is" if was_read else "an event is"
    return f"{record} constant: '{name}' cannot be assigned; make a new one"


def of_waits(name: str) -> str:
    """Of `cx.any_of` or `cx.all_of` with other arguments than waits."""
    return (
        f"cx.{name}(..): write what is waited for as arguments, at least one and at most {MOST_WAITS}, cx.{name}(a, b), or give it "
        f"one list: cx.{name}(self.workers)"
    )


def list_that_lives(name: str, of: str) -> str:
    """Of a list that a process has as a variable while it waits. `of`: what is in it."""
    return f": a list that lives so long is a field of the state, `{name}: list[{of}]`"
