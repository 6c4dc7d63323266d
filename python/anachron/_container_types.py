"""Containers in states as types of Numba: what compiled handlers do with them. `_containers.py` has the same interpreted,
and says what each method does."""

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.imputils import RefType, iternext_impl
from numba.core.typeconv import Conversion
from numba.extending import intrinsic, lower_builtin, models, overload, overload_method, register_jitable, register_model

from ._containers import ContainerKind, DictView, ListView, QueueView, SetView
from ._fields import Field
from ._kinds import WaitKind
from ._members import load_field, store_field
from ._native import CONTAINER_CALLS
from ._types import (
    RecordValue,
    at,
    c_function,
    f64,
    i1_,
    i8_,
    i32,
    i64,
    pointer,
    refuse,
    type_of_field,
)

_C = {"c_void_p": pointer, "c_uint": i32, "c_long": i64, "c_double": f64, "c_bool": i8_}


class ContainerType(types.IterableType):
    """A container at its place in a state. A value of it is the address of the state."""

    def __init__(self, field: Field):
        kind = field.kind
        assert isinstance(kind, ContainerKind)
        self.field, self.kind, self.view = field, kind, kind.cls
        self.parts = [Field("element", of, 0, None, field.owner) for of in kind.of]
        self.sizes = [element.bytes for element in kind.elements(field.owner)]
        super().__init__(name=f"anachron.{kind.name} {field.owner.__qualname__}.{field.name}@{id(field.owner):x}")

    @property
    def element(self) -> Any:
        return type_of_field(self.parts[0], False)

    @property
    def value(self) -> Any:
        return type_of_field(self.parts[1], False)

    @property
    def iterator_type(self) -> Any:
        return EntriesType(self, "keys")


class EntriesType(types.SimpleIteratorType):
    """What a loop over a container has: where it is. `what`: keys, values or items."""

    def __init__(self, of: ContainerType, what: str):
        self.of, self.what = of, what
        yields = {"keys": lambda: of.element, "values": lambda: of.value}
        kind = yields[what]() if what in yields else types.Tuple([of.element, of.value])
        super().__init__(f"{what} of {of.name}", kind)


class EntriesView(types.IterableType):
    """What `keys`, `values` and `items` return: the address of the state."""

    def __init__(self, of: ContainerType, what: str):
        self.of, self.what = of, what
        super().__init__(name=f"view of {what} of {of.name}")

    @property
    def iterator_type(self) -> Any:
        return EntriesType(self.of, self.what)


@register_model(EntriesView)
@register_model(ContainerType)
class _ContainerModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe: Any):
        super().__init__(dmm, fe, pointer)


@register_model(EntriesType)
class _EntriesModel(models.StructModel):
    def __init__(self, dmm: Any, fe: Any):
        members = [("of", fe.of), ("next", types.EphemeralPointer(types.int64)), ("count", types.int64)]
        super().__init__(dmm, fe, members)


# How elements are read and written.


def _call(builder: Any, name: str, of: ContainerType, state: Any, *arguments: Any) -> Any:
    result, kinds = CONTAINER_CALLS[name]
    returned = ir.VoidType() if result is None else _C[result.__name__]
    function = c_function(builder, name, returned, [pointer, *[_C[kind.__name__] for kind in kinds]])
    return builder.call(function, [state, i32(of.field.offset), *arguments])


def _sizes(of: ContainerType) -> list[Any]:
    return [i32(size) for size in [*of.sizes, 0][: 1 if of.view in (ListView, QueueView) else 2]]


