"""Lists, sets and dictionaries in events: they have room for so many elements. `_bounded_types.py` has them for compiled
handlers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from ._fields import Field
from ._kinds import ArrayKind, Kind, PlaceKind, StructKind, WaitKind, kind_of
from ._texts import of_owner


class BoundedKind(Kind):
    """At most so many entries, behind their number. An entry is an element, or a key and its value."""

    is_bounded = True
    HEAD = 8  # bytes

    def __init__(self, what: str, parts: tuple[Kind, ...], most: int):
        multiple = 8 if len(parts) > 1 else 1
        sizes = [-(-part.dtype.itemsize // multiple) * multiple for part in parts]
        self.entry = sum(sizes)  # bytes
        self.starts = [0, *sizes[:-1]]  # of the parts, within an entry
        size = 8 * -(-(self.HEAD + most * self.entry) // 8)
        super().__init__(f"{what}[{', '.join(part.name for part in parts)}, {most}]", f"V{size}", "")
        self.what, self.parts, self.most = what, parts, most

    def fields(self, owner: Any) -> list[Field]:
        """The parts of an entry."""
        return [Field("element", part, start, None, owner) for part, start in zip(self.parts, self.starts)]

    def read(self, memory: Any, offset: int, owner: Any) -> Any:
        count = int.from_bytes(memory[offset : offset + 4], "little")
        starts = (offset + self.HEAD + i * self.entry for i in range(count))
        entries = (bytes(memory[start : start + self.entry]) for start in starts)
        fields = self.fields(owner)
        read = tuple(tuple(field.read(entry) for field in fields) for entry in entries)
        return MappingProxyType(dict(read)) if self.what == "Dict" else tuple(element for (element,) in read)

    def write(self, memory: Any, offset: int, values: Any, owner: Any, where: str) -> None:
        entries = self._entries(values, where)
        if len(entries) > self.most:
            raise OverflowError(f"{where}: expected at most {self.most} elements")
        fields = self.fields(owner)
        stored = bytearray(self.dtype.itemsize)
        stored[: self.HEAD] = len(entries).to_bytes(self.HEAD, "little")
        for i, entry in enumerate(entries):
            packed = bytearray(self.entry)
            for field, value in zip(fields, entry):
                field.write(packed, value)
            stored[self.HEAD + i * self.entry : self.HEAD + (i + 1) * self.entry] = packed
        memory[offset : offset + self.dtype.itemsize] = stored

    def _entries(self, values: Any, where: str) -> list[list[Any]]:
        if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
            raise TypeError(f"{where}: expected a {self.what.lower()}")
        if self.what == "List":
            return [[value] for value in values]
        if self.what == "Set":
            pairs: Any = ((value, None) for value in values)
        else:
            pairs = values.items() if hasattr(values, "items") else iter(values)
        entries: list[list[Any]] = []
        for key, value in pairs:  # as in compiled handlers: they compare each with each
            found = next((entry for entry in entries if entry[0] == key), None)
            if found is None:
                entries.append([key, value])
            else:
                found[1] = value
        return entries


def _bounded(what: str, given: Any, parts: int) -> BoundedKind:
    name = f"an.{what}"
    example = {"List": "[float, 8]", "Set": "[int, 8]", "Dict": "[int, float, 8]"}[what]
    if not isinstance(given, tuple) or len(given) != parts + 1 or not isinstance(given[-1], (int, np.integer)) or given[-1] < 1:
        raise TypeError(f"{name}[{'KEY, ' if parts > 1 else ''}TYPE, NUMBER], such as {name}{example}")
    kinds = tuple(of_owner(kind_of(part, name), name, name) for part in given[:-1])
    for number, kind in enumerate(kinds):
        is_key = what != "List" and number == 0
        if kind.is_bounded or isinstance(kind, (ArrayKind, PlaceKind, WaitKind)) or (is_key and isinstance(kind, StructKind)):
            structs = "" if is_key else " or a class derived from an.Struct"
            raise TypeError(
                f"{name} of {kind.name}: expected a number type, bool, an.Id, an.Id[LP], an.Handle, an.Text[SIZE]"
                f"{' or' if is_key else ','} an.Bytes[SIZE]{structs}"
            )
    return BoundedKind(what, kinds, int(given[-1]))


if TYPE_CHECKING:
    List = tuple
    Set = frozenset
    Dict = Mapping
else:

    class List:
        """`visits: an.List[int, 8]`: at most 8 numbers in an event. Handlers read it as a tuple, and make one of any list.
        Checkers of types want `Annotated[tuple[int, ...], an.List[int, 8]]`, which is the same."""

        def __class_getitem__(cls, given: Any) -> BoundedKind:
            return _bounded("List", given, 1)

    class Set:
        """`seen: an.Set[int, 8]`: at most 8 different numbers in an event, in the order in which they came. Handlers make one of
        any set or list. Checkers of types want `Annotated[frozenset[int], an.Set[int, 8]]`, which is the same."""

        def __class_getitem__(cls, given: Any) -> BoundedKind:
            return _bounded("Set", given, 1)

    class Dict:
        """`prices: an.Dict[int, float, 8]`: at most 8 keys with values in an event, in the order in which the keys came. Handlers
        make one of any dictionary, or of pairs, of which the last one of a key counts. Checkers of types want
        `Annotated[Mapping[int, float], an.Dict[int, float, 8]]`, which is the same."""

        def __class_getitem__(cls, given: Any) -> BoundedKind:
            return _bounded("Dict", given, 2)
