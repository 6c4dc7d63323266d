"""The library that the package is made around, and its errors as Python exceptions."""

from __future__ import annotations

import ctypes as c
import functools
import hashlib
import os
import re
import sys
from pathlib import Path
from typing import Any

Watch = c.CFUNCTYPE(c.c_int, c.c_void_p, c.c_double, c.c_double, c.c_uint64, c.c_uint64, c.c_double)


class AnachronError(Exception):
    """What the engine reports."""


class InputError(AnachronError, ValueError):
    """Bad input: an option, a parameter, a value, a file. The message names it, and says what is valid."""


class SimulationError(AnachronError, RuntimeError):
    """A committed event failed: the same error, for the same event, in every mode.

    Attributes: `lp` ("Player 17"), `event` (its type, or "start"), `time` (in the model's unit), `cause`.
    """

    def __init__(self, message: str, lp: str, event: str, time: float, cause: str):
        super().__init__(message)
        self.lp, self.event, self.time, self.cause = lp, event, time, cause

    def __reduce__(self):
        return SimulationError, (self.args[0], self.lp, self.event, self.time, self.cause)


class CompileError(AnachronError, TypeError):
    """A model that cannot be compiled: the message has file, line, and what to write instead."""


class _Error(c.Structure):  # python/src/errors.hpp
    _fields_ = [
        ("kind", c.c_int),
        ("message", c.c_void_p),
        ("lp", c.c_void_p),
        ("event", c.c_void_p),
        ("cause", c.c_void_p),
        ("time", c.c_double),
    ]


#: What processors of the level x86-64-v3 have, about those since 2015, as /proc/cpuinfo calls it.
V3 = frozenset({"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe"})


def is_v3(cpuinfo: str | os.PathLike[str] = "/proc/cpuinfo") -> bool:
    """Whether this processor, and its system, have that level."""
    try:
        with open(cpuinfo) as file:
            flags = next((line for line in file if line.startswith("flags")), "")
    except OSError:
        return False
    return set(flags.split()) >= V3


def check_byte_order(order: str) -> None:
    """Raises ImportError unless it is that of Numba's machines, which texts, containers and checkpoints of models have."""
    if order != "little":
        raise ImportError(f"anachron: the Python package is for little-endian machines; this one is {order}-endian. The C++ library runs on both.")


def _find() -> Path:
    other = os.environ.get("ANACHRON_LIBRARY")  # one that was built but not installed
    if other:
        return Path(other)
    here = Path(__file__).resolve().parent
    fast = here / "_anachron_v3.so"
    return fast if fast.exists() and is_v3() else here / "_anachron.so"


check_byte_order(sys.byteorder)
library_file = _find()
library = c.CDLL(str(library_file))


def _state_of_file() -> tuple[int, int, int]:
    facts = library_file.stat()
    return facts.st_ino, facts.st_size, facts.st_mtime_ns


_loaded = _state_of_file()


@functools.lru_cache(None)
def library_hash() -> str:
    """Of the library's file, as two builds of one version may give different results. Raises InputError if the file is
    not the one that was loaded any more."""
    contents = library_file.read_bytes()
    if _state_of_file() != _loaded:
        raise InputError(f"{library_file} was replaced while this process runs what was there before: start Python again")
    return hashlib.sha256(contents).hexdigest()

