"""Methods of Python's lists, dictionaries and sets that are made of others, as interpreted handlers have them.
`_container_more_methods.py` has them compiled."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


def order_of(keys: Any, is_reverse: bool) -> Any:
    """The numbers of keys in the order of these: a merge sort, which leaves equal ones in their order."""
    n = len(keys)
    order, other = np.arange(n), np.empty(n, np.int64)
    width = 1
    while width < n:
        for start in range(0, n, 2 * width):
            left, right = start, min(start + width, n)
            middle, end = right, min(start + 2 * width, n)
            for k in range(start, end):
                takes_left = right >= end
                if left < middle and right < end:
                    a, b = keys[order[left]], keys[order[right]]
                    takes_left = not (a < b if is_reverse else b < a)
                if takes_left:
                    other[k] = order[left]
                    left += 1
                else:
                    other[k] = order[right]
                    right += 1
        order, other = other, order
        width *= 2
    return order


class ListMethods:
    """Of a list or a deque."""

    # Those that these are made of.
    __len__: Any
    __iter__: Any
    __getitem__: Any
    __setitem__: Any
    _find: Any
    append: Any
    insert: Any
    pop: Any

    def appendleft(self, value: Any) -> None:
        """Adds it at the beginning."""
        self.insert(0, value)

    def extend(self, values: Any) -> None:
        """Adds all of these at the end."""
        for value in list(values):
            self.append(value)

    def extendleft(self, values: Any) -> None:
        """Adds one after another at the beginning."""
        for value in list(values):
            self.appendleft(value)

    def popleft(self) -> Any:
        return self.pop(0)

    def remove(self, value: Any) -> None:
        """Takes the first element away that is equal; ValueError if there is none. O(n)."""
        self.pop(self.index(value))

    def index(self, value: Any) -> int:
        """The number of the first element that is equal; ValueError if there is none. O(n)."""
        found = self._find(value)
        if found < 0:
            raise ValueError("there is no such element in the list")
        return found

    def count(self, value: Any) -> int:
        """How many elements are equal. O(n)."""
        count, found = 0, self._find(value)
        while found >= 0:
            count, found = count + 1, self._find(value, found + 1)
        return count

    def reverse(self) -> None:
        """Turns the order round. O(n)."""
        values = list(self)
        for i in range(len(values)):
            if i != len(values) - 1 - i:
                self[i] = values[-1 - i]

    def rotate(self, n: int = 1) -> None:
        """Takes so many from the end to the beginning; below 0 from the beginning to the end."""
        size = len(self)
        turns = n % size if size else 0
        if turns <= size // 2:
            for _ in range(turns):
                self.insert(0, self.pop())
        else:
            for _ in range(size - turns):
                self.append(self.pop(0))

    def sort(self, *, key: Callable[[Any], Any] | None = None, reverse: bool = False) -> None:
        """Puts the elements in order; equal ones stay in theirs. `key`: a lambda that is written there, or a function at the
        top of a file. O(n log n)."""
        values = list(self)
        for i, k in enumerate(order_of([key(value) for value in values] if key else values, reverse)):
            if i != k:
                self[i] = values[k]


class SetMethods:
    __iter__: Any
    __contains__: Any
    add: Any
    discard: Any

    def update(self, values: Any) -> None:
        """Adds all of these."""
        for value in list(values):
            self.add(value)

    def difference_update(self, values: Any) -> None:
        """Takes all of these away."""
        for value in list(values):
            self.discard(value)

    def intersection_update(self, values: Any) -> None:
        """Takes away what is not among these."""
        for value in [value for value in self if value not in values]:
            self.discard(value)

    def issubset(self, values: Any) -> bool:
        return all(value in values for value in self)

    def issuperset(self, values: Any) -> bool:
        return all(value in self for value in values)

    def isdisjoint(self, values: Any) -> bool:
        return not any(value in self for value in values)
