"""States, events, contexts and so on as types of Numba, and how compiled handlers use records: these are addresses, of
which members are read and written in place. `_calls.py` has what a context does."""

from __future__ import annotations

import inspect
import operator
import types as python_types
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.core.imputils import lower_constant
from numba.core.typeconv import Conversion
from numba.core.typing import signature
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate
from numba.extending import (
    infer_getattr,
    intrinsic,
    lower_builtin,
    lower_cast,
    lower_getattr_generic,
    lower_setattr_generic,
    models,
    overload,
    register_model,
    typeof_impl,
)
from numba.np import numpy_support
from numba.np.arrayobj import load_item, populate_array, store_item

from ._fields import LP, ArrayKind, Field, Handle, HandleKind, HandleMeta, IdKind, RecordMeta

MARK = "anachron: "  # before messages of ours within those of Numba

i1_, i8_, i32, i64, f64 = ir.IntType(1), ir.IntType(8), ir.IntType(32), ir.IntType(64), ir.DoubleType()
pointer = i8_.as_pointer()


def refuse(message: str) -> Any:
    raise errors.NumbaTypeError(MARK + message)


# Types.


class RecordRef(types.Type):
    """The address of a record: a state, an event that was received, parameters."""

    def __init__(self, cls: Any, mutable: bool, unit: Any = None):
        self.cls, self.mutable, self.unit = cls, mutable, unit
        super().__init__(name=f"{'' if mutable else 'const '}{cls.__qualname__}@{id(cls):x}.{id(unit):x}")


class RecordValue(types.Type):
    """A record that a handler has made: its bytes, as words."""

    def __init__(self, cls: Any):
        self.cls = cls
        super().__init__(name=f"value {cls.__qualname__}@{id(cls):x}")


class RecordClass(types.Callable, types.Opaque):
    """The class itself, as a function that makes one; of LP types a name."""

    def __init__(self, cls: Any):
        self.cls = cls
        super().__init__(name=f"class {cls.__qualname__}@{id(cls):x}")

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        cls = self.cls
        if issubclass(cls, LP):
            refuse(f"LPs are not made by handlers: {cls.__name__}(..)")
        fields = list(cls._fields.values())
        names = [f.name for f in fields]
        if len(args) > len(fields):
            refuse(f"{cls.__name__} has {len(fields)} fields, not {len(args)}")
        given = dict(zip(names, args)) | dict(kws)
        for name in kws:
            if name not in names:
                refuse(f"{cls.__name__} has no field '{name}' (it has: {', '.join(names) or 'none'})")
        expected = [self._accepted(context, f, given[f.name]) if f.name in given else types.none for f in fields]
        pysig = inspect.Signature(
            [inspect.Parameter(n, inspect.Parameter.POSITIONAL_OR_KEYWORD, default=None) for n in names]
        )
        return signature(RecordValue(cls), *expected).replace(pysig=pysig)

    def _accepted(self, context: Any, field: Field, given: Any) -> Any:
        where = f"{self.cls.__name__}.{field.name}"
        if isinstance(field.kind, ArrayKind):
            if not isinstance(given, types.Array) or given.ndim != len(field.kind.shape):
                refuse(f"{where} is an array of shape {field.kind.shape}, and gets {given}")
            return given
        wanted = type_of_field(field, True)
        how = context.can_convert(given, wanted)
        if how is None or (how == Conversion.unsafe and not isinstance(given, types.Integer)):
            refuse(f"{where} is {field.kind.name}, and gets {given}")
        return wanted

    def get_call_signatures(self) -> Any:
        return (), True

    def get_impl_key(self, sig: Any) -> Any:
        return type(self)


class IdType(types.Type):
    def __init__(self, cls: Any):
        self.cls = cls
        super().__init__(name=f"id {cls.__qualname__}@{id(cls):x}")


class HandleType(types.Type):
    def __init__(self) -> None:
        super().__init__(name="anachron.Handle")


class SentType(types.Type):
    """What `send` returns: the handle, which is made when it is kept or cancelled."""

    def __init__(self) -> None:
        super().__init__(name="anachron.Sent")

    def can_convert_to(self, _context: Any, other: Any) -> Any:
        return Conversion.safe if isinstance(other, HandleType) else None

    def unify(self, _context: Any, other: Any) -> Any:
        return other if isinstance(other, HandleType) else None


class HandleClass(types.Callable, types.Opaque):
    def __init__(self) -> None:
        super().__init__(name="class anachron.Handle")

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        return signature(handle) if not args and not kws else refuse("an.Handle() takes nothing")

    def get_call_signatures(self) -> Any:
        return (), True

    def get_impl_key(self, sig: Any) -> Any:
        return type(self)


class CallType(types.Type):
    """`cx` in handlers of an LP type of a model."""

    def __init__(self, unit: Any, cls: Any):
        self.unit, self.cls = unit, cls
        super().__init__(name=f"context {cls.__qualname__}@{id(cls):x}.{id(unit):x}")


class RngType(types.Type):
    def __init__(self) -> None:
        super().__init__(name="anachron.rng")


class SharedType(types.Type):
    def __init__(self, unit: Any):
        self.unit = unit
        super().__init__(name=f"anachron.shared.{id(unit):x}")


handle, sent, rng = HandleType(), SentType(), RngType()


@register_model(RecordRef)
@register_model(CallType)
@register_model(RngType)
@register_model(SharedType)
class _PointerModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe: Any):
        super().__init__(dmm, fe, pointer)


