"""What a paper found, as predicates over the points of a figure. Each tells a verdict and a sentence with the numbers.

A verdict is one of HOLDS, DIRECTION, NOTHING, FAILS and UNKNOWN. A difference counts only beyond its 95% interval.
"""

from collections.abc import Callable
from dataclasses import dataclass

from papers.numbers import Ratio, mean_with_interval, number

HOLDS = "holds"
DIRECTION = "holds in direction"
NOTHING = "no difference seen"
FAILS = "does not hold"
UNKNOWN = "no data"


@dataclass(frozen=True)
class Finding:
    claim: str
    verdict: str
    text: str  # the numbers
    because: str = ""  # the cause, as far as known, where it does not hold


def of_series(points, series):
    """The points whose series is this one, or begins with it where it ends with `*`."""
    return [p for p in points if p.series == series or series.endswith("*") and p.series.startswith(series[:-1])]


def paired(over, under, of):
    """(value of one, value of the other) for each x and repetition that both have."""
    by = {p.x: p for p in under}
    return {p.x: [(a, b) for s, t in zip(p.samples, by[p.x].samples) if (a := of(s)) is not None and (b := of(t)) is not None]
            for p in over if p.x in by}


SPEEDS = ("events/s", "seconds", "ns per event")


def interval(found):
    mean, half = found
    return number(mean) + (f" ± {number(half)}" if half else "")


def swapped(pairs):
    return [(b, a) for a, b in pairs]


def within(ratio):
    """How large a difference can be that was not seen."""
    most = 100 * max(ratio.high - 1, 1 / ratio.low - 1)
    return f"A difference is within ±{most:.0f}%" if most < 100 else "There are too few runs to see one"


def judged(ratio, expected, claim, text, because):
    """`ratio` is to be above 1; to reach half of what the paper has beyond 1, if that is known."""
    if not ratio:
        return Finding(claim, UNKNOWN, text)
    if ratio.low <= 1 <= ratio.high:
        return Finding(claim, NOTHING, f"{text}. {within(ratio)}", because)
    if ratio.high < 1:
        return Finding(claim, FAILS, text, because)
    enough = expected is None or ratio.mean >= 1 + (expected - 1) / 2
    return Finding(claim, HOLDS if enough else DIRECTION, text)


def equal(ratio, most, claim, text, because):
    """`ratio` is to be 1, give or take `most`, interval and all."""
    if not ratio:
        return Finding(claim, UNKNOWN, text)
    if ratio.low > 1 - most and ratio.high < 1 + most:
        return Finding(claim, HOLDS, text)
    if ratio.low <= 1 + most and ratio.high >= 1 - most:
        return Finding(claim, NOTHING, f"{text}. {within(ratio)}", because)
    return Finding(claim, FAILS, text, because)


@dataclass(frozen=True)
class More:
    """The first series has more of something than the second, by `times` in the paper. `at`: an x, "best" (the x where it has most
    more) or "all" (all x together), of those that `xs` lets through."""

    claim: str
    over: str
    under: str
    of: object = None  # a Quantity; None: the figure's. Where less is better, less time counts as more
    times: float | None = None
    at: object = "all"
    because: str = ""
    xs: Callable | None = None

    def test(self, figure, points):
        quantity = self.of or figure.y
        pairs = {x: of_x for x, of_x in paired(of_series(points, self.over), of_series(points, self.under), quantity.of).items()
                 if of_x and (self.xs is None or self.xs(x))}
        if not pairs or self.at not in ("all", "best", *pairs):
            return Finding(self.claim, UNKNOWN, f"no runs of {self.over} and {self.under}" + (f" at {self.at}" if pairs else ""))
        better = {x: Ratio(of_x if quantity.is_better_high else swapped(of_x)) for x, of_x in pairs.items()}
        known = {x: ratio.mean for x, ratio in better.items() if ratio.mean is not None}
        if not known:
            return Finding(self.claim, UNKNOWN, f"no {quantity.name} of {self.over} and {self.under}")
        at = max(known, key=known.get) if self.at == "best" else self.at
        chosen = [pair for of_x in pairs.values() for pair in of_x] if at == "all" else pairs[at]
        is_speed = quantity.name in SPEEDS
        shown = (lambda of_x: Ratio(of_x if quantity.is_better_high else swapped(of_x))) if is_speed else Ratio
        where = "over all points" if at == "all" else f"at {at}"
        text = f"{self.over} is {shown(chosen)} times as fast as {self.under} {where}" if is_speed \
            else f"{quantity.name} of {self.over}: {shown(chosen)} times that of {self.under} {where}"
        if len(known) > 1:
            least, most = min(known, key=known.get), max(known, key=known.get)
            text += f". At {least} {number(shown(pairs[least]).mean)} times, at {most} {number(shown(pairs[most]).mean)}"
        return judged(Ratio(chosen if quantity.is_better_high else swapped(chosen)), self.times, self.claim, text, self.because)


