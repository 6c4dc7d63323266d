"""Texts and bytes in fields as compiled handlers have them: what is read is a copy, a text or bytes of Numba."""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import RefType, iternext_impl
from numba.core.typeconv import Conversion
from numba.cpython.unicode import _empty_string, _get_code_point, _set_code_point
from numba.extending import intrinsic, lower_builtin, lower_cast, models, overload, register_jitable, register_model

from ._fields import Field
from ._texts import BytesKind, GrowingKind, TextKind
from ._types import at, c_function, i8_, i32, i64, pointer, refuse, types_by_kind



class OctetsType(types.IterableType):
    """Bytes, as a text of characters below 256: Numba's own are an array in most of what is done with them."""

    def __init__(self) -> None:
        super().__init__(name="anachron.bytes")

    @property
    def iterator_type(self) -> Any:
        return octets_iterator

    def can_convert_from(self, _context: Any, other: Any) -> Any:
        return Conversion.safe if isinstance(other, types.Bytes) else None

    def unify(self, _context: Any, other: Any) -> Any:
        return self if isinstance(other, types.Bytes) else None


class OctetsIterator(types.SimpleIteratorType):
    def __init__(self) -> None:
        super().__init__("numbers of bytes", types.int64)


octets, octets_iterator = OctetsType(), OctetsIterator()


@register_model(OctetsType)
class _OctetsModel(models.StructModel):
    def __init__(self, dmm: Any, fe: Any):
        super().__init__(dmm, fe, [("text", types.unicode_type)])


@register_model(OctetsIterator)
class _OctetsIteratorModel(models.StructModel):
    def __init__(self, dmm: Any, fe: Any):
        super().__init__(dmm, fe, [("text", types.unicode_type), ("next", types.EphemeralPointer(types.int64))])


_WRONG, _HAS_ZERO = -1, -2  # for a size: it is no text of Unicode characters; it has a character 0
_MESSAGES = {_WRONG: "expected a text of Unicode characters", _HAS_ZERO: "expected a text without '\\0'"}


def is_text(kind: Any) -> bool:
    return isinstance(kind, (TextKind, BytesKind, GrowingKind))


def type_of_text(kind: Any) -> Any:
    return types.unicode_type if kind.python is str else octets


for _kind in (TextKind, BytesKind, GrowingKind):
    types_by_kind[_kind] = lambda field: type_of_text(field.kind)


# From and to UTF-8.


@intrinsic
def _byte(_context, address, i):
    def generate(_context, builder, _sig, args):
        return builder.zext(builder.load(builder.inttoptr(builder.add(*args), pointer)), i64)

    return types.int64(types.int64, types.int64), generate


@intrinsic
def _set_byte(_context, address, i, value):
    def generate(context, builder, _sig, args):
        builder.store(builder.trunc(args[2], i8_), builder.inttoptr(builder.add(args[0], args[1]), pointer))
        return context.get_dummy_value()

    return types.none(types.int64, types.int64, types.int64), generate


def _decoded(address: int, size: int) -> Any:
    """Precondition: the bytes are UTF-8."""
    count, largest = 0, 0
    for i in range(size):
        first = _byte(address, i)
        if first < 0x80 or first >= 0xC0:
            count += 1
            largest = max(largest, first)
    # 0xC4 begins the characters from 256 on, 0xF0 those from 65536 on
    made = _empty_string(1 if largest < 0xC4 else 2 if largest < 0xF0 else 4, count, largest < 0x80)
    at, number = 0, 0
    while at < size:
        first = _byte(address, at)
        more = 0 if first < 0x80 else 1 if first < 0xE0 else 2 if first < 0xF0 else 3
        point = first if more == 0 else first & (0x3F >> more)
        for k in range(1, more + 1):
            point = point << 6 | _byte(address, at + k) & 0x3F
        _set_code_point(made, number, point)
        at += more + 1
        number += 1
    return made


def _encoded_size(text: str, may_have_zero: bool) -> int:
    size = 0
    for i in range(len(text)):
        point = _get_code_point(text, i)
        if 0xD800 <= point < 0xE000:
            return _WRONG
        if point == 0 and not may_have_zero:
            return _HAS_ZERO
        size += 1 if point < 0x80 else 2 if point < 0x800 else 3 if point < 0x10000 else 4
    return size


@register_jitable
def _encode(text: str, address: int) -> None:
    at = 0
    for i in range(len(text)):
        point = int(_get_code_point(text, i))
        if point < 0x80:
            _set_byte(address, at, point)
            at += 1
            continue
        more = 1 if point < 0x800 else 2 if point < 0x10000 else 3
        _set_byte(address, at, 0x780 >> more & 0xFF | point >> 6 * more)
        for k in range(1, more + 1):
            _set_byte(address, at + k, 0x80 | point >> 6 * (more - k) & 0x3F)
        at += more + 1


