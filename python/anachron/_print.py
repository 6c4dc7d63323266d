"""What handlers print, `cx.print(..)`: a row of a table of its own for each call, which becomes a line when its event has
committed. A run prints them at its end, by time: once, however often the event was rolled back."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

MOST = 32  #: words of a line
OF_TEXT = 8  #: words of a text; a number is one
ROW_BYTES = 8 * (1 + MOST)
REAL, WHOLE, TRUTH, TEXT = "f", "i", "b", "t"


class Format:
    """What a call prints: texts, and of which kind each value between them is."""

    def __init__(self, template: str, kinds: str):
        self.template, self.kinds = template, kinds

    def line(self, words: np.ndarray) -> str:
        made: dict[str, Any] = {REAL: lambda w: float(w[0].view(np.float64)), WHOLE: lambda w: int(w[0])}
        made |= {TRUTH: lambda w: bool(w[0]), TEXT: lambda w: w.tobytes().rstrip(b"\0").decode(errors="replace")}
        values, place = [], 0
        for kind in self.kinds:
            end = place + words_of(kind)
            values.append(made[kind](words[place:end]))
            place = end
        return self.template.format(*values)


def words_of(kind: str) -> int:
    return OF_TEXT if kind == TEXT else 1


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
