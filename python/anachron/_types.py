"""States, events, contexts and so on as types of Numba. `_members.py` has how compiled handlers use records,
`_calls.py` what a context does, `_draws.py` random numbers, `_places.py` streams, statistics, shared data, groups."""

from __future__ import annotations

import inspect
from typing import Any

from llvmlite import ir
from numba.core import cgutils, errors, types
from numba.core.imputils import lower_constant
from numba.core.typeconv import Conversion
from numba.core.typing import signature
from numba.extending import models, register_model, typeof_impl
from numba.np import numpy_support
from numba.np.arrayobj import populate_array

from ._fields import LP, Field, RecordMeta
from ._kinds import NO_LP, ArrayKind, Handle, HandleKind, HandleMeta, IdKind, Kind, PlaceKind, Stream, StructKind, WaitKind

MARK = "anachron: "  # before messages of ours within those of Numba

i1_, i8_, i32, i64, f64 = ir.IntType(1), ir.IntType(8), ir.IntType(32), ir.IntType(64), ir.DoubleType()
pointer = i8_.as_pointer()
#: Types of ctypes as those of LLVM; a truth value takes a byte.
OF_C = {"c_void_p": pointer, "c_uint": i32, "c_int": i32, "c_long": i64, "c_ulong": i64, "c_double": f64, "c_bool": i8_}


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
            element = type_of_element(field.kind.of, field.owner)
            if given.dtype != element and context.can_convert(given.dtype, element) is None:
                refuse(f"{where} is an array of an.{field.kind.of.name}, and gets {given}")
            return given
        wanted = type_of_field(field, True)
        if field.kind.is_bounded:
            return wanted.accepted(field, given, context)
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


class WaitType(types.Type):
    """What a process can wait for: the address of the state, and its name there."""

    def __init__(self, kind: WaitKind):
        self.kind = kind
        of = "" if kind.of is None else f" of {'item ' if kind.is_item else ''}{kind.of.name}@{id(getattr(kind.of, 'cls', None)):x}"
        super().__init__(name=f"anachron.Wait{of}")


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


class PlaceRef(types.Type):
    """The address of a stream or a statistic in a state."""

    def __init__(self, cls: Any):
        self.cls = cls
        super().__init__(name=f"anachron.{cls.__name__}")


class RngType(types.Callable):
    """What draws: `cx.rng`, and what it returns when it is called with a stream of the state."""

    def __init__(self) -> None:
        super().__init__(name="anachron.rng")

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        if len(args) == 1 and not kws and isinstance(args[0], PlaceRef) and args[0].cls is Stream:
            return signature(self, args[0], recvr=self)
        return refuse("cx.rng(stream): expected a field of the state that is an an.Stream")

    def get_call_signatures(self) -> Any:
        return (), True

    def get_impl_key(self, sig: Any) -> Any:
        return type(self)


class RangeType(types.Type):
    """LPs of a type from one number on."""

    def __init__(self, cls: Any):
        self.cls = cls
        super().__init__(name=f"range {cls.__qualname__}@{id(cls):x}")


class GroupType(types.Type):
    def __init__(self, cls: Any):
        self.cls = cls
        super().__init__(name=f"group {cls.__qualname__}@{id(cls):x}")


class GroupsType(types.Type):
    def __init__(self, cls: Any):
        self.cls = cls
        super().__init__(name=f"groups {cls.__qualname__}@{id(cls):x}")


class SharedType(types.Type):
    def __init__(self, unit: Any):
        self.unit = unit
        super().__init__(name=f"anachron.shared.{id(unit):x}")


handle, sent, rng = HandleType(), SentType(), RngType()


@register_model(RecordRef)
@register_model(CallType)
@register_model(SharedType)
@register_model(PlaceRef)
@register_model(GroupsType)
class _PointerModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe: Any):
        super().__init__(dmm, fe, pointer)


