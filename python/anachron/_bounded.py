"""Lists in events: they have room for so many elements. `_bounded_types.py` has them for compiled handlers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ._containers import Element
from ._kinds import ArrayKind, Kind, PlaceKind, WaitKind, kind_of
from ._texts import of_owner


class BoundedKind(Kind):
    """At most so many elements, behind their number."""

    is_bounded = True
    HEAD = 8  # bytes

    def __init__(self, of: Kind, most: int):
        super().__init__(f"List[{of.name}, {most}]", f"V{8 * -(-(self.HEAD + most * of.dtype.itemsize) // 8)}", "")
        self.of, self.most, self.parts = of, most, (of,)

    def element(self, owner: Any) -> Element:
        return Element(self.of, owner)

    def read(self, memory: Any, offset: int, owner: Any) -> tuple[Any, ...]:
        element = self.element(owner)
        count = int.from_bytes(memory[offset : offset + 4], "little")
        starts = (offset + self.HEAD + i * element.bytes for i in range(count))
        return tuple(element.unpack(bytes(memory[start : start + element.bytes])) for start in starts)

    def write(self, memory: Any, offset: int, values: Any, owner: Any, where: str) -> None:
        if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
            raise TypeError(f"{where}: expected a list")
        values = list(values)
        if len(values) > self.most:
            raise OverflowError(f"{where}: expected at most {self.most} elements")
        element = self.element(owner)
        packed = b"".join(element.pack(value) for value in values)
        stored = len(values).to_bytes(self.HEAD, "little") + packed
        memory[offset : offset + self.dtype.itemsize] = stored + bytes(self.dtype.itemsize - len(stored))


if TYPE_CHECKING:
    List = tuple
else:

    class List:
        """`visits: an.List[int, 8]`: at most 8 numbers in an event. Handlers read it as a tuple, and make one of any list.
        Checkers of types want `Annotated[tuple[int, ...], an.List[int, 8]]`, which is the same."""

        def __class_getitem__(cls, given: Any) -> BoundedKind:
            if not isinstance(given, tuple) or len(given) != 2 or not isinstance(given[1], (int, np.integer)) or given[1] < 1:
                raise TypeError("an.List[TYPE, NUMBER], such as an.List[float, 8]")
            kind = of_owner(kind_of(given[0], "an.List"), "an.List", "an.List")
            if kind.is_bounded or isinstance(kind, (ArrayKind, PlaceKind, WaitKind)):
                raise TypeError(
                    f"an.List of {kind.name}: expected a number type, bool, an.Id, an.Id[LP], an.Handle, an.Text[SIZE], "
                    "an.Bytes[SIZE] or a class derived from an.Struct"
                )
            return BoundedKind(kind, int(given[1]))
