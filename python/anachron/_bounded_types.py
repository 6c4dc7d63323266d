"""Lists, sets and dictionaries in events as types of Numba."""

from __future__ import annotations

import operator
from typing import Any

from numba.core import cgutils, types
from numba.core.imputils import RefType, iternext_impl
from numba.extending import intrinsic, lower_builtin, models, overload, overload_method, register_jitable, register_model

from ._bounded import BoundedKind
from ._fields import Field
from ._types import at, i32, i64, loaders, pointer, refuse, type_of_field, types_by_kind


class BoundedType(types.IterableType):
    """A value of it is the address of the list."""

    def __init__(self, field: Field):
        self.kind: Any = field.kind
        self.parts = self.kind.fields(field.owner)
        self.is_dict = len(self.parts) > 1
        super().__init__(name=f"anachron.{self.kind.name} of {field.owner.__qualname__}@{id(field.owner):x}@{id(self.kind):x}")

    def part(self, number: int) -> Any:
        return type_of_field(self.parts[number], False)

    @property
    def element(self) -> Any:
        return self.part(0)

    @property
    def value(self) -> Any:
        return self.part(1)

    @property
    def iterator_type(self) -> Any:
        return BoundedIterator(self, "keys")

    def accepted(self, field: Field, given: Any, context: Any) -> Any:
        """The type of an argument of an event's class, that this is made of."""
        entry = _types_of_entry(given, self.is_dict)
        if entry is None or any(context.can_convert(one, self.part(i)) is None for i, one in enumerate(entry)):
            refuse(f"{field.owner.__name__}.{field.name} is {self.kind.name}, and gets {given}")
        return given


def is_mapping(given: Any) -> bool:
    return isinstance(given, types.DictType) or getattr(given, "is_dict", False)


def _types_of_entry(given: Any, is_pair: bool) -> Any:
    """What a loop over a value of a type gives, of a dictionary over its items. None: it gives none."""
    if is_pair and is_mapping(given):
        return (given.key_type, given.value_type) if isinstance(given, types.DictType) else (given.element, given.value)
    element = getattr(getattr(given, "iterator_type", None), "yield_type", None)
    if not is_pair or element is None:
        return element and (element,)
    return tuple(element) if isinstance(element, types.BaseTuple) and len(element) == 2 else None


class BoundedIterator(types.SimpleIteratorType):
    """`what`: keys, which elements of lists and sets are, values or items."""

    def __init__(self, of: BoundedType, what: str):
        self.of = of
        self.numbers = {"keys": [0], "values": [1], "items": [0, 1]}[what]  # of parts
        kinds = [of.part(number) for number in self.numbers]
        super().__init__(f"{what} of {of.name}", kinds[0] if len(kinds) == 1 else types.Tuple(kinds))


class BoundedView(types.IterableType):
    """What `keys`, `values` and `items` return: the address of the dictionary."""

    def __init__(self, of: BoundedType, what: str):
        self.of, self.what = of, what
        super().__init__(name=f"view of {what} of {of.name}")

    @property
    def iterator_type(self) -> Any:
        return BoundedIterator(self.of, self.what)


@register_model(BoundedView)
@register_model(BoundedType)
class _BoundedModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe: Any):
        super().__init__(dmm, fe, pointer)


@register_model(BoundedIterator)
class _IteratorModel(models.StructModel):
    def __init__(self, dmm: Any, fe: Any):
        super().__init__(dmm, fe, [("of", fe.of), ("next", types.EphemeralPointer(types.int64))])


types_by_kind[BoundedKind] = BoundedType


# Reading.


def load_bounded(builder: Any, base: Any, field: Field) -> Any:
    return builder.gep(base, [i64(field.offset)])


def _count_of(builder: Any, value: Any) -> Any:
    return builder.zext(builder.load(at(builder, value, 0, i32)), i64)


def _part_at(context: Any, builder: Any, of: BoundedType, value: Any, i: Any, number: int) -> Any:
    load, _ = loaders[0]
    address = builder.gep(value, [builder.add(i64(BoundedKind.HEAD), builder.mul(i, i64(of.kind.entry)))])
    return load(context, builder, address, of.parts[number], False)


@intrinsic
def _length(_context, b):
    return types.int64(b), lambda _context, builder, _sig, args: _count_of(builder, args[0])


def _reader(number: int) -> Any:
    @intrinsic
    def read(_context, b, i):
        """Precondition: there are so many."""

        def generate(context, builder, sig, args):
            return _part_at(context, builder, sig.args[0], *args, number)

        return b.part(number)(b, types.int64), generate

    return read


_element_at, _value_at = _reader(0), _reader(1)


@register_jitable
def _find(b, value):
    i = 0
    for element in b:
        if element == value:
            return i
        i += 1
    return -1


@overload(len)
def _len(b):
    return (lambda b: _length(b)) if isinstance(b, BoundedType) else None


@overload(bool)
def _bool(b):
    return (lambda b: _length(b) > 0) if isinstance(b, BoundedType) else None


