"""Machine shop: machines make parts, break now and then, and wait for a repairman, who has other jobs of less importance.
After SimPy's example of that name."""

import anachron as an

HOURS, WEEKS = 60.0, 4


class Params(an.Params):
    machines: int = an.param(10, "Machines in the shop", at_least=1)
    part: float = an.param(10.0, "Mean minutes for a part", above=0)
    sigma: float = an.param(2.0, "Standard deviation of these", at_least=0)
    to_failure: float = an.param(300.0, "Mean minutes to a failure", above=0)
    repair: float = an.param(30.0, "Minutes that a repair takes", above=0)
    job: float = an.param(30.0, "Minutes that another job takes", above=0)


class Shop(an.LP):
    repairman: an.PreemptiveResource = an.PreemptiveResource(1)
    machines: list[an.Wait]
    broken: list[bool]
    made: list[int]
    jobs: int = 0

    def start(self, cx):
        for number in range(cx.params.machines):
            self.broken.append(False)
            self.made.append(0)
            self.machines.append(cx.process(self.work(cx, number)))
            cx.process(self.breaks(cx, number))
        cx.process(self.other_jobs(cx))

    def time_per_part(self, cx):
        while True:
            t = cx.rng.normal(cx.params.part, cx.params.sigma)
            if t > 0:
                return t

    def work(self, cx, number: int):
        """Makes parts as long as the simulation runs. A failure interrupts it, and it goes on with the part behind that."""
        while True:
            left = self.time_per_part(cx)
            while left > 0:
                start = cx.now
                try:
                    yield cx.timeout(left)
                    left = 0.0
                except an.Interrupt:
                    self.broken[number] = True
                    left -= cx.now - start
                    with self.repairman.request(priority=1) as request:
                        yield request
                        yield cx.timeout(cx.params.repair)
                    self.broken[number] = False
            self.made[number] += 1

    def breaks(self, cx, number: int):
        """Breaks the machine every now and then."""
        while True:
            yield cx.timeout(cx.rng.exponential(cx.params.to_failure))
            if not self.broken[number]:
                self.machines[number].interrupt()

    def other_jobs(self, cx):
        """The repairman's other jobs, which a machine that breaks interrupts."""
        while True:
            left = cx.params.job
            while left > 0:
                with self.repairman.request(priority=2) as request:
                    yield request
                    start = cx.now
                    try:
                        yield cx.timeout(left)
                        left = 0.0
                    except an.Interrupt:
                        left -= cx.now - start
            self.jobs += 1

    @staticmethod
    def finish(states, params):
        return {"parts": float(sum(sum(made) for made in states["made"])), "jobs": float(states["jobs"].sum())}


model = an.Model(Shop, params=Params, until=WEEKS * 7 * 24 * HOURS, name="machine shop")

if __name__ == "__main__":
    print(model.run(lps=1))