def _encode_some(text: str, address: int, most: int) -> None:
    """As much as fits; of a longer text the beginning, with three dots."""
    size, fits, dots = 0, 0, 3
    for i in range(len(text)):
        point = _get_code_point(text, i)
        size += 1 if point < 0x80 else 2 if point < 0x800 else 3 if point < 0x10000 else 4
        if size <= most - dots:
            fits = i + 1
    _encode(text if size <= most else text[:fits] + "." * dots, address)


def _length(text: str) -> int:
    return len(text)


def _encode_octets(text: str, address: int) -> None:
    for i in range(len(text)):
        _set_byte(address, i, int(_get_code_point(text, i)))


# Reading.


def load_text(context: Any, builder: Any, base: Any, field: Field) -> Any:
    """A new reference. `base`: the address of the record."""
    kind = field.kind
    address = builder.gep(base, [i64(field.offset)])
    if isinstance(kind, GrowingKind):
        data = builder.call(c_function(builder, "text_read", pointer, [pointer, i32]), [base, i32(field.offset)])
        size = builder.zext(builder.load(at(builder, address, 4, i32)), i64)
    elif isinstance(kind, BytesKind):
        data = builder.gep(address, [i64(kind.head)])
        size = builder.zext(builder.load(builder.bitcast(address, i32.as_pointer())), i64)
    else:
        assert isinstance(kind, TextKind)
        data = address
        length = cgutils.get_or_insert_function(builder.module, ir.FunctionType(i64, [pointer, i64]), "strnlen")
        size = builder.call(length, [address, i64(kind.most)])
    signature = types.unicode_type(types.int64, types.int64)
    arguments = (builder.ptrtoint(data, i64), size)
    if kind.python is bytes:
        return _wrapped(context, builder, context.compile_internal(builder, _of_octets, signature, arguments))
    return context.compile_internal(builder, _decoded, signature, arguments)


def _wrapped(context: Any, builder: Any, text: Any) -> Any:
    made = cgutils.create_struct_proxy(octets)(context, builder)
    made.text = text
    return made._getvalue()


def _unwrapped(context: Any, builder: Any, value: Any) -> Any:
    return cgutils.create_struct_proxy(octets)(context, builder, value=value).text


def _of_octets(address: int, size: int) -> Any:
    made = _empty_string(1, size, False)
    for i in range(size):
        _set_code_point(made, i, _byte(address, i))
    return made


# Writing.


def store_text(context: Any, builder: Any, base: Any, field: Field, value: Any, value_type: Any) -> None:
    """Raises what the interpreted assignment raises."""
    kind, wanted = field.kind, type_of_text(field.kind)
    if context.typing_context.can_convert(value_type, wanted) is None:
        refuse(f"{field.owner.__name__}.{field.name} is {kind.python.__name__}, and gets {value_type}")
    value = context.cast(builder, value, value_type, wanted)
    text = _unwrapped(context, builder, value) if kind.python is bytes else value
    size = _size_of(context, builder, field, text)
    address = builder.gep(base, [i64(field.offset)])
    if isinstance(kind, GrowingKind):
        function = c_function(builder, "text_write", pointer, [pointer, i32, i32])
        data = builder.call(function, [base, i32(field.offset), builder.trunc(size, i32)])
    else:
        _raise_if(context, builder, field, builder.icmp_signed(">", size, i64(kind.most)), f"expected at most {kind.most} bytes")
        cgutils.memset(builder, address, i64(kind.dtype.itemsize), 0)
        if kind.head:
            builder.store(builder.trunc(size, i32), builder.bitcast(address, i32.as_pointer()))
        data = builder.gep(address, [i64(kind.head)])
    with builder.if_then(cgutils.is_not_null(builder, data)):
        encode = _encode_octets if kind.python is bytes else _encode
        signature = types.none(types.unicode_type, types.int64)
        context.compile_internal(builder, encode, signature, (text, builder.ptrtoint(data, i64)))


def _size_of(context: Any, builder: Any, field: Field, text: Any) -> Any:
    kind = field.kind
    if kind.python is bytes:
        return context.compile_internal(builder, _length, types.int64(types.unicode_type), (text,))
    may_have_zero = ir.Constant(ir.IntType(1), isinstance(kind, GrowingKind))
    signature = types.int64(types.unicode_type, types.boolean)
    size = context.compile_internal(builder, _encoded_size, signature, (text, may_have_zero))
    for wrong, message in _MESSAGES.items():
        error = TypeError if wrong == _WRONG else OverflowError
        _raise_if(context, builder, field, builder.icmp_signed("==", size, i64(wrong)), message, error)
    return size


def _raise_if(context: Any, builder: Any, field: Field, is_wrong: Any, message: str, error: type[Exception] = OverflowError) -> None:
    with cgutils.if_unlikely(builder, is_wrong):
        context.call_conv.return_user_exc(builder, error, (f"{field.owner.__name__}.{field.name}: {message}",))


# What can be done with bytes.


