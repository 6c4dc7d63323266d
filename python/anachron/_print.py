"""What handlers print, `cx.print(..)`: a row of a table of its own for each call, which becomes a line when its event has
committed. A run prints them at its end, by time: once, however often the event was rolled back."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

MOST = 8  #: numbers of a line
ROW_BYTES = 8 * (1 + MOST)
REAL, WHOLE, TRUTH = "f", "i", "b"


class Format:
    """What a call prints: texts, and which kind each number between them is."""

    def __init__(self, template: str, kinds: str):
        self.template, self.kinds = template, kinds

    def line(self, words: np.ndarray) -> str:
        made: dict[str, Any] = {REAL: lambda w: float(w.view(np.float64)), WHOLE: int, TRUTH: bool}
        return self.template.format(*[made[kind](word) for kind, word in zip(self.kinds, words)])


class Formats:
    """Of the calls in compiled code, by number."""

    def __init__(self, formats: list[Format] | None = None):
        self.all: list[Format] = formats or []

    def number_of(self, template: str, kinds: str) -> int:
        for number, known in enumerate(self.all):
            if (known.template, known.kinds) == (template, kinds):
                return number
        self.all.append(Format(template, kinds))
        return len(self.all) - 1


class Texts:
    """What interpreted handlers have printed, rolled back or not: rows have their numbers, from -1 down."""

    def __init__(self) -> None:
        self._all: list[str] = []
        self._lock = threading.Lock()

    def row(self, text: str) -> bytes:
        with self._lock:
            self._all.append(text)
            number = len(self._all)
        row = np.zeros(1 + MOST, np.int64)
        row[0] = -number
        return row.tobytes()

    def __getitem__(self, number: int) -> str:
        return self._all[-number - 1]


def lines_of(rows: np.ndarray, formats: Formats, texts: Texts) -> list[str]:
    out = []
    for words in rows.view(np.int64).reshape(-1, 1 + MOST):
        number = int(words[0])
        out.append(texts[number] if number < 0 else formats.all[number].line(words[1:]))
    return out
