"""Compiled models on disk, by content: what they were made of is their name."""

from __future__ import annotations

import ctypes
import dis
import enum
import hashlib
import inspect
import os
import pickle
import sys
import tempfile
import types
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ._fields import Record
from ._kinds import Kind
from ._native import InputError, native
from ._print import Formats

if TYPE_CHECKING:
    from ._model import Model

_ENVIRONMENT = "_ZN08NumbaEnv"  # how Numba calls variables that hold what compiled code has from Python
_KNOWN_MODULES = {"math", "numpy", "operator", "builtins"}


def folder() -> Path:
    return Path(os.environ.get("ANACHRON_CACHE") or Path.home() / ".cache" / "anachron")


def names_in(code: types.CodeType) -> set[str]:
    """Names of globals and of attributes, also of functions within."""
    names = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= names_in(constant)
    return names


def globals_in(code: types.CodeType) -> set[str]:
    """Names of globals alone: the global `servers` has nothing to do with `cx.params.servers`."""
    names = {each.argval for each in dis.get_instructions(code) if each.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            names |= globals_in(constant)
    return names


class _Unknown(Exception):
    """Something of which it is not known what compiled code depends on."""


class _Contents:
    """All that compiled code depends on, as bytes."""

    def __init__(self) -> None:
        self.hash = hashlib.sha256()
        self._seen: set[int] = set()

    def add(self, *values: Any) -> None:
        for value in values:
            self._add(value)

    def _add(self, value: Any) -> None:
        if value is None or isinstance(value, (bool, int, float, complex, str, bytes)) and not isinstance(value, enum.Enum):
            self.hash.update(f"{type(value).__name__}:{value!r};".encode())
        elif isinstance(value, np.generic):
            self.add(str(value.dtype), value.tobytes())
        elif isinstance(value, np.ndarray):
            self.add(value.dtype.str, value.shape, value.tobytes())
        elif isinstance(value, (tuple, list)):
            self.add(type(value).__name__, len(value), *value)
        elif isinstance(value, types.CodeType):
            self.add(value.co_code, value.co_names, value.co_varnames, value.co_freevars, value.co_cellvars)
            self.add(value.co_argcount, value.co_filename, value.co_firstlineno, value.co_consts)
        elif isinstance(value, types.FunctionType):
            self._add_function(value)
        elif isinstance(value, type) and issubclass(value, Record):
            self._add_record(value)
        elif isinstance(value, types.ModuleType) and value.__name__ in _KNOWN_MODULES:
            self.add("module", value.__name__, getattr(value, "__version__", ""))
        elif isinstance(value, (types.BuiltinFunctionType, np.ufunc, type)) and (
            getattr(value, "__module__", None) or "numpy"
        ).split(".")[0] in _KNOWN_MODULES | {"anachron"}:
            self.add("builtin", value.__name__)
        elif isinstance(value, enum.Enum) or isinstance(value, enum.EnumMeta):
            members: Any = value if isinstance(value, enum.EnumMeta) else type(value)
            self.add("enum", members.__qualname__, [(m.name, m.value) for m in members], getattr(value, "name", ""))
        elif hasattr(value, "py_func"):
            self.add("compiled", value.py_func)
        else:
            raise _Unknown(repr(value))

    def _add_function(self, function: types.FunctionType) -> None:
        if id(function) in self._seen:
            return
        self._seen.add(id(function))
        self.add(function.__code__, function.__defaults__)
        for name in sorted(globals_in(function.__code__)):
            if name in function.__globals__:
                value = function.__globals__[name]
                if isinstance(value, types.ModuleType) and value.__name__.split(".")[0] not in _KNOWN_MODULES:
                    used = sorted(names_in(function.__code__) & set(vars(value)))
                    self.add(name, value.__name__, used, *(vars(value)[member] for member in used))
                else:
                    self.add(name, value)
        for cell in function.__closure__ or ():
            self.add(cell.cell_contents)

    def _add_record(self, record: type[Record]) -> None:
        if id(record) in self._seen:
            return self.add("record", record.__qualname__)
        self._seen.add(id(record))
        self.add(record.__qualname__, record._what, record._size, record._initial)
        for field in record._fields.values():
            self.add(field.name, field.offset, field.kind.name, str(field.kind.dtype))
            of = getattr(field.kind, "of", getattr(field.kind, "item", None))
            for part in of if isinstance(of, tuple) else ():  # the elements of a container
                self.add(part.name, str(part.dtype), getattr(part, "cls", None))
            while not isinstance(of, tuple) and of is not None:  # the element of an array, the LP type of an id
                self.add(getattr(of, "name", None) if isinstance(of, Kind) else getattr(of, "__qualname__", of))
                of = getattr(of, "of", None)
        for base in record.__mro__:
            if base.__module__.split(".")[0] != "anachron":
                for name, member in sorted(vars(base).items()):
                    if isinstance(member, types.FunctionType):
                        self.add(name, member)
                        if inspect.isgeneratorfunction(member):
                            self.add(*map(str, member.__annotations__.items()))
        return None


def key_of(model: Model, shared: dict[str, Any]) -> str | None:
    """None: there is something that the result may depend on and that has no name here."""
    import llvmlite
    import llvmlite.binding as llvm
    import numba

    from ._draws import LAYOUT, LOGARITHM

    contents = _Contents()
    contents.add(native.version(), numba.__version__, llvmlite.__version__, sys.version)
    contents.add(llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten(), _own_sources(), LAYOUT, LOGARITHM)
    try:
        contents.add(model.overflow, model.lps, [model.params], model.rows, list(shared), list(shared.values()))
        for lp, event in model.events:
            contents.add(lp, event, lp._handlers[event], lp._undoers.get(event))
    except (_Unknown, ValueError):
        return None
    return contents.hash.hexdigest()


def contents_of(model: Model, shared: Any = None) -> str:
    """A hash of all that results depend on beside options. That is the code of LP types and of what they call, with
    their static methods, fields and defaults, and shared data, or the code that makes it. Raises InputError for something that
    has no contents of its own, such as an open file."""
    contents = _Contents()
    data = model._shared if shared is None else shared
    try:
        contents.add(model.overflow, model.until, model.lps, model.rows, model.params)
        for field in model.params._fields.values():
            contents.add(field.name, repr(getattr(field.default, "default", field.default)))
        for lp in model.lps:
            for base in lp.__mro__:
                if base.__module__.split(".")[0] != "anachron":
                    static = {n: m.__func__ for n, m in vars(base).items() if isinstance(m, (staticmethod, classmethod))}
                    contents.add(*(part for item in sorted(static.items()) for part in item))
        for lp, event in model.events:
            contents.add(lp, event, lp._handlers[event], lp._undoers.get(event))
        contents.add(data if callable(data) else sorted_items(data or {}))
    except (_Unknown, ValueError) as error:
        raise InputError(f"the results of {model.name} depend on {error}, of which a sweep's file cannot keep what it was") from None
    return contents.hash.hexdigest()


def sorted_items(data: Any) -> list[Any]:
    """Groups of LPs as their numbers."""
    parts = ("numbers", "starts")
    return [
        (name, [np.asarray(getattr(value, part)) for part in parts if hasattr(value, part)] or _array_or_number(value))
        for name, value in sorted(data.items())
    ]


def _array_or_number(value: Any) -> Any:
    return value if isinstance(value, (bool, int, float, np.generic)) else np.ascontiguousarray(value)


def _own_sources() -> str:
    """Of this package: while it is developed its version stays the same."""
    files = sorted(Path(__file__).parent.glob("_*.py"))
    return ",".join(f"{file.name}:{file.stat().st_mtime_ns}:{file.stat().st_size}" for file in files)


def environments_of(library: Any) -> dict[str, Any]:
    """By name: what compiled code has from Python. They live as long as Python code keeps them. The compiled code finds
    them in variables, which are set here."""
    from numba.core.lowering import Environment

    found = {}
    for variable in library._final_module.global_variables:
        if variable.name.startswith(_ENVIRONMENT) and variable.name in Environment._memo:
            found[variable.name] = Environment._memo[variable.name]
    _set_environments(library, found)
    return found


def _set_environments(library: Any, environments: dict[str, Any]) -> None:
    for name, environment in environments.items():
        address = library.codegen._engine.get_global_value_address(name)
        if address:
            ctypes.c_void_p.from_address(address).value = id(environment)


def store(
    key: str, library: Any, symbols: dict[str, str], environments: dict[str, Any], formats: Formats, frames: Any
) -> None:
    """Nothing is stored when it cannot be: the next run compiles again."""
    try:
        consts = {name: list(environment.consts) for name, environment in environments.items()}
        data = pickle.dumps((symbols, library.serialize_using_object_code(), consts, formats.all, frames))
        data = hashlib.sha256(data).digest() + data
        folder().mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder(), delete=False) as file:
            file.write(data)
        os.replace(file.name, folder() / (key + ".bin"))
    except (OSError, pickle.PicklingError, TypeError, AttributeError):
        pass


def load(key: str) -> tuple[dict[str, int], Any, Formats, Any] | None:
    """Addresses by entry, what has to be kept, and frames of processes."""
    from numba.core.lowering import Environment
    from numba.core.registry import cpu_target

    try:
        data = (folder() / (key + ".bin")).read_bytes()
        if hashlib.sha256(data[32:]).digest() != data[:32]:
            return None  # a damaged file
        symbols, state, consts, formats, frames = pickle.loads(data[32:])
    except (OSError, pickle.UnpicklingError, EOFError, ValueError, ImportError, AttributeError):
        return None
    cpu_target.target_context.refresh()
    library = cpu_target.target_context.codegen().unserialize_library(state)
    environments = {}
    for name, values in consts.items():
        environments[name] = environment = Environment({})
        environment.env_name = name
        environment.consts.extend(values)
    _set_environments(library, environments)
    addresses = {name: library.get_pointer_to_function(symbol) for name, symbol in symbols.items()}
    return addresses, (library, environments), Formats(formats), frames
