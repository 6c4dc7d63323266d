"""LP types, event types, rows and parameters as Python classes: their fields are laid out as the engine keeps them."""

from __future__ import annotations

import enum
import inspect
import math
import struct
import sys
from ctypes import addressof
from typing import Any

import numpy as np

from ._handlers import check_arguments, check_fields, processes_of
from ._ints import as_handlers_have_it, fitting, mode
from ._kinds import (
    ALIGNMENT,
    B1,
    F8,
    ArrayKind,
    Handle,
    HandleKind,
    Id,
    IdKind,
    Kind,
    PlaceKind,
    StructKind,
    WaitKind,
    elements_of,
    field_array,
    index_of_number,
    kind_of,
    number_of_id,
    of_states_only,
)
from ._messages import is_constant
from ._param import Option
from ._texts import BytesKind, GrowingKind, TextKind, of_owner

_EXPECTED = {"d": "a number", "?": "True or False"}


class Field:
    """A member of a record. Of an instance it reads and writes the record's memory."""

    def __init__(self, name: str, kind: Kind, offset: int, default: Any, owner: Any, members: Any = None):
        """`members`: the enumeration whose numbers the field has; None: any numbers."""
        self.name, self.kind, self.offset, self.default, self.owner = name, kind, offset, default, owner
        self.members = members
        self._struct = struct.Struct("=" + kind.code) if kind.code else None

    def __get__(self, record: Any, _type: Any = None) -> Any:
        return self if record is None else self.read(record._memory, record._frozen)

    def read(self, memory: Any, frozen: bool = True) -> Any:
        if self._struct is None:
            kind = self.kind
            if isinstance(kind, PlaceKind):
                return kind.at(memory, self.offset, self.owner)
            if kind.is_bounded:
                return kind.read(memory, self.offset, self.owner)  # type: ignore[attr-defined]
            if isinstance(kind, StructKind):
                return kind.cls._at(bytes(memory[self.offset : self.offset + kind.cls._size]), frozen=True)
            assert isinstance(kind, ArrayKind)
            count = int(np.prod(kind.shape))
            array = np.frombuffer(memory, kind.of.dtype, count, self.offset).reshape(kind.shape)
            if frozen:
                array.flags.writeable = False
            return field_array(array, kind.of, self.owner)
        (value,) = self._struct.unpack_from(memory, self.offset)
        if isinstance(self.kind, (TextKind, BytesKind)):
            return self.kind.loaded(value)
        if isinstance(self.kind, IdKind):
            return Id(self.kind.of or self.owner, index_of_number(value))
        if isinstance(self.kind, WaitKind):
            return self.kind.view(0 if isinstance(memory, (bytes, bytearray)) else addressof(memory), value, self.kind)
        return Handle(value) if isinstance(self.kind, HandleKind) else as_handlers_have_it(value)

    def __set__(self, record: Any, value: Any) -> None:
        is_value = record._what in ("event", "row", "struct")  # as compiled handlers have it: they make a new one
        if record._frozen or is_value and mode.ints is not None:
            raise AttributeError(is_constant(record._what, self.name, record._frozen))
        if isinstance(self.kind, GrowingKind):
            self.kind.assign(record._memory, self.offset, value, f"{self.owner.__name__}.{self.name} = {value!r}")
            return
        if isinstance(self.kind, PlaceKind):
            what = f"'{self.name}', an an.{self.kind.name},"
            raise AttributeError(f"{what} cannot be assigned: it changes by what it can do")
        self.write(record._memory, value)

    def write(self, memory: Any, value: Any) -> None:
        if isinstance(self.kind, PlaceKind):
            stored = self.kind.initial(value, f"{self.owner.__name__}.{self.name}")
            memory[self.offset : self.offset + self.kind.dtype.itemsize] = stored
            return
        if isinstance(self.kind, StructKind):
            if type(value) is not self.kind.cls:
                raise TypeError(f"{self.owner.__name__}.{self.name} = {value!r}: expected {self.kind.cls.__name__}(..)")
            memory[self.offset : self.offset + self.kind.cls._size] = bytes(value._memory)
            return
        if self.kind.is_bounded:
            where = f"{self.owner.__name__}.{self.name} = {value!r}"
            self.kind.write(memory, self.offset, value, self.owner, where)  # type: ignore[attr-defined]
            return
        if self._struct is None:
            assert isinstance(self.kind, ArrayKind)
            shape, of = self.kind.shape, self.kind.of
            array = np.frombuffer(memory, of.dtype, int(np.prod(shape)), self.offset).reshape(shape)
            try:
                array[...] = elements_of(of, value)
            except (TypeError, ValueError) as error:
                raise type(error)(f"{self.owner.__name__}.{self.name} = {value!r}: {error}") from None
            return
        self._struct.pack_into(memory, self.offset, self._stored(value))

    def _stored(self, value: Any) -> Any:
        """The value as it is packed. Raises TypeError, or OverflowError for a number that does not fit."""
        kind, where = self.kind, f"{self.owner.__name__}.{self.name} = {value!r}"
        if isinstance(kind, (TextKind, BytesKind)):
            return kind.stored(value, where)
        if isinstance(kind, IdKind):
            if not isinstance(value, (Id, int, np.integer)) or isinstance(value, bool):
                raise TypeError(f"{where}: expected an LP, such as an.Id(LP, 3)")
            return number_of_id(int(value.index if isinstance(value, Id) else value))
        if isinstance(kind, WaitKind):
            if not isinstance(value, WaitKind.view):
                raise TypeError(f"{where}: expected what a process can wait for, such as cx.timeout(1.0)")
            return value._handle
        if isinstance(kind, HandleKind):
            if not isinstance(value, Handle):
                raise TypeError(f"{where}: expected an an.Handle, which cx.send returns")
            return value.bytes
        if not isinstance(value, (bool, int, float, np.bool_, np.integer, np.floating)):
            raise TypeError(f"{where}: expected {_EXPECTED.get(kind.code, 'a whole number')}")
        if kind is F8:
            return float(value)
        if kind is B1:
            return bool(value)
        if isinstance(value, (float, np.floating)):
            if self.owner._what != "LP":
                raise TypeError(f"{where}: expected a whole number")
            if not math.isfinite(value):
                raise OverflowError(f"{where}: no whole number")
        bits = 8 * kind.dtype.itemsize
        return fitting(int(value), -(1 << bits - 1) if kind.dtype.kind == "i" else 0, bits, where)


