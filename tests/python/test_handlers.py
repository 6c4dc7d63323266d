"""What handlers may use of Python, compiled and interpreted."""

import enum
import inspect
import math
import sys
import types
from math import sqrt

import pytest

import anachron as an

mylib = types.ModuleType("mylib")
exec("def f(x):\n    return twice(x) + 1\n\ndef twice(x):\n    return 2 * x\n\nLIMIT = 7", mylib.__dict__)


class Colour(enum.IntEnum):
    RED = 1
    GREEN = 5


class Step(an.Event):
    weight: int = 0


class Slow(an.Event):
    hours: float = 0.5


def factorial(n: int) -> int:
    if n < 2:
        return 1
    return n * factorial(n - 1)


def is_even(n: int) -> bool:
    return True if n == 0 else is_odd(n - 1)


def is_odd(n: int) -> bool:
    return False if n == 0 else is_even(n - 1)


class Base(an.LP):
    n: int = 0
    total: float = 0.0
    values: an.Array[int, 5]

    def note(self, cx, x, factor=2):
        self.n += factor * x
        return self.n


class Node(Base):
    colour: an.i1 = int(Colour.RED)
    seen: an.Array[bool, 5]

    def start(self, cx):
        for i in range(5):
            self.values[i] = cx.index + i
        cx.send(cx.self_id, 1.0, Step(2))
        cx.send(cx.self_id, 1.5, Slow())

    @an.on(Step, Slow)
    def step(self, cx, event):
        if isinstance(event, Step):
            self.n += event.weight
            if event.weight < 40:
                cx.send(cx.self_id, cx.rng.exponential(1.0), Step(event.weight + 1))
            self.colour = int(Colour.GREEN)
        elif isinstance(event, (Slow, int)) and event.hours > 0:
            self.total += event.hours
            self.colour = Colour.RED
        self.note(cx, 1)
        k = 3
        self.n += sum(v * k for v in self.values if v % 2 == 0) + max(v for v in self.values)
        self.seen[0] = any(cx.rng.bernoulli(0.3) for v in self.values)  # draws as many numbers as it needs
        self.seen[1] = all(v < w + 9 for v in self.values for w in self.values)
        self.total += math.sqrt(abs(self.total)) + sqrt(2.0) + math.log(3) + mylib.f(1.5)
        self.n += factorial(5) + mylib.LIMIT
        while self.n > 10**6:
            self.n //= 2
        if self.n < 0:
            raise ValueError(f"n is {self.n}")

    def note(self, cx, x, factor=3):
        return super().note(cx, x + 1, factor) + self.__own(x)

    def __own(self, x):
        return x


@pytest.mark.parametrize("mode", [{"workers": 2}, {"compile": False, "sync": "sequential"}], ids=str)
def test_what_handlers_may_use(mode):
    model = an.Model(Node)
    expected = model.run(lps=6, until=30, sync="sequential")
    report = model.run(lps=6, until=30, **mode)
    assert report.digest == expected.digest
    assert report.states(Node).tobytes() == expected.states(Node).tobytes()
    assert expected.states(Node)["n"].min() > 1000 and expected.states(Node)["seen"].any()


def raises(function, compile):
    class Raising(an.LP):
        x: float = 0.0
        n: int = 0
        values: an.Array[float, 4]
        start = function

    with pytest.raises(an.SimulationError) as caught:
        an.Model(Raising, compile=compile, cache=False).run(lps=3, sync="sequential")
    return caught.value.cause


def makes_a_text(self, cx):
    self.x = 2.5
    raise ValueError(f"LP {cx.index} of {{3}} has x = {self.x:.2f}, {self.n + 1}")


def takes_a_logarithm(self, cx):
    self.x = math.log(self.x)


def takes_a_root(self, cx):
    self.x = sqrt(self.x - 1)


def grows(self, cx):
    self.x = math.exp(800.0 + self.x)


def divides(self, cx):
    self.n = 1 // self.n


def is_out_of_bounds(self, cx):
    self.n = 7
    self.x = self.values[self.n - 2]


def is_below_all(self, cx):
    self.values[self.n - 6] = 1.0


