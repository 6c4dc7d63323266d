"""What is refused in the source of handlers and processes when a model is made, compiled or interpreted.

- calls of the context, and of fields, that these do not have
- random numbers that do not roll back
- slips that would pass in silence
"""

from __future__ import annotations

import ast
import inspect
import random
import sys
import textwrap
import types
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ._containers import ContainerKind
from ._context import Context
from ._declared import functions_used
from ._handlers import processes_of
from ._kinds import WaitKind
from ._messages import MOST_WAITS, has_no, members_of, of_waits
from ._native import CompileError
from ._source import is_source_of
from ._waits import Wait, WaitPlaceKind, place_has_no

#: Functions of these modules are not looked at: they are no part of a model.
_FOREIGN = {*sys.stdlib_module_names, "anachron", "numpy", "scipy", "pandas", "numba"}
_RANDOM = "these numbers do not roll back: use cx.rng"
_GENERATORS = (random.Random, np.random.Generator, np.random.RandomState)
_WAITING = ("timeout", "any_of", "all_of", "passivate")  # what a context makes to be waited for
_OF_WAITS = ("succeed", "fail", "interrupt", "activate")
_NESTED = "in a handler or a process: write it at the top of the file, or as a method"
_NODES: dict[type, str] = {
    ast.NamedExpr: "`:=`: assign in a statement of its own",
    ast.FunctionDef: f"a function {_NESTED}",
    ast.AsyncFunctionDef: f"a function {_NESTED}",
    ast.ClassDef: f"a class {_NESTED}",
}


class _Source(NamedTuple):
    """A function of a model, with its source."""

    function: Any
    definition: ast.FunctionDef

    def nodes(self) -> Iterator[ast.AST]:
        for statement in self.definition.body:
            yield from ast.walk(statement)

    def error(self, node: Any, reason: str) -> CompileError:
        code = self.function.__code__
        what = "process " if inspect.isgeneratorfunction(self.function) else ""
        line = code.co_firstlineno + node.lineno - 1
        return CompileError(f"{code.co_filename}:{line}: {what}{self.function.__qualname__}: {reason}")

    def value(self, name: str) -> Any:
        """What a name means that the function does not assign; None: it is not known."""
        code = self.function.__code__
        if name in code.co_varnames or name in code.co_cellvars:
            return None
        cells = dict(zip(code.co_freevars, self.function.__closure__ or ()))
        try:
            return cells[name].cell_contents if name in cells else self.function.__globals__.get(name)
        except ValueError:  # it is not bound yet
            return None


def _source_of(function: Any) -> _Source | None:
    try:
        tree = ast.parse(textwrap.dedent("".join(inspect.getsourcelines(function)[0])))
    except (OSError, SyntaxError, TypeError):
        return None  # typed at a prompt
    definition = tree.body[0]
    if not isinstance(definition, ast.FunctionDef) or not is_source_of(function, tree):
        return None  # a lambda, or source that has changed
    return _Source(function, definition)


def check_source(lp: Any) -> None:
    """Raises CompileError for the first thing that will not do in a method, or in a function that it calls."""
    methods = {id(getattr(lp, name, None)) for name in dir(lp)}
    for function in functions_used(lp):
        is_foreign = (function.__module__ or "").split(".")[0] in _FOREIGN
        source = None if is_foreign or function.__name__.startswith("__") else _source_of(function)
        if source is None:
            continue
        _check_random(source)
        if id(function) in methods:
            _Method(lp, source).check()


def _check_random(source: _Source) -> None:
    for node in source.nodes():
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            module = source.value(node.value.id)
            if isinstance(module, types.ModuleType):
                is_random = module.__name__ in ("random", "numpy.random")
                if is_random or module is np and node.attr == "random":
                    raise source.error(node, f"{node.value.id}.{node.attr}: {_RANDOM}")
        if isinstance(node, ast.Name):
            value = source.value(node.id)
            if isinstance(value, _GENERATORS) or isinstance(getattr(value, "__self__", None), _GENERATORS):
                raise source.error(node, f"{node.id}: {_RANDOM}")


