"""`python -m anachron` is the command line of the `anachron` program, and `python -m anachron plot report.json`."""

from __future__ import annotations

import ctypes
import sys

from ._native import native


def main(arguments: list[str] | None = None) -> int:
    words = sys.argv[1:] if arguments is None else arguments
    if words[:1] == ["plot"]:
        from . import plot

        return plot.main(words[1:])
    sys.stdout.flush()
    all_words = [b"anachron", *(word.encode() for word in words)]
    argv = (ctypes.c_char_p * (len(all_words) + 1))(*all_words, None)
    return native.main(len(all_words), argv)


if __name__ == "__main__":
    sys.exit(main())
