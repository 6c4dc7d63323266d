"""Conditions for Numba: `a | b`, `a & b`, `cx.any_of` and `cx.all_of`, and what has happened of them. `_waits.py` and
`_context.py` have the same interpreted."""

from __future__ import annotations

import operator
from typing import Any

from numba.core import types
from numba.extending import intrinsic, overload, overload_method, register_jitable

from ._container_types import ContainerType, EntriesView
from ._messages import MOST_WAITS, of_waits
from ._types import CallType, WaitType, i8_, i32, refuse
from ._wait_types import NO_VALUE, call_of_process, check_named, handle_of, made_wait, state_of_call, value_of_wait


def _condition(name: str) -> Any:
    def typed(context: Any, a: Any, b: Any) -> Any:
        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            state = builder.extract_value(args[0], 0)
            made = call_of_process(builder, name, state, *(handle_of(builder, wait) for wait in args))
            return made_wait(context, builder, NO_VALUE, state, made)

        return NO_VALUE(a, b), generate

    made = intrinsic(typed)

    @register_jitable
    def condition(a, b):
        check_named(a)
        check_named(b)
        return made(a, b)

    return condition


_any_of_two, _all_of_two = _condition("wait_any"), _condition("wait_all")


@overload(operator.or_)
def _or(a, b):
    return (lambda a, b: _any_of_two(a, b)) if isinstance(a, WaitType) and isinstance(b, WaitType) else None


@overload(operator.and_)
def _and(a, b):
    return (lambda a, b: _all_of_two(a, b)) if isinstance(a, WaitType) and isinstance(b, WaitType) else None


@intrinsic
def _contains_part(_context, of, part):
    def generate(context, builder, sig, args):
        state = builder.extract_value(args[1], 0)
        return call_of_process(builder, "wait_contains", state, handle_of(builder, args[0]), handle_of(builder, args[1]))

    return types.boolean(of, part), generate


@overload(operator.getitem)
def _getitem(of, part):
    return (lambda of, part: value_of_wait(part)) if isinstance(of, WaitType) and isinstance(part, WaitType) else None


@overload(operator.contains)
def _contains(of, part):
    if isinstance(of, WaitType) and isinstance(part, WaitType):
        return lambda of, part: _contains_part(of, part)
    return None


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
    scope: dict[str, Any] = {"begin": _begin_condition, "set_part": _set_part, "check_named": check_named}
    over_list = f"made, i = begin(cx, {is_all}, len(w0)), 0\n    for one in w0:\n        check_named(one)\n        set_part(made, i, one)\n        i += 1"

    def choose(given: list[Any]) -> Any:
        count = sum(isinstance(one, WaitType) for one in given)
        rest = [one for one in given if isinstance(one, types.Type) and not isinstance(one, (WaitType, types.Omitted, types.NoneType))]
        is_list = count == 0 and len(rest) == 1 and isinstance(_element_of(given[0]), WaitType)
        if not is_list and (rest or not count):
            refuse(of_waits(name))
        parts = "; ".join(f"check_named(w{i}); set_part(made, {i}, w{i})" for i in range(count))
        text = over_list if is_list else f"made = begin(cx, {is_all}, {count}); {parts}"
        exec(f"def condition({signature}):\n    {text}\n    return made", scope)
        return scope["condition"]

    scope["choose"] = choose
    exec(f"def overloaded({signature}):\n    return choose([{', '.join(places)}])", scope)
    overload_method(CallType, name)(scope["overloaded"])


_conditions("any_of", False)
_conditions("all_of", True)
