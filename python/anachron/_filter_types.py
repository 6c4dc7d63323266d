"""Filters of what is got from stores, for Numba. A filter is compiled where it is used, for the types of the variables that it
uses; these are kept, a word each, beside the get."""

from __future__ import annotations

from typing import Any, NamedTuple

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic, overload_method

from ._kinds import WaitKind
from ._members import load_field
from ._types import IdType, RecordRef, WaitType, at, c_function, f64, i32, i64, pointer, refuse
from ._wait_types import WaitPlaceType, call_of_process, made_wait
from ._waits import Store


class Filter(NamedTuple):
    """`compiled`: of the item, the LP, and these variables; `write` makes its entry."""

    function: Any
    arguments: tuple[Any, ...]
    compiled: Any
    write: Any


class _Unit:
    """What is compiled. Numba's lock is held."""

    now: Any = None


unit = _Unit()


def _word_of(context: Any, builder: Any, value: Any, kind: Any) -> Any:
    if isinstance(kind, types.Float):
        return builder.bitcast(context.cast(builder, value, kind, types.float64), i64)
    return value if isinstance(kind, IdType) else context.cast(builder, value, kind, types.int64)


def _of_word(builder: Any, word: Any, kind: Any) -> Any:
    if isinstance(kind, types.Float):
        return builder.bitcast(word, f64)
    return builder.icmp_unsigned("!=", word, i64(0)) if isinstance(kind, types.Boolean) else word


def _writer(place: WaitPlaceType, around: list[Any]) -> Any:
    def write(context: Any, module: Any, symbol: str, compiled: Any, _place: str) -> None:
        """int symbol(state, item, with, call)."""
        function = ir.Function(module, ir.FunctionType(i32, [pointer] * 4), symbol)
        builder = ir.IRBuilder(function.append_basic_block("entry"))
        state, item, kept, call = function.args
        value = load_field(context, builder, item, place.item, False)
        if isinstance(place.item.kind, WaitKind):
            value = builder.insert_value(value, state, 0)
        words = [builder.load(at(builder, kept, 8 * i, i64)) for i in range(len(around))]
        arguments = [value, state, *(_of_word(builder, word, kind) for word, kind in zip(words, around))]
        callee = context.declare_function(module, compiled.fndesc)
        status, result = context.call_conv.call_function(
            builder, callee, compiled.fndesc.restype, compiled.fndesc.argtypes, arguments
        )
        with cgutils.if_unlikely(builder, status.is_error):
            text = context.insert_const_string(module, f"a filter of {place.field.owner.__qualname__}.{place.field.name} has raised an exception")
            builder.call(c_function(builder, "call_fail", ir.VoidType(), [pointer, pointer]), [call, text])
            builder.ret(i32(-1))
        result = context.cast(builder, result, compiled.fndesc.restype, types.boolean)
        builder.ret(builder.zext(result, i32))

    return write


def _number_of(filter: Any, place: WaitPlaceType, state: RecordRef, around: list[Any]) -> int:
    """Compiles a filter for these types, if it was not yet."""
    filters = unit.now.filters.setdefault(place.field.owner, [])
    arguments = (place.item_type, state, *around)
    for number, known in enumerate(filters):
        if known.function is filter and known.arguments == arguments:
            return number
    filter.compile(arguments)
    filters.append(Filter(filter, arguments, filter.overloads[arguments], _writer(place, around)))
    return len(filters) - 1


@intrinsic
def _get_if(context, place, filter, around):
    kinds = [types.unliteral(kind) for kind in around]
    for kind in kinds:
        if not isinstance(kind, (types.Integer, types.Float, types.Boolean, IdType)):
            refuse(f"a filter uses {kind}: it may use numbers, LPs and `self`")
    kinds = [kind if isinstance(kind, (types.Boolean, IdType)) else types.float64 if isinstance(kind, types.Float) else types.int64 for kind in kinds]
    result = WaitType(WaitKind(place.kind.item, is_item=True))
    dispatcher = filter.dispatcher
    owner = RecordRef(place.field.owner, True, unit.now)

    def generate(context, builder, sig, args):
        number = _number_of(dispatcher, place, owner, kinds)
        room = cgutils.alloca_once(builder, ir.ArrayType(i64, max(len(kinds), 1)))
        for i, (value, kind) in enumerate(zip(cgutils.unpack_tuple(builder, args[2], len(kinds)), sig.args[2])):
            builder.store(_word_of(context, builder, value, kind), builder.gep(room, [i32(0), i32(i)]))
        size = i32(8 * len(kinds))
        arguments = [i32(place.field.offset), i32(place.item_bytes), i32(number + 1), builder.bitcast(room, pointer), size]
        return made_wait(context, builder, result, args[0], call_of_process(builder, "store_get", args[0], *arguments))

    return result(place, filter, around), generate


@overload_method(WaitPlaceType, "get_if")
def _get_if_method(place, filter, around):
    if not issubclass(place.cls, Store):
        return None
    return lambda place, filter, around: _get_if(place, filter, around)