@pytest.mark.parametrize("compile", [True, False], ids=["compiled", "interpreted"])
@pytest.mark.parametrize(
    ("function", "text"),
    [
        (makes_a_text, "threw ValueError: LP 0 of {3} has x = 2.50, 1 ("),
        (takes_a_logarithm, "threw ValueError: math domain error ("),
        (takes_a_root, "threw ValueError: math domain error ("),
        (grows, "threw OverflowError: math range error ("),
        (is_out_of_bounds, "threw IndexError: index 5 is out of bounds for axis 0 with size 4 ("),
        (is_below_all, "threw IndexError: index -6 is out of bounds for axis 0 with size 4 ("),
        (divides, "threw ZeroDivisionError: "),
    ],
)
def test_the_same_is_raised(function, text, compile):
    cause = raises(function, compile)
    assert cause.startswith(text) and __file__ in cause
    if "math" not in text:  # of which the line is that of the handler
        assert f"{__file__}:{function.__code__.co_firstlineno + len(inspect.getsourcelines(function)[0]) - 1})" in cause


def test_a_constant_of_a_module_that_is_bound_anew_is_noticed(monkeypatch):
    model = an.Model(Node)
    model.run(lps=2, until=3)
    monkeypatch.setattr(mylib, "LIMIT", 8)
    with pytest.raises(an.InputError, match="LIMIT, which Node.step uses, was 7 when the model was made and is 8 now"):
        model.run(lps=2, until=3)


turns = 3  # as a loop over runs would have it: no handler reads it


class Turning(an.Params):
    turns: int = 1


class Turner(an.LP):
    n: int = 0

    def start(self, cx):
        cx.send(cx.self_id, 1.0, Step())

    @an.on(Step)
    def step(self, cx, step):
        self.n += cx.params.turns


@pytest.mark.parametrize("compile", [True, False], ids=["compiled", "interpreted"])
def test_a_global_that_is_called_like_a_parameter_is_another_thing(monkeypatch, compile):
    model = an.Model(Turner, params=Turning, compile=compile)
    for value in (4, 5):
        monkeypatch.setattr(sys.modules[__name__], "turns", value)
        assert model.run(lps=1, until=2, turns=value).states(Turner)["n"].sum() == value


@pytest.mark.parametrize("is_exact", [False, True])
def test_sums_are_those_of_this_python_and_of_later_ones(is_exact, monkeypatch):
    from anachron import _sums

    monkeypatch.setattr(_sums, "IS_EXACT", is_exact)

    class Adding(an.LP):
        values: an.Array[float, 3]
        a: float
        b: float
        n: int

        def start(self, cx):
            self.values[0], self.values[1], self.values[2] = 1.0, 1e100, -1e100
            self.a = sum(self.values)
            self.b = sum(2 * v for v in self.values)
            self.n = sum(k for k in range(4))

    (state,) = an.Model(Adding, cache=False).run(lps=1, sync="sequential").states(Adding)
    assert (state["a"], state["b"], state["n"]) == ((1.0, 2.0, 6) if is_exact else (0.0, 0.0, 6))
    if is_exact == (sys.version_info >= (3, 12)):
        (other,) = an.Model(Adding, compile=False).run(lps=1, sync="sequential").states(Adding)
        assert other.tobytes() == state.tobytes()


def keeps_a_generator(self, cx, event):
    numbers = (x for x in self.values)
    self.n = 1


def makes_a_string(self, cx, event):
    text = f"{self.n:3d}"
    self.n = len(text)


def calls_one_that_calls_back(self, cx, event):
    self.n = int(is_even(7))


@pytest.mark.parametrize(
    ("handler", "reason"),
    [(calls_one_that_calls_back, "call each other"), (keeps_a_generator, "write a loop"), (makes_a_string, "whole numbers, without formats")],
)
def test_what_cannot_be_had_is_a_sentence(handler, reason):
    class Other(an.LP):
        n: int = 0
        values: an.Array[float, 4]
        handle = an.on(Step)(handler)

    with pytest.raises(an.CompileError, match=rf"{__file__}:\d+: .* cannot be compiled: .*{reason}") as caught:
        an.Model(Other)
    assert caught.value.args


class Cart(an.LP):
    """Its fields have the names of what an LP type may declare."""

    count: int = 3
    load: float = 1.5
    position: float = 2.5
    lookahead: float = 4.5
    may_stop: bool = False
    finish: float = 0.0

    def start(self, cx):
        self.finish = self.count + self.load + self.position + self.lookahead


def test_fields_may_have_the_names_of_what_an_lp_type_declares():
    for compile in (True, False):
        report = an.Model(Cart, compile=compile).run(lps=2, sync="optimistic", workers=1, pes=2)
        assert report.states(Cart)["finish"].tolist() == [11.5, 11.5]
