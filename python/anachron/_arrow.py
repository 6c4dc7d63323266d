"""Columns for readers of Arrow's C stream interface, such as pyarrow and polars. They get the addresses of the arrays,
and copy nothing. Source: https://arrow.apache.org/docs/format/CStreamInterface.html and CDataInterface.html."""

from __future__ import annotations

import ctypes as c
import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np

from ._columns import Coded

_FORMATS = {"i1": "c", "u1": "C", "i2": "s", "u2": "S", "i4": "i", "u4": "I", "i8": "l", "u8": "L"}
_FORMATS |= {"f4": "f", "f8": "g"}
_NULLABLE = 2


class _Schema(c.Structure):
    pass


_Schema._fields_ = [
    ("format", c.c_char_p),
    ("name", c.c_char_p),
    ("metadata", c.c_char_p),
    ("flags", c.c_int64),
    ("n_children", c.c_int64),
    ("children", c.POINTER(c.POINTER(_Schema))),
    ("dictionary", c.POINTER(_Schema)),
    ("release", c.c_void_p),
    ("private_data", c.c_void_p),
]


class _Array(c.Structure):
    pass


_Array._fields_ = [
    ("length", c.c_int64),
    ("null_count", c.c_int64),
    ("offset", c.c_int64),
    ("n_buffers", c.c_int64),
    ("n_children", c.c_int64),
    ("buffers", c.POINTER(c.c_void_p)),
    ("children", c.POINTER(c.POINTER(_Array))),
    ("dictionary", c.POINTER(_Array)),
    ("release", c.c_void_p),
    ("private_data", c.c_void_p),
]


class _Stream(c.Structure):
    _fields_ = [
        ("get_schema", c.c_void_p),
        ("get_next", c.c_void_p),
        ("get_last_error", c.c_void_p),
        ("release", c.c_void_p),
        ("private_data", c.c_void_p),
    ]


_Release = c.CFUNCTYPE(None, c.c_void_p)
_Get = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_void_p)
_LastError = c.CFUNCTYPE(c.c_void_p, c.c_void_p)

# What was handed out lives here, by the number that is its private data, until it is released.
_kept: dict[int, Any] = {}
_numbers = itertools.count(1)


def _keep(what: Any) -> int:
    number = next(_numbers)
    _kept[number] = what
    return number


def _drop(made: Any) -> None:
    _kept.pop(made.private_data, None)
    made.release = None


def _release_of(kind: Any) -> Any:
    """A child may have been moved out of its parent: then it has no `release` there, and is released on its own."""

    def release(address: int) -> None:
        made = kind.from_address(address)
        below = [made.children[i] for i in range(made.n_children)] + ([made.dictionary] if made.dictionary else [])
        for one in below:
            if one.contents.release:
                _Release(one.contents.release)(c.addressof(one.contents))
        _drop(made)

    return _Release(release)


_release_schema, _release_array = _release_of(_Schema), _release_of(_Array)


def _address(function: Any) -> int | None:
    return c.cast(function, c.c_void_p).value


def _children(kind: Any, made: tuple[Any, ...]) -> Any:
    return (c.POINTER(kind) * len(made))(*(c.pointer(one) for one in made)) if made else None


def _schema(name: str, format: str, children: tuple[Any, ...] = (), dictionary: Any = None) -> Any:
    texts = (format.encode(), name.encode())
    below = _children(_Schema, children)
    made = _Schema(texts[0], texts[1], None, 0 if format == "+s" else _NULLABLE, len(children))
    if below:
        made.children = below
    if dictionary is not None:
        made.dictionary = c.pointer(dictionary)
    made.release = _address(_release_schema)
    made.private_data = _keep((texts, below, children, dictionary))
    return made


def _array(
    length: int, buffers: list[np.ndarray | None], children: tuple[Any, ...] = (), dictionary: Any = None
) -> Any:
    addresses = (c.c_void_p * len(buffers))(*(None if b is None else b.ctypes.data for b in buffers))
    below = _children(_Array, children)
    made = _Array(length, 0, 0, len(buffers), len(children), addresses)
    if below:
        made.children = below
    if dictionary is not None:
        made.dictionary = c.pointer(dictionary)
    made.release = _address(_release_array)
    made.private_data = _keep((addresses, buffers, below, children, dictionary))
    return made


