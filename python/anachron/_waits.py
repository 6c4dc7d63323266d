"""What processes wait for, as fields and in interpreted handlers: events, resources, containers, stores. The engine has
them (include/anachron/model/process); `_wait_types.py` has them for compiled handlers."""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from . import _messages as messages
from ._containers import Element
from ._filters import packed_filter
from ._kinds import Kind, PlaceKind, WaitKind, bits_of, kind_of, kind_of_value, number_of
from ._messages import has_no, members_of
from ._native import native

T = TypeVar("T")
UNLIMITED = 2**32 - 1
PENDING, TRIGGERED, PROCESSED, GONE = range(4)


class Interrupt(Exception):
    """A process was interrupted while it waited: `except an.Interrupt as interrupt`.

    Attributes: `cause`, the number that `interrupt` was given. Where a resource was taken away, `preempted` is True, `by` is
    the process that has got it, and `usage_since` is the time from which on this one had it."""

    cause: float
    preempted: bool
    by: Any
    usage_since: float


class Failed(Exception):
    """What a process waited for has failed (`event.fail(cause)`). Attributes: `cause`."""

    cause: float


class WaitMeta(type):
    """What the compiler knows the class by."""


class Wait(Generic[T], metaclass=WaitMeta):
    """What a process can wait for, with `yield`: a timeout, a request, the end of a process, and so on. As a field of a
    state, `closing: an.Wait`; with a value, `news: an.Wait[float]`. False when it names nothing.

    `a | b` is any of both, `a & b` both. What `yield` of them returns tells by `in` what has happened."""

    __slots__ = ("_state", "_handle", "_of")
    _kind = WaitKind()

    def __init__(self, state: int = 0, handle: int = 0, of: WaitKind = _kind):
        self._state, self._handle, self._of = state, handle, of

    def __class_getitem__(cls, of: Any) -> Any:
        return WaitKind(kind_of_value(of, "an.Wait[..]: the value of an event"))

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            raise AttributeError(has_no("an an.Wait", f"'{name}'", members_of(Wait)))

    def __bool__(self) -> bool:
        return self._handle != 0

    def _named(self) -> int:
        """The handle of one that names something."""
        if not self._handle:
            raise RuntimeError(messages.NO_EVENT)
        return self._handle

    def __or__(self, other: Wait) -> Wait:
        return Wait(self._state, native.wait_any(self._state, self._named(), other._named()))

    def __and__(self, other: Wait) -> Wait:
        return Wait(self._state, native.wait_all(self._state, self._named(), other._named()))

    def __getitem__(self, part: Wait) -> Any:
        """The value of one of those that were waited for."""
        return part.value

    def __contains__(self, part: Wait) -> bool:
        return native.wait_contains(self._state, self._handle, part._handle)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Wait) and other._handle == self._handle

    def __hash__(self) -> int:
        return hash(self._handle)

    def __enter__(self) -> Wait:
        return self

    def __exit__(self, *_error: Any) -> None:
        self.cancel()

    def cancel(self) -> None:
        """Leaves the line of a request, a put or a get; gives a resource back that was got."""
        native.wait_leave(self._state, self._handle)

    @property
    def triggered(self) -> bool:
        """Whether it has happened, though those that wait for it may not know yet."""
        return native.wait_status(self._state, self._handle) != PENDING

    @property
    def processed(self) -> bool:
        """Whether it has happened, and those that waited for it have gone on."""
        return native.wait_status(self._state, self._handle) >= PROCESSED

    @property
    def value(self) -> Any:
        """What it was triggered with. Until the process that waited for it waits again."""
        status = native.wait_status(self._state, self._named())
        if status in (PENDING, GONE):
            raise RuntimeError(messages.VALUE_IS_GONE if status == GONE else messages.NOT_TRIGGERED)
        if self._of.is_item and self._of.of:
            address = native.wait_item(self._state, self._handle)
            return Element(self._of.of, None, 8).read(address) if address else None
        return number_of(self._of.of, native.wait_value(self._state, self._handle))

    def succeed(self, value: Any = None) -> None:
        """An event happens: those go on that wait for it."""
        if not native.wait_succeed(self._state, self._named(), bits_of(self._of.of, value)):
            raise RuntimeError(messages.TRIGGERED_TWICE)

    def fail(self, cause: float = 0.0) -> None:
        """An event has failed: those that wait for it get an.Failed."""
        if not native.wait_fail(self._state, self._named(), float(cause)):
            raise RuntimeError(messages.TRIGGERED_TWICE)

    @property
    def is_alive(self) -> bool:
        """Whether the process has not ended."""
        return native.process_is_alive(self._state, self._handle)

    def interrupt(self, cause: float = 0.0) -> None:
        """The process gets an.Interrupt where it waits."""
        if not native.process_interrupt(self._state, self._named(), float(cause)):
            raise RuntimeError(messages.INTERRUPTS_ITSELF if self.is_alive else messages.HAS_ENDED)

    def activate(self) -> None:
        """A process goes on that waits for `cx.passivate()`."""
        if not native.process_activate(self._state, self._named()):
            raise RuntimeError(messages.NOT_PASSIVE)


