"""`python -m anachron` is the command line of the `anachron` program, and `python -m anachron plot report.json`."""

from __future__ import annotations

import ctypes
import sys

from . import plot
from ._native import native
from ._report import Report


def main(arguments: list[str] | None = None) -> int:
    words = sys.argv[1:] if arguments is None else arguments
    if words[:1] == ["plot"]:
        return plot_report(words[1:])
    sys.stdout.flush()
    all_words = [b"anachron", *(word.encode() for word in words)]
    argv = (ctypes.c_char_p * (len(all_words) + 1))(*all_words, None)
    return native.main(len(all_words), argv)


def plot_report(words: list[str]) -> int:
    """`plot REPORT.json [-o PICTURE]`. Returns the exit status."""
    files = [word for i, word in enumerate(words) if word != "-o" and (i == 0 or words[i - 1] != "-o")]
    out = words[words.index("-o") + 1] if "-o" in words and words.index("-o") + 1 < len(words) else None
    if len(files) != 1 or files[0].startswith("-"):
        print("usage: python -m anachron plot REPORT.json [-o PICTURE.png]", file=sys.stderr)
        return 2
    try:
        with open(files[0]) as file:
            of = Report.from_json(file.read())
        picture = plot.report(of, None if out else plot._pyplot().figure(figsize=(10, 7), layout="constrained"))
    except (OSError, ValueError, KeyError, ImportError) as error:
        print(f"anachron plot: {files[0]}: {error}", file=sys.stderr)
        return 2
    if out:
        picture.savefig(out)
    else:
        plot._pyplot().show()
    return 0


if __name__ == "__main__":
    sys.exit(main())