@dataclass(frozen=True)
class Same:
    """The two series hardly differ: by no more than `within`, interval and all."""

    claim: str
    over: str
    under: str
    within: float = 0.05
    of: object = None
    at: object = "all"
    because: str = ""

    def test(self, figure, points):
        quantity = self.of or figure.y
        pairs = paired(of_series(points, self.over), of_series(points, self.under), quantity.of)
        ratio = Ratio([pair for x, of_x in pairs.items() if self.at in ("all", x) for pair in of_x])
        if not ratio:
            return Finding(self.claim, UNKNOWN, f"no interval of {self.over} and {self.under}")
        where = "over all points" if self.at == "all" else f"at {self.at}"
        text = f"{quantity.name} of {self.over} is {ratio} times that of {self.under} {where}"
        return equal(ratio, self.within, self.claim, text, self.because)


@dataclass(frozen=True)
class AsExpected:
    """The last x, or `to`, has about as many times the first as `expected` says of it."""

    claim: str
    series: str
    expected: Callable
    within: float = 0.2
    because: str = ""
    to: object = None

    def test(self, figure, points):
        of_x = {p.x: p.samples for p in of_series(points, self.series)}
        if len(of_x) < 2 or self.to not in (None, *of_x):
            return Finding(self.claim, UNKNOWN, f"too few points of {self.series}")
        first, last = list(of_x)[0], list(of_x)[-1] if self.to is None else self.to
        values, expected = [(figure.y.of(b), figure.y.of(a)) for a, b in zip(of_x[first], of_x[last])], self.expected(last)
        text = f"{figure.y.name}, {self.series}: at {last} {Ratio(values)} times that at {first}, where {number(expected)} is to be expected"
        return equal(Ratio([(a, b * expected) for a, b in values]), self.within, self.claim, text, self.because)


@dataclass(frozen=True)
class Grows:
    """Something is more at the last x than at the first, or less with `falls`; `times` as the paper has it. `to`: another x than the
    last. `beyond`: what is to be expected there, times the first; only more than that counts."""

    claim: str
    series: str
    of: object = None
    falls: bool = False
    times: float | None = None
    because: str = ""
    to: object = None
    beyond: Callable | None = None

    def test(self, figure, points):
        quantity = self.of or figure.y
        of_x = {p.x: p.samples for p in of_series(points, self.series)}
        if len(of_x) < 2 or self.to not in (None, *of_x):
            return Finding(self.claim, UNKNOWN, f"too few points of {self.series}")
        first, last = list(of_x)[0], list(of_x)[-1] if self.to is None else self.to
        values = [(quantity.of(b), quantity.of(a)) for a, b in zip(of_x[first], of_x[last])]
        if all(a and b is not None and not b for a, b in values):  # from none to some
            mean = mean_with_interval([a for a, _ in values])[0]
            return Finding(self.claim, FAILS if self.falls else HOLDS,
                           f"{quantity.name}, {self.series}: 0 at {first}, {number(mean)} at {last}")
        text = f"{quantity.name}, {self.series}: at {last} {Ratio(values, quantity.is_computed)} times that at {first}"
        if self.beyond:
            expected = self.beyond(last)
            values = [(a, b * expected) for a, b in values]
            text += f", where {number(expected)} is to be expected"
        return judged(Ratio(swapped(values) if self.falls else values, quantity.is_computed), self.times, self.claim, text, self.because)


@dataclass(frozen=True)
class Level:
    """Something is at least `low` and at most `high` at all points of a series, or at `at`, interval and all."""

    claim: str
    series: str
    low: float = float("-inf")
    high: float = float("inf")
    of: object = None
    at: object = None
    because: str = ""

    def test(self, figure, points):
        quantity = self.of or figure.y
        chosen = [p for p in of_series(points, self.series) if self.at is None or p.x == self.at]
        found = {f"{p.series}, {p.x}" if self.series.endswith("*") else p.x: mean_with_interval(values)
                 for p in chosen if (values := p.values(quantity.of))}
        if not found:
            return Finding(self.claim, UNKNOWN, f"no {quantity.name} of {self.series}")
        least, most = min(found, key=lambda x: found[x][0]), max(found, key=lambda x: found[x][0])
        text = f"{quantity.name}, {self.series}: {interval(found[least])} (at {least})"
        text += f" to {interval(found[most])} (at {most})" if most != least else ""
        bounds = [(mean - (half or 0), mean + (half or 0)) for mean, half in found.values()]
        if all(self.low <= low and high <= self.high for low, high in bounds):
            return Finding(self.claim, HOLDS, text)
        if any(high < self.low or self.high < low for low, high in bounds):
            return Finding(self.claim, FAILS, text, self.because)
        return Finding(self.claim, NOTHING, f"{text}. The interval has the bound in it", self.because)