_p, _i, _s, _u32, _u64, _d, _b = c.c_void_p, c.c_int, c.c_char_p, c.c_uint32, c.c_uint64, c.c_double, c.c_bool
_i64 = c.c_int64
_SIGNATURES: dict[str, tuple[Any, list[Any]]] = {  # without the error, which comes last
    "models": (_p, []),
    "engine_options": (_p, []),
    "run": (_p, [_s, _i, _p, Watch, _p]),
    "model_lp": (_u32, [_p, _s, _p, _u64, _p, _p, _i]),
    "model_event": (_u32, [_p, _u32, _s, _u64, _p, _p, _p, _i, _i]),
    "model_table": (_u32, [_p, _u64, _i]),
    "model_processes": (None, [_p, _u32, _u32, _p, _p, _p, _p, _p, _u32, _p]),
    "setup_new": (_p, [_p, _u32, _p, _p, _p, _p, _p, _p, _p]),
    "setup_run": (_p, [_p, _s, _s, _d, _i, _p, Watch, _p]),
    "setup_states": (None, [_p, _u32, _p]),
    "setup_region": (_p, [_p, _u32, _u32, c.POINTER(_u64)]),
    "session_region": (_p, [_p, _u32, _u32, c.POINTER(_u64)]),
    "setup_rows": (None, [_p, _u32, _p, _p, _p]),
    "session_new": (_p, [_p, _s, _s, _i, _p]),
    "session_checkpoint": (_p, [_p, _s]),
    "session_run_until": (_i, [_p, _d, Watch, _p]),
    "session_now": (_d, [_p]),
    "session_report": (_p, [_p, _s]),
    "session_states": (_p, [_p, _p, _u32, c.POINTER(_u64)]),
    "session_schedule": (_u64, [_p, _u32, _u32, _d, _p]),
    "session_keep_history": (None, [_p]),
    "variants_schedule": (None, [_p, _u32, _u32, _d, _p]),
    "variants_edit": (None, [_p, _u32, _u32, _d, _u64, _p, _u64]),
    "variants_cancel": (None, [_p, _p, _u64]),
    "variants_run": (None, [_p, _p, _u32]),
    "variants_report": (_p, [_p, _u64, _s]),
    "variants_states": (None, [_p, _u64, _u32, _p]),
    "variants_region": (_p, [_p, _u64, _u32, _u32, c.POINTER(_u64)]),
    "session_mark": (_u64, [_p]),
    "session_rewind": (None, [_p, _u64]),
    "session_accept": (None, [_p, _u64]),
    "stat_initial": (None, [_i, _d, _p]),
    "merged_add": (None, [_p, _s, _i, _p, _u64, _i64]),
    "merged_result": (_p, [_p]),
    "gather": (_p, [_s, _u64, c.POINTER(_u64)]),
}
_PLAIN: dict[str, tuple[Any, list[Any]]] = {  # that cannot fail
    "version": (_s, []),
    "free": (None, [_p]),
    "main": (_i, [_i, _p]),
    "result_free": (None, [_p]),
    "result_json": (_s, [_p]),
    "result_text": (_s, [_p]),
    "result_tables": (_u64, [_p]),
    "result_table": (_s, [_p, _u64, c.POINTER(_u64), c.POINTER(_u64)]),
    "result_column": (_p, [_p, _u64, _u64, c.POINTER(_s), c.POINTER(_i), c.POINTER(_s)]),
    "model_new": (_p, []),
    "model_free": (None, [_p]),
    "setup_free": (None, [_p]),
    "setup_row_count": (_u64, [_p, _u32]),
    "session_free": (None, [_p]),
    "variants_new": (_p, [_p]),
    "variants_free": (None, [_p]),
    "variants_add": (None, [_p, _u64, _u64]),
    "stat_bytes": (_u64, [_i]),
    "merged_new": (_p, [_d, _d, _d]),
    "merged_free": (None, [_p]),
    "rng_layout": (None, [_p]),
    "rng_logarithms": (_p, [_p]),
    "ranks": (_u32, [c.POINTER(_u32)]),
    "end_ranks": (None, [_i]),
    "has_mpi": (_b, []),
    "interrupts_begin": (None, []),
    "interrupts_end": (_i, []),
    "end_asked": (_p, []),
    "noted_index": (None, [_p]),
    "noted_place": (_s, [_p]),
}

