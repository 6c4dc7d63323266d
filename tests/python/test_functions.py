"""Models from functions: an.functions."""

import pickle

import pytest

import anachron as an

walk = an.functions("walk", state={"place": 0, "steps": an.i4}, params={"mean": an.param(1.0, "Hours", above=0)})


@walk.start
def begin(self, cx):
    cx.send(cx.self_id, 0.0, step(size=2))


@walk.on
def step(self, cx, *, size: int = 1):
    self.place += size if cx.rng.bernoulli(0.5) else -size
    self.steps += 1
    cx.send(cx.self_id, cx.rng.exponential(cx.params.mean), step(size=size % 5 + 1))
    if self.steps % 10 == 0:
        cx.send(cx.id(cx.rng.below(cx.lp_count)), 1.0, home())


@walk.on
def home(self, cx):
    self.place = 0


@walk.once
def finish(states, params):
    return {"steps": int(states["steps"].sum())}


model = walk.model(until=50)


bank = an.functions("bank", state={"counter": an.Resource(1), "waits": an.Tally, "left": 0}, params={"patience": 2.0})


@bank.start
def opens(self, cx):
    cx.process(self.arrivals(cx))


@bank.process
def arrivals(self, cx):
    while True:
        yield cx.timeout(cx.rng.exponential(1.0))
        cx.process(self.customer(cx, cx.rng.exponential(cx.params.patience)))


@bank.process
def customer(self, cx, patience: float):
    arrived = cx.now
    with self.counter.request() as turn:
        got = yield turn | cx.timeout(patience)
        is_served = turn in got
        if is_served:
            yield cx.timeout(cx.rng.exponential(0.8))
    self.note(cx, cx.now - arrived, is_served)


@bank.method
def note(self, cx, time, was_served):
    self.waits.add(cx, time)
    self.left += 0 if was_served else 1


bank_model = bank.model(until=100)


class Step(an.Event):
    name = "step"
    size: int = 1


class Home(an.Event):
    name = "home"


class Params(an.Params):
    mean: float = 1.0


class Walk(an.LP):
    name = "walk"
    place: int = 0
    steps: an.i4

    def start(self, cx):
        cx.send(cx.self_id, 0.0, Step(size=2))

    @an.on(Step)
    def step(self, cx, *, size):
        self.place += size if cx.rng.bernoulli(0.5) else -size
        self.steps += 1
        cx.send(cx.self_id, cx.rng.exponential(cx.params.mean), Step(size=size % 5 + 1))
        if self.steps % 10 == 0:
            cx.send(cx.id(cx.rng.below(cx.lp_count)), 1.0, Home())

    @an.on(Home)
    def home(self, cx):
        self.place = 0


def test_functions_do_what_classes_do():
    report = model.run(lps=16)
    classes = an.Model(Walk, params=Params).run(lps=16, until=50)
    assert report.digest == classes.digest
    assert report.states(walk.lp).tobytes() == classes.states(Walk).tobytes()
    assert report["steps"] == report.states("walk")["steps"].sum() > 500
    assert report.model_name == "walk"


class Bank(an.LP):
    name = "bank"
    counter: an.Resource = an.Resource(1)
    waits: an.Tally
    left: int = 0

    def start(self, cx):
        cx.process(self.arrivals(cx))

    def arrivals(self, cx):
        while True:
            yield cx.timeout(cx.rng.exponential(1.0))
            cx.process(self.customer(cx, cx.rng.exponential(cx.params.patience)))

    def customer(self, cx, patience: float):
        arrived = cx.now
        with self.counter.request() as turn:
            got = yield turn | cx.timeout(patience)
            is_served = turn in got
            if is_served:
                yield cx.timeout(cx.rng.exponential(0.8))
        self.note(cx, cx.now - arrived, is_served)

    def note(self, cx, time, was_served):
        self.waits.add(cx, time)
        self.left += 0 if was_served else 1


class Patience(an.Params):
    patience: float = 2.0


