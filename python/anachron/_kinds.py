"""What a field may be: numbers, arrays, LPs, handles, streams."""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import numpy as np

from ._ints import as_handlers_have_it, fitting

ALIGNMENT = 8


class Kind:
    """What a field is: a number of some size."""

    is_text = False  #: a text, or bytes
    is_bounded = False  #: a list, set or dictionary in an event
    parts: tuple[Kind, ...] = ()  #: what its elements are

    def __init__(self, name: str, dtype: str, code: str):
        self.name, self.dtype, self.code = name, np.dtype(dtype), code

    def __repr__(self) -> str:
        return f"an.{self.name}"


def bits_of(kind: Kind | None, value: Any) -> int:
    """A number as 64 bits."""
    if kind is None:
        return 0
    return struct.unpack("<Q", struct.pack("<d", float(value)) if kind.code == "d" else struct.pack("<q", int(value)))[0]


def number_of(kind: Kind | None, bits: int) -> Any:
    if kind is None:
        return None
    (value,) = struct.unpack("<d" if kind.code == "d" else "<q", struct.pack("<Q", bits))
    return bool(value) if kind.code == "?" else value


_I1, _I2, _I4, _I8 = (Kind(f"i{n}", f"i{n}", code) for n, code in ((1, "b"), (2, "h"), (4, "i"), (8, "q")))
_U1, _U2, _U4 = (Kind(f"u{n}", f"u{n}", code) for n, code in ((1, "B"), (2, "H"), (4, "I")))
I8, F8 = _I8, Kind("f8", "f8", "d")
B1 = Kind("b1", "?", "?")
_BY_TYPE: dict[Any, Kind] = {int: _I8, float: F8, bool: B1}
TEXTS: dict[Any, Kind] = {}  #: the kinds of `str` and `bytes`: `_texts.py` fills it
if TYPE_CHECKING:  # what a handler reads
    i1 = int
    i2 = int
    i4 = int
    i8 = int
    u1 = int
    u2 = int
    u4 = int
    f8 = float
    b1 = bool
else:
    i1, i2, i4, i8, u1, u2, u4, f8, b1 = _I1, _I2, _I4, _I8, _U1, _U2, _U4, F8, B1

Lp = TypeVar("Lp")


class Id(Generic[Lp]):
    """An LP, in fields, events and sends: `cx.id(3)`, `cx.id(Office, 0)`. As an annotation `an.Id` is one of the type
    that the field belongs to (in an event: of the receiver's), `an.Id[Office]` or `an.Id["Office"]` one of another.

    Attributes: `index`, its number within the type, from 0.
    """

    __slots__ = ("type", "index")

    def __init__(self, type: Any, index: int):
        self.type, self.index = type, int(index)

    if not TYPE_CHECKING:

        def __class_getitem__(cls, of: Any) -> IdKind:
            return IdKind(of)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Id) and other.index == self.index

    def __hash__(self) -> int:
        return hash(self.index)

    def __repr__(self) -> str:
        return f"{getattr(self.type, '__name__', self.type)} {self.index}"


class IdKind(Kind):
    def __init__(self, of: Any = None):
        super().__init__("Id", "u4", "I")
        self.declared = of  # a class, its name, or None: that of the owner
        self.of = of  # the class, from when a model is made


NO_LP = 2**32 - 1  #: as a field of an id has what is no LP's number


def number_of_id(index: int) -> int:
    """What a field has of an id: 32 bits."""
    return index if 0 <= index < NO_LP else NO_LP


def index_of_number(number: int) -> int:
    return number if number != NO_LP else -1


class HandleMeta(type):
    """What the compiler knows the class by."""


class Handle(metaclass=HandleMeta):
    """Names an event that was sent, for `cx.cancel`. A field of a state: `timer: an.Handle`."""

    __slots__ = ("bytes",)
    SIZE = 32

    def __init__(self, data: bytes = bytes(SIZE)):
        self.bytes = data

    def __bool__(self) -> bool:
        return self.bytes[16:24] != bytes(8)


class HandleKind(Kind):
    def __init__(self) -> None:
        super().__init__("Handle", "V32", "32s")


if TYPE_CHECKING:
    _Array = np.ndarray[Any, Any]
else:
    _Array = object


class Array(_Array):
    """`an.Array[float, 24]`, `an.Array[an.i4, (3, 4)]`: numbers of fixed shape in a state, an event or a row. Checkers of
    types want `values: an.Array = an.array(float, 24)`, which is the same."""

    def __class_getitem__(cls, of: tuple[Any, Any]) -> ArrayKind:  # type: ignore[override]
        if not isinstance(of, tuple) or len(of) != 2:
            raise TypeError("an.Array[TYPE, SHAPE], such as an.Array[float, 24]")
        kind, shape = of
        shape = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
        if not shape or any(n < 1 for n in shape):
            raise TypeError(f"an.Array: the shape {shape} is not valid: expected numbers of at least 1")
        return ArrayKind(kind_of(kind, "an.Array"), tuple(int(n) for n in shape))