# What handlers call: name -> result, arguments after the call. Interpreted ones through ctypes, compiled ones by
# address. Of all of them the first argument is the address of the call.
CALLS: dict[str, tuple[Any, list[Any]]] = {
    "call_send": (_u64, [_u32, _u64, _d, _p, _u32]),
    "call_handle": (None, [_u32, _u64, _d, _u64, _u32, _p]),
    "call_broadcast": (None, [_u32, _u64, _u64, _p, _d, _p, _u32]),
    "call_cancel": (_b, [_p]),
    "call_row": (None, [_u32, _p]),
    "call_lp_count": (_u32, [_u32]),
    "call_stop": (None, []),
    "call_fail": (None, [_s]),
    "call_failed": (_b, []),
    "stat_tally_add": (None, [_p, _d]),
    "stat_level_set": (None, [_p, _d]),
    "stat_level_change": (None, [_p, _d]),
    "stat_histogram_add": (None, [_p, _d]),
    "stat_batches_add": (None, [_p, _d]),
    "stat_series_add": (None, [_p, _d]),
}
# What handlers do with containers: the first argument is the address of the state.
CONTAINER_CALLS: dict[str, tuple[Any, list[Any]]] = {
    "list_read": (_p, [_u32, _i64, _u32]),
    "list_write": (_p, [_u32, _i64, _u32]),
    "list_insert": (_p, [_u32, _i64, _u32]),
    "list_append": (_p, [_u32, _u32]),
    "list_pop": (_b, [_u32, _i64, _u32, _p]),
    "list_find": (_i64, [_u32, _p, _u32, _i64]),
    "list_clear": (None, [_u32, _u32]),
    "dict_read": (_p, [_u32, _u32, _u32, _p]),
    "dict_write": (_p, [_u32, _u32, _u32, _p]),
    "dict_pop": (_b, [_u32, _u32, _u32, _p, _p]),
    "dict_next": (_i64, [_u32, _i64]),
    "dict_key": (_p, [_u32, _u32, _u32, _i64]),
    "dict_value": (_p, [_u32, _u32, _u32, _i64]),
    "dict_clear": (None, [_u32, _u32, _u32]),
    "text_read": (_p, [_u32]),
    "text_write": (_p, [_u32, _u32]),
    "queue_push": (_p, [_u32, _d, _u32]),
    "queue_pop": (_b, [_u32, _u32, _p]),
    "queue_top": (_p, [_u32]),
    "queue_clear": (None, [_u32, _u32]),
}
#: What handlers and processes do with time, resources and each other: likewise.
PROCESS_CALLS: dict[str, tuple[Any, list[Any]]] = {
    "wait_timeout": (_u64, [_d, _u64]),
    "wait_event": (_u64, []),
    "wait_succeed": (_b, [_u64, _u64]),
    "wait_fail": (_b, [_u64, _d]),
    "wait_any": (_u64, [_u64, _u64]),
    "wait_all": (_u64, [_u64, _u64]),
    "wait_condition": (_u64, [_b, _u32]),
    "wait_part": (None, [_u64, _u32, _u64]),
    "wait_contains": (_b, [_u64, _u64]),
    "wait_status": (_i, [_u64]),
    "wait_value": (_u64, [_u64]),
    "wait_item": (_p, [_u64]),
    "wait_leave": (None, [_u64]),
    "process_begin": (_u64, [_u32, _p, _u32]),
    "process_interrupt": (_b, [_u64, _d]),
    "process_passivate": (_u64, []),
    "process_activate": (_b, [_u64]),
    "process_is_alive": (_b, [_u64]),
    "process_active": (_u64, []),
    "process_wait": (_b, [_u64]),
    "process_outcome": (_u32, []),
    "process_value": (_u64, []),
    "process_item": (_p, []),
    "process_cause": (_d, []),
    "process_usage_since": (_d, []),
    "process_by": (_u64, []),
    "process_frame": (_p, []),
    "process_write_frame": (_p, []),
    "process_end": (None, [_u64]),
    "resource_request": (_u64, [_u32, _d, _b]),
    "resource_capacity": (None, [_u32, _i64]),
    "resource_release": (_u64, [_u64]),
    "container_put": (_u64, [_u32, _d]),
    "container_get": (_u64, [_u32, _d]),
    "store_put": (_u64, [_u32, _p, _u32, _d]),
    "store_get": (_u64, [_u32, _u32, _u32, _p, _u32]),
}
CALLS |= CONTAINER_CALLS | PROCESS_CALLS
#: Random numbers: name -> result, arguments with their defaults.
RNG: dict[str, tuple[Any, list[tuple[str, Any, Any]]]] = {
    "uniform": (_d, []),
    "uniform_in": (_d, [("a", _d, None), ("b", _d, None)]),
    "below": (_i64, [("n", _i64, None)]),
    "between": (_i64, [("lo", _i64, None), ("hi", _i64, None)]),
    "bernoulli": (_b, [("p", _d, None)]),
    "exponential": (_d, [("mean", _d, None)]),
    "normal": (_d, [("mean", _d, 0.0), ("sigma", _d, 1.0)]),
    "lognormal": (_d, [("mu", _d, None), ("sigma", _d, None)]),
    "poisson": (_i64, [("mean", _d, None)]),
    "geometric": (_i64, [("p", _d, None)]),
    "binomial": (_i64, [("n", _i64, None), ("p", _d, None)]),
    "erlang": (_d, [("k", _i64, None), ("mean", _d, None)]),
    "gamma": (_d, [("shape", _d, None), ("scale", _d, None)]),
    "beta": (_d, [("a", _d, None), ("b", _d, None)]),
    "weibull": (_d, [("shape", _d, None), ("scale", _d, None)]),
    "pareto": (_d, [("shape", _d, None), ("scale", _d, None)]),
    "triangular": (_d, [("lo", _d, None), ("mode", _d, None), ("hi", _d, None)]),
}
for _name, (_result, _arguments) in RNG.items():
    CALLS["rng_" + _name] = (_result, [_p, *(kind for _, kind, _ in _arguments)])  # the stream; None: the LP's own


