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


def make_model():
    return an.Model(Bank, params=Params, rows=[Done], name="bank", until=40)


@pytest.fixture(scope="module")
def bank():
    return make_model()


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


class Ask(an.Event):
    priority: int = 0


class Got(an.Row):
    priority: int


class Desk(an.LP):
    """All ask for it at the same time, in the order of ties."""

    place: an.PriorityResource = an.PriorityResource(1)

    def start(self, cx):
        for i in range(6):
            cx.send(cx.self_id, 1.0, Ask(i))

    @an.on(Ask)
    def ask(self, cx, *, priority):
        cx.process(self.hold(cx, priority))

    def hold(self, cx, priority: int):
        with self.place.request(priority) as request:
            yield request
            cx.record(Got(priority))
            yield cx.timeout(1.0)


@pytest.mark.parametrize("compile", [True, False])
def test_of_requests_at_one_instant_the_priority_decides_and_not_the_tie(compile):
    model = an.Model(Desk, rows=[Got], compile=compile)
    for tie_seed in range(1, 5):
        table = model.run(lps=1, tie_seed=tie_seed).tables.columns("Got")
        assert table["priority"].tolist() == [0, 1, 2, 3, 4, 5]
        assert table["time"].tolist() == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize(
    "body, reason",
    [
        ("x = 1 + (yield cx.timeout(1.0))", "a process waits in a statement of its own"),
        ("if (yield cx.timeout(1.0)): pass", "a process waits in a statement of its own"),
        ("while (yield cx.timeout(1.0)): pass", "a process waits in a statement of its own"),
        ("for k in self.d:\n            yield cx.timeout(1.0)", "goes over a list, a deque or an array"),
        ("return 3.0\n        yield cx.timeout(1.0)", "say what, `-> float`"),
        ("yield cx.process(self.whole(cx, 2.5))", "n is i8, and gets float64"),
        ("self.r.queue\n        yield cx.timeout(1.0)", "has no 'queue' \\(it has: capacity, waiting, count, request, release"),
        ("yield from self.other(cx)", "write `yield cx.process"),
        ("yield 3", "a process waits for something"),
        ("values = [1.0]\n        yield cx.timeout(1.0)\n        values.append(2.0)", "lives while"),
        ("name = f'a {cx.index}'\n        yield cx.timeout(1.0)\n        cx.print(name)", "an argument with a limit, `name: an.Text"),
        ("try:\n            yield cx.timeout(1.0)\n        except ValueError:\n            pass", "an.Interrupt or an.Failed"),
        ("for x in zip((1, 2), (3, 4)):\n            yield cx.timeout(1.0)", "goes over a range"),
        ("x = 1\n        yield cx.timeout(1.0)\n        x = cx.self_id", "a variable has one type|Cannot unify"),
    ],
)
def test_what_a_process_cannot_do_is_said(tmp_path, body, reason):
    import importlib.util

    source = f"""import anachron as an
class Lp(an.LP):
    x: int = 0
    d: dict[int, float]
    r: an.Resource = an.Resource(1)
    def start(self, cx):
        cx.process(self.run(cx))
    def whole(self, cx, n: int):
        yield cx.timeout(n)
    def run(self, cx):
        {body}
"""
    path = tmp_path / "model_of_process.py"
    path.write_text(source)
    spec = importlib.util.spec_from_file_location("model_of_process", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with pytest.raises(an.CompileError, match=reason):
        an.Model(module.Lp)


def test_an_argument_says_what_it_is():
    class Lp(an.LP):
        def start(self, cx):
            cx.process(self.run(cx, 3))

        def run(self, cx, n):
            yield cx.timeout(n)

    with pytest.raises(TypeError, match="say what 'n' is: `n: int`"):
        an.Model(Lp)


def test_waiting_is_for_types_with_processes():
    class Lp(an.LP):
        x: int = 0

        def start(self, cx):
            cx.timeout(1.0)

    with pytest.raises(an.CompileError, match="Lp has no process"):
        an.Model(Lp)
    with pytest.raises(an.SimulationError, match="Lp has no process"):
        an.Model(Lp, compile=False).run(lps=1)


class Part(an.Struct):
    size: int = 0
    weight: float = 0.0


class Taken(an.Row):
    who: int
    size: int


class Warehouse(an.LP):
    parts: an.Store[Part] = an.Store()
    least: int = 3

    def start(self, cx):
        cx.process(self.supply(cx))
        for i in range(4):
            cx.process(self.take(cx, i))

    def supply(self, cx):
        for _ in range(60):
            yield cx.timeout(cx.rng.exponential(1.0))
            yield self.parts.put(Part(cx.rng.below(8), cx.now))
            self.least = cx.rng.below(4)

    def take(self, cx, who: int):
        while True:
            size = cx.rng.below(6)
            with self.parts.get(lambda part: part.size >= size and part.size >= self.least) as get:
                got = yield get | cx.timeout(5.0)
                if get in got:
                    cx.record(Taken(who, get.value.size))
            odd = yield self.parts.get(lambda part: part.size % 2 == 1)
            cx.record(Taken(who + 10, odd.size))


def test_a_filter_decides_which_item_a_get_takes():
    model = an.Model(Warehouse, rows=[Taken], until=60)
    expected = model.run(lps=3, sync="sequential")
    table = expected.tables.columns("Taken")
    assert (table["size"][table["who"] >= 10] % 2 == 1).all() and (table["who"] < 10).sum() > 20
    for options in ({"compile": False, "sync": "sequential"}, {"sync": "optimistic", "pes": 3, "check_rollback": True}):
        report = model.run(lps=3, **options)
        assert report.digest == expected.digest
        assert (report.tables.columns("Taken")["size"] == table["size"]).all()


class Usual(an.LP):
    """Patterns that users of SimPy write."""

    resource: an.Resource = an.Resource(1)
    urgent: an.PriorityResource = an.PriorityResource(1)
    store: an.Store[float] = an.Store()
    order: list[float]
    x: float = 0.0

    def start(self, cx):
        worker = cx.process(self.work(cx))
        cx.process(self.disturb(cx, worker))
        for i in range(4):
            cx.process(self.ask(cx, 1.0 - 0.25 * i))
            cx.process(self.job(cx))
        cx.process(self.shift(cx))

    def work(self, cx):
        while cx.now < 50:
            try:
                with self.resource.request() as request:
                    yield request
                    begin = cx.now
                    yield cx.timeout(20.0)
            except an.Interrupt:
                self.x += cx.now - begin
            done = yield cx.all_of([cx.timeout(1.0), self.store.put(2.5)])
            get = self.store.get()
            got = yield cx.any_of([get, cx.timeout(3.0)])
            if get in got and done:
                self.x += got[get] + len(self.store)

    def disturb(self, cx, worker: an.Wait):
        yield cx.timeout(7.0)
        worker.interrupt()

    def ask(self, cx, priority: float):
        with self.urgent.request(priority) as request:
            yield request
            self.order.append(priority)
            yield cx.timeout(1.0)

    def job(self, cx):
        with self.resource.request() as request:
            yield request
            yield cx.timeout(10.0)
            self.order.append(cx.now)

    def shift(self, cx):
        yield cx.timeout(12.0)
        self.resource.capacity = 4


def test_patterns_of_simpy_work_compiled_and_interpreted():
    model = an.Model(Usual, until=100)
    runs = [model.run(lps=1, sync="sequential", compile=compile).states(Usual)[0] for compile in (True, False)]
    assert runs[0]["order"] == runs[1]["order"] and runs[0]["x"] == runs[1]["x"] > 7
    assert runs[0]["order"][:4] == [0.25, 0.5, 0.75, 1.0]


def test_what_an_argument_cannot_be_is_said():
    with pytest.raises(TypeError, match="a number can say which resource"):

        class OfResource(an.LP):
            def start(self, cx):
                pass

            def run(self, cx, resource: an.Resource):
                yield cx.timeout(1.0)

        an.Model(OfResource)
    with pytest.raises(TypeError, match="expected a whole number"):

        class OfDefault(an.LP):
            def start(self, cx):
                pass

            def run(self, cx, n: int = 2.5):
                yield cx.timeout(n)

        an.Model(OfDefault)


class Raising(an.LP):
    parts: an.Store[int] = an.Store()

    def start(self, cx):
        self.parts.put(4)
        cx.process(self.take(cx, 0))

    def take(self, cx, n: int):
        yield self.parts.get(lambda part: part // n > 1)


@pytest.mark.parametrize("compile", [True, False])
def test_a_filter_that_raises_ends_the_run(compile):
    with pytest.raises(an.SimulationError, match="a filter of Raising|ZeroDivisionError"):
        an.Model(Raising, compile=compile).run(lps=1)
