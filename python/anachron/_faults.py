"""What a handler has raised, as the error of the run tells it."""

from __future__ import annotations

import ctypes
import traceback
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ._native import native
from ._rewrite import Interrupted
from ._run import looped_in
from ._source import text_of_error

PACKAGES = tuple(
    str(Path(spec.origin).parent) for spec in map(find_spec, ("anachron", "numba")) if spec is not None and spec.origin
)


def cause_of(error: BaseException, trace: Any, handler: str = "") -> str:
    """What a handler has raised, as the run's error tells it: of compiled and interpreted ones alike. `handler`: its
    name and place, for what Numba raises itself, of which it knows no line: an index out of bounds, a division by 0."""
    if isinstance(error, Interrupted):
        looped_in.append(handler)
    frames = [frame for frame in traceback.extract_tb(trace) if not frame.filename.startswith(PACKAGES)]
    line = ctypes.c_int64()
    file = native.noted_place(ctypes.byref(line))
    if frames:
        where = f" ({frames[-1].filename}:{frames[-1].lineno})"
    elif file:
        where = f" ({file.decode()}:{line.value})"
    else:
        where = f" (in {handler})" if handler else ""
    text = text_of_error(error)
    if isinstance(error, IndexError) and text == "index is out of bounds":  # of compiled code: see _lines.py
        noted = (ctypes.c_int64 * 3)()
        native.noted_index(noted)
        text = f"index {noted[0]} is out of bounds for axis {noted[2]} with size {noted[1]}"
    return f"threw {type(error).__name__}{': ' if text else ''}{text}{where}"
