"""What a context has for processes, for Numba. `_context.py` has the same interpreted, and says what each method does."""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.extending import intrinsic, overload_attribute, overload_method

from ._container_types import ContainerType, EntriesView
from ._kinds import F8, I8, WaitKind, kind_of
from ._messages import MOST_WAITS, TYPES_OF_EVENTS, of_waits
from ._types import CallType, WaitType, i8_, i32, i64, refuse
from ._wait_types import NO_VALUE, bits_of, call_of_process, handle_of, made_wait, state_of_call

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
    return lambda cx, delay, value=None: _make_timeout(cx, delay, value)


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


@intrinsic
def _begin_condition(_context, cx, is_all, parts):
    def generate(context, builder, sig, args):
        state = state_of_call(builder, args[0])
        made = call_of_process(builder, "wait_condition", state, builder.zext(args[1], i8_), builder.trunc(args[2], i32))
        return made_wait(context, builder, NO_VALUE, state, made)

    return NO_VALUE(cx, types.boolean, types.int64), generate


@intrinsic
def _set_part(_context, of, i, part):
    def generate(context, builder, sig, args):
        handle = handle_of(builder, args[0])
        state = builder.extract_value(args[0], 0)
        call_of_process(builder, "wait_part", state, handle, builder.trunc(args[1], i32), handle_of(builder, args[2]))
        return context.get_dummy_value()

    return types.none(of, types.int64, part), generate


def _element_of(given: Any) -> Any:
    """Of what `cx.any_of` gets as its only argument, the type of an element; None: it is no list."""
    if isinstance(given, (ContainerType, EntriesView)):
        return given.iterator_type.yield_type
    return given.dtype if isinstance(given, (types.List, types.UniTuple)) else None


def _conditions(name: str, is_all: bool) -> None:
    """`cx.any_of(a, b, c)` for 1 to 8 of them, and `cx.any_of(self.workers)` for a list."""
    places = [f"w{i}" for i in range(MOST_WAITS)]
    signature = ", ".join(["cx", "w0", *(f"{place}=None" for place in places[1:])])
    scope: dict[str, Any] = {"begin": _begin_condition, "set_part": _set_part}
    over_list = f"made, i = begin(cx, {is_all}, len(w0)), 0\n    for one in w0:\n        set_part(made, i, one)\n        i += 1"

    def choose(given: list[Any]) -> Any:
        count = sum(isinstance(one, WaitType) for one in given)
        rest = [one for one in given if isinstance(one, types.Type) and not isinstance(one, (WaitType, types.Omitted, types.NoneType))]
        is_list = count == 0 and len(rest) == 1 and isinstance(_element_of(given[0]), WaitType)
        if not is_list and (rest or not count):
            refuse(of_waits(name))
        parts = "; ".join(f"set_part(made, {i}, w{i})" for i in range(count))
        text = over_list if is_list else f"made = begin(cx, {is_all}, {count}); {parts}"
        exec(f"def condition({signature}):\n    {text}\n    return made", scope)
        return scope["condition"]

    scope["choose"] = choose
    exec(f"def overloaded({signature}):\n    return choose([{', '.join(places)}])", scope)
    overload_method(CallType, name)(scope["overloaded"])


_conditions("any_of", False)
_conditions("all_of", True)
