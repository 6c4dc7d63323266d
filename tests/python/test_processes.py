"""Processes: the same in every mode, compiled and interpreted; order at one instant; errors."""

import pytest

import anachron as an


class Params(an.Params):
    clerks: int = 2
    patience: float = 1.5
    service: float = 1.0


class Visit(an.Event):
    urgency: int = 0
    hops: int = 0


class Done(an.Row):
    urgency: int
    waited: float


class Bank(an.LP):
    """Customers come from other banks, wait for a clerk, take money from the safe, and go on to another bank."""

    clerks: an.PreemptiveResource = an.PreemptiveResource(1)
    desk: an.PriorityResource = an.PriorityResource(1)
    safe: an.Container = an.Container(100.0, level=40.0)
    forms: an.Store[int] = an.Store(4)
    closing: an.Wait
    guard: an.Wait
    served: int = 0
    reneged: int = 0
    preempted: int = 0
    waits: an.Tally
    late: list[float]

    def start(self, cx):
        self.clerks.capacity = cx.params.clerks
        self.closing = cx.event()
        self.guard = cx.process(self.watch(cx))
        cx.process(self.refill(cx, 3.0))
        for i in range(3):
            cx.process(self.customer(cx, i, 0))

    def watch(self, cx):
        rounds = 0
        while True:
            try:
                yield cx.passivate() | cx.timeout(5.0)
                rounds += 1
            except an.Interrupt as interrupt:
                self.late.append(interrupt.cause)
            if rounds > 3:
                break
        old = self.closing
        self.closing = cx.event()
        old.succeed()

    def refill(self, cx, pause: float = 2.0):
        while True:
            yield cx.timeout(pause)
            with self.safe.put(10.0) as put:
                yield put | self.closing
            yield self.forms.put(int(cx.now))

    def counting(self, cx, n: int) -> float:
        yield cx.timeout(0.1 * n)
        return n * 0.5

    def customer(self, cx, urgency: int, hops: int):
        arrived = cx.now
        with self.clerks.request(priority=urgency) as request:
            got = yield request | cx.timeout(cx.rng.exponential(cx.params.patience))
            if request not in got:
                self.reneged += 1
                if self.guard.is_alive:
                    self.guard.interrupt(cx.now - arrived)
            else:
                try:
                    counted = yield cx.process(self.counting(cx, 1 + urgency))
                    yield cx.timeout(cx.rng.exponential(cx.params.service) + counted)
                    with self.safe.get(5.0) as money:
                        yield money | cx.timeout(0.5)
                    with self.forms.get() as form:
                        got = yield form | cx.timeout(0.25)
                        self.served += form.value % 2 + 1 if form in got else 1
                except an.Interrupt as interrupt:
                    if interrupt.preempted:
                        self.preempted += 1
        self.waits.add(cx, cx.now - arrived)
        cx.record(Done(urgency, cx.now - arrived))
        with self.desk.request(priority=urgency) as place:
            yield place
            yield cx.timeout(0.05)
        to = cx.id(cx.rng.below(cx.lp_count))
        cx.send(to, 0.2 + cx.rng.exponential(1.0), Visit(cx.rng.below(3), hops + 1))

    @an.on(Visit)
    def visit(self, cx, event):
        cx.process(self.customer(cx, event.urgency, event.hops))

    @staticmethod
    def finish(states, params):
        sums = {name: int(states[name].sum()) for name in ("served", "reneged", "preempted")}
        return {**sums, "waits": an.Tally.merged(states["waits"]), "late": float(sum(sum(x) for x in states["late"]))}


@pytest.fixture(scope="module")
def bank():
    return an.Model(Bank, params=Params, rows=[Done], name="bank", until=40)


@pytest.fixture(scope="module")
def expected(bank):
    report = bank.run(lps=12, sync="sequential")
    assert report["served"] > 100 and report["reneged"] > 50 and report["preempted"] > 20 and report["late"] > 0
    return report


MODES = [
    {"sync": "sequential", "compile": False},
    {"sync": "optimistic", "workers": 2, "pes": 4, "mapping": "fixed", "throttle": "none"},
    {"sync": "optimistic", "workers": 2, "pes": 3, "rollback": "copy", "mapping": "fixed", "throttle": "none"},
    {"sync": "optimistic", "pes": 4, "check_rollback": True},
    {"sync": "optimistic", "pes": 3, "check_rollback": True, "compile": False},
    {"sync": "optimistic", "workers": 2, "pes": 4, "compile": False, "until": 10, "mapping": "fixed", "throttle": "none"},
]


@pytest.mark.parametrize("options", MODES, ids=str)
def test_all_modes_find_the_same(bank, expected, options):
    if "until" in options:
        expected = bank.run(lps=12, sync="sequential", until=options["until"])
    report = bank.run(lps=12, **options)
    assert report.digest == expected.digest
    assert report.results == expected.results
    if "check_rollback" not in options and options["sync"] == "optimistic":
        assert report.data["rolled_back"] > 0
    for column in ("time", "urgency", "waited"):
        assert (report.tables.columns("Done")[column] == expected.tables.columns("Done")[column]).all()
