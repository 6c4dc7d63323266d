"""Which of two designs is better? One fast clerk, or two of half the speed: with common random numbers both meet the same customers.

    python examples/python/designs.py [PICTURE.svg]
"""

import math
import sys

import anachron as an

CUSTOMERS = 256


class Params(an.Params):
    clerks: int = an.param(1, "Clerks: together they are always as fast", at_least=1, at_most=8)
    load: float = an.param(0.7, "Share of the time in which a single clerk is busy", above=0, below=1)


class Arrive(an.Event):
    pass


class Bank(an.LP):
    arrivals: an.Stream = an.Stream(1)  # what is drawn for one purpose does not depend on the design
    work: an.Stream = an.Stream(2)
    free_at: an.Array = an.array(float, 8)  # when each clerk will have served all that are here
    stay: an.Tally

    def start(self, cx):
        cx.send(cx.self_id, cx.rng(self.arrivals).exponential(1.0), Arrive())

    @an.on(Arrive)
    def arrive(self, cx):
        clerk = 0
        for k in range(1, cx.params.clerks):
            if self.free_at[k] < self.free_at[clerk]:
                clerk = k
        work = cx.rng(self.work).exponential(cx.params.load) * cx.params.clerks
        self.free_at[clerk] = max(self.free_at[clerk], cx.now) + work
        self.stay.add(cx, self.free_at[clerk] - cx.now)
        cx.send(cx.self_id, cx.rng(self.arrivals).exponential(1.0), Arrive())

    @staticmethod
    def finish(states, params):
        return {"stay": an.Tally.merged(states["stay"])}


model = an.Model(Bank, params=Params, name="bank")


def stays(clerks, seed, banks=50):
    """The mean stay in each of so many banks, which are replications."""
    report = model.run(lps=banks, until=2000, warm_up=200, clerks=clerks, seed=seed)
    return report.states(Bank)["stay"]["mean"]


def interval(values):
    """Mean and half-width of its interval of 95%, of 50 values that are independent."""
    return values.mean(), 2.010 * values.std(ddof=1) / math.sqrt(len(values))


def with_other_customers():
    return stays(2, seed=2) - stays(1, seed=1)


def with_the_same_customers():
    return stays(2, seed=1) - stays(1, seed=1)


def best():
    """The best of four designs, with as few runs as it takes."""
    return an.select(model, {"clerks": [1, 2, 3, 4]}, figure="stay.mean", zone=0.1, lps=1, until=2000, warm_up=200)


def picture(file):
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "anachron"  # the same file each time
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(7, 3.2), layout="constrained", sharex=True, sharey=True)
    low, high = 1.5, 4.0
    for plot, seed, title in zip(axes, (2, 1), ("other customers", "the same customers")):
        plot.plot([low, high], [low, high], color="0.7")
        plot.plot(stays(1, seed=1), stays(2, seed=seed), ".", label="a bank")
        plot.set(title=title, xlabel="stay with one clerk, minutes", aspect="equal")
    axes[0].set(ylabel="stay with two clerks", xlim=(low, high), ylim=(low, high))
    figure.savefig(file, metadata={"Date": None, "Creator": None})


if __name__ == "__main__":
    for name, values in (("other", with_other_customers()), ("same", with_the_same_customers())):
        mean, half = interval(values)
        print(f"{name:5} customers: two clerks take {mean:.3f} +- {half:.3f} minutes longer")
    found = best()
    print(f"best: {found.best}, after {found.runs} runs")
    one, two = (model.run(lps=50, until=2000, warm_up=200, clerks=n) for n in (1, 2))
    print(two.compare(one).query("figure == 'stay.mean'").to_string(index=False, float_format="%.3f"))
    if len(sys.argv) > 1:
        picture(sys.argv[1])