def holds_handles(kind: Kind) -> bool:
    return isinstance(kind, HandleKind) or any(isinstance(part, HandleKind) for part in kind.parts if not needs_region(kind))


def needs_region(kind: Kind) -> bool:
    return isinstance(kind, PlaceKind) and kind.needs_region


def waits(kind: Kind) -> bool:  # processes have to do with it
    return isinstance(kind, WaitKind) or needs_region(kind) and kind.waits  # type: ignore[attr-defined]


class RecordMeta(type):
    """What the compiler knows the classes by."""

    def __setattr__(cls, name: str, value: Any) -> None:
        if name in cls.__dict__.get("_fields", ()) and not isinstance(value, Field):
            raise TypeError(f"{cls.__name__}.{name} = {value!r}: a field of a class that has been made cannot be assigned")
        super().__setattr__(name, value)


class Record(metaclass=RecordMeta):
    """Base of what consists of fields."""

    _what = "record"
    _fields: dict[str, Field] = {}
    _size = 0
    _initial = b""
    _frozen = False
    _has_region = False
    _waits = False

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        fields = dict(cls._fields)
        for name, annotation in _annotations(cls).items():
            where = f"{cls.__qualname__}.{name}"
            if name == "name" and isinstance(cls.__dict__.get("name"), str):
                continue  # what the type is called
            if name.startswith("_"):
                raise TypeError(f"{where}: a field must not begin with _")
            default = cls.__dict__.get(name)
            members = None
            if isinstance(annotation, enum.EnumMeta):
                members, annotation = annotation, int
                if not issubclass(members, enum.IntEnum):
                    raise TypeError(f"{where}: handlers know enumerations of whole numbers, enum.IntEnum, alone")
            if isinstance(default, ArrayKind):  # values: an.Array = an.array(float, 24)
                annotation, default = default, None
            kind = of_owner(kind_of(annotation, where), cls._what, where)
            if isinstance(kind, StructKind) and cls._what not in ("LP", "event"):
                raise TypeError(f"{where}: an an.Struct belongs into the state of an LP type or into an event")
            if isinstance(kind, PlaceKind) and cls._what != "LP":
                raise TypeError(f"{where}: {of_states_only(kind, cls._what)}")
            if isinstance(kind, WaitKind) and cls._what != "LP":
                raise TypeError(f"{where}: an an.Wait belongs into the state of an LP type")
            if kind.is_bounded and cls._what != "event":
                what = kind.what  # type: ignore[attr-defined]
                raise TypeError(f"{where}: an an.{what} belongs into an event; in the state of an LP type it is {what.lower()}[..]")
            if holds_handles(kind) and cls._what not in ("LP", "event"):
                raise TypeError(f"{where}: an an.Handle belongs into the state of an LP type or into an event")
            fields[name] = Field(name, kind, 0, default, cls, members)
        _lay_out(cls, fields)

    def __init__(self, *values: Any, **named: Any):
        self._memory = bytearray(self._initial)
        names = list(self._fields)
        if len(values) > len(names):
            raise TypeError(f"{type(self).__name__} has {len(names)} fields, not {len(values)}")
        for name, value in zip(names, values):
            self._fields[name].write(self._memory, value)
        for name, value in named.items():
            if name not in self._fields:
                raise TypeError(f"{type(self).__name__} has no field '{name}' (it has: {', '.join(names) or 'none'})")
            self._fields[name].write(self._memory, value)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._fields and not name.startswith("_"):
            names = ", ".join(self._fields) or "none"
            raise AttributeError(f"{type(self).__name__} has no field '{name}' (it has: {names})")
        super().__setattr__(name, value)

    @classmethod
    def _at(cls, memory: Any, frozen: bool = False) -> Any:
        """A view of a record that is somewhere."""
        record = cls.__new__(cls)
        record._memory = memory
        record._frozen = frozen
        return record

    @classmethod
    def dtype(cls) -> np.dtype:
        """Of numpy, with the fields where they are in memory."""
        fields = [f for f in cls._fields.values() if not (holds_handles(f.kind) or needs_region(f.kind) or f.kind.is_text)]
        layout: Any = {
            "names": [f.name for f in fields],
            "formats": [f.kind.dtype for f in fields],
            "offsets": [f.offset for f in fields],
            "itemsize": max(cls._size, ALIGNMENT),
        }
        return np.dtype(layout)

    @classmethod
    def type_name(cls) -> str:
        """What digests are made of: the class attribute `name`, or the name of the class."""
        own = cls.__dict__.get("name")
        return own if isinstance(own, str) else cls.__qualname__.replace("<locals>.", "")

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and bytes(other._memory) == bytes(self._memory)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{n}={getattr(self, n)!r}' for n in self._fields)})"


