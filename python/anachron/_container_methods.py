"""What compiled handlers do with containers in states. `_containers.py` has the same interpreted, and says what each method
does."""

from __future__ import annotations

import inspect
import operator
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import overload, overload_method, register_jitable

from ._container_types import (
    ContainerType,
    call_container,
    count_of,
    element_of,
    load_element,
    operation_of,
    packed,
    raise_if,
    room_for,
    sizes_of,
    store_element,
    value_type_of,
)
from ._containers import NO_SLICES, DictView, ListView, QueueView, SetView
from ._members import store_field
from ._types import at, f64, i1_, i8_, i64, pointer, refuse

@overload(len)
def _len(c):
    return (lambda c: _length(c)) if isinstance(c, ContainerType) else None


@overload(bool)
def _bool(c):
    return (lambda c: _length(c) > 0) if isinstance(c, ContainerType) else None


_length = operation_of(types.int64, [], lambda context, b, of, state: count_of(b, of, state))


# Lists and deques.


def _read_of_list(context: Any, b: Any, of: Any, state: Any, i: Any) -> Any:
    address = call_container(b, "list_read", of, state, i[0], *sizes_of(of))
    raise_if(context, b, cgutils.is_null(b, address), IndexError, "there is no element with this number in the list")
    return load_element(context, b, of, 0, address, state)


def _write_of_list(context: Any, b: Any, of: Any, state: Any, i: Any, value: Any) -> None:
    address = call_container(b, "list_write", of, state, i[0], *sizes_of(of))
    raise_if(context, b, cgutils.is_null(b, address), IndexError, "there is no element with this number in the list")
    store_field(context, b, address, of.parts[0], *value)


def _append_to_list(context: Any, b: Any, of: Any, state: Any, value: Any) -> None:
    store_element(context, b, of, 0, call_container(b, "list_append", of, state, *sizes_of(of)), *value)


def _insert_in_list(context: Any, b: Any, of: Any, state: Any, i: Any, value: Any) -> None:
    store_element(context, b, of, 0, call_container(b, "list_insert", of, state, i[0], *sizes_of(of)), *value)


def _pop_of_list(context: Any, b: Any, of: Any, state: Any, i: Any) -> Any:
    out = room_for(b, of.sizes[0])
    is_there = call_container(b, "list_pop", of, state, i[0], *sizes_of(of), out)
    raise_if(context, b, b.icmp_unsigned("==", is_there, i8_(0)), IndexError, "pop of an element that the list does not have")
    return load_element(context, b, of, 0, out, state)


def _find_in_list(context: Any, b: Any, of: Any, state: Any, value: Any, first: Any) -> Any:
    function_arguments = [packed(context, b, of, 0, *value), *sizes_of(of), first[0]]
    return call_container(b, "list_find", of, state, *function_arguments)


list_read = operation_of(element_of, [-1], _read_of_list)
list_write = operation_of(types.none, [-1, 0], _write_of_list)
list_append = operation_of(types.none, [0], _append_to_list)
list_insert = operation_of(types.none, [-1, 0], _insert_in_list)
list_pop = operation_of(element_of, [-1], _pop_of_list)
list_find = operation_of(types.int64, [0, -1], _find_in_list)
_list_clear = operation_of(types.none, [], lambda context, b, of, state: call_container(b, "list_clear", of, state, *sizes_of(of)) and None)


# Dictionaries and sets.


def _address_in_dict(context: Any, b: Any, of: Any, state: Any, key: Any) -> Any:
    return call_container(b, "dict_read", of, state, *sizes_of(of), packed(context, b, of, 0, *key))


def _read_of_dict(context: Any, b: Any, of: Any, state: Any, key: Any) -> Any:
    address = _address_in_dict(context, b, of, state, key)
    raise_if(context, b, cgutils.is_null(b, address), KeyError, "there is no such key")
    return load_element(context, b, of, 1, address, state)


def _has_key(context: Any, b: Any, of: Any, state: Any, key: Any) -> Any:
    return cgutils.is_not_null(b, _address_in_dict(context, b, of, state, key))


def _write_of_dict(context: Any, b: Any, of: Any, state: Any, key: Any, value: Any) -> None:
    address = call_container(b, "dict_write", of, state, *sizes_of(of), packed(context, b, of, 0, *key))
    store_element(context, b, of, 1, address, *value)


