"""Carwash: cars wait for one of a few machines. After SimPy's example of that name."""

import anachron as an


class Params(an.Params):
    machines: int = an.param(2, "Machines in the carwash", at_least=1)
    wash: float = an.param(5.0, "Minutes that it takes to clean a car", above=0)
    interval: int = an.param(7, "A car comes about every so many minutes", at_least=3)
    first: int = an.param(4, "Cars that are there at the beginning", at_least=0)


class Carwash(an.LP):
    machines: an.Resource = an.Resource(1)
    washed: int = 0

    def start(self, cx):
        self.machines.capacity = cx.params.machines
        cx.process(self.setup(cx))

    def setup(self, cx):
        """A few cars are there, and more come while the simulation runs."""
        for number in range(cx.params.first):
            cx.process(self.car(cx, number))
        number = cx.params.first
        while True:
            yield cx.timeout(cx.rng.between(cx.params.interval - 2, cx.params.interval + 2))
            cx.process(self.car(cx, number))
            number += 1

    def wash(self, cx, number: int):
        """Takes a car and tries to clean it."""
        yield cx.timeout(cx.params.wash)
        self.washed += 1
        cx.print(f"{cx.now:4.0f} carwash removed {cx.rng.between(50, 99)}% of the dirt of car {number}")

    def car(self, cx, number: int):
        """A car arrives, waits for a machine, is washed, and leaves."""
        cx.print(f"{cx.now:4.0f} car {number} arrives at the carwash")
        with self.machines.request() as request:
            yield request
            cx.print(f"{cx.now:4.0f} car {number} enters the carwash")
            yield cx.process(self.wash(cx, number))
            cx.print(f"{cx.now:4.0f} car {number} leaves the carwash")

    @staticmethod
    def finish(states, params):
        return {"washed": int(states["washed"].sum())}


model = an.Model(Carwash, params=Params, until=20, name="carwash")

if __name__ == "__main__":
    print(model.run(lps=1))
