"""A handler in an endless loop: Ctrl-C ends the call."""

import ctypes
import dis
import math
import signal
import threading

import pytest

import anachron as an
from anachron import _rewrite
from anachron._native import native


class Go(an.Event):
    pass


def spin(n):
    while n >= 0:
        n = (n + 1) % 1000
    return n


class Endless(an.LP):
    n: int = 0

    def start(self, cx):
        cx.send(cx.self_id, 1.0, Go())

    @an.on(Go)
    def go(self, cx, _go):
        if cx.index == 1:
            self.n = spin(self.n)
        cx.send(cx.self_id, 1.0, Go())


class EndlessInTurns(an.LP):
    turns: int = 10**18
    n: int = 1

    def start(self, cx):
        cx.send(cx.self_id, 1.0, Go())

    @an.on(Go)
    def go(self, cx, _go):
        if cx.index == 1:
            for turn in range(self.turns):
                self.n = (self.n * 5 + turn) % 1001
        cx.send(cx.self_id, 1.0, Go())


class Loops(an.LP):
    """Simple loops: those that are known to be short, to be chosen at run time, and to be left early."""

    few: int = 1000
    many: int = 1_000_003
    cells: an.Array[int, 8]

    def start(self, cx):
        cx.send(cx.self_id, 1.0, Go())

    @an.on(Go)
    def go(self, cx, _go):
        for i in range(len(self.cells)):
            self.cells[i] += i
        for turns in (self.few, self.many):
            for i in range(3, turns, 2):
                self.cells[0] += i % 7
                if i == 1_000_001:
                    break
            else:
                self.cells[1] += i
        for k, cell in enumerate(self.cells):
            self.cells[2] += k * cell % 5
        cx.send(cx.self_id, 1.0 + (self.cells[0] + self.cells[1] + self.cells[2]) % 1009 / 1009, Go())


def looks_in(handler):
    """How many loops of it look, as the compiler gets it."""
    scope = dict(handler.__globals__)
    tree = _rewrite.rewritten(handler, {}, scope, lambda: False, {})
    return sum(each.argval == "_anachron_look" for each in dis.get_instructions(tree))


def sums(box, n):
    for k, x in enumerate(box.xs):
        n += k * abs(x)
    for i in range(1000):
        n += math.isqrt(i)
    return n


def calls(xs, n):
    for x in xs:
        n += spin(x)
    return n


def named(n):
    turns = range(n)
    for turn in turns:
        n = (n * 5 + turn) % 1001
    return n


def nested(n):
    total = 0
    for i in range(10):
        for j in range(n):
            total += i * j
    return total


def test_loops_that_are_over_soon_do_not_look():
    assert looks_in(sums) == 0
    assert looks_in(calls) == 1
    assert looks_in(named) == 1
    assert looks_in(nested) == 2  # the outer one, and the inner one if it has many turns
    assert looks_in(spin) == 1


def test_loops_give_the_same_compiled_and_interpreted():
    compiled, interpreted = (an.Model(Loops, compile=compile).run(lps=1, until=3) for compile in (True, False))
    assert compiled.digest == interpreted.digest


@pytest.mark.parametrize("mode", [{"sync": "sequential"}, {"workers": 2, "mapping": "fixed"}], ids=str)
@pytest.mark.parametrize("compile", [True, False], ids=["compiled", "interpreted"])
@pytest.mark.parametrize("lp", [Endless, EndlessInTurns])
def test_ctrl_c_ends_an_endless_handler(lp, compile, mode, monkeypatch):
    model = an.Model(lp, compile=compile)
    begun, ended = threading.Event(), threading.Event()
    begin = native.interrupts_begin

    def begin_and_say_so():
        begin()
        begun.set()

    monkeypatch.setattr(native, "interrupts_begin", begin_and_say_so)

    def press():
        begun.wait()
        asked = ctypes.c_int.from_address(native.end_asked())
        for times in (1, 2):
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
            while asked.value < times and not ended.wait(0.001):
                pass  # two that come at once would be one

    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    thread = threading.Thread(target=press)
    try:
        with pytest.raises(KeyboardInterrupt, match=rf"{lp.__name__}.go, .*test_endless.py:\d+ did not return"):
            try:
                thread.start()
                model.run(lps=2, until=10, **mode)
            finally:
                begun.set()
                ended.set()
        thread.join()
    finally:
        signal.signal(signal.SIGINT, before)