def _add_to_set(context: Any, b: Any, of: Any, state: Any, key: Any) -> None:
    call_container(b, "dict_write", of, state, *sizes_of(of), packed(context, b, of, 0, *key))


def _erase(context: Any, b: Any, of: Any, state: Any, key: Any) -> Any:
    null = ir.Constant(pointer, None)
    was_there = call_container(b, "dict_pop", of, state, *sizes_of(of), packed(context, b, of, 0, *key), null)
    return b.trunc(was_there, i1_)


def _read_last_key(context: Any, b: Any, of: Any, state: Any) -> Any:
    entry = call_container(b, "dict_next", of, state, i64(-1))
    raise_if(context, b, b.icmp_signed("<", entry, i64(0)), KeyError, "pop from an empty container")
    return load_element(context, b, of, 0, call_container(b, "dict_key", of, state, *sizes_of(of), entry), state)


dict_read = operation_of(value_type_of, [0], _read_of_dict)
dict_write = operation_of(types.none, [0, 1], _write_of_dict)
dict_has = operation_of(types.boolean, [0], _has_key)
dict_erase = operation_of(types.boolean, [0], _erase)
_last_key = operation_of(element_of, [], _read_last_key)
set_add = operation_of(types.none, [0], _add_to_set)
_dict_clear = operation_of(types.none, [], lambda context, b, of, state: call_container(b, "dict_clear", of, state, *sizes_of(of)) and None)


# Priority queues.


def _push(context: Any, b: Any, of: Any, state: Any, priority: Any, value: Any) -> None:
    store_element(context, b, of, 0, call_container(b, "queue_push", of, state, priority[0], *sizes_of(of)), *value)


def _pop_of_queue(context: Any, b: Any, of: Any, state: Any) -> Any:
    out = room_for(b, of.sizes[0])
    is_there = call_container(b, "queue_pop", of, state, *sizes_of(of), out)
    raise_if(context, b, b.icmp_unsigned("==", is_there, i8_(0)), IndexError, "pop from an empty priority queue")
    return load_element(context, b, of, 0, out, state)


def _top(context: Any, b: Any, of: Any, state: Any) -> Any:
    address = call_container(b, "queue_top", of, state)
    raise_if(context, b, cgutils.is_null(b, address), IndexError, "the priority queue is empty")
    return address


_queue_push = operation_of(types.none, [-2, 0], _push)
_queue_pop = operation_of(element_of, [], _pop_of_queue)
_queue_top = operation_of(
    element_of, [], lambda context, b, of, state: load_element(context, b, of, 0, _top(context, b, of, state), state)
)
_queue_priority = operation_of(
    types.float64, [], lambda context, b, of, state: b.load(at(b, _top(context, b, of, state), -16, f64))
)
_queue_clear = operation_of(types.none, [], lambda context, b, of, state: call_container(b, "queue_clear", of, state, *sizes_of(of)) and None)


# What Python calls them.


def _is(of: Any, *views: Any) -> bool:
    return isinstance(of, ContainerType) and of.view in views


@overload(operator.getitem)
def _getitem(c, i):
    if _is(c, ListView) and isinstance(i, types.SliceType):

        def part(c, i):
            first, stop, step = i.indices(len(c))
            return [list_read(c, k) for k in range(first, stop, step)]

        return part
    if _is(c, ListView) and isinstance(i, types.Integer):
        return lambda c, i: list_read(c, i)
    return (lambda c, i: dict_read(c, i)) if _is(c, DictView) else None


@overload(operator.setitem)
def _setitem(c, i, value):
    if _is(c, ListView) and isinstance(i, types.SliceType):
        refuse(ListView._has_no(NO_SLICES))
    if _is(c, ListView) and isinstance(i, types.Integer):
        return lambda c, i, value: list_write(c, i, value)
    return (lambda c, i, value: dict_write(c, i, value)) if _is(c, DictView) else None


@overload(operator.delitem)
def _delitem(c, i):
    if _is(c, ListView) and isinstance(i, types.SliceType):

        def delete_part(c, i):
            first, stop, step = i.indices(len(c))
            count = len(range(first, stop, step))
            for k in range(count):  # the last one first
                list_pop(c, first + (count - 1 - k if step > 0 else k) * step)

        return delete_part
    if _is(c, ListView) and isinstance(i, types.Integer):

        def delete(c, i):
            list_pop(c, i)

        return delete
    if _is(c, DictView):

        def delete_key(c, i):
            if not dict_erase(c, i):
                raise KeyError("there is no such key")

        return delete_key
    return None


