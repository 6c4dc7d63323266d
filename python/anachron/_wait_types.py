"""What processes wait for as types of Numba. `_waits.py` has the same interpreted, and says what each method does."""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import (
    infer_getattr,
    intrinsic,
    lower_getattr_generic,
    models,
    overload,
    overload_attribute,
    overload_method,
    register_jitable,
    register_model,
)
from numba.core.typing.templates import AttributeTemplate

from ._containers import Element
from ._fields import Field
from ._kinds import F8, WaitKind
from ._members import load_field
from ._messages import (
    HAS_ENDED, INTERRUPTS_ITSELF, NO_EVENT, NOT_PASSIVE, NOT_TRIGGERED, TRIGGERED_TWICE, VALUE_IS_GONE, has_no, members_of
)
from ._native import PROCESS_CALLS
from ._types import (
    OF_C,
    WaitType,
    at,
    c_function,
    f64,
    i1_,
    i64,
    pointer,
    refuse,
    type_of_field,
    types_by_kind,
)
from ._waits import GONE, PENDING, PROCESSED, Wait, WaitPlaceKind

NO_VALUE = WaitType(WaitKind())
_STATE = 32  # where a call has the address of the state: include/anachron/model/plain.hpp


class WaitPlaceType(types.Type):
    """A resource, a container or a store at its place in a state. A value of it is the address of the state."""

    def __init__(self, field: Field):
        self.field, self.cls, self.kind = field, field.kind.cls, field.kind
        super().__init__(name=f"anachron.{self.cls.__name__} {field.owner.__qualname__}.{field.name}@{id(field.owner):x}")

    @property
    def item(self) -> Field:
        return Field("item", self.kind.item, 0, None, self.field.owner)

    @property
    def item_type(self) -> Any:
        return type_of_field(self.item, False)

    @property
    def item_bytes(self) -> int:
        return Element(self.kind.item, self.field.owner, 8).bytes


types_by_kind[WaitPlaceKind] = WaitPlaceType


@register_model(WaitPlaceType)
class _WaitPlaceModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe: Any):
        super().__init__(dmm, fe, pointer)


class InterruptType(types.Type):
    """What `except an.Interrupt as interrupt` gives."""

    def __init__(self) -> None:
        super().__init__(name="anachron.Interrupt")


interrupt_type = InterruptType()


@register_model(InterruptType)
class _InterruptModel(models.StructModel):
    def __init__(self, dmm: Any, fe: Any):
        members = [
            ("cause", types.float64),
            ("usage_since", types.float64),
            ("preempted", types.boolean),
            ("by", NO_VALUE),
        ]
        super().__init__(dmm, fe, members)


@infer_getattr
class _InterruptAttributes(AttributeTemplate):
    key = InterruptType

    def generic_resolve(self, ty: Any, attr: str) -> Any:
        known = {"cause": types.float64, "usage_since": types.float64, "preempted": types.boolean, "by": NO_VALUE}
        return known.get(attr) or refuse(f"an interrupt has no '{attr}' (it has: {', '.join(known)})")


@lower_getattr_generic(InterruptType)
def _get_of_interrupt(context: Any, builder: Any, ty: Any, value: Any, attr: str) -> Any:
    return getattr(cgutils.create_struct_proxy(ty)(context, builder, value=value), attr)


def call_of_process(builder: Any, name: str, state: Any, *arguments: Any) -> Any:
    """Calls a function of the library. A truth value that it returns is one bit."""
    result, kinds = PROCESS_CALLS[name]
    returned = ir.VoidType() if result is None else OF_C[result.__name__]
    function = c_function(builder, name, returned, [pointer, *[OF_C[kind.__name__] for kind in kinds]])
    value = builder.call(function, [state, *arguments])
    return builder.trunc(value, i1_) if result is not None and result.__name__ == "c_bool" else value


def made_wait(context: Any, builder: Any, kind: WaitType, state: Any, handle: Any) -> Any:
    wait = cgutils.create_struct_proxy(kind)(context, builder)
    wait.state, wait.handle = state, handle
    return wait._getvalue()


def state_of_call(builder: Any, call: Any) -> Any:
    return builder.load(at(builder, call, _STATE, pointer))


def bits_of(context: Any, builder: Any, value: Any, of: Any) -> Any:
    """A number as 64 bits."""
    if of is types.none:
        return i64(0)
    if isinstance(of, types.Float):
        return builder.bitcast(context.cast(builder, value, of, types.float64), i64)
    return context.cast(builder, value, of, types.int64)


def value_of(context: Any, builder: Any, kind: WaitKind, bits: Any) -> Any:
    """The number that 64 bits are."""
    if kind.of is None:
        return context.get_dummy_value()
    if kind.of is F8:
        return builder.bitcast(bits, f64)
    return builder.icmp_unsigned("!=", bits, i64(0)) if kind.of.dtype.kind == "b" else bits


def type_of_value(kind: WaitKind) -> Any:
    return types.none if kind.of is None else type_of_field(Field("value", kind.of, 0, None, None), False)


def check_value(kind: WaitKind, given: Any, what: str) -> Any:
    """The type that a value is converted to."""
    wanted = type_of_value(kind)
    is_none = given is types.none or isinstance(given, types.Omitted)
    if is_none != (wanted is types.none):
        refuse(f"{what}: expected {'no value' if wanted is types.none else kind.of.name if kind.of else ''}, and gets {given}")
    return types.none if is_none else wanted


# Events, timeouts, conditions.


def handle_of(builder: Any, wait: Any) -> Any:
    return builder.extract_value(wait, 1)


def _state(builder: Any, wait: Any) -> Any:
    return builder.extract_value(wait, 0)