def _packed(context: Any, builder: Any, of: ContainerType, part: int, value: Any, value_type: Any) -> Any:
    """The address of a copy of the value, as it lies in a container."""
    room = cgutils.alloca_once(builder, ir.ArrayType(i64, -(-of.sizes[part] // 8)))
    builder.store(ir.Constant(room.type.pointee, None), room)
    if value_type == types.float64:
        value = builder.select(builder.fcmp_ordered("==", value, f64(0.0)), f64(0.0), value)  # -0.0 is the key that 0.0 is
    base = builder.bitcast(room, pointer)
    store_field(context, builder, base, of.parts[part], value, value_type)
    return base


def _store(context: Any, builder: Any, of: ContainerType, part: int, address: Any, value: Any, value_type: Any) -> None:
    """Nothing is stored where there is no memory: the event has failed."""
    with builder.if_then(cgutils.is_not_null(builder, address), likely=True):
        store_field(context, builder, address, of.parts[part], value, value_type)


def _load(context: Any, builder: Any, of: ContainerType, part: int, address: Any, state: Any) -> Any:
    value = load_field(context, builder, address, of.parts[part], False)
    is_wait = isinstance(of.parts[part].kind, WaitKind)
    return builder.insert_value(value, state, 0) if is_wait else value


def _raise_if(context: Any, builder: Any, is_wrong: Any, error: type[Exception], text: str) -> None:
    with cgutils.if_unlikely(builder, is_wrong):
        context.call_conv.return_user_exc(builder, error, (text,))


def _room(builder: Any, size: int) -> Any:
    return builder.bitcast(cgutils.alloca_once(builder, ir.ArrayType(i64, -(-size // 8))), pointer)


def _count(builder: Any, of: ContainerType, state: Any) -> Any:
    return builder.zext(builder.load(at(builder, state, of.field.offset + 8, i32)), i64)


def _accepted(of: ContainerType, part: int, given: Any, context: Any) -> Any:
    """The type that a value is converted to."""
    field = of.parts[part]
    wanted = type_of_field(field, False)
    where = f"{of.field.owner.__name__}.{of.field.name}"
    if isinstance(wanted, RecordValue):
        if given != wanted:
            refuse(f"{where} has {wanted.cls.__name__}, and gets {given}")
        return wanted
    how = context.can_convert(given, wanted)
    if how is None or (how == Conversion.unsafe and not isinstance(given, types.Integer)):
        refuse(f"{where} has {field.kind.name}, and gets {given}")
    return wanted


def _operation(result: Any, parts: list[int], generate: Any) -> Any:
    """An intrinsic of a container and values. `parts`: of each value which part of the container it is; -1: a whole number,
    -2: a float."""

    def typed(context: Any, of: Any, *given: Any) -> Any:
        kinds = [
            types.int64 if part == -1 else types.float64 if part == -2 else _accepted(of, part, one, context)
            for part, one in zip(parts, given)
        ]

        def lowered(lowering: Any, builder: Any, sig: Any, args: Any) -> Any:
            made = generate(lowering, builder, sig.args[0], args[0], *zip(args[1:], sig.args[1:]))
            return lowering.get_dummy_value() if made is None else made

        return (result if isinstance(result, types.Type) else result(of))(of, *kinds), lowered

    names = ", ".join(f"v{i}" for i in range(len(parts)))
    scope: dict[str, Any] = {"typed": typed}
    exec(f"def operation(context, of{', ' if names else ''}{names}):\n    return typed(context, of{', ' if names else ''}{names})", scope)
    return intrinsic(scope["operation"])


def _element(of: Any) -> Any:
    return of.element


def _value(of: Any) -> Any:
    return of.value


@overload(len)
def _len(c):
    return (lambda c: _length(c)) if isinstance(c, ContainerType) else None


@overload(bool)
def _bool(c):
    return (lambda c: _length(c) > 0) if isinstance(c, ContainerType) else None


_length = _operation(types.int64, [], lambda context, b, of, state: _count(b, of, state))


# Lists and deques.


def _read_of_list(context: Any, b: Any, of: Any, state: Any, i: Any) -> Any:
    address = _call(b, "list_read", of, state, i[0], *_sizes(of))
    _raise_if(context, b, cgutils.is_null(b, address), IndexError, "there is no element with this number in the list")
    return _load(context, b, of, 0, address, state)


def _write_of_list(context: Any, b: Any, of: Any, state: Any, i: Any, value: Any) -> None:
    address = _call(b, "list_write", of, state, i[0], *_sizes(of))
    _raise_if(context, b, cgutils.is_null(b, address), IndexError, "there is no element with this number in the list")
    store_field(context, b, address, of.parts[0], *value)


def _append_to_list(context: Any, b: Any, of: Any, state: Any, value: Any) -> None:
    _store(context, b, of, 0, _call(b, "list_append", of, state, *_sizes(of)), *value)


def _insert_in_list(context: Any, b: Any, of: Any, state: Any, i: Any, value: Any) -> None:
    _store(context, b, of, 0, _call(b, "list_insert", of, state, i[0], *_sizes(of)), *value)


def _pop_of_list(context: Any, b: Any, of: Any, state: Any, i: Any) -> Any:
    out = _room(b, of.sizes[0])
    is_there = _call(b, "list_pop", of, state, i[0], *_sizes(of), out)
    _raise_if(context, b, b.icmp_unsigned("==", is_there, i8_(0)), IndexError, "pop of an element that the list does not have")
    return _load(context, b, of, 0, out, state)


def _find_in_list(context: Any, b: Any, of: Any, state: Any, value: Any) -> Any:
    function_arguments = [_packed(context, b, of, 0, *value), *_sizes(of)]
    return _call(b, "list_find", of, state, *function_arguments)


_list_read = _operation(_element, [-1], _read_of_list)
_list_write = _operation(types.none, [-1, 0], _write_of_list)
_list_append = _operation(types.none, [0], _append_to_list)
_list_insert = _operation(types.none, [-1, 0], _insert_in_list)
_list_pop = _operation(_element, [-1], _pop_of_list)
_list_find = _operation(types.int64, [0], _find_in_list)
_list_clear = _operation(types.none, [], lambda context, b, of, state: _call(b, "list_clear", of, state, *_sizes(of)) and None)


# Dictionaries and sets.


def _address_in_dict(context: Any, b: Any, of: Any, state: Any, key: Any) -> Any:
    return _call(b, "dict_read", of, state, *_sizes(of), _packed(context, b, of, 0, *key))


def _read_of_dict(context: Any, b: Any, of: Any, state: Any, key: Any) -> Any:
    address = _address_in_dict(context, b, of, state, key)
    _raise_if(context, b, cgutils.is_null(b, address), KeyError, "there is no such key")
    return _load(context, b, of, 1, address, state)


def _has_key(context: Any, b: Any, of: Any, state: Any, key: Any) -> Any:
    return cgutils.is_not_null(b, _address_in_dict(context, b, of, state, key))


def _write_of_dict(context: Any, b: Any, of: Any, state: Any, key: Any, value: Any) -> None:
    address = _call(b, "dict_write", of, state, *_sizes(of), _packed(context, b, of, 0, *key))
    _store(context, b, of, 1, address, *value)


def _add_to_set(context: Any, b: Any, of: Any, state: Any, key: Any) -> None:
    _call(b, "dict_write", of, state, *_sizes(of), _packed(context, b, of, 0, *key))


def _erase(context: Any, b: Any, of: Any, state: Any, key: Any) -> Any:
    null = ir.Constant(pointer, None)
    was_there = _call(b, "dict_pop", of, state, *_sizes(of), _packed(context, b, of, 0, *key), null)
    return b.trunc(was_there, i1_)


_dict_read = _operation(_value, [0], _read_of_dict)
_dict_write = _operation(types.none, [0, 1], _write_of_dict)
_dict_has = _operation(types.boolean, [0], _has_key)
_dict_erase = _operation(types.boolean, [0], _erase)
_set_add = _operation(types.none, [0], _add_to_set)
_dict_clear = _operation(types.none, [], lambda context, b, of, state: _call(b, "dict_clear", of, state, *_sizes(of)) and None)


# Priority queues.


def _push(context: Any, b: Any, of: Any, state: Any, priority: Any, value: Any) -> None:
    _store(context, b, of, 0, _call(b, "queue_push", of, state, priority[0], *_sizes(of)), *value)


def _pop_of_queue(context: Any, b: Any, of: Any, state: Any) -> Any:
    out = _room(b, of.sizes[0])
    is_there = _call(b, "queue_pop", of, state, *_sizes(of), out)
    _raise_if(context, b, b.icmp_unsigned("==", is_there, i8_(0)), IndexError, "pop from an empty priority queue")
    return _load(context, b, of, 0, out, state)


def _top(context: Any, b: Any, of: Any, state: Any) -> Any:
    address = _call(b, "queue_top", of, state)
    _raise_if(context, b, cgutils.is_null(b, address), IndexError, "the priority queue is empty")
    return address


_queue_push = _operation(types.none, [-2, 0], _push)
_queue_pop = _operation(_element, [], _pop_of_queue)
_queue_top = _operation(
    _element, [], lambda context, b, of, state: _load(context, b, of, 0, _top(context, b, of, state), state)
)
_queue_priority = _operation(
    types.float64, [], lambda context, b, of, state: b.load(at(b, _top(context, b, of, state), -16, f64))
)
_queue_clear = _operation(types.none, [], lambda context, b, of, state: _call(b, "queue_clear", of, state, *_sizes(of)) and None)


# What Python calls them.


def _is(of: Any, *views: Any) -> bool:
    return isinstance(of, ContainerType) and of.view in views


@overload(operator.getitem)
def _getitem(c, i):
    if _is(c, ListView) and isinstance(i, types.Integer):
        return lambda c, i: _list_read(c, i)
    return (lambda c, i: _dict_read(c, i)) if _is(c, DictView) else None


@overload(operator.setitem)
def _setitem(c, i, value):
    if _is(c, ListView) and isinstance(i, types.Integer):
        return lambda c, i, value: _list_write(c, i, value)
    return (lambda c, i, value: _dict_write(c, i, value)) if _is(c, DictView) else None


@overload(operator.delitem)
def _delitem(c, i):
    if _is(c, ListView) and isinstance(i, types.Integer):

        def delete(c, i):
            _list_pop(c, i)

        return delete
    if _is(c, DictView):

        def delete_key(c, i):
            if not _dict_erase(c, i):
                raise KeyError("there is no such key")

        return delete_key
    return None


@overload(operator.contains)
def _contains(c, value):
    if _is(c, ListView):
        return lambda c, value: _list_find(c, value) >= 0
    return (lambda c, value: _dict_has(c, value)) if _is(c, DictView, SetView) else None


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
    _list_append(c, value)


@_method(ListView)
def appendleft(c, value):
    _list_insert(c, 0, value)


@_method(ListView)
def insert(c, i, value):
    _list_insert(c, i, value)


@_method(ListView)
def extend(c, values):
    for value in values:
        _list_append(c, value)


@_method(ListView)
def popleft(c):
    return _list_pop(c, 0)


@_method(ListView)
def index(c, value):
    found = _list_find(c, value)
    if found < 0:
        raise ValueError("there is no such element in the list")
    return found


@_method(SetView)
def add(c, value):
    _set_add(c, value)


@_method(SetView)
def discard(c, value):
    _dict_erase(c, value)


@_method(DictView)
def get(c, key, default):
    return _dict_read(c, key) if _dict_has(c, key) else default


@_method(DictView)
def setdefault(c, key, default):
    if not _dict_has(c, key):
        _dict_write(c, key, default)
    return _dict_read(c, key)


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
    found = _list_find(c, value)
    if found < 0:
        raise ValueError("there is no such element in the list")
    _list_pop(c, found)


def _remove_of_set(c, value):
    if not _dict_erase(c, value):
        raise KeyError("there is no such element in the set")


@register_jitable
def _pop_key(c, key):
    value = _dict_read(c, key)
    _dict_erase(c, key)
    return value


@register_jitable
def _pop_key_or(c, key, default):
    if not _dict_has(c, key):
        return default
    value = _dict_read(c, key)
    _dict_erase(c, key)
    return value


def _declare_methods() -> None:
    """Numba has one overload for each name."""
    import inspect

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


def _is_given(argument: Any) -> bool:
    return argument is not None and argument is not types.none and not isinstance(argument, types.Omitted)


@overload_method(ContainerType, "pop")
def _pop(c, key=None, default=None):
    if c.view is QueueView and not _is_given(key):
        return lambda c, key=None, default=None: _queue_pop(c)
    if c.view is ListView and not _is_given(default):
        if _is_given(key):
            return lambda c, key=None, default=None: _list_pop(c, key)
        return lambda c, key=None, default=None: _list_pop(c, -1)
    if c.view is DictView and _is_given(key):
        if _is_given(default):
            return lambda c, key=None, default=None: _pop_key_or(c, key, default)
        return lambda c, key=None, default=None: _pop_key(c, key)
    return None


# Loops.


def _begin(context: Any, builder: Any, entries: EntriesType, state: Any) -> Any:
    made = cgutils.create_struct_proxy(entries)(context, builder)
    made.of = state
    made.next = cgutils.alloca_once_value(builder, i64(0))
    made.count = _count(builder, entries.of, state)
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


for _what in ("keys", "values", "items"):
    _declare_entries(_what)


@lower_builtin("getiter", EntriesType)
def _iterate_entries(_context: Any, _builder: Any, _sig: Any, args: Any) -> Any:
    return args[0]


@lower_builtin("iternext", EntriesType)
@iternext_impl(RefType.UNTRACKED)
def _next(context: Any, builder: Any, sig: Any, args: Any, result: Any) -> None:
    (entries,) = sig.args
    of = entries.of
    own = cgutils.create_struct_proxy(entries)(context, builder, value=args[0])
    place = builder.load(own.next)
    count = _count(builder, of, own.of)
    if of.view is ListView:
        is_valid = builder.icmp_signed("<", place, count)
        result.set_valid(is_valid)
        with builder.if_then(is_valid):
            address = _call(builder, "list_read", of, own.of, place, *_sizes(of))
            builder.store(builder.add(place, i64(1)), own.next)
            result.yield_(_load(context, builder, of, 0, address, own.of))
        return
    text = "the container has changed while a loop goes over it"
    _raise_if(context, builder, builder.icmp_signed("!=", count, own.count), RuntimeError, text)
    entry = _call(builder, "dict_next", of, own.of, *_sizes(of), place)
    is_valid = builder.icmp_signed(">=", entry, i64(0))
    result.set_valid(is_valid)
    with builder.if_then(is_valid):
        builder.store(builder.add(entry, i64(1)), own.next)
        parts = []
        for part, name in enumerate(("dict_key", "dict_value")):
            if entries.what in (("keys", "items"), ("values", "items"))[part]:
                address = _call(builder, name, of, own.of, *_sizes(of), entry)
                parts.append(_load(context, builder, of, part, address, own.of))
        made = parts[0] if len(parts) == 1 else context.make_tuple(builder, entries.yield_type, parts)
        result.yield_(made)