@overload(operator.getitem)
def _getitem(b, i):
    if not isinstance(b, BoundedType) or not (b.is_dict or isinstance(i, types.Integer)):
        return None

    def element(b, i):
        number = i + _length(b) if i < 0 else i
        if number < 0 or number >= _length(b):
            raise IndexError("there is no element with this number in the list")
        return _element_at(b, number)

    def value(b, i):
        number = _find(b, i)
        if number < 0:
            raise KeyError("there is no such key in the dictionary")
        return _value_at(b, number)

    return value if b.is_dict else element


@overload(operator.contains)
def _contains(b, value):
    return (lambda b, value: _find(b, value) >= 0) if isinstance(b, BoundedType) else None


@overload_method(BoundedType, "get")
def _get(b, key, default):
    if not b.is_dict:
        return None

    def value(b, key, default):
        number = _find(b, key)
        return _value_at(b, number) if number >= 0 else default

    return value


def _declare_view(what: str) -> None:
    @intrinsic
    def view_of(_context, b):
        return BoundedView(b, what)(b), lambda _context, _builder, _sig, args: args[0]

    overload_method(BoundedType, what)(lambda b: (lambda b: view_of(b)) if b.is_dict else None)


for _what in ("keys", "values", "items"):
    _declare_view(_what)


@lower_builtin("getiter", BoundedView)
@lower_builtin("getiter", BoundedType)
def _iterate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    made = cgutils.create_struct_proxy(sig.return_type)(context, builder)
    made.of, made.next = args[0], cgutils.alloca_once_value(builder, i64(0))
    return made._getvalue()


@lower_builtin("iternext", BoundedIterator)
@iternext_impl(RefType.NEW)
def _next(context: Any, builder: Any, sig: Any, args: Any, result: Any) -> None:
    (entries,) = sig.args
    own = cgutils.create_struct_proxy(entries)(context, builder, value=args[0])
    place = builder.load(own.next)
    is_valid = builder.icmp_signed("<", place, _count_of(builder, own.of))
    result.set_valid(is_valid)
    with builder.if_then(is_valid):
        parts = [_part_at(context, builder, entries.of, own.of, place, number) for number in entries.numbers]
        result.yield_(parts[0] if len(parts) == 1 else context.make_tuple(builder, entries.yield_type, parts))
        builder.store(builder.add(place, i64(1)), own.next)


# Writing.


def _writer(of: BoundedType, number: int) -> Any:
    @intrinsic
    def put(_context, address, i, value):
        def generate(context, builder, sig, args):
            _, store = loaders[0]
            place = builder.add(args[0], builder.add(i64(BoundedKind.HEAD), builder.mul(args[1], i64(of.kind.entry))))
            store(context, builder, builder.inttoptr(place, pointer), of.parts[number], args[2], sig.args[2])
            return context.get_dummy_value()

        return types.none(types.int64, types.int64, of.part(number)), generate

    return put


def _copy_of(of: BoundedType, message: str, gets_mapping: bool) -> Any:
    """A function that copies what a loop gives to an address, and returns the number of entries."""
    most, put = of.kind.most, _writer(of, 0)

    @intrinsic
    def element_of(_context, address, i):
        def generate(context, builder, _sig, args):
            return _part_at(context, builder, of, builder.inttoptr(args[0], pointer), args[1], 0)

        return of.part(0)(types.int64, types.int64), generate

    @register_jitable
    def place_of(address, count, key):
        for i in range(count):
            if element_of(address, i) == key:
                return i
        if count == most:
            raise OverflowError(message)
        put(address, count, key)
        return count

    def copy_list(values, address):
        count = 0
        for element in values:
            if count == most:
                raise OverflowError(message)
            put(address, count, element)
            count += 1
        return count

    def copy_set(values, address):
        count = 0
        for element in values:
            count = max(count, place_of(address, count, element) + 1)
        return count

    if not of.is_dict:
        return copy_set if of.kind.what == "Set" else copy_list
    put_value = _writer(of, 1)

    @register_jitable
    def copy_pairs(pairs, address):
        count = 0
        for key, value in pairs:
            place = place_of(address, count, key)
            count = max(count, place + 1)
            put_value(address, place, value)
        return count

    def copy_mapping(values, address):
        return copy_pairs(values.items(), address)

    return copy_mapping if gets_mapping else lambda values, address: copy_pairs(values, address)


def store_bounded(context: Any, builder: Any, base: Any, field: Field, value: Any, value_type: Any) -> None:
    """Of anything that a loop goes over. Raises OverflowError for too many elements."""
    kind: Any = field.kind
    message = f"{field.owner.__name__}.{field.name}: expected at most {kind.most} elements"
    copy = _copy_of(BoundedType(field), message, is_mapping(value_type))
    to = builder.gep(base, [i64(field.offset)])
    cgutils.memset(builder, to, i64(kind.dtype.itemsize), 0)
    signature = types.int64(value_type, types.int64)
    count = context.compile_internal(builder, copy, signature, (value, builder.ptrtoint(to, i64)))
    builder.store(builder.trunc(count, i32), at(builder, to, 0, i32))
