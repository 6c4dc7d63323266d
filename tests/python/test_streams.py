"""Named random streams: their numbers are those of C++, and depend on nothing that the LP draws otherwise."""

import inspect
import math

import numpy as np
import pytest

import anachron as an
from anachron._context import RngOfCall

MODES = [
    {"sync": "sequential"},
    {"workers": 2, "pes": 3, "mapping": "fixed"},
    {"workers": 2, "check_rollback": True},
    {"workers": 2, "checkpoint_interval": 3, "mapping": "fixed"},
    {"compile": False, "workers": 2, "mapping": "fixed"},
]


class Tick(an.Event):
    pass


class Params(an.Params):
    between: int = an.param(0, "Numbers drawn from the LP's own between those of streams", at_least=0)


class Drawn(an.Row):
    arrival: float
    service: float
    whole: int


class Source(an.LP):
    arrivals: an.Stream = an.Stream(1)
    services: an.Stream = an.Stream(2**31 - 1)
    ticks: an.i4 = 0

    def start(self, cx):
        cx.send(cx.self_id, 0.5, Tick())

    @an.on(Tick)
    def tick(self, cx, _event):
        self.ticks += 1
        for _ in range(cx.params.between):
            cx.rng.uniform()
        rng = cx.rng(self.arrivals)
        arrival = rng.uniform()
        service = cx.rng(self.services).exponential(2.0)
        cx.record(Drawn(arrival, service, rng.below(1000)))
        cx.send(cx.id((cx.index + 1) % cx.lp_count), 0.25, Tick())

    @staticmethod
    def count(params):
        return 4


def philox(counter, key):
    """Philox4x32-10: J. K. Salmon et al., SC'11."""
    c, k = list(counter), list(key)
    for _ in range(10):
        p, q = 0xD2511F53 * c[0], 0xCD9E8D57 * c[2]
        c = [(q >> 32) ^ c[1] ^ k[0], q & 0xFFFFFFFF, (p >> 32) ^ c[3] ^ k[1], p & 0xFFFFFFFF]
        k = [(k[0] + 0x9E3779B9) & 0xFFFFFFFF, (k[1] + 0xBB67AE85) & 0xFFFFFFFF]
    return c[0] | c[1] << 32, c[2] | c[3] << 32


def mix64(x):
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % 2**64
    x = (x ^ x >> 27) * 0x94D049BB133111EB % 2**64
    return x ^ x >> 31