def _of_wait(name: str, result: Any, arguments: Any = ()) -> Any:
    """An intrinsic that calls a function of the library with a wait, and numbers."""
    names = "".join(f", v{i}" for i in range(len(arguments)))

    def typed(context: Any, wait: Any, *_given: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            made = call_of_process(builder, name, _state(builder, args[0]), handle_of(builder, args[0]), *args[1:])
            return context.get_dummy_value() if result is types.none else made

        return result(wait, *arguments), generate

    scope: dict[str, Any] = {"typed": typed}
    exec(f"def operation(context, wait{names}):\n    return typed(context, wait{names})", scope)
    return intrinsic(scope["operation"])


_leave = _of_wait("wait_leave", types.none)
_status = _of_wait("wait_status", types.int32)
_is_alive = _of_wait("process_is_alive", types.boolean)
_interrupt = _of_wait("process_interrupt", types.boolean, [types.float64])
_activate = _of_wait("process_activate", types.boolean)
_fail = _of_wait("wait_fail", types.boolean, [types.float64])


@intrinsic
def _succeed(context, wait, value):
    wanted = check_value(wait.kind, value, "succeed")

    def generate(context, builder, sig, args):
        bits = bits_of(context, builder, args[1], sig.args[1])
        return call_of_process(builder, "wait_succeed", _state(builder, args[0]), handle_of(builder, args[0]), bits)

    return types.boolean(wait, wanted), generate


@intrinsic
def _value(context, wait):
    def generate(context, builder, sig, args):
        state, handle = _state(builder, args[0]), handle_of(builder, args[0])
        if wait.kind.is_item:
            return load_item(context, builder, wait.kind, state, call_of_process(builder, "wait_item", state, handle))
        return value_of(context, builder, wait.kind, call_of_process(builder, "wait_value", state, handle))

    return type_of_value(wait.kind)(wait), generate


def load_item(context: Any, builder: Any, kind: WaitKind, state: Any, address: Any) -> Any:
    """What lies at an address; null: zeros, as the event has failed."""
    size = kind.of.dtype.itemsize if kind.of else 8
    room = cgutils.alloca_once(builder, ir.ArrayType(i64, -(-size // 8)))
    builder.store(ir.Constant(room.type.pointee, None), room)
    empty = builder.bitcast(room, pointer)
    source = builder.select(cgutils.is_null(builder, address), empty, address)
    value = load_field(context, builder, source, Field("item", kind.of, 0, None, None), False)  # type: ignore[arg-type]
    return builder.insert_value(value, state, 0) if isinstance(kind.of, WaitKind) else value


@infer_getattr
class _WaitAttributes(AttributeTemplate):
    key = WaitType

    def generic_resolve(self, ty: Any, attr: str) -> Any:
        known = members_of(Wait)
        return None if attr in known else refuse(has_no("an an.Wait", f"'{attr}'", known))


@register_jitable
def check_named(w):
    if not _names_something(w):
        raise RuntimeError(NO_EVENT)


@register_jitable
def value_of_wait(w):
    check_named(w)
    status = _status(w)
    if status == PENDING:
        raise RuntimeError(NOT_TRIGGERED)
    if status == GONE:
        raise RuntimeError(VALUE_IS_GONE)
    return _value(w)


@overload_method(WaitType, "cancel")
def _cancel_method(w):
    return lambda w: _leave(w)


@overload_method(WaitType, "succeed")
def _succeed_method(w, value=None):
    def succeed(w, value=None):
        check_named(w)
        if not _succeed(w, value):
            raise RuntimeError(TRIGGERED_TWICE)

    return succeed


@overload_method(WaitType, "fail")
def _fail_method(w, cause=0.0):
    def fail(w, cause=0.0):
        check_named(w)
        if not _fail(w, cause):
            raise RuntimeError(TRIGGERED_TWICE)

    return fail


@overload_method(WaitType, "interrupt")
def _interrupt_method(w, cause=0.0):
    if isinstance(cause, (types.UnicodeType, types.StringLiteral)):
        refuse("interrupt(cause): the cause is a number")

    def interrupt(w, cause=0.0):
        check_named(w)
        if not _interrupt(w, cause):
            raise RuntimeError(INTERRUPTS_ITSELF if _is_alive(w) else HAS_ENDED)

    return interrupt


@overload_method(WaitType, "activate")
def _activate_method(w):
    def activate(w):
        check_named(w)
        if not _activate(w):
            raise RuntimeError(NOT_PASSIVE)

    return activate


@overload_attribute(WaitType, "triggered")
def _triggered(w):
    return lambda w: _status(w) != PENDING


@overload_attribute(WaitType, "processed")
def _processed(w):
    return lambda w: _status(w) >= PROCESSED


@overload_attribute(WaitType, "is_alive")
def _alive(w):
    return lambda w: _is_alive(w)


@overload_attribute(WaitType, "value")
def _value_attribute(w):
    return value_of_wait


@intrinsic
def _names_something(_context, w):
    def generate(context, builder, sig, args):
        return builder.icmp_unsigned("!=", handle_of(builder, args[0]), i64(0))

    return types.boolean(w), generate


@overload(bool)
def _bool(w):
    return (lambda w: _names_something(w)) if isinstance(w, WaitType) else None


@intrinsic
def _is_same(_context, a, b):
    def generate(context, builder, sig, args):
        return builder.icmp_unsigned("==", handle_of(builder, args[0]), handle_of(builder, args[1]))

    return types.boolean(a, b), generate


@overload(operator.eq)
def _eq(a, b):
    return (lambda a, b: _is_same(a, b)) if isinstance(a, WaitType) and isinstance(b, WaitType) else None


@overload(operator.ne)
def _ne(a, b):
    return (lambda a, b: not _is_same(a, b)) if isinstance(a, WaitType) and isinstance(b, WaitType) else None
