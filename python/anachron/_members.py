"""How compiled handlers use records, ids and handles: a record is an address, of which members are read and written in
place."""

from __future__ import annotations

import inspect
import operator
import types as python_types
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate
from numba.extending import (
    infer_getattr,
    intrinsic,
    lower_builtin,
    lower_cast,
    lower_getattr_generic,
    lower_setattr_generic,
    overload,
)
from numba.np.arrayobj import load_item, store_item

from ._bounded_types import load_bounded, store_bounded
from ._fields import Field
from ._kinds import ArrayKind, Handle, HandleKind, IdKind, PlaceKind, StructKind, WaitKind
from ._messages import is_constant
from ._rewrite import SUPER
from ._text_types import is_text, load_text, store_text
from ._types import (
    HandleClass,
    HandleType,
    IdType,
    RecordClass,
    RecordRef,
    RecordValue,
    SentType,
    at,
    c_function,
    f64,
    i32,
    i64,
    loaders,
    make_array,
    pointer,
    process_methods,
    refuse,
    sent,
    spill,
    type_of_field,
)


def load_field(context: Any, builder: Any, base: Any, field: Field, mutable: bool) -> Any:
    kind = field.kind
    if isinstance(kind, ArrayKind):
        data = builder.gep(base, [i64(field.offset)])
        return make_array(context, builder, type_of_field(field, mutable), data, [i64(n) for n in kind.shape])
    if is_text(kind):
        return load_text(context, builder, base, field)
    if kind.is_bounded:
        return load_bounded(builder, base, field)
    if isinstance(kind, PlaceKind):
        return base if kind.needs_region else builder.gep(base, [i64(field.offset)])
    if isinstance(kind, WaitKind):
        wait = cgutils.create_struct_proxy(type_of_field(field, mutable))(context, builder)
        wait.state, wait.handle = base, builder.load(at(builder, base, field.offset, i64))
        return wait._getvalue()
    if isinstance(kind, StructKind):
        return builder.load(at(builder, base, field.offset, ir.ArrayType(i64, kind.cls._size // 8)))
    if isinstance(kind, HandleKind):
        return builder.load(at(builder, base, field.offset, ir.ArrayType(i64, Handle.SIZE // 8)))
    if kind.dtype.kind == "f":
        return builder.load(at(builder, base, field.offset, f64))
    raw = builder.load(at(builder, base, field.offset, ir.IntType(8 * kind.dtype.itemsize)))
    if isinstance(kind, IdKind):
        return context.data_model_manager[type_of_field(field, mutable)].from_data(builder, raw)
    if kind.dtype.kind == "b":
        return builder.icmp_unsigned("!=", raw, raw.type(0))
    if kind.dtype.itemsize == 8:
        return raw
    return builder.sext(raw, i64) if kind.dtype.kind == "i" else builder.zext(raw, i64)


class _Store:
    """How the model that is compiled stores whole numbers that do not fit. Numba's lock is held."""

    is_checked = False


store = _Store()


def _check_fits(context: Any, builder: Any, field: Field, value: Any, stored: Any) -> None:
    narrow = builder.trunc(value, stored)
    is_signed = field.kind.dtype.kind == "i"
    again = builder.sext(narrow, value.type) if is_signed else builder.zext(narrow, value.type)
    with cgutils.if_unlikely(builder, builder.icmp_signed("!=", again, value)):
        lowest = -(1 << stored.width - 1) if is_signed else 0
        limits = f"expected {lowest} <= number <= {lowest + (1 << stored.width) - 1}"
        text = f"{field.owner.__name__}.{field.name}: {limits}"
        context.call_conv.return_user_exc(builder, OverflowError, (text,))


def store_field(context: Any, builder: Any, base: Any, field: Field, value: Any, value_type: Any) -> None:
    kind = field.kind
    if isinstance(kind, ArrayKind):
        _copy_array(context, builder, builder.gep(base, [i64(field.offset)]), field, value, value_type)
        return
    if is_text(kind) or kind.is_bounded:
        (store_bounded if kind.is_bounded else store_text)(context, builder, base, field, value, value_type)
        return
    if isinstance(kind, WaitKind):
        stored, value = i64, builder.extract_value(value, 1)
    elif isinstance(kind, StructKind):
        stored = ir.ArrayType(i64, kind.cls._size // 8)
    elif isinstance(kind, HandleKind):
        stored = ir.ArrayType(i64, Handle.SIZE // 8)
    elif kind.dtype.kind == "f":
        stored = f64
    elif isinstance(kind, IdKind):
        stored = i32
        value = context.data_model_manager[type_of_field(field, True)].as_data(builder, value)
    else:
        stored = ir.IntType(8 * kind.dtype.itemsize)
        if value.type.width > stored.width:
            if store.is_checked and kind.dtype.kind in "iu":
                _check_fits(context, builder, field, value, stored)
            value = builder.trunc(value, stored)
        elif value.type.width < stored.width:
            value = builder.zext(value, stored)
    builder.store(value, at(builder, base, field.offset, stored))


loaders.append((load_field, store_field))


def _copy_array(context: Any, builder: Any, to: Any, field: Field, value: Any, value_type: Any) -> None:
    shape, own = field.kind.shape, type_of_field(field, True)
    array = context.make_array(value_type)(context, builder, value)
    extents = cgutils.unpack_tuple(builder, array.shape, len(shape))
    for extent, expected in zip(extents, shape):
        with cgutils.if_unlikely(builder, builder.icmp_signed("!=", extent, i64(expected))):
            message = f"{field.owner.__name__}.{field.name} gets an array that is not of shape {shape}"
            context.call_conv.return_user_exc(builder, ValueError, (message,))
    target = context.make_array(own)(context, builder, make_array(context, builder, own, to, [i64(n) for n in shape]))
    with cgutils.loop_nest(builder, [i64(n) for n in shape], i64) as indices:
        taken = load_item(
            context, builder, value_type, cgutils.get_item_pointer(context, builder, value_type, array, indices)
        )
        place = cgutils.get_item_pointer(context, builder, own, target, indices)
        store_item(context, builder, own, context.cast(builder, taken, value_type.dtype, own.dtype), place)


def no_field(cls: Any, attr: str) -> Any:
    refuse(f"{cls.__name__} has no field or method '{attr}' (fields: {', '.join(cls._fields) or 'none'})")


@infer_getattr
class _RecordRefAttributes(AttributeTemplate):
    key = RecordRef

    def generic_resolve(self, ty: Any, attr: str) -> Any:
        field = ty.cls._fields.get(attr)
        if field is not None:
            return type_of_field(field, ty.mutable)
        member = ty.unit.function_of(ty.cls, attr) if ty.unit else inspect.getattr_static(ty.cls, attr, None)
        if attr.startswith(SUPER) and not member:
            refuse(f"no base of {ty.cls.__name__} has a method '{attr.split('.')[1]}'")
        if ty.unit is not None and inspect.isgeneratorfunction(member):
            return process_methods[0](ty, attr)
        if ty.unit is not None and isinstance(member, python_types.FunctionType):
            return _method(ty, attr, ty.unit.method(ty.cls, attr))
        if isinstance(member, (bool, int, float)):
            refuse(f"{ty.cls.__name__}.{attr} is no field: annotate it (`{attr}: int = ..`), or use a global constant")
        return no_field(ty.cls, attr)


def _method(ty: Any, attr: str, dispatcher: Any) -> Any:
    dispatcher_type = types.Dispatcher(dispatcher)

    class Method(AbstractTemplate):
        key = (RecordRef, attr)

        def generic(self, args: Any, kws: Any) -> Any:
            return dispatcher_type.get_call_type(self.context, (ty, *args), kws).as_method()

    if attr not in _methods:
        _methods.add(attr)

        @lower_builtin((RecordRef, attr), RecordRef, types.VarArg(types.Any))
        def call(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            of = types.Dispatcher(sig.args[0].unit.method(sig.args[0].cls, attr))
            function = context.get_function(of, sig)
            context.add_linking_libs(getattr(function, "libs", ()))
            return function(builder, args)

    return types.BoundFunction(Method, ty)


_methods: set[str] = set()


@lower_getattr_generic(RecordRef)
def _get(context: Any, builder: Any, ty: Any, value: Any, attr: str) -> Any:
    field = ty.cls._fields.get(attr)
    if field is None:
        return value  # a method: of this record
    return load_field(context, builder, value, field, ty.mutable)


@lower_setattr_generic(RecordRef)
def _set(context: Any, builder: Any, sig: Any, args: Any, attr: str) -> None:
    ty = sig.args[0]
    if not ty.mutable:
        refuse(is_constant(ty.cls._what, attr, True))
    if isinstance(ty.cls._fields[attr].kind, PlaceKind) and not is_text(ty.cls._fields[attr].kind):
        refuse(f"'{attr}', an an.{ty.cls._fields[attr].kind.name}, cannot be assigned: it changes by what it can do")
    store_field(context, builder, args[0], ty.cls._fields[attr], args[1], sig.args[1])


@infer_getattr
class _RecordValueAttributes(AttributeTemplate):
    key = RecordValue

    def generic_resolve(self, ty: Any, attr: str) -> Any:
        field = ty.cls._fields.get(attr)
        return type_of_field(field, False) if field is not None else no_field(ty.cls, attr)


@lower_getattr_generic(RecordValue)
def _get_of_value(context: Any, builder: Any, ty: Any, value: Any, attr: str) -> Any:
    return load_field(context, builder, spill(builder, value), ty.cls._fields[attr], False)


@lower_setattr_generic(RecordValue)
def _set_of_value(context: Any, builder: Any, sig: Any, args: Any, attr: str) -> None:
    refuse(is_constant(sig.args[0].cls._what, attr, False))


@lower_builtin(RecordClass, types.VarArg(types.Any))
def _make(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    cls = sig.return_type.cls
    words = np.frombuffer(cls._initial, np.int64)
    kind = ir.ArrayType(i64, len(words))
    room = cgutils.alloca_once(builder, kind)
    builder.store(ir.Constant(kind, [int(w) for w in words]), room)
    base = builder.bitcast(room, pointer)
    for field, value, value_type in zip(cls._fields.values(), args, sig.args):
        if value_type is not types.none:
            store_field(context, builder, base, field, value, value_type)
    return builder.load(room)


@lower_builtin(HandleClass, types.VarArg(types.Any))
def _no_handle(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return ir.Constant(ir.ArrayType(i64, Handle.SIZE // 8), None)


@lower_builtin(HandleClass)
def _no_handle_of_nothing(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    return ir.Constant(ir.ArrayType(i64, Handle.SIZE // 8), None)


# Ids and handles.


@infer_getattr
class _IdAttributes(AttributeTemplate):
    key = IdType

    def generic_resolve(self, ty: Any, attr: str) -> Any:
        return types.int64 if attr == "index" else refuse(f"an id has `index`, and no '{attr}'")


@lower_getattr_generic(IdType)
def _id_index(context: Any, builder: Any, ty: Any, value: Any, attr: str) -> Any:
    return value


@overload(operator.eq)
def _id_eq(a, b):
    if isinstance(a, IdType) and isinstance(b, IdType):
        return lambda a, b: a.index == b.index
    return None


@overload(operator.ne)
def _id_ne(a, b):
    if isinstance(a, IdType) and isinstance(b, IdType):
        return lambda a, b: a.index != b.index
    return None


@overload(bool)
def _handle_bool(h):
    if isinstance(h, HandleType):
        return lambda h: _names_something(h)
    return None


@intrinsic
def _names_something(_context, h):
    def generate(context, builder, sig, args):
        return builder.icmp_unsigned("!=", builder.extract_value(args[0], 2), i64(0))

    return types.boolean(h), generate


@lower_cast(SentType, HandleType)
def _handle_of(context: Any, builder: Any, _from: Any, _to: Any, value: Any) -> Any:
    what = cgutils.create_struct_proxy(sent)(context, builder, value=value)
    room = cgutils.alloca_once(builder, ir.ArrayType(i64, Handle.SIZE // 8))
    function = c_function(builder, "call_handle", ir.VoidType(), [pointer, i32, i64, f64, i64, i32, pointer])
    arguments = [what.call, what.event, what.index, what.time, what.number, what.flags]
    builder.call(function, [*arguments, builder.bitcast(room, pointer)])
    return builder.load(room)
