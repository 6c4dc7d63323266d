"""What loops of compiled handlers look at: whether the user has asked for the end of the call."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic


@intrinsic
def look(_context: Any) -> Any:
    def generate(_context: Any, builder: Any, _sig: Any, _args: Any) -> Any:
        i32 = ir.IntType(32)
        module = builder.module
        name = "anachron_end_asked"
        flag = module.globals.get(name) or cgutils.add_global_variable(module, i32, name)
        return builder.icmp_signed(">=", builder.load_atomic(flag, "monotonic", 4), i32(2))

    return types.boolean(), generate