def _annotations(cls: type) -> dict[str, Any]:
    try:
        found = inspect.get_annotations(cls)
    except NameError as error:  # Python 3.14 evaluates them late
        raise TypeError(f"{cls.__qualname__}: {error}; write a type that is defined later as a text") from None
    names = dict(vars(sys.modules.get(cls.__module__, inspect)))
    out = {}
    for name, annotation in found.items():
        if isinstance(annotation, str):
            try:
                annotation = eval(annotation, names, dict(vars(cls)))
            except NameError as error:
                raise TypeError(
                    f"{cls.__qualname__}.{name}: {error}; in a function, leave out `from __future__ import annotations`"
                ) from None
        out[name] = annotation
    return out


def _lay_out(cls: Any, fields: dict[str, Field]) -> None:
    """The largest first, so that there are no gaps. What grows is behind the address that the state begins with."""
    cls._waits = cls._what == "LP" and (any(waits(field.kind) for field in fields.values()) or bool(processes_of(cls)))
    cls._has_region = cls._waits or any(needs_region(field.kind) for field in fields.values())
    offset = ALIGNMENT if cls._has_region else 0

    def alignment(kind: Kind) -> int:
        if holds_handles(kind) or kind.is_bounded or isinstance(kind, (PlaceKind, StructKind)):
            return ALIGNMENT
        if isinstance(kind, (TextKind, BytesKind)):
            return max(kind.head, 1)
        return kind.of.dtype.itemsize if isinstance(kind, ArrayKind) else kind.dtype.itemsize

    for field in sorted(fields.values(), key=lambda f: -alignment(f.kind)):
        placed = Field(field.name, field.kind, offset, field.default, field.owner, field.members)
        fields[field.name] = placed
        setattr(cls, field.name, placed)
        offset += field.kind.dtype.itemsize
    cls._fields = fields
    cls._size = -(-offset // ALIGNMENT) * ALIGNMENT
    initial = bytearray(cls._size)
    for field in fields.values():
        default = field.default.default if isinstance(field.default, Option) else field.default
        if default is not None or isinstance(field.kind, PlaceKind):
            field.write(initial, default)
    cls._initial = bytes(initial)


class Event(Record):
    """Base of event types: `class Ball(an.Event): hops: int = 0`. Fields are what it carries.

    `priority` and `in_order`, given with the class (`class Tick(an.Event, priority=-1)`), say where events of this type
    come among those at the same time: docs/reference/context.md, "Order at equal times".
    """

    _what = "event"
    _priority = 0
    _in_order = False

    def __init_subclass__(cls, priority: int | None = None, in_order: bool | None = None, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if priority is not None:
            cls._priority = priority
        if in_order is not None:
            cls._in_order = in_order


class Row(Record):
    """Base of rows of output: `cx.record(Trip(vehicle=3))` appends one to the table of that name when its event has
    committed. The table has the columns `time` (of the event) and `lp`, then the fields."""

    _what = "row"


class Struct(Record):
    """Base of values of several fields, for containers, states and events: `class Order(an.Struct): amount: int = 0`. What
    is read from a container is a copy, and what is changed is written back. It can be a key of a dictionary, by its values."""

    _what = "struct"

    def __hash__(self) -> int:  # type: ignore[override] # the same in each process: so is the order of a set of them
        return hash(int.from_bytes(bytes(self._memory), "little"))


class Params(Record):
    """Base of a model's parameters: fields with defaults, see `an.param`."""

    _what = "parameters"


class LP(Record):
    """Base of LP types. Annotated fields are the state; each LP begins with their defaults. It may have:

    - `start(self, cx)`: runs once, at time 0
    - handlers: methods `(self, cx, event)` marked `@an.on(EventType)`; or `(self, cx, *, hops)` with fields of the event
    - methods `(self, event)` marked `@an.undo(EventType)`, which take back what the handler has done to the fields
    - other methods, which handlers call
    - static methods of `params`, or of `params, shared`, that are called once per run, not compiled. `count` is the
      number of LPs, `lookahead` the least delay of what they send to others. There is also `may_stop`. `load` and
      `position` return an array with a number for each LP (docs/reference/model-api.md says what for)
    - a static method `finish(states, params)`: gets all states as a numpy array when the run has ended, and returns
      figures by name, and tables as dictionaries of columns
    """

    _what = "LP"
    _handlers = {}  # type: ignore[var-annotated] # of each event type the name of the method
    _undoers = {}  # type: ignore[var-annotated] # likewise

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        handlers, undoers = dict(cls._handlers), dict(cls._undoers)
        check_arguments(cls, "start", cls.__dict__.get("start"), 2, "(self, cx)")
        for name, member in cls.__dict__.items():
            for event in getattr(member, "_anachron_events", ()):
                check_fields(cls, name, member, event)
                handlers[event] = name
        for name, member in cls.__dict__.items():
            for event in getattr(member, "_anachron_undoes", ()):
                if event not in handlers:
                    raise TypeError(f"{cls.__qualname__}.{name} undoes {event.__name__}, for which there is no handler")
                check_arguments(cls, name, member, 2, "(self, event)")
                undoers[event] = name
        cls._handlers, cls._undoers = handlers, undoers
        if cls._size == 0:  # a state takes room
            cls._size, cls._initial = ALIGNMENT, bytes(ALIGNMENT)
