"""What `finish` returns, checked: figures by name, and tables as dictionaries of columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ._fields import LP
from ._native import InputError
from ._stats import Merged


def figures_of(lp: type[LP], returned: Any) -> dict[str, Any]:
    """Numbers of Python, texts, statistics and tables, a dictionary of numpy arrays each. Raises InputError, which names
    what is wrong."""
    if returned is None:
        return {}
    where = f"{lp.__name__}.finish"
    if not isinstance(returned, Mapping):
        raise InputError(f"{where} returned {_kind(returned)}: expected a dictionary of figures and tables by name")
    out: dict[str, Any] = {}
    for name, value in returned.items():
        if not isinstance(name, str):
            raise InputError(f"{where} returned a figure called {name!r}: expected a text as its name")
        out[name] = _table(f"{where}: table '{name}'", value) if isinstance(value, Mapping) else _figure(where, name, value)
    return out


def _figure(where: str, name: str, value: Any) -> Any:
    if isinstance(value, np.ndarray) and value.ndim > 0 or isinstance(value, (list, tuple, set)):
        raise InputError(
            f"{where}: '{name}' is {_kind(value)}: expected a number, a text or a statistic; a table is a dictionary of "
            f"columns, such as {{'{name}': {{'value': ..}}}}"
        )
    if isinstance(value, (np.generic, np.ndarray)):
        value = value.item()
    if not isinstance(value, (bool, int, float, str, Merged)):
        raise InputError(f"{where}: '{name}' is {_kind(value)}: expected a number, a text or a statistic")
    return value


def _table(what: str, columns: Mapping[Any, Any]) -> dict[str, np.ndarray]:
    out: dict[str, np.ndarray] = {}
    for column, values in columns.items():
        if isinstance(values, Mapping):
            raise InputError(f"{what}: column '{column}' is a table itself: expected an array")
        try:
            array = np.asarray(values)
        except ValueError:  # ragged
            array = np.empty((0, 0))
        if array.ndim != 1 or array.dtype.kind not in "iufbUS":
            raise InputError(f"{what}: column '{column}' is {_kind(values)}: expected one number or text for each row")
        out[str(column)] = array
    lengths = {column: len(array) for column, array in out.items()}
    if len(set(lengths.values())) > 1:
        each = ", ".join(f"'{column}' has {length}" for column, length in lengths.items())
        raise InputError(f"{what}: expected columns of one length: {each}")
    return out


def _kind(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape} and type {value.dtype}"
    return f"a {type(value).__name__}, {value!r}" if len(repr(value)) < 40 else f"a {type(value).__name__}"
