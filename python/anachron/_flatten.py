"""Processes as state machines: a generator method becomes a function that runs from where it waited to where it waits next.

Its statements are dealt into blocks, and a loop goes on with the block whose number `_pc` has. A `yield` ends a block: the
function saves its variables in the frame of the process, and returns. What leads out of `with`, `try` and loops becomes a
jump, after what has to be done on the way. The compiler and the interpreter get the same function."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ._jumps import Jumps, Saving, is_flat
from ._source import fresh, placed

VALUE, FAILED, INTERRUPTED, PREEMPTED = range(4)  # how a wait has ended: Outcome of model/process/process.hpp

_ALONE = "a process waits in a statement of its own: `yield ..` or `x = yield ..`"


@dataclass
class _Loop:
    on_break: int
    on_continue: int


@dataclass
class _With:
    name: str


@dataclass
class _Try:
    handlers: list[tuple[tuple[int, ...], int]]  # of each the outcomes that it catches, and its block
    finish: list[Any] = field(default_factory=list)


class Flattener:
    """`outcomes_of(node)` says which outcomes an `except` catches; `error(node, reason)` is what is raised for what cannot
    be done; `name`: of the process, which begins in line `first`."""

    def __init__(
        self,
        name: str,
        first: int,
        outcomes_of: Callable[[Any], tuple[int, ...]],
        error: Callable[[Any, str], Exception],
    ):
        self.name, self.first, self.outcomes_of, self.error = name, first, outcomes_of, error
        self.blocks: list[list[Any]] = [[]]
        self.now = 0  # the block that is written
        self.around: list[_Loop | _With | _Try] = []
        self.hidden = 0
        self.sites: list[tuple[int, str]] = []  # of each place to wait its line, and what is waited for

    # What the machine consists of.

    def take(self, definition: ast.FunctionDef) -> Flattener:
        """Deals the statements of a generator method into blocks; to be called once, and first."""
        self.definition = definition
        self.parameters = [argument.arg for argument in definition.args.args[2:]]
        self.names = [argument.arg for argument in definition.args.args[:2]]
        self.body(definition.body)
        self.write(*self.ending(None, definition))
        self.saved = self.variables()
        return self

    def machine(self) -> ast.FunctionDef:
        """The function `(self, cx, frame)` that runs to where the process waits next."""
        own = ", ".join(self.names)
        load = [f"{name} = _anachron_loaded({self.names[0]}, _anachron_frame.{name})" for name in self.saved]
        save = [f"_anachron_frame.{name} = {name}" for name in self.saved]
        save = [f"_anachron_frame = _anachron_write_frame({own})", "_anachron_frame.anachron_pc = _anachron_pc", *save]
        begin = ["_anachron_pc = _anachron_frame.anachron_pc", *load]
        return self.function(["_anachron_frame"], begin, [*save, f"_anachron_saved({own}, _anachron_frame)", "return"])

    def variables_only(self) -> ast.FunctionDef:
        """The same without a frame: for the compiler to find out the types of the variables. Its arguments are those of
        the process."""
        unset = [f"{name} = _anachron_unset()" for name in self.read_first()]
        return self.function(self.parameters, ["_anachron_pc = 0", *unset], ["return"])

    def read_first(self) -> list[str]:
        """The variables that a block reads before a block is written that assigns them."""
        assigned, found = set(self.parameters), set()
        for statement in (statement for block in self.blocks for statement in block):
            names = [node for node in ast.walk(statement) if isinstance(node, ast.Name)]
            found |= {node.id for node in names if isinstance(node.ctx, ast.Load)} - assigned
            assigned |= {node.id for node in names if isinstance(node.ctx, ast.Store)}
        return [name for name in self.saved if name in found]

    def function(self, arguments: list[str], begin: list[str], save: list[str]) -> ast.FunctionDef:
        made: Any = fresh(f"def {self.definition.name}({', '.join([*self.names, *arguments])}): pass")[0]
        dispatch: Any = fresh("while True: pass")[0]
        dispatch.body = copy.deepcopy(self.dispatch(0, len(self.blocks)))
        made.body = [*fresh("\n".join(begin)), dispatch]
        made = Saving("\n".join(save)).visit(placed(made, self.definition))
        return ast.fix_missing_locations(made)

    def dispatch(self, first: int, end: int) -> list[Any]:
        """A tree of decisions between blocks."""
        if end - first == 1:
            return self.blocks[first] or [ast.Pass()]
        middle = (first + end) // 2
        made: Any = fresh(f"if _anachron_pc < {middle}: pass\nelse: pass")[0]
        made.body, made.orelse = self.dispatch(first, middle), self.dispatch(middle, end)
        return [made]

    def variables(self) -> list[str]:
        """Those that more than one block uses, behind the parameters."""
        found: dict[str, set[int]] = {name: set() for name in self.parameters}
        stored = set(self.parameters)
        for number, block in enumerate(self.blocks):
            for statement in block:
                for node in ast.walk(statement):
                    if isinstance(node, ast.Name) and node.id != "_anachron_pc":
                        found.setdefault(node.id, set()).add(number)
                        if isinstance(node.ctx, ast.Store):
                            stored.add(node.id)
        return [name for name, blocks in found.items() if name in self.parameters or name in stored and len(blocks) > 1]

    def block(self) -> int:
        self.blocks.append([])
        return len(self.blocks) - 1

    def write(self, *statements: Any) -> None:
        self.blocks[self.now] += statements

    def code(self, text: str, at: Any) -> list[Any]:
        return [placed(statement, at) for statement in fresh(text)]

    def go_to(self, block: int, at: Any) -> list[Any]:
        return self.code(f"_anachron_pc = {block}\ncontinue", at)

    def new_name(self, of: str) -> str:
        self.hidden += 1
        return f"anachron_{of}_{self.hidden}"

    def call(self, function: str, *arguments: str) -> str:
        return f"_anachron_{function}({', '.join([*self.names, *arguments])})"

    # Statements.

    def body(self, statements: list[Any]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, node: Any) -> None:
        method = getattr(self, "of_" + type(node).__name__.lower(), None)
        heads = [getattr(node, name, None) for name in ("test", "iter")] + [i.context_expr for i in getattr(node, "items", [])]
        if any(head is not None and not is_flat(head) for head in heads):
            raise self.error(node, _ALONE)
        if not is_flat(node) and method:
            method(node)
        elif not is_flat(node):
            raise self.error(node, _ALONE)
        else:
            self.write(*self.jumps(node))

    def jumps(self, node: Any) -> list[Any]:
        """A statement in which nothing waits, with what leads out of it."""
        return Jumps(self).block([copy.deepcopy(node)])

    def of_expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Yield):
            text = "`yield from`: write `yield cx.process(..)`" if isinstance(node.value, ast.YieldFrom) else _ALONE
            raise self.error(node, text)
        self.wait(node.value, node)

    def of_assign(self, node: ast.Assign) -> None:
        if not isinstance(node.value, ast.Yield) or len(node.targets) != 1:
            raise self.error(node, _ALONE)
        waited = self.wait(node.value, node)
        made = self.code(f"_x = {self.call('result', waited)}", node)[0]
        made.targets = [node.targets[0]]
        self.write(made)

    def wait(self, node: ast.Yield, at: Any) -> str:
        """Ends the block. Returns the variable of what was waited for."""
        if node.value is None:
            raise self.error(node, "`yield` of nothing: a process waits for something, such as cx.timeout(1.0)")
        if any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in ast.walk(node.value)):
            raise self.error(node, "a process waits for one thing at a time: write a line for each `yield`")
        self.sites.append((self.first + at.lineno - 1, ast.unparse(node.value)))
        name, next_block = self.new_name("wait"), self.block()
        start = self.code(f"{name} = _x\n_anachron_pc = {next_block}\nif {self.call('wait', name)}:\n    _anachron_save\ncontinue", at)
        start[0].value = node.value
        self.write(*start)
        self.now = next_block
        check: Any = self.code(f"anachron_outcome = {self.call('outcome')}\nif anachron_outcome != {VALUE}: pass", at)
        check[1].body = self.raising(at)
        self.write(*check)
        return name

    def raising(self, at: Any) -> list[Any]:
        """What happens when the wait has failed: the way to who catches it."""
        out: list[Any] = []
        line, what = self.sites[-1]
        for around in reversed(self.around):
            if isinstance(around, _With):
                out += self.code(self.call("leave", around.name), at)
            elif isinstance(around, _Try):
                for outcomes, block in around.handlers:
                    test: Any = self.code(f"if {' or '.join(f'anachron_outcome == {o}' for o in outcomes)}: pass", at)[0]
                    test.body = self.go_to(block, at)
                    out.append(test)
                out += copy.deepcopy(around.finish)
        text = f"process {self.name} waited for `{what}` in line {line}, and "
        interrupted, failed = "was interrupted: catch it with `except an.Interrupt`", "that has failed: catch it with `except an.Failed`"
        out += self.code(
            f"if anachron_outcome >= {INTERRUPTED}: raise RuntimeError({text + interrupted!r})\n"
            f"raise RuntimeError({text + failed!r})",
            at,
        )
        return out

    def of_return(self, node: ast.Return) -> None:
        self.write(*self.leaving(node, None), *self.ending(node.value, node))
        self.now = self.block()

    def ending(self, value: Any, at: Any) -> list[Any]:
        made: Any = self.code(f"{self.call('end', 'None')}\nreturn", at)
        if value is not None:
            made[0].value.args[2] = value
        return made

    def leaving(self, at: Any, loop: _Loop | None) -> list[Any]:
        """What is done on the way out, of a loop or of all."""
        out: list[Any] = []
        for around in reversed(self.around):
            if around is loop:
                break
            if isinstance(around, _With):
                out += self.code(self.call("leave", around.name), at)
            elif isinstance(around, _Try):
                out += copy.deepcopy(around.finish)
        return out

    def loop(self) -> _Loop | None:
        return next((around for around in reversed(self.around) if isinstance(around, _Loop)), None)

    def of_break(self, node: Any) -> None:
        self.write(*self.jumps(node))

    of_continue = of_break

    def of_if(self, node: ast.If) -> None:
        then, otherwise, after = self.block(), self.block(), self.block()
        made: Any = self.code(f"_anachron_pc = {then} if _x else {otherwise}\ncontinue", node)
        made[0].value.test = node.test
        self.write(*made)
        for number, body in ((then, node.body), (otherwise, node.orelse)):
            self.now = number
            self.body(body)
            self.write(*self.go_to(after, node))
        self.now = after

    def of_while(self, node: ast.While) -> None:
        head, body, otherwise, after = (self.block() for _ in range(4))
        self.write(*self.go_to(head, node))
        self.now = head
        made: Any = self.code(f"_anachron_pc = {body} if _x else {otherwise}\ncontinue", node)
        made[0].value.test = node.test
        self.write(*made)
        self.loop_of(node, head, body, otherwise, after)

    def loop_of(self, node: Any, head: int, body: int, otherwise: int, after: int) -> None:
        self.now = body
        self.around.append(_Loop(after, head))
        self.body(node.body)
        self.around.pop()
        self.write(*self.go_to(head, node))
        self.now = otherwise
        self.body(node.orelse)
        self.write(*self.go_to(after, node))
        self.now = after

    def of_for(self, node: ast.For) -> None:
        """Over a range, or by number over what is in the state."""
        turn = self.new_name("turn")
        is_range = isinstance(node.iter, ast.Call) and isinstance(node.iter.func, ast.Name) and node.iter.func.id == "range"
        if is_range and 1 <= len(node.iter.args) <= 3 and not node.iter.keywords:  # type: ignore[attr-defined]
            count, first, step = self.new_name("turns"), self.new_name("first"), self.new_name("step")
            bounds = [ast.unparse(bound) for bound in node.iter.args]  # type: ignore[attr-defined]
            start, stop = (bounds[0], bounds[1]) if len(bounds) > 1 else ("0", bounds[0])
            by = bounds[2] if len(bounds) > 2 else "1"
            begin = f"{first} = {start}\n{step} = {by}\n{count} = len(range({first}, {stop}, {step}))"
            value = f"{first} + {turn} * {step}"
        elif isinstance(node.iter, (ast.Attribute, ast.Name, ast.Subscript)):
            over, count = ast.unparse(node.iter), ""
            begin, value = self.call("check_loop", over), f"{over}[{turn}]"
        else:
            raise self.error(node, "a loop in which a process waits goes over a range, or over a list or an array of the state")
        head, body, otherwise, after = (self.block() for _ in range(4))
        self.write(*self.code(f"{begin}\n{turn} = 0", node), *self.go_to(head, node))
        self.now = head
        end = count or f"len({over})"
        self.write(*self.code(f"_anachron_pc = {body} if {turn} < {end} else {otherwise}\ncontinue", node))
        self.now = body
        taken: Any = self.code(f"_x = {value}\n{turn} = {turn} + 1", node)
        taken[0].targets = [node.target]
        self.write(*taken)
        self.loop_of(node, head, body, otherwise, after)

    def of_with(self, node: ast.With) -> None:
        for item in node.items:
            name = self.new_name("with")
            made: Any = self.code(f"{name} = _x", item.context_expr)
            made[0].value = item.context_expr
            self.write(*made)
            if item.optional_vars is not None:
                if not isinstance(item.optional_vars, ast.Name):
                    raise self.error(node, "`with .. as name`: expected a name")
                self.write(*self.code(f"{item.optional_vars.id} = {name}", node))
            self.around.append(_With(name))
        self.body(node.body)
        for _ in node.items:
            around = self.around.pop()
            assert isinstance(around, _With)
            self.write(*self.code(self.call("leave", around.name), node))

    def of_try(self, node: ast.Try) -> None:
        if any(not is_flat(statement) for statement in node.finalbody):
            raise self.error(node.finalbody[0], "nothing waits in `finally`")
        after = self.block()
        outcomes = [self.outcomes_of(handler.type) for handler in node.handlers]
        handlers = [(caught, self.block()) for caught in outcomes]
        outer = _Try([], node.finalbody)
        self.around += [outer, _Try(handlers)]
        self.body(node.body)
        self.around.pop()
        self.body(node.orelse)
        self.write(*self.go_to(after, node))
        for handler, (_, block) in zip(node.handlers, handlers):
            self.now = block
            if handler.name:
                self.write(*self.code(f"{handler.name} = {self.call('interruption')}", handler))
            self.body(handler.body)
            self.write(*self.go_to(after, node))
        self.around.pop()
        self.now = after
        self.body(node.finalbody)
