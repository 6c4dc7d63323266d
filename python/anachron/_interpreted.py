"""Processes while a model is interpreted: their frames hold Python's values, packed."""

from __future__ import annotations

import ast
import ctypes
import marshal
import struct
from typing import TYPE_CHECKING, Any

import numpy as np

from ._containers import ListView
from ._fields import Record
from ._ints import as_handlers_have_it
from ._kinds import Handle, Id, WaitKind, bits_of, number_of
from ._messages import list_that_lives
from ._native import native
from ._processes import PC, Process
from ._waits import Element, Failed, Interrupt, Wait

if TYPE_CHECKING:
    from ._model import Model

FRAME_BYTES = 8192
_COUNT = struct.Struct("<Q")
_PREEMPTED, _INTERRUPTED = 3, 2


class Frames:
    """Packs and unpacks the variables of a model's processes."""

    def __init__(self, model: Model):
        self._model = model
        self._kinds: dict[Any, tuple[int, Any]] = {}  # of waits and records, by what they are

    def packed(self, values: dict[str, Any], process: Process) -> bytes:
        """First come the names of what the process may wait for: the engine keeps it."""
        where = process.where
        waits = [value._handle for value in values.values() if isinstance(value, Wait)]
        content = marshal.dumps({name: self._stored(value, name, process) for name, value in values.items()})
        head = b"".join(map(_COUNT.pack, [len(waits), *waits, len(content)]))
        if len(head) + len(content) > FRAME_BYTES:
            raise MemoryError(f"{where}: its variables take more than {FRAME_BYTES} bytes")
        return head + content

    def unpacked(self, memory: bytes, state: int) -> dict[str, Any]:
        (count,) = _COUNT.unpack_from(memory, 0)
        at = _COUNT.size * (count + 1)
        (size,) = _COUNT.unpack_from(memory, at)
        content = marshal.loads(memory[at + _COUNT.size : at + _COUNT.size + size])
        return {name: self._restored(value, state) for name, value in content.items()}

    def _number(self, kind: Any) -> int:
        key = (kind.of and kind.of.name, getattr(kind.of, "cls", None), kind.is_item) if isinstance(kind, WaitKind) else kind
        return self._kinds.setdefault(key, (len(self._kinds), kind))[0]

    def _kind(self, number: int) -> Any:
        return next(kind for known, kind in self._kinds.values() if known == number)

    def _stored(self, value: Any, name: str, process: Process) -> Any:
        if isinstance(value, np.generic):
            value = value.item()
        if value is None or isinstance(value, (bool, float)):
            return value
        if isinstance(value, int):
            return int(value)
        if isinstance(value, Wait):
            return "wait", value._handle, self._number(value._of)
        if isinstance(value, Id):
            return "id", self._model._number_of_lp(value.type), value.index
        if isinstance(value, Handle):
            return "handle", value.bytes
        if isinstance(value, Record) and value._what in ("struct", "event"):
            return "record", self._number(type(value)), bytes(value._memory)
        if isinstance(value, (str, bytes)) and name in process.parameters:
            process.parameters[name].write(bytearray(process.argument_bytes), value)  # raises what does not fit
            return ("text", value.encode()) if isinstance(value, str) else ("bytes", value)
        raise TypeError(
            f"{process.where}: '{name}' is {value!r}, and lives while the process waits: that can be a number, an LP, a handle, "
            f"a struct, what is waited for, or a text that is an argument, `{name}: an.Text[24]`{_hint(name, value)}"
        )

    def _restored(self, stored: Any, state: int) -> Any:
        if not isinstance(stored, tuple):
            return as_handlers_have_it(stored)
        what, *parts = stored
        if what == "wait":
            return Wait(state, parts[0], self._kind(parts[1]))
        if what == "id":
            return Id(self._model.lps[parts[0]], parts[1])
        if what == "handle":
            return Handle(parts[0])
        if what in ("text", "bytes"):
            return parts[0].decode() if what == "text" else parts[0]
        return self._kind(parts[0])._at(parts[1], frozen=True)


def _hint(name: str, value: Any) -> str:
    if not isinstance(value, list):
        return ""
    kinds = {Wait: "an.Wait", bool: "bool", float: "float", Id: "an.Id"}
    return list_that_lives(name, next((text for kind, text in kinds.items() if value and isinstance(value[0], kind)), "int"))


class _Frame:
    """The variables of a process, as attributes; those that were not assigned yet are 0, as compiled."""

    def __getattr__(self, _name: str) -> Any:
        return 0


