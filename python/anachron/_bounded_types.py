"""Lists in events as types of Numba."""

from __future__ import annotations

import operator
from typing import Any

from numba.core import cgutils, types
from numba.core.imputils import RefType, iternext_impl
from numba.extending import intrinsic, lower_builtin, models, overload, register_model

from ._bounded import BoundedKind
from ._fields import Field
from ._types import at, i32, i64, loaders, pointer, refuse, type_of_field, types_by_kind


class BoundedType(types.IterableType):
    """A value of it is the address of the list."""

    def __init__(self, field: Field):
        self.kind: Any = field.kind
        self.part = Field("element", self.kind.of, 0, None, field.owner)
        self.size = self.kind.element(field.owner).bytes
        super().__init__(name=f"anachron.{self.kind.name} of {field.owner.__qualname__}@{id(field.owner):x}@{id(self.kind):x}")

    @property
    def element(self) -> Any:
        return type_of_field(self.part, False)

    @property
    def iterator_type(self) -> Any:
        return BoundedIterator(self)

    def accepted(self, field: Field, given: Any, context: Any) -> Any:
        """The type of an argument of an event's class, that this is made of."""
        element = getattr(getattr(given, "iterator_type", None), "yield_type", None)
        if element is None or context.can_convert(element, self.element) is None:
            refuse(f"{field.owner.__name__}.{field.name} is {self.kind.name}, and gets {given}")
        return given


class BoundedIterator(types.SimpleIteratorType):
    def __init__(self, of: BoundedType):
        self.of = of
        super().__init__(f"elements of {of.name}", of.element)


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


def _element(context: Any, builder: Any, of: BoundedType, value: Any, i: Any) -> Any:
    load, _ = loaders[0]
    address = builder.gep(value, [builder.add(i64(BoundedKind.HEAD), builder.mul(i, i64(of.size)))])
    return load(context, builder, address, of.part, False)


@intrinsic
def _length(_context, b):
    return types.int64(b), lambda _context, builder, _sig, args: _count_of(builder, args[0])


@intrinsic
def _element_at(_context, b, i):
    """Precondition: there are so many."""

    def generate(context, builder, sig, args):
        return _element(context, builder, sig.args[0], *args)

    return b.element(b, types.int64), generate


@overload(len)
def _len(b):
    return (lambda b: _length(b)) if isinstance(b, BoundedType) else None


@overload(bool)
def _bool(b):
    return (lambda b: _length(b) > 0) if isinstance(b, BoundedType) else None


@overload(operator.getitem)
def _getitem(b, i):
    if not isinstance(b, BoundedType) or not isinstance(i, types.Integer):
        return None

    def element(b, i):
        number = i + _length(b) if i < 0 else i
        if number < 0 or number >= _length(b):
            raise IndexError("there is no element with this number in the list")
        return _element_at(b, number)

    return element


@overload(operator.contains)
def _contains(b, value):
    if not isinstance(b, BoundedType):
        return None

    def contains(b, value):
        for element in b:
            if element == value:
                return True
        return False

    return contains


@lower_builtin("getiter", BoundedType)
def _iterate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    made = cgutils.create_struct_proxy(sig.return_type)(context, builder)
    made.of, made.next = args[0], cgutils.alloca_once_value(builder, i64(0))
    return made._getvalue()


@lower_builtin("iternext", BoundedIterator)
@iternext_impl(RefType.NEW)
def _next(context: Any, builder: Any, sig: Any, args: Any, result: Any) -> None:
    own = cgutils.create_struct_proxy(sig.args[0])(context, builder, value=args[0])
    place = builder.load(own.next)
    is_valid = builder.icmp_signed("<", place, _count_of(builder, own.of))
    result.set_valid(is_valid)
    with builder.if_then(is_valid):
        result.yield_(_element(context, builder, sig.args[0].of, own.of, place))
        builder.store(builder.add(place, i64(1)), own.next)


# Writing.


def store_bounded(context: Any, builder: Any, base: Any, field: Field, value: Any, value_type: Any) -> None:
    """Of anything that a loop goes over. Raises OverflowError for too many elements."""
    kind: Any = field.kind
    of = BoundedType(field)
    most, message = kind.most, f"{field.owner.__name__}.{field.name}: expected at most {kind.most} elements"

    @intrinsic
    def put(_context, address, i, value):
        def generate(context, builder, sig, args):
            _, store = loaders[0]
            place = builder.add(args[0], builder.add(i64(kind.HEAD), builder.mul(args[1], i64(of.size))))
            store(context, builder, builder.inttoptr(place, pointer), of.part, args[2], sig.args[2])
            return context.get_dummy_value()

        return types.none(types.int64, types.int64, of.element), generate

    def copy(values, address):
        count = 0
        for element in values:
            if count == most:
                raise OverflowError(message)
            put(address, count, element)
            count += 1
        return count

    to = builder.gep(base, [i64(field.offset)])
    cgutils.memset(builder, to, i64(kind.dtype.itemsize), 0)
    signature = types.int64(value_type, types.int64)
    count = context.compile_internal(builder, copy, signature, (value, builder.ptrtoint(to, i64)))
    builder.store(builder.trunc(count, i32), at(builder, to, 0, i32))