def is_octets(*kinds: Any) -> bool:
    """At least one of them is ours."""
    return any(isinstance(kind, OctetsType) for kind in kinds) and all(isinstance(kind, (OctetsType, types.Bytes)) for kind in kinds)


@intrinsic
def text_of(_context, octets_of):
    def generate(context, builder, _sig, args):
        text = _unwrapped(context, builder, args[0])
        context.nrt.incref(builder, types.unicode_type, text)
        return text

    return types.unicode_type(octets), generate


@intrinsic
def octets_of(_context, text):
    def generate(context, builder, _sig, args):
        context.nrt.incref(builder, types.unicode_type, args[0])
        return _wrapped(context, builder, args[0])

    return octets(types.unicode_type), generate


@intrinsic
def _code_at(_context, text, i):
    """Precondition: it has so many characters."""

    def generate(context, builder, sig, args):
        return context.compile_internal(builder, _code, sig, args)

    return types.int64(types.unicode_type, types.int64), generate


def _code(text: str, i: int) -> int:
    return _get_code_point(text, i)


@lower_cast(types.Bytes, OctetsType)
def _of_constant(context: Any, builder: Any, from_type: Any, _to: Any, value: Any) -> Any:
    own = cgutils.create_struct_proxy(from_type)(context, builder, value=value)
    signature = types.unicode_type(types.int64, types.int64)
    arguments = (builder.ptrtoint(own.data, i64), own.nitems)
    return _wrapped(context, builder, context.compile_internal(builder, _of_octets, signature, arguments))


@overload(len)
def _len(b):
    return (lambda b: len(text_of(b))) if is_octets(b) else None


@overload(bool)
def _bool(b):
    return (lambda b: len(text_of(b)) > 0) if is_octets(b) else None


@overload(operator.getitem)
def _getitem(b, i):
    if is_octets(b) and isinstance(i, types.SliceType):
        return lambda b, i: octets_of(text_of(b)[i])
    if not is_octets(b) or not isinstance(i, types.Integer):
        return None

    def octet(b, i):
        text = text_of(b)
        number = i + len(text) if i < 0 else i
        if number < 0 or number >= len(text):
            raise IndexError("index out of range")
        return _code_at(text, number)

    return octet


@overload(operator.eq)
def _eq(a, b):
    return (lambda a, b: text_of(a) == text_of(b)) if is_octets(a, b) else None


@overload(operator.ne)
def _ne(a, b):
    return (lambda a, b: text_of(a) != text_of(b)) if is_octets(a, b) else None


@overload(operator.iadd)
@overload(operator.add)
def _add(a, b):
    return (lambda a, b: octets_of(text_of(a) + text_of(b))) if is_octets(a, b) else None


@lower_builtin("getiter", OctetsType)
def _iterate(context: Any, builder: Any, _sig: Any, args: Any) -> Any:
    made = cgutils.create_struct_proxy(octets_iterator)(context, builder)
    made.text, made.next = _unwrapped(context, builder, args[0]), cgutils.alloca_once_value(builder, i64(0))
    context.nrt.incref(builder, types.unicode_type, made.text)
    return made._getvalue()


@lower_builtin("iternext", OctetsIterator)
@iternext_impl(RefType.UNTRACKED)
def _next(context: Any, builder: Any, _sig: Any, args: Any, result: Any) -> None:
    own = cgutils.create_struct_proxy(octets_iterator)(context, builder, value=args[0])
    place = builder.load(own.next)
    size = context.compile_internal(builder, _length, types.int64(types.unicode_type), (own.text,))
    is_valid = builder.icmp_signed("<", place, size)
    result.set_valid(is_valid)
    with builder.if_then(is_valid):
        result.yield_(context.compile_internal(builder, _code, types.int64(types.unicode_type, types.int64), (own.text, place)))
        builder.store(builder.add(place, i64(1)), own.next)


@intrinsic
def as_text(_context, value):
    """What `str` is to handlers: Numba's own names the types of most values."""
    if not isinstance(value, (types.UnicodeType, types.StringLiteral, types.Integer, types.Boolean)):
        refuse(f"a text that a handler makes has texts and whole numbers, and gets {value}")
    is_text = isinstance(value, (types.UnicodeType, types.StringLiteral))
    taken = types.unicode_type if is_text else types.boolean if isinstance(value, types.Boolean) else types.int64

    def generate(context, builder, sig, args):
        if not is_text:
            return context.compile_internal(builder, _shown, sig, args)
        context.nrt.incref(builder, types.unicode_type, args[0])
        return args[0]

    return types.unicode_type(taken), generate


def _shown(value: Any) -> str:
    return str(value)


def encode_some(context: Any, builder: Any, text: Any, address: Any, most: int) -> None:
    """Precondition: there are so many bytes, all of them 0."""
    signature = types.none(types.unicode_type, types.int64, types.int64)
    context.compile_internal(builder, _encode_some, signature, (text, builder.ptrtoint(address, i64), i64(most)))
