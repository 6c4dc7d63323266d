"""Values of parameters and options: taken exactly, or refused by name."""

import enum
import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import anachron as an


HUGE = "a number that Python does not even print"


class Speed(enum.IntEnum):
    slow = 1
    fast = 2


class Params(an.Params):
    nodes: int = an.param(2, "Nodes", at_least=1)
    big: int = 0
    small: an.u1 = 0
    share: float = 0.5
    on: bool = False
    speed: Speed = Speed.slow


class Look(an.Event):
    pass


class Node(an.LP):
    big: int = 0
    small: int = 0
    share: float = 0.0
    on: bool = False
    speed: int = 0

    def start(self, cx):
        cx.send(cx.self_id, 1.0, Look())

    @an.on(Look)
    def look(self, cx, look):
        self.big = cx.params.big
        self.small = cx.params.small
        self.share = cx.params.share
        self.on = cx.params.on
        self.speed = 10 if cx.params.speed == Speed.fast else 1

    @staticmethod
    def count(params):
        return params.nodes


@pytest.fixture(scope="module")
def models():
    return [an.Model(Node, params=Params, until=5, compile=compile) for compile in (True, False)]


@pytest.mark.parametrize(
    "name, value, expected",
    [
        ("big", 2**53 + 1, 2**53 + 1),
        ("big", np.int64(-(2**63)), -(2**63)),
        ("big", np.uint64(2**63 - 1), 2**63 - 1),
        ("big", 7.0, 7),
        ("big", "10k", 10_000),
        ("big", "1.5M", 1_500_000),
        ("big", "9007199254740993.0", 2**53 + 1),
        ("small", np.uint8(255), 255),
        ("share", np.float32(0.25), 0.25),
        ("share", 3, 3.0),
        ("share", "1e-3", 1e-3),
        ("on", np.bool_(True), True),
        ("on", 1, True),
        ("speed", Speed.fast, 10),
        ("speed", "fast", 10),
        ("speed", 2, 10),
    ],
)
def test_values_are_taken_exactly(models, name, value, expected):
    for model in models:
        states = model.run(sync="sequential", **{name: value}).states(Node)
        assert states[name].tolist() == [expected, expected]


@pytest.mark.parametrize(
    "name, value, said",
    [
        ("big", 2**63, "expected a whole number from -9223372036854775808 to 9223372036854775807"),
        ("big", 10**400, "a number of about 400 digits"),
        ("big", HUGE, "a number of about 5000 digits"),
        ("big", "9" * 5000, "expected a number such as"),
        ("big", "1_000", "expected a number such as"),
        ("big", " 5 ", "expected a number such as"),
        ("share", "1e400", "expected a finite number"),
        ("on", HUGE, "expected True or False"),
        ("big", math.inf, "inf is not valid"),
        ("big", math.nan, "nan is not valid"),
        ("big", 0.5, "expected a whole number"),
        ("small", 256, "expected a whole number from 0 to 255"),
        ("big", Decimal(3), "Decimal"),
        ("share", Fraction(1, 2), "expected a number"),
        ("share", np.array(0.5), "expected a number"),
        ("share", math.nan, "expected a finite number"),
        ("share", math.inf, "expected a finite number"),
        ("share", 10**400, "expected a finite number"),
        ("share", 2**53 + 1, "expected a number that a double has exactly"),
        ("big", "ten", "expected a number such as 1000, '10k' or 0.5"),
        ("on", 2, "expected True or False"),
        ("speed", "quick", "expected one of slow, fast"),
        ("speed", 3, "expected one of slow, fast"),
        ("nodes", 0, "at least 1"),
        ("until", math.nan, "expected a finite number"),
        ("until", Decimal(3), "expected a number"),
    ],
)
def test_others_are_refused_by_name(models, name, value, said):
    value = 10**5000 if isinstance(value, str) and value == HUGE else value
    for model in models:
        with pytest.raises(an.InputError, match=f"^{name}: ") as refused:
            model.run(**{name: value})
        assert said in str(refused.value)


