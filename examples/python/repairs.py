"""Machines break down, workshops repair them: the model of examples/repairs.cpp, with the same digest.

    python examples/python/repairs.py
"""

from collections import deque

import anachron as an


class Params(an.Params):
    machines: int = an.param(1000, "Number of machines", at_least=1)
    workshops: int = an.param(20, "Number of workshops", at_least=1)
    crews: int = an.param(2, "Machines that a workshop repairs at a time", at_least=1)
    uptime: float = an.param(100.0, "Mean hours from a repair to the next failure", above=0)
    repair: float = an.param(3.0, "Mean hours of a repair", above=0)
    transport: float = an.param(0.5, "Hours of the way to a workshop, and back", above=0)


class Fail(an.Event):  # a machine to itself
    pass


class Repaired(an.Event):  # a workshop to a machine
    pass


class Broken(an.Event):  # a machine to a workshop
    machine: an.Id["Machine"]


class Done(an.Event):  # a workshop to itself
    machine: an.Id["Machine"]


class Machine(an.LP):
    failed_at: float = 0.0
    failures: int = 0
    down: an.Tally

    def start(self, cx):
        self.run(cx)

    @an.on(Fail)
    def fail(self, cx, _fail):
        self.failures += 1
        self.failed_at = cx.now
        workshop = cx.id(Workshop, cx.index % cx.params.workshops)
        cx.send(workshop, cx.params.transport, Broken(cx.self_id))

    @an.on(Repaired)
    def repaired(self, cx, _repaired):
        self.down.add(cx, cx.now - self.failed_at)
        self.run(cx)

    def run(self, cx):
        cx.send(cx.self_id, cx.rng.exponential(cx.params.uptime), Fail())

    @staticmethod
    def count(params):
        return params.machines

    @staticmethod
    def lookahead(params):
        return params.transport

    @staticmethod
    def finish(states, params):
        return {"failures": int(states["failures"].sum()), "hours_down": an.Tally.merged(states["down"])}


class Workshop(an.LP):
    busy: int = 0
    line: deque[an.Id[Machine]]
    length: an.TimeAverage

    @an.on(Broken)
    def broken(self, cx, event):
        if self.busy < cx.params.crews:
            self.repair(cx, event.machine)
        else:
            self.line.append(event.machine)
            self.length.change(cx, 1.0)

    @an.on(Done)
    def done(self, cx, event):
        self.busy -= 1
        cx.send(event.machine, cx.params.transport, Repaired())
        if self.line:
            self.repair(cx, self.line.popleft())
            self.length.change(cx, -1.0)

    def repair(self, cx, machine):
        self.busy += 1
        cx.send(cx.self_id, cx.rng.exponential(cx.params.repair), Done(machine))

    @staticmethod
    def count(params):
        return params.workshops

    @staticmethod
    def lookahead(params):
        return params.transport

    @staticmethod
    def finish(states, params):
        return {"line": an.TimeAverage.merged(states["length"])}


model = an.Model([Machine, Workshop], params=Params, until=1000, name="repairs")

if __name__ == "__main__":
    print(model.run())