class _Functions:
    """The library's functions, without their prefix; what they throw is raised."""

    def __init__(self) -> None:
        for name, (result, arguments) in _PLAIN.items():
            setattr(self, name, _declared("anachron_" + name, result, arguments))
        for name, (result, arguments) in _SIGNATURES.items():
            setattr(self, name, _raising(_declared("anachron_" + name, result, [*arguments, c.POINTER(_Error)])))
        for name, (result, arguments) in CALLS.items():  # with the GIL kept: they are short
            setattr(self, name, c.PYFUNCTYPE(result, _p, *arguments)(("anachron_" + name, library)))

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name)


def _declared(symbol: str, result: Any, arguments: list[Any]) -> Any:
    function = getattr(library, symbol)
    function.restype, function.argtypes = result, arguments
    return function


def take_text(address: int | None) -> str:
    """A text that was made for us."""
    if not address:
        return ""
    text = c.string_at(address).decode("utf-8", "replace")
    native.free(address)
    return text


def _raising(function: Any) -> Any:
    def call(*arguments: Any) -> Any:
        error = _Error()
        result = function(*arguments, c.byref(error))
        if error.kind:
            raise _exception(error)
        return result

    return call


def in_python(message: str) -> str:
    """The library speaks of options as the command line has them: `--check-rollback` is check_rollback= here."""

    def name(option: re.Match[str]) -> str:
        return option[1].replace("-", "_")

    message = re.sub(r" \('[^']*--help' lists the valid ones\)", "", message)
    message = re.sub(r"(^|: )--([a-z][a-z0-9-]*):", lambda found: f"{found[1]}{found[2].replace('-', '_')}:", message)
    return re.sub(r"'?--([a-z][a-z0-9-]*)'?", lambda found: name(found) + "=", message)


def _exception(error: _Error) -> Exception:
    message = take_text(error.message)
    if error.kind == 1:
        return InputError(in_python(message))
    if error.kind == 2:
        return SimulationError(message, take_text(error.lp), take_text(error.event), error.time, take_text(error.cause))
    if error.kind == 3:
        return IndexError(message)
    if error.kind == 4:
        return MemoryError(message)
    return AnachronError(message)


native: Any = _Functions()


def address_of(symbol: str) -> int:
    """Of a function of the library."""
    return c.cast(getattr(library, symbol), c.c_void_p).value or 0


def words_array(words: list[str]) -> tuple[int, Any]:
    """Texts as C has them: their number and an array, which has to be kept as long as it is used."""
    return len(words), (c.c_char_p * max(len(words), 1))(*[word.encode() for word in words])
