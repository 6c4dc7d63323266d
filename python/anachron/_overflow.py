"""Whole numbers of compiled handlers with `overflow="error"`: results that do not fit raise OverflowError."""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.errors import NumbaTypeError
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic

TEXT = "a whole number does not fit into 64 bits"


def _operation(operate: Any, instruction: str) -> Any:
    """An operator, with a check for whole numbers; made in place, so that an error has the line of the handler."""

    @intrinsic
    def checked(typing: Any, a: Any, b: Any) -> Any:
        if all(isinstance(x, (types.Integer, types.Boolean)) for x in (a, b)):
            return types.int64(types.int64, types.int64), whole
        of = typing.resolve_function_type(operate, tuple(getattr(x, "literal_type", x) for x in (a, b)), {})
        if of is None:
            raise NumbaTypeError(f"{operate.__name__} of {a} and {b}")
        return of, lambda context, builder, sig, args: context.get_function(operate, of)(builder, args)

    def whole(context: Any, builder: Any, _sig: Any, args: Any) -> Any:
        i64 = ir.IntType(64)
        pair = ir.LiteralStructType([i64, ir.IntType(1)])
        name = f"llvm.{instruction}.with.overflow.i64"
        function = cgutils.get_or_insert_function(builder.module, ir.FunctionType(pair, [i64, i64]), name)
        made = builder.call(function, args)
        with cgutils.if_unlikely(builder, builder.extract_value(made, 1)):
            context.call_conv.return_user_exc(builder, OverflowError, (TEXT,))
        return builder.extract_value(made, 0)

    return checked


@intrinsic
def fit(_typing: Any, array: Any, value: Any) -> Any:
    """The value, if it fits into an element of the array."""
    element: Any = getattr(array, "dtype", None)
    bits: int = getattr(element, "bitwidth", 64) if isinstance(element, types.Integer) else 64
    is_checked = isinstance(value, types.Integer) and bits < 64
    kind = types.int64 if is_checked else value

    def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if not is_checked:
            return impl_ret_borrowed(context, builder, sig.return_type, args[1])
        i64 = ir.IntType(64)
        lowest = -(1 << bits - 1) if element.signed else 0
        above = builder.sub(args[1], i64(lowest))
        with cgutils.if_unlikely(builder, builder.icmp_unsigned(">=", above, i64(1 << bits))):
            limits = f"expected {lowest} <= number <= {lowest + (1 << bits) - 1}"
            context.call_conv.return_user_exc(builder, OverflowError, (f"an element of {element}: {limits}",))
        return args[1]

    return kind(array, kind), generate


#: Of operators in the source, by the class of their node.
OPERATIONS = {
    "Add": _operation(operator.add, "sadd"),
    "Sub": _operation(operator.sub, "ssub"),
    "Mult": _operation(operator.mul, "smul"),
    "fit": fit,
}
