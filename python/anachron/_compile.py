"""Compiles the handlers of a model with Numba to C functions, and keeps them on disk."""

from __future__ import annotations

import ctypes
import inspect
import os
import re
import threading
import types as python_types
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _cache, _check
from ._code import Code, entry_name, filter_name, process_name, undoer_name
from ._faults import cause_of
from ._fields import LP
from ._handlers import fields_wanted
from ._math import CHECKED
from ._native import CALLS, CompileError, address_of, native
from ._print import Formats
from ._processes import Process, handles_in, processes_by_name
from ._rewrite import SUPER, rewritten

if TYPE_CHECKING:
    from ._model import Model

_lock = threading.Lock()  # Numba's compiler is entered by one thread at a time
_ready = False
_SMALL = 800  # bytes of Python's code: a function that takes no more is compiled into its callers


def _module_of(function: Any) -> str:
    """Numba imports it, and that of a model's function may be in no sys.modules."""
    return function.__module__ if str(function.__module__).startswith("anachron.") else "anachron"


def _prepare() -> None:
    """Tells the compiler what compiled handlers may call."""
    global _ready
    if _ready:
        return
    import llvmlite.binding as llvm

    from ._draws import LOGARITHMS

    for name in (*CALLS, "rng_make_ready"):
        llvm.add_symbol("anachron_" + name, address_of("anachron_" + name))
    llvm.add_symbol("anachron_logarithms", LOGARITHMS)
    llvm.add_symbol("anachron_end_asked", native.end_asked())
    for name in ("anachron_note_index", "anachron_note_place"):
        llvm.add_symbol(name, address_of(name))
    llvm.add_symbol("anachron_python_fault", ctypes.cast(_fault, ctypes.c_void_p).value)
    _ready = True


@ctypes.PYFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)
def _fault(call: int, error: int | None, trace: int | None, handler: bytes) -> None:
    """A compiled handler has raised an exception: tells the library why. The references stay the caller's."""
    def object_at(address: int | None) -> Any:
        return ctypes.cast(address, ctypes.py_object).value if address else None

    try:
        native.call_fail(call, cause_of(object_at(error), object_at(trace), handler.decode()).encode())
    except BaseException as failure:
        native.call_fail(call, f"threw an exception of which nothing is known: {failure!r}".encode())


def compile_model(model: Model, shared: dict[str, Any]) -> Code:
    """`shared`: of each item its type; of an array (dtype, dimensions)."""
    for lp in model.lps:
        _check.check_class(lp)
    try:
        import numba  # noqa: F401
    except ImportError:
        raise CompileError(
            "compiling a model needs Numba: pip install anachron[models]; or give an.Model `compile=False`"
        ) from None
    from numba.core.compiler_lock import global_compiler_lock

    with _lock, global_compiler_lock:
        _prepare()
        key = _cache.key_of(model, shared) if model.cache else None
        if key is not None:
            found = _cache.load(key)
            if found is not None:
                return Code(*found)
        unit = _Unit(model, shared)
        from ._lines import known_lines

        try:
            with known_lines():
                library, symbols = unit.compile()
        except CompileError:
            raise
        except Exception as error:
            raise _readable(error, unit) from (error if os.environ.get("ANACHRON_DEBUG") else None)
        addresses = {name: library.get_pointer_to_function(symbol) for name, symbol in symbols.items()}
        environments = _cache.environments_of(library)
        if key is not None:
            _cache.store(key, library, symbols, environments, unit.formats, unit.frames)
        return Code(addresses, (library, unit, environments), unit.formats, unit.frames)


class _Machine(NamedTuple):
    """What the function of a process has as globals, and how it is made of the source."""

    helpers: dict[str, Any]
    make: Any


