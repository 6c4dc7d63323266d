"""What a handler can do, while a model is interpreted. `_compile.py` has the same for compiled handlers."""

from __future__ import annotations

import ctypes
import inspect
import struct
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ._fields import LP, Event, Row
from ._groups import Group, Range
from ._ints import as_handlers_have_it
from ._kinds import F8, I8, Handle, Id, Stream, WaitKind, bits_of, kind_of
from ._messages import MOST_WAITS, NEGATIVE_DELAY, TYPES_OF_EVENTS, of_waits
from ._native import RNG, native
from ._processes import number_of
from ._waits import Wait

if TYPE_CHECKING:
    from ._model import Model

_CALL = struct.Struct("=dII")  # time, number of the LP, LPs of its type: include/anachron/model/plain.hpp

ABSOLUTE, ORDERED, IN_ORDER = 1, 2, 4


def flags_of(at_time: bool, priority: int | None, in_order: bool | None) -> int:
    """As python/src/api_call.cpp has them."""
    flags = ABSOLUTE if at_time else 0
    if priority is not None or in_order is not None:
        flags |= ORDERED | (IN_ORDER if in_order else 0) | ((int(priority or 0) + 128) << 8) & 0xFFFFFFFF
    return flags


class Failed(Exception):
    """The call has failed; the library knows why."""


class RngOfCall:
    """Random numbers of the event, or those of one of the LP's streams, as C++ draws them (docs/reference/context.md)."""

    __slots__ = ("_call", "_stream")

    def __init__(self, call: int, stream: int | None = None):
        self._call, self._stream = call, stream

    def __call__(self, stream: Stream) -> RngOfCall:
        """The numbers of a stream of this LP's state."""
        if not isinstance(stream, Stream) or isinstance(stream._memory, bytearray):
            raise TypeError(f"cx.rng({stream!r}): expected a field of the state that is an an.Stream")
        return RngOfCall(self._call, ctypes.addressof(stream._memory) + stream._offset)

    if TYPE_CHECKING:  # made below

        def uniform(self, a: float = 0.0, b: float = 1.0) -> float: ...
        def below(self, n: int) -> int: ...
        def between(self, lo: int, hi: int) -> int: ...
        def bernoulli(self, p: float) -> bool: ...
        def exponential(self, mean: float) -> float: ...
        def normal(self, mean: float = 0.0, sigma: float = 1.0) -> float: ...
        def lognormal(self, mu: float, sigma: float) -> float: ...
        def poisson(self, mean: float) -> int: ...
        def geometric(self, p: float) -> int: ...
        def binomial(self, n: int, p: float) -> int: ...
        def erlang(self, k: int, mean: float) -> float: ...
        def gamma(self, shape: float, scale: float) -> float: ...
        def beta(self, a: float, b: float) -> float: ...
        def weibull(self, shape: float, scale: float) -> float: ...
        def pareto(self, shape: float, scale: float) -> float: ...
        def triangular(self, lo: float, mode: float, hi: float) -> float: ...


#: What each draws, and what its arguments are. Others are a SimulationError of the event.
_DRAWS = {
    "below": "A whole number from 0 to n - 1, all equally likely. n: at least 1.",
    "between": "A whole number from lo to hi, both included, all equally likely. hi: at least lo.",
    "bernoulli": "True with probability p, from 0 to 1.",
    "exponential": "Exponentially distributed with this mean, at least 0.",
    "normal": "Normally distributed with this mean and the standard deviation sigma, at least 0.",
    "lognormal": "exp of a normally distributed number with the mean mu and the standard deviation sigma, at least 0. So "
    "its own mean is exp(mu + sigma**2 / 2).",
    "poisson": "How many events happen where `mean` are expected, at least 0: a whole number.",
    "geometric": "How many failures come before the first success, each trial having probability p, above 0 and at most "
    "1: a whole number from 0 on, with the mean (1 - p) / p.",
    "binomial": "How many of n trials succeed, each with probability p.",
    "erlang": "The sum of k exponentially distributed numbers. `mean` is that of the sum, so each of them has the mean "
    "mean / k. k: at least 1.",
    "gamma": "Gamma distributed, with the mean shape * scale. Both above 0.",
    "beta": "Beta distributed between 0 and 1, with the mean a / (a + b). Both above 0.",
    "weibull": "Weibull distributed: scale * (-log(1 - u)) ** (1 / shape) for a uniform u. Both above 0.",
    "pareto": "Pareto distributed from `scale` on: scale * (1 - u) ** (-1 / shape) for a uniform u. Both above 0.",
    "triangular": "Between lo and hi, most likely near mode. lo <= mode <= hi.",
}


