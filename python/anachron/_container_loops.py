"""Loops of compiled handlers over containers in states."""

from __future__ import annotations

from typing import Any

from numba.core import cgutils
from numba.core.imputils import RefType, iternext_impl
from numba.extending import intrinsic, lower_builtin, overload, overload_method

from ._container_types import (
    ContainerType,
    EntriesType,
    EntriesView,
    call_container,
    count_of,
    load_element,
    raise_if,
    sizes_of,
)
from ._containers import DictView, ListView
from ._types import i64

def _begin(context: Any, builder: Any, entries: EntriesType, state: Any) -> Any:
    made = cgutils.create_struct_proxy(entries)(context, builder)
    made.of = state
    made.next = cgutils.alloca_once_value(builder, i64(0))
    made.count = count_of(builder, entries.of, state)
    return made._getvalue()


@lower_builtin("getiter", EntriesView)
@lower_builtin("getiter", ContainerType)
def _iterate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return _begin(context, builder, sig.return_type, args[0])


def _declare_entries(what: str) -> None:
    @intrinsic
    def entries_of(_context, of):
        def generate(context, builder, sig, args):
            return args[0]

        return EntriesView(of, what)(of), generate

    def entries(c):
        return (lambda c: entries_of(c)) if c.view is DictView else None

    overload_method(ContainerType, what)(entries)


@overload(len)
def _length_of_view(c):
    return (lambda c: len(_container_of(c))) if isinstance(c, EntriesView) else None


@intrinsic
def _container_of(_context, view):
    return view.of(view), lambda context, builder, sig, args: args[0]


for _what in ("keys", "values", "items"):
    _declare_entries(_what)


@lower_builtin("getiter", EntriesType)
def _iterate_entries(_context: Any, _builder: Any, _sig: Any, args: Any) -> Any:
    return args[0]


@lower_builtin("iternext", EntriesType)
@iternext_impl(RefType.NEW)
def _next(context: Any, builder: Any, sig: Any, args: Any, result: Any) -> None:
    (entries,) = sig.args
    of = entries.of
    own = cgutils.create_struct_proxy(entries)(context, builder, value=args[0])
    place = builder.load(own.next)
    count = count_of(builder, of, own.of)
    if of.view is ListView:
        is_valid = builder.icmp_signed("<", place, count)
        result.set_valid(is_valid)
        with builder.if_then(is_valid):
            address = call_container(builder, "list_read", of, own.of, place, *sizes_of(of))
            builder.store(builder.add(place, i64(1)), own.next)
            result.yield_(load_element(context, builder, of, 0, address, own.of))
        return
    text = "the container has changed while a loop goes over it"
    raise_if(context, builder, builder.icmp_signed("!=", count, own.count), RuntimeError, text)
    entry = call_container(builder, "dict_next", of, own.of, place)
    is_valid = builder.icmp_signed(">=", entry, i64(0))
    result.set_valid(is_valid)
    with builder.if_then(is_valid):
        builder.store(builder.add(entry, i64(1)), own.next)
        parts = []
        for part, name in enumerate(("dict_key", "dict_value")):
            if entries.what in (("keys", "items"), ("values", "items"))[part]:
                address = call_container(builder, name, of, own.of, *sizes_of(of), entry)
                parts.append(load_element(context, builder, of, part, address, own.of))
        made = parts[0] if len(parts) == 1 else context.make_tuple(builder, entries.yield_type, parts)
        result.yield_(made)
