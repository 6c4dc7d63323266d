"""Processes: generator methods of LP types, as the engine runs them. What both ways to run them have in common: their
source, parameters and frames. `_process_types.py` compiles them, `_interpreted.py` does without."""

from __future__ import annotations

import ast
import inspect
import textwrap
from typing import Any

from ._fields import Field, Record, RecordMeta
from ._flatten import FAILED, INTERRUPTED, PREEMPTED, Flattener
from ._handlers import processes_of
from ._kinds import ArrayKind, Kind, PlaceKind, WaitKind, kind_of, kind_of_value
from ._native import CompileError
from ._texts import OpenKind
from ._waits import Failed, Interrupt

_WORD = 8
PC = "anachron_pc"


def scope_of(function: Any) -> dict[str, Any]:
    """The globals of a function, with what it has from around it."""
    cells = zip(function.__code__.co_freevars, function.__closure__ or ())
    return dict(function.__globals__) | {name: cell.cell_contents for name, cell in cells if name != "__class__"}


class Process:
    """A generator method of an LP type: what is known of it before it is compiled."""

    def __init__(self, lp: Any, name: str, function: Any):
        self.lp, self.name, self.function = lp, name, function
        self.scope = scope_of(function)
        self.where = f"{lp.__qualname__}.{name}"
        self.defaults: dict[str, Any] = {}
        self.parameters = self._parameters()
        returned = self._annotation("return")
        of = None if returned is None else kind_of_value(returned, f"{self.where}: what a process returns")
        self.returns = WaitKind(of)

    def _annotation(self, name: str) -> Any:
        annotation = self.function.__annotations__.get(name)
        return eval(annotation, self.scope) if isinstance(annotation, str) else annotation

    def _parameters(self) -> dict[str, Field]:
        """As they lie in the frame, behind the place to go on."""
        found: dict[str, Field] = {}
        offset = _WORD
        given = list(inspect.signature(self.function).parameters.values())
        if len(given) < 2:
            raise TypeError(f"{self.where}: a process gets `self` and `cx`")
        for parameter in given[2:]:
            annotation = self._annotation(parameter.name)
            has_default = parameter.default is not inspect.Parameter.empty
            if annotation is None and has_default:
                annotation = type(parameter.default)
            if annotation is None:
                raise TypeError(f"{self.where}: say what '{parameter.name}' is: `{parameter.name}: int`")
            kind = kind_of(annotation, f"{self.where}, {parameter.name}")
            self._check_kind(parameter.name, kind)
            if parameter.kind is not inspect.Parameter.POSITIONAL_OR_KEYWORD:
                raise TypeError(f"{self.where}: '{parameter.name}' has to be an argument without `*` before it")
            found[parameter.name] = Field(parameter.name, kind, offset, None, self.lp)
            offset += _rounded(kind)
            if has_default:
                self.defaults[parameter.name] = parameter.default
                self._check_default(found[parameter.name], parameter.default)
        self.argument_bytes = offset
        return found

    def _check_kind(self, name: str, kind: Kind) -> None:
        if isinstance(kind, OpenKind):
            limited = "an.Text[24]" if kind.python is str else "an.Bytes[24]"
            raise TypeError(f"{self.where}: '{name}' is {kind.name}: say how many bytes it has at most, `{name}: {limited}`")
        if kind.is_bounded or isinstance(kind, (ArrayKind, PlaceKind)):
            is_waited_for = isinstance(kind, PlaceKind) and kind.waits
            hint = "a number can say which resource is meant" if is_waited_for else "other things are fields of the state"
            raise TypeError(
                f"{self.where}: '{name}' is {kind.name}: an argument is a number, a text, an LP, a handle, a struct or an an.Wait; {hint}"
            )

    def _check_default(self, field: Field, default: Any) -> None:
        where = f"{self.where}: {field.name} = {default!r}"
        if isinstance(default, float) and field.kind.dtype.kind in "iu":
            raise TypeError(f"{where}: expected a whole number")
        if isinstance(field.kind, WaitKind):
            raise TypeError(f"{where}: an argument that is an an.Wait has no default")
        try:
            field.write(bytearray(field.offset + field.kind.dtype.itemsize), default)
        except (TypeError, OverflowError) as error:
            expected = str(error).rpartition(": ")[2]
            raise type(error)(f"{where}: {expected}") from None

    def definition(self) -> tuple[ast.FunctionDef, int]:
        """The source, and the number of its first line."""
        try:
            lines, first = inspect.getsourcelines(self.function)
            made = ast.parse(textwrap.dedent("".join(lines))).body[0]
        except (OSError, SyntaxError, TypeError, IndentationError):
            raise CompileError(f"{self.where}: the source of a process has to be in a file, or in a cell of a notebook") from None
        assert isinstance(made, ast.FunctionDef)
        return made, first

    def flattened(self, definition: ast.FunctionDef) -> Flattener:
        for node in ast.walk(definition):
            if isinstance(node, ast.Return) and node.value is not None and self.returns.of is None:
                if not (isinstance(node.value, ast.Constant) and node.value.value is None):
                    raise self._error(node, "it returns something: say what, `-> float`")
        return Flattener(self.where, self.function.__code__.co_firstlineno, self._outcomes_of, self._error).take(definition)

    def _error(self, node: Any, reason: str) -> CompileError:
        code = self.function.__code__
        return CompileError(
            f"{code.co_filename}:{code.co_firstlineno + node.lineno - 1}: {self.where} cannot be compiled: {reason}"
        )

    def _outcomes_of(self, node: Any) -> tuple[int, ...]:
        """What `except ..` catches of what ends a wait."""
        if node is None:
            return FAILED, INTERRUPTED, PREEMPTED
        if isinstance(node, ast.Tuple):
            return tuple(outcome for part in node.elts for outcome in self._outcomes_of(part))
        try:
            caught = eval(compile(ast.Expression(node), "", "eval"), self.scope)
        except (NameError, AttributeError):
            caught = None
        known = {Interrupt: (INTERRUPTED, PREEMPTED), Failed: (FAILED,), Exception: (FAILED, INTERRUPTED, PREEMPTED)}
        if caught not in known:
            raise self._error(
                node,
                f"`except {ast.unparse(node)}`: a process catches how a wait has ended, an.Interrupt or an.Failed; test "
                "before what could raise something else",
            )
        return known[caught]

    def default_values(self) -> bytes:
        """The frame of a call without arguments, those that have no default being 0."""
        memory = bytearray(self.argument_bytes)
        for name, default in self.defaults.items():
            self.parameters[name].write(memory, default)
        return bytes(memory)

    def values_of(self, bound: dict[str, Any]) -> bytes:
        """The arguments of a call, as its frame begins."""
        memory = bytearray(self.argument_bytes)
        for name, field in self.parameters.items():
            field.write(memory, bound[name])
        return bytes(memory)

    def frame_class(self, kinds: dict[str, Kind]) -> Any:
        """A record of the place to go on, the parameters, and variables of these kinds."""
        made: Any = RecordMeta(f"frame of {self.where}", (Record,), {"_what": "frame"})
        fields = {PC: Field(PC, kind_of(int, ""), 0, None, self.lp)} | self.parameters
        offset = self.argument_bytes
        for name, kind in kinds.items():
            if name not in self.parameters:
                fields[name] = Field(name, kind, offset, None, self.lp)
                offset += _rounded(kind)
        made._fields, made._size, made._initial = fields, offset, bytes(offset)
        return made


def _rounded(kind: Kind) -> int:
    return -(-kind.dtype.itemsize // _WORD) * _WORD


def processes_by_name(lp: Any) -> dict[str, Process]:
    """Of an LP type; their order is that of their numbers."""
    if "_processes" not in vars(lp):
        lp._processes = {name: Process(lp, name, function) for name, function in sorted(processes_of(lp).items())}
    return lp._processes


def number_of(lp: Any, name: str) -> int:
    return list(processes_by_name(lp)).index(name)


def handles_in(frame: Any) -> list[int]:
    """Where a frame names what the process may wait for."""
    return [field.offset for field in frame._fields.values() if isinstance(field.kind, WaitKind)]
