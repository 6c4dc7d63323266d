"""Telephone calls: Erlang's loss formula, exact where nobody moves."""

from .lab import validation, within
from .queues import erlang_b


@validation("pcs, Erlang B")
def erlang(lab):
    for load in (5, 8, 10, 15):
        found = lab.estimates("pcs", "--grid", "16x16", "--arrivals", load, "--holding", 1, "--dwell", "none", "--until", 110,
                              "--warm-up", 10)
        blocked = erlang_b(load, 10)
        yield within(f"{load} erlangs, 10 channels: blocked", blocked, found["blocked_fraction"])
        yield within(f"{load} erlangs, 10 channels: busy", load * (1 - blocked), found["busy_channels.mean"])
