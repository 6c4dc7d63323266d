"""Runs that have ended, by all that they depend on: in memory, and in the file of a sweep."""

from __future__ import annotations

import functools
import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ._cache import contents_of
from ._native import InputError, library_hash
from ._run import text_of

_DATA = ("shared",)  # options that are data and no values


def _identity(model: Any, shared: Any) -> list[Any]:
    """What the results of a model depend on beside its options: of a bundled one the library, in which it is."""
    if isinstance(model, str):
        return [model, library_hash()]
    return [model.name, library_hash(), contents_of(model, shared)]


class Done:
    """Runs that have ended, by what they were. One process reads and appends to the file: the one that called the sweep."""

    def __init__(self, model: Any, options: Mapping[str, Any], file: Any):
        own = {n: _plain(v) for n, v in options.items() if n not in _DATA}
        self._file = Path(file) if file is not None else None
        self._of = [*(_identity(model, options.get("shared")) if self._file else ()), own]
        self._runs: dict[str, dict[str, Any]] = {}
        if self._file and self._file.exists():
            self._read(self._file)

    def _read(self, file: Path) -> None:
        text = file.read_text()
        whole = text[: text.rfind("\n") + 1]  # the sweep may have been ended while it wrote a line
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                entry = json.loads(line)
                self._runs[entry["key"]] = entry["run"]
            except (ValueError, KeyError, TypeError):
                raise InputError(f"{file}:{number}: this is no run of a sweep") from None
        if whole != text:
            file.write_text(whole)

    def _key(self, point: Mapping[str, Any], seed: int) -> str:
        return json.dumps([*self._of, {n: _plain(v) for n, v in point.items()}, seed], sort_keys=True)

    def get(self, point: Mapping[str, Any], seed: int) -> dict[str, Any] | None:
        return self._runs.get(self._key(point, seed)) if self._runs else None

    def add(self, point: Mapping[str, Any], seed: int, run: dict[str, Any]) -> None:
        if self._file:
            with self._file.open("a") as out:
                out.write(json.dumps({"key": self._key(point, seed), "run": run}) + "\n")


def _plain(value: Any) -> Any:
    """Of an option that names a file what is in the file, too."""
    if isinstance(value, (bool, int, float)) or value is None:
        return value
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    text = text_of(value)
    return [text, _contents_of_file(text, os.stat(text).st_mtime_ns)] if os.path.isfile(text) else text


@functools.lru_cache(1000)
def _contents_of_file(path: str, _changed: int) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()
