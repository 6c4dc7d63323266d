"""M/M/c stations in a network (J. R. Jackson, "Networks of waiting lines", Operations Research 5, 1957): customers come
from outside, are served by one of c servers at each station, and go on or leave. In equilibrium each station is an
M/M/c queue of its own, of which Erlang's formula tells the mean waiting time.

    python examples/python/queue_network.py
"""

import math

import anachron as an

WAITING_ROOM = 256  # a state is of fixed size


class Params(an.Params):
    stations: int = an.param(8, "Stations", at_least=1)
    servers: int = an.param(3, "Servers of each", at_least=1)
    arrivals: float = an.param(1.0, "Customers per hour that come from outside, to each station", above=0)
    service: float = an.param(1.0, "Mean hours of service", above=0)
    leave: float = an.param(0.5, "Share of customers that leave the network behind a station", above=0, at_most=1)
    warm_up: float = an.param(500.0, "Hours before waiting times count", at_least=0)


class Arrival(an.Event):
    """From outside."""


class Customer(an.Event):
    """From another station."""


class Served(an.Event):
    pass


class Station(an.LP):
    busy: int = 0
    waiting: int = 0
    first: int = 0  # in the ring of those who wait
    came: an.Array = an.array(float, WAITING_ROOM)
    customers: int = 0
    waited: float = 0.0

    def start(self, cx):
        cx.send(cx.self_id, cx.rng.exponential(1 / cx.params.arrivals), Arrival())

    @an.on(Arrival)
    def arrival(self, cx, _arrival):
        cx.send(cx.self_id, cx.rng.exponential(1 / cx.params.arrivals), Arrival())
        self.enter(cx)

    @an.on(Customer)
    def customer(self, cx, _customer):
        self.enter(cx)

    def enter(self, cx):
        if self.busy < cx.params.servers:
            self.serve(cx, cx.now)
        elif self.waiting < WAITING_ROOM:
            self.came[(self.first + self.waiting) % WAITING_ROOM] = cx.now
            self.waiting += 1
        else:
            raise ValueError("the waiting room is full: make WAITING_ROOM larger")

    def serve(self, cx, came):
        self.busy += 1
        if cx.now >= cx.params.warm_up:
            self.customers += 1
            self.waited += cx.now - came
        cx.send(cx.self_id, cx.rng.exponential(cx.params.service), Served())

    @an.on(Served)
    def served(self, cx, _served):
        self.busy -= 1
        if self.waiting > 0:
            came = self.came[self.first]
            self.first = (self.first + 1) % WAITING_ROOM
            self.waiting -= 1
            self.serve(cx, came)
        if not cx.rng.bernoulli(cx.params.leave):
            cx.send(cx.id(cx.rng.below(cx.lp_count)), 0.0, Customer())

    @staticmethod
    def count(params):
        return params.stations

    @staticmethod
    def may_stop(params):
        return False

    @staticmethod
    def finish(states, params):
        return {
            "customers": states["customers"].sum(),
            "mean_wait": states["waited"].sum() / max(states["customers"].sum(), 1),
        }


def erlang_wait(servers, rate, service):
    """Mean time in the queue of M/M/c (A. K. Erlang, 1917)."""
    offered = rate * service
    if offered >= servers:
        return math.inf
    terms = [offered**k / math.factorial(k) for k in range(servers)]
    last = offered**servers / math.factorial(servers) * servers / (servers - offered)
    return last / (sum(terms) + last) * service / (servers - offered)


def theory(params):
    return erlang_wait(params.servers, params.arrivals / params.leave, params.service)


model = an.Model(Station, params=Params, until=20_000, name="queue_network")

if __name__ == "__main__":
    report = model.run()
    print(report)
    print(f"mean wait {report['mean_wait']:.4f} h, in theory {theory(Params()):.4f} h")
