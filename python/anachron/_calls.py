"""What a context does in compiled handlers: attributes and methods of `cx`, `cx.shared` and `cx.rng` for Numba."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing import signature
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, bound_function
from numba.extending import infer_getattr, lower_builtin, lower_getattr_generic
from numba.np import numpy_support

from ._context import ABSOLUTE, IN_ORDER, ORDERED
from ._native import RNG
from ._types import (
    CallType,
    HandleType,
    IdType,
    RecordClass,
    RecordRef,
    RecordValue,
    RngType,
    SentType,
    SharedType,
    at,
    c_function,
    f64,
    handle,
    i1_,
    i8_,
    i32,
    i64,
    make_array,
    pointer,
    refuse,
    rng,
    sent,
    spill,
)


def _parameters(names: str) -> inspect.Signature:
    """`to, time, priority=`: those with = may be left out."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    return inspect.Signature(
        [
            inspect.Parameter(n.rstrip("="), kind, default=None if n.endswith("=") else inspect.Parameter.empty)
            for n in names.split(", ")
        ]
    )


_SEND = {
    "send": _parameters("to, delay, event, priority=, in_order="),
    "send_at": _parameters("to, time, event, priority=, in_order="),
}


@infer_getattr
class _CallAttributes(AttributeTemplate):
    key = CallType

    def generic_resolve(self, ty: Any, attr: str) -> Any:
        if attr == "params":
            return RecordRef(ty.unit.model.params, False)
        simple = {
            "now": types.float64,
            "index": types.int64,
            "lp_count": types.int64,
            "self_id": IdType(ty.cls),
            "shared": SharedType(ty.unit),
            "rng": rng,
        }
        if attr in simple:
            return simple[attr]
        known = [*simple, "params", "send", "send_at", "id", "count", "cancel", "record", "stop"]
        return None if attr in known else refuse(f"a context has no '{attr}' (it has: {', '.join(known)})")

    @bound_function("anachron.cx.send")
    def resolve_send(self, ty: Any, args: Any, kws: Any) -> Any:
        return self._send(ty, "send", args, kws)

    @bound_function("anachron.cx.send_at")
    def resolve_send_at(self, ty: Any, args: Any, kws: Any) -> Any:
        return self._send(ty, "send_at", args, kws)

    def _send(self, ty: Any, which: str, args: Any, kws: Any) -> Any:
        pysig = _SEND[which]
        try:
            given = pysig.bind(*args, **kws).arguments
        except TypeError as error:
            return refuse(f"cx.{which}(to, {'delay' if which == 'send' else 'time'}, event): {error}")
        to, time, event = list(given.values())[:3]
        if not isinstance(to, IdType):
            return refuse(f"cx.{which}: an event is sent to an LP, cx.id(number) or an an.Id, not to {to}")
        if not isinstance(time, (types.Float, types.Integer)):
            return refuse(f"cx.{which}: {time} is no time")
        if not isinstance(event, (RecordValue, RecordRef)):
            return refuse(f"cx.{which}: {event} is no event: derive its class from an.Event")
        try:
            ty.unit.model._number_of_event(to.cls, event.cls)
        except TypeError as error:
            return refuse(str(error))
        order = [given.get(name, types.none) for name in ("priority", "in_order")]
        wanted = [types.none if given_type is types.none else types.int64 for given_type in order]
        return signature(sent, to, types.float64, event, *wanted).replace(pysig=pysig)

    @bound_function("anachron.cx.id")
    def resolve_id(self, ty: Any, args: Any, kws: Any) -> Any:
        if len(args) == 1 and isinstance(args[0], types.Integer):
            return signature(IdType(ty.cls), types.int64)
        if len(args) == 2 and isinstance(args[0], RecordClass) and isinstance(args[1], types.Integer):
            return signature(IdType(args[0].cls), args[0], types.int64)
        return refuse(f"cx.id(number) or cx.id(LP, number), not cx.id({', '.join(map(str, args))})")

    @bound_function("anachron.cx.count")
    def resolve_count(self, ty: Any, args: Any, kws: Any) -> Any:
        if len(args) == 1 and isinstance(args[0], RecordClass):
            return signature(types.int64, args[0])
        return refuse("cx.count(LP)")

    @bound_function("anachron.cx.cancel")
    def resolve_cancel(self, ty: Any, args: Any, kws: Any) -> Any:
        if len(args) == 1 and isinstance(args[0], (HandleType, SentType)):
            return signature(types.boolean, handle)
        return refuse("cx.cancel(handle): a handle is what cx.send has returned")

    @bound_function("anachron.cx.record")
    def resolve_record(self, ty: Any, args: Any, kws: Any) -> Any:
        if len(args) != 1 or not isinstance(args[0], RecordValue):
            return refuse("cx.record(row): a row is made by a class derived from an.Row")
        try:
            ty.unit.model._number_of_table(args[0].cls)
        except TypeError as error:
            return refuse(str(error))
        return signature(types.none, args[0])

    @bound_function("anachron.cx.stop")
    def resolve_stop(self, ty: Any, args: Any, kws: Any) -> Any:
        return signature(types.none) if not args else refuse("cx.stop()")


