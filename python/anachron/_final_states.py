"""Containers and texts in the states that a report has: as Python's own."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import Any

import numpy as np

from ._containers import RANK, ContainerKind, DictView, ListView, QueueView
from ._texts import BytesKind, GrowingKind, TextKind

def _words(place: bytes) -> np.ndarray:
    return np.frombuffer(place, np.uint32)


def _list_of(kind: ContainerKind, place: bytes, region: Any, owner: Any) -> list[Any]:
    (element,) = kind.elements(owner)
    offset, first, count, capacity = (int(word) for word in _words(place))
    places = [offset + (first + i & capacity - 1) * element.bytes for i in range(count)]
    return [element.unpack(region[at : at + element.bytes]) for at in places]


def _entries_of(kind: ContainerKind, place: bytes, region: Any, owner: Any) -> Iterator[list[Any]]:
    elements = kind.elements(owner)
    stride = sum(element.bytes for element in elements)
    entries, _, _, used, _, live = (int(word) for word in _words(place))
    for number in range(used):
        if region[live + number // 8] >> number % 8 & 1:
            at = entries + number * stride
            starts = [at, at + elements[0].bytes]
            yield [e.unpack(region[start : start + e.bytes]) for e, start in zip(elements, starts)]


def _queue_of(kind: ContainerKind, place: bytes, region: Any, owner: Any) -> list[Any]:
    (element,) = kind.elements(owner)
    stride = RANK + element.bytes
    offset, _, count = (int(word) for word in _words(place)[:3])
    ranked = []
    for at in range(offset, offset + count * stride, stride):
        (priority,), (number,) = np.frombuffer(region, "f8", 1, at), np.frombuffer(region, "u8", 1, at + 8)
        ranked.append((float(priority), int(number), element.unpack(region[at + RANK : at + stride])))
    return [(priority, value) for priority, _, value in sorted(ranked, key=lambda entry: entry[:2])]


def value_of(kind: Any, place: bytes, region: bytes, owner: Any) -> Any:
    """A container as Python's own; a priority queue as a list of (priority, value). `place`: what the state has of it."""
    if isinstance(kind, (TextKind, BytesKind)):
        return kind.loaded(place)
    if isinstance(kind, GrowingKind):
        offset, size = (int(word) for word in _words(place)[:2])
        return kind.loaded(bytes(region[offset : offset + size]))
    if kind.cls is ListView:
        values = _list_of(kind, place, region, owner)
        return deque(values) if kind.name == "deque" else values
    if kind.cls is QueueView:
        return _queue_of(kind, place, region, owner)
    entries = _entries_of(kind, place, region, owner)
    return dict(map(tuple, entries)) if kind.cls is DictView else {key for key, *_ in entries}


def copied_fields(lp: Any) -> list[Any]:
    """Of which there is a column of Python objects."""
    return [f for f in lp._fields.values() if isinstance(f.kind, (ContainerKind, TextKind, BytesKind, GrowingKind))]


def with_containers(lp: Any, states: np.ndarray, raw: Any, stride: int, region_of: Any) -> np.ndarray:
    """The states of an LP type with a column of Python objects for each container and text. `raw`: their bytes, one state every
    `stride`; `region_of(i)`: the memory of LP number i."""
    fields = copied_fields(lp)
    if not fields:
        return states
    names = list(states.dtype.names or ())
    layout: Any = [(name, states.dtype[name]) for name in names] + [(f.name, object) for f in fields]
    out = np.empty(len(states), np.dtype(layout))
    for name in names:
        out[name] = states[name]
    for i in range(len(states)):
        region = region_of(i) if lp._has_region else b""
        for field in fields:
            at = i * stride + field.offset
            place = bytes(raw[at : at + field.kind.dtype.itemsize])
            out[field.name][i] = value_of(field.kind, place, region, lp)
    return out
