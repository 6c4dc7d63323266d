"""What compiled handlers reach in place: shared data and groups of LPs, streams and statistics of the state."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing import signature
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_global
from numba.extending import infer_getattr, intrinsic, lower_builtin, lower_getattr_generic, overload
from numba.np import numpy_support

from ._shared import words_of_type
from ._stats import METHODS, Series, TimeAverage
from ._types import (
    CallType,
    GroupsType,
    GroupType,
    PlaceRef,
    RngType,
    SharedType,
    at,
    c_function,
    f64,
    i32,
    i64,
    make_array,
    pointer,
    refuse,
    rng,
)

_GROUPS = {"Group": GroupType, "Groups": GroupsType}


# Shared data.


def _shared_words(layout: dict[str, Any]) -> dict[str, int]:
    """Where each begins, in words of 8 bytes."""
    places, word = {}, 0
    for name, what in layout.items():
        places[name] = word
        word += words_of_type(what)
    return places


@infer_getattr
class _SharedAttributes(AttributeTemplate):
    key = SharedType

    def generic_resolve(self, ty: Any, attr: str) -> Any:
        what = ty.unit.shared.get(attr)
        if what is None:
            return refuse(f"cx.shared has no '{attr}' (it has: {', '.join(ty.unit.shared) or 'nothing'})")
        if isinstance(what, tuple) and what[0] in _GROUPS:
            return _GROUPS[what[0]](ty.unit.model.lps[what[1]])
        if isinstance(what, tuple):
            return types.Array(numpy_support.from_dtype(np.dtype(what[0])), what[1], "C", readonly=True)
        return types.float64 if what == "float" else types.int64


@lower_getattr_generic(SharedType)
def _get_of_shared(context: Any, builder: Any, ty: Any, value: Any, attr: str) -> Any:
    what, first = ty.unit.shared[attr], 8 * _shared_words(ty.unit.shared)[attr]
    if not isinstance(what, tuple):
        return builder.load(at(builder, value, first, f64 if what == "float" else i64))
    if what[0] == "Groups":
        return builder.gep(value, [i64(first)])
    if what[0] == "Group":
        group = cgutils.create_struct_proxy(GroupType(ty.unit.model.lps[what[1]]))(context, builder)
        group.members = builder.load(at(builder, value, first, pointer))
        group.count = builder.load(at(builder, value, first + 8, i64))
        return group._getvalue()
    data = builder.load(at(builder, value, first, pointer))
    shape = [builder.load(at(builder, value, first + 8 * (i + 1), i64)) for i in range(what[1])]
    array_type = types.Array(numpy_support.from_dtype(np.dtype(what[0])), what[1], "C", readonly=True)
    return make_array(context, builder, array_type, data, shape)


@infer_getattr
class _GroupAttributes(AttributeTemplate):
    key = GroupType

    def generic_resolve(self, ty: Any, attr: str) -> Any:
        return types.int64 if attr == "size" else refuse(f"a group has `size`, and no '{attr}'")


@lower_getattr_generic(GroupType)
def _size_of_group(context: Any, builder: Any, ty: Any, value: Any, attr: str) -> Any:
    return cgutils.create_struct_proxy(ty)(context, builder, value=value).count


@infer_global(operator.getitem)
class _GroupOfGroups(AbstractTemplate):
    def generic(self, args: Any, kws: Any) -> Any:
        if isinstance(args[0], GroupsType) and isinstance(args[1], types.Integer):
            return signature(GroupType(args[0].cls), args[0], types.int64)
        return None


@lower_builtin(operator.getitem, GroupsType, types.Integer)
def _group_of_groups(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    groups, number = args
    with cgutils.if_unlikely(builder, builder.icmp_unsigned(">=", number, _number_of_groups(builder, groups))):
        context.call_conv.return_user_exc(builder, IndexError, ("there is no group with this number",))
    group = cgutils.create_struct_proxy(sig.return_type)(context, builder)
    starts = builder.load(at(builder, groups, 8, i64.as_pointer()))
    begin, end = (builder.load(builder.gep(starts, [builder.add(number, i64(k))])) for k in (0, 1))
    numbers = builder.load(at(builder, groups, 0, i32.as_pointer()))
    group.members = builder.bitcast(builder.gep(numbers, [begin]), pointer)
    group.count = builder.sub(end, begin)
    return group._getvalue()


@overload(len)
def _len_of_groups(groups):
    return (lambda groups: _count_groups(groups)) if isinstance(groups, GroupsType) else None


@intrinsic
def _count_groups(_context, groups):
    def generate(context, builder, sig, args):
        return _number_of_groups(builder, args[0])

    return types.int64(groups), generate


def _number_of_groups(builder: Any, groups: Any) -> Any:
    return builder.load(at(builder, groups, 16, i64))


# Streams and statistics.


@lower_builtin(RngType, types.VarArg(types.Any))
def _rng_of_stream(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    out = cgutils.create_struct_proxy(rng)(context, builder, value=args[0])
    out.stream = args[1]
    return out._getvalue()


@infer_getattr
class _PlaceAttributes(AttributeTemplate):
    key = PlaceRef

    def generic_resolve(self, ty: Any, attr: str) -> Any:
        methods = METHODS.get(ty.cls.__name__, {})
        if attr == "level" and ty.cls is TimeAverage:
            return types.float64
        if attr not in methods:
            known = ", ".join(methods) or "none"
            return refuse(f"an an.{ty.cls.__name__} has no '{attr}' in a handler (it has: {known})")

        class Method(AbstractTemplate):
            key = "anachron." + methods[attr]

            def generic(self, args: Any, kws: Any) -> Any:
                if len(args) == 1 and ty.cls is Series:
                    args = (*args, types.float64)
                if len(args) != 2 or kws or not isinstance(args[0], CallType):
                    return refuse(f"an.{ty.cls.__name__}.{attr}(cx, number)")
                if not isinstance(args[1], (types.Float, types.Integer)):
                    return refuse(f"an.{ty.cls.__name__}.{attr}: {args[1]} is no number")
                given = (args[0], types.float64)[: len(args)]
                return signature(types.none, *given, recvr=ty)

        return types.BoundFunction(Method, ty)


@lower_getattr_generic(PlaceRef)
def _get_of_place(context: Any, builder: Any, ty: Any, value: Any, attr: str) -> Any:
    return builder.load(at(builder, value, 0, f64)) if attr == "level" else value


def _lower_observations(function: str) -> None:
    @lower_builtin("anachron." + function, PlaceRef, types.VarArg(types.Any))
    def observe(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        place, call = args[:2]
        x = args[2] if len(args) > 2 else f64(1.0)
        called = c_function(builder, function, ir.VoidType(), [pointer, pointer, f64])
        builder.call(called, [call, place, x])
        return context.get_dummy_value()


for _methods in METHODS.values():
    for _function in _methods.values():
        _lower_observations(_function)
