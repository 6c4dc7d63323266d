"""A handler in an endless loop: Ctrl-C ends the call."""

import ctypes
import signal
import threading

import pytest

import anachron as an
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


@pytest.mark.parametrize("mode", [{"sync": "sequential"}, {"workers": 2, "mapping": "fixed"}], ids=str)
@pytest.mark.parametrize("compile", [True, False], ids=["compiled", "interpreted"])
def test_ctrl_c_ends_an_endless_handler(compile, mode, monkeypatch):
    model = an.Model(Endless, compile=compile)
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
        with pytest.raises(KeyboardInterrupt, match=r"Endless.go, .*test_endless.py:\d+ did not return"):
            try:
                thread.start()
                model.run(lps=2, until=10, **mode)
            finally:
                begun.set()
                ended.set()
        thread.join()
    finally:
        signal.signal(signal.SIGINT, before)