@dataclass(frozen=True)
class BestAt:
    """The best x of a series is one of `among`, beyond the scatter: it beats the best of the others."""

    claim: str
    series: str
    among: Callable = None
    because: str = ""

    def test(self, figure, points):
        quantity, sign = figure.y, 1 if figure.y.is_better_high else -1
        chosen = [p for p in of_series(points, self.series) if p.values(quantity.of)]
        mean = lambda p: sign * mean_with_interval(p.values(quantity.of))[0]
        right, wrong = [p for p in chosen if self.among(p.x)], [p for p in chosen if not self.among(p.x)]
        if not right or not wrong:
            return Finding(self.claim, UNKNOWN, f"too few points of {self.series}")
        best, other = max(right, key=mean), max(wrong, key=mean)
        pairs = [(quantity.of(a), quantity.of(b))[::sign] for a, b in zip(best.samples, other.samples)]
        worst = min(chosen, key=mean)
        ratio, spread = Ratio(pairs), Ratio([(quantity.of(a), quantity.of(b))[::sign] for a, b in zip(max(chosen, key=mean).samples, worst.samples)])
        text = f"{self.series}: at {best.x} {ratio} times as good as at {other.x}. The best of all is {number(spread.mean)} times the worst ({worst.x})"
        return judged(ratio, None, self.claim, text, self.because)


@dataclass(frozen=True)
class Flat:
    """Something hardly depends on x: the best x and the worst one differ by no more than `within`, interval and all."""

    claim: str
    series: str
    within: float = 0.1
    of: object = None
    because: str = ""

    def test(self, figure, points):
        quantity = self.of or figure.y
        chosen = [p for p in of_series(points, self.series) if p.values(quantity.of)]
        if len(chosen) < 2:
            return Finding(self.claim, UNKNOWN, f"too few points of {self.series}")
        mean = lambda p: mean_with_interval(p.values(quantity.of))[0]
        most, least = max(chosen, key=mean), min(chosen, key=mean)
        ratio = Ratio([(quantity.of(a), quantity.of(b)) for a, b in zip(most.samples, least.samples)])
        text = f"{quantity.name}, {self.series}: most (at {most.x}) {ratio} times the least (at {least.x})"
        if not ratio:
            return Finding(self.claim, UNKNOWN, text)
        if ratio.high < 1 + self.within:
            return Finding(self.claim, HOLDS, text)
        if ratio.low <= 1:
            return Finding(self.claim, NOTHING, f"{text}. {within(ratio)}", self.because)
        return Finding(self.claim, DIRECTION if ratio.low < 1 + self.within else FAILS, text, self.because)


@dataclass(frozen=True)
class Exceeds:
    """Of the same runs, one quantity is more than another one."""

    claim: str
    series: str
    of: object = None
    than: object = None
    because: str = ""

    def test(self, figure, points):
        pairs = [(a, b) for p in of_series(points, self.series) for s in p.samples
                 if (a := self.of.of(s)) is not None and (b := self.than.of(s)) is not None]
        ratio = Ratio(pairs)
        return judged(ratio, None, self.claim, f"{self.of.name} is {ratio} times {self.than.name}", self.because)


@dataclass(frozen=True)
class GainsMore:
    """From the first x to the last one series gains more of the figure's quantity than the other."""

    claim: str
    over: str
    under: str
    because: str = ""

    def gains(self, figure, points, series):
        """By repetition, how many times what it has at the first x it has at the last."""
        of_x = [p.samples for p in of_series(points, series)]
        return [(b / a)**(1 if figure.y.is_better_high else -1) for s, t in zip(of_x[0], of_x[-1])
                if (a := figure.y.of(s)) and (b := figure.y.of(t))] if of_x else []

    def test(self, figure, points):
        over, under = (self.gains(figure, points, series) for series in (self.over, self.under))
        text = f"{self.over} gains {Ratio([(x, 1) for x in over])} times, {self.under} {Ratio([(x, 1) for x in under])} times"
        return judged(Ratio(list(zip(over, under))), None, self.claim, text, self.because)
