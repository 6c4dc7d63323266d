#!/usr/bin/env python3
"""M/M/3 with impatient customers, as processes in SimPy and in Anachron, in turn: customers per second on one core. Then
1,000 such banks with one worker and with two.

Usage: simpy_patience.py [ROUNDS [CUSTOMERS]]      needs the Python package, and SimPy from PyPI
"""

import random
import statistics
import sys
import time

import anachron as an

SERVERS, BETWEEN, SERVICE, PATIENCE = 3, 0.4, 1.0, 1.0
BANKS, CUSTOMERS_OF_EACH = 1000, 1000


class Params(an.Params):
    customers: int = 1000


class Bank(an.LP):
    counter: an.Resource = an.Resource(SERVERS)
    waits: an.Tally
    reneged: int = 0

    def start(self, cx):
        cx.process(self.source(cx))

    def source(self, cx):
        for _ in range(cx.params.customers):
            cx.process(self.customer(cx))
            yield cx.timeout(cx.rng.exponential(BETWEEN))

    def customer(self, cx):
        arrived = cx.now
        with self.counter.request() as request:
            got = yield request | cx.timeout(cx.rng.exponential(PATIENCE))
            if request not in got:
                self.reneged += 1
                return
            self.waits.add(cx, cx.now - arrived)
            yield cx.timeout(cx.rng.exponential(SERVICE))

    @staticmethod
    def finish(states, params):
        return {"reneged": float(states["reneged"].sum()), "waits": an.Tally.merged(states["waits"])}


def by_simpy(customers):
    """The share that gave up, and the mean wait of the others."""
    import simpy

    rng, env, waits, reneged = random.Random(1), simpy.Environment(), [], [0]
    counter = simpy.Resource(env, SERVERS)

    def source():
        for _ in range(customers):
            env.process(customer())
            yield env.timeout(rng.expovariate(1 / BETWEEN))

    def customer():
        arrived = env.now
        with counter.request() as request:
            got = yield request | env.timeout(rng.expovariate(1 / PATIENCE))
            if request not in got:
                reneged[0] += 1
                return
            waits.append(env.now - arrived)
            yield env.timeout(rng.expovariate(1 / SERVICE))

    env.process(source())
    env.run()
    return reneged[0] / customers, statistics.fmean(waits)


def main():
    rounds, customers = (int(word) for word in (sys.argv[1:] + ["5", "200000"][len(sys.argv) - 1 :])[:2])
    model = an.Model(Bank, params=Params, name="patience")
    ratios, banks = [], []
    for _ in range(rounds):
        start = time.perf_counter()
        report = model.run(lps=1, customers=customers, sync="sequential")
        between = time.perf_counter()
        share, wait = by_simpy(customers // 5)
        here, there = (between - start) / customers, 5 * (time.perf_counter() - between) / customers
        ratios.append(there / here)
        ours = report["reneged"] / customers, report["waits"]["mean"]
        print(f"{here * 1e6:.3f} us for a customer, SimPy {there * 1e6:.2f}: {ratios[-1]:.1f} times as long")
        print(f"    gave up {ours[0]:.4f} and {share:.4f}, waited {ours[1]:.4f} and {wait:.4f}")
        walls = [model.run(lps=BANKS, customers=CUSTOMERS_OF_EACH, workers=n).wall_s for n in (1, 2)]
        banks.append(walls[0] / walls[1])
        print(f"    {BANKS} banks: {walls[0]:.3f} s with one worker, {walls[1]:.3f} s with two: {banks[-1]:.2f} times")
    print(f"medians of {rounds}: SimPy takes {statistics.median(ratios):.1f} times as long, two workers are "
          f"{statistics.median(banks):.2f} times as fast as one")


if __name__ == "__main__":
    main()
