"""Broadcasts: to all LPs of a type, to ranges and to groups; each is as many sends, in the order of the receivers."""

import numpy as np
import pytest

import anachron as an

MODES = [
    {"sync": "sequential"},
    {"workers": 2, "mapping": "fixed"},
    {"workers": 2, "pes": 5, "mapping": "fixed"},
    {"workers": 2, "check_rollback": True},
    {"workers": 2, "cancellation": "lazy", "checkpoint_interval": 3, "mapping": "fixed"},
    {"compile": False, "sync": "sequential"},
    {"compile": False, "workers": 2, "pes": 3, "mapping": "fixed"},
]
UNTIL = 12


class News(an.Event):
    number: int
    hops: an.u1


class Quiet(an.Event, priority=2):
    pass


class Params(an.Params):
    members: int = an.param(9, "Members", at_least=1)
    alone: bool = an.param(False, "Send to each alone")
    fail_at: float = an.param(-1.0, "Broadcast to LPs that are not there from this time on")


class Member(an.LP):
    heard: an.i4 = 0
    sum: int = 0
    quiet: an.i4 = 0

    def start(self, cx):
        cx.send(cx.self_id, cx.rng.uniform(0.0, 1.0), News(cx.index, 0))

    @an.on(News)
    def hear(self, cx, news):
        self.heard += 1
        self.sum = self.sum * 3 % 1000003 + news.number
        if news.hops > 0:
            return
        delay = cx.rng.exponential(0.5)
        what = news.number % 4
        if cx.params.alone:
            self.send_alone(cx, what, delay, self.heard)
        elif what == 0:
            cx.broadcast(Member, delay, News(self.heard, 1))
        elif what == 1:
            cx.broadcast(cx.range(2, 4), delay, News(self.heard, 1), priority=-2, in_order=True)
        elif what == 2:
            cx.broadcast(cx.shared.crew, delay, News(self.heard, 1))
        elif cx.shared.near[cx.index].size > 0:
            cx.broadcast(cx.shared.near[cx.index], delay, Quiet())
        cx.send(cx.self_id, 0.3, News(self.heard + cx.index, 0))
        if 0 <= cx.params.fail_at <= cx.now:
            cx.broadcast(cx.range(Member, 3, cx.lp_count), 1.0, News(0, 1))

    def send_alone(self, cx, what, delay, number):
        if what == 0:
            for k in range(cx.lp_count):
                cx.send(cx.id(k), delay, News(number, 1))
        elif what == 1:
            for k in range(2, 6):
                cx.send(cx.id(k), delay, News(number, 1), priority=-2, in_order=True)
        elif what == 2:
            for k in cx.shared.crew_numbers:
                cx.send(cx.id(k), delay, News(number, 1))
        else:
            for k in range(cx.shared.begin[cx.index], cx.shared.begin[cx.index + 1]):
                cx.send(cx.id(cx.shared.near_numbers[k]), delay, Quiet())

    @an.on(Quiet)
    def hush(self, cx, _event):
        self.quiet += 1

    @staticmethod
    def count(params):
        return params.members


NEAR = [[1, 3], [], [0], [2, 4, 8], [5], [6, 0], [7], [], [8, 0, 3]]


def shared():
    near = [sorted(numbers) for numbers in NEAR]
    return {
        "crew": an.Group(Member, [7, 1, 4, 1]),
        "near": an.Groups(Member, NEAR),
        "crew_numbers": np.array([1, 4, 7]),
        "near_numbers": np.concatenate([np.array(n, dtype=int) for n in near]),
        "begin": np.cumsum([0, *map(len, near)]),
    }


@pytest.fixture(scope="module")
def model():
    return an.Model(Member, params=Params, shared=shared())


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_a_broadcast_is_a_send_to_each(model, mode):
    expected = model.run(until=UNTIL, alone=True, sync="sequential")
    report = model.run(until=UNTIL, **mode)
    assert report.digest == expected.digest
    assert report.states(Member).tobytes() == expected.states(Member).tobytes()
    assert report.committed > 1000 and (report.states(Member)["quiet"] > 0).sum() >= 8


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_a_broadcast_to_lps_that_are_not_there_fails_the_event(model, mode):
    with pytest.raises(an.SimulationError, match="News to an unknown LP, Member 9: there are 9") as caught:
        model.run(until=UNTIL, fail_at=4.0, **mode)
    assert 4 <= caught.value.time < 6


class Node(an.LP):
    def start(self, cx):
        cx.broadcast(cx.shared.nobody, 1.0, Quiet())

    @an.on(Quiet)
    def hush(self, cx, _event):
        pass


@pytest.mark.parametrize("compile", [True, False])
def test_a_broadcast_to_nobody_fails_the_event(compile):
    model = an.Model(Node, shared={"nobody": an.Group(Node, [])}, compile=compile)
    with pytest.raises(an.SimulationError, match="broadcasts event Quiet to no LP of type Node"):
        model.run(lps=3, until=2)


def test_groups_are_checked():
    with pytest.raises(ValueError, match="-1 is no number of an LP"):
        an.Group(Node, [0, -1])
    with pytest.raises(an.InputError, match="shared 'crew': the model has no LP type Member"):
        an.Model(Node, shared={"nobody": an.Group(Node, []), "crew": an.Group(Member, [1])})
    groups = an.Groups(Node, [[3, 1, 3], []])
    assert len(groups) == 2 and groups[0].numbers.tolist() == [1, 3] and groups[1].size == 0
    with pytest.raises(IndexError):
        groups[2]


class Other(an.LP):
    def start(self, cx):
        pass


def broken_number(self, cx, event):
    cx.broadcast(3, 1.0, Quiet())


def broken_receiver(self, cx, event):
    cx.broadcast(Other, 1.0, Quiet())


def broken_range(self, cx, event):
    cx.broadcast(cx.range(3), 1.0, Quiet())


@pytest.mark.parametrize(
    ("handler", "reason"),
    [
        (broken_number, "to an LP type, a cx.range"),
        (broken_receiver, "Other has no handler for Quiet"),
        (broken_range, r"cx.range\(first, count\)"),
    ],
    ids=lambda x: x.__name__ if callable(x) else "",
)
def test_what_cannot_be_compiled_is_said(handler, reason):
    class Wrong(an.LP):
        hush = an.on(Quiet)(handler)

    with pytest.raises(an.CompileError, match=reason):
        an.Model([Wrong, Other])
    handler._anachron_events = ()
