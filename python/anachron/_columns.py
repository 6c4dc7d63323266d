"""Columns of tables: numpy arrays, and texts that are listed once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

Columns = dict[str, np.ndarray]


class Coded:
    """A column of texts: of each row the number of its text."""

    __slots__ = ("codes", "texts")

    def __init__(self, codes: np.ndarray, texts: list[str]):
        self.codes, self.texts = codes, texts

    def __len__(self) -> int:
        return len(self.codes)

    def decoded(self) -> np.ndarray:
        return np.array(self.texts, dtype=object)[self.codes]


def decoded(columns: Mapping[str, Any]) -> Columns:
    return {name: column.decoded() if isinstance(column, Coded) else column for name, column in columns.items()}


def column_of(values: Sequence[Any]) -> np.ndarray:
    """Of values as JSON has them: whole numbers, or numbers with NaN for what is not there, or texts."""
    if any(isinstance(value, str) for value in values):
        return np.array(values, dtype=object)
    if all(isinstance(value, int) for value in values):
        return np.array(values, dtype=np.int64)
    return np.array([np.nan if value is None else value for value in values], dtype=np.float64)


def columns_of_rows(rows: Sequence[Mapping[str, Any]]) -> Columns:
    return {name: column_of([row.get(name) for row in rows]) for name in (rows[0] if rows else {})}
