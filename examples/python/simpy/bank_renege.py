"""Bank renege: customers leave the line of one counter when their patience is over. After SimPy's example of that name."""

import anachron as an


class Params(an.Params):
    customers: int = an.param(5, "Customers that come", at_least=1)
    interval: float = an.param(10.0, "Mean time between them, in minutes", above=0)
    least_patience: float = an.param(1.0, "Least time that a customer waits", at_least=0)
    most_patience: float = an.param(3.0, "Longest time that a customer waits", above=0)
    service: float = an.param(12.0, "Mean time at the counter", above=0)


class Bank(an.LP):
    counter: an.Resource = an.Resource(1)
    waits: an.Tally
    reneged: int = 0

    def start(self, cx):
        cx.process(self.source(cx))

    def source(self, cx):
        """Customers come at random."""
        for i in range(cx.params.customers):
            cx.process(self.customer(cx, i))
            yield cx.timeout(cx.rng.exponential(cx.params.interval))

    def customer(self, cx, number: int):
        """A customer arrives, is served, and leaves."""
        arrived = cx.now
        cx.print(f"{cx.now:7.4f} customer {number}: here I am")
        with self.counter.request() as request:
            patience = cx.rng.uniform(cx.params.least_patience, cx.params.most_patience)
            got = yield request | cx.timeout(patience)
            waited = cx.now - arrived
            self.waits.add(cx, waited)
            if request in got:
                cx.print(f"{cx.now:7.4f} customer {number}: waited {waited:6.3f}")
                yield cx.timeout(cx.rng.exponential(cx.params.service))
                cx.print(f"{cx.now:7.4f} customer {number}: finished")
            else:
                self.reneged += 1
                cx.print(f"{cx.now:7.4f} customer {number}: RENEGED after {waited:6.3f}")

    @staticmethod
    def finish(states, params):
        return {"reneged": states["reneged"].sum() / params.customers / len(states), "wait": an.Tally.merged(states["waits"])}


model = an.Model(Bank, params=Params, name="bank renege")

if __name__ == "__main__":
    print(model.run(lps=1))
