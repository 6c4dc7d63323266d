"""Whole numbers while a model is interpreted: of 64 bits, as compiled handlers have them. They wrap around, or raise
OverflowError, by the model's `overflow`."""

from __future__ import annotations

import operator
import threading
from typing import Any

LOWEST, HIGHEST = -(2**63), 2**63 - 1


class Wrapping(int):
    """A whole number of 64 bits that wraps around."""

    @classmethod
    def of(cls, value: int) -> Any:
        return cls((value - LOWEST) % 2**64 + LOWEST)


class Checked(int):
    """One that raises OverflowError for a result of more than 64 bits."""

    @classmethod
    def of(cls, value: int) -> Any:
        if not LOWEST <= value <= HIGHEST:
            raise OverflowError("a whole number does not fit into 64 bits")
        return cls(value)


def _arithmetic(cls: Any, name: str, is_reflected: bool) -> None:
    operate = getattr(operator, name if name not in ("and", "or") else name + "_")

    def method(self: Any, other: Any) -> Any:
        if not isinstance(other, int):
            return NotImplemented
        a, b = (int(other), int(self)) if is_reflected else (int(self), int(other))
        made = operate(a, b)
        return cls.of(made) if isinstance(made, int) else made

    setattr(cls, f"__{'r' if is_reflected else ''}{name}__", method)


for _cls in (Wrapping, Checked):
    for _name in ("add", "sub", "mul", "floordiv", "mod", "pow", "lshift", "rshift", "and", "or", "xor"):
        for _is_reflected in (False, True):
            _arithmetic(_cls, _name, _is_reflected)
    for _name in ("neg", "pos", "abs", "invert"):
        setattr(_cls, f"__{_name}__", lambda self, cls=_cls, f=getattr(operator, _name): cls.of(f(int(self))))


class _Mode(threading.local):
    #: Of the handler that this thread interprets; None: there is none.
    ints: Any = None


mode = _Mode()
BY_OVERFLOW = {"wrap": Wrapping, "error": Checked}


def as_handlers_have_it(value: Any) -> Any:
    """A number that a handler reads."""
    ints = mode.ints
    return ints(value) if ints is not None and type(value) is int else value


def fitting(value: int, lowest: int, bits: int, where: str) -> int:
    """What a field of so many bits has of a number. Raises OverflowError where handlers do not wrap it around."""
    if lowest <= value < lowest + (1 << bits):
        return value
    if mode.ints is Wrapping:
        return (value - lowest) % (1 << bits) + lowest
    raise OverflowError(f"{where}: expected {lowest} <= number <= {lowest + (1 << bits) - 1}")
