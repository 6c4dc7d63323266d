"""Methods of containers in states that are made of others, as compiled handlers have them. `_container_more.py` has the same
interpreted, and says what each does."""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.extending import overload_method, register_jitable

from . import _container_more
from ._bounded_types import is_mapping
from ._container_methods import (
    dict_erase,
    dict_has,
    dict_write,
    is_given,
    list_append,
    list_find,
    list_insert,
    list_pop,
    list_read,
    list_write,
    set_add,
)
from ._container_types import ContainerType
from ._containers import DictView, ListView, SetView
from ._types import refuse

order_of = register_jitable(_container_more.order_of)


def _method(view: Any, name: str) -> Any:
    """Declares a method of a single kind of container; the function below chooses what it does, by types."""

    def declare(choose: Any) -> Any:
        parameters = choose.__code__.co_varnames[: choose.__code__.co_argcount]
        scope = {"choose": choose, "view": view}
        given = ", ".join(parameters)
        exec(f"def overloaded({given}):\n    return choose({given}) if c.view is view else None", scope)
        scope["overloaded"].__defaults__ = choose.__defaults__  # type: ignore[attr-defined]
        return overload_method(ContainerType, name)(scope["overloaded"])

    return declare


def _is_container(values: Any, *views: Any) -> bool:
    return isinstance(values, ContainerType) and values.view in views


# Lists and deques.


@_method(ListView, "extend")
def _extend(c, values):
    if _is_container(values, ListView):  # it may be the list itself

        def extend_by_list(c, values):
            for i in range(len(values)):
                list_append(c, list_read(values, i))

        return extend_by_list

    def extend(c, values):
        for value in values:
            list_append(c, value)

    return extend


@_method(ListView, "extendleft")
def _extendleft(c, values):
    if _is_container(values, ListView):

        def extend_by_list(c, values):
            for value in values[:]:
                list_insert(c, 0, value)

        return extend_by_list

    def extendleft(c, values):
        for value in values:
            list_insert(c, 0, value)

    return extendleft


@_method(ListView, "count")
def _count(c, value):
    def count(c, value):
        times, found = 0, list_find(c, value, 0)
        while found >= 0:
            times += 1
            found = list_find(c, value, found + 1)
        return times

    return count


@_method(ListView, "reverse")
def _reverse(c):
    def reverse(c):
        n = len(c)
        for i in range(n // 2):
            first, last = list_read(c, i), list_read(c, n - 1 - i)
            list_write(c, i, last)
            list_write(c, n - 1 - i, first)

    return reverse


@_method(ListView, "rotate")
def _rotate(c, n=1):
    def rotate(c, n=1):
        size = len(c)
        turns = n % size if size > 0 else 0
        if turns <= size // 2:
            for _ in range(turns):
                list_insert(c, 0, list_pop(c, -1))
        else:
            for _ in range(size - turns):
                list_append(c, list_pop(c, 0))

    return rotate


@register_jitable
def _write_in_order(c, values, order):
    for i in range(len(order)):
        if order[i] != i:
            list_write(c, i, values[order[i]])


@_method(ListView, "sort")
def _sort(c, key=None, reverse=False):
    if is_given(key):
        if not isinstance(key, types.Dispatcher):
            refuse(f"sort(key=..): {key} is no key: write a lambda there, or a function at the top of a file")

        def sort_by_key(c, key=None, reverse=False):
            values = c[:]
            _write_in_order(c, values, order_of([key(value) for value in values], reverse))

        return sort_by_key
    if not isinstance(c.element, (types.Number, types.Boolean, types.UnicodeType)):
        refuse(f"sort(): {c.kind.of[0].name} has no order: give it a key, sort(key=lambda x: x.priority)")

    def sort(c, key=None, reverse=False):
        values = c[:]
        _write_in_order(c, values, order_of(values, reverse))

    return sort


# Dictionaries and sets.


def _update_dict(c, values):
    if is_mapping(values):

        def update_by_items(c, values):
            for key, value in values.items():
                dict_write(c, key, value)

        return update_by_items

    def update(c, values):
        for key, value in values:
            dict_write(c, key, value)

    return update


def _update_set(c, values):
    def update(c, values):
        for value in values:
            set_add(c, value)

    return update


@overload_method(ContainerType, "update")
def _update(c, values):
    return {DictView: _update_dict, SetView: _update_set}.get(c.view, lambda c, values: None)(c, values)


@register_jitable
def _erase_all(c, keys):
    for key in keys:
        dict_erase(c, key)


@_method(SetView, "difference_update")
def _difference_update(c, values):
    return lambda c, values: _erase_all(c, [value for value in values])  # noqa: C416 # it may be the set itself


@_method(SetView, "intersection_update")
def _intersection_update(c, values):
    return lambda c, values: _erase_all(c, [value for value in c if value not in values])


@_method(SetView, "issubset")
def _issubset(c, values):
    def issubset(c, values):
        for value in c:
            if value not in values:
                return False
        return True

    return issubset


@_method(SetView, "issuperset")
def _issuperset(c, values):
    def issuperset(c, values):
        for value in values:
            if not dict_has(c, value):
                return False
        return True

    return issuperset


@_method(SetView, "isdisjoint")
def _isdisjoint(c, values):
    def isdisjoint(c, values):
        for value in values:
            if dict_has(c, value):
                return False
        return True

    return isdisjoint
