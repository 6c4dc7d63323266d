"""Random numbers in compiled handlers. A function of the library draws each of them. Of those that are drawn most, the
usual case is compiled into the handler: it takes the next 64 bits that the library has made ready."""

from __future__ import annotations

import ctypes
import inspect
import math
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing import signature
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate
from numba.extending import infer_getattr, lower_builtin, lower_getattr_generic

from ._native import RNG, native
from ._types import RngType, at, c_function, f64, i1_, i8_, i32, i64, pointer, refuse, rng

_layout = (ctypes.c_uint64 * 4)()
native.rng_layout(_layout)
#: Where a call has the LP's numbers. The first three are the address of their count, the number of the next one that is
#: ready, and those that are ready. The last says how many are ready.
LAYOUT: tuple[int, ...] = tuple(_layout)
_logarithm = (ctypes.c_uint64 * 3)()
#: The table of logarithms, and how it is used: src/model/random/logarithm.hpp.
LOGARITHMS: int = native.rng_logarithms(_logarithm)
LOGARITHM: tuple[int, ...] = tuple(_logarithm)


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
        if attr == "__call__":
            return None  # it is a function itself
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


# The usual cases, as include/anachron/model/rng.hpp has them: of arguments whether they are valid, and of 64 bits the
# number, and whether it is one that these bits suffice for. All else is left to the library.
Usual = tuple[Callable[[Any, list[Any]], Any], Callable[[Any, Any, list[Any]], tuple[Any, Any]]]


def _within(builder: Any, x: Any, highest: float) -> Any:
    low, high = builder.fcmp_ordered(">=", x, f64(0.0)), builder.fcmp_ordered("<=", x, f64(highest))
    return builder.and_(low, high)


def _uniform(builder: Any, bits: Any) -> Any:
    return builder.fmul(builder.sitofp(builder.lshr(bits, i64(11)), f64), f64(2.0**-53))


def _below(builder: Any, bits: Any, args: list[Any]) -> tuple[Any, Any]:
    wide = ir.IntType(128)
    product = builder.mul(builder.zext(bits, wide), builder.zext(args[0], wide))
    low, high = builder.trunc(product, i64), builder.trunc(builder.lshr(product, wide(64)), i64)
    return high, builder.icmp_unsigned(">=", low, args[0])


def _minus_log_of_complement(builder: Any, bits: Any) -> Any:
    """As src/model/random/rng.cpp has it, operation by operation: the result is the same to the last bit."""
    origin, shift, parts = LOGARITHM
    b = builder
    x = b.fmul(b.sitofp(b.sub(i64(2**53), b.lshr(bits, i64(11))), f64), f64(2.0**-53))
    x_bits = b.bitcast(x, i64)
    from_origin = b.sub(x_bits, i64(origin))
    exponent = b.ashr(from_origin, i64(52))
    z = b.bitcast(b.sub(x_bits, b.shl(exponent, i64(52))), f64)
    part = b.and_(b.lshr(from_origin, i64(shift)), i64(parts - 1))
    name = "anachron_logarithms"
    table = b.module.globals.get(name) or cgutils.add_global_variable(b.module, ir.ArrayType(f64, 2 * parts), name)
    c, log_c = (b.load(b.gep(table, [i64(0), b.add(b.shl(part, i64(1)), i64(n))])) for n in range(2))
    r = b.fsub(b.fmul(z, c), f64(1.0))
    r2 = b.fmul(r, r)
    halves, quarters, sixths = (b.fsub(f64(1 / n), b.fmul(r, f64(1 / (n + 1)))) for n in (2, 4, 6))
    terms = b.fadd(halves, b.fmul(r2, b.fadd(quarters, b.fmul(r2, sixths))))
    series = b.fsub(r, b.fmul(r2, terms))
    exponents = b.fmul(b.sitofp(b.neg(exponent), f64), f64(math.log(2)))
    return b.fsub(b.fadd(exponents, log_c), series)


def _exponential(builder: Any, bits: Any, args: list[Any]) -> tuple[Any, Any]:
    return builder.fmul(args[0], _minus_log_of_complement(builder, bits)), None


_NEARLY_ALWAYS = [1000, 1]

_USUAL: dict[str, Usual] = {
    "uniform": (lambda b, args: i1_(1), lambda b, bits, args: (_uniform(b, bits), None)),
    "bernoulli": (
        lambda b, args: _within(b, args[0], 1.0),
        lambda b, bits, args: (b.fcmp_ordered("<", _uniform(b, bits), args[0]), None),
    ),
    "below": (lambda b, args: b.icmp_signed(">", args[0], i64(0)), _below),
    "exponential": (lambda b, args: _within(b, args[0], 1e306), _exponential),
}


def _draw_in_place(builder: Any, usual: Usual, own: Any, args: list[Any], otherwise: Callable[[], Any]) -> Any:
    """What is usual with the next bits, which are made ready before; else what `otherwise` makes code for."""
    is_valid, number_of = usual
    draws, lane, lanes, count = LAYOUT
    names = ("own", "make", "fast", "take", "slow", "done")
    of_own, make, fast, take, slow, done = (builder.append_basic_block("draw_" + name) for name in names)
    is_own = builder.icmp_unsigned("==", own.stream, ir.Constant(pointer, None))
    builder.cbranch(builder.and_(is_own, is_valid(builder, args)), of_own, slow).set_weights(_NEARLY_ALWAYS)

    builder.position_at_end(of_own)
    is_ready = builder.icmp_unsigned("<", builder.load(at(builder, own.call, lane, i32)), i32(count))
    builder.cbranch(is_ready, fast, make)

    builder.position_at_end(make)
    builder.call(c_function(builder, "rng_make_ready", ir.VoidType(), [pointer]), [own.call])
    builder.branch(fast)

    builder.position_at_end(fast)
    next_lane = builder.load(at(builder, own.call, lane, i32))
    bits = builder.load(builder.gep(at(builder, own.call, lanes, i64), [builder.zext(next_lane, i64)]))
    number, is_enough = number_of(builder, bits, args)
    if is_enough is None:
        builder.branch(take)
    else:
        builder.cbranch(is_enough, take, slow).set_weights(_NEARLY_ALWAYS)

    builder.position_at_end(take)
    builder.store(builder.add(next_lane, i32(1)), at(builder, own.call, lane, i32))
    drawn = builder.load(at(builder, own.call, draws, i64.as_pointer()))
    builder.store(builder.add(builder.load(drawn), i64(1)), drawn)
    builder.branch(done)

    builder.position_at_end(slow)
    called = otherwise()
    builder.branch(done)

    builder.position_at_end(done)
    result = builder.phi(number.type)
    result.add_incoming(number, take)
    result.add_incoming(called, slow)
    return result


def _lower_draws(name: str) -> None:
    def draw(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        of = "uniform_in" if name == "uniform" and len(args) > 1 else name
        result, arguments = RNG[of]
        own = cgutils.create_struct_proxy(rng)(context, builder, value=args[0])

        def call() -> Any:
            kinds = [_llvm_type(k) for _, k, _ in arguments]
            function = c_function(builder, "rng_" + of, _llvm_type(result), [pointer, pointer, *kinds])
            value = builder.call(function, [own.call, own.stream, *args[1:]])
            return builder.trunc(value, i1_) if result.__name__ == "c_bool" else value

        return _draw_in_place(builder, _USUAL[of], own, list(args[1:]), call) if of in _USUAL else call()

    lower_builtin("anachron.rng." + name, RngType)(draw)
    lower_builtin("anachron.rng." + name, RngType, types.VarArg(types.Any))(draw)


for _name in RNG:
    _lower_draws(_name)