def _texts_array(texts: list[str]) -> Any:
    encoded = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, encoded)], dtype=np.int64)
    return _array(len(texts), [None, ends, np.frombuffer(b"".join(encoded) or b"\0", np.uint8)])


def _column_schema(name: str, column: Any) -> Any:
    if isinstance(column, Coded):
        return _schema(name, "i", dictionary=_schema("", "U"))
    if column.dtype.kind == "b":
        return _schema(name, "b")
    return _schema(name, _FORMATS.get(column.dtype.str[1:], "U"))


def _column_array(column: Any) -> Any:
    if isinstance(column, Coded):
        codes = np.ascontiguousarray(column.codes)
        return _array(len(codes), [None, codes], dictionary=_texts_array(column.texts))
    if column.dtype.kind == "b":
        return _array(len(column), [None, np.packbits(column, bitorder="little")])
    if column.dtype.str[1:] not in _FORMATS:
        return _texts_array([str(text) for text in column])
    return _array(len(column), [None, np.ascontiguousarray(column)])


class _Source:
    """The columns as a stream of one batch."""

    def __init__(self, columns: Mapping[str, Any]):
        self.columns = columns
        self.is_read = False
        self.error: Any = None

    def schema(self) -> Any:
        return _schema("", "+s", tuple(_column_schema(name, column) for name, column in self.columns.items()))

    def next(self) -> Any:
        """None: that was all."""
        if self.is_read:
            return None
        self.is_read = True
        length = len(next(iter(self.columns.values()), ()))
        return _array(length, [None], tuple(_column_array(column) for column in self.columns.values()))


def _answer(address: int, out: int, kind: Any, make: Any) -> int:
    """Writes what `make` returns to `out`."""
    source = _kept[_Stream.from_address(address).private_data][0]
    try:
        made = make(source)
        c.memset(out, 0, c.sizeof(kind))
        if made is not None:
            c.memmove(out, c.addressof(made), c.sizeof(kind))
        return 0
    except Exception as error:  # nothing may be raised through the reader
        source.error = c.create_string_buffer(str(error).encode())
        return 5  # EIO


@_Get
def _get_schema(address: int, out: int) -> int:
    return _answer(address, out, _Schema, _Source.schema)


@_Get
def _get_next(address: int, out: int) -> int:
    return _answer(address, out, _Array, _Source.next)


@_LastError
def _get_last_error(address: int) -> int | None:
    error = _kept[_Stream.from_address(address).private_data][0].error
    return c.addressof(error) if error else None


@_Release
def _release_stream(address: int) -> None:
    _drop(_Stream.from_address(address))


# The capsule is at its end when its destructor gets it: it must not be made an object of Python again.
_capsule_pointer = c.PYFUNCTYPE(c.c_void_p, c.c_void_p, c.c_char_p)(("PyCapsule_GetPointer", c.pythonapi))
_new_capsule = c.PYFUNCTYPE(c.py_object, c.c_void_p, c.c_char_p, c.c_void_p)(("PyCapsule_New", c.pythonapi))
_NAME = b"arrow_array_stream"
_Destructor = c.PYFUNCTYPE(None, c.c_void_p)
_streams: dict[int, Any] = {}


@_Destructor
def _end_capsule(capsule: int) -> None:
    address = _capsule_pointer(capsule, _NAME)
    stream = _streams.pop(address)
    if stream.release:  # nobody has read it
        _Release(stream.release)(address)


class ArrowTable:
    """Columns that offer themselves by Arrow's C stream interface: `polars.DataFrame(table)`, `pyarrow.table(table)`.
    The arrays are shared, and must not be written to."""

    def __init__(self, columns: Mapping[str, Any]):
        self._columns = dict(columns)

    @property
    def column_names(self) -> list[str]:
        return list(self._columns)

    def __len__(self) -> int:
        return len(next(iter(self._columns.values()), ()))

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        stream = _Stream(*map(_address, (_get_schema, _get_next, _get_last_error, _release_stream)))
        stream.private_data = _keep((_Source(self._columns),))
        address = c.addressof(stream)
        _streams[address] = stream
        return _new_capsule(address, _NAME, _address(_end_capsule))

    def __repr__(self) -> str:
        return f"<arrow table of {len(self)} rows: {', '.join(self._columns)}>"
