"""Read-only data of all LPs of a run, `cx.shared`: numbers, arrays, groups of LPs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ._groups import Group, Groups
from ._kinds import field_array
from ._native import InputError

if TYPE_CHECKING:
    from ._model import Model


class Shared:
    """`cx.shared` of an interpreted model: attributes are the arrays and numbers."""

    def __init__(self, values: Mapping[str, Any]):
        for name, value in values.items():
            self.__dict__[name] = field_array(value) if isinstance(value, np.ndarray) else value

    def __setattr__(self, name: str, _value: Any) -> None:
        raise AttributeError(f"cx.shared.{name} cannot be assigned: what changes is in the state (annotated fields)")


def check_shared(values: Mapping[str, Any], model: Model) -> dict[str, Any]:
    """The values as handlers read them. Raises InputError."""
    out: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, (Group, Groups)):
            if value.type not in model.lps:
                of = getattr(value.type, "__name__", value.type)
                raise InputError(f"shared '{name}': the model has no LP type {of}")
            out[name] = value
        elif isinstance(value, (bool, int, np.bool_, np.integer)):
            out[name] = int(value)
        elif isinstance(value, (float, np.floating)):
            out[name] = float(value)
        else:
            array = np.ascontiguousarray(value)
            if array.dtype.kind not in "iufb" or array.dtype.itemsize > 8 or array.ndim < 1:
                raise InputError(
                    f"shared '{name}': {type(value).__name__} of {array.dtype} is not valid: expected a number, an "
                    "array of numbers, an.Group or an.Groups"
                )
            array = array.view()
            array.flags.writeable = False
            out[name] = array
    return out


def type_of_shared(value: Any, model: Model) -> Any:
    """What handlers are compiled for: the name of a number's type, (dtype, dimensions) of an array, and of groups what
    they are and the number of the LP type."""
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.ndim
    if isinstance(value, (Group, Groups)):
        return type(value).__name__, model._number_of_lp(value.type)
    return type(value).__name__


def words_of_type(what: Any) -> int:
    """Of 8 bytes, in the table."""
    if not isinstance(what, tuple):
        return 1
    return {"Group": 2, "Groups": 3}.get(what[0], 1 + what[1])


def shared_table(values: Mapping[str, Any]) -> np.ndarray:
    """As compiled handlers read it. Of an array: address and shape. Of a number: the number. Of groups: the address of
    the LPs' numbers, the address of where each group begins, and how many there are."""
    words: list[np.ndarray] = []
    for value in values.values():
        if isinstance(value, np.ndarray):
            words.append(np.array([value.ctypes.data, *value.shape], dtype=np.int64))
        elif isinstance(value, Group):
            words.append(np.array([value.numbers.ctypes.data, value.size], dtype=np.int64))
        elif isinstance(value, Groups):
            words.append(np.array([value.numbers.ctypes.data, value.starts.ctypes.data, len(value)], dtype=np.int64))
        else:
            words.append(np.array([value]).view(np.int64))
    return np.concatenate(words) if words else np.zeros(1, np.int64)