class _Unit:
    """What the types of a compilation refer to."""

    def __init__(self, model: Model, shared: dict[str, Any]):
        self.model, self.shared = model, shared
        self._methods: dict[Any, Any] = {}
        self._functions: dict[Any, Any] = {}
        self._waiting: dict[Any, list[Any]] = {}  # of functions that call themselves: where they are globals
        self._kept: list[Any] = []
        self.formats = Formats()
        self.frames: dict[str, tuple[int, list[int]]] = {}
        self.filters: dict[Any, list[Any]] = {}  # of LP types: what `_filter_types.py` has made
        self.current = ""  # what is being compiled
        self.code: Any = None  # of that

    def method(self, cls: Any, name: str, event: Any = None) -> Any:
        """A method as Numba's function. `event`: the class of the event that it handles."""
        key = (cls, name, event)
        if key not in self._methods:
            function = self.function_of(cls, name)
            parameters = function.__code__.co_varnames[: function.__code__.co_argcount]
            gets_event = event and parameters and fields_wanted(function) is None
            self._methods[key] = self._jit(function, {parameters[-1]: event} if gets_event else {})
        return self._methods[key]

    @staticmethod
    def function_of(cls: Any, name: str) -> Any:
        """A method by its name, or by what `super().name` is rewritten to; None: there is none."""
        if not name.startswith(SUPER):
            return inspect.getattr_static(cls, name, None)
        owner, method = name.removeprefix(SUPER).split(".")
        bases = iter(cls.__mro__)
        for base in bases:
            if id(base) == int(owner):
                break
        return next((vars(base)[method] for base in bases if method in vars(base)), None)

    def _jit(self, function: Any, events: dict[str, Any] | None = None, machine: _Machine | None = None) -> Any:
        import numba

        key = (id(function), tuple(events.items()) if events else (), machine is not None)
        if key not in self._functions:
            self._functions[key] = None
            self._kept.append(function)
            made_of = self._with_compiled_globals(function, events or {}, machine)
            calls_itself = key in self._waiting
            made = numba.njit(
                made_of,
                boundscheck=True,
                error_model="python",
                no_cpython_wrapper=True,
                no_cfunc_wrapper=True,
                forceinline=len(function.__code__.co_code) <= _SMALL and not calls_itself,
            )
            for scope, name in self._waiting.pop(key, ()):
                scope[name] = made
            self._functions[key] = made
        return self._functions[key]

    def _with_compiled_globals(self, function: Any, events: dict[str, Any], machine: _Machine | None = None) -> Any:
        """The function with those functions in its globals and closure compiled that Numba has not compiled yet."""
        from ._look import look
        from ._overflow import OPERATIONS

        scope = dict(function.__globals__) | (machine.helpers if machine else {})
        is_own = (function.__module__ or "").split(".")[0] == "anachron"
        operations = OPERATIONS if self.model.overflow == "error" else {}
        made = None if is_own else rewritten(function, events, scope, look, operations, machine and machine.make)
        if made is None and (machine or fields_wanted(function) is not None):
            code = function.__code__
            reason = "waits" if machine else "gets fields of its event"
            raise CompileError(
                f"{code.co_filename}:{code.co_firstlineno}: {function.__qualname__} {reason}, for which its source has to be in a "
                f"file, as it was when that was imported{'' if machine else ': take the event, `(self, cx, event)`'}"
            )

        def compiled(value: Any, name: str = "") -> Any:
            if not is_own and isinstance(value, python_types.BuiltinFunctionType) and value in CHECKED:
                value = CHECKED[value]
            if isinstance(value, python_types.FunctionType):
                found = self._jit(value)
                if found is None and value is not function:
                    code = function.__code__
                    raise CompileError(
                        f"{code.co_filename}:{code.co_firstlineno}: {function.__qualname__} cannot be compiled: it and "
                        f"{value.__qualname__} call each other: write a function that calls itself, or a loop"
                    )
                if found is None:  # it is being compiled, as it calls itself
                    self._waiting.setdefault((id(value), (), False), []).append((scope, name))
                return found or value
            return value

        for name in _cache.globals_in(made.__code__ if made else function.__code__):
            if name in scope:
                scope[name] = compiled(scope[name], name)
        if made:
            made = python_types.FunctionType(made.__code__, scope, function.__name__, function.__defaults__)
            made.__kwdefaults__, made.__qualname__ = function.__kwdefaults__, function.__qualname__
            made.__module__ = _module_of(function)
            return made
        closure = None
        if function.__closure__:
            closure = tuple(python_types.CellType(compiled(cell.cell_contents)) for cell in function.__closure__)
        made = python_types.FunctionType(
            function.__code__, scope, function.__name__, function.__defaults__, closure
        )
        made.__kwdefaults__, made.__qualname__ = function.__kwdefaults__, function.__qualname__
        made.__module__ = _module_of(function)
        return made

    def _compiled(self, lp: type[LP], name: str, *arguments: Any, event: Any = None) -> Any:
        """A method, for arguments of these types."""
        self.current = f"{lp.__qualname__}.{name}"
        self.code = self.function_of(lp, name).__code__
        dispatcher = self.method(lp, name, event if "isinstance" in self.code.co_names else None)
        self.code = dispatcher.py_func.__code__
        dispatcher.compile(arguments)
        return dispatcher.overloads[arguments]

    def _process(self, process: Process, state: Any, context: Any) -> Any:
        """The function that runs a process, compiled; first the compiler finds out what its variables are."""
        from ._process_types import helpers_of, kind_of_type, types_of_variables
        from ._types import RecordRef, type_of_field

        self.current, self.code = process.where, process.function.__code__
        flattened = process.flattened(process.definition()[0])
        only_variables = _Machine(helpers_of(process), lambda definition: process.flattened(definition).variables_only())
        function = self._with_compiled_globals(process.function, {}, only_variables)
        arguments = (state, context, *(type_of_field(field, True) for field in process.parameters.values()))
        found = types_of_variables(function, arguments, flattened.saved)
        frame = process.frame_class({name: kind_of_type(name, kind, process) for name, kind in found.items() if name not in process.parameters})
        self.frames[process_name(process.lp, process.name)] = frame._size, handles_in(frame)
        of_frame = RecordRef(frame, True)
        machine = _Machine(helpers_of(process, of_frame), lambda definition: process.flattened(definition).machine())
        dispatcher = self._jit(process.function, {}, machine)
        dispatcher.compile((state, context, of_frame))
        return dispatcher.overloads[state, context, of_frame]

    def compile(self) -> tuple[Any, dict[str, str]]:
        """All handlers and `start`s in one library, and the symbols of their entries."""
        from numba.core.registry import cpu_target

        from . import (  # noqa: F401, tell Numba what handlers do
            _bytes_methods,
            _calls,
            _condition_types,
            _container_loops,
            _container_more_methods,
            _draws,
            _filter_types,
            _members,
            _places,
            _process_types,
            _resource_types,
            _waits_of_context,
        )
        from ._types import CallType, RecordRef

        _members.store.is_checked = self.model.overflow == "error"
        _filter_types.unit.now = self
        pieces: list[tuple[str, Any, Any, str]] = []

        def add(name: str, compiled: Any, write: Any) -> None:
            place = f"{self.current}, {self.code.co_filename}:{self.code.co_firstlineno}"
            pieces.append((name, compiled, write, place))

        for lp in self.model.lps:
            state, context_type = RecordRef(lp, True, self), CallType(self, lp)
            if hasattr(lp, "start"):
                add(entry_name(lp, None), self._compiled(lp, "start", state, context_type), _write_entry)
            for event, name in lp._handlers.items():
                compiled = self._compiled(lp, name, state, context_type, RecordRef(event, False), event=event)
                add(entry_name(lp, event), compiled, _write_entry)
            for name, process in processes_by_name(lp).items():
                add(process_name(lp, name), self._process(process, state, context_type), _write_process)
            for event, name in lp._undoers.items():
                compiled = self._compiled(lp, name, state, RecordRef(event, False))
                add(undoer_name(lp, event), compiled, _write_undoer)

        for lp, filters in self.filters.items():
            for number, filter in enumerate(filters):
                self.current = f"a filter of {lp.__qualname__}"
                add(filter_name(lp, number), filter.compiled, filter.write)

        context = pieces[0][1].target_context if pieces else cpu_target.target_context
        library = context.codegen().create_library("anachron")
        library.enable_object_caching()
        module = library.create_ir_module("anachron_entries")
        symbols = {}
        for number, (name, compiled, write, place) in enumerate(pieces):
            library.add_linking_library(compiled.library)
            symbols[name] = f"anachron_entry_{number}_{id(self):x}"
            write(context, module, symbols[name], compiled, place)
        library.add_ir_module(module)
        library.finalize()
        return library, symbols


