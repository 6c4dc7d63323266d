"""What the processes of a script that mpirun has started tell each other between runs."""

from __future__ import annotations

import ctypes
import pickle
from collections.abc import Callable
from functools import reduce
from itertools import accumulate
from typing import NamedTuple, TypeVar

from ._native import native
from ._run import end_ranks_with_the_script

T = TypeVar("T")


class Scanned(NamedTuple):
    before: object  #: of the ranks before this one
    total: object  #: of all


class Ranks:
    """The copies of this script that mpirun or the like has started; a script that was started alone is one rank.

    All but `rank` and `count` is collective: all ranks call the same methods in the same order, between two runs.
    Values are combined in the order of ranks, so that sums of floating-point numbers are the same on all. They travel
    as pickles."""

    @property
    def rank(self) -> int:
        """The number of this one, from 0."""
        own = ctypes.c_uint32()
        native.ranks(ctypes.byref(own))
        return own.value

    @property
    def count(self) -> int:
        """How many there are; 1 for a script that was started alone."""
        return native.ranks(ctypes.byref(ctypes.c_uint32()))

    def barrier(self) -> None:
        """Returns when all ranks have called it."""
        self.gather(None)

    def gather(self, own: T) -> list[T]:
        """What each has given, by rank."""
        if self.count == 1:
            return [own]
        end_ranks_with_the_script()
        given, size = pickle.dumps(own), ctypes.c_uint64()
        address = native.gather(given, len(given), ctypes.byref(size))
        try:
            packed = ctypes.string_at(address, size.value)
        finally:
            native.free(address)
        all_, at = [], 0
        while at < len(packed):
            end = at + 8 + int.from_bytes(packed[at : at + 8], "little")
            all_.append(pickle.loads(packed[at + 8 : end]))
            at = end
        return all_

    def broadcast(self, value: T) -> T:
        """What rank 0 has given."""
        return self.gather(value if self.rank == 0 else None)[0]  # type: ignore[return-value]

    def reduce(self, own: T, op: Callable[[T, T], T]) -> T:
        """`op(op(rank 0, rank 1), rank 2)` and so on."""
        return reduce(op, self.gather(own))

    def scan(self, own: T, zero: T, op: Callable[[T, T], T]) -> Scanned:
        """The same, begun with `zero`: of the ranks before this one, and of all."""
        sums = list(accumulate(self.gather(own), op, initial=zero))
        return Scanned(sums[self.rank], sums[-1])


def ranks() -> Ranks:
    """The ranks that this script was started as."""
    return Ranks()
