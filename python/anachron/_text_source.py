"""Texts in the source of handlers, in terms of what the compiler knows."""

from __future__ import annotations

import ast
from typing import Any

from ._source import FORMAT, placed


def text_of(rewriter: Any, value: Any, node: Any) -> Any:
    """`str(value)`."""
    from ._text_types import as_text  # which needs Numba

    rewriter.scope["_anachron_text"] = as_text
    return placed(ast.Call(ast.Name("_anachron_text", ast.Load()), [value], []), node)


def text_made_of(rewriter: Any, node: ast.JoinedStr) -> Any:
    """`f"{a} of {b}"`."""
    made: Any = ast.Constant("")
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            if part.conversion != -1 or part.format_spec is not None:
                raise rewriter.error(node, "a text that a handler makes has texts and whole numbers, without formats")
            part = text_of(rewriter, rewriter.visit(part.value), part)
        made = ast.BinOp(made, ast.Add(), part)
    return placed(made, node)


def parts_of_text(rewriter: Any, node: ast.JoinedStr) -> list[Any]:
    """A template, and what it is filled with when the text is shown."""
    template, values = FORMAT, []
    for part in node.values:
        if isinstance(part, ast.Constant):
            template += str(part.value).replace("{", "{{").replace("}", "}}")
            continue
        assert isinstance(part, ast.FormattedValue)
        spec = ""
        if part.format_spec is not None:
            pieces = getattr(part.format_spec, "values", [])
            if not all(isinstance(piece, ast.Constant) for piece in pieces):
                raise rewriter.error(node, "the format of a number in a text has to be a constant")
            spec = ":" + "".join(piece.value for piece in pieces)
        how = "" if part.conversion == -1 else "!" + chr(part.conversion)
        template += "{" + how + spec + "}"
        values.append(rewriter.visit(part.value))
    return [placed(ast.Constant(template), node), *values]
