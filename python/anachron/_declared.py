"""What an LP type declares to the engine: by its static methods, or by what its code cannot do."""

from __future__ import annotations

import math
import types
from typing import Any

from ._cache import globals_in, names_in
from ._fields import Field

HOOKS = ("lookahead", "may_stop", "load", "position")
_SENDS = {"send", "send_at", "broadcast"}


def hook_of(lp: Any, name: str) -> Any:
    """What an LP type has by this name, a static method or a value; None: nothing, or a field of its state."""
    found = getattr(lp, name, None)
    return None if isinstance(found, Field) else found


def functions_used(lp: Any) -> list[types.FunctionType]:
    """The methods of an LP type, and the functions that they may call."""
    found: dict[int, types.FunctionType] = {}

    def look(function: types.FunctionType) -> None:
        if id(function) in found:
            return
        found[id(function)] = function
        used = names_in(function.__code__)
        scope = function.__globals__
        cells = [cell.cell_contents for cell in function.__closure__ or ()]
        for value in [*(scope.get(name) for name in globals_in(function.__code__)), *cells]:
            if isinstance(value, types.FunctionType):
                look(value)
            elif isinstance(value, types.ModuleType):
                members = [vars(value).get(name) for name in used]
                for member in members:
                    if isinstance(member, types.FunctionType):
                        look(member)

    for base in lp.__mro__:
        if base.__module__.split(".")[0] != "anachron":
            for member in vars(base).values():
                if isinstance(member, types.FunctionType):
                    look(member)
    return list(found.values())


def _names_used(lp: Any) -> set[str]:
    """The names of attributes in the code of an LP type, and in that of functions that it may call."""
    return set().union(*(names_in(function.__code__) for function in functions_used(lp)))


def declared(lp: Any) -> dict[str, Any]:
    """Of each hook that the LP type has its static method or its value. An LP type whose code neither sends nor stops
    declares that without a word: then the engine need not keep any history."""
    found = {hook: value for hook in HOOKS if (value := hook_of(lp, hook)) is not None}
    names = _names_used(lp)
    if not names & _SENDS:
        found.setdefault("lookahead", math.inf)
    if "stop" not in names:
        found.setdefault("may_stop", False)
    return found
