"""Texts and bytes as fields. Of `an.Text[16]` the record has all bytes; `str` in a state grows in the memory of its LP
(include/anachron/model/region). `_text_types.py` has them for compiled handlers."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any

import numpy as np

from ._kinds import TEXTS, Kind, PlaceKind
from ._native import native

OF_PARAMETERS = 1024  # bytes that a text has among parameters


class TextKind(Kind):
    """A text of at most so many bytes as UTF-8, filled up with zeros."""

    is_text = True
    python: Any = str
    head = 0  # bytes before the first one

    def __init__(self, most: int):
        super().__init__(f"Text[{most}]", f"V{most}", f"{most}s")
        self.most = most

    def stored(self, text: Any, where: str) -> bytes:
        """Raises TypeError for what is no text, OverflowError for one that is too long."""
        stored = encoded(text, where)
        if "\0" in text or len(stored) > self.most:
            raise OverflowError(f"{where}: expected a text of at most {self.most} bytes, without '\\0'")
        return stored

    def loaded(self, stored: bytes) -> str:
        return stored.rstrip(b"\0").decode()


class BytesKind(Kind):
    """At most so many bytes, behind their number."""

    is_text = True
    python: Any = bytes
    head = 4

    def __init__(self, most: int):
        size = self.head + -(-most // self.head) * self.head
        super().__init__(f"Bytes[{most}]", f"V{size}", f"{size}s")
        self.most = most

    def stored(self, value: Any, where: str) -> bytes:
        if not isinstance(value, bytes):
            raise TypeError(f"{where}: expected bytes")
        if len(value) > self.most:
            raise OverflowError(f"{where}: expected at most {self.most} bytes")
        return len(value).to_bytes(self.head, "little") + value

    def loaded(self, stored: bytes) -> bytes:
        return stored[self.head : self.head + int.from_bytes(stored[: self.head], "little")]


class GrowingKind(PlaceKind):
    """A text or bytes of any length, in a state: where in the LP's memory they are, and how many."""

    needs_region = True
    WORDS = 4

    def __init__(self, python: Any):
        super().__init__(python, np.dtype(f"V{4 * self.WORDS}"))
        self.name, self.python = python.__name__, python

    def at(self, memory: Any, offset: int, owner: Any) -> Any:
        state = _address(memory)
        size = ctypes.c_uint32.from_address(state + offset + 4).value
        return self.loaded(ctypes.string_at(native.text_read(state, offset), size))

    def assign(self, memory: Any, offset: int, value: Any, where: str) -> None:
        if self.python is bytes and not isinstance(value, bytes):
            raise TypeError(f"{where}: expected bytes")
        stored = value if self.python is bytes else encoded(value, where)
        room = native.text_write(_address(memory), offset, len(stored))
        if room:
            ctypes.memmove(room, stored, len(stored))

    def loaded(self, stored: bytes) -> Any:
        return stored if self.python is bytes else stored.decode()

    def initial(self, given: Any, where: str) -> bytes:
        if given:
            raise TypeError(f"{where} = {given!r}: such a field of a state begins empty: fill it in `start`, or say how long it can be")
        return bytes(self.dtype.itemsize)


def _address(memory: Any) -> int:
    if isinstance(memory, (bytes, bytearray)):
        raise TypeError("a text that grows is used in a handler of its LP")
    return ctypes.addressof(memory)


def encoded(text: Any, where: str) -> bytes:
    if not isinstance(text, str):
        raise TypeError(f"{where}: expected a text")
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise TypeError(f"{where}: expected a text of Unicode characters") from None


class OpenKind(Kind):
    """`str` or `bytes` as an annotation: what it is depends on whose field it is."""

    is_text = True

    def __init__(self, python: Any):
        super().__init__(python.__name__, "V1", "")
        self.python = python

    def of_owner(self, what: str, where: str) -> Kind:
        if what == "LP":
            return GrowingKind(self.python)
        if what == "parameters" and self.python is str:
            return TextKind(OF_PARAMETERS)
        if what == "parameters":
            raise TypeError(f"{where}: a parameter is a number or a text")
        form = "an.Text[16]" if self.python is str else "an.Bytes[16]"
        raise TypeError(f"{where}: say how many bytes it has at most, such as {form}; without a limit it belongs into the state of an LP type")


def of_owner(kind: Kind, what: str, where: str) -> Kind:
    """A field's kind. `what`: it is a field of an event, a state, and so on."""
    if isinstance(kind, OpenKind):
        return kind.of_owner(what, where)
    if isinstance(kind, (TextKind, BytesKind)) and what == "row":
        raise TypeError(f"{where}: a row has numbers")
    if isinstance(kind, BytesKind) and what == "parameters":
        raise TypeError(f"{where}: a parameter is a number or a text")
    return kind


def _most(given: Any, name: str) -> int:
    if isinstance(given, bool) or not isinstance(given, (int, np.integer)) or not 1 <= given <= 65536:
        raise TypeError(f"an.{name}[{given!r}]: expected a number of bytes from 1 to 65536, such as an.{name}[16]")
    return int(given)


if TYPE_CHECKING:
    Text = str
    Bytes = bytes
else:

    class Text:
        """`name: an.Text[16]`: a text of at most 16 bytes as UTF-8, without '\\0', in an event, a state, a struct or a container.
        Checkers of types want `Annotated[str, an.Text[16]]`, which is the same."""

        def __class_getitem__(cls, most: Any) -> TextKind:
            return TextKind(_most(most, "Text"))

    class Bytes:
        """`body: an.Bytes[16]`: at most 16 bytes, likewise."""

        def __class_getitem__(cls, most: Any) -> BytesKind:
            return BytesKind(_most(most, "Bytes"))


TEXTS[str], TEXTS[bytes] = OpenKind(str), OpenKind(bytes)
