"""Packets in a ring of switches: each switch creates packets for other ones, and forwards packets to the next switch.

    python examples/python/ring.py            a table of loads, with room for all packets and for two
    python examples/python/ring.py load=0.7   one run
"""

import sys

import anachron as an


class Params(an.Params):
    switches: int = an.param(16, "Switches in the ring", at_least=2)
    load: float = an.param(0.01, "Share of the time that a link is busy, as long as no packet is dropped", above=0)
    transmission: float = an.param(1.0, "Microseconds that a link takes to send a packet", above=0)
    latency: float = an.param(0.5, "Microseconds from one end of a link to the other", at_least=0)
    room: float = an.param(1e6, "Packets that may wait for a link", at_least=0)


class Create(an.Event):
    """A packet is created at this switch."""


class Packet(an.Event):
    """The last byte of a packet arrives at this switch."""

    to: int
    created: float
    hops: int


class Switch(an.LP):
    free_at: float = 0.0  # when the link will have sent all that waits
    delays: an.Tally  # of the packets that arrived here
    slowdown: an.Tally  # their delay, divided by that of an empty network
    sent: int = 0
    dropped: int = 0

    def start(self, cx):
        self.create_later(cx)

    def create_later(self, cx):
        p = cx.params
        links = p.switches / 2  # that a packet crosses on average
        cx.send(cx.self_id, cx.rng.exponential(p.transmission * links / p.load), Create())

    @an.on(Create)
    def create(self, cx, _create):
        to = (cx.index + 1 + cx.rng.below(cx.lp_count - 1)) % cx.lp_count  # any other switch
        self.forward(cx, to, cx.now, 0)
        self.create_later(cx)

    @an.on(Packet)
    def receive(self, cx, packet):
        if packet.to != cx.index:
            self.forward(cx, packet.to, packet.created, packet.hops)
            return
        delay = cx.now - packet.created
        self.delays.add(cx, delay)
        self.slowdown.add(cx, delay / (packet.hops * (cx.params.transmission + cx.params.latency)))

    def forward(self, cx, to: int, created: float, hops: int):
        p = cx.params
        begins = max(cx.now, self.free_at)
        if begins - cx.now > p.room * p.transmission:
            self.dropped += 1
            return
        self.sent += 1
        self.free_at = begins + p.transmission
        arrives = self.free_at + p.latency
        cx.send(cx.id((cx.index + 1) % cx.lp_count), arrives - cx.now, Packet(to, created, hops + 1))

    @staticmethod
    def count(params):
        return params.switches

    @staticmethod
    def lookahead(params):
        return params.transmission + params.latency

    @staticmethod
    def finish(states, params):
        sent, dropped = states["sent"].sum(), states["dropped"].sum()
        return {
            "delay": an.Tally.merged(states["delays"]),
            "slowdown": an.Tally.merged(states["slowdown"]),
            "dropped": dropped / max(sent + dropped, 1),
        }


model = an.Model(Switch, params=Params, until=20_000, name="ring")


def table():
    """Slowdown and dropped packets by load, with intervals of five replications."""
    rooms = {"room": [1e6, 2], "load": [0.1, 0.3, 0.5, 0.7, 0.9, 1.1]}
    frame = an.sweep(model, rooms, replications=5, warm_up=1000)
    frame["shown"] = [f"{mean:.4f} +- {half:.4f}" for mean, half in zip(frame["mean"], frame["half_width"])]
    frame = frame[frame["figure"].isin(["slowdown.mean", "dropped"])]
    return frame.pivot(index=["room", "load"], columns="figure", values="shown")


if __name__ == "__main__":
    words = sys.argv[1:]
    print(model.run(**dict(word.split("=") for word in words)) if words else table())
