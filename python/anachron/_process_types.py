"""Processes for Numba: how they begin, and what the function does that runs one (`_flatten.py`)."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.compiler import CompilerBase, DefaultPassBuilder, Flags, compile_extra
from numba.core.compiler_machinery import FunctionPass, PassManager, register_pass
from numba.core.registry import cpu_target
from numba.core.typeconv import Conversion
from numba.core.typed_passes import NopythonTypeInference
from numba.core.typing import signature
from numba.core.typing.templates import AbstractTemplate
from numba.extending import intrinsic, lower_builtin, models, overload_method, register_jitable, register_model

from ._container_types import ContainerType
from ._containers import ListView
from ._kinds import B1, F8, I8, HandleKind, IdKind, Kind, StructKind, WaitKind
from ._members import store_field
from ._messages import NO_EVENT, list_that_lives
from ._processes import Process, number_of, processes_by_name
from ._types import (
    CallType,
    HandleType,
    IdType,
    RecordRef,
    RecordValue,
    SentType,
    WaitType,
    i32,
    i64,
    pointer,
    process_methods,
    refuse,
    type_of_field,
)
from ._wait_types import (
    InterruptType,
    bits_of,
    call_of_process,
    check_value,
    interrupt_type,
    load_item,
    made_wait,
    state_of_call,
    type_of_value,
    value_of,
)


class ProcessCallType(types.Type):
    """`self.customer(cx, 3)`: a process that was not begun yet. A value of it is what its frame begins with."""

    def __init__(self, process: Process):
        self.process = process
        super().__init__(name=f"process {process.where}@{id(process.lp):x}")


@register_model(ProcessCallType)
class _ProcessCallModel(models.PrimitiveModel):
    def __init__(self, dmm: Any, fe: Any):
        super().__init__(dmm, fe, ir.ArrayType(i64, fe.process.argument_bytes // 8))


def process_method(ty: Any, name: str) -> Any:
    """What `self.customer` is for the compiler."""
    process = processes_by_name(ty.cls)[name]
    parameters = list(process.parameters.values())

    class Method(AbstractTemplate):
        key = "anachron.process." + name

        def generic(self, args: Any, kws: Any) -> Any:
            kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
            empty = inspect.Parameter.empty
            pysig = inspect.Signature(
                [
                    inspect.Parameter("cx", kind),
                    *(inspect.Parameter(p.name, kind, default=None if p.name in process.defaults else empty) for p in parameters),
                ]
            )
            try:
                given = pysig.bind(*args, **kws).arguments
            except TypeError as error:
                return refuse(f"{process.where}: {error}")
            if not isinstance(given["cx"], CallType):
                return refuse(f"{process.where}: the first argument is `cx`")
            wanted = [type_of_field(p, True) if p.name in given else types.none for p in parameters]
            for parameter, expected in zip(parameters, wanted):
                one = given.get(parameter.name, types.none)
                how = Conversion.exact if one == expected else self.context.can_convert(one, expected)
                if how is None or (how == Conversion.unsafe and not isinstance(one, types.Integer)):
                    return refuse(f"{process.where}: {parameter.name} is {parameter.kind.name}, and gets {one}")
            return signature(ProcessCallType(process), given["cx"], *wanted, recvr=ty).replace(pysig=pysig)

    if name not in _lowered:
        _lowered.add(name)
        lower_builtin(Method.key, RecordRef, types.VarArg(types.Any))(_call_process)
    return types.BoundFunction(Method, ty)


_lowered: set[str] = set()
process_methods[:] = [process_method]


def _call_process(context: Any, builder: Any, sig: Any, args: Any) -> Any:
    process = sig.return_type.process
    room = cgutils.alloca_once(builder, ir.ArrayType(i64, process.argument_bytes // 8))
    builder.store(ir.Constant(room.type.pointee, np.frombuffer(process.default_values(), np.int64).tolist()), room)
    base = builder.bitcast(room, pointer)
    for field, value, kind in zip(process.parameters.values(), args[2:], sig.args[2:]):
        if kind is not types.none:
            store_field(context, builder, base, field, value, kind)
    return builder.load(room)


@intrinsic
def _begin(_context, cx, call):
    if not isinstance(call, ProcessCallType):
        refuse(f"cx.process(self.customer(cx, ..)): expected the call of a process, and not {call}")
    if call.process.lp is not cx.cls:
        refuse(f"cx.process: {call.process.where} is no process of {cx.cls.__name__}")
    kind = WaitType(call.process.returns)

    def generate(context, builder, sig, args):
        state = state_of_call(builder, args[0])
        room = cgutils.alloca_once_value(builder, args[1])
        number, size = number_of(call.process.lp, call.process.name), call.process.argument_bytes
        made = call_of_process(builder, "process_begin", state, i32(number), builder.bitcast(room, pointer), i32(size))
        return made_wait(context, builder, kind, state, made)

    return kind(cx, call), generate


@overload_method(CallType, "process")
def _process(cx, call):
    return lambda cx, call: _begin(cx, call)


# What the function does that runs a process. All get the state and the context.


@intrinsic
def _wait(_context, state, cx, what):
    def generate(context, builder, sig, args):
        return call_of_process(builder, "process_wait", args[0], builder.extract_value(args[2], 1))

    return types.boolean(state, cx, what), generate


@intrinsic
def _names_something(_context, what):
    if not isinstance(what, WaitType):
        refuse(f"`yield` of {what}: a process waits for something, such as cx.timeout(1.0) or self.counter.request()")

    def generate(context, builder, sig, args):
        return builder.icmp_unsigned("!=", builder.extract_value(args[0], 1), i64(0))

    return types.boolean(what), generate


@register_jitable
def wait(state, cx, what):
    if not _names_something(what):
        raise RuntimeError(NO_EVENT)
    return _wait(state, cx, what)


@intrinsic
def outcome(_context, state, cx):
    def generate(context, builder, sig, args):
        return call_of_process(builder, "process_outcome", args[0])

    return types.int32(state, cx), generate


@intrinsic
def result(_context, state, cx, what):
    """What `yield` returns: the value; of a condition, and of what has no value, itself."""
    if what.kind.of is None:
        return what(state, cx, what), lambda context, builder, sig, args: args[2]

    def generate(context, builder, sig, args):
        if what.kind.is_item:
            return load_item(context, builder, what.kind, args[0], call_of_process(builder, "process_item", args[0]))
        return value_of(context, builder, what.kind, call_of_process(builder, "process_value", args[0]))

    return type_of_value(what.kind)(state, cx, what), generate


@intrinsic
def leave(_context, state, cx, what):
    if not isinstance(what, WaitType):
        refuse(f"`with` of {what}: expected a request, a put or a get")

    def generate(context, builder, sig, args):
        call_of_process(builder, "wait_leave", args[0], builder.extract_value(args[2], 1))
        return context.get_dummy_value()

    return types.none(state, cx, what), generate


@intrinsic
def interruption(_context, state, cx):
    def generate(context, builder, sig, args):
        made = cgutils.create_struct_proxy(interrupt_type)(context, builder)
        made.cause = call_of_process(builder, "process_cause", args[0])
        made.usage_since = call_of_process(builder, "process_usage_since", args[0])
        by = call_of_process(builder, "process_by", args[0])
        made.by = made_wait(context, builder, WaitType(WaitKind()), args[0], by)
        how = call_of_process(builder, "process_outcome", args[0])
        made.preempted = builder.icmp_unsigned("==", how, i32(3))
        return made._getvalue()

    return interrupt_type(state, cx), generate


@intrinsic
def loaded(_context, state, value):
    """A variable that was read from the frame: what it names is of this state."""

    def generate(context, builder, sig, args):
        context.nrt.incref(builder, value, args[1])  # of a text
        return builder.insert_value(args[1], args[0], 0) if isinstance(value, WaitType) else args[1]

    return value(state, value), generate


@intrinsic
def saved(_context, state, cx, frame):
    return types.none(state, cx, frame), lambda context, builder, sig, args: context.get_dummy_value()


def _writer_of(frame: Any) -> Any:
    def write_frame(_context, state, cx):
        def generate(context, builder, sig, args):
            return call_of_process(builder, "process_write_frame", args[0])

        return frame(state, cx), generate

    return intrinsic(write_frame)


def _end_of(process: Process) -> Any:
    def end(_context, state, cx, value):
        wanted = check_value(process.returns, value, f"{process.where} returns")

        def generate(context, builder, sig, args):
            call_of_process(builder, "process_end", args[0], bits_of(context, builder, args[2], sig.args[2]))
            return context.get_dummy_value()

        is_none = value is types.none or isinstance(value, types.Omitted)
        return types.none(state, cx, value if is_none else wanted), generate

    return intrinsic(end)


class UnsetType(types.Type):
    """A variable that was not assigned yet: it has any type."""

    def __init__(self) -> None:
        super().__init__(name="anachron.unset")

    def unify(self, _context: Any, other: Any) -> Any:
        return other

    def _unknown(self) -> Any:
        return refuse("a variable is used that was not assigned")

    kind = view = cls = property(_unknown)  # asked for before all types are known


_unset_type = UnsetType()


@intrinsic
def unset(_context):
    return _unset_type(), lambda context, builder, sig, args: context.get_dummy_value()


@intrinsic
def check_loop(_context, state, cx, over):
    is_list = isinstance(over, ContainerType) and over.view is ListView
    if not (is_list or isinstance(over, (types.Array, types.BaseTuple, types.List))):
        refuse(f"a loop in which a process waits goes over a list, a deque or an array, and not over {over}: keep the keys in a list")
    return types.none(state, cx, over), lambda context, builder, sig, args: context.get_dummy_value()


def helpers_of(process: Process, frame: Any = None) -> dict[str, Any]:
    """What the function of a process has as globals. `frame`: the type of its frame."""
    found = {"wait": wait, "outcome": outcome, "result": result, "leave": leave, "interruption": interruption}
    found |= {"loaded": loaded, "saved": saved, "check_loop": check_loop, "unset": unset, "end": _end_of(process)}
    if frame is not None:
        found["write_frame"] = _writer_of(frame)
    return {"_anachron_" + name: value for name, value in found.items()}


# The types of variables.

_typemaps: list[Any] = []


@register_pass(mutates_CFG=False, analysis_only=True)
class _TakeTypes(FunctionPass):
    _name = "anachron_take_types"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        _typemaps.append(state.typemap)
        state.cr = ()  # a result: there is no code
        return False


class _Inference(CompilerBase):
    """Numba's compiler as far as types."""

    def define_pipelines(self) -> list[Any]:
        passes = PassManager("anachron_types")
        passes.passes.extend(DefaultPassBuilder.define_untyped_pipeline(self.state).passes)
        passes.add_pass(NopythonTypeInference, "types")
        passes.add_pass(_TakeTypes, "take them")
        passes.finalize()
        return [passes]


