"""LPs that pass packets on to each other, until the run has gone on for long enough: the model that docs/coming-from/root-sim.md translates.

    python examples/python/packet_count.py
"""

import anachron as an


class Params(an.Params):
    mean: float = an.param(1.0, "Mean time until a packet arrives", above=0)


class Packet(an.Event):
    sent_at: float = 0.0


class Node(an.LP):
    packets: int = 0
    under_way: an.Tally

    def start(self, cx):
        self.pass_on(cx)

    @an.on(Packet)
    def packet(self, cx, *, sent_at):
        self.packets += 1
        self.under_way.add(cx, cx.now - sent_at)
        self.pass_on(cx)

    def pass_on(self, cx):
        receiver = cx.id(cx.rng.below(cx.lp_count))
        cx.send(receiver, cx.rng.exponential(cx.params.mean), Packet(cx.now))

    @staticmethod
    def finish(states, params):
        return {"packets": states["packets"].sum(), "fewest": states["packets"].min(), "under_way": an.Tally.merged(states["under_way"])}


model = an.Model(Node, params=Params, until=1000, name="packet_count")

if __name__ == "__main__":
    report = model.run(lps=256)
    print(f"{report['packets']} packets, at least {report['fewest']} at each node, {report['under_way']['mean']:.3f} under way")
