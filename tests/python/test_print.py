"""`cx.print`: what committed events print appears once, in the order of time, compiled and interpreted."""

import pytest

import anachron as an


class Ball(an.Event):
    hops: int = 0


class Player(an.LP):
    caught: int = 0

    def start(self, cx):
        cx.send(cx.self_id, cx.rng.exponential(1.0), Ball())
        cx.print("player", cx.index, "of", cx.lp_count)

    @an.on(Ball)
    def ball(self, cx, ball):
        self.caught += 1
        cx.print("{ball}", ball.hops, self.caught > 2, cx.self_id)
        cx.print(f"caught {self.caught:3d} at {cx.now:.3f}")
        if cx.params.fails_at == self.caught:
            raise ValueError("too many")
        cx.send(cx.id(cx.rng.below(cx.lp_count)), cx.rng.exponential(1.0), Ball(ball.hops + 1))


class Params(an.Params):
    fails_at: int = 0


def test_what_is_printed_appears_once(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("ANACHRON_CACHE", str(tmp_path))
    printed = []
    for mode in (
        {"sync": "sequential"},
        {"workers": 2, "mapping": "fixed"},  # from the cache
        {"compile": False, "sync": "sequential"},
        {"compile": False, "workers": 2, "pes": 3},
    ):
        model = an.Model(Player, params=Params)
        report = model.run(lps=4, until=20, **mode)
        printed.append(capsys.readouterr().out)
        assert "player" not in report.tables
    assert printed[0].count("caught") == report.committed and printed[0].startswith("0: player 0 of 4\n")
    assert "{ball} 0 False Player " in printed[0] and ": caught   1 at " in printed[0]
    assert printed[1:] == printed[:1] * 3

    for compile in (True, False):
        session = model.session(lps=4, compile=compile, sync="sequential")
        for until in (10, 20):
            session.run_until(until)
        assert capsys.readouterr().out == printed[0]


@pytest.mark.parametrize("compile", [True, False], ids=["compiled", "interpreted"])
def test_a_run_that_fails_prints_what_has_committed(compile, capsys):
    with pytest.raises(an.SimulationError, match="too many"):
        an.Model(Player, params=Params, compile=compile).run(lps=4, until=20, fails_at=3, sync="sequential")
    assert capsys.readouterr().out.count("caught") > 3


class Street(an.LP):
    name: an.Text[80]
    sign: str

    def start(self, cx):
        self.name = "a street with a name that is longer than what a line has of a text, until here"
        self.sign = "grüße𝄞{}"
        cx.process(self.car(cx, f"car {cx.index}"))

    def car(self, cx, name: an.Text[12]):
        yield cx.timeout(1.0 + cx.index)
        cx.print(name, "sees", self.sign, "at", cx.now)
        cx.print(f"{name:>8}|{self.sign:<12}|{len(name)}")
        cx.print(name + self.sign)


@pytest.mark.parametrize("compile", [True, False], ids=["compiled", "interpreted"])
def test_texts_are_printed(compile, capsys):
    an.Model(Street, compile=compile).run(lps=2, until=5, sync="sequential")
    one = [
        "sees grüße𝄞{} at 1.0",
        "   car 0|grüße𝄞{}    |5",
        "car 0grüße𝄞{}",
    ]
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(": ", 1)[1].removeprefix("car 0 ") for line in lines[:3]] == one


def test_a_long_text_is_cut(capsys):
    class Long(an.LP):
        name: an.Text[90]

        def start(self, cx):
            self.name = "€" * 30
            cx.print(self.name)

    an.Model(Long).run(lps=1, until=5)
    assert capsys.readouterr().out == "0: " + "€" * 20 + "...\n"


def test_only_numbers_and_texts_are_printed():
    class Wrong(an.LP):
        timer: an.Handle

        def start(self, cx):
            cx.print("timer", self.timer)

    with pytest.raises(an.CompileError, match="cx.print: .* is neither a number nor a text"):
        an.Model(Wrong)
