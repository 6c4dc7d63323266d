"""Compiled handlers, processes and filters: their names in a library, and their addresses."""

from __future__ import annotations

from typing import Any

from ._fields import LP, Event
from ._print import Formats


class Code:
    """Compiled handlers."""

    def __init__(self, addresses: dict[str, int], kept: Any, formats: Formats, frames: dict[str, tuple[int, list[int]]]):
        """`frames`: of each process the bytes of its frame, and where that names what it may wait for."""
        self._addresses, self._kept, self.formats, self._frames = addresses, kept, formats, frames

    def address(self, lp: type[LP], event: type[Event] | None) -> int:
        return self._addresses[entry_name(lp, event)]

    def process(self, lp: type[LP], name: str) -> tuple[int, int, list[int]]:
        """Its address, the bytes of its frame, and where that names what it may wait for."""
        name = process_name(lp, name)
        return self._addresses[name], *self._frames[name]

    def filters(self, lp: type[LP]) -> list[int]:
        """The addresses of the filters of its stores, by their numbers."""
        count = sum(name.startswith(filter_name(lp, "")) for name in self._addresses)
        return [self._addresses[filter_name(lp, number)] for number in range(count)]

    def undoer(self, lp: type[LP], event: type[Event]) -> int:
        return self._addresses[undoer_name(lp, event)]


def entry_name(lp: type[LP], event: type[Event] | None) -> str:
    return f"{lp.__qualname__}.{lp._handlers[event] if event else 'start'}.{event.__qualname__ if event else ''}"


def process_name(lp: type[LP], name: str) -> str:
    return f"process {lp.__qualname__}.{name}"


def filter_name(lp: type[LP], number: Any) -> str:
    return f"filter {lp.__qualname__}: {number}"


def undoer_name(lp: type[LP], event: type[Event]) -> str:
    return f"undo {lp.__qualname__}.{lp._undoers[event]}.{event.__qualname__}"
