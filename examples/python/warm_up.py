"""How long is the warm-up? A clerk serves customers four fifths of the time. Its line begins empty, and takes hours to fill. 10,000 such lines
are 10,000 runs; their average over time shows when the beginning is forgotten (P. D. Welch, "The statistical analysis of simulation
results", in: S. S. Lavenberg, Computer Performance Modeling Handbook, 1983).

    python examples/python/warm_up.py [PICTURE.svg]
"""

import sys

import anachron as an

LOAD = 0.8


class Arrive(an.Event):
    pass


class Leave(an.Event):
    pass


class Line(an.LP):
    waiting: int = 0  # with the customer at the clerk
    length: an.TimeAverage
    over_time: an.Series = an.Series(10)  # the length that customers find, every 10 minutes

    def start(self, cx):
        cx.send(cx.self_id, cx.rng.exponential(1.0 / LOAD), Arrive())

    @an.on(Arrive)
    def arrive(self, cx):
        self.over_time.add(cx, self.waiting)
        self.waiting += 1
        self.length.change(cx, +1)
        if self.waiting == 1:
            cx.send(cx.self_id, cx.rng.exponential(1.0), Leave())
        cx.send(cx.self_id, cx.rng.exponential(1.0 / LOAD), Arrive())

    @an.on(Leave)
    def leave(self, cx):
        self.waiting -= 1
        self.length.change(cx, -1)
        if self.waiting > 0:
            cx.send(cx.self_id, cx.rng.exponential(1.0), Leave())

    @staticmethod
    def finish(states, params):
        return {
            "length": an.TimeAverage.merged(states["length"]),
            "over_time": an.Series.merged(states["over_time"]),
        }


model = an.Model(Line, name="line")
THEORY = LOAD / (1 - LOAD)


def over_time(lines=10000, until=600):
    """The average length of the line, every ten minutes."""
    return model.run(lps=lines, until=until).tables["over_time"]


def with_warm_up(minutes, lines=10000, until=600):
    """The mean length, without what was before."""
    return model.run(lps=lines, until=until, warm_up=minutes)["length"]["mean"]


def picture(table, file):
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "anachron"  # the same file each time
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 3.2), layout="constrained")
    axes.plot(table["to"], table["mean"], label="mean of 10,000 lines")
    axes.axhline(THEORY, linestyle="--", color="0.5", label="theory, for ever")
    axes.axvspan(0, 200, color="0.9", label="warm-up")
    axes.set(xlabel="minutes", ylabel="customers in line", xlim=(0, table["to"].max()), ylim=(0, None))
    axes.legend(loc="lower right")
    figure.savefig(file, metadata={"Date": None, "Creator": None})


if __name__ == "__main__":
    table = over_time()
    for minute in (10, 50, 100, 200, 300, 600):
        print(f"{minute:4} minutes: {table['mean'][table['to'] == minute].iloc[0]:.2f} customers")
    for minutes in (0, 50, 100, 200, 300):
        print(f"warm-up {minutes:3}: mean length {with_warm_up(minutes):.2f}, in theory {THEORY:.2f}")
    if len(sys.argv) > 1:
        picture(table, sys.argv[1])
