"""Networks of queues."""

import math

from .lab import at_most, validation, within
from .queues import SCV, erlang_c, gm1, mean_values, mmck

WARM = ("--warm-up", 200, "--until", 1000)


def alone(load, *options):
    """Stations that know nothing of each other."""
    return ("--stations", 100, "--leave", 1, "--load", load, *options, *WARM)


@validation("queueing M/M/c, Erlang C")
def servers(lab):
    for c in (1, 2, 5):
        found = lab.estimates("queueing", *alone(0.7, "--servers", c))
        delayed = erlang_c(0.7 * c, c)
        yield within(f"c = {c}: delayed", delayed, found["delayed_fraction"])
        yield within(f"c = {c}: waiting time", delayed / (c - 0.7 * c), found["waiting_time.mean"])
        yield within(f"c = {c}: queue length", 0.7 * c * delayed / (c - 0.7 * c), found["queue_length.mean"])
        yield within(f"c = {c}: utilisation", 0.7, found["utilisation"])


@validation("queueing M/G/1, Pollaczek-Khinchine")
def service(lab):
    for distribution, scv in SCV.items():
        found = lab.estimates("queueing", *alone(0.6, "--service", distribution))
        yield within(f"{distribution}: waiting time", 0.6 * (1 + scv) / 2 / 0.4, found["waiting_time.mean"])


@validation("queueing GI/M/1, root of the transform")
def arrivals(lab):
    mean = 1 / 0.7
    for distribution, transform in {
            "deterministic": lambda s: math.exp(-s * mean),
            "erlang:3": lambda s: (1 + s * mean / 3) ** -3,
            "gamma:0.4": lambda s: (1 + s * mean / 0.4) ** -0.4,
            "uniform:0.5": lambda s: (math.exp(-s * mean / 2) - math.exp(-1.5 * s * mean)) / (s * mean)}.items():
        found = lab.estimates("queueing", *alone(0.7, "--arrivals", distribution))
        root = gm1(transform)
        yield within(f"{distribution}: delayed", root, found["delayed_fraction"])
        yield within(f"{distribution}: waiting time", root / (1 - root), found["waiting_time.mean"])


@validation("queueing G/G/1, Kingman's bound")
def bound(lab):
    # Erlang arrivals, lognormal service, at a load of 0.9.
    limit = 0.9 * (0.5 / 0.9 ** 2 + math.expm1(0.36)) / (2 * 0.1)
    found = lab.estimates("queueing", *alone(0.9, "--arrivals", "erlang:2", "--service", "lognormal:0.6"))
    waiting = found["waiting_time.mean"]
    yield at_most("erlang:2, lognormal:0.6: waiting time", limit, waiting["mean"] + waiting["half_width"])


@validation("queueing M/M/c/K, losses")
def losses(lab):
    for c, capacity, load in ((1, 5, 0.9), (3, 3, 1.0), (2, 6, 1.4)):
        found = lab.estimates("queueing", *alone(load, "--servers", c, "--capacity", capacity))
        p = mmck(load * c, c, capacity)
        yield within(f"c = {c}, K = {capacity}, load {load}: lost", p[-1], found["lost_fraction"])
        if capacity > c:
            yield within(f"c = {c}, K = {capacity}, load {load}: queue length",
                         sum((n - c) * p[n] for n in range(c, capacity + 1)), found["queue_length.mean"])


@validation("queueing open network, Jackson")
def open_network(lab):
    found = lab.estimates("queueing", "--stations", 64, "--load", 0.6, "--leave", 0.3, "--until", 2000, "--warm-up", 200)
    yield within("response time", 2.5, found["response_time.mean"])
    yield within("queue length", 0.9, found["queue_length.mean"])
    yield within("time in the network", 2.5 / 0.3, found["sojourn_time.mean"])


CLOSED = """
station,think,inf
station,cpu,1
station,disk,1
service,think,*,lognormal:0.7,8
service,cpu,*,exponential,1
service,disk,*,exponential,1.5
population,think,*,6
route,think,cpu,*,1
route,cpu,disk,*,0.7
route,cpu,think,*,0.3
route,disk,cpu,*,1
"""


@validation("queueing closed network, mean value analysis")
def closed_network(lab):
    (lab.folder / "closed.csv").write_text(CLOSED, encoding="utf-8")
    found = lab.estimates("queueing", "--network", "closed.csv", "--until", 40_000, "--warm-up", 500)
    rounds, response = mean_values([1 / 0.3, 0.7 / 0.3], [1, 1.5], 8, 6)
    yield within("throughput", rounds, found["think.throughput"])
    yield within("processor: response time", response[0], found["cpu.response_time.mean"])
    yield within("disk: response time", response[1], found["disk.response_time.mean"])
    yield within("disk: utilisation", rounds * 0.7 / 0.3 * 1.5, found["disk.utilisation"])


PRIORITIES = """
class,a,1
class,b,2
class,c,3
station,s,1,,{}
service,s,a,exponential,0.5
service,s,b,erlang:2,1
service,s,c,deterministic,0.4
arrivals,s,a,exponential,2
arrivals,s,b,exponential,4
arrivals,s,c,exponential,2
"""
BY_CLASS = {"a": (0.5, 0.5, 0.5), "b": (0.25, 1, 1.5), "c": (0.5, 0.4, 0.16)}  # rate, mean, second moment


@validation("queueing priorities, Cobham")
def priorities(lab):
    for discipline in ("priority", "preemptive"):
        (lab.folder / "priorities.csv").write_text(PRIORITIES.format(discipline), encoding="utf-8")
        found = lab.estimates("queueing", "--network", "priorities.csv", "--until", 80_000, "--warm-up", 500)
        before, rest = 0, sum(rate * square / 2 for rate, _, square in BY_CLASS.values())
        seen = 0
        for name, (rate, mean, square) in BY_CLASS.items():
            upto = before + rate * mean
            seen += rate * square / 2
            if discipline == "priority":
                expected = rest / ((1 - before) * (1 - upto)) + mean
            else:
                expected = mean / (1 - before) + seen / ((1 - before) * (1 - upto))
            yield within(f"{discipline}, class {name}: response time", expected, found[f"{name}.response_time.mean"])
            before = upto
