"""Containers in states as types of Numba: where they are, and how their elements are read and written."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typeconv import Conversion
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, intrinsic, models, register_model

from ._containers import ContainerKind, DictView, ListView, QueueView
from ._fields import Field
from ._kinds import WaitKind
from ._members import load_field, store_field
from ._messages import members_of
from ._native import CONTAINER_CALLS
from ._types import (
    OF_C,
    RecordValue,
    at,
    c_function,
    f64,
    i32,
    i64,
    pointer,
    refuse,
    type_of_field,
    types_by_kind,
)



class ContainerType(types.IterableType):
    """A container at its place in a state. A value of it is the address of the state."""

    def __init__(self, field: Field):
        kind = field.kind
        assert isinstance(kind, ContainerKind)
        self.field, self.kind, self.view = field, kind, kind.cls
        self.is_dict = kind.cls is DictView
        self.parts = [Field("element", of, 0, None, field.owner) for of in kind.of]
        self.sizes = [element.bytes for element in kind.elements(field.owner)]
        super().__init__(name=f"anachron.{kind.name} {field.owner.__qualname__}.{field.name}@{id(field.owner):x}")

    @property
    def element(self) -> Any:
        return type_of_field(self.parts[0], False)

    @property
    def value(self) -> Any:
        return type_of_field(self.parts[1], False)

    @property
    def iterator_type(self) -> Any:
        return EntriesType(self, "keys") if self.view is not QueueView else refuse(QueueView._has_no("loops"))


class EntriesType(types.SimpleIteratorType):
    """What a loop over a container has: where it is. `what`: keys, values or items."""

    def __init__(self, of: ContainerType, what: str):
        self.of, self.what = of, what
        yields = {"keys": lambda: of.element, "values": lambda: of.value}
        kind = yields[what]() if what in yields else types.Tuple([of.element, of.value])
        super().__init__(f"{what} of {of.name}", kind)


class EntriesView(types.IterableType):
    """What `keys`, `values` and `items` return: the address of the state."""

    def __init__(self, of: ContainerType, what: str):
        self.of, self.what = of, what
        super().__init__(name=f"view of {what} of {of.name}")

    @property
    def iterator_type(self) -> Any:
        return EntriesType(self.of, self.what)


types_by_kind[ContainerKind] = ContainerType


@register_model(EntriesView)
@register_model(ContainerType)
class _ContainerModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe: Any):
        super().__init__(dmm, fe, pointer)


@register_model(EntriesType)
class _EntriesModel(models.StructModel):
    def __init__(self, dmm: Any, fe: Any):
        members = [("of", fe.of), ("next", types.EphemeralPointer(types.int64)), ("count", types.int64)]
        super().__init__(dmm, fe, members)


@infer_getattr
class _ContainerAttributes(AttributeTemplate):
    key = ContainerType

    def generic_resolve(self, ty: Any, attr: str) -> Any:
        return None if attr in members_of(ty.view) else refuse(ty.view._has_no(f"'{attr}'"))


# How elements are read and written.


def call_container(builder: Any, name: str, of: ContainerType, state: Any, *arguments: Any) -> Any:
    result, kinds = CONTAINER_CALLS[name]
    returned = ir.VoidType() if result is None else OF_C[result.__name__]
    function = c_function(builder, name, returned, [pointer, *[OF_C[kind.__name__] for kind in kinds]])
    return builder.call(function, [state, i32(of.field.offset), *arguments])


def sizes_of(of: ContainerType) -> list[Any]:
    return [i32(size) for size in [*of.sizes, 0][: 1 if of.view in (ListView, QueueView) else 2]]


def packed(context: Any, builder: Any, of: ContainerType, part: int, value: Any, value_type: Any) -> Any:
    """The address of a copy of the value, as it lies in a container."""
    room = cgutils.alloca_once(builder, ir.ArrayType(i64, -(-of.sizes[part] // 8)))
    builder.store(ir.Constant(room.type.pointee, None), room)
    if value_type == types.float64:
        value = builder.select(builder.fcmp_ordered("==", value, f64(0.0)), f64(0.0), value)  # -0.0 is the key that 0.0 is
    base = builder.bitcast(room, pointer)
    store_field(context, builder, base, of.parts[part], value, value_type)
    return base


def store_element(context: Any, builder: Any, of: ContainerType, part: int, address: Any, value: Any, value_type: Any) -> None:
    """Nothing is stored where there is no memory: the event has failed."""
    with builder.if_then(cgutils.is_not_null(builder, address), likely=True):
        store_field(context, builder, address, of.parts[part], value, value_type)


def load_element(context: Any, builder: Any, of: ContainerType, part: int, address: Any, state: Any) -> Any:
    value = load_field(context, builder, address, of.parts[part], False)
    is_wait = isinstance(of.parts[part].kind, WaitKind)
    return builder.insert_value(value, state, 0) if is_wait else value


def raise_if(context: Any, builder: Any, is_wrong: Any, error: type[Exception], text: str) -> None:
    with cgutils.if_unlikely(builder, is_wrong):
        context.call_conv.return_user_exc(builder, error, (text,))


def room_for(builder: Any, size: int) -> Any:
    return builder.bitcast(cgutils.alloca_once(builder, ir.ArrayType(i64, -(-size // 8))), pointer)


def count_of(builder: Any, of: ContainerType, state: Any) -> Any:
    return builder.zext(builder.load(at(builder, state, of.field.offset + 8, i32)), i64)


def _accepted(of: ContainerType, part: int, given: Any, context: Any) -> Any:
    """The type that a value is converted to."""
    field = of.parts[part]
    wanted = type_of_field(field, False)
    where = f"{of.field.owner.__name__}.{of.field.name}"
    if isinstance(wanted, RecordValue):
        if given != wanted:
            refuse(f"{where} has {wanted.cls.__name__}, and gets {given}")
        return wanted
    how = context.can_convert(given, wanted)
    if how is None or (how == Conversion.unsafe and not isinstance(given, types.Integer)):
        refuse(f"{where} has {field.kind.name}, and gets {given}")
    return wanted


def operation_of(result: Any, parts: list[int], generate: Any) -> Any:
    """An intrinsic of a container and values. `parts`: of each value which part of the container it is; -1: a whole number,
    -2: a float."""

    def typed(context: Any, of: Any, *given: Any) -> Any:
        kinds = [
            types.int64 if part == -1 else types.float64 if part == -2 else _accepted(of, part, one, context)
            for part, one in zip(parts, given)
        ]

        def lowered(lowering: Any, builder: Any, sig: Any, args: Any) -> Any:
            made = generate(lowering, builder, sig.args[0], args[0], *zip(args[1:], sig.args[1:]))
            return lowering.get_dummy_value() if made is None else made

        return (result if isinstance(result, types.Type) else result(of))(of, *kinds), lowered

    names = ", ".join(f"v{i}" for i in range(len(parts)))
    scope: dict[str, Any] = {"typed": typed}
    exec(f"def operation(context, of{', ' if names else ''}{names}):\n    return typed(context, of{', ' if names else ''}{names})", scope)
    return intrinsic(scope["operation"])


def element_of(of: Any) -> Any:
    return of.element


def value_type_of(of: Any) -> Any:
    return of.value
