"""Pieces of source for _rewrite.py: where nodes are, and whether a file still has the source of a function."""

from __future__ import annotations

import ast
import types
from typing import Any

FORMAT = "\x00anachron-format:"  # begins a text that is made of the exception's other arguments


def placed(node: Any, of: Any) -> Any:
    """The node, with all in it that has no place at the place of another one."""
    for each in ast.walk(node):
        if "lineno" in each._attributes and getattr(each, "lineno", None) is None:
            ast.copy_location(each, of)
    return node


def fresh(source: str) -> list[Any]:
    """Statements without a place."""
    body = ast.parse(source).body
    for statement in body:
        for each in ast.walk(statement):
            for name in each._attributes:
                if hasattr(each, name):
                    delattr(each, name)
    return body


def is_source_of(function: Any, tree: Any) -> bool:
    """The file may have changed since it was imported."""

    def codes_in(code: Any) -> Any:
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType):
                yield constant
                yield from codes_in(constant)

    def plain(code: Any) -> list[Any]:
        return [repr(constant) for constant in code.co_consts if not isinstance(constant, types.CodeType)]

    own = function.__code__  # its bytes depend on what the file imports
    for code in codes_in(compile(tree, own.co_filename, "exec", dont_inherit=True)):
        if code.co_name == own.co_name and code.co_varnames == own.co_varnames:
            return plain(code) == plain(own)
    return False


def unpack(definition: ast.FunctionDef, fields: list[str] | None) -> None:
    """A handler of fields becomes one of an event, which begins with taking them out of it."""
    if fields is None:
        return
    definition.args.kwonlyargs, definition.args.kw_defaults = [], []
    definition.args.args.append(placed(ast.arg("_anachron_event"), definition))
    taken = [placed(statement, definition) for statement in fresh("; ".join(f"{f} = _anachron_event.{f}" for f in fields))]
    definition.body = [*taken, *definition.body]


def locals_of(definition: Any) -> set[str]:
    names = {argument.arg for argument in ast.walk(definition) if isinstance(argument, ast.arg)}
    names |= {n.id for n in ast.walk(definition) if isinstance(n, ast.Name) and isinstance(n.ctx, (ast.Store, ast.Del))}
    return names


def text_of_error(error: BaseException) -> str:
    """What an exception says: its text, made of what `parts_of_text` has left."""
    if error.args and isinstance(error.args[0], str) and error.args[0].startswith(FORMAT):
        return error.args[0].removeprefix(FORMAT).format(*error.args[1:])
    return str(error)
