"""Processes whose arguments are texts."""

import pytest

import anachron as an


class Garage(an.LP):
    lift: an.Resource = an.Resource(1)
    left: str

    def start(self, cx):
        for number in range(3):
            cx.process(self.car(cx, f"car {number}"))
        cx.process(self.car(cx))
        cx.process(self.car(cx, "a truck", b"\x01\x02"))

    def car(self, cx, name: an.Text[10] = "nobody", plate: an.Bytes[2] = b"x"):
        yield cx.timeout(cx.rng.exponential(1.0))
        with self.lift.request() as turn:
            yield turn
            if name.startswith("car"):
                name = name + "!"
            yield cx.timeout(1.0 + len(plate))
        self.left = self.left + name + ";"


@pytest.mark.parametrize(
    "options",
    [
        {"sync": "sequential"},
        {"sync": "optimistic", "workers": 2, "pes": 3, "check_rollback": True},
        {"sync": "optimistic", "pes": 2, "check_rollback": True, "compile": False},
    ],
    ids=str,
)
def test_an_argument_may_be_a_text(options):
    model = an.Model(Garage, until=30)
    expected = model.run(lps=4, sync="sequential", compile=False)
    report = model.run(lps=4, **options)
    assert report.digest == expected.digest
    left = report.states(Garage)["left"].tolist()
    assert left == expected.states(Garage)["left"].tolist()
    assert sorted(left[0].split(";")) == ["", "a truck", "car 0!", "car 1!", "car 2!", "nobody"]


@pytest.mark.parametrize("compile", [True, False])
def test_a_text_that_is_too_long_for_an_argument_is_said(compile):
    class Long(an.LP):
        def start(self, cx):
            cx.process(self.car(cx, "a"))

        def car(self, cx, name: an.Text[4]):
            yield cx.timeout(1.0)
            name = name + "bcde"
            yield cx.timeout(1.0)
            cx.print(name)

    with pytest.raises(an.SimulationError, match="OverflowError: .*name.* at most 4 bytes"):
        an.Model(Long).run(lps=1, until=5, compile=compile)
