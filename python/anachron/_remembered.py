"""What a model was made with outside of its classes: global constants and functions. A compiled handler has them compiled
in, so a run in which one of them is another value is refused, compiled or interpreted."""

from __future__ import annotations

import enum
import hashlib
import types
from typing import TYPE_CHECKING, Any

import numpy as np

from ._cache import globals_in, names_in
from ._native import InputError

if TYPE_CHECKING:
    from ._model import Model

_PLAIN = (bool, int, float, complex, str, bytes, type(None), enum.Enum)


_CONSTANT = {"anachron", "math", "numpy"}  # modules that stay as they are


def _value_of(value: Any) -> Any:
    """What of a value must stay as it was; of what handlers cannot keep, that it is the same object."""
    if isinstance(value, _PLAIN):
        return type(value).__name__, repr(value)
    if isinstance(value, np.generic):
        return str(value.dtype), value.tobytes()
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, hashlib.sha256(np.ascontiguousarray(value).tobytes()).digest()
    if isinstance(value, tuple):
        return tuple(map(_value_of, value))
    if isinstance(value, types.FunctionType):
        code = value.__code__
        return code.co_code, code.co_names, repr([c for c in code.co_consts if not isinstance(c, types.CodeType)])
    return id(value)


class Remembered:
    """The globals of a model's methods, and of the functions that these use."""

    def __init__(self, model: Model):
        self._found: dict[tuple[int, str], tuple[Any, str, str, Any, Any]] = {}
        self._seen: set[int] = set()
        self._modules: set[tuple[int, str]] = set()
        for lp in model.lps:
            for base in lp.__mro__:
                if base.__module__.split(".")[0] == "anachron" or base is object:
                    continue
                for member in vars(base).values():
                    if isinstance(member, types.FunctionType):
                        self._add(member, f"{lp.__qualname__}.{member.__name__}")

    def _add(self, function: types.FunctionType, user: str) -> None:
        if id(function) in self._seen:
            return
        self._seen.add(id(function))
        code = function.__code__
        self._note(function.__globals__, globals_in(code), names_in(code), user)

    def _note(self, scope: dict[str, Any], names: set[str], members: set[str], user: str) -> None:
        """`members`: names that may be those of what a module has."""
        for name in names & set(scope):
            value = scope[name]
            self._found[id(scope), name] = (scope, name, user, _value_of(value), value)
            if isinstance(value, types.FunctionType):
                self._add(value, value.__qualname__)
            elif isinstance(value, types.ModuleType) and value.__name__.split(".")[0] not in _CONSTANT:
                if (id(vars(value)), user) not in self._modules:
                    self._modules.add((id(vars(value)), user))
                    self._note(vars(value), members, members, user)

    def check(self) -> None:
        """Raises InputError for a global that has been bound anew since the model was made."""
        for scope, name, user, before, value in self._found.values():
            now = scope.get(name)
            if _value_of(now) == before:
                continue
            if isinstance(value, _PLAIN) and isinstance(now, _PLAIN):
                how = f"was {value!r} when the model was made and is {now!r} now"
            else:
                how = "is not what it was when the model was made"
            raise InputError(f"{name}, which {user} uses, {how}: make the model again")
