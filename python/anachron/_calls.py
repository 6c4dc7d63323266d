"""What a context does in compiled handlers: attributes and methods of `cx` for Numba."""

from __future__ import annotations

import inspect
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing import signature
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, bound_function
from numba.extending import (
    infer_getattr,
    lower_builtin,
    lower_getattr_generic,
    lower_setattr_generic,
)

from ._context import ABSOLUTE, IN_ORDER, ORDERED
from ._print import MOST, OF_TEXT, REAL, TEXT, TRUTH, WHOLE, words_of
from ._source import FORMAT
from ._text_types import encode_some
from ._types import (
    CallType,
    GroupType,
    HandleType,
    IdType,
    RangeType,
    RecordClass,
    RecordRef,
    RecordValue,
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


_BROADCAST = _parameters("to, delay, event, priority=, in_order=")
_METHODS = ["send", "send_at", "broadcast", "range", "id", "count", "cancel", "record", "print", "stop"]
_OF_PROCESSES = ["timeout", "event", "process", "any_of", "all_of", "passivate", "active_process"]  # `_wait_types.py`


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
        known = [*simple, "params", *_METHODS, *_OF_PROCESSES]
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

    @bound_function("anachron.cx.broadcast")
    def resolve_broadcast(self, ty: Any, args: Any, kws: Any) -> Any:
        try:
            given = _BROADCAST.bind(*args, **kws).arguments
        except TypeError as error:
            return refuse(f"cx.broadcast(to, delay, event): {error}")
        to, time, event = list(given.values())[:3]
        if not isinstance(to, (RecordClass, RangeType, GroupType)):
            return refuse(f"cx.broadcast: to an LP type, a cx.range(..) or a group of cx.shared, not to {to}")
        if not isinstance(time, (types.Float, types.Integer)):
            return refuse(f"cx.broadcast: {time} is no delay")
        if not isinstance(event, (RecordValue, RecordRef)):
            return refuse(f"cx.broadcast: {event} is no event: derive its class from an.Event")
        try:
            ty.unit.model._number_of_event(to.cls, event.cls)
        except TypeError as error:
            return refuse(str(error))
        order = [given.get(name, types.none) for name in ("priority", "in_order")]
        wanted = [types.none if given_type is types.none else types.int64 for given_type in order]
        return signature(types.none, to, types.float64, event, *wanted).replace(pysig=_BROADCAST)

    @bound_function("anachron.cx.range")
    def resolve_range(self, ty: Any, args: Any, kws: Any) -> Any:
        own, numbers = (args[:1], args[1:]) if args and isinstance(args[0], RecordClass) else ((), args)
        if kws or len(numbers) != 2 or not all(isinstance(n, types.Integer) for n in numbers):
            return refuse("cx.range(first, count) or cx.range(LP, first, count)")
        return signature(RangeType(own[0].cls if own else ty.cls), *own, types.int64, types.int64)

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

    def resolve_print(self, ty: Any) -> Any:
        class Print(AbstractTemplate):
            key = "anachron.cx.print"
            prefer_literal = True  # a text that is written there is no value

            def generic(self, args: Any, kws: Any) -> Any:
                return _signature_of_print(args, kws).replace(recvr=ty)

        return types.BoundFunction(Print, ty)

    @bound_function("anachron.cx.stop")
    def resolve_stop(self, ty: Any, args: Any, kws: Any) -> Any:
        return signature(types.none) if not args else refuse("cx.stop()")


def _signature_of_print(args: Any, kws: Any) -> Any:
    values = [a for a in args if not isinstance(a, types.StringLiteral)]
    for value in values:
        if not isinstance(value, (types.Number, types.Boolean, types.UnicodeType, IdType)):
            return refuse(f"cx.print: {value} is neither a number nor a text")
    texts = sum(isinstance(value, types.UnicodeType) for value in values)
    if kws or len(values) + texts * (OF_TEXT - 1) > MOST:
        return refuse(f"cx.print(text, number, ..): at most {MOST} numbers; a text that is not written there counts as {OF_TEXT}")
    return signature(types.none, *args)


@lower_getattr_generic(CallType)
def _get_of_call(context: Any, builder: Any, ty: Any, value: Any, attr: str) -> Any:
    if attr == "now":
        return builder.load(at(builder, value, 0, f64))
    if attr in ("index", "self_id"):
        return builder.zext(builder.load(at(builder, value, 8, i32)), i64)
    if attr == "lp_count":
        return builder.zext(builder.load(at(builder, value, 12, i32)), i64)
    if attr in ("params", "shared"):
        of_run = builder.load(at(builder, value, 16, pointer))
        return builder.load(at(builder, of_run, 0 if attr == "params" else 8, pointer))
    if attr == "rng":
        own = cgutils.create_struct_proxy(rng)(context, builder)
        own.call, own.stream = value, ir.Constant(pointer, None)
        return own._getvalue()
    return value  # methods


@lower_setattr_generic(CallType)
@lower_setattr_generic(SharedType)
def _set_of_call(context: Any, builder: Any, sig: Any, args: Any, attr: str) -> None:
    of = "cx" if isinstance(sig.args[0], CallType) else "cx.shared"
    refuse(f"{of}.{attr} cannot be assigned: what changes is in the state (annotated fields)")


def _payload(builder: Any, call: Any, event: Any, value: Any) -> Any:
    """The address of what an event carries; of nothing any."""
    if not isinstance(event, RecordValue):
        return value
    return spill(builder, value) if event.cls._size else call


def _flags(builder: Any, sig: Any, priority: Any, in_order: Any, flags: int) -> Any:
    """As python/src/api_call.cpp has them. The last two arguments are the order, if it is given."""
    how: Any = i32(flags)
    if sig.args[4] is not types.none or sig.args[5] is not types.none:
        how = builder.or_(how, i32(ORDERED))
        if sig.args[5] is not types.none:
            is_so = builder.icmp_signed("!=", in_order, i64(0))
            how = builder.or_(how, builder.select(is_so, i32(IN_ORDER), i32(0)))
        level = i32(0) if sig.args[4] is types.none else builder.trunc(priority, i32)
        how = builder.or_(how, builder.shl(builder.add(level, i32(128)), i32(8)))
    return how


def _lower_send(context: Any, builder: Any, sig: Any, args: Any, flags: int) -> Any:
    ty, to, _, event = sig.args[:4]
    call, index, time, payload, priority, in_order = args
    number = ty.unit.model._number_of_event(to.cls, event.cls)
    payload = _payload(builder, call, event, payload)
    how = _flags(builder, sig, priority, in_order, flags)
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


@lower_builtin("anachron.cx.broadcast", CallType, types.VarArg(types.Any))
def _broadcast(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    ty, to, _, event = sig.args[:4]
    call, whom, time, payload, priority, in_order = args
    model = ty.unit.model
    first, members = i64(0), ir.Constant(pointer, None)
    if isinstance(to, RecordClass):
        count = _count_of(builder, call, model._number_of_lp(to.cls))
    else:
        given = cgutils.create_struct_proxy(to)(context, builder, value=whom)
        count = given.count
        if isinstance(to, GroupType):
            members = given.members
        else:
            first = given.first
    arguments = [call, i32(model._number_of_event(to.cls, event.cls)), first, count, members, time]
    types_of_c = [pointer, i32, i64, i64, pointer, f64, pointer, i32]
    function = c_function(builder, "call_broadcast", ir.VoidType(), types_of_c)
    how = _flags(builder, sig, priority, in_order, 0)
    builder.call(function, [*arguments, _payload(builder, call, event, payload), how])
    return context.get_dummy_value()


@lower_builtin("anachron.cx.range", CallType, types.VarArg(types.Any))
def _range(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    out = cgutils.create_struct_proxy(sig.return_type)(context, builder)
    out.first = args[-2]
    out.count = builder.select(builder.icmp_signed("<", args[-1], i64(0)), i64(0), args[-1])
    return out._getvalue()


@lower_builtin("anachron.cx.id", CallType, types.VarArg(types.Any))
def _id(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return args[-1]


@lower_builtin("anachron.cx.count", CallType, types.VarArg(types.Any))
def _count(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    number = sig.args[0].unit.model._number_of_lp(sig.args[1].cls)
    return _count_of(builder, args[0], number)


def _count_of(builder: Any, call: Any, lp_type: int) -> Any:
    function = c_function(builder, "call_lp_count", i32, [pointer, i32])
    return builder.zext(builder.call(function, [call, i32(lp_type)]), i64)


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


def _print(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    """A row: the number of the format, and the numbers."""
    model, given = sig.args[0].unit.model, list(zip(sig.args[1:], args[1:]))
    first = given[0][0].literal_value if given and isinstance(given[0][0], types.StringLiteral) else ""
    is_format = first.startswith(FORMAT)
    pieces, kinds, words = [], "", []
    for kind, value in given:
        if isinstance(kind, types.StringLiteral):
            text = kind.literal_value
            pieces.append(text.removeprefix(FORMAT) if is_format else text.replace("{", "{{").replace("}", "}}"))
            continue
        if isinstance(kind, IdType):
            pieces.append(kind.cls.__name__ + " {}")
        elif not is_format:
            pieces.append("{}")
        if isinstance(kind, types.Float):
            kinds, word = kinds + REAL, builder.bitcast(context.cast(builder, value, kind, types.float64), i64)
        elif isinstance(kind, types.Boolean):
            kinds, word = kinds + TRUTH, builder.zext(value, i64)
        elif isinstance(kind, types.UnicodeType):
            kinds, word = kinds + TEXT, value
        else:
            kinds, word = kinds + WHOLE, value if isinstance(kind, IdType) else context.cast(builder, value, kind, types.int64)
        words.append(word)
    number = sig.args[0].unit.formats.number_of(pieces[0] if is_format else " ".join(pieces), kinds)
    room = cgutils.alloca_once(builder, ir.ArrayType(i64, 1 + MOST))
    builder.store(ir.Constant(ir.ArrayType(i64, 1 + MOST), None), room)
    builder.store(i64(number), builder.gep(room, [i32(0), i32(0)]))
    place = 1
    for kind, word in zip(kinds, words):
        address = builder.gep(room, [i32(0), i32(place)])
        place += words_of(kind)
        if kind == TEXT:
            encode_some(context, builder, word, address, 8 * OF_TEXT)
        else:
            builder.store(word, address)
    function = c_function(builder, "call_row", ir.VoidType(), [pointer, i32, pointer])
    builder.call(function, [args[0], i32(len(model.rows)), builder.bitcast(room, pointer)])
    return context.get_dummy_value()


lower_builtin("anachron.cx.print", CallType)(_print)
lower_builtin("anachron.cx.print", CallType, types.VarArg(types.Any))(_print)


@lower_builtin("anachron.cx.stop", CallType)
def _stop(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    builder.call(c_function(builder, "call_stop", ir.VoidType(), [pointer]), [args[0]])
    return context.get_dummy_value()
