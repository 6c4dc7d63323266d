"""`sum` of floats in compiled handlers as Python has it: from 3.12 on CPython adds what the sum loses by rounding."""

from __future__ import annotations

import sys
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

_TUPLE: Any = getattr(types, "Tuple")  # noqa: B009, which checkers of types do not see

#: Whether this Python's sum does so.
IS_EXACT = sys.version_info >= (3, 12)


@intrinsic
def add_to_sum(_typing: Any, total: Any, low: Any, x: Any) -> Any:
    """The new sum, and what it has lost so far."""
    is_whole = all(isinstance(kind, (types.Integer, types.Boolean)) for kind in (total, x))
    kind = types.int64 if is_whole else types.float64

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        s, c, y = args
        if is_whole:
            return context.make_tuple(builder, sig.return_type, [builder.add(s, y), c])
        absolute = builder.module.declare_intrinsic("llvm.fabs", [ir.DoubleType()])
        t = builder.fadd(s, y)
        is_larger = builder.fcmp_ordered(">=", builder.call(absolute, [s]), builder.call(absolute, [y]))
        lost_of_x = builder.fadd(builder.fsub(s, t), y)
        lost_of_sum = builder.fadd(builder.fsub(y, t), s)
        lost = builder.fadd(c, builder.select(is_larger, lost_of_x, lost_of_sum))
        return context.make_tuple(builder, sig.return_type, [t, lost])

    return _TUPLE((kind, types.float64))(kind, types.float64, kind), generate


@intrinsic
def whole_sum(_typing: Any, total: Any, low: Any) -> Any:
    is_whole = isinstance(total, (types.Integer, types.Boolean))
    kind = types.int64 if is_whole else types.float64

    def generate(_context: Any, builder: Any, _sig: Any, args: Any) -> Any:
        s, c = args
        if is_whole:
            return s
        difference = builder.fsub(c, c)  # NaN, if it is not finite
        is_finite = builder.fcmp_ordered("==", difference, ir.Constant(ir.DoubleType(), 0.0))
        return builder.select(is_finite, builder.fadd(s, c), s)

    return kind(kind, types.float64), generate
