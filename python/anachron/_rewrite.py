"""Handlers as the compiler gets them: what Numba does not know of Python is rewritten in their source, with its lines.

- members of integer enumerations become numbers
- functions of modules (`mylib.f(x)`) become global ones, which are compiled too
- `isinstance(event, E)` of a handler's event is decided, and what cannot be reached goes
- `sum(.. for ..)` and the like become loops; `super().f(x)` calls the method of the base
- texts of exceptions (`raise ValueError(f"..")`) are made when the error is reported
- loops look whether the user has asked for their end, but those that are over soon
"""

from __future__ import annotations

import ast
import builtins
import copy
import enum
import inspect
import textwrap
import types
from typing import Any

from ._fields import Record
from ._handlers import fields_wanted
from ._lambdas import filtered, key_of
from ._loops import CONSUMERS, EXACT_SUM, SHORT, LoopShapes
from ._math import CHECKED
from ._messages import MOST_WAITS
from ._native import CompileError
from ._source import fresh, is_source_of, locals_of, placed, unpack
from ._text_source import parts_of_text, text_made_of, text_of

SUPER = "super of "  # begins the names of methods of a base
_NOTHING = object()


class Interrupted(Exception):
    """In a loop of a compiled handler: the user has asked for the end of the run, twice."""


def rewritten(
    function: Any,
    events: dict[str, Any],
    scope: dict[str, Any],
    poll: Any,
    operations: dict[str, Any],
    first_of_all: Any = None,
) -> Any:
    """The function in terms of what the compiler knows, and what it needs in `scope`, its globals. `events`: of
    parameters the class of the event; `operations`: functions instead of operators; `first_of_all`: what is made of its
    definition before. None: there is no source."""
    try:
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, SyntaxError, TypeError, IndentationError):
        return None
    definition = tree.body[0]
    if not isinstance(definition, ast.FunctionDef) or not is_source_of(function, tree):
        return None  # a lambda, or source that has changed
    from . import _sums  # which needs Numba

    unpack(definition, fields_wanted(function))
    if first_of_all is not None:
        definition = first_of_all(definition)
    rewriter = _Rewriter(function, definition, events, scope, poll)
    rewriter.operations, rewriter.sums = operations, _sums
    definition.decorator_list = []
    definition.returns = None
    for argument in (*definition.args.posonlyargs, *definition.args.args, *definition.args.kwonlyargs):
        argument.annotation = None
    definition.args.defaults, definition.args.kw_defaults = [], [None] * len(definition.args.kwonlyargs)
    definition.body = rewriter.block(definition.body)
    module = ast.Module([*rewriter.helpers, definition], [])
    ast.fix_missing_locations(module)
    ast.increment_lineno(module, first - 1)
    made: dict[str, Any] = {}
    code = compile(module, function.__code__.co_filename, "exec", dont_inherit=True)
    exec(code, scope, made)
    for helper in rewriter.helpers:
        scope[helper.name] = made[helper.name]
    return made[definition.name]


