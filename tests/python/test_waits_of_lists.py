"""Waiting for any or for all of a list, whose length is known when the process runs."""

from collections import deque

import pytest

import anachron as an

BOTH = pytest.mark.parametrize("compile", [True, False], ids=["compiled", "interpreted"])


class Ship(an.Event):
    hops: int = 0


class Done(an.Row):
    what: int
    value: float


class Yard(an.LP):
    cranes: an.Resource = an.Resource(2)
    gates: list[an.Wait[int]]
    trucks: deque[an.Wait]
    by_berth: dict[int, an.Wait]
    unloaded: int = 0
    passed: int = 0

    def start(self, cx):
        cx.process(self.gate(cx))
        cx.process(self.ship(cx, 0))

    @an.on(Ship)
    def arrives(self, cx, event):
        cx.process(self.ship(cx, event.hops))

    def unload(self, cx, n: int) -> int:
        with self.cranes.request() as crane:
            yield crane
            yield cx.timeout(cx.rng.exponential(0.2))
        return n

    def ship(self, cx, hops: int):
        count = cx.rng.below(6)
        yield cx.all_of(cx.process(self.unload(cx, i)) for i in range(count))
        self.unloaded += count
        many = [cx.timeout(cx.rng.exponential(1.0)) for _ in range(count + 1)]
        many.append(cx.timeout(0.5))
        yield cx.any_of(many)
        cx.record(Done(1, cx.now))
        cx.send(cx.id(cx.rng.below(cx.lp_count)), cx.rng.exponential(1.0), Ship(hops + 1))

    def gate(self, cx):
        """The fields of this one have what it waits for."""
        for turn in range(40):
            self.gates.clear()
            self.trucks.clear()
            self.by_berth.clear()
            for i in range(turn % 5):
                self.gates.append(cx.process(self.unload(cx, i)))
                self.trucks.append(cx.timeout(cx.rng.exponential(1.0)))
                self.by_berth[i] = cx.timeout(cx.rng.exponential(0.5))
            got = yield cx.any_of(self.gates)
            for one in self.gates:
                if one in got:
                    self.passed += 1 + one.value
            yield cx.all_of(self.gates) & cx.any_of(self.trucks)
            yield cx.any_of(self.by_berth.values()) | cx.all_of(self.trucks)
            cx.record(Done(2, cx.now))
            yield cx.timeout(0.25)


@pytest.fixture(scope="module")
def yard():
    return an.Model(Yard, rows=[Done], until=30)


@pytest.fixture(scope="module")
def expected(yard):
    report = yard.run(lps=8, sync="sequential")
    states = report.states(Yard)
    assert states["unloaded"].sum() > 100 and states["passed"].sum() > 50
    return report


@pytest.mark.parametrize(
    "options",
    [
        {"sync": "sequential", "compile": False},
        {"sync": "optimistic", "workers": 2, "pes": 4, "mapping": "fixed", "throttle": "none"},
        {"sync": "optimistic", "workers": 2, "pes": 3, "rollback": "copy", "mapping": "fixed", "throttle": "none"},
        {"sync": "optimistic", "pes": 4, "check_rollback": True},
        {"sync": "optimistic", "pes": 2, "check_rollback": True, "compile": False},
    ],
    ids=str,
)
def test_lists_are_waited_for_in_all_modes(yard, expected, options):
    report = yard.run(lps=8, **options)
    assert report.digest == expected.digest
    if "compile" not in options:  # whose frames lie otherwise
        assert report.data["state_digest"] == expected.data["state_digest"]
    for name in ("unloaded", "passed"):
        assert report.states(Yard)[name].tolist() == expected.states(Yard)[name].tolist()


class Plain(an.LP):
    order: list[float]

    def start(self, cx):
        cx.process(self.run(cx))

    def wait(self, cx, time: float):
        yield cx.timeout(time)

    def run(self, cx):
        yield cx.all_of([cx.process(self.wait(cx, float(k))) for k in range(12)])
        self.order.append(cx.now)
        times = [3.0, 1.0, 2.0]
        waits = [cx.timeout(time) for time in times]
        got = yield cx.any_of(waits)
        self.order.append(cx.now)
        yield cx.all_of([cx.timeout(1.0) for _ in range(0)])
        yield cx.any_of(cx.timeout(1.0) for _ in range(0))
        self.order.append(cx.now)
        one = [cx.timeout(4.0)]
        yield cx.all_of(one)
        self.order.append(cx.now)
        a, b = cx.timeout(1.0), cx.timeout(2.0)
        got = yield cx.any_of((a, b, a))
        self.order.append(1.0 if a in got and b not in got else 0.0)
        yield cx.all_of([a, b, a])
        self.order.append(cx.now)


@BOTH
def test_a_list_may_have_any_length(compile):
    report = an.Model(Plain, compile=compile).run(lps=1)
    assert report.states(Plain)["order"][0] == [11.0, 12.0, 12.0, 16.0, 1.0, 18.0]


class Failing(an.LP):
    waits: list[an.Wait]
    cause: float = 0.0

    def start(self, cx):
        for _ in range(4):
            self.waits.append(cx.event())
        cx.process(self.run(cx))
        cx.process(self.fail(cx))

    def fail(self, cx):
        yield cx.timeout(1.0)
        self.waits[0].succeed()
        self.waits[2].fail(2.5)

    def run(self, cx):
        try:
            yield cx.all_of(self.waits)
        except an.Failed as failed:
            self.cause = failed.cause


@BOTH
def test_one_of_a_list_that_fails_fails_the_wait(compile):
    assert an.Model(Failing, compile=compile).run(lps=1).states(Failing)["cause"].tolist() == [2.5]


class Kept(an.LP):
    def start(self, cx):
        cx.process(self.run(cx))

    def run(self, cx):
        workers = [cx.timeout(1.0)]
        yield cx.all_of(workers)
        workers.append(cx.timeout(2.0))
        yield cx.any_of(workers)


@BOTH
def test_a_list_that_lives_while_the_process_waits_is_a_field(compile):
    with pytest.raises(an.AnachronError, match=r"'workers' is .* a list that lives so long is a field of the state, `workers: list\[an.Wait\]`"):
        an.Model(Kept, compile=compile).run(lps=1)
