#!/usr/bin/env python3
"""M/M/1 in SimPy and in Anachron (examples/python/mm1.py): customers per second of CPU time.

Usage: simpy_mm1.py [CUSTOMERS_OF_SIMPY [CUSTOMERS]]      needs the Python package, and SimPy from PyPI
"""

import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples" / "python"))


def by_simpy(customers, between=1.0, service=0.7):
    import simpy

    waited = served = 0
    rng = random.Random(1)

    def customer(env, counter):
        nonlocal waited, served
        came = env.now
        with counter.request() as request:
            yield request
            waited += env.now - came
            served += 1
            if served == customers:
                done.succeed()
            yield env.timeout(rng.expovariate(1 / service))

    def source(env, counter):
        while True:
            yield env.timeout(rng.expovariate(1 / between))
            env.process(customer(env, counter))

    env = simpy.Environment()
    done = env.event()
    env.process(source(env, simpy.Resource(env)))
    env.run(done)
    return waited / served


def by_anachron(customers):
    from mm1 import model

    return model.run(customers=customers, sync="sequential")["mean_wait"]


def main():
    few, many = (int(word) for word in (sys.argv[1:] + ["200000", "10000000"][len(sys.argv) - 1 :])[:2])
    by_anachron(10)  # compiles
    rates = []
    for name, run, customers in (("SimPy", by_simpy, few), ("Anachron", by_anachron, many)):
        start = time.process_time()
        wait = run(customers)
        rates.append(customers / (time.process_time() - start))
        print(f"{name:9} {customers:>11,} customers  {rates[-1]:>13,.0f} customers/s of CPU time  mean wait {wait:.3f}")
    print(f"{rates[1] / rates[0]:.0f} times as many")


if __name__ == "__main__":
    main()