def array(of: Any, shape: int | tuple[int, ...]) -> Any:
    """The type and shape of a field: `values: an.Array = an.array(float, 24)`. It begins with zeros."""
    return Array.__class_getitem__((of, shape))


class ArrayKind(Kind):
    def __init__(self, of: Kind, shape: tuple[int, ...]):
        super().__init__("Array", "V1", "")
        if of.is_text or of.is_bounded or isinstance(of, (ArrayKind, PlaceKind, StructKind, WaitKind)):
            grows = isinstance(of, (StructKind, WaitKind))
            hint = f"; in a state, list[{spelled(of)}] has any number of them" if grows else ""
            raise TypeError(f"an.Array of {of.name}: expected a number type, bool, an.Id, an.Id[LP] or an.Handle{hint}")
        self.of, self.shape, self.parts = of, shape, (of,)
        self.dtype = np.dtype((of.dtype, shape))


class FieldArray(np.ndarray):
    """An array of a state while a model is interpreted: its elements are Python's numbers, ids or handles, as in
    compiled handlers."""

    _read: Any = None  # makes an id or a handle of an element
    _write: Any = None  # makes elements of ids or handles

    def __array_finalize__(self, of: Any) -> None:
        self._read, self._write = getattr(of, "_read", None), getattr(of, "_write", None)

    def __getitem__(self, at: Any) -> Any:
        got = super().__getitem__(at)
        if not isinstance(got, np.generic):
            return got
        return self._read(got) if self._read else as_handlers_have_it(got.item())

    def __setitem__(self, at: Any, value: Any) -> None:
        super().__setitem__(at, self._write(value) if self._write else value)

    def __iter__(self):
        return (self[i] for i in range(len(self)))


def field_array(array: np.ndarray, of: Kind | None = None, owner: Any = None) -> FieldArray:
    """`of`: what its elements are; `owner`: the class that has the field."""
    made = array.view(FieldArray)
    if isinstance(of, HandleKind):
        made._read = lambda element: Handle(element.tobytes())
    elif isinstance(of, IdKind):
        lp = of.of or owner
        made._read = lambda element: Id(lp, index_of_number(int(element)))
    made._write = lambda values: elements_of(of, values)
    return made


def elements_of(kind: Kind | None, values: Any) -> Any:
    """What numpy stores for values of a kind: ids as numbers, handles as their bytes."""
    if isinstance(kind, (HandleKind, IdKind)):
        if isinstance(values, np.ndarray):
            return values.view(np.ndarray)
        if isinstance(values, (list, tuple)):
            return np.array([elements_of(kind, value) for value in values], kind.dtype)
        if isinstance(values, Handle if isinstance(kind, HandleKind) else Id):
            return np.void(values.bytes) if isinstance(values, Handle) else number_of_id(values.index)
        raise TypeError(f"{values!r} is no an.{kind.name}")
    if kind is not None and kind.dtype.kind in "iu" and isinstance(values, int):
        bits = 8 * kind.dtype.itemsize
        return fitting(int(values), -(1 << bits - 1) if kind.dtype.kind == "i" else 0, bits, f"an an.{kind.name}")
    return values


class StreamMeta(type):
    """What the compiler knows the class by."""


class Stream(metaclass=StreamMeta):
    """Random numbers of an LP for one purpose, a field of its state: `arrivals: an.Stream = an.Stream(1)`, drawn from
    with `cx.rng(self.arrivals)`. Whatever the LP draws otherwise, they are the same; they are those of `an::Stream` in
    C++. The field holds how far the stream has got, so it rolls back with the state."""

    __slots__ = ("_memory", "_offset")
    _WORDS = struct.Struct("=IxxxxQ")  # an::Stream

    def __init__(self, purpose: int = 0):
        if not 0 <= purpose < 2**31:
            raise ValueError(f"an.Stream({purpose}): the purpose is not from 0 to 2^31-1")
        self._memory: Any = bytearray(self._WORDS.pack(purpose, 0))
        self._offset = 0

    @classmethod
    def _at(cls, memory: Any, offset: int) -> Stream:
        stream = cls.__new__(cls)
        stream._memory, stream._offset = memory, offset
        return stream

    @property
    def purpose(self) -> int:
        """The number that the stream was made with."""
        return self._WORDS.unpack_from(self._memory, self._offset)[0]

    @property
    def draws(self) -> int:
        """Numbers of 64 bits that were drawn so far."""
        return self._WORDS.unpack_from(self._memory, self._offset)[1]

    def _bytes(self) -> bytes:
        return bytes(self._memory[self._offset : self._offset + self._WORDS.size])

    def __repr__(self) -> str:
        return f"an.Stream({self.purpose})"


