"""M/M/1: customers arrive, wait in one line for one clerk, are served, and leave. The same in SimPy is in
bench/simpy_mm1.py.

    python examples/python/mm1.py
"""

import anachron as an

ROOM = 256


class Params(an.Params):
    customers: int = an.param(100_000, "Customers to be served", at_least=1)
    between: float = an.param(1.0, "Mean minutes between two arrivals", above=0)
    service: float = an.param(0.7, "Mean minutes of service", above=0)


class Arrive(an.Event):
    pass


class Leave(an.Event):
    pass


class Counter(an.LP):
    in_line: int = 0  # with the one who is served
    first: int = 0
    came: an.Array = an.array(float, ROOM)
    served: int = 0
    waited: float = 0.0

    def start(self, cx):
        cx.send(cx.self_id, cx.rng.exponential(cx.params.between), Arrive())

    @an.on(Arrive)
    def arrive(self, cx, _arrive):
        if self.in_line == ROOM:
            raise ValueError("the line is too long: make ROOM larger")
        self.came[(self.first + self.in_line) % ROOM] = cx.now
        self.in_line += 1
        if self.in_line == 1:
            self.serve(cx)
        cx.send(cx.self_id, cx.rng.exponential(cx.params.between), Arrive())

    def serve(self, cx):
        self.waited += cx.now - self.came[self.first]
        self.served += 1
        if self.served == cx.params.customers:
            cx.stop()
        cx.send(cx.self_id, cx.rng.exponential(cx.params.service), Leave())

    @an.on(Leave)
    def leave(self, cx, _leave):
        self.first = (self.first + 1) % ROOM
        self.in_line -= 1
        if self.in_line > 0:
            self.serve(cx)

    @staticmethod
    def count(params):
        return 1

    @staticmethod
    def finish(states, params):
        return {"mean_wait": states["waited"][0] / states["served"][0]}


model = an.Model(Counter, params=Params, name="mm1")

if __name__ == "__main__":
    report = model.run()
    print(f"mean wait {report['mean_wait']:.3f} minutes, in theory {0.7 * 0.7 / (1 - 0.7):.3f}")