def hash_text(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


def bits(seed, lp, purpose, number):
    """As docs of include/anachron/model/rng.hpp, stream.hpp and event/identity.hpp say."""
    who = (hash_text("Source") + (lp + 1) * 0x9E3779B97F4A7C15) % 2**64
    stream = mix64((mix64(who ^ 0x8EBC6AF09C88C6E3) + purpose) % 2**64)
    block = number // 2
    counter = (block & 0xFFFFFFFF, block >> 32, stream & 0xFFFFFFFF, stream >> 32)
    return philox(counter, (seed & 0xFFFFFFFF, seed >> 32))[number % 2]


@pytest.fixture(scope="module")
def model():
    return an.Model(Source, params=Params, rows=[Drawn])


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_a_stream_draws_the_numbers_of_its_purpose(model, mode):
    report = model.run(until=20, seed=7, **mode)
    drawn = report.tables.columns("Drawn")
    assert len(drawn["lp"]) > 300
    for lp in range(4):
        of_lp = drawn["lp"] == lp
        count = of_lp.sum()
        assert drawn["arrival"][of_lp].tolist() == [(bits(7, lp, 1, 2 * n) >> 11) * 2.0**-53 for n in range(count)]
        assert drawn["whole"][of_lp].tolist() == [bits(7, lp, 1, 2 * n + 1) * 1000 >> 64 for n in range(count)]
        services = [-2 * math.log1p(-(bits(7, lp, 2**31 - 1, n) >> 11) * 2.0**-53) for n in range(count)]
        np.testing.assert_allclose(drawn["service"][of_lp], services, rtol=1e-12)
        state = report.states(Source)[lp]
        assert state["arrivals"]["draws"] == 2 * count and state["services"]["purpose"] == 2**31 - 1


@pytest.mark.parametrize("mode", MODES[1:], ids=str)
def test_what_else_is_drawn_does_not_matter(model, mode):
    expected = model.run(until=20, sync="sequential")
    report = model.run(until=20, between=3, **mode)
    assert report.digest == model.run(until=20, between=3, sync="sequential").digest
    for name, values in expected.tables.columns("Drawn").items():
        np.testing.assert_array_equal(report.tables.columns("Drawn")[name], values)


def test_streams_are_checked():
    with pytest.raises(ValueError, match="the purpose is not from 0"):
        an.Stream(2**31)
    with pytest.raises(TypeError, match="an an.Stream belongs into the state"):

        class Wrong(an.Event):
            stream: an.Stream

    with pytest.raises(TypeError, match="expected an an.Stream"):

        class AlsoWrong(an.LP):
            stream: an.Stream = 3


def broken_assignment(self, cx, event):
    self.arrivals = self.services


def broken_draw(self, cx, event):
    self.ticks = int(self.arrivals.uniform())


def broken_view(self, cx, event):
    self.ticks = int(cx.rng(self.ticks).uniform())


@pytest.mark.parametrize(
    ("handler", "reason"),
    [
        (broken_assignment, "cannot be assigned"),
        (broken_draw, "an an.Stream has no 'uniform' in a handler"),
        (broken_view, r"cx.rng\(stream\): expected a field"),
    ],
    ids=lambda x: x.__name__ if callable(x) else "",
)
def test_what_cannot_be_done_with_a_stream_is_said(handler, reason):
    class Wrong(an.LP):
        arrivals: an.Stream = an.Stream(1)
        services: an.Stream = an.Stream(2)
        ticks: int = 0
        tick = an.on(Tick)(handler)

        def start(self, cx):
            cx.send(cx.self_id, 1.0, Tick())

    with pytest.raises(an.CompileError, match=reason):
        an.Model(Wrong)
    with pytest.raises(an.SimulationError, match="threw (Attribute|Type)Error"):
        an.Model(Wrong, compile=False).run(lps=1, until=2, sync="sequential")
    handler._anachron_events = ()


class Sampler(an.LP):
    waits: an.Array[float, 2000]
    parts: an.Array[float, 2000]

    def start(self, cx):
        for k in range(len(self.waits)):
            self.waits[k] = cx.rng.exponential(1.0 + k % 3)
            self.parts[k] = cx.rng.uniform() if cx.rng.bernoulli(0.5) else float(cx.rng.below(10**6 + k))


def test_numbers_drawn_by_compiled_code_are_those_of_the_library():
    model = an.Model(Sampler)
    compiled, called = (model.run(lps=20, until=1, compile=way).states(Sampler) for way in (True, False))
    assert compiled.tobytes() == called.tobytes() and len(np.unique(compiled["waits"])) == 40_000


class Queues(an.LP):
    short: an.Array[float, 2000]
    long: an.Array[float, 2000]

    def start(self, cx):
        for k in range(len(self.short)):
            self.short[k] = cx.rng.erlang(3, 6.0)
            self.long[k] = cx.rng.erlang(40, 6.0)  # drawn in another way


def test_the_mean_of_an_erlang_number_is_that_of_the_sum_as_its_text_says():
    erlang = RngOfCall.erlang
    assert list(inspect.signature(erlang).parameters) == ["self", "k", "mean"]
    assert "sum of k exponentially distributed numbers" in erlang.__doc__
    assert "`mean` is that of the sum, so each of them has the mean mean / k" in erlang.__doc__
    states = an.Model(Queues).run(lps=20, until=1, sync="sequential").states(Queues)
    for k, numbers in [(3, states["short"]), (40, states["long"])]:
        assert numbers.size == 40_000
        sigma = 6 / math.sqrt(k)  # k numbers, each of which has the mean and the sigma 6 / k
        assert numbers.mean() == pytest.approx(6, abs=5 * sigma / 200)
        assert numbers.std() == pytest.approx(sigma, rel=0.03)