def test_messages_speak_of_python():
    with pytest.raises(an.InputError, match=r"^lps: '0' is not valid"):
        an.run("phold", lps=0)
    with pytest.raises(an.InputError, match=r"^unknown option lp=; did you mean lps=\?$"):
        an.run("phold", lp=3)
    with pytest.raises(an.InputError, match=r"^unknown option worker=; did you mean workers=\?$"):
        an.run("phold", worker=3)
    model = an.Model(Node, params=Params, until=5, compile=False)
    with pytest.raises(an.InputError, match=r"^unknown option node=; did you mean nodes=\?$"):
        model.run(node=3)
    with pytest.raises(an.InputError, match=r"^memory: '1KiB' is not valid: expected at least 64KiB$"):
        model.run(memory="1KiB")
    with pytest.raises(an.InputError, match=r"^seed: .* is not valid: expected a number, a text or a path$"):
        model.run(seed=Decimal(1))


def test_an_enumeration_of_other_than_numbers_is_refused():
    class Colour(enum.Enum):
        red = 1

    with pytest.raises(TypeError, match="enum.IntEnum"):

        class _Painted(an.Params):
            colour: Colour = Colour.red


class Named(an.Params):
    city: str = an.param("Bonn", "Where it is")
    nodes: int = 1


class Place(an.LP):
    seen: int = 0

    @an.on(Look)
    def look(self, cx, look):
        self.seen += 1

    def start(self, cx):
        cx.send(cx.self_id, 1.0, Look())

    @staticmethod
    def count(params):
        return len(params.city)

    @staticmethod
    def finish(states, params):
        return {"city": params.city, "letters": len(params.city)}


@pytest.mark.parametrize("compile", [True, False])
def test_a_text_is_for_what_surrounds_a_run(compile, tmp_path):
    model = an.Model(Place, params=Named, until=5, compile=compile, shared=lambda params: {"letters": [*params.city.encode()]})
    report = model.run(city="Köln")
    assert report["city"] == "Köln" and report.config["model"]["city"] == "Köln"
    assert len(report.states(Place)) == 4 and len(model.run().states(Place)) == 4
    assert model.run(city=tmp_path / "é.net")["city"] == str(tmp_path / "é.net")
    for wrong, said in ((3, "expected a text"), ("x" * 1025, "at most 1024 bytes"), ("a\0b", "at most 1024 bytes"), ("\udce9", "Unicode")):
        with pytest.raises(an.InputError, match=f"^city: .*{said}"):
            model.run(city=wrong)


def test_a_text_is_a_point_of_a_sweep():
    model = an.Model(Place, params=Named, until=5, compile=False)
    frame = an.sweep(model, {"city": ["Bonn", "Ulm"]}, replications=2)
    assert list(frame["city"]) == ["Bonn", "Ulm"] and list(frame["mean"]) == [4, 3]


class Reader(an.LP):
    seen: int = 0

    @an.on(Look)
    def look(self, cx, look):
        if cx.params.city == "Bonn":
            self.seen += 1

    def start(self, cx):
        cx.send(cx.self_id, 1.0, Look())


@pytest.mark.parametrize("compile", [True, False])
def test_handlers_read_a_text(compile):
    model = an.Model(Reader, params=Named, until=5, compile=compile)
    assert model.run(lps=2, city="Bonn").states(Reader)["seen"].tolist() == [1, 1]
    assert model.run(lps=2, city="Köln").states(Reader)["seen"].tolist() == [0, 0]


def test_more_workers_than_cores_are_noted(models):
    notes = models[1].run(workers=200, sync="optimistic", mapping="fixed").notes
    assert any(note.startswith("workers=200, but there are ") for note in notes)
    assert not any("workers=" in note for note in models[1].run(workers=1).notes)


def test_replications(models):
    frame = an.run("phold", lps=16, until=5, replications=3, seed=4)
    assert set(frame["n"]) == {3} and "received" in set(frame["figure"])
    alone = [an.run("phold", lps=16, until=5, seed=seed, sync="sequential")["received"] for seed in (4, 5, 6)]
    assert frame.set_index("figure").loc["received", "mean"] == pytest.approx(sum(alone) / 3)
    assert len(models[0].run(replications=2)) == 0  # there are no figures


def test_time_0_is_an_end(models):
    assert models[1].run(until=0).committed == 0
