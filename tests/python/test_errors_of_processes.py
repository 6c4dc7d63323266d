"""Errors of processes: which process, in which line, and what it waited for."""

import re
from pathlib import Path

import pytest

import anachron as an


class Params(an.Params):
    which: int = 0


class Faults(an.LP):
    counter: an.Resource = an.Resource(1)
    tank: an.Container = an.Container(10)
    news: an.Wait
    count: an.Wait[float]
    seen: float = 0.0

    def start(self, cx):
        self.news, self.count = cx.event(), cx.event(float)
        which = cx.params.which
        victim = cx.process(self.wait(cx))
        if which == 1:
            cx.process(self.disturb(cx, victim))
        elif which == 2:
            cx.process(self.spoil(cx))
        elif which == 3:
            cx.process(self.hurry(cx))
        elif which == 4:
            self.news.succeed()
            self.news.fail(4.0)
        elif which == 5:
            cx.process(self.late(cx, victim))
        elif which == 6:
            cx.process(self.divide(cx, 0))
        elif which == 7:
            self.news.fail(7.0)
        elif which == 8:
            self.seen = self.count.value
        elif which == 9:
            victim.activate()
        elif which == 10:
            self.tank.put(-2.0)
        elif which == 11:
            cx.process(self.look(cx))

    def wait(self, cx):
        with self.counter.request() as request:
            yield request
            yield self.news

    def disturb(self, cx, victim: an.Wait):
        yield cx.timeout(1.0)
        victim.interrupt()

    def spoil(self, cx):
        yield cx.timeout(1.0)
        self.news.fail(7.0)

    def hurry(self, cx):
        yield cx.timeout(-1.0)

    def late(self, cx, victim: an.Wait):
        self.news.succeed()
        yield victim
        yield cx.timeout(1.0)
        victim.interrupt()  # late

    def look(self, cx):
        self.count.succeed(3.0)
        yield self.count
        yield cx.timeout(1.0)
        yield cx.timeout(1.0)
        self.seen = self.count.value + 1.0

    def divide(self, cx, n: int):
        yield cx.timeout(1.0)
        yield cx.timeout(1.0 / n)


@pytest.fixture(scope="module")
def faults():
    return an.Model(Faults, params=Params)


def line_of(text):
    lines = Path(__file__).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.strip() == text)


@pytest.mark.parametrize("compile", [True, False])
@pytest.mark.parametrize(
    "which, error",
    [
        (1, "process Faults.wait waited for `self.news` in line {yield self.news}, and was interrupted"),
        (2, "process Faults.wait waited for `self.news` in line {yield self.news}, and that has failed"),
        (3, "cx.timeout(delay): the delay is below 0, or no number (FILE:{yield cx.timeout(-1.0)})"),
        (4, "an event is triggered that was triggered before (FILE:{self.news.fail(4.0)})"),
        (5, "a process is interrupted that has ended (FILE:{victim.interrupt()  # late})"),
        (6, "ZeroDivisionError"),
        (7, "an event has failed for which nothing waits"),
        (8, "the value of an event is asked for that was not triggered yet (FILE:{self.seen = self.count.value})"),
        (9, "a process is activated that is not passive (FILE:{victim.activate()})"),
        (10, "a container gets and gives amounts above 0 (FILE:{self.tank.put(-2.0)})"),
        (11, "that was processed before the process waited again (FILE:{self.seen = self.count.value + 1.0})"),
    ],
)
def test_errors_say_which_process_and_what_it_waited_for(faults, which, error, compile):
    error = re.sub(r"\{(.*)\}", lambda found: str(line_of(found[1])), error).replace("FILE", __file__)
    with pytest.raises(an.SimulationError, match=re.escape(error)) as raised:
        faults.run(lps=1, which=which, compile=compile)
    assert raised.value.lp == "Faults 0"


def test_what_names_nothing_cannot_be_waited_for():
    class Nothing(an.LP):
        w: an.Wait

        def start(self, cx):
            cx.process(self.run(cx))

        def run(self, cx):
            yield self.w

    for compile in (True, False):
        with pytest.raises(an.SimulationError, match=f"nothing was assigned.*:{line_of('yield self.w')}\\)"):
            an.Model(Nothing, compile=compile).run(lps=1)
