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
