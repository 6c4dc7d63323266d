"""Handlers that get fields of their event, by name."""

import pytest

import anachron as an


class Ball(an.Event):
    hops: int = 0
    speed: float = 1.0


class Stop(an.Event):
    hops: int = 0


class Player(an.LP):
    seen: int = 0
    fast: float = 0.0
    stops: int = 0

    def start(self, cx):
        cx.send(cx.id(cx.rng.below(cx.lp_count)), 1.0, Ball(1, cx.rng.uniform()))

    @an.on(Ball)
    def ball(self, cx, *, speed, hops):
        """In any order."""
        self.seen += hops
        self.fast = max(self.fast, speed)
        hops = min(hops + 1, 9)  # a name of its own by now
        cx.send(cx.id(cx.rng.below(cx.lp_count)), cx.rng.exponential(speed), Ball(hops, speed))
        cx.send(cx.self_id, 0.5, Stop(hops))

    @an.on(Stop)
    def stop(self, cx, *, hops):
        self.stops += hops


class Whole(Player):
    name = "Player"

    @an.on(Ball)
    def ball(self, cx, event):
        self.seen += event.hops
        self.fast = max(self.fast, event.speed)
        hops = min(event.hops + 1, 9)
        cx.send(cx.id(cx.rng.below(cx.lp_count)), cx.rng.exponential(event.speed), Ball(hops, event.speed))
        cx.send(cx.self_id, 0.5, Stop(hops))


def states(cls, **options):
    report = an.Model(cls, **{k: options.pop(k) for k in ("compile",) if k in options}).run(lps=16, until=20, **options)
    return report.digest, report.states(cls).tobytes()


def test_they_do_what_handlers_of_the_event_do():
    compiled = states(Player)
    assert compiled == states(Player, compile=False) == states(Whole)
    assert compiled == states(Player, sync="optimistic", workers=2, mapping="fixed")


class Counting(an.LP):
    stops: int = 0

    def start(self, cx):
        cx.send(cx.self_id, 0.5, Stop(3))

    @an.on(Stop, Ball)
    def count_it(self, cx):
        self.stops += 1
        cx.send(cx.self_id, 1.0, Ball())


def test_a_handler_may_do_without_the_event():
    compiled = states(Counting)
    assert compiled == states(Counting, compile=False)
    assert an.Model(Counting).run(lps=2, until=10).states(Counting)["stops"].tolist() == [10, 10]


def test_without_its_source_a_handler_has_to_take_the_event():
    made = {"an": an, "Ball": Ball}
    exec("class Lost(an.LP):\n  @an.on(Ball)\n  def ball(self, cx, *, hops): pass", made)
    with pytest.raises(an.CompileError, match="Lost.ball gets fields of its event, for which its source has to be in a file"):
        an.Model(made["Lost"])
    an.Model(made["Lost"], compile=False).run(lps=1, until=1)


def test_an_unknown_field_is_named():
    with pytest.raises(TypeError, match=r"Lost.ball: Ball has no field 'height' \(it has: hops, speed\)"):

        class Lost(an.LP):
            @an.on(Ball)
            def ball(self, cx, *, height): ...

    with pytest.raises(TypeError, match="Lost.ball: Stop has no field 'speed'"):  # of each event

        class Lost(an.LP):  # noqa: F811
            @an.on(Ball, Stop)
            def ball(self, cx, *, speed): ...


def test_fields_and_the_event_are_not_both_given():
    with pytest.raises(TypeError, match="and not the event too"):

        class Lost(an.LP):
            @an.on(Ball)
            def ball(self, cx, event, *, hops): ...

    with pytest.raises(TypeError, match="has no default"):

        class Lost(an.LP):  # noqa: F811
            @an.on(Ball)
            def ball(self, cx, *, hops=3): ...
