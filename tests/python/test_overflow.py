"""Whole numbers that do not fit: they wrap around or raise, compiled and interpreted."""

import pytest

import anachron as an


class Go(an.Event):
    pass


class Counter(an.LP):
    big: int = 2**62
    small: an.i1 = 100
    flags: an.u2 = 65000
    values: an.Array[an.i4, 2]
    mixed: int = 1

    def start(self, cx):
        cx.send(cx.self_id, 1.0, Go())

    @an.on(Go)
    def go(self, cx, _go):
        if cx.params.which == 0:
            self.big = self.big * 3 + cx.index
            self.mixed = (self.mixed * 6364136223846793005 + 1442695040888963407) >> 3
            self.small += 77
            self.flags = self.flags + 1000
            self.values[1] += 2**31 - 1 + cx.index
        elif cx.params.which == 1:
            self.big += self.big
        elif cx.params.which == 2:
            self.small += 77
        elif cx.params.which == 4:
            self.values[1] += 2**31 - 1 + cx.index
        elif cx.params.which == 5:
            self.values[cx.index % 2] = cx.index * 2**31
        elif cx.params.which == 3:
            self.big = -self.big - self.big - self.big
        cx.send(cx.self_id, 1.0, Go())


class Params(an.Params):
    which: int = 0


def test_numbers_wrap_around_both_ways():
    model = an.Model(Counter, params=Params)
    compiled = model.run(lps=3, until=20, sync="sequential").states(Counter)
    interpreted = model.run(lps=3, until=20, sync="sequential", compile=False).states(Counter)
    assert compiled.tobytes() == interpreted.tobytes()


@pytest.mark.parametrize("which", [1, 2, 3, 4, 5])
def test_numbers_that_do_not_fit_are_errors_both_ways(which):
    model = an.Model(Counter, params=Params, overflow="error")
    said = []
    for compile in (True, False):
        with pytest.raises(an.SimulationError, match="threw OverflowError: ") as caught:
            model.run(lps=3, until=20, which=which, compile=compile, sync="sequential")
        said.append((caught.value.lp, caught.value.time, caught.value.cause.split(":")[-1]))
    assert said[0] == said[1]


def test_the_option_is_checked():
    with pytest.raises(TypeError, match="overflow='maybe' is not valid"):
        an.Model(Counter, params=Params, overflow="maybe")