@overload(operator.contains)
def _contains(c, value):
    if _is(c, ListView):
        return lambda c, value: list_find(c, value, 0) >= 0
    return (lambda c, value: dict_has(c, value)) if _is(c, DictView, SetView) else None


#: view -> method -> the function of its arguments
METHODS: dict[Any, dict[str, Any]] = {ListView: {}, SetView: {}, DictView: {}, QueueView: {}}


def _method(*views: Any) -> Any:
    """Declares a method of containers; the function below has its name and its arguments."""

    def declare(function: Any) -> Any:
        for view in views:
            METHODS[view][function.__name__] = function
        return function

    return declare


@_method(ListView)
def append(c, value):
    list_append(c, value)


@_method(ListView)
def appendleft(c, value):
    list_insert(c, 0, value)


@_method(ListView)
def insert(c, i, value):
    list_insert(c, i, value)


@_method(ListView)
def popleft(c):
    return list_pop(c, 0)


@_method(ListView)
def index(c, value):
    found = list_find(c, value, 0)
    if found < 0:
        raise ValueError("there is no such element in the list")
    return found


@_method(SetView)
def add(c, value):
    set_add(c, value)


@_method(SetView)
def discard(c, value):
    dict_erase(c, value)


@_method(DictView)
def get(c, key, default):
    return dict_read(c, key) if dict_has(c, key) else default


@_method(DictView)
def setdefault(c, key, default):
    if not dict_has(c, key):
        dict_write(c, key, default)
    return dict_read(c, key)


@_method(QueueView)
def push(c, priority, value):
    _queue_push(c, priority, value)


@_method(QueueView)
def top(c):
    return _queue_top(c)


@_method(QueueView)
def priority(c):
    return _queue_priority(c)


def _remove_of_list(c, value):
    found = list_find(c, value, 0)
    if found < 0:
        raise ValueError("there is no such element in the list")
    list_pop(c, found)


def _remove_of_set(c, value):
    if not dict_erase(c, value):
        raise KeyError("there is no such element in the set")


@register_jitable
def _pop_of_set(c):
    key = _last_key(c)
    dict_erase(c, key)
    return key


@_method(DictView)
def popitem(c):
    key = _last_key(c)
    return key, _pop_key(c, key)


@register_jitable
def _pop_key(c, key):
    value = dict_read(c, key)
    dict_erase(c, key)
    return value


@register_jitable
def _pop_key_or(c, key, default):
    if not dict_has(c, key):
        return default
    value = dict_read(c, key)
    dict_erase(c, key)
    return value


def _declare_methods() -> None:
    """Numba has one overload for each name."""
    names = {name for methods in METHODS.values() for name in methods}
    for name in sorted(names):
        functions = {view: methods[name] for view, methods in METHODS.items() if name in methods}
        parameters = list(inspect.signature(next(iter(functions.values()))).parameters)[1:]
        scope: dict[str, Any] = {"functions": functions}
        exec(f"def choose({', '.join(['c', *parameters])}):\n    return functions.get(c.view)", scope)
        overload_method(ContainerType, name)(scope["choose"])


_declare_methods()


@overload_method(ContainerType, "remove")
def _remove(c, value):
    return {ListView: _remove_of_list, SetView: _remove_of_set}.get(c.view)


@overload_method(ContainerType, "clear")
def _clear(c):
    if c.view is ListView:
        return lambda c: _list_clear(c)
    return (lambda c: _queue_clear(c)) if c.view is QueueView else lambda c: _dict_clear(c)


def is_given(argument: Any) -> bool:
    return argument is not None and argument is not types.none and not isinstance(argument, types.Omitted)


@overload_method(ContainerType, "pop")
def _pop(c, key=None, default=None):
    if c.view is QueueView and not is_given(key):
        return lambda c, key=None, default=None: _queue_pop(c)
    if c.view is ListView and not is_given(default):
        if is_given(key):
            return lambda c, key=None, default=None: list_pop(c, key)
        return lambda c, key=None, default=None: list_pop(c, -1)
    if c.view is SetView and not is_given(key):
        return lambda c, key=None, default=None: _pop_of_set(c)
    if c.view is DictView and is_given(key):
        if is_given(default):
            return lambda c, key=None, default=None: _pop_key_or(c, key, default)
        return lambda c, key=None, default=None: _pop_key(c, key)
    return None
