"""PHOLD, the standard synthetic benchmark of the field (R. M. Fujimoto, 1990): balls fly between players, each throw
lands after an exponential delay. It draws what the bundled model draws, and its types are called as there, so that the
digests are the same:

    python examples/python/phold.py --lps=1024 --workers=2
    python -m anachron run phold --lps 1024 --workers 2
"""

import sys

import anachron as an


class Params(an.Params):
    lps: int = an.param(1024, "Players", at_least=1)
    events_per_lp: int = an.param(16, "Balls per player", at_least=1)
    mean: float = an.param(1.0, "Mean of the exponential part of a delay", at_least=0)
    lookahead: float = an.param(0.0, "Least delay, added to the exponential part", at_least=0)
    remote: float = an.param(1.0, "Share of throws to any player, the others to oneself", at_least=0, at_most=1)


class Ball(an.Event):
    name = "anachron::models::phold::Ball<anachron::models::phold::Undo::copy, 0>"


class Player(an.LP):
    name = "anachron::models::phold::Player<0>"
    received: int = 0

    def start(self, cx):
        for _ in range(cx.params.events_per_lp):
            self.throw(cx)

    @an.on(Ball)
    def catch(self, cx, ball):
        self.received += 1
        self.throw(cx)

    def throw(self, cx):
        to = cx.self_id
        if cx.rng.bernoulli(cx.params.remote):
            to = cx.id(cx.rng.below(cx.lp_count))
        cx.send(to, cx.params.lookahead + cx.rng.exponential(cx.params.mean), Ball())

    @staticmethod
    def count(params):
        return params.lps

    @staticmethod
    def lookahead(params):
        return params.lookahead

    @staticmethod
    def may_stop(params):
        return False

    @staticmethod
    def finish(states, params):
        return {"received": states["received"].sum(), "most_received": states["received"].max()}


model = an.Model(Player, params=Params, until=100, name="phold")

if __name__ == "__main__":
    words = dict(word.lstrip("-").replace("-", "_").split("=") for word in sys.argv[1:])
    print(model.run(**{name: float(value) if value[0].isdigit() else value for name, value in words.items()}))