@register_model(RecordValue)
class _ValueModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe: Any):
        super().__init__(dmm, fe, ir.ArrayType(i64, fe.cls._size // 8))


@register_model(IdType)
class _IdModel(models.PrimitiveModel):
    """In variables a whole number, in fields and arrays of 32 bits, where all that is no LP's number is one."""

    def __init__(self, dmm: Any, fe: Any):
        super().__init__(dmm, fe, i64)

    def get_data_type(self) -> Any:
        return i32

    def as_data(self, builder: Any, value: Any) -> Any:
        is_number = builder.icmp_unsigned("<", value, i64(NO_LP))
        return builder.select(is_number, builder.trunc(value, i32), i32(NO_LP))

    def from_data(self, builder: Any, value: Any) -> Any:
        is_none = builder.icmp_unsigned("==", value, i32(NO_LP))
        return builder.select(is_none, i64(-1), builder.zext(value, i64))


@register_model(HandleType)
class _HandleModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe: Any):
        super().__init__(dmm, fe, ir.ArrayType(i64, Handle.SIZE // 8))


@register_model(WaitType)
class _WaitModel(models.StructModel):
    def __init__(self, dmm: Any, fe: Any):
        super().__init__(dmm, fe, [("state", types.voidptr), ("handle", types.uint64)])


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


@register_model(RngType)
class _RngModel(models.StructModel):
    def __init__(self, dmm: Any, fe: Any):
        super().__init__(dmm, fe, [("call", types.voidptr), ("stream", types.voidptr)])


@register_model(RangeType)
class _RangeModel(models.StructModel):
    def __init__(self, dmm: Any, fe: Any):
        super().__init__(dmm, fe, [("first", types.int64), ("count", types.int64)])


@register_model(GroupType)
class _GroupModel(models.StructModel):
    def __init__(self, dmm: Any, fe: Any):
        super().__init__(dmm, fe, [("members", types.voidptr), ("count", types.int64)])


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


# What lowering has in common.


#: What has types of its own: of a kind of field what makes one. Filled by who declares the types.
types_by_kind: dict[Any, Any] = {}
#: `name` of an LP type's record, which is a process, as what is called: `_process_types.py` puts it in.
process_methods: list[Any] = []
#: `load_field` and `store_field`: `_members.py` puts them in.
loaders: list[Any] = []


def type_of_field(field: Field, mutable: bool) -> Any:
    kind = field.kind
    if type(kind) in types_by_kind:
        return types_by_kind[type(kind)](field)
    if isinstance(kind, ArrayKind):
        return types.Array(type_of_element(kind.of, field.owner), len(kind.shape), "C", readonly=not mutable)
    if isinstance(kind, PlaceKind):
        return PlaceRef(kind.cls)
    if isinstance(kind, StructKind):
        return RecordValue(kind.cls)
    if isinstance(kind, IdKind):
        return IdType(kind.of or field.owner)
    if isinstance(kind, HandleKind):
        return handle
    if isinstance(kind, WaitKind):
        return WaitType(kind)
    return {"f": types.float64, "b": types.boolean}.get(kind.dtype.kind, types.int64)


def type_of_element(kind: Kind, owner: Any) -> Any:
    if isinstance(kind, IdKind):
        return IdType(kind.of or owner)
    return handle if isinstance(kind, HandleKind) else numpy_support.from_dtype(kind.dtype)


def c_function(builder: Any, name: str, result: Any, arguments: list[Any]) -> Any:
    return cgutils.get_or_insert_function(builder.module, ir.FunctionType(result, arguments), "anachron_" + name)


def at(builder: Any, base: Any, offset: int, kind: Any) -> Any:
    """The address of something of a kind so many bytes behind `base`."""
    return builder.bitcast(builder.gep(base, [i64(offset)]), kind.as_pointer())


def make_array(context: Any, builder: Any, array_type: Any, data: Any, shape: list[Any]) -> Any:
    array = context.make_array(array_type)(context, builder)
    size = context.get_abi_sizeof(context.get_data_type(array_type.dtype))
    strides: list[Any] = []
    step = i64(size)
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


def spill(builder: Any, value: Any) -> Any:
    """The address of a copy of a record's bytes."""
    room = cgutils.alloca_once(builder, value.type)
    builder.store(value, room)
    return builder.bitcast(room, pointer)
