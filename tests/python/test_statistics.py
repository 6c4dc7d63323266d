"""Statistics in states: what they tell is what the same observations tell, in every mode."""

import numpy as np
import pytest

import anachron as an

MODES = [
    {"sync": "sequential"},
    {"workers": 2, "pes": 3, "mapping": "fixed"},
    {"workers": 2, "check_rollback": True},
    {"workers": 2, "checkpoint_interval": 3, "mapping": "fixed"},
    {"compile": False, "workers": 2, "mapping": "fixed"},
]
UNTIL, WARM_UP, LPS = 40, 10, 5


class Arrive(an.Event):
    pass


class Leave(an.Event):
    wait: float


class Left(an.Row):
    wait: float
    length: int


class Params(an.Params):
    worst: float = an.param(0.0, "What is observed at time 20 instead of the wait, if it is not 0; 1e300: NaN")


class Queue(an.LP):
    length: int = 0
    waits: an.Tally
    quantiles: an.Histogram
    lengths: an.TimeAverage = an.TimeAverage(2.0)
    batches: an.BatchMeans
    history: an.Series = an.Series(1.0)

    def start(self, cx):
        self.lengths.set(cx, 0)
        cx.send(cx.self_id, cx.rng.exponential(0.2), Arrive())

    @an.on(Arrive)
    def arrive(self, cx, _event):
        self.length += 1
        self.lengths.change(cx, 1)
        wait = cx.rng.exponential(1.0)
        cx.send(cx.self_id, wait, Leave(wait))
        cx.send(cx.id(cx.rng.below(cx.lp_count)), cx.rng.exponential(0.2), Arrive())

    @an.on(Leave)
    def leave(self, cx, event):
        self.length -= 1
        self.lengths.set(cx, self.lengths.level - 1)
        wait = event.wait
        if cx.params.worst != 0 and cx.now > 20:
            wait = cx.params.worst * 1e300 - cx.params.worst * 1e300 if cx.params.worst == 1e300 else cx.params.worst
        self.waits.add(cx, wait)
        self.quantiles.add(cx, wait)
        self.batches.add(cx, wait)
        self.history.add(cx, wait)
        self.count_left(cx)
        cx.record(Left(wait, self.length))

    def count_left(self, cx):
        self.history.add(cx)

    @staticmethod
    def count(params):
        return LPS

    @staticmethod
    def finish(states, params):
        return {
            "left": states["waits"]["count"].sum(),
            "wait": an.Tally.merged(states["waits"]),
            "quantile": an.Histogram.merged(states["quantiles"]),
            "length": an.TimeAverage.merged(states["lengths"]),
            "batches": an.BatchMeans.merged(states["batches"]),
            "history": an.Series.merged(states["history"]),
        }


@pytest.fixture(scope="module")
def model():
    return an.Model(Queue, params=Params, rows=[Left])


@pytest.fixture(scope="module")
def expected(model):
    return model.run(until=UNTIL, warm_up=WARM_UP, sync="sequential")


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_every_mode_tells_the_same(model, expected, mode):
    report = model.run(until=UNTIL, warm_up=WARM_UP, **mode)
    assert not any("no effect" in note for note in report.notes)
    assert report.digest == expected.digest and report.results == expected.results
    assert report.states(Queue).tobytes() == expected.states(Queue).tobytes()
    for name in ("history", "statistics"):
        for column, values in expected.tables.columns(name).items():
            np.testing.assert_array_equal(report.tables.columns(name)[column], values)


def test_they_tell_what_the_observations_tell(expected):
    left = expected.tables.columns("Left")
    waits = left["wait"][left["time"] >= WARM_UP]
    tally, quantile = expected["wait"], expected["quantile"]
    assert expected["left"] == tally["count"] == len(waits) > 500
    assert tally["mean"] == pytest.approx(waits.mean()) and tally["sd"] == pytest.approx(waits.std(ddof=1))
    assert (tally["min"], tally["max"]) == (waits.min(), waits.max())
    assert quantile["p90"] == pytest.approx(np.quantile(waits, 0.9), rel=0.05)
    assert expected["batches"]["mean"] == pytest.approx(waits.mean(), rel=0.1)
    assert list(expected.results) == ["left", "wait", "quantile", "length", "batches"]
    history = expected.tables["history"]  # the warm-up is in it; each leaving counts twice
    assert history["count"].sum() == 2 * len(left["wait"])


def test_a_level_is_weighted_by_time(expected):
    states = expected.states(Queue)
    np.testing.assert_array_equal(states["lengths"]["level"], states["length"])
    left = expected.tables.columns("Left")
    # By Little's law the mean length is the rate of leaving times the mean stay, but for what the ends cut off.
    waits = left["wait"][left["time"] >= WARM_UP]
    assert expected["length"]["mean"] * LPS == pytest.approx(waits.sum() / (UNTIL - WARM_UP), rel=0.15)


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_what_cannot_be_observed_fails_the_event(model, mode):
    with pytest.raises(an.SimulationError, match="an::Tally: cannot observe NaN") as caught:
        model.run(until=UNTIL, worst=1e300, **mode)
    assert caught.value.event == "Leave" and 20 < caught.value.time < 22
    with pytest.raises(an.SimulationError, match="an::Histogram.*-1"):
        model.run(until=UNTIL, worst=-1.0, **mode)


def test_statistics_of_several_lp_types_are_merged(expected):
    class Wait(an.Event):
        pass

    class First(an.LP):
        waits: an.Tally

        def start(self, cx):
            self.waits.add(cx, 1 + cx.index)

        @staticmethod
        def count(params):
            return 2

        @staticmethod
        def finish(states, params):
            return {"wait": an.Tally.merged(states["waits"])}

    class Second(First):
        name = "Second"

    report = an.Model([First, Second]).run(until=1, sync="sequential")
    assert (report["wait"]["count"], report["wait"]["mean"]) == (4, 1.5)


def test_statistics_are_checked():
    with pytest.raises(ValueError, match="not above 0"):
        an.Series(0)
    with pytest.raises(TypeError, match="expected a field of `states` of that type"):
        an.Tally.merged(np.zeros(3))
    with pytest.raises(TypeError, match="observes as a field"):
        an.Tally().add(None, 1.0)


def broken_method(self, cx, event):
    self.waits.set(cx, 1.0)


def broken_argument(self, cx, event):
    self.waits.add(1.0)


@pytest.mark.parametrize(
    ("handler", "reason"),
    [(broken_method, "an an.Tally has no 'set'"), (broken_argument, r"an.Tally.add\(cx, number\)")],
    ids=lambda x: x.__name__ if callable(x) else "",
)
def test_what_cannot_be_compiled_is_said(handler, reason):
    class Wrong(an.LP):
        waits: an.Tally
        leave = an.on(Arrive)(handler)

    with pytest.raises(an.CompileError, match=reason):
        an.Model(Wrong)
    handler._anachron_events = ()
