"""M/M/1 with customers who give up: each waits in line no longer than its patience lasts.

    python examples/python/patience.py
"""

import anachron as an

ROOM = 256


class Params(an.Params):
    between: float = an.param(1.0, "Mean minutes between two arrivals", above=0)
    service: float = an.param(1.2, "Mean minutes of service", above=0)
    patience: float = an.param(3.0, "Mean minutes until a customer in line gives up", above=0)


class Arrive(an.Event):
    pass


class GiveUp(an.Event):
    place: int


class Leave(an.Event):
    pass


class Counter(an.LP):
    busy: bool = False
    first: int = 0  # the place of the first in line; places are counted round a ring
    used: int = 0  # places in use, with those of customers who have gone
    waits: an.Array = an.array(bool, ROOM)
    timers: an.Array = an.array(an.Handle, ROOM)
    came: int = 0
    lost: int = 0

    def start(self, cx):
        cx.send(cx.self_id, cx.rng.exponential(cx.params.between), Arrive())

    @an.on(Arrive)
    def arrive(self, cx, _arrive):
        cx.send(cx.self_id, cx.rng.exponential(cx.params.between), Arrive())
        self.came += 1
        if not self.busy:
            self.serve(cx)
            return
        if self.used == ROOM:
            raise ValueError("the line is too long: make ROOM larger")
        place = (self.first + self.used) % ROOM
        self.used += 1
        self.waits[place] = True
        self.timers[place] = cx.send(cx.self_id, cx.rng.exponential(cx.params.patience), GiveUp(place))

    @an.on(GiveUp)
    def give_up(self, cx, event):
        self.waits[event.place] = False
        self.lost += 1

    @an.on(Leave)
    def leave(self, cx, _leave):
        self.busy = False
        while self.used > 0 and not self.busy:
            place = self.first
            self.first = (self.first + 1) % ROOM
            self.used -= 1
            if self.waits[place]:
                self.waits[place] = False
                cx.cancel(self.timers[place])
                self.serve(cx)

    def serve(self, cx):
        self.busy = True
        cx.send(cx.self_id, cx.rng.exponential(cx.params.service), Leave())

    @staticmethod
    def count(params):
        return 1

    @staticmethod
    def finish(states, params):
        return {"lost": states["lost"][0] / states["came"][0]}


model = an.Model(Counter, params=Params, until=100_000, name="patience")


def lost_in_theory(params):
    """The share of customers who give up: of a birth-death process, in which n customers leave at `leaves(n)`."""

    def leaves(n):
        return 1 / params.service + (n - 1) / params.patience

    weights = [1.0]
    for n in range(1, ROOM):
        weights.append(weights[-1] / params.between / leaves(n))
    given_up = sum(weight * (n - 1) / params.patience for n, weight in enumerate(weights) if n > 1)
    return given_up / sum(weights) * params.between


if __name__ == "__main__":
    report = model.run()
    print(f"share of customers who give up {report['lost']:.4f}, in theory {lost_in_theory(Params()):.4f}")
