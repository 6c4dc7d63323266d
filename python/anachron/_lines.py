"""Errors that Numba's code and this package's raise: an index out of bounds, a division by 0, a missing key. They get the line of
the model, and what is wrong with the index. Numba knows the line while it makes the code, and leaves it out."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from llvmlite import ir
from numba.core import cgutils, lowering
from numba.core.base import BaseContext
from numba.core.callconv import CPUCallConv

from ._faults import PACKAGES

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


def _note_place(convention: Any, builder: Any, place: Any) -> None:
    """Where the model calls what has raised."""
    kinds = [ir.IntType(8).as_pointer(), ir.IntType(64)]
    note = cgutils.get_or_insert_function(builder.module, ir.FunctionType(ir.VoidType(), kinds), "anachron_note_place")
    file = convention.context.insert_const_string(builder.module, place.filename)
    builder.call(note, [file, kinds[1](place.line)])


@contextlib.contextmanager
def known_lines() -> Iterator[None]:
    """While Numba makes code, under its lock."""
    at: list[Any] = []
    callee = ""
    lower, raises, check = lowering.Lower.lower_inst, CPUCallConv.return_user_exc, cgutils.do_boundscheck
    declares, passes_on = BaseContext.declare_function, CPUCallConv.return_status_propagate

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

    def declare_function(self: Any, module: Any, fndesc: Any) -> Any:
        nonlocal callee  # right before it is called
        callee = fndesc.modname
        return declares(self, module, fndesc)

    def return_status_propagate(self: Any, builder: Any, status: Any) -> Any:
        if at and callee.startswith(("anachron.", "numba.")) and not at[-1][0].filename.startswith(PACKAGES):
            _note_place(self, builder, at[-1][0])
        return passes_on(self, builder, status)

    lowering.Lower.lower_inst, CPUCallConv.return_user_exc = lower_inst, return_user_exc
    BaseContext.declare_function, CPUCallConv.return_status_propagate = declare_function, return_status_propagate
    cgutils.do_boundscheck = _check_bounds
    try:
        yield
    finally:
        lowering.Lower.lower_inst, CPUCallConv.return_user_exc = lower, raises
        BaseContext.declare_function, CPUCallConv.return_status_propagate = declares, passes_on
        cgutils.do_boundscheck = check