def test_processes_and_methods_from_functions():
    report = bank_model.run(lps=8)
    classes = an.Model(Bank, params=Patience).run(lps=8, until=100)
    assert report.digest == classes.digest
    states, others = report.states(bank.lp), classes.states(Bank)
    assert states["left"].tolist() == others["left"].tolist() and states["left"].min() > 5
    assert states["waits"].tobytes() == others["waits"].tobytes()
    for options in ({"compile": False}, {"sync": "optimistic", "workers": 2, "mapping": "fixed"}, {"sync": "optimistic", "check_rollback": True}):
        assert bank_model.run(lps=8, **options).digest == report.digest
    assert pickle.loads(pickle.dumps(bank_model)).run(lps=8).digest == report.digest


def test_compiled_and_interpreted_they_do_the_same():
    digest = model.run(lps=16).digest
    assert digest == walk.model(compile=False).run(lps=16, until=50).digest
    assert digest == model.run(lps=16, sync="optimistic", workers=2, mapping="fixed").digest
    assert digest != model.run(lps=16, mean=0.5).digest


def test_parameters_are_checked():
    with pytest.raises(an.InputError, match="mean: 0.0 is not valid: expected a number above 0"):
        model.run(mean=0.0)
    assert model.options()["mean"] == {"default": 1.0, "help": "Hours"}


def test_the_model_can_be_pickled():
    assert pickle.loads(pickle.dumps(model)).run(lps=4).digest == model.run(lps=4).digest


def test_within_a_function():
    small = an.functions("small", state={"heat": 0.5, "seen": an.Array[int, 3], "waits": an.Tally, "ok": True})

    @small.start
    def begin(self, cx):
        cx.send(cx.self_id, 1.0, tick())

    @small.on
    def tick(self, cx, *, k=0, x: an.f8 = 0.5):
        self.seen[k % 3] += 1
        self.heat += x
        cx.send(cx.self_id, 1.0, tick(k + 1))

    digests = {small.model(compile=compile).run(lps=2, until=9).digest for compile in (True, False)}
    assert len(digests) == 1
    assert small.model().run(lps=2, until=9.5).states(small.lp)["seen"].tolist() == [[3, 3, 3]] * 2


def test_mistakes_are_named():
    m = an.functions("m", state={"n": 0})
    with pytest.raises(TypeError, match="m.step: the field 'size' has no type: write size: int, or size=0"):

        @m.on
        def step(self, cx, *, size): ...

    with pytest.raises(TypeError, match=r"m.step\(self, cx, size\): expected \(self, cx\), and behind a star"):

        @m.on
        def step(self, cx, size): ...

    with pytest.raises(TypeError, match="m has 'n' already"):

        @m.on
        def n(self, cx): ...

    with pytest.raises(TypeError, match="m.once: 'counts' is not valid: expected one of count, finish, "):

        @m.once
        def counts(params): ...

    with pytest.raises(TypeError, match="m.process: 'waits' has no `yield`: mark it as m.method"):

        @m.process
        def waits(self, cx): ...

    with pytest.raises(TypeError, match="m.method: 'waits' has `yield`: mark it as m.process"):

        @m.method
        def waits(self, cx):
            yield cx.timeout(1.0)

    with pytest.raises(TypeError, match="m.count: a method cannot be called 'count', which means something else"):

        @m.method
        def count(self): ...

    with pytest.raises(TypeError, match="neither a handler"):
        m.model()
    with pytest.raises(TypeError, match="m: its LP type has been made, 'start' comes too late"):

        @m.start
        def begin(self, cx): ...

    with pytest.raises(TypeError, match=r"an.functions\('my model'\): expected a name"):
        an.functions("my model")
    with pytest.raises(TypeError, match="a field cannot be called 'position'"):
        an.functions("m", {"position": 1})
    with pytest.raises(TypeError, match="m.load: an event cannot be called 'load'"):

        @an.functions("m").on
        def load(self, cx): ...