class _Place:
    """A view of what is at its place in a state. `_layout`: as that of `WaitPlaceKind`."""

    _kind: Any
    _layout: dict[str, tuple[str, int]]

    def __init__(self, memory: Any, offset: int):
        self._memory, self._offset = memory, offset

    @classmethod
    def _at(cls, memory: Any, offset: int) -> Any:
        made = cls.__new__(cls)
        made._memory, made._offset = memory, offset
        return made

    if not TYPE_CHECKING:

        def __getattr__(self, name):
            raise AttributeError(place_has_no(type(self), f"'{name}'"))

    @property
    def _state(self) -> int:
        if isinstance(self._memory, (bytes, bytearray)):
            raise TypeError(f"an an.{type(self).__name__} is used as a field of an LP's state: `counter: an.Resource`")
        return ctypes.addressof(self._memory)

    def _bytes(self) -> bytes:
        return bytes(self._memory[self._offset : self._offset + self._kind.dtype.itemsize])

    def _read(self, name: str) -> Any:
        code, at = self._layout[name]
        return struct.unpack_from("=" + code, self._memory, self._offset + at)[0]

    def _write(self, name: str, value: Any) -> None:
        code, at = self._layout[name]
        struct.pack_into("=" + code, self._memory, self._offset + at, value)


def known_of_place(cls: Any) -> list[str]:
    """What handlers may use of a resource, a container or a store: numbers, then methods."""
    numbers = [] if issubclass(cls, Store) else [name for name in cls._layout if name != "discipline"]
    return [*numbers, *(name for name in ("request", "release", "put", "get") if hasattr(cls, name))]


def place_has_no(cls: Any, missing: str) -> str:
    return has_no(f"an an.{cls.__name__}", missing, known_of_place(cls), "len" if issubclass(cls, Store) else "")


class WaitPlaceKind(PlaceKind):
    """Of a resource, a container, a store. `layout`: of its numbers their format and place, as
    include/anachron/model/process/process.hpp has them."""

    needs_region = waits = True

    def __init__(self, cls: Any, size: int, layout: dict[str, tuple[str, int]], item: Kind | None = None):
        super().__init__(cls, np.dtype(f"V{size}"))
        self.layout, self.item = layout, item

    def at(self, memory: Any, offset: int, owner: Any) -> Any:
        made = self.cls._at(memory, offset)
        if self.item is not None:
            made._element = Element(self.item, owner, 8)
        return made


def _capacity_of(given: Any, what: str) -> int:
    if given is None:
        return UNLIMITED
    if isinstance(given, float) and given == float("inf"):
        return UNLIMITED
    if isinstance(given, bool) or int(given) != given or not 0 < given < UNLIMITED:
        raise ValueError(f"an.{what}: a capacity of {given} is not valid: expected a whole number above 0")
    return int(given)


class Resource(_Place):
    """So many places that processes use one each, first come, first served: `counter: an.Resource = an.Resource(2)`.
    `with self.counter.request() as request: yield request`."""

    _discipline = 0

    def __init__(self, capacity: int = 1):
        super().__init__(bytearray(self._kind.dtype.itemsize), 0)
        self._write("capacity", _capacity_of(capacity, type(self).__name__))
        self._write("discipline", self._discipline)

    @property
    def capacity(self) -> int:
        """May be set: those in line get what there is more; who has it keeps it."""
        return self._read("capacity")

    @capacity.setter
    def capacity(self, value: int) -> None:
        native.resource_capacity(self._state, self._offset, int(value))

    @property
    def count(self) -> int:
        """How many use it."""
        return self._read("count")

    @property
    def waiting(self) -> int:
        """How many wait for it."""
        return self._read("waiting")

    def request(self, priority: float = 0.0, preempt: bool = True) -> Wait:
        """To be waited for until the resource is got. Smaller priorities come first, where they count."""
        return Wait(self._state, native.resource_request(self._state, self._offset, float(priority), preempt))

    def release(self, request: Wait) -> Wait:
        """Gives the resource back. The end of `with` does so, too."""
        return Wait(self._state, native.resource_release(self._state, request._handle))


class PriorityResource(Resource):
    """A resource that the smallest priority gets first: `request(priority=1)`. Of those who ask at the same time it is
    the smallest as well, in whatever order their events were executed."""

    _discipline = 1


class PreemptiveResource(Resource):
    """A resource that a request takes away from a user of a larger priority. That process is interrupted. A request with
    `preempt=False` waits."""

    _discipline = 2


