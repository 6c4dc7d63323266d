"""What processes do has the order of SimPy 4, also where everything happens at the same times: random programs of whole
times, run by both, leave the same trace."""

import pytest

import anachron as an

simpy = pytest.importorskip("simpy")

PROCESSES, STEPS = 12, 60
OPERATIONS = 15


class Params(an.Params):
    program: int = 1


class Trace(an.Row):
    who: int
    what: int
    value: float


def mixed(seed, who, step):
    """A pseudo-random number: both sides draw the same."""
    x = (seed * 1_000_003 + who * 7919 + step * 104_729 + 12345) & 0x7FFFFFFF
    for _ in range(3):
        x = (x * 1_103_515_245 + 12_345) & 0x7FFFFFFF
        x = x ^ (x >> 13)
    return x


class Shop(an.LP):
    single: an.Resource = an.Resource(1)
    double: an.Resource = an.Resource(2)
    tank: an.Container = an.Container(20.0, level=10.0)
    store: an.Store[int] = an.Store(3)
    ordered: an.PriorityStore[int]
    news: an.Wait[float]
    workers: list[an.Wait]

    def start(self, cx):
        self.news = cx.event(float)
        for i in range(PROCESSES):
            self.workers.append(cx.process(self.work(cx, i)))
        cx.process(self.announce(cx))

    def announce(self, cx):
        for k in range(40):
            yield cx.timeout(3.0)
            old = self.news
            self.news = cx.event(float)
            old.succeed(k + 0.5)
            victim = mixed(cx.params.program, 99, k) % PROCESSES
            if self.workers[victim].is_alive:
                self.workers[victim].interrupt(float(k))

    def helper(self, cx, n: int) -> int:
        yield cx.timeout(float(n % 3))
        return n * 2

    def work(self, cx, who: int):
        for step in range(STEPS):
            n = mixed(cx.params.program, who, step)
            operation, delay = n % OPERATIONS, float(n // OPERATIONS % 4)
            cx.record(Trace(who, 100 + operation, 0.0))
            try:
                if operation <= 1:
                    yield cx.timeout(delay)
                elif operation == 2:
                    with self.single.request() as request:
                        got = yield request | cx.timeout(delay)
                        if request in got:
                            cx.record(Trace(who, 1, 0.0))
                            yield cx.timeout(1.0)
                        else:
                            cx.record(Trace(who, 2, 0.0))
                elif operation == 3:
                    with self.double.request() as request:
                        yield request
                        cx.record(Trace(who, 3, float(self.double.count)))
                        yield cx.timeout(delay)
                elif operation == 4:
                    with self.tank.get(4.0) as get:
                        both = yield get | cx.timeout(2.0)
                        cx.record(Trace(who, 4, 1.0 if get in both else 0.0))
                elif operation == 5:
                    with self.tank.put(3.0) as put:
                        yield put | cx.timeout(2.0)
                        cx.record(Trace(who, 5, self.tank.level))
                elif operation == 6:
                    with self.store.put(n % 100) as put:
                        both = yield put | cx.timeout(1.0)
                        cx.record(Trace(who, 6, 1.0 if put in both else 0.0))
                elif operation == 7:
                    with self.store.get() as item_got:
                        either = yield item_got | cx.timeout(delay)
                        if item_got in either:
                            cx.record(Trace(who, 7, float(item_got.value)))
                elif operation == 8:
                    either = yield self.news | cx.timeout(delay)
                    cx.record(Trace(who, 8, 1.0 if self.news in either else 0.0))
                elif operation == 9:
                    a = cx.process(self.helper(cx, who))
                    b = cx.timeout(1.0)
                    yield a & b
                    cx.record(Trace(who, 9, float(a.value)))
                elif operation == 11:
                    yield cx.all_of(cx.process(self.helper(cx, who + k)) for k in range(3))
                    cx.record(Trace(who, 14, 0.0))
                elif operation == 12:
                    news = self.news
                    got = yield cx.any_of([news, cx.timeout(delay), cx.timeout(1.0)])
                    cx.record(Trace(who, 15, 1.0 if news in got else 0.0))
                elif operation == 13:
                    many = [cx.timeout(float(k + n % 3)) for k in range(n % 4)]
                    yield cx.all_of(many)
                    cx.record(Trace(who, 16, 0.0))
                elif operation == 14:
                    some = [cx.timeout(float(k + 1)) for k in range(n % 3)]
                    yield cx.any_of(some) | cx.all_of(cx.timeout(1.0), cx.timeout(2.0), cx.timeout(delay))
                    cx.record(Trace(who, 17, 0.0))
                else:
                    yield self.ordered.put(n % 1000, float(n % 7))
                    if n % 2 == 0:
                        item = yield self.ordered.get()
                        cx.record(Trace(who, 10, float(item)))
                    value = yield self.news
                    cx.record(Trace(who, 11, value))
            except an.Interrupt as interrupt:
                cx.record(Trace(who, 12, interrupt.cause))
        cx.record(Trace(who, 13, 0.0))


def simpy_trace(seed):
    env = simpy.Environment()
    single, double = simpy.Resource(env, 1), simpy.Resource(env, 2)
    tank, store, ordered = simpy.Container(env, 20, 10), simpy.Store(env, 3), simpy.PriorityStore(env)
    trace, state, workers = [], {"news": env.event()}, []
    count = [0]

    def record(who, what, value):
        trace.append((env.now, who, what, value))

    def announce():
        for k in range(40):
            yield env.timeout(3.0)
            old, state["news"] = state["news"], env.event()
            old.succeed(k + 0.5)
            victim = mixed(seed, 99, k) % PROCESSES
            if workers[victim].is_alive:
                workers[victim].interrupt(float(k))

    def helper(n):
        yield env.timeout(float(n % 3))
        return n * 2

    def work(who):
        for step in range(STEPS):
            n = mixed(seed, who, step)
            operation, delay = n % OPERATIONS, float(n // OPERATIONS % 4)
            record(who, 100 + operation, 0.0)
            try:
                if operation <= 1:
                    yield env.timeout(delay)
                elif operation == 2:
                    with single.request() as request:
                        got = yield request | env.timeout(delay)
                        if request in got:
                            record(who, 1, 0.0)
                            yield env.timeout(1.0)
                        else:
                            record(who, 2, 0.0)
                elif operation == 3:
                    with double.request() as request:
                        yield request
                        record(who, 3, float(double.count))
                        yield env.timeout(delay)
                elif operation == 4:
                    with tank.get(4.0) as get:
                        both = yield get | env.timeout(2.0)
                        record(who, 4, 1.0 if get in both else 0.0)
                elif operation == 5:
                    with tank.put(3.0) as put:
                        yield put | env.timeout(2.0)
                        record(who, 5, float(tank.level))
                elif operation == 6:
                    with store.put(n % 100) as put:
                        both = yield put | env.timeout(1.0)
                        record(who, 6, 1.0 if put in both else 0.0)
                elif operation == 7:
                    with store.get() as get:
                        either = yield get | env.timeout(delay)
                        if get in either:
                            record(who, 7, float(get.value))
                elif operation == 8:
                    either = yield state["news"] | env.timeout(delay)
                    record(who, 8, 1.0 if state["news"] in either else 0.0)
                elif operation == 9:
                    a, b = env.process(helper(who)), env.timeout(1.0)
                    yield a & b
                    record(who, 9, float(a.value))
                elif operation == 11:
                    yield env.all_of([env.process(helper(who + k)) for k in range(3)])
                    record(who, 14, 0.0)
                elif operation == 12:
                    news = state["news"]
                    got = yield env.any_of([news, env.timeout(delay), env.timeout(1.0)])
                    record(who, 15, 1.0 if news in got else 0.0)
                elif operation == 13:
                    yield env.all_of([env.timeout(float(k + n % 3)) for k in range(n % 4)])
                    record(who, 16, 0.0)
                elif operation == 14:
                    some = env.any_of([env.timeout(float(k + 1)) for k in range(n % 3)])
                    yield some | env.all_of([env.timeout(1.0), env.timeout(2.0), env.timeout(delay)])
                    record(who, 17, 0.0)
                else:
                    count[0] += 1
                    yield ordered.put(simpy.PriorityItem((n % 7, count[0]), n % 1000))
                    if n % 2 == 0:
                        item = yield ordered.get()
                        record(who, 10, float(item.item))
                    value = yield state["news"]
                    record(who, 11, value)
            except simpy.Interrupt as interrupt:
                record(who, 12, interrupt.cause)
        record(who, 13, 0.0)

    workers += [env.process(work(i)) for i in range(PROCESSES)]
    env.process(announce())
    env.run()
    return trace


@pytest.fixture(scope="module")
def model():
    return an.Model(Shop, params=Params, rows=[Trace], name="shop")


def trace_of(report):
    table = report.tables.columns("Trace")
    return list(zip(*(table[name].tolist() for name in ("time", "who", "what", "value"))))


@pytest.mark.parametrize("seed", range(1, 13))
def test_random_programs_leave_the_trace_of_simpy(model, seed):
    report = model.run(lps=1, sync="sequential", program=seed)
    expected = simpy_trace(seed)
    found = trace_of(report)
    for number, (ours, theirs) in enumerate(zip(found, expected)):
        assert ours == theirs, f"line {number}: {expected[max(0, number - 5):number + 3]} .. {found[max(0, number - 5):number + 3]}"
    assert len(found) == len(expected)