class PlaceKind(Kind):
    """A field that is changed in place only, by what it can do: a stream, a statistic."""

    needs_region = False  #: memory of the LP that grows
    waits = False  #: processes wait for it

    def __init__(self, cls: Any, dtype: np.dtype):
        super().__init__(cls.__name__, "V1", "")
        self.cls, self.dtype = cls, dtype

    def at(self, memory: Any, offset: int, owner: Any) -> Any:
        """A view of the one that is there, in a field of the class `owner`."""
        return self.cls._at(memory, offset)

    def initial(self, given: Any, where: str) -> bytes:
        """What the field begins with; `given`: its default, or None."""
        if given is None:
            given = self.cls()
        if not isinstance(given, self.cls):
            raise TypeError(f"{where} = {given!r}: expected an an.{self.name}")
        return given._bytes()


_STREAM_LAYOUT: Any = {"names": ["purpose", "draws"], "formats": ["u4", "u8"], "offsets": [0, 8]}
_STREAM = PlaceKind(Stream, np.dtype(_STREAM_LAYOUT))


class StructKind(Kind):
    """A value of several fields, of a class derived from an.Struct."""

    def __init__(self, cls: Any):
        super().__init__(cls.__name__, f"V{cls._size}", "")
        self.cls, self.parts = cls, tuple(field.kind for field in cls._fields.values())


class WaitKind(Kind):
    """The name of what a process can wait for. `of`: the kind of its value; None: it has none. `is_item`: the value is an
    item of a store."""

    view: Any = None  #: makes one of a state's address, a name and this kind: `_waits.py` has it

    def __init__(self, of: Kind | None = None, is_item: bool = False):
        super().__init__("Wait", "u8", "Q")
        self.of, self.is_item = of, is_item


_SPELLED = {"i8": "int", "f8": "float", "b1": "bool"}
_IN_EVENTS = {"list": "List", "deque": "List", "set": "Set", "dict": "Dict"}


def spelled(kind: Kind) -> str:
    """The kind as an annotation."""
    return _SPELLED.get(kind.name) or (kind.name if isinstance(kind, StructKind) else f"an.{kind.name}")


def of_states_only(kind: PlaceKind, what: str) -> str:
    """What is said of such a field in an event, a struct and so on."""
    if kind.name not in _IN_EVENTS:
        return f"an an.{kind.name} belongs into the state of an LP type"
    parts = ", ".join(spelled(part) for part in kind.parts)
    instead = f"; in an event use an.{_IN_EVENTS[kind.name]}[{parts}, 8], which has at most 8 elements" if what == "event" else ""
    return f"a {kind.name} belongs into the state of an LP type{instead}"


def kind_of_value(annotation: Any, what: str) -> Kind:
    """Of what an event, or a process that ends, has as its value. TypeError for all but numbers: it has 64 bits."""
    try:
        kind: Kind | None = kind_of(annotation, what)
    except TypeError:
        kind = None
    if kind is None or type(kind) is not Kind:
        is_class = isinstance(annotation, type) and not hasattr(annotation, "__origin__")
        shown = annotation.__name__ if is_class else annotation
        raise TypeError(f"{what} is int, float or bool, and not {shown}: put other things into a field of the state, or into a store")
    return kind


#: What makes a kind of an annotation such as `list[int]`, by its origin: `_containers.py` fills it.
CONTAINERS: dict[Any, Any] = {}


def kind_of(annotation: Any, where: str) -> Kind:
    if hasattr(annotation, "__metadata__"):  # Annotated[numpy.ndarray, an.Array[float, 24]]: for checkers of types
        annotation = annotation.__metadata__[0]
    if isinstance(annotation, Kind):
        return annotation
    if annotation is Id:
        return IdKind()
    if annotation is Handle:
        return HandleKind()
    if annotation is Stream:
        return _STREAM
    if isinstance(annotation, type) and getattr(annotation, "_what", "") == "struct":
        return StructKind(annotation)
    origin = getattr(annotation, "__origin__", None)
    if origin in CONTAINERS:
        return CONTAINERS[origin](annotation.__args__, where)
    place = getattr(annotation, "_kind", None)  # a statistic, a resource
    if isinstance(place, (PlaceKind, WaitKind)):
        return place
    if annotation in _BY_TYPE:
        return _BY_TYPE[annotation]
    if annotation in TEXTS:
        return TEXTS[annotation]
    raise TypeError(
        f"{where}: {annotation!r} cannot be a field: expected int, float, bool, an.i1 to an.i8, an.u1 to an.u4, "
        "an.Id, an.Id[LP], an.Handle, an.Array[TYPE, SHAPE], str, bytes, an.Text[SIZE], an.Bytes[SIZE], an.Stream, "
        "a statistic such as an.Tally, list[TYPE], collections.deque[TYPE], set[TYPE], dict[TYPE, TYPE], an.PriorityQueue[TYPE] or a class derived from an.Struct"
    )
