"""Values of parameters: taken exactly, or refused with their name and what is valid."""

from __future__ import annotations

import enum
import math
import os
import re
from fractions import Fraction
from typing import Any

import numpy as np

from ._kinds import B1, F8, Kind
from ._native import InputError
from ._texts import TextKind

_TEXT = re.compile(r"([+-]?\d{1,400}(?:\.\d{0,400})?(?:[eE][+-]?\d{1,3})?)([kMGT]?)")
_FACTORS = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


def parameter(name: str, value: Any, kind: Kind, members: type[enum.IntEnum] | None) -> Any:
    """A Python number of the kind, or a text. `members`: of an enumeration. Raises InputError."""
    if members is not None:
        return _member(name, value, members)
    if isinstance(kind, TextKind):
        return _text(name, value, kind)
    if isinstance(value, str):
        value = _number_of_text(name, value)
    if isinstance(value, np.generic):
        value = value.item()
    if not isinstance(value, (bool, int, float)):
        raise InputError(f"{name}: {value!r} is not valid: expected {_what(kind)}")
    if kind is B1:
        if value not in (0, 1):
            raise InputError(f"{name}: {_shown(value)} is not valid: expected {_what(kind)}")
        return bool(value)
    return _real(name, value) if kind is F8 else _whole(name, value, kind)


def _text(name: str, value: Any, kind: TextKind) -> str:
    text = os.fspath(value) if isinstance(value, os.PathLike) else value
    try:
        kind.stored(text, name)
    except (TypeError, OverflowError) as error:
        raise InputError(f"{name}: {str(value)[:60]!r} is not valid: {str(error).removeprefix(f'{name}: ')}") from None
    return text


def _what(kind: Kind) -> str:
    if kind is B1:
        return "True or False"
    return "a number" if kind is F8 else f"a whole number from {_lowest(kind)} to {_highest(kind)}"


def _lowest(kind: Kind) -> int:
    return int(np.iinfo(kind.dtype).min)


def _highest(kind: Kind) -> int:
    return int(np.iinfo(kind.dtype).max)


def _whole(name: str, value: Any, kind: Kind) -> int:
    if isinstance(value, float) and not (math.isfinite(value) and value == int(value)):
        raise InputError(f"{name}: {value!r} is not valid: expected {_what(kind)}")
    whole = int(value)
    if not _lowest(kind) <= whole <= _highest(kind):
        raise InputError(f"{name}: {_shown(value)} is not valid: expected {_what(kind)}")
    return whole


def _real(name: str, value: Any) -> float:
    try:
        real = float(value)
    except OverflowError:
        real = math.inf
    if not math.isfinite(real):
        raise InputError(f"{name}: {_shown(value)} is not valid: expected a finite number, at most 1.8e308")
    if real != value:
        raise InputError(f"{name}: {_shown(value)} is not valid: expected a number that a double has exactly")
    return real


def _shown(value: Any) -> str:
    if isinstance(value, int) and value.bit_length() > 100:
        return f"a number of about {round(value.bit_length() * math.log10(2))} digits"
    return repr(value)


def _number_of_text(name: str, text: str) -> int | float:
    """As on the command line, "10k", "0.5", "1e-3": exactly where it is a whole number."""
    parts = _TEXT.fullmatch(text)
    if not parts:
        raise InputError(f"{name}: {text[:60]!r} is not valid: expected a number such as 1000, '10k' or 0.5")
    exact = Fraction(parts[1]) * _FACTORS[parts[2]]
    try:
        return int(exact) if exact.denominator == 1 else float(exact)
    except OverflowError:
        raise InputError(f"{name}: {text[:60]!r} is too large") from None


def _member(name: str, value: Any, members: type[enum.IntEnum]) -> int:
    try:
        return int(members[value] if isinstance(value, str) else members(value))
    except (KeyError, ValueError):
        valid = ", ".join(member.name for member in members)
        raise InputError(f"{name}: {value!r} is not valid: expected one of {valid}") from None
