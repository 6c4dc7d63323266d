"""Traffic with queues, beside UXsim (Seo 2025, JOSS 10(106)), which follows each vehicle, or platoons of several, in time steps of a
second. Same roads, same demand, everybody on the route that is quickest without traffic, every vehicle on its own here.

Both are kinematic waves with a triangular fundamental diagram, and agree where roads end or meet. Where they cross, whoever is
first on a road may hold up those who want to go elsewhere. How often, depends on who is let in first: in UXsim
one by chance, here the first one to come, so that fewer are held up."""

import json
import statistics
import subprocess
from pathlib import Path

from .lab import Skipped, close, validation

CASE = Path(__file__).with_name("uxsim_case.py")


def case(lab, name, platoon, seeds, *options):
    if lab.uxsim is None:
        raise Skipped("needs UXsim: --uxsim PYTHON, of a virtual environment with the package uxsim")
    command = [lab.uxsim.absolute(), CASE, name, str(platoon), ",".join(map(str, seeds)), *options]
    done = subprocess.run(command, capture_output=True, text=True, cwd=lab.folder, check=False)
    if done.returncode:
        raise Skipped(f"UXsim does not run: {(done.stderr.strip() or 'no message').splitlines()[-1]}")
    return json.loads(done.stdout)


def write(lab, scenario):
    """As TNTP files. Lengths are such that, with a lane of 1 vehicle/h and 1 standing vehicle per unit, as many stand as in UXsim."""
    names = scenario["zones"] + sorted({end for link in scenario["links"] for end in link[:2]} - set(scenario["zones"]))
    number = {name: k for k, name in enumerate(names, 1)}
    net, trips = lab.folder / "net", lab.folder / "trips"
    rows = [f"{number[a]} {number[b]} {capacity!r} {standing / capacity!r} {minutes!r} 0 0 ;"
            for a, b, capacity, minutes, standing in scenario["links"]]
    net.write_text(f"<NUMBER OF ZONES> {len(scenario['zones'])}\n<NUMBER OF NODES> {len(names)}\n<FIRST THRU NODE> 1\n"
                   f"<NUMBER OF LINKS> {len(rows)}\n<END OF METADATA>\n" + "\n".join(rows) + "\n")
    by_origin = {}
    for a, b, vehicles in scenario["trips"]:
        by_origin.setdefault(number[a], []).append((number[b], vehicles))
    table = "".join(f"Origin {origin}\n" + "".join(f"{to} : {vehicles};\n" for to, vehicles in sorted(pairs))
                    for origin, pairs in sorted(by_origin.items()))
    trips.write_text(f"<NUMBER OF ZONES> {len(scenario['zones'])}\n<END OF METADATA>\n{table}")
    return ["--network", net, "--trips", trips, "--storage", 1, "--lane-capacity", 1, "--period", scenario["period"]]


def both(lab, scenario, seeds, *options):
    """Means over the seeds: vehicles that arrived until the horizon, and hours that they took, there and here."""
    run = [*write(lab, scenario), *options]
    ours = [lab.report("traffic", *run, "--until", scenario["horizon"], "--seed", seed)["model"] for seed in seeds]
    there = scenario["runs"]
    return (statistics.mean(r["arrived"] for r in there), statistics.mean(r["hours"] for r in there),
            statistics.mean(r["arrived"] - r["intrazonal"] for r in ours),
            statistics.mean(r["total_travel_time"] / 60 for r in ours))


SEEDS = (1, 2, 3)


@validation("traffic UXsim, where roads meet or cross")
def nodes(lab):
    for name, volume, slack in (("merge", 1500, 0.005), ("cross", 3000, 0.08)):
        scenario = case(lab, name, 1, SEEDS, str(volume))
        there, hours_there, here, hours_here = both(lab, scenario, SEEDS)
        yield close(f"{name}: arrived", there, here, 0)
        yield close(f"{name}: hours in all", hours_there, hours_here, slack * hours_there)


@validation("traffic UXsim, grid")
def grid(lab):
    for volume, slack in ((30, 0.01), (60, 0.02), (100, 0.03)):
        scenario = case(lab, "grid", 1, SEEDS, str(volume))
        there, hours_there, here, hours_here = both(lab, scenario, SEEDS)
        yield close(f"{volume} trips a pair: arrived", there, here, 0)
        yield close(f"{volume} trips a pair: hours in all", hours_there, hours_here, slack * hours_there)


@validation("traffic UXsim, Chicago-Sketch")
def chicago(lab):
    if lab.uxsim_scenario is None:
        raise Skipped("needs UXsim's scenario chicago_sketch.uxsim_scenario: --uxsim-scenario FILE")
    scenario = case(lab, str(lab.uxsim_scenario.resolve()), 5, SEEDS, "0.3")
    there, hours_there, here, hours_here = both(lab, scenario, SEEDS)
    yield close("30% of the demand: arrived", there, here, 0.001 * there)
    yield close("30% of the demand: hours in all", hours_there, hours_here, 0.02 * hours_there)
