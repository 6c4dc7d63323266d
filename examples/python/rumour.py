"""A rumour: a person who hears it for the first time tells some others, each after a while.

    python examples/python/rumour.py workers=2
"""

import sys

import anachron as an


class Params(an.Params):
    persons: int = 100_000
    tells: int = 2
    delay: float = 1.0  # days


class Rumour(an.Event):
    """A person hears the rumour."""


class Person(an.LP):
    knows: bool = False

    def start(self, cx):
        if cx.index == 0:
            cx.send(cx.self_id, 0.0, Rumour())

    @an.on(Rumour)
    def hear(self, cx, _rumour):
        if self.knows:
            return
        self.knows = True
        for _ in range(cx.params.tells):
            listener = cx.id(cx.rng.below(cx.lp_count))
            cx.send(listener, cx.rng.exponential(cx.params.delay), Rumour())

    @staticmethod
    def count(params):
        return params.persons

    @staticmethod
    def finish(states, params):
        return {"know_it": states["knows"].sum()}


model = an.Model(Person, params=Params, name="rumour")

if __name__ == "__main__":
    report = model.run(**dict(word.split("=") for word in sys.argv[1:]))
    if an.ranks().rank == 0:
        print(report)