@lower_getattr_generic(CallType)
def _get_of_call(context: Any, builder: Any, ty: Any, value: Any, attr: str) -> Any:
    if attr == "now":
        return builder.load(at(builder, value, 0, f64))
    if attr in ("index", "self_id"):
        return builder.zext(builder.load(at(builder, value, 8, i32)), i64)
    if attr == "lp_count":
        return builder.zext(builder.load(at(builder, value, 12, i32)), i64)
    if attr == "params":
        return builder.load(at(builder, value, 16, pointer))
    if attr == "shared":
        return builder.load(at(builder, value, 24, pointer))
    return value  # rng; methods


def _lower_send(context: Any, builder: Any, sig: Any, args: Any, flags: int) -> Any:
    ty, to, _, event = sig.args[:4]
    call, index, time, payload, priority, in_order = args
    number = ty.unit.model._number_of_event(to.cls, event.cls)
    if isinstance(event, RecordValue):
        payload = spill(builder, payload) if event.cls._size else call
    how: Any = i32(flags)
    if sig.args[4] is not types.none or sig.args[5] is not types.none:
        how = builder.or_(how, i32(ORDERED))
        if sig.args[5] is not types.none:
            is_so = builder.icmp_signed("!=", in_order, i64(0))
            how = builder.or_(how, builder.select(is_so, i32(IN_ORDER), i32(0)))
        level = i32(0) if sig.args[4] is types.none else builder.trunc(priority, i32)
        how = builder.or_(how, builder.shl(builder.add(level, i32(128)), i32(8)))
    function = c_function(builder, "call_send", i64, [pointer, i32, i64, f64, pointer, i32])
    count = builder.call(function, [call, i32(number), index, time, payload, how])
    out = cgutils.create_struct_proxy(sent)(context, builder)
    out.call, out.event, out.index, out.time, out.number, out.flags = call, i32(number), index, time, count, how
    return out._getvalue()