class _Rewriter(ast.NodeTransformer):
    def __init__(self, function: Any, definition: Any, events: dict[str, Any], scope: dict[str, Any], poll: Any):
        self.function, self.events, self.scope, self.poll = function, events, scope, poll
        self.helpers: list[Any] = []
        self.operations: dict[str, Any] = {}
        self.sums: Any = None
        self.loops = LoopShapes(self.static)
        self.locals = locals_of(definition)
        cells = zip(function.__code__.co_freevars, function.__closure__ or ())
        self.closure = {name: cell.cell_contents for name, cell in cells}
        scope.update({name: value for name, value in self.closure.items() if name != "__class__"})
        outer = function.__qualname__.split(".")
        self.mangled = f"_{outer[-2].lstrip('_')}" if len(outer) > 1 and outer[-2] != "<locals>" else ""

    # What is known before the run.

    def static(self, node: Any) -> Any:
        """The value of a name or of an attribute of a module or an enumeration; _NOTHING if it is not known."""
        if isinstance(node, ast.Name):
            if node.id in self.locals:
                return _NOTHING
            return self.scope.get(node.id, getattr(builtins, node.id, _NOTHING))
        if isinstance(node, ast.Attribute):
            of = self.static(node.value)
            if isinstance(of, (types.ModuleType, enum.EnumMeta, enum.Enum)):
                return getattr(of, node.attr, _NOTHING)
        return _NOTHING

    def known(self, node: Any) -> Any:
        """The node, as a constant or a global if it is one that the compiler would not find."""
        value = self.static(node)
        if isinstance(value, enum.Enum) and isinstance(value, int):
            return ast.copy_location(ast.Constant(int(value)), node)
        if isinstance(node, ast.Attribute) and isinstance(value, (types.FunctionType, types.BuiltinFunctionType)):
            root: Any = node
            while isinstance(root, ast.Attribute):
                root = root.value
            module = getattr(self.scope.get(root.id), "__name__", "").split(".")[0]
            if module != "numpy" and (module != "math" or value in CHECKED):
                return ast.copy_location(ast.Name(self.bind(value.__name__, value), ast.Load()), node)
        if isinstance(node, ast.Attribute) and isinstance(value, int) and isinstance(self.static(node.value), enum.Enum):
            return ast.copy_location(ast.Constant(value), node)  # MEMBER.value
        return None

    def bind(self, name: str, value: Any) -> str:
        """A global of this function alone."""
        made = f"{name}__of_module"
        while self.scope.get(made, value) is not value:
            made += "_"
        self.scope[made] = value
        return made

    def visit_Name(self, node: ast.Name) -> Any:
        return (self.known(node) if isinstance(node.ctx, ast.Load) else None) or node

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        if node.attr.startswith("__") and not node.attr.endswith("__"):
            node.attr = self.mangled + node.attr
        return (self.known(node) if isinstance(node.ctx, ast.Load) else None) or self.generic_visit(node)

    def truth(self, node: Any) -> Any:
        """True, False, or None: it is not known."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            of = self.truth(node.operand)
            return None if of is None else not of
        if isinstance(node, ast.BoolOp):
            decides = isinstance(node.op, ast.Or)
            for part in map(self.truth, node.values):
                if part is not (not decides):
                    return part  # the others do not count, or are not known
            return not decides
        if not (isinstance(node, ast.Call) and self.static(node.func) is isinstance and len(node.args) == 2):
            return None
        what, of = node.args
        named = [self.static(kind) for kind in (of.elts if isinstance(of, ast.Tuple) else [of])]
        if any(not isinstance(kind, type) for kind in named):
            return None
        if not (isinstance(what, ast.Name) and what.id in self.events):
            if any(issubclass(kind, Record) for kind in named):
                raise self.error(node, "isinstance is decided for the event that a handler gets: test it there")
            return None
        return issubclass(self.events[what.id], tuple(named))

    # Statements.

    def block(self, body: list[Any]) -> list[Any]:
        out: list[Any] = []
        for statement in body:
            made = self.visit(statement)
            out += made if isinstance(made, list) else [] if made is None else [made]
            if out and isinstance(out[-1], (ast.Return, ast.Raise)):
                break
        return out

    def visit_If(self, node: ast.If) -> Any:
        truth = self.truth(node.test)
        if truth is not None:
            return self.block(node.body if truth else node.orelse) or ast.copy_location(ast.Pass(), node)
        node.test = self.visit(node.test)
        node.body, node.orelse = self.block(node.body), self.block(node.orelse)
        return node

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        truth = self.truth(node.test)
        if truth is not None:
            return self.visit(node.body if truth else node.orelse)
        return self.generic_visit(node)

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        truth = self.truth(node)
        if truth is not None:
            return ast.copy_location(ast.Constant(truth), node)
        needless = isinstance(node.op, ast.And)
        values = list(node.values)
        while len(values) > 1 and self.truth(values[0]) is needless:
            values.pop(0)
        values = [self.visit(value) for value in values]
        return values[0] if len(values) == 1 else ast.copy_location(ast.BoolOp(node.op, values), node)

    def visit_While(self, node: ast.While) -> Any:
        node.test, node.body, node.orelse = self.visit(node.test), self.block(node.body), self.block(node.orelse)
        node.body.insert(0, self.look(node))
        return node

    def visit_For(self, node: ast.For) -> Any:
        is_simple, is_short = self.loops.is_simple(node), self.loops.is_short(node.iter)
        node.iter, node.body, node.orelse = self.visit(node.iter), self.block(node.body), self.block(node.orelse)
        if is_simple and is_short:
            return node
        looking = copy.deepcopy(node) if is_simple else node
        looking.body.insert(0, self.look(node))
        return self.chosen(node, looking) if is_simple else node

    def chosen(self, node: ast.For, looking: ast.For) -> Any:
        """The loop, or the one that looks if it has many turns."""
        turns = f"_anachron_turns_{node.lineno}_{node.col_offset}"
        made: list[Any] = fresh(f"{turns} = 0\nif len({turns}) <= {SHORT}: pass\nelse: pass")
        made[0].value = node.iter
        node.iter = placed(ast.Name(turns, ast.Load()), node)
        looking.iter = copy.deepcopy(node.iter)
        made[1].body, made[1].orelse = [node], [looking]
        return [placed(statement, node) for statement in made]

    def look(self, node: Any) -> Any:
        """What each turn of a loop begins with: whether the user has asked for the end of it."""
        self.scope |= {"_anachron_look": self.poll, "_anachron_Interrupted": Interrupted}
        return placed(fresh("if _anachron_look(): raise _anachron_Interrupted()")[0], node)

    def visit_Assert(self, node: ast.Assert) -> Any:
        test = ast.UnaryOp(ast.Not(), self.visit(node.test))
        call = ast.Call(ast.Name("AssertionError", ast.Load()), [node.msg] if node.msg else [], [])
        return placed(ast.If(test, [self.visit_Raise(ast.Raise(placed(call, node)))], []), node)

    def visit_Raise(self, node: ast.Raise) -> Any:
        made = node.exc
        if isinstance(made, ast.Call) and len(made.args) == 1 and isinstance(made.args[0], ast.JoinedStr):
            made.args = parts_of_text(self, made.args[0])
            return node
        return self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> Any:
        return text_made_of(self, node)

    # Expressions.

    def operation(self, op: Any, left: Any, right: Any, of: Any) -> Any:
        name = type(op).__name__
        if name not in self.operations:
            return None
        self.scope["_anachron_" + name] = self.operations[name]
        return placed(ast.Call(ast.Name("_anachron_" + name, ast.Load()), [left, right], []), of)

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        left, right = self.visit(node.left), self.visit(node.right)
        return self.operation(node.op, left, right, node) or ast.copy_location(ast.BinOp(left, node.op, right), node)

    def fitting(self, target: Any, value: Any) -> Any:
        """What is assigned to an element of an array, with a check that it fits."""
        is_plain = isinstance(target, ast.Subscript) and not any(isinstance(n, ast.Call) for n in ast.walk(target.value))
        if not is_plain or "fit" not in self.operations:
            return value
        self.scope["_anachron_fit"] = self.operations["fit"]
        call = ast.Call(ast.Name("_anachron_fit", ast.Load()), [copy.deepcopy(target.value), value], [])
        return placed(call, target)

    def visit_Assign(self, node: ast.Assign) -> Any:
        value = self.visit(node.value)
        node.targets = [self.visit(target) for target in node.targets]
        node.value = self.fitting(node.targets[0], value) if len(node.targets) == 1 else value
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        if type(node.op).__name__ not in self.operations:
            return self.generic_visit(node)
        before: list[Any] = []
        target = self.visit(node.target)
        if isinstance(target, ast.Subscript):  # whose index is made once
            name = f"_anachron_index_{node.lineno}_{node.col_offset}"
            before = [placed(ast.Assign([ast.Name(name, ast.Store())], target.slice), node)]
            target = placed(ast.Subscript(target.value, ast.Name(name, ast.Load()), ast.Store()), node)
        read = copy.deepcopy(target)
        read.ctx = ast.Load()
        value = self.fitting(target, self.operation(node.op, read, self.visit(node.value), node))
        return [*before, placed(ast.Assign([target], value), node)]

    def visit_Call(self, node: ast.Call) -> Any:
        function = node.func
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Call):
            inner = function.value
            if self.static(inner.func) is super and not inner.args:
                name = self.name_of_super(function)
                node.func = placed(ast.Attribute(ast.Name(self.first_argument(), ast.Load()), name, ast.Load()), node)
                node.args = [self.visit(argument) for argument in node.args]
                return node
        if isinstance(function, ast.Name) and function.id in CONSUMERS and len(node.args) == 1 and not node.keywords:
            if isinstance(node.args[0], ast.GeneratorExp) and self.static(function) is getattr(builtins, function.id):
                return self.loop_of(node, function.id, node.args[0])
            if function.id == "sum" and self.sums.IS_EXACT and self.static(function) is sum:
                over = ast.comprehension(ast.Name("_each", ast.Store()), node.args[0], [], 0)
                generator = placed(ast.GeneratorExp(ast.Name("_each", ast.Load()), [over]), node)
                return self.loop_of(node, "sum", generator)
        if self.static(function) is str and len(node.args) == 1 and not node.keywords:
            return text_of(self, self.visit(node.args[0]), node)
        if self.static(function) is int and len(node.args) == 1 and not node.keywords:
            given = self.visit(node.args[0])
            if isinstance(given, ast.Constant) and type(given.value) is int:
                return given
            node.args = [given]
            return node
        method = function.attr if isinstance(function, ast.Attribute) else ""
        only = node.args[0] if len(node.args) == 1 else None
        if method == "get" and isinstance(only, ast.Lambda):
            return filtered(self, node, only)
        if method == "sort":
            for given in node.keywords:
                if given.arg == "key" and isinstance(given.value, ast.Lambda):
                    given.value = key_of(self, given.value)
        if method in ("any_of", "all_of") and isinstance(only, (ast.List, ast.Tuple)) and len(only.elts) <= MOST_WAITS:
            node.args = only.elts
        if method in ("any_of", "all_of") and isinstance(only, (ast.ListComp, ast.GeneratorExp)):
            node.func, node.args = self.visit(function), [self.loop_of(node, "list", only)]
            return node
        if method == "print" and isinstance(only, ast.JoinedStr):
            node.args = parts_of_text(self, only)
            return node
        truth = self.truth(node)
        if truth is not None:
            return ast.copy_location(ast.Constant(truth), node)
        return self.generic_visit(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> Any:
        raise self.error(node, f"a generator expression is given to {', '.join(sorted(CONSUMERS))}; write a loop")

    def first_argument(self) -> str:
        return self.function.__code__.co_varnames[0]

    def name_of_super(self, node: ast.Attribute) -> str:
        owner = self.closure.get("__class__")
        if owner is None:
            raise self.error(node, "super() is for methods")
        return f"{SUPER}{id(owner)}.{node.attr}"

    def loop_of(self, call: ast.Call, consumer: str, generator: ast.GeneratorExp | ast.ListComp) -> Any:
        """A call of a function that has the loop."""
        bound = {n.id for n in ast.walk(generator) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        used = {n.id for n in ast.walk(generator) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        needs = sorted((used - bound) & self.locals)
        name = f"{self.function.__name__}__{consumer}_{len(self.helpers)}_{id(self.function):x}"
        before, each, after = CONSUMERS[consumer]
        if consumer == "sum" and self.sums.IS_EXACT:
            before, each, after = EXACT_SUM
            self.scope |= {"_anachron_add": self.sums.add_to_sum, "_anachron_sum": self.sums.whole_sum}
        body: list[Any] = [
            ast.Assign([ast.Name("_element", ast.Store())], generator.elt),
            *fresh(each),
        ]
        for part in reversed(generator.generators):
            for condition in reversed(part.ifs):
                body = [ast.If(condition, body, [])]
            body = [ast.For(part.target, part.iter, body, [])]
        definition: Any = fresh(f"def {name}({', '.join(needs)}): pass")[0]
        definition.body = [*fresh(before), *body, *fresh(after)]
        placed(definition, call)
        definition.body = self.block(definition.body)
        self.helpers.append(placed(definition, call))
        return placed(ast.Call(ast.Name(name, ast.Load()), [ast.Name(n, ast.Load()) for n in needs], []), call)

    def error(self, node: Any, reason: str) -> CompileError:
        code = self.function.__code__
        line = code.co_firstlineno + getattr(node, "lineno", 1) - 1
        return CompileError(f"{code.co_filename}:{line}: {self.function.__qualname__} cannot be compiled: {reason}")