def _write_undoer(context: Any, module: Any, symbol: str, compiled: Any, _place: str) -> None:
    """int symbol(state, event): calls it; not 0 when it has raised something, of which nothing is told."""
    from llvmlite import ir

    address, i32 = ir.IntType(8).as_pointer(), ir.IntType(32)
    function = ir.Function(module, ir.FunctionType(i32, [address] * 2), symbol)
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    callee = context.declare_function(module, compiled.fndesc)
    status, _ = context.call_conv.call_function(
        builder, callee, compiled.fndesc.restype, compiled.fndesc.argtypes, list(function.args)
    )
    builder.ret(builder.zext(status.is_error, i32))


def _write_process(context: Any, module: Any, symbol: str, compiled: Any, place: str) -> None:
    """int symbol(state, process, call): runs the process to where it waits; likewise."""
    from ._wait_types import call_of_process

    _write_entry(context, module, symbol, compiled, place, lambda builder, state: call_of_process(builder, "process_frame", state))


def _write_entry(context: Any, module: Any, symbol: str, compiled: Any, place: str, event_of: Any = None) -> None:
    """int symbol(state, event, call): calls the handler; what it raises is told to the library."""
    from llvmlite import ir
    from numba.core import cgutils

    address, i32 = ir.IntType(8).as_pointer(), ir.IntType(32)
    function = ir.Function(module, ir.FunctionType(i32, [address] * 3), symbol)
    builder = ir.IRBuilder(function.append_basic_block("entry"))
    state, event, call = function.args
    if event_of:
        event = event_of(builder, state)
    arguments = [state, call, event][: len(compiled.fndesc.argtypes)]
    callee = context.declare_function(module, compiled.fndesc)
    status, _ = context.call_conv.call_function(
        builder, callee, compiled.fndesc.restype, compiled.fndesc.argtypes, arguments
    )
    with cgutils.if_unlikely(builder, status.is_error):
        python = context.get_python_api(builder)
        gil = python.gil_ensure()
        context.call_conv.raise_error(builder, python, status)
        slots = [cgutils.alloca_once_value(builder, ir.Constant(address, None)) for _ in range(3)]
        c_api = ir.FunctionType(ir.VoidType(), [address.as_pointer()] * 3)
        for step in ("PyErr_Fetch", "PyErr_NormalizeException"):
            builder.call(cgutils.get_or_insert_function(module, c_api, step), slots)
        _, error, trace = (builder.load(slot) for slot in slots)
        fault = cgutils.get_or_insert_function(
            module, ir.FunctionType(ir.VoidType(), [address] * 4), "anachron_python_fault"
        )
        builder.call(fault, [call, error, trace, context.insert_const_string(module, place)])
        for slot in slots:
            python.decref(builder.load(slot))
        python.gil_release(gil)
        builder.ret(i32(1))
    builder.ret(i32(0))


