"""Packets in networks: latency where it can be computed, and the loads at which topologies are saturated."""

import csv
from pathlib import Path

from packets import curve_options

from .lab import at_most, close, validation, within

TOLERANCE = {"latency_ns": 0.05, "throughput": 0.03, "hops": 0.02}
CURVES = Path(__file__).parents[1] / "results/packets/dragonfly.csv"

TRANSMISSION = 512 / 5.25  # ns of a packet on a link, with the defaults
HOST_LATENCY, LOCAL_LATENCY, GLOBAL_LATENCY, ROUTER_DELAY = 10, 50, 200, 50


def unloaded(local_links, global_links=0):
    """ns from one host to another, when nobody else is on the way."""
    links = local_links + global_links
    return ((links + 2) * TRANSMISSION + 2 * HOST_LATENCY + local_links * LOCAL_LATENCY + global_links * GLOBAL_LATENCY
            + (links + 1) * ROUTER_DELAY)


@validation("packets latency, nobody in the way")
def alone(lab):
    """All packets have ways of the same length; at this load no two of them meet."""
    for name, options, expected in (
            ("torus 16, tornado, 7 links", ("--torus", 16, "--traffic", "adversarial"), unloaded(7)),
            ("torus 8x8, neighbours, 1 link", ("--torus", "8x8", "--traffic", "neighbour"), unloaded(1)),
            ("dragonfly of single routers, 1 global link",
             ("--topology", "dragonfly", "--hosts-per-router", 1, "--routers-per-group", 1, "--global-links", 8), unloaded(0, 1))):
        latency = lab.report("packets", *options, "--load", 1e-5, "--until", 2e7)["model"]["latency"]
        yield close(f"{name}: least, ns", expected, latency["min"], 1e-6)
        yield close(f"{name}: mean, ns", expected, latency["mean"], 1e-6)


@validation("packets latency, M/D/1")
def one_queue(lab):
    """Two hosts, each on a router of its own: packets wait for the link of their host and for nothing else."""
    for load in (0.3, 0.6, 0.8):
        found = lab.estimates("packets", "--torus", 2, "--traffic", "complement", "--load", load, "--warm-up", 1e5, "--until", 2e6,
                              replications=30)
        yield within(f"load {load}: mean, ns", unloaded(1) + load * TRANSMISSION / (2 * (1 - load)), found["latency.mean"])


@validation("packets saturation")
def saturation(lab):
    """Beside the highest load with which no link has more to carry than it can. What finite buffers cost, is 8% at most."""
    dragonfly = ("--topology", "dragonfly", "--hosts-per-router", 4, "--routers-per-group", 8, "--global-links", 4)
    for name, options, bound in (
            ("torus 16x16, uniform, 8/k", ("--torus", "16x16"), 8 / 16 * 256 / 255),
            ("torus 16, tornado", ("--torus", 16, "--traffic", "adversarial"), 1 / 7),
            ("torus 16x16, complement", ("--torus", "16x16", "--traffic", "complement"), 1 / 4),
            ("torus 16x16, transpose", ("--torus", "16x16", "--traffic", "transpose"), 1 / 8),
            ("dragonfly 4, 8, 4, worst case, minimal, 1/(a p)", (*dragonfly, "--traffic", "adversarial"), 1 / 32)):
        found = lab.report("packets", *options, "--load", 1, "--warm-up", 2e4, "--until", 5e4)["model"]["throughput"]
        yield close(name, bound, found, 0.08 * bound)
    # A link between groups carries what goes by its group first and what goes on from there: about half of the load.
    found = lab.report("packets", *dragonfly, "--traffic", "adversarial", "--routing", "valiant", "--load", 1, "--warm-up", 2e4,
                       "--until", 5e4)["model"]["throughput"]
    yield at_most("dragonfly 4, 8, 4, worst case, Valiant, 1/2", 0.5 * 33 / 32, found)
    yield close("dragonfly 4, 8, 4, worst case, Valiant, 1/2", 0.5, found, 0.15 * 0.5)


@validation("packets dragonfly, CODES")
def codes(lab):
    """What CODES found, and bench/packets.py wrote down, below saturation. It lets others go first where a link is waited for."""
    with open(CURVES, newline="", encoding="utf-8") as file:
        found_by_codes = {(row["traffic"], row["routing"], float(row["load"])): row for row in csv.DictReader(file)
                          if row["engine"] == "CODES"}
    for point in (("uniform", "minimal", 0.1), ("uniform", "minimal", 0.3), ("uniform", "minimal", 0.5), ("uniform", "valiant", 0.2),
                  ("uniform", "valiant", 0.4), ("next-group", "minimal", 0.015), ("next-group", "valiant", 0.1)):
        model, theirs = lab.report("packets", *curve_options(*point))["model"], found_by_codes[point]
        name = f"{point[0]}, {point[1]}, load {point[2]:g}"
        for what, obtained in (("latency_ns", model["latency"]["mean"]), ("throughput", model["throughput"]),
                               ("hops", model["hops"]["mean"])):
            yield close(f"{name}: {what}", float(theirs[what]), obtained, TOLERANCE[what] * float(theirs[what]))