def types_of_variables(function: Any, arguments: tuple[Any, ...], names: list[str]) -> dict[str, Any]:
    """The type of each variable of a function that gets arguments of these types."""
    target = cpu_target
    target.typing_context.refresh()
    target.target_context.refresh()
    flags = Flags()
    flags.nrt = True  # texts
    compile_extra(target.typing_context, target.target_context, function, arguments, None, flags, {}, pipeline_class=_Inference)
    typemap = _typemaps.pop()
    found: dict[str, list[Any]] = {}
    for variable, kind in typemap.items():
        found.setdefault(variable.split(".")[0].removeprefix("arg."), []).append(types.unliteral(kind))
    out = {}
    for name in names:
        kinds = [kind for kind in found.get(name, []) if not isinstance(kind, types.UndefinedFunctionType) and kind not in (types.undefined, _unset_type)]
        unified = target.typing_context.unify_types(*kinds) if kinds else types.int64
        if unified is None:
            refuse(f"'{name}' is {' and '.join(sorted({str(kind) for kind in kinds}))}: a variable has one type")
        out[name] = unified
    return out


def kind_of_type(name: str, kind: Any, process: Process) -> Kind:
    """How a variable lies in a frame."""
    if isinstance(kind, types.Boolean):
        return B1
    if isinstance(kind, types.Float):
        return F8
    if isinstance(kind, types.Integer):
        return I8
    if isinstance(kind, (HandleType, SentType)):
        return HandleKind()
    if isinstance(kind, IdType):
        return IdKind(kind.cls)
    if isinstance(kind, WaitType):
        return kind.kind
    if isinstance(kind, RecordValue):
        return StructKind(kind.cls)
    if isinstance(kind, InterruptType):
        hint = ": keep what is needed of it in a variable of its own"
    elif isinstance(kind, types.UnicodeType):
        hint = f": a text that lives so long is an argument with a limit, `{name}: an.Text[24]`, or a field of the state"
    elif isinstance(kind, types.List) and isinstance(kind.dtype, (WaitType, types.Number, types.Boolean, IdType)):
        of = {WaitType: "an.Wait", types.Float: "float", types.Boolean: "bool", IdType: "an.Id"}
        hint = list_that_lives(name, next((text for known, text in of.items() if isinstance(kind.dtype, known)), "int"))
    else:
        hint = "; other things are kept in the state, or asked for again"
    return refuse(
        f"'{name}' is {kind}, and lives while {process.where} waits: that can be a number, an LP, a handle, a struct, or what "
        f"is waited for{hint}"
    )