def _readable(error: Exception, unit: _Unit) -> CompileError:
    """An error of Numba as file, line and reason."""
    from ._types import MARK

    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    own = [
        f"{os.path.abspath(file)}:{line}: "
        for file, line in re.findall(r'File "([^"]+)", line (\d+)', text)
        if not re.search(r"(^|/)(numba|anachron)/", file)
    ]
    where = own[0] if own else f"{unit.code.co_filename}:{unit.code.co_firstlineno}: " if unit.code else ""
    if MARK in text:
        reason = _in_words(text.rsplit(MARK, 1)[1].split("\n")[0])
    else:
        reason = " ".join(_lines_of_reason(text)) or "the type of something is not clear, such as that of an empty list"
    hint = _check.hint_for(reason)
    return CompileError(f"{where}{unit.current} cannot be compiled: {reason}{hint}")


def _lines_of_reason(text: str) -> list[str]:
    lines = [line.strip() for line in text.split("\n")]
    noise = re.compile(r"(Failed in|During:|File |<source|\^|\*\*\*|There are|raised from)")
    return [_in_words(line) for line in lines if line and not noise.match(line)][:6]


def _in_words(line: str) -> str:
    """A line of Numba without what only its authors know."""
    line = re.sub(r"Cannot cast (.*) to (.*?): .*", r"\1 is given where \2 is expected", line)
    line = re.sub(r"Literal\[\w+\]\((.*?)\)", r"\1", line)
    return re.sub(r"(readonly )?bytes\(uint8, 1d, C\)|anachron\.bytes", "bytes", line).replace("unicode_type", "str")