@lower_builtin("anachron.cx.send", CallType, types.VarArg(types.Any))
def _send(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _lower_send(context, builder, sig, args, 0)


@lower_builtin("anachron.cx.send_at", CallType, types.VarArg(types.Any))
def _send_at(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _lower_send(context, builder, sig, args, ABSOLUTE)


@lower_builtin("anachron.cx.id", CallType, types.VarArg(types.Any))
def _id(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    none = i64(2**32 - 1)
    return builder.select(builder.icmp_unsigned("<", args[-1], none), args[-1], none)


@lower_builtin("anachron.cx.count", CallType, types.VarArg(types.Any))
def _count(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    number = sig.args[0].unit.model._number_of_lp(sig.args[1].cls)
    function = c_function(builder, "call_lp_count", i32, [pointer, i32])
    return builder.zext(builder.call(function, [args[0], i32(number)]), i64)


@lower_builtin("anachron.cx.cancel", CallType, types.VarArg(types.Any))
def _cancel(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    function = c_function(builder, "call_cancel", i8_, [pointer, pointer])
    return builder.trunc(builder.call(function, [args[0], spill(builder, args[1])]), i1_)


@lower_builtin("anachron.cx.record", CallType, types.VarArg(types.Any))
def _record(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    table = sig.args[0].unit.model._number_of_table(sig.args[1].cls)
    row = args[1]
    if not sig.args[1].cls._size:  # a row takes room
        row = ir.Constant(ir.ArrayType(i64, 1), None)
    function = c_function(builder, "call_row", ir.VoidType(), [pointer, i32, pointer])
    builder.call(function, [args[0], i32(table), spill(builder, row)])
    return context.get_dummy_value()


@lower_builtin("anachron.cx.stop", CallType)
def _stop(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    builder.call(c_function(builder, "call_stop", ir.VoidType(), [pointer]), [args[0]])
    return context.get_dummy_value()


# Shared data.


def _shared_words(layout: dict[str, Any]) -> dict[str, int]:
    """Where each begins, in words of 8 bytes."""
    places, word = {}, 0
    for name, what in layout.items():
        places[name] = word
        word += 1 + (what[1] if isinstance(what, tuple) else 0)
    return places


@infer_getattr
class _SharedAttributes(AttributeTemplate):
    key = SharedType

    def generic_resolve(self, ty: Any, attr: str) -> Any:
        what = ty.unit.shared.get(attr)
        if what is None:
            return refuse(f"cx.shared has no '{attr}' (it has: {', '.join(ty.unit.shared) or 'nothing'})")
        if isinstance(what, tuple):
            return types.Array(numpy_support.from_dtype(np.dtype(what[0])), what[1], "C", readonly=True)
        return types.float64 if what == "float" else types.int64


@lower_getattr_generic(SharedType)
def _get_of_shared(context: Any, builder: Any, ty: Any, value: Any, attr: str) -> Any:
    what, first = ty.unit.shared[attr], 8 * _shared_words(ty.unit.shared)[attr]
    if not isinstance(what, tuple):
        return builder.load(at(builder, value, first, f64 if what == "float" else i64))
    data = builder.load(at(builder, value, first, pointer))
    shape = [builder.load(at(builder, value, first + 8 * (i + 1), i64)) for i in range(what[1])]
    array_type = types.Array(numpy_support.from_dtype(np.dtype(what[0])), what[1], "C", readonly=True)
    return make_array(context, builder, array_type, data, shape)


# Random numbers.


def _numba_type(kind: Any) -> Any:
    return types.boolean if kind.__name__ == "c_bool" else types.float64 if kind.__name__ == "c_double" else types.int64


def _llvm_type(kind: Any) -> Any:
    return i8_ if kind.__name__ == "c_bool" else f64 if kind.__name__ == "c_double" else i64


def _draw_signature(name: str, args: Any, kws: Any) -> Any:
    if name == "uniform" and (args or kws):
        name = "uniform_in"
    result, arguments = RNG[name]
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    pysig = inspect.Signature(
        [inspect.Parameter(n, kind, default=inspect.Parameter.empty if d is None else d) for n, _, d in arguments]
    )
    try:
        given = pysig.bind(*args, **kws).arguments
    except TypeError as error:
        return refuse(f"cx.rng.{name}{pysig}: {error}")
    for argument, kind_of_it, _ in arguments:
        of = given.get(argument)
        if isinstance(of, types.Float) and kind_of_it.__name__ != "c_double":
            return refuse(f"cx.rng.{name}: {argument} is a whole number, and gets {of}: use int(..)")
    return signature(_numba_type(result), *[_numba_type(k) for _, k, _ in arguments]).replace(pysig=pysig)


@infer_getattr
class _RngAttributes(AttributeTemplate):
    key = RngType

    def generic_resolve(self, ty: Any, attr: str) -> Any:
        if attr not in RNG:
            return refuse(f"cx.rng has no '{attr}' (it has: {', '.join(RNG)})")

        class Draw(AbstractTemplate):
            key = "anachron.rng." + attr

            def generic(self, args: Any, kws: Any) -> Any:
                return _draw_signature(attr, args, kws).replace(recvr=ty)

        return types.BoundFunction(Draw, ty)


@lower_getattr_generic(RngType)
def _get_of_rng(context: Any, builder: Any, ty: Any, value: Any, attr: str) -> Any:
    return value


def _lower_draws(name: str) -> None:
    def draw(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        of = "uniform_in" if name == "uniform" and len(args) > 1 else name
        result, arguments = RNG[of]
        kinds = [_llvm_type(k) for _, k, _ in arguments]
        value = builder.call(c_function(builder, "rng_" + of, _llvm_type(result), [pointer, *kinds]), args)
        return builder.trunc(value, i1_) if result.__name__ == "c_bool" else value

    lower_builtin("anachron.rng." + name, RngType)(draw)
    lower_builtin("anachron.rng." + name, RngType, types.VarArg(types.Any))(draw)


for _name in RNG:
    _lower_draws(_name)
