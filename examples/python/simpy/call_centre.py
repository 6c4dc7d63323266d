"""Call centre: agents take calls and breaks, some callers are urgent, and callers hang up when their patience is over.

Tests compare it with the same model in SimPy (tests/python/test_simpy_examples.py)."""

import anachron as an

BREAK, URGENT, USUAL = 0, 1, 2  # priorities: the smallest is served first


class Params(an.Params):
    agents: int = an.param(4, "Agents", at_least=1)
    interval: float = an.param(0.5, "Mean minutes between calls", above=0)
    talk: float = an.param(2.0, "Mean minutes of a call", above=0)
    patience: float = an.param(3.0, "Mean minutes that a caller waits", above=0)
    urgent: float = an.param(0.2, "Fraction of the callers that are urgent", at_least=0, at_most=1)
    work: float = an.param(110.0, "Minutes between the breaks of an agent", above=0)
    rest: float = an.param(10.0, "Minutes of a break", above=0)


class Centre(an.LP):
    agents: an.PriorityResource = an.PriorityResource(1)
    waits: an.Tally
    urgent_waits: an.Tally
    calls: int = 0
    lost: int = 0

    def start(self, cx):
        self.agents.capacity = cx.params.agents
        cx.process(self.arrivals(cx))
        for number in range(cx.params.agents):
            cx.process(self.breaks(cx, number))

    def arrivals(self, cx):
        """Calls come at random."""
        while True:
            yield cx.timeout(cx.rng.exponential(cx.params.interval))
            self.calls += 1
            cx.process(self.caller(cx, URGENT if cx.rng.bernoulli(cx.params.urgent) else USUAL))

    def breaks(self, cx, number: int):
        """An agent works, ends the call, and has a break; the agents begin one after the other."""
        yield cx.timeout(cx.params.work * (number + 1) / cx.params.agents)
        while True:
            with self.agents.request(priority=BREAK) as away:
                yield away
                yield cx.timeout(cx.params.rest)
            yield cx.timeout(cx.params.work)

    def caller(self, cx, priority: int):
        """A caller waits for an agent, and talks or hangs up."""
        arrived = cx.now
        with self.agents.request(priority=priority) as turn:
            got = yield turn | cx.timeout(cx.rng.exponential(cx.params.patience))
            if turn not in got:
                self.lost += 1
                return
            self.waits.add(cx, cx.now - arrived)
            if priority == URGENT:
                self.urgent_waits.add(cx, cx.now - arrived)
            yield cx.timeout(cx.rng.exponential(cx.params.talk))

    @staticmethod
    def finish(states, params):
        return {
            "lost": states["lost"].sum() / states["calls"].sum(),
            "wait": an.Tally.merged(states["waits"]),
            "urgent_wait": an.Tally.merged(states["urgent_waits"]),
        }


model = an.Model(Centre, params=Params, until=600, name="call centre")

if __name__ == "__main__":
    print(model.run(lps=200))
