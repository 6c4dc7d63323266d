"""What compiled and interpreted runs have in common: what they refuse, and what they raise."""

import re

import pytest

import anachron as an

BOTH = pytest.mark.parametrize("compile", [True, False], ids=["compiled", "interpreted"])
FACTOR = 3


def scaled(x):
    return x * FACTOR


class Ping(an.Event):
    count: int = 0
    to: an.Id["Node"]


def error_of(handler, compile, **options):
    """What a model with this handler says, when it is made or run."""

    class Node(an.LP):
        n: int = 0
        x: float = 0.0
        small: an.i1 = 0
        values: an.Array[int, 4]
        ping = an.on(Ping)(handler)

        def start(self, cx):
            cx.send(cx.self_id, 1.0, Ping(4))

    with pytest.raises((an.AnachronError, KeyboardInterrupt)) as caught:
        an.Model(Node, compile=compile, cache=False, **options).run(lps=2, until=5, sync="sequential")
    handler._anachron_events = ()
    return str(caught.value)


def yields(self, cx, event):
    yield cx.now


def assigns_the_time(self, cx, event):
    cx.now = 3.0


def assigns_to_the_event(self, cx, event):
    event.count = 3


def sends_to_no_lp(self, cx, event):
    cx.send(cx.id(-1), 1.0, Ping())


def sends_to_no_lp_by_a_field(self, cx, event):
    if event.count == 4:
        cx.send(cx.self_id, 1.0, Ping(5, cx.id(-7)))
    else:
        cx.send(event.to, 1.0, Ping())


@BOTH
@pytest.mark.parametrize(
    ("handler", "reason"),
    [
        (yields, "send the LP an event"),
        (assigns_the_time, "cx.now cannot be assigned"),
        (assigns_to_the_event, "an event that was received is constant"),
        (sends_to_no_lp, r"Node -1: there are 2"),
        (sends_to_no_lp_by_a_field, r"Node -1: there are 2"),
    ],
)
def test_the_same_is_refused(handler, reason, compile):
    assert re.search(reason, error_of(handler, compile))


@BOTH
def test_a_constant_that_is_bound_anew_is_noticed(compile, monkeypatch):
    class Node(an.LP):
        n: int = 0

        def start(self, cx):
            self.n = scaled(2)

    model = an.Model(Node, compile=compile)
    assert (model.run(lps=2).states(Node)["n"] == 6).all()
    monkeypatch.setattr("test_both_ways.FACTOR", 4)
    with pytest.raises(an.InputError, match="FACTOR, which scaled uses, was 3 when .* is 4 now: make the model again"):
        model.run(lps=2)
    assert (an.Model(Node, compile=compile).run(lps=2).states(Node)["n"] == 8).all()
    monkeypatch.setattr("test_both_ways.scaled", lambda x: x)
    with pytest.raises(an.InputError, match="scaled, which .*Node.start uses, is not what it was"):
        model.run(lps=2)


def test_fields_say_what_they_take():
    for value in ("x", None, [1], 1.5, 2j):
        with pytest.raises(TypeError, match=re.escape(f"Ping.count = {value!r}: expected a whole number")):
            Ping(count=value)
    with pytest.raises(TypeError, match=r"Ping.to = 'x': expected an LP"):
        Ping(to="x")
    with pytest.raises(TypeError, match=r"Ping.count = 'x': a field of a class"):
        Ping.count = "x"
    with pytest.raises(TypeError, match=r"Bad.count = 'x': expected a number"):

        class Bad(an.Event):
            count: float = "x"


class Again(an.Event):
    pass


def again():
    """The cell of a notebook that has the class, run again."""
    made = type("Again", (an.Event,), {"__module__": __name__, "__qualname__": "Again"})
    return made


@BOTH
def test_a_class_that_was_made_again_is_named(compile, monkeypatch):
    class Node(an.LP):
        def start(self, cx):
            cx.send(cx.self_id, 1.0, Again())

        @an.on(Again)
        def again(self, cx, event):
            pass

    an.Model(Node, compile=compile, cache=False).run(lps=2, until=3)
    monkeypatch.setattr("test_both_ways.Again", again())
    with pytest.raises(an.AnachronError, match="the class Again was made again since Node was"):
        an.Model(Node, compile=compile, cache=False).run(lps=2, until=3)
