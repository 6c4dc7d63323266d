"""Whom an event can be broadcast to besides all LPs of a type: ranges and groups."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np


class Range:
    """`count` LPs of a type from number `first` on: `cx.range(Hub, 3, 10)`."""

    __slots__ = ("type", "first", "count")

    def __init__(self, type: Any, first: int, count: int):
        self.type, self.first, self.count = type, int(first), int(count)

    def _receivers(self) -> tuple[int, int, int | None]:
        return self.first % 2**64, max(self.count, 0), None


class Group:
    """A set of LPs, in the shared data of a model: `shared={"crew": an.Group(Hub, [3, 1, 7])}`, to be broadcast to as
    `cx.broadcast(cx.shared.crew, delay, event)`.

    Attributes: `numbers`, ascending; `size`.
    """

    __slots__ = ("type", "numbers", "size")

    def __init__(self, type: Any, numbers: Iterable[int]):
        self.type = type
        self.numbers = _ascending(numbers)
        self.size = len(self.numbers)

    def _receivers(self) -> tuple[int, int, int | None]:
        return 0, self.size, self.numbers.ctypes.data


class Groups:
    """Several groups of LPs of one type: `an.Groups(Hub, [[1, 2], [], [0]])`; number k is `cx.shared.crews[k]`."""

    __slots__ = ("type", "numbers", "starts")

    def __init__(self, type: Any, groups: Sequence[Iterable[int]]):
        each = [_ascending(numbers) for numbers in groups]
        if not each:
            raise ValueError("an.Groups: there is no group")
        self.type = type
        self.numbers = np.concatenate(each)
        self.starts = np.cumsum([0, *map(len, each)], dtype=np.int64)
        self.numbers.flags.writeable = self.starts.flags.writeable = False

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __getitem__(self, number: int) -> Group:
        if not 0 <= number < len(self):
            raise IndexError(f"there are {len(self)} groups, and none has the number {number}")
        group = Group.__new__(Group)
        group.type = self.type
        group.numbers = self.numbers[self.starts[number] : self.starts[number + 1]]
        group.size = len(group.numbers)
        return group


def _ascending(numbers: Iterable[int]) -> np.ndarray:
    given = np.unique(np.fromiter(numbers, np.int64))
    if len(given) and (given[0] < 0 or given[-1] >= 2**32 - 1):
        wrong = given[0] if given[0] < 0 else given[-1]
        raise ValueError(f"an.Group: {wrong} is no number of an LP")
    out = given.astype(np.uint32)
    out.flags.writeable = False
    return out