class InterpretedProcess:
    """Runs processes of one kind."""

    def __init__(self, process: Process, frames: Frames):
        self.process, self._frames = process, frames
        definition, first = process.definition()
        made = process.flattened(definition).machine()
        made.decorator_list, made.returns = [], None
        module = ast.Module([made], [])
        ast.fix_missing_locations(module)
        ast.increment_lineno(module, first - 1)
        scope = process.scope | {"_anachron_" + name: getattr(self, "_" + name) for name in _HELPERS}
        exec(compile(module, process.function.__code__.co_filename, "exec", dont_inherit=True), scope)
        self._run = scope[process.name]

    def arguments(self, bound: dict[str, Any]) -> bytes:
        values = {name: self._fitting(field, bound[name]) for name, field in self.process.parameters.items()}
        return self._frames.packed({PC: 0, **values}, self.process)

    def _fitting(self, field: Any, value: Any) -> Any:
        """What a compiled process would have of an argument."""
        if isinstance(value, Wait):
            return value
        if isinstance(value, (float, np.floating)) and field.kind.dtype.kind in "iu":
            raise TypeError(f"{self.process.where}: {field.name} is {field.kind.name}, and gets {value!r}")
        memory = bytearray(field.offset + field.kind.dtype.itemsize)
        field.write(memory, value)
        return field.read(memory)

    def run(self, own: Any, cx: Any) -> None:
        """To where it waits next."""
        state = ctypes.addressof(own._memory)
        frame = _Frame()
        vars(frame).update(self._frames.unpacked(ctypes.string_at(native.process_frame(state), FRAME_BYTES), state))
        self._run(own, cx, frame)

    # What the function of the process calls.

    @staticmethod
    def _loaded(_own: Any, value: Any) -> Any:
        return value

    @staticmethod
    def _write_frame(_own: Any, _cx: Any) -> Any:
        return _Frame()

    def _saved(self, own: Any, _cx: Any, frame: _Frame) -> None:
        packed = self._frames.packed(vars(frame), self.process)
        ctypes.memmove(native.process_write_frame(ctypes.addressof(own._memory)), packed, len(packed))

    def _wait(self, own: Any, _cx: Any, what: Any) -> bool:
        if not isinstance(what, Wait):
            raise TypeError(f"`yield` of {what!r}: a process waits for something, such as cx.timeout(1.0)")
        return native.process_wait(ctypes.addressof(own._memory), what._named())

    @staticmethod
    def _check_loop(_own: Any, _cx: Any, over: Any) -> None:
        if not isinstance(over, (ListView, np.ndarray, tuple, list)):
            raise TypeError(
                f"a loop in which a process waits goes over a list, a deque or an array, and not over {over!r}: keep the keys "
                "in a list"
            )

    @staticmethod
    def _outcome(own: Any, _cx: Any) -> int:
        return native.process_outcome(ctypes.addressof(own._memory))

    @staticmethod
    def _result(own: Any, _cx: Any, what: Wait) -> Any:
        if what._of.of is None:
            return what
        state = ctypes.addressof(own._memory)
        if what._of.is_item and what._of.of:
            address = native.process_item(state)
            return Element(what._of.of, None, 8).read(address) if address else None
        return number_of(what._of.of, native.process_value(state))

    @staticmethod
    def _leave(_own: Any, _cx: Any, what: Wait) -> None:
        what.cancel()

    @staticmethod
    def _interruption(own: Any, _cx: Any) -> Any:
        state = ctypes.addressof(own._memory)
        outcome = native.process_outcome(state)
        made = Interrupt() if outcome >= _INTERRUPTED else Failed()
        made.cause = native.process_cause(state)
        if isinstance(made, Interrupt):
            made.preempted = outcome == _PREEMPTED
            made.by, made.usage_since = Wait(state, native.process_by(state), WaitKind()), native.process_usage_since(state)
        return made

    def _end(self, own: Any, _cx: Any, value: Any) -> None:
        of = self.process.returns.of
        if (value is None) != (of is None):
            expected = "nothing" if of is None else of.name
            raise TypeError(f"{self.process.where} returns {value!r}: expected {expected}, as it is annotated")
        native.process_end(ctypes.addressof(own._memory), bits_of(of, value))


_HELPERS = ("check_loop", "loaded", "write_frame", "saved", "wait", "outcome", "result", "leave", "interruption", "end")
