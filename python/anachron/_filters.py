"""Filters of what is got from stores, `store.get(lambda order: order.size > n)`, while a model is interpreted. The engine calls
them whenever an item has come, so they are packed: their number, and what they have of the variables around them."""

from __future__ import annotations

import ctypes
import marshal
import struct
import types
from typing import Any, NamedTuple

from ._containers import Element
from ._fields import Record
from ._ints import as_handlers_have_it
from ._kinds import Id

_LENGTH = struct.Struct("<Q")


class _Known(NamedTuple):
    number: int
    function: Any
    element: Element
    around: list[Any]  # of each variable: None for a number, Record for the LP itself, or the type of an LP


_known: dict[Any, _Known] = {}  # by their code


def _what(value: Any) -> Any:
    if isinstance(value, (bool, int, float)):
        return None
    if isinstance(value, Id):
        return value.type
    if isinstance(value, Record) and value._what == "LP":
        return Record
    raise TypeError(f"a filter uses {value!r}: it may use numbers, LPs and `self`")


def packed_filter(function: Any, element: Element) -> bytes:
    """Raises TypeError for a filter that uses what cannot be kept."""
    values = [cell.cell_contents for cell in function.__closure__ or ()]
    around = [_what(value) for value in values]
    number = _known.setdefault(function.__code__, _Known(len(_known), function, element, around)).number
    kept = [value.index if isinstance(value, Id) else value if isinstance(value, (bool, float)) else 0 for value in values]
    for i, value in enumerate(values):
        if isinstance(value, int) and not isinstance(value, bool):
            kept[i] = int(value)
    packed = marshal.dumps((number, kept))
    return _LENGTH.pack(len(packed)) + packed


def takes(own: Any, item: int, packed: int) -> bool:
    """Whether the filter that was packed takes the item at an address. `own`: the LP."""
    (length,) = _LENGTH.unpack(ctypes.string_at(packed, _LENGTH.size))
    number, kept = marshal.loads(ctypes.string_at(packed + _LENGTH.size, length))
    known = next(one for one in _known.values() if one.number == number)

    def restored(value: Any, what: Any) -> Any:
        if what is None:
            return as_handlers_have_it(value)
        return own if what is Record else Id(what, value)

    cells = tuple(types.CellType(restored(value, what)) for value, what in zip(kept, known.around))
    function = types.FunctionType(known.function.__code__, known.function.__globals__, "filter", None, cells)
    return bool(function(known.element.read(item)))
