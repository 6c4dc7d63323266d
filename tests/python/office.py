"""A model that uses all that handlers can do: hubs send parcels, an office counts, timers are cancelled."""

import numpy as np

import anachron as an

HOURS = 8


def hour_of(time):  # a function that nobody has compiled
    return int(time) % HOURS


class Params(an.Params):
    hubs: int = an.param(12, "Hubs", at_least=1)
    stop_after: int = an.param(0, "Deliveries until the run stops; 0: none")
    fail_at: float = an.param(-1.0, "Time from which on hub 3 fails")


class Parcel(an.Event):
    origin: an.Id["Hub"]
    hops: an.u1 = 0
    handed_in: float
    route: an.Array[an.i4, 3]


class HandIn(an.Event):
    pass


class GiveUp(an.Event, priority=-1):
    customer: int


class Delivered(an.Event):
    hub: an.Id["Hub"]
    hours: float


class Late(an.Row):
    hub: int
    hours: float
    route: an.Array[an.i4, 3]


class Office(an.LP):
    delivered: int = 0
    hours: float = 0.0
    slowest: float = 0.0
    by_hub: an.Array[an.i4, 64]

    @an.on(Delivered)
    def note(self, cx, d):
        self.delivered += 1
        self.hours += d.hours
        self.slowest = max(self.slowest, d.hours)
        self.by_hub[d.hub.index] += 1
        if cx.params.stop_after > 0 and self.delivered >= cx.params.stop_after:
            cx.stop()

    @staticmethod
    def count(params):
        return 1

    @staticmethod
    def finish(states, params):
        return {"delivered": states["delivered"][0], "slowest": states["slowest"][0]}


class Hub(an.LP):
    left: an.i2 = 40
    given_up: an.i4 = 0
    busy: bool = False
    neighbour: an.Id
    timer: an.Handle
    by_hour: an.Array[an.u2, HOURS]
    grid: an.Array[float, (2, 3)]

    def start(self, cx):
        self.neighbour = cx.id((cx.index + 1) % cx.lp_count)
        cx.send(cx.self_id, cx.rng.uniform(0.0, 1.0), HandIn())

    @an.on(HandIn)
    def hand_in(self, cx, _event):
        rng = cx.rng
        to = cx.id(rng.below(cx.lp_count))
        parcel = Parcel(cx.self_id, handed_in=cx.now)
        cx.send(to, cx.shared.distance[cx.index, to.index] + rng.exponential(0.1), parcel)
        if self.busy:
            cx.cancel(self.timer)
        self.timer = cx.send(cx.self_id, 0.5 + rng.gamma(2.0, 0.2), GiveUp(self.left), in_order=True)
        self.busy = True
        self.left -= 1
        if self.left > 0:
            cx.send_at(cx.self_id, cx.now + rng.normal(1.0, 0.01), HandIn(), priority=rng.between(-3, 3))

    @an.on(GiveUp)
    def give_up(self, cx, event):
        self.busy = False
        self.given_up += event.customer % 3
        self.timer = an.Handle()

    @an.on(Parcel)
    def forward(self, cx, parcel):
        if 0 <= cx.params.fail_at <= cx.now and cx.index == 3:
            raise ValueError("hub 3 is closed")
        self.by_hour[hour_of(cx.now)] += 1
        self.grid[parcel.hops % 2, cx.index % 3] += cx.rng.lognormal(0.0, 1.0) * cx.shared.scale
        if parcel.hops < 2:
            self.pass_on(cx, parcel)
        else:
            hours = cx.now - parcel.handed_in
            if hours > 1.2:
                cx.record(Late(parcel.origin.index, hours, parcel.route))
            cx.send(cx.id(Office, 0), 0.0, Delivered(parcel.origin, hours))

    def pass_on(self, cx, parcel):
        following = Parcel(parcel.origin, parcel.hops + 1, parcel.handed_in, parcel.route)
        where = self.neighbour
        if where == parcel.origin or cx.rng.bernoulli(0.3):
            where = cx.id(cx.rng.below(cx.count(Hub)))
        cx.send(where, cx.rng.triangular(0.1, 0.2, 0.6), following)

    @staticmethod
    def count(params):
        return params.hubs

    @staticmethod
    def load(params):
        return np.arange(1.0, params.hubs + 1)

    @staticmethod
    def finish(states, params):
        return {"given_up": states["given_up"].sum(), "hours": {"parcels": states["by_hour"].sum(axis=0)}}


def distances(params):
    return {"distance": np.random.default_rng(1).random((params.hubs, params.hubs)), "scale": 2}


def make_model(**options):
    return an.Model([Hub, Office], params=Params, rows=[Late], shared=distances, name="office", **options)
