#!/usr/bin/env python3
"""M/M/1 in Cimba (https://github.com/ambonvik/cimba, by its Python package) and in Anachron (examples/python/mm1.py):
customers per second of CPU time, runs in turn, medians. Cimba's model is a process that puts customers into a container
and one that takes them out and serves them: it knows how many wait, not how long. Anachron's keeps when each came.

Usage: cimba_mm1.py [CUSTOMERS [REPETITIONS]]      needs the Python package, and cimba from PyPI
"""

import statistics
import sys
import time
from pathlib import Path

import cimba
from cimba import inputs

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "examples" / "python"))

BETWEEN, SERVICE = 1.0, 0.7


class Queue(cimba.Model):
    between: cimba.Input[float] = inputs.dist.exponential(mean=BETWEEN)
    service: cimba.Input[float] = inputs.dist.exponential(mean=SERVICE)
    line: cimba.Container
    mean_line: cimba.Output[float]

    @cimba.process
    def arrive(self):
        while True:
            cimba.hold(self.between.next())
            self.line.put(1)

    @cimba.process
    def serve(self):
        while True:
            self.line.get(1)
            cimba.hold(self.service.next())

    @cimba.on_end
    def measure(self):
        self.mean_line = self.line.mean_level()


def by_cimba(model, customers):
    """Waiting, on average."""
    window = cimba.Window(warmup=0, duration=customers * BETWEEN)
    results = cimba.Experiment(model, replications=1, window=window, seed=123).run()
    return results[model].mean_line.values.item() * BETWEEN  # Little's law


def by_anachron(model, customers):
    return model.run(customers=customers, sync="sequential")["mean_wait"]


def main():
    customers, repetitions = (int(word) for word in (sys.argv[1:] + ["10000000", "3"][len(sys.argv) - 1 :])[:2])
    from mm1 import model

    ways = {"Cimba": (by_cimba, Queue()), "Anachron": (by_anachron, model)}
    rates = {name: [] for name in ways}
    for repetition in range(repetitions + 1):
        for name, (run, of) in ways.items():
            start = time.process_time()
            wait = run(of, customers if repetition else 1000)  # the first time it compiles
            if repetition:
                rates[name].append(customers / (time.process_time() - start))
                rate = rates[name][-1]
                print(f"{name:9} {customers:>11,} customers  {rate:>13,.0f} per second  mean wait {wait:.3f}")
    medians = {name: statistics.median(of_it) for name, of_it in rates.items()}
    print(f"medians: {', '.join(f'{name} {rate:,.0f}' for name, rate in medians.items())}: Anachron has", end=" ")
    print(f"{medians['Anachron'] / medians['Cimba']:.2f} times as many")


if __name__ == "__main__":
    main()
