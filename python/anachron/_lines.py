"""Errors that Numba's code raises itself, an index out of bounds or a division by 0: with the line where they are raised,
and what is wrong with the index. Numba knows the line while it makes the code, and leaves it out."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from llvmlite import ir
from numba.core import cgutils, lowering
from numba.core.callconv import CPUCallConv

OUT_OF_BOUNDS = "index is out of bounds"


def _check_bounds(context: Any, builder: Any, index: Any, size: Any, axis: Any = None) -> None:
    """Instead of Numba's: notes the index, in the library and by thread."""
    i64 = ir.IntType(64)
    is_wrong = builder.icmp_unsigned(">=", index, size)
    with cgutils.if_unlikely(builder, is_wrong):
        note = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(ir.VoidType(), [i64] * 3), "anachron_note_index"
        )
        dimension = i64(axis or 0) if axis is None or isinstance(axis, int) else axis
        wide = [builder.sext(x, i64) if x.type.width < 64 else x for x in (index, size, dimension)]
        builder.call(note, wide)
        context.call_conv.return_user_exc(builder, IndexError, (OUT_OF_BOUNDS,))


@contextlib.contextmanager
def known_lines() -> Iterator[None]:
    """While Numba makes code, under its lock."""
    at: list[Any] = []
    lower, raises, check = lowering.Lower.lower_inst, CPUCallConv.return_user_exc, cgutils.do_boundscheck

    def lower_inst(self: Any, inst: Any) -> Any:
        at.append((inst.loc, self.func_ir.func_id.func_qualname))
        try:
            return lower(self, inst)
        finally:
            at.pop()

    def return_user_exc(
        self: Any, builder: Any, exc: Any, exc_args: Any = None, loc: Any = None, func_name: Any = None
    ) -> Any:
        if loc is None and at:
            loc, func_name = at[-1]
        return raises(self, builder, exc, exc_args, loc, func_name)

    lowering.Lower.lower_inst, CPUCallConv.return_user_exc = lower_inst, return_user_exc
    cgutils.do_boundscheck = _check_bounds
    try:
        yield
    finally:
        lowering.Lower.lower_inst, CPUCallConv.return_user_exc = lower, raises
        cgutils.do_boundscheck = check
