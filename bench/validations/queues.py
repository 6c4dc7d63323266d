"""Formulas of queueing theory."""

import math


def erlang_b(erlangs, servers):
    blocked = 1.0
    for k in range(1, servers + 1):
        blocked = erlangs * blocked / (k + erlangs * blocked)
    return blocked


def erlang_c(erlangs, servers):
    b = erlang_b(erlangs, servers)
    return b / (1 - erlangs / servers * (1 - b))


def mmck(erlangs, servers, capacity):
    """Probabilities of 0 .. capacity jobs."""
    p = [1.0]
    for n in range(1, capacity + 1):
        p.append(p[-1] * erlangs / min(n, servers))
    return [x / sum(p) for x in p]


def gm1(transform):
    """The probability of waiting at GI/M/1 with service of mean 1: the root of s = A*(1 - s)."""
    s = 0.5
    for _ in range(10_000):
        s = transform(1 - s)
    return s


def mean_values(visits, service, think, jobs):
    """Mean value analysis (Reiser, Lavenberg 1980): throughput of rounds, response times."""
    waiting = [0.0] * len(visits)
    for n in range(1, jobs + 1):
        response = [s * (1 + w) for s, w in zip(service, waiting)]
        rounds = n / (think + sum(v * r for v, r in zip(visits, response)))
        waiting = [rounds * v * r for v, r in zip(visits, response)]
    return rounds, response


SCV = {"exponential": 1.0, "deterministic": 0.0, "erlang:4": 0.25, "hyperexponential:4": 4.0, "lognormal:0.8": math.expm1(0.64),
       "uniform:1": 1 / 3, "gamma:0.5": 2.0}
