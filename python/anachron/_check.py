"""What can be said of a handler before it is compiled: what would not compile, or would not roll back."""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import Any

from ._fields import LP
from ._native import CompileError

_FORBIDDEN = {
    "print": "what is printed cannot be taken back: use cx.print(..), or record a row (cx.record)",
    "open": "files cannot be taken back: record rows (cx.record), read data before the run (cx.shared)",
    "input": "an event cannot wait for a person",
    "eval": "code is compiled before the run",
    "exec": "code is compiled before the run",
    "hash": "that of a text differs from process to process",
    "getattr": "write the member's name: self.x",
    "setattr": "write the member's name: self.x = value",
}
_MODULES = {
    "time": "results must not depend on the clock: use cx.now",
    "datetime": "results must not depend on the clock: use cx.now",
}
_NODES: dict[type, str] = {
    ast.Yield: "a handler returns at once: begin a process (cx.process(self.wait(cx))), or send the LP an event for what "
    "comes later (cx.send(cx.self_id, delay, ..))",
    ast.YieldFrom: "a handler returns at once: send the LP an event for what comes later",
    ast.Await: "a handler returns at once: send the LP an event for what comes later",
    ast.Try: "exceptions cannot be caught in a handler: test before (`if n > 0:`); what is raised ends the run",
    ast.With: "there is nothing to be opened in a handler; a process may hold a resource",
    ast.Global: "all that changes is in the state (annotated fields), so that it rolls back",
    ast.Nonlocal: "all that changes is in the state (annotated fields), so that it rolls back",
    ast.Import: "import at the top of the file",
    ast.ImportFrom: "import at the top of the file",
    ast.Lambda: "write a function at the top of the file",
    ast.Dict: "a dictionary is a field of the state, dict[int, float], or in cx.shared",
    ast.DictComp: "a dictionary is a field of the state, dict[int, float], or in cx.shared",
    ast.Set: "a set is a field of the state, set[int]",
    ast.SetComp: "a set is a field of the state, set[int]",
}


#: What processes may have beside: they wait, and end a wait in good order.
_OF_PROCESSES = (ast.Yield, ast.YieldFrom, ast.Try, ast.With)


def check_returns_at_once(lp: type[LP]) -> None:
    """Raises CompileError for a handler that is a generator, and for a coroutine: nobody would run it."""
    handlers = {"start", *lp._handlers.values(), *lp._undoers.values()}
    for base in lp.__mro__:
        for name, member in vars(base).items():
            is_process = inspect.isgeneratorfunction(member) and name not in handlers
            if not is_process and (inspect.isgeneratorfunction(member) or inspect.iscoroutinefunction(member)):
                code = member.__code__
                what = "yield" if inspect.isgeneratorfunction(member) else "async def"
                raise CompileError(
                    f"{code.co_filename}:{code.co_firstlineno}: {lp.__qualname__}.{name} has `{what}`: "
                    f"{_NODES[ast.Yield]}"
                )


def check_class(lp: type[LP]) -> None:
    """Raises CompileError for the first thing in a handler, or in a method, that will not do."""
    for name, member in vars(lp).items():
        if not inspect.isfunction(member) or name.startswith("__"):
            continue
        try:
            lines, first = inspect.getsourcelines(member)
            tree = ast.parse(textwrap.dedent("".join(lines)))
        except (OSError, SyntaxError, TypeError):
            continue  # typed at a prompt: the compiler will tell
        where = inspect.getsourcefile(member)
        function = tree.body[0]
        for statement in getattr(function, "body", []):
            allowed = {id(given) for call in ast.walk(statement) for given in _functions_given(call)}
            for node in ast.walk(statement):
                if inspect.isgeneratorfunction(member) and isinstance(node, _OF_PROCESSES):
                    continue
                if isinstance(node, ast.Lambda) and id(node) in allowed:
                    continue
                reason = _reason(node, member)
                if reason:
                    line = first + node.lineno - 1  # type: ignore[attr-defined]
                    raise CompileError(f"{where}:{line}: {lp.__qualname__}.{name} cannot be compiled: {reason}")


def _functions_given(node: ast.AST) -> list[ast.expr]:
    """What may be a lambda: the filter of a get of a store, and the key of a sort."""
    if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
        return []
    if node.func.attr == "get":
        return node.args if len(node.args) == 1 else []
    return [given.value for given in node.keywords if node.func.attr == "sort" and given.arg == "key"]


def _reason(node: ast.AST, function: Any) -> str:
    if type(node) in _NODES:
        return _NODES[type(node)]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        name = node.func.id
        if name in _FORBIDDEN and name not in function.__globals__:
            return f"{name}(..): {_FORBIDDEN[name]}"
    if isinstance(node, ast.Attribute):
        root = node.value
        if isinstance(root, ast.Name):
            module = function.__globals__.get(root.id)
            called = getattr(module, "__name__", "") if inspect.ismodule(module) else ""
            if called in _MODULES:
                return f"{root.id}.{node.attr}: {_MODULES[called]}"
    return ""


def hint_for(reason: str) -> str:
    """What else may help, by what the compiler says."""
    hints = {
        "Untyped global name": "; a handler sees numbers, arrays, functions and classes of events outside of it",
        "Cannot unify": "; a variable has one type: give it another name, or convert it",
        "Invalid use of": "; see docs/reference/python-models.md, \"What a handler may use\"",
        "Unknown attribute": "; see docs/reference/python-models.md, \"What a handler may use\"",
    }
    return next((hint for start, hint in hints.items() if start in reason), "")