class _Method:
    """A method of an LP type: a handler, a process, or what they call."""

    def __init__(self, lp: Any, source: _Source):
        self.lp, self.source = lp, source
        self.processes = processes_of(lp)
        function = source.function
        self.is_process = inspect.isgeneratorfunction(function)
        arguments = [*function.__code__.co_varnames[: function.__code__.co_argcount], "", ""]
        is_called_with_it = self.is_process or function.__name__ in {"start", *lp._handlers.values()} or arguments[1] == "cx"
        self.own, self.cx = arguments[0], arguments[1] if is_called_with_it else ""

    def check(self) -> None:
        for node in self.source.nodes():
            if type(node) in _NODES:
                raise self.source.error(node, _NODES[type(node)])
            if isinstance(node, ast.Expr):
                self._check_statement(node.value)
            if isinstance(node, ast.Yield) and self._process_called(node.value):
                self._refuse_process(node.value, "yield ")
            if isinstance(node, ast.Attribute):
                self._check_attribute(node)
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                self._check_call(node, node.func)

    def _is(self, node: Any, name: str) -> bool:
        return bool(name) and isinstance(node, ast.Name) and node.id == name

    def _process_called(self, node: Any) -> str | None:
        """The name of the process in `self.customer(cx, 3)`."""
        is_method = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and self._is(node.func.value, self.own)
        return node.func.attr if is_method and node.func.attr in self.processes else None

    def _refuse_process(self, node: Any, before: str) -> None:
        text = ast.unparse(node)
        what = "what is waited for is the process that cx.process begins" if before else "this begins no process"
        raise self.source.error(node, f"`{before}{text}`: {what}: write `{before}cx.process({text})`")

    def _check_statement(self, node: ast.expr) -> None:
        """A call of which the value is dropped."""
        if self._process_called(node):
            self._refuse_process(node, "")
        if not (self.lp._waits and isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            return
        if self._is(node.func.value, self.cx) and node.func.attr in _WAITING:
            hint = f"write `yield {ast.unparse(node)}`" if self.is_process else "a handler returns at once: begin a process, which waits"
            raise self.source.error(node, f"`{ast.unparse(node)}` alone waits for nothing: {hint}")

    def _class_of(self, node: Any) -> Any:
        """Of `cx` and of a field the class that says what it has; None: it is not known."""
        if self._is(node, self.cx):
            return Context
        is_field = isinstance(node, ast.Attribute) and self._is(node.value, self.own)
        field = self.lp._fields.get(node.attr) if is_field else None
        if field is None:
            return None
        if isinstance(field.kind, WaitKind):
            return Wait
        return field.kind.cls if isinstance(field.kind, (ContainerKind, WaitPlaceKind)) else None

    def _check_attribute(self, node: ast.Attribute) -> None:
        cls = self._class_of(node.value)
        if cls is None or node.attr in members_of(cls):
            return
        missing = f"'{node.attr}'"
        if cls is Context:
            raise self.source.error(node, has_no("a context", missing, members_of(Context)))
        if cls is Wait:
            raise self.source.error(node, has_no("an an.Wait", missing, members_of(Wait)))
        raise self.source.error(node, place_has_no(cls, missing) if hasattr(cls, "_layout") else cls._has_no(missing))

    def _check_call(self, call: ast.Call, function: ast.Attribute) -> None:
        name, cls = function.attr, self._class_of(function.value)
        if cls is Context and name in ("any_of", "all_of"):
            self._check_waits(call, name)
        if cls is Context and name == "process":
            self._check_begin(call)
        is_global = isinstance(function.value, ast.Name) and self.source.value(function.value.id) is not None
        if cls is None and name in _OF_WAITS and not is_global and not self._is(function.value, self.own):
            cls = Wait
        method = getattr(cls, name, None)
        if not inspect.isfunction(method) or any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
            return
        signature = inspect.signature(method)
        try:
            signature.bind(None, *call.args, **{k.arg: k.value for k in call.keywords if k.arg})
        except TypeError as error:
            parameters = [str(p.replace(annotation=p.empty)) for p in list(signature.parameters.values())[1:]]
            expected = f"{ast.unparse(function)}({', '.join(parameters)})"
            raise self.source.error(call, f"{ast.unparse(call)}: {error}; expected {expected}") from None

    def _check_waits(self, call: ast.Call, name: str) -> None:
        given = call.args
        if len(given) == 1 and isinstance(given[0], (ast.List, ast.Tuple)):
            given = given[0].elts[:MOST_WAITS]  # a list may be longer
        if call.keywords or not 1 <= len(given) <= MOST_WAITS or any(isinstance(one, ast.Starred) for one in given):
            raise self.source.error(call, of_waits(name))

    def _check_begin(self, call: ast.Call) -> None:
        """`cx.process(..)` of a function, or of a method that is no process."""
        made = call.args[0] if len(call.args) == 1 else None
        if not isinstance(made, ast.Call) or self._process_called(made):
            return
        if isinstance(made.func, ast.Name) or self._is(getattr(made.func, "value", None), self.own):
            has = ", ".join(self.processes) or "none"
            raise self.source.error(
                call, f"cx.process({ast.unparse(made)}): expected the call of a process of the LP, cx.process(self.customer(cx, ..)) (it has: {has})"
            )
