"""What a context has for processes, for Numba. `_context.py` has the same interpreted, and says what each method does."""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.extending import intrinsic, overload_attribute, overload_method

from ._kinds import F8, I8, WaitKind, kind_of
from ._messages import NEGATIVE_DELAY, TYPES_OF_EVENTS
from ._types import CallType, WaitType, i64, refuse
from ._wait_types import NO_VALUE, bits_of, call_of_process, made_wait, state_of_call


def _check_waits(cx: Any, what: str) -> None:
    if not cx.cls._waits:
        refuse(f"cx.{what}: {cx.cls.__name__} has no process: a process is a method in which there is `yield`")


def _of_call(name: str, result: Any, arguments: Any = ()) -> Any:
    """An intrinsic that calls a function of the library with a context, and numbers, and returns a wait."""
    names = "".join(f", v{i}" for i in range(len(arguments)))

    def typed(context: Any, cx: Any, *_given: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            state = state_of_call(builder, args[0])
            return made_wait(context, builder, result, state, call_of_process(builder, name, state, *args[1:]))

        return result(cx, *arguments), generate

    scope: dict[str, Any] = {"typed": typed}
    exec(f"def operation(context, cx{names}):\n    return typed(context, cx{names})", scope)
    return intrinsic(scope["operation"])


_make_passive, _active = _of_call("process_passivate", NO_VALUE), _of_call("process_active", NO_VALUE)
_make_event = _of_call("wait_event", NO_VALUE)


@intrinsic
def _make_timeout(context, cx, delay, value):
    is_none = value is types.none or isinstance(value, types.Omitted)
    kind = WaitType(WaitKind(None if is_none else F8 if isinstance(value, types.Float) else I8))

    def generate(context, builder, sig, args):
        state = state_of_call(builder, args[0])
        bits = i64(0) if is_none else bits_of(context, builder, args[2], sig.args[2])
        return made_wait(context, builder, kind, state, call_of_process(builder, "wait_timeout", state, args[1], bits))

    return kind(cx, types.float64, types.none if is_none else value), generate


@overload_method(CallType, "timeout")
def _timeout(cx, delay, value=None):
    _check_waits(cx, "timeout")

    def timeout(cx, delay, value=None):
        if not delay >= 0:
            raise ValueError(NEGATIVE_DELAY)
        return _make_timeout(cx, delay, value)

    return timeout


@intrinsic
def _make_typed_event(context, cx, of):
    python = {"int": int, "float": float, "bool": bool}.get(getattr(getattr(of, "typing_key", None), "__name__", ""))
    if python is None:
        refuse(TYPES_OF_EVENTS)
    kind = WaitType(WaitKind(kind_of(python, "cx.event")))

    def generate(context, builder, sig, args):
        state = state_of_call(builder, args[0])
        return made_wait(context, builder, kind, state, call_of_process(builder, "wait_event", state))

    return kind(cx, of), generate


@overload_method(CallType, "event")
def _event(cx, of=None):
    _check_waits(cx, "event")
    if of is None or of is types.none or isinstance(of, types.Omitted):
        return lambda cx, of=None: _make_event(cx)
    return lambda cx, of=None: _make_typed_event(cx, of)


@overload_method(CallType, "passivate")
def _passivate(cx):
    _check_waits(cx, "passivate")
    return lambda cx: _make_passive(cx)


@overload_attribute(CallType, "active_process")
def _active_process(cx):
    _check_waits(cx, "active_process")
    return lambda cx: _active(cx)
