"""Resources, containers and stores for Numba. `_waits.py` has the same interpreted, and says what each method does."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import (
    infer_getattr,
    intrinsic,
    lower_getattr_generic,
    lower_setattr_generic,
    overload,
    overload_method,
    register_jitable,
)

from ._kinds import WaitKind
from ._members import store_field
from ._messages import AMOUNT_ABOVE_0
from ._types import RecordValue, WaitType, at, f64, i8_, i32, i64, pointer, refuse
from ._wait_types import NO_VALUE, WaitPlaceType, call_of_process, handle_of, made_wait
from ._waits import (
    Container,
    PriorityStore,
    Resource,
    Store,
    known_of_place,
    place_has_no,
)

# Resources, containers and stores.


def _of_place(name: str, kind_of: Any, arguments: Any) -> Any:
    """An intrinsic that calls a function of the library with a place, and returns a wait."""
    names = "".join(f", v{i}" for i in range(len(arguments)))

    def typed(context: Any, place: Any, *_given: Any) -> Any:
        kind = kind_of(place)

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            given = [builder.zext(v, i8_) if t == types.boolean else v for v, t in zip(args[1:], sig.args[1:])]
            made = call_of_process(builder, name, args[0], i32(place.field.offset), *given)
            return made_wait(context, builder, kind, args[0], made)

        return kind(place, *arguments), generate

    scope: dict[str, Any] = {"typed": typed}
    exec(f"def operation(context, place{names}):\n    return typed(context, place{names})", scope)
    return intrinsic(scope["operation"])


_request = _of_place("resource_request", lambda _: NO_VALUE, [types.float64, types.boolean])
_put_amount = _of_place("container_put", lambda _: NO_VALUE, [types.float64])
_get_amount = _of_place("container_get", lambda _: NO_VALUE, [types.float64])


@intrinsic
def _release(_context, place, request):
    def generate(context, builder, sig, args):
        made = call_of_process(builder, "resource_release", args[0], handle_of(builder, args[1]))
        return made_wait(context, builder, NO_VALUE, args[0], made)

    return NO_VALUE(place, request), generate


@intrinsic
def _put_item(context, place, item, priority):
    if context.can_convert(item, place.item_type) is None or isinstance(place.item_type, RecordValue) and item != place.item_type:
        refuse(f"{place.field.owner.__name__}.{place.field.name} has {place.kind.item.name}, and gets {item}")

    def generate(context, builder, sig, args):
        room = cgutils.alloca_once(builder, ir.ArrayType(i64, place.item_bytes // 8))
        builder.store(ir.Constant(room.type.pointee, None), room)
        base = builder.bitcast(room, pointer)
        store_field(context, builder, base, place.item, args[1], sig.args[1])
        arguments = [i32(place.field.offset), base, i32(place.item_bytes), args[2]]
        made = call_of_process(builder, "store_put", args[0], *arguments)
        return made_wait(context, builder, NO_VALUE, args[0], made)

    return NO_VALUE(place, place.item_type, types.float64), generate


@intrinsic
def _get_item(context, place):
    kind = WaitType(WaitKind(place.kind.item, is_item=True))

    def generate(context, builder, sig, args):
        null = ir.Constant(pointer, None)
        arguments = [i32(place.field.offset), i32(place.item_bytes), i32(0), null, i32(0)]
        made = call_of_process(builder, "store_get", args[0], *arguments)
        return made_wait(context, builder, kind, args[0], made)

    return kind(place), generate


def _is(place: Any, *classes: Any) -> bool:
    return isinstance(place, WaitPlaceType) and issubclass(place.cls, classes)


@overload_method(WaitPlaceType, "request")
def _request_method(place, priority=0, preempt=True):
    return (lambda place, priority=0, preempt=True: _request(place, priority, preempt)) if _is(place, Resource) else None


@overload_method(WaitPlaceType, "release")
def _release_method(place, request):
    return (lambda place, request: _release(place, request)) if _is(place, Resource) else None


@register_jitable
def _checked(amount):
    if not amount > 0:
        raise ValueError(AMOUNT_ABOVE_0)
    return amount


@overload_method(WaitPlaceType, "put")
def _put_method(place, item, priority=0.0):
    if _is(place, Container):
        return lambda place, item, priority=0.0: _put_amount(place, _checked(item))
    return (lambda place, item, priority=0.0: _put_item(place, item, priority)) if _is(place, Store) else None


@overload_method(WaitPlaceType, "get")
def _get_method(place, amount=0.0):
    if _is(place, Container):
        return lambda place, amount=0.0: _get_amount(place, _checked(amount))
    return (lambda place, amount=0.0: _get_item(place)) if _is(place, Store) else None


@infer_getattr
class _PlaceNumbers(AttributeTemplate):
    key = WaitPlaceType

    def generic_resolve(self, ty: Any, attr: str) -> Any:
        known = known_of_place(ty.cls)
        if attr not in known and attr != "get_if":
            refuse(place_has_no(ty.cls, f"'{attr}'"))
        if attr not in ty.kind.layout or issubclass(ty.cls, Store):
            return None  # a method
        return types.float64 if ty.kind.layout[attr][0] == "d" else types.int64


@lower_getattr_generic(WaitPlaceType)
def _get_number(context: Any, builder: Any, ty: Any, value: Any, attr: str) -> Any:
    if attr not in ty.kind.layout or issubclass(ty.cls, Store):
        return value  # a method
    return _number(builder, ty, value, attr)


def _number(builder: Any, ty: Any, state: Any, name: str) -> Any:
    code, offset = ty.kind.layout[name]
    loaded = builder.load(at(builder, state, ty.field.offset + offset, f64 if code == "d" else i32))
    return loaded if code == "d" else builder.zext(loaded, i64)


@lower_setattr_generic(WaitPlaceType)
def _set_number(context: Any, builder: Any, sig: Any, args: Any, attr: str) -> None:
    ty = sig.args[0]
    if attr not in ("capacity", "level"):
        refuse(f"{ty.cls.__name__}.{attr} cannot be assigned")
    if issubclass(ty.cls, Resource):
        call_of_process(builder, "resource_capacity", args[0], i32(ty.field.offset), args[1])
        return
    code, offset = ty.kind.layout[attr]
    value = args[1] if code == "d" else builder.trunc(args[1], i32)
    builder.store(value, at(builder, args[0], ty.field.offset + offset, f64 if code == "d" else i32))


@intrinsic
def _items_in(_context, place):
    def generate(context, builder, sig, args):
        name = "ordered" if issubclass(place.cls, PriorityStore) else "items"
        return _number(builder, place, args[0], name)

    return types.int64(place), generate


@overload(len)
def _len(place):
    return (lambda place: _items_in(place)) if _is(place, Store) else None
