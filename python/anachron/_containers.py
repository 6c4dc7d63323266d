"""Lists, dictionaries, sets and priority queues in states, as interpreted handlers and reports have them. They grow in the
memory of their LP (include/anachron/model/region), and roll back with it. `_container_types.py` has them for compiled
handlers."""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from ._container_more import ListMethods, SetMethods
from ._fields import Field
from ._kinds import CONTAINERS, ArrayKind, Kind, PlaceKind, WaitKind, kind_of
from ._messages import has_no, members_of
from ._native import native
from ._texts import of_owner

T = TypeVar("T")
NO_SLICES = "slices to assign"
RANK = 16  # bytes before an element of a priority queue: its priority, and its number


class PriorityQueue(Generic[T]):
    """`waiting: an.PriorityQueue[Order]`: the smallest priority comes first, of equal ones that which came first."""


class Element:
    """How values of a kind lie in a container."""

    def __init__(self, kind: Kind, owner: Any, multiple: int = 1):
        self.field = Field("element", kind, 0, None, owner)
        self.bytes = -(-kind.dtype.itemsize // multiple) * multiple

    def pack(self, value: Any) -> bytes:
        memory = bytearray(self.bytes)
        self.field.write(memory, value)
        return bytes(memory)

    def key(self, value: Any) -> bytes:
        """As it is compared: -0.0 is the key that 0.0 is."""
        return self.pack(0.0 if isinstance(value, float) and value == 0 else value)

    def unpack(self, memory: Any) -> Any:
        return self.field.read(memory)

    def read(self, address: int) -> Any:
        return self.unpack(ctypes.string_at(address, self.bytes))

    def write(self, address: int | None, value: Any) -> None:
        packed = self.pack(value)
        if address:
            ctypes.memmove(address, packed, self.bytes)


class ContainerKind(PlaceKind):
    """A field that holds values of these kinds, and grows. `name`: list, deque, set, dict or PriorityQueue."""

    needs_region = True

    def __init__(self, name: str, view: Any, words: int, of: tuple[Any, ...], where: str):
        super().__init__(view, np.dtype(f"V{4 * words}"))
        self.name = name
        self.of = self.parts = tuple(of_owner(kind_of(part, where), name, where) for part in of)
        for kind in self.of:
            if isinstance(kind, (ArrayKind, PlaceKind)) or kind.is_bounded:
                raise TypeError(
                    f"{where}: {name} of {kind.name}: expected a number type, bool, an.Id, an.Id[LP], an.Handle, an.Text[SIZE], "
                    "an.Bytes[SIZE] or a class derived from an.Struct"
                )

    def elements(self, owner: Any) -> list[Element]:
        return [Element(kind, owner, self.cls.MULTIPLE) for kind in self.of]

    def at(self, memory: Any, offset: int, owner: Any) -> Any:
        return self.cls(memory, offset, self.elements(owner))

    def initial(self, given: Any, where: str) -> bytes:
        if given is not None:
            raise TypeError(f"{where} = {given!r}: a {self.name} in a state begins empty: fill it in `start`")
        return bytes(self.dtype.itemsize)


class _View:
    """Of the container at an offset of a state."""

    MULTIPLE = 1  # of bytes that an element has
    WHAT = ALSO = ""  # for messages: what it is, and what can be done with it beside methods

    def __init__(self, memory: Any, offset: int, elements: list[Element]):
        if isinstance(memory, (bytes, bytearray)):
            raise TypeError("a container is used in a handler of its LP")
        self._place, self._offset = ctypes.addressof(memory), offset
        self._elements = elements

    @classmethod
    def _has_no(cls, missing: str) -> str:
        return has_no(cls.WHAT, missing, members_of(cls), cls.ALSO)

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            raise AttributeError(self._has_no(f"'{name}'"))

    def __len__(self) -> int:
        return ctypes.c_uint32.from_address(self._place + self._offset + 8).value

    def _call(self, function: Any, *arguments: Any) -> Any:
        return function(self._place, self._offset, *arguments)

    def _read(self, part: int, address: int) -> Any:
        value = self._elements[part].read(address)
        if isinstance(value, WaitKind.view):
            value._state = self._place
        return value


class ListView(_View, ListMethods):
    """Of a list or a deque."""

    WHAT, ALSO = "a list", "len, x[i], x[a:b], del x[i], v in x, loops"

    def _address(self, function: Any, i: Any) -> int:
        address = self._call(function, int(i), self._elements[0].bytes)
        if not address:
            raise IndexError(f"{i} is not valid: the list has {len(self)}")
        return address

    def __getitem__(self, i: Any) -> Any:
        if isinstance(i, slice):
            return [self[k] for k in range(*i.indices(len(self)))]
        return self._read(0, self._address(native.list_read, i))

    def __setitem__(self, i: Any, value: Any) -> None:
        if isinstance(i, slice):
            raise TypeError(self._has_no(NO_SLICES))
        self._elements[0].write(self._address(native.list_write, i), value)

    def __delitem__(self, i: Any) -> None:
        places = sorted(range(*i.indices(len(self))), reverse=True) if isinstance(i, slice) else [i]
        for place in places:
            self.pop(place)

    def __iter__(self) -> Iterator[Any]:
        i = 0
        while i < len(self):
            yield self[i]
            i += 1

    def __contains__(self, value: Any) -> bool:
        return self._find(value) >= 0

    def _find(self, value: Any, first: int = 0) -> int:
        element = self._elements[0]
        return self._call(native.list_find, element.key(value), element.bytes, first)

    def append(self, value: Any) -> None:
        """Adds it at the end."""
        element = self._elements[0]
        packed = element.pack(value)
        address = self._call(native.list_append, element.bytes)
        if address:
            ctypes.memmove(address, packed, element.bytes)

    def insert(self, i: int, value: Any) -> None:
        """Adds it before element number `i`. O(n - i); at the beginning O(1)."""
        element = self._elements[0]
        packed = element.pack(value)
        address = self._call(native.list_insert, int(i), element.bytes)
        if address:
            ctypes.memmove(address, packed, element.bytes)

    def pop(self, i: int = -1) -> Any:
        """Takes element number `i` away; IndexError if there is none. O(n - i); at the beginning O(1)."""
        element = self._elements[0]
        out = ctypes.create_string_buffer(element.bytes)
        if not self._call(native.list_pop, int(i), element.bytes, out):
            raise IndexError("pop from an empty list" if not len(self) else f"{i} is not valid: the list has {len(self)}")
        return element.unpack(out.raw)

    def clear(self) -> None:
        self._call(native.list_clear, self._elements[0].bytes)

    def __repr__(self) -> str:
        return repr(list(self))


class _Keys(_View):
    MULTIPLE = 8

    def _sizes(self) -> tuple[int, int]:
        return self._elements[0].bytes, self._elements[1].bytes if len(self._elements) > 1 else 0

    def _entries(self) -> Iterator[int]:
        count, entry = len(self), self._call(native.dict_next, 0)
        while entry >= 0:
            if len(self) != count:
                raise RuntimeError("the container has changed while a loop goes over it")
            yield entry
            entry = self._call(native.dict_next, entry + 1)

    def _key(self, entry: int) -> Any:
        return self._read(0, self._call(native.dict_key, *self._sizes(), entry))

    def _last_key(self) -> Any:
        if not len(self):
            raise KeyError("pop from an empty container")
        return self._key(self._call(native.dict_next, -1))

    def __iter__(self) -> Iterator[Any]:
        return map(self._key, self._entries())

    def __contains__(self, key: Any) -> bool:
        return bool(self._call(native.dict_read, *self._sizes(), self._elements[0].key(key)))

    def clear(self) -> None:
        self._call(native.dict_clear, *self._sizes())


class SetView(_Keys, SetMethods):
    """A set, in the order in which its elements came."""

    WHAT, ALSO = "a set", "len, v in x, loops"

    def add(self, value: Any) -> None:
        self._call(native.dict_write, *self._sizes(), self._elements[0].key(value))

    def discard(self, value: Any) -> None:
        """Takes it away, if it is there."""
        self._call(native.dict_pop, *self._sizes(), self._elements[0].key(value), None)

    def remove(self, value: Any) -> None:
        """Takes it away; KeyError if it is not there."""
        if value not in self:
            raise KeyError(value)
        self.discard(value)

    def pop(self) -> Any:
        """Takes away the element that came last; KeyError if there is none."""
        value = self._last_key()
        self.discard(value)
        return value

    def __repr__(self) -> str:
        return repr(set(self)) if len(self) else "set()"


class DictView(_Keys):
    """A dictionary, in the order in which its keys came."""

    WHAT, ALSO = "a dictionary", "len, x[k], del x[k], k in x, loops"

    def __getitem__(self, key: Any) -> Any:
        address = self._call(native.dict_read, *self._sizes(), self._elements[0].key(key))
        if not address:
            raise KeyError(key)
        return self._read(1, address)

    def __setitem__(self, key: Any, value: Any) -> None:
        packed = self._elements[1].pack(value)
        address = self._call(native.dict_write, *self._sizes(), self._elements[0].key(key))
        if address:
            ctypes.memmove(address, packed, len(packed))

    def __delitem__(self, key: Any) -> None:
        if not self._call(native.dict_pop, *self._sizes(), self._elements[0].key(key), None):
            raise KeyError(key)

    def get(self, key: Any, default: Any) -> Any:
        """The value, or `default` where there is no such key."""
        return self[key] if key in self else default

    def pop(self, key: Any, *default: Any) -> Any:
        """Takes a key away, and returns its value; without it the default if it is given, else KeyError."""
        if key not in self and default:
            return default[0]
        value = self[key]
        del self[key]
        return value

    def popitem(self) -> tuple[Any, Any]:
        """Takes away the key that came last, and returns it with its value; KeyError if there is none."""
        key = self._last_key()
        return key, self.pop(key)

    def update(self, values: Any) -> None:
        """Takes over what another dictionary has, or pairs of keys and values."""
        for key, value in list(values.items() if hasattr(values, "items") else values):
            self[key] = value

    def setdefault(self, key: Any, default: Any) -> Any:
        """The value; where there is no such key, it is added with this one."""
        if key not in self:
            self[key] = default
        return self[key]

    def keys(self) -> Iterator[Any]:
        return iter(self)

    def values(self) -> Iterator[Any]:
        return (self._read(1, self._call(native.dict_value, *self._sizes(), e)) for e in self._entries())

    def items(self) -> Iterator[tuple[Any, Any]]:
        return zip(self.keys(), self.values())

    def __repr__(self) -> str:
        return repr(dict(self.items()))


class QueueView(_View):
    """A priority queue."""

    MULTIPLE = 8
    WHAT, ALSO = "a priority queue", "len"

    def __iter__(self) -> Iterator[Any]:
        raise TypeError(self._has_no("loops"))

    def push(self, priority: float, value: Any) -> None:
        """Adds a value. O(log n)."""
        element = self._elements[0]
        packed = element.pack(value)
        address = self._call(native.queue_push, float(priority), element.bytes)
        if address:
            ctypes.memmove(address, packed, element.bytes)

    def pop(self) -> Any:
        """Takes the first value away; IndexError if there is none. O(log n)."""
        out = ctypes.create_string_buffer(self._elements[0].bytes)
        if not self._call(native.queue_pop, self._elements[0].bytes, out):
            raise IndexError("pop from an empty priority queue")
        return self._elements[0].unpack(out.raw)

    def _top(self) -> int:
        address = self._call(native.queue_top)
        if not address:
            raise IndexError("the priority queue is empty")
        return address

    def top(self) -> Any:
        """The first value; IndexError if there is none."""
        return self._read(0, self._top())

    def priority(self) -> float:
        """That of the first value; IndexError if there is none."""
        return ctypes.c_double.from_address(self._top() - RANK).value

    def clear(self) -> None:
        self._call(native.queue_clear, self._elements[0].bytes)


def _number_of_arguments(name: str, given: tuple[Any, ...], wanted: int, where: str) -> tuple[Any, ...]:
    if len(given) != wanted:
        raise TypeError(f"{where}: {name} has {wanted} types, not {len(given)}")
    return given


def _declare(origin: Any, name: str, view: Any, words: int, types: int) -> None:
    CONTAINERS[origin] = lambda given, where: ContainerKind(
        name, view, words, _number_of_arguments(name, given, types, where), where
    )


_declare(list, "list", ListView, 4, 1)
_declare(deque, "deque", ListView, 4, 1)
_declare(set, "set", SetView, 6, 1)
_declare(dict, "dict", DictView, 6, 2)
_declare(PriorityQueue, "PriorityQueue", QueueView, 6, 1)
