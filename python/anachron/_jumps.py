"""What leads out of the statements of a process, and where its variables are saved: parts of `_flatten.py`."""

from __future__ import annotations

import ast
from typing import Any

from ._source import fresh, placed


class Jumps(ast.NodeTransformer):
    """What leads out of statements in which nothing waits."""

    def __init__(self, of: Any):
        self.of, self.depth = of, 0

    def block(self, statements: list[Any]) -> list[Any]:
        out: list[Any] = []
        for statement in statements:
            made = self.visit(statement)
            out += made if isinstance(made, list) else [made]
        return out

    def visit_Return(self, node: ast.Return) -> Any:
        return [*self.of.leaving(node, None), *self.of.ending(node.value, node)]

    def visit_Raise(self, node: ast.Raise) -> Any:
        if node.exc is not None:
            return node
        if self.depth:
            raise self.of.error(node, "`raise` in a loop in which nothing waits: raise it behind the loop")
        return self.of.raising(node)

    def _jump(self, node: Any, which: str) -> Any:
        loop = self.of.loop()
        if self.depth or loop is None:
            return node  # of a loop in which nothing waits
        return [*self.of.leaving(node, loop), *self.of.go_to(getattr(loop, which), node)]

    def visit_Break(self, node: ast.Break) -> Any:
        return self._jump(node, "on_break")

    def visit_Continue(self, node: ast.Continue) -> Any:
        return self._jump(node, "on_continue")

    def _loop(self, node: Any) -> Any:
        self.depth += 1
        node.body = self.block(node.body)
        self.depth -= 1
        node.orelse = self.block(node.orelse)
        return node

    visit_For = visit_While = _loop

    def visit_If(self, node: ast.If) -> Any:
        node.body, node.orelse = self.block(node.body), self.block(node.orelse)
        return node


class Saving(ast.NodeTransformer):
    """Where `_anachron_save` stands, the variables are saved."""

    def __init__(self, text: str):
        self.text = text

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.Name) and node.value.id == "_anachron_save":
            return [placed(statement, node) for statement in fresh(self.text)]
        return node


def is_flat(node: Any) -> bool:
    """Whether nothing waits in it, and nothing is opened or caught."""
    return not any(isinstance(part, (ast.Yield, ast.YieldFrom, ast.With, ast.Try)) for part in ast.walk(node))