def _draw(name: str, arguments: list[tuple[str, Any, Any]]) -> Any:
    function = getattr(native, "rng_" + name)
    names = ", ".join(f"{n}={d!r}" if d is not None else n for n, _, d in arguments)
    converted = "".join(
        f", {'int' if kind is ctypes.c_int64 else 'float'}({n})" for n, kind, _ in arguments
    )
    scope: dict[str, Any] = {"function": function}
    parameters = f"self{', ' if names else ''}{names}"
    call = f"function(self._call, self._stream{converted})"
    scope["of"] = as_handlers_have_it
    exec(f"def {name}({parameters}):\n  return of({call})", scope)
    scope[name].__doc__ = _DRAWS.get(name)
    return scope[name]


for _name, (_result, _arguments) in RNG.items():
    setattr(RngOfCall, _name, _draw(_name, _arguments))


def _uniform(self: Any, a: float | None = None, b: float | None = None) -> float:
    """Uniformly distributed from a to b, b excluded; without arguments from 0 to 1."""
    if a is None or b is None:
        return native.rng_uniform(self._call, self._stream)
    return native.rng_uniform_in(self._call, self._stream, float(a), float(b))


RngOfCall.uniform = _uniform  # type: ignore[method-assign]


class Context:
    """What a handler does beside changing its state: valid during its call. All of it is undone with the event.

    - `now`: time of the event, in the model's unit
    - `index`: number of this LP within its type, from 0
    - `lp_count`: number of LPs of this type
    - `params`: the parameters, read-only: `cx.params.mean`
    - `shared`: the shared data, read-only: `cx.shared.distances[3]`
    - `rng`: this LP's random numbers, `cx.rng.exponential(2.0)`; those of a stream, `cx.rng(self.arrivals).uniform()`
    """

    __slots__ = ("_call", "_model", "_type", "now", "index", "lp_count", "params", "shared", "rng")
    _call: int
    _model: Model
    _type: Any
    now: float
    index: int
    lp_count: int
    params: Any
    shared: Any
    rng: RngOfCall

    def __init__(self, call: int, model: Model, type: Any, params: Any, shared: Any):
        now, index, lp_count = _CALL.unpack(ctypes.string_at(call, _CALL.size))
        index, lp_count = as_handlers_have_it(index), as_handlers_have_it(lp_count)
        values = (call, model, type, now, index, lp_count, params, shared, RngOfCall(call))
        for name, value in zip(self.__slots__, values):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, _value: Any) -> None:
        raise AttributeError(f"cx.{name} cannot be assigned: what changes is in the state (annotated fields)")

    @property
    def self_id(self) -> Id:
        """This LP: `cx.send(cx.self_id, 1.0, Tick())`."""
        return Id(self._type, self.index)

    def id(self, first: Any, number: Any = None) -> Id:
        """`cx.id(3)`: LP number 3 of this type; `cx.id(Office, 0)`: of another one. Sending to one that does not exist
        fails the event."""
        if number is None:
            first, number = self._type, first
        return Id(first, number)

    def count(self, lp: Any) -> int:
        """Number of LPs of another type: `cx.count(Office)`."""
        return native.call_lp_count(self._call, self._model._number_of_lp(lp))

    def send(
        self, to: Id, delay: float, event: Event, priority: int | None = None, in_order: bool | None = None
    ) -> Handle:
        """Sends the event to an LP, `delay` after now, in the model's unit: at least 0; 0 is a later step of this time.
        `priority` (-128 to 127, smaller first) and `in_order` are its place among events of the same time, instead of
        those of its class. Returns a handle for `cancel`. This event fails when the other cannot be sent: its delay is
        negative or NaN, or the LP does not exist or has no handler for it."""
        return self._send(to, delay, event, flags_of(False, priority, in_order))

    def send_at(
        self, to: Id, time: float, event: Event, priority: int | None = None, in_order: bool | None = None
    ) -> Handle:
        """The same at a time, from now on."""
        return self._send(to, time, event, flags_of(True, priority, in_order))

    def _send(self, to: Id, time: float, event: Event, flags: int) -> Handle:
        number = self._model._number_of_event(to.type, type(event))
        payload, index, time = bytes(event._memory), to.index % 2**64, float(time)
        sent = native.call_send(self._call, number, index, time, payload, flags)
        handle = ctypes.create_string_buffer(Handle.SIZE)
        native.call_handle(self._call, number, index, time, sent, flags, handle)
        return Handle(handle.raw)

    def range(self, first: Any, *numbers: int) -> Range:
        """`cx.range(first, count)`: LPs of this type; `cx.range(Hub, first, count)`: of another one."""
        return Range(first, *numbers) if isinstance(first, type) else Range(self._type, first, *numbers)

    def broadcast(
        self,
        to: type[LP] | Range | Group,
        delay: float,
        event: Event,
        priority: int | None = None,
        in_order: bool | None = None,
    ) -> None:
        """Sends a copy of the event to all LPs of a type, to a range (`cx.range`) or to a group (`cx.shared.name`)."""
        receiver = to.type if isinstance(to, (Range, Group)) else to
        number = self._model._number_of_event(receiver, type(event))
        whom = to._receivers() if isinstance(to, (Range, Group)) else (0, self.count(to), None)
        flags = flags_of(False, priority, in_order)
        native.call_broadcast(self._call, number, *whom, float(delay), bytes(event._memory), flags)

    def cancel(self, handle: Handle) -> bool:
        """Takes back an event that this LP has sent: it will not happen. Returns False when its turn has passed already,
        and for a handle that names nothing. Only its sender can cancel an event: to try it with another LP's fails this
        event."""
        return native.call_cancel(self._call, handle.bytes)

    def record(self, row: Row) -> None:
        """Appends the row to the table of its type when this event has committed."""
        native.call_row(self._call, self._model._number_of_table(type(row)), bytes(row._memory))

    def print(self, *values: Any) -> None:
        """Prints a line when the event has committed: once, at the end of the run, in the order of time. Texts and
        numbers."""
        text = " ".join(str(value) for value in values)
        native.call_row(self._call, len(self._model.rows), self._model.printed.row(text))

    # Of LP types with processes.

    @property
    def _state(self) -> int:
        state = ctypes.c_void_p.from_address(self._call + 32).value
        if not state or not self._type._waits:
            raise TypeError(f"{self._type.__name__} has no process: a process is a method in which there is `yield`")
        return state

    def timeout(self, delay: float, value: float | None = None) -> Wait:
        """To be waited for until `delay`, at least 0, has passed."""
        if not delay >= 0:
            raise ValueError(NEGATIVE_DELAY)
        of = WaitKind(None if value is None else F8 if isinstance(value, float) else I8)
        return Wait(self._state, native.wait_timeout(self._state, float(delay), bits_of(of.of, value)), of)

    def event(self, of: type | None = None) -> Wait:
        """What happens when its `succeed` is called; with a value of the type `of`, int, float or bool, if it is given."""
        if of not in (None, int, float, bool):
            raise TypeError(TYPES_OF_EVENTS)
        return Wait(self._state, native.wait_event(self._state), WaitKind(None if of is None else kind_of(of, "cx.event")))

    def process(self, call: Any) -> Wait:
        """Begins a process of this LP: `cx.process(self.customer(cx, 3))`. To be waited for until it ends."""
        built = self._model._processes_in_python
        found = inspect.isgenerator(call) and built.get((self._type, call.gi_code))
        if not found:
            raise TypeError(f"cx.process({call!r}): expected the call of a process, cx.process(self.customer(cx, ..))")
        arguments = found.arguments(call.gi_frame.f_locals)
        number = number_of(self._type, found.process.name)
        return Wait(self._state, native.process_begin(self._state, number, arguments, len(arguments)), found.process.returns)

    def any_of(self, *waits: Any) -> Wait:
        """Any of these, at most 8: `a | b | c`. Or any of a list, of any length: `cx.any_of(self.workers)`."""
        return self._condition("any_of", waits)

    def all_of(self, *waits: Any) -> Wait:
        """All of these, at most 8: `a & b & c`. Or all of a list, of any length: `cx.all_of(self.workers)`."""
        return self._condition("all_of", waits)

    def _condition(self, name: str, given: tuple[Any, ...]) -> Wait:
        is_list = len(given) == 1 and isinstance(given[0], Iterable)
        waits = list(given[0]) if is_list else list(given)
        if not (is_list or 1 <= len(waits) <= MOST_WAITS) or not all(isinstance(one, Wait) for one in waits):
            raise TypeError(of_waits(name))
        made = native.wait_condition(self._state, name == "all_of", len(waits))
        for i, one in enumerate(waits):
            native.wait_part(self._state, made, i, one._named())
        return Wait(self._state, made)

    def passivate(self) -> Wait:
        """To be waited for until the process's `activate` is called."""
        return Wait(self._state, native.process_passivate(self._state))

    @property
    def active_process(self) -> Wait:
        """The process that runs; false in a handler."""
        return Wait(self._state, native.process_active(self._state))

    def stop(self) -> None:
        """Ends the run when this event has committed; what comes after it has not happened."""
        native.call_stop(self._call)
