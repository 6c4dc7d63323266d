"""A model that uses every feature of docs/reference/python-models.md, for test_everything.py."""

import enum
import math

import numpy as np

import anachron as an


class Kind(enum.IntEnum):
    HUB = 3
    SPOKE = 4


class Ping(an.Event, priority=1):
    count: an.u2
    origin: an.Id["Hub"]
    numbers: an.Array[an.i2, 3]
    friends: an.Array[an.Id["Hub"], 2]
    marks: an.Array[bool, 2]


class News(an.Event):
    x: float


class Timer(an.Event, in_order=True):
    place: int


class Seen(an.Row):
    count: int
    mean: float


class Params(an.Params):
    hubs: int = an.param(6, "Hubs", at_least=2)
    mean: float = an.param(0.5, "Mean delay", above=0)
    stop_at: float = an.param(math.inf, "Time at which hub 0 stops the run")


class Base(an.LP):
    a: int = 1
    b: an.i8
    c: an.i4
    d: an.i2
    e: an.i1
    f: an.u4
    g: an.u2
    h: an.u1
    x: float
    y: an.f8
    ok: bool

    def note(self, cx, by):
        self.a += by
        return self.a % 7


class Hub(Base):
    grid: an.Array = an.array(float, (2, 3))
    marks: an.Array[bool, 4]
    timers: an.Array[an.Handle, 4]
    friends: an.Array[an.Id, 2]
    friend: an.Id
    timer: an.Handle
    arrivals: an.Stream = an.Stream(1)
    waits: an.Tally
    line: an.TimeAverage = an.TimeAverage(2)
    spread: an.Histogram
    batches: an.BatchMeans
    history: an.Series = an.Series(5.0)

    def start(self, cx):
        self.friend = cx.id((cx.index + 1) % cx.lp_count)
        for i in range(2):
            self.friends[i] = cx.id((cx.index + 2 + i) % cx.lp_count)
        cx.send(cx.self_id, cx.rng.uniform(), Ping(1, cx.self_id, np.array([1, 2, 3]), self.friends, self.marks[:2]))

    @an.on(Ping, Timer)
    def ping(self, cx, event):
        if isinstance(event, Timer):
            self.marks[event.place] = True
            self.timers[event.place] = an.Handle()
            return
        self.draw(cx)
        place = event.count % 4
        if self.timers[place]:
            cx.cancel(self.timers[place])
        self.timers[place] = cx.send(cx.self_id, 1.0 + self.x % 1.0, Timer(place), in_order=False)
        cx.send_at(event.friends[0], cx.now + cx.rng.exponential(cx.params.mean), self.next(cx, event), priority=-2)
        cx.record(Seen(event.count, sum(g for g in self.grid[0]) / 3))
        if event.count % 5 == 0:
            cx.broadcast(Office, 0.1, News(self.x))
            cx.broadcast(cx.range(0, cx.lp_count // 2), 0.2, News(1.0))
            cx.broadcast(cx.range(Office, 0, 1), 0.3, News(2.0))
            cx.broadcast(cx.shared.crew, 0.25, News(3.0))
            cx.broadcast(cx.shared.near[cx.index % len(cx.shared.near)], 0.25, News(4.0))
        if cx.index == 0 and cx.now >= cx.params.stop_at:
            cx.stop()
        cx.print(f"{event.count} from {event.origin.index}")

    def next(self, cx, event):
        self.e = int(Kind.SPOKE) + self.note(cx, Kind.HUB)
        return Ping(event.count + 1, cx.self_id, event.numbers, self.friends, event.marks)

    def note(self, cx, by):
        return super().note(cx, by) + 1

    def draw(self, cx):
        rng = cx.rng
        self.x += rng.uniform(1.0, 2.0) + rng.normal(1.0, 0.1) + rng.lognormal(0.0, 0.5) + rng.erlang(2, 1.0)
        self.x += rng.gamma(2.0, 0.2) + rng.beta(1.0, 2.0) + rng.weibull(1.0, 2.0) + rng.pareto(3.0, 1.0)
        self.y += rng.triangular(0.1, 0.2, 0.6) + math.sqrt(self.x) * cx.shared.scale
        self.b += rng.below(9) + rng.between(-3, 3) + rng.poisson(2.0) + rng.geometric(0.5) + rng.binomial(5, 0.5)
        self.c, self.d, self.f, self.g, self.h = self.b, self.b, self.b, self.b, self.b  # wrap around
        self.ok = rng.bernoulli(0.5) and any(mark for mark in self.marks)
        self.grid[self.b % 2, cx.index % 3] += cx.rng(self.arrivals).exponential(1.0)
        self.waits.add(cx, self.x)
        self.line.set(cx, self.line.level + 1)
        self.line.change(cx, -0.5)
        self.spread.add(cx, abs(self.x))
        self.batches.add(cx, self.y)
        self.history.add(cx)

    @an.on(News)
    def news(self, cx, news):
        self.x -= news.x

    @staticmethod
    def count(params):
        return params.hubs

    @staticmethod
    def finish(states, params):
        return {
            "wait": an.Tally.merged(states["waits"]),
            "line": an.TimeAverage.merged(states["line"]),
            "spread": an.Histogram.merged(states["spread"]),
            "batches": an.BatchMeans.merged(states["batches"]),
            "history": an.Series.merged(states["history"]),
        }


class Office(an.LP):
    heard: int
    times: int

    @an.on(News)
    def news(self, cx, news):
        self.heard += int(news.x)
        self.times += cx.count(Hub)

    @an.undo(News)
    def forget(self, news):
        self.heard -= int(news.x)
        self.times -= 6

    @staticmethod
    def count(params):
        return 2


class Letter(an.Struct):
    weight: float = 0.0
    to: an.Text[12]
    stamp: an.Bytes[4] = b"1st"


class Rounds(an.Event):
    rooms: an.List[int, 4]
    patients: an.Dict[int, int, 4]
    busy: an.Set[int, 4]


class Clinic(an.LP):
    """Processes, and what grows."""

    doctor: an.Resource = an.Resource(1)
    post: an.Store[Letter] = an.Store(4)
    late: an.Wait
    calls: an.PriorityQueue[int]
    rooms: dict[int, int]
    seen: list[float]
    notes: str
    stamps: bytes

    def start(self, cx):
        self.late = cx.event()
        for i in range(4):
            cx.process(self.patient(cx, i))
        cx.process(self.clerk(cx))

    def patient(self, cx, number: int):
        while True:
            yield cx.timeout(cx.rng.exponential(1.0))
            self.calls.push(cx.now % 1.0, number)
            with self.doctor.request() as turn:
                got = yield turn | cx.timeout(0.5)
                if turn in got:
                    self.rooms[self.calls.pop()] = number
                    yield cx.timeout(0.3)
                    yield self.post.put(Letter(cx.now, f"clinic {cx.index}"))

    def clerk(self, cx):
        while len(self.seen) < 10:
            letter = yield self.post.get()
            self.seen.append(letter.weight)
            self.notes = f"{self.notes}{letter.to[-1]};"
            self.stamps = letter.stamp + self.stamps[:8]
            if len(self.seen) == 3:
                cx.send(cx.self_id, 0.1, Rounds(self.rooms.keys(), self.rooms, self.rooms.values()))
        self.late.succeed()

    @an.on(Rounds)
    def rounds(self, cx, rounds):
        for room in rounds.rooms:
            self.seen.append(float(room + rounds.patients[room] + len(rounds.busy)))

    @staticmethod
    def count(params):
        return 2

    @staticmethod
    def finish(states, params):
        return {"letters": float(sum(map(sum, states["seen"])))}


def make_model(**options):
    shared = {"scale": 0.5, "crew": an.Group(Hub, [1, 3]), "near": an.Groups(Office, [[0], [0, 1]])}
    return an.Model([Hub, Office, Clinic], params=Params, rows=[Seen], shared=shared, until=15, name="everything", **options)
