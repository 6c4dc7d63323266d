#!/usr/bin/env python3
"""LPs of many entries of which each event changes a few: in a fixed array, a list, a dictionary, a set, and a priority queue.
All kinds run in turn, and ratios are those of runs of the same round.

Usage: python_containers.py [ROUNDS [ENTRIES]]      needs the Python package
"""

import statistics
import sys

import anachron as an

ENTRIES = int(sys.argv[2]) if len(sys.argv) > 2 else 100_000
LPS, CHANGES, EVENTS = 4, 4, 400_000  # of an event; of all LPs together


class Params(an.Params):
    entries: int = ENTRIES


class Step(an.Event):
    pass


class Holder(an.LP):
    """Of each kind `fill` makes the entries, and `change` changes one."""

    def start(self, cx):
        self.fill(cx.params.entries)
        cx.send(cx.self_id, cx.rng.exponential(1.0), Step())

    @an.on(Step)
    def step(self, cx, _step):
        for _ in range(CHANGES):
            self.change(cx.rng.below(cx.params.entries))
        cx.send(cx.self_id, cx.rng.exponential(1.0), Step())


class Fixed(Holder):
    values: an.Array = an.array(int, ENTRIES)

    def fill(self, n):
        self.values[:] = 1

    def change(self, i):
        self.values[i] += 1


class Listed(Holder):
    values: list[int]

    def fill(self, n):
        for _ in range(n):
            self.values.append(1)

    def change(self, i):
        self.values[i] += 1


class Named(Holder):
    values: dict[int, int]

    def fill(self, n):
        for i in range(n):
            self.values[i] = 1

    def change(self, i):
        self.values[i] += 1


class Member(Holder):
    values: set[int]

    def fill(self, n):
        for i in range(n):
            self.values.add(i)

    def change(self, i):
        if i in self.values:
            self.values.discard(i)
        else:
            self.values.add(i)


class Queued(Holder):
    values: an.PriorityQueue[int]

    def fill(self, n):
        for i in range(n):
            self.values.push(float(i), i)

    def change(self, i):
        self.values.push(self.values.priority() + i, self.values.pop())


def main():
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    kinds = {"array": Fixed, "list": Listed, "dict": Named, "set": Member, "queue": Queued}
    models = {name: an.Model(kind, params=Params, name=name) for name, kind in kinds.items()}
    until = EVENTS / LPS
    found = {(name, mode): [] for name in kinds for mode in ("sequential", "optimistic")}

    def loop(name, mode):
        """Nanoseconds of an event, without the making of the entries."""
        options = {} if mode == "sequential" else {"workers": 1, "pes": 2}
        report = models[name].run(lps=LPS, until=until, sync=mode, **options)
        short = models[name].run(lps=LPS, until=1.0, sync="sequential")
        return (report.wall_s - short.wall_s) / report.data["committed"] * 1e9

    for _ in range(rounds):
        for name in kinds:
            for mode in ("sequential", "optimistic"):
                if (name, mode) != ("array", "optimistic"):  # which copies all of it for each event
                    found[name, mode].append(loop(name, mode))
    fixed = found["array", "sequential"]
    for (name, mode), times in found.items():
        if times:
            ratios = [time / other for time, other in zip(times, fixed)]
            print(f"{name:6} {mode:10} {statistics.median(times):7.0f} ns an event, {statistics.median(ratios):5.2f} times a fixed array (sequential)")


if __name__ == "__main__":
    main()