@register_model(RecordValue)
class _ValueModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe: Any):
        super().__init__(dmm, fe, ir.ArrayType(i64, fe.cls._size // 8))


@register_model(IdType)
class _IdModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe: Any):
        super().__init__(dmm, fe, i64)


@register_model(HandleType)
class _HandleModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe: Any):
        super().__init__(dmm, fe, ir.ArrayType(i64, Handle.SIZE // 8))


@register_model(SentType)
class _SentModel(models.StructModel):
    def __init__(self, dmm: Any, fe: Any):
        members = [
            ("call", types.voidptr),
            ("event", types.uint32),
            ("index", types.int64),
            ("time", types.float64),
            ("number", types.int64),
            ("flags", types.uint32),
        ]
        super().__init__(dmm, fe, members)


register_model(RecordClass)(models.OpaqueModel)
register_model(HandleClass)(models.OpaqueModel)


@typeof_impl.register(RecordMeta)
def _typeof_record_class(value: Any, _c: Any) -> Any:
    return RecordClass(value)


@typeof_impl.register(HandleMeta)
def _typeof_handle_class(_value: Any, _c: Any) -> Any:
    return HandleClass()


@lower_constant(RecordClass)
@lower_constant(HandleClass)
def _class_constant(context: Any, _builder: Any, _type: Any, _value: Any) -> Any:
    return context.get_dummy_value()


# Members of records.


def type_of_field(field: Field, mutable: bool) -> Any:
    kind = field.kind
    if isinstance(kind, ArrayKind):
        dtype = numpy_support.from_dtype(kind.of.dtype)
        return types.Array(dtype, len(kind.shape), "C", readonly=not mutable)
    if isinstance(kind, IdKind):
        return IdType(kind.of or field.owner)
    if isinstance(kind, HandleKind):
        return handle
    return {"f": types.float64, "b": types.boolean}.get(kind.dtype.kind, types.int64)


def c_function(builder: Any, name: str, result: Any, arguments: list[Any]) -> Any:
    return cgutils.get_or_insert_function(builder.module, ir.FunctionType(result, arguments), "anachron_" + name)


def at(builder: Any, base: Any, offset: int, kind: Any) -> Any:
    """The address of something of a kind so many bytes behind `base`."""
    return builder.bitcast(builder.gep(base, [i64(offset)]), kind.as_pointer())


def make_array(context: Any, builder: Any, array_type: Any, data: Any, shape: list[Any]) -> Any:
    array = context.make_array(array_type)(context, builder)
    size = context.get_abi_sizeof(context.get_data_type(array_type.dtype))
    strides, step = [], i64(size)
    for extent in reversed(shape):
        strides.insert(0, step)
        step = builder.mul(step, extent)
    populate_array(
        array,
        data=builder.bitcast(data, array.data.type),
        shape=cgutils.pack_array(builder, shape),
        strides=cgutils.pack_array(builder, strides),
        itemsize=i64(size),
        meminfo=None,
    )
    return array._getvalue()


def load_field(context: Any, builder: Any, base: Any, field: Field, mutable: bool) -> Any:
    kind = field.kind
    if isinstance(kind, ArrayKind):
        data = builder.gep(base, [i64(field.offset)])
        return make_array(context, builder, type_of_field(field, mutable), data, [i64(n) for n in kind.shape])
    if isinstance(kind, HandleKind):
        return builder.load(at(builder, base, field.offset, ir.ArrayType(i64, Handle.SIZE // 8)))
    if kind.dtype.kind == "f":
        return builder.load(at(builder, base, field.offset, f64))
    raw = builder.load(at(builder, base, field.offset, ir.IntType(8 * kind.dtype.itemsize)))
    if kind.dtype.kind == "b":
        return builder.icmp_unsigned("!=", raw, raw.type(0))
    if kind.dtype.itemsize == 8:
        return raw
    return builder.sext(raw, i64) if kind.dtype.kind == "i" else builder.zext(raw, i64)


def store_field(context: Any, builder: Any, base: Any, field: Field, value: Any, value_type: Any) -> None:
    kind = field.kind
    if isinstance(kind, ArrayKind):
        _copy_array(context, builder, builder.gep(base, [i64(field.offset)]), field, value, value_type)
        return
    if isinstance(kind, HandleKind):
        stored = ir.ArrayType(i64, Handle.SIZE // 8)
    elif kind.dtype.kind == "f":
        stored = f64
    else:
        stored = ir.IntType(8 * kind.dtype.itemsize)
        if value.type.width > stored.width:
            value = builder.trunc(value, stored)
        elif value.type.width < stored.width:
            value = builder.zext(value, stored)
    builder.store(value, at(builder, base, field.offset, stored))


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
        member = inspect.getattr_static(ty.cls, attr, None)
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
        refuse(f"an event that was received is constant: '{attr}' cannot be assigned; make a new one")
    store_field(context, builder, args[0], ty.cls._fields[attr], args[1], sig.args[1])


@infer_getattr
class _RecordValueAttributes(AttributeTemplate):
    key = RecordValue

    def generic_resolve(self, ty: Any, attr: str) -> Any:
        field = ty.cls._fields.get(attr)
        return type_of_field(field, False) if field is not None else no_field(ty.cls, attr)


def spill(builder: Any, value: Any) -> Any:
    """The address of a copy of a record's bytes."""
    room = cgutils.alloca_once(builder, value.type)
    builder.store(value, room)
    return builder.bitcast(room, pointer)


@lower_getattr_generic(RecordValue)
def _get_of_value(context: Any, builder: Any, ty: Any, value: Any, attr: str) -> Any:
    return load_field(context, builder, spill(builder, value), ty.cls._fields[attr], False)


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