class Container(_Place):
    """An amount of something, from 0 to `capacity`: `tank: an.Container = an.Container(200.0, level=50.0)`. `init` is
    SimPy's name of the level that it begins with."""

    def __init__(self, capacity: float = float("inf"), level: float = 0.0, init: float | None = None):
        if init is not None and level:
            raise TypeError(f"an.Container(level={level}, init={init}): both are the level that it begins with: give one")
        level = level if init is None else init
        if not 0 < capacity or not 0 <= level <= capacity:
            raise ValueError(f"an.Container({capacity}, {level}): expected 0 <= level <= capacity and 0 < capacity")
        super().__init__(bytearray(self._kind.dtype.itemsize), 0)
        self._write("capacity", float(capacity))
        self._write("level", float(level))

    @property
    def capacity(self) -> float:
        """May be set in `start`."""
        return self._read("capacity")

    @capacity.setter
    def capacity(self, value: float) -> None:
        self._write("capacity", value)

    @property
    def level(self) -> float:
        """What is in it. May be set in `start`."""
        return self._read("level")

    @level.setter
    def level(self, value: float) -> None:
        self._write("level", value)

    def put(self, amount: float) -> Wait:
        """Adds an amount, above 0, when there is room for it."""
        if not amount > 0:
            raise ValueError(messages.AMOUNT_ABOVE_0)
        return Wait(self._state, native.container_put(self._state, self._offset, float(amount)))

    def get(self, amount: float) -> Wait:
        """Takes an amount, above 0, when it is there."""
        if not amount > 0:
            raise ValueError(messages.AMOUNT_ABOVE_0)
        return Wait(self._state, native.container_get(self._state, self._offset, float(amount)))


class Store(_Place, Generic[T]):
    """Items in a line: `orders: an.Store[Order] = an.Store(10)` has room for 10 of them."""

    _is_ordered = 0
    _element: Element

    def __class_getitem__(cls, of: Any) -> Any:
        return _store_kind(cls, of)

    def __init__(self, capacity: float | None = None):
        super().__init__(bytearray(_STORE_BYTES), 0)
        struct.pack_into("=II", self._memory, 0, _capacity_of(capacity, type(self).__name__), self._is_ordered)

    def __len__(self) -> int:
        """How many items are in it."""
        return self._read("ordered" if self._is_ordered else "items")

    def put(self, item: Any, priority: float = 0.0) -> Wait:
        """Adds an item when there is room."""
        packed = self._element.pack(item)
        return Wait(
            self._state, native.store_put(self._state, self._offset, packed, len(packed), float(priority))
        )

    def get(self, filter: Callable[[Any], bool] | None = None) -> Wait:
        """The first item, when there is one: `item = yield self.orders.get()`. With `filter`, a lambda that is written
        there, the first one that it takes: `self.orders.get(lambda order: order.size > n)`. It may use numbers and LPs
        of local variables, as they are then, and `self`, as that is when an item comes."""
        size, packed = self._element.bytes, b"" if filter is None else packed_filter(filter, self._element)
        handle = native.store_get(self._state, self._offset, size, int(filter is not None), packed, len(packed))
        return Wait(self._state, handle, WaitKind(self._element.field.kind, is_item=True))


class PriorityStore(Store):  # type: ignore[type-arg]
    """A store of which the smallest priority comes out first: `put(item, priority)`."""

    _is_ordered = 1


FilterStore = Store  #: SimPy's name: each store takes a filter
_QUEUE = 12  # bytes of one: first, last, count
_RESOURCE_LAYOUT = {"capacity": ("I", 0), "discipline": ("I", 4), "waiting": ("I", 16), "count": ("I", 28)}
_CONTAINER_LAYOUT = {"capacity": ("d", 0), "level": ("d", 8)}
_STORE_LAYOUT = {"capacity": ("I", 0), "items": ("I", 16), "ordered": ("I", 32)}
_STORE_BYTES = 72
for _cls in (Resource, PriorityResource, PreemptiveResource):
    _cls._kind = WaitPlaceKind(_cls, 32, _RESOURCE_LAYOUT)
Container._kind = WaitPlaceKind(Container, 40, _CONTAINER_LAYOUT)
Resource._layout, Container._layout, Store._layout = _RESOURCE_LAYOUT, _CONTAINER_LAYOUT, _STORE_LAYOUT


def _store_kind(cls: Any, of: Any) -> WaitPlaceKind:
    kind = WaitPlaceKind(cls, _STORE_BYTES, _STORE_LAYOUT, kind_of(of, f"an.{cls.__name__}"))

    def initial(given: Any, where: str) -> bytes:
        given = cls() if given is None else given
        if type(given) is not cls:
            raise TypeError(f"{where} = {given!r}: expected an an.{cls.__name__}")
        return bytes(given._memory)

    kind.initial = initial  # type: ignore[method-assign]
    return kind


WaitKind.view = Wait
