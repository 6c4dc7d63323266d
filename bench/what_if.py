#!/usr/bin/env python3
"""What exact what-if gains: variants of runs against full runs with the same changes.

Usage: what_if.py PROGRAM [--data FOLDER] [--variants N] [--only traffic,logic,epidemic]

Of each workload some variants, each with one change, one at a time on one core: a road of Chicago whose
capacity is halved, or that is closed, for 20 minutes; a gate of a circuit that becomes another one; a vaccinated
person. Each is checked: a full run with the change has the same digest, events and results.

Prints, as medians with quartiles over the variants: events that only one of the two runs has, as a share of all; events
executed for the variant, and events of the run executed again to compare or to get states back; and how many times
faster the variant was than the full run. Then the least and the greatest of these factors, how often an LP was as in
the run again, and the memory of what is kept."""
import argparse
import json
import random
import re
import statistics
import subprocess
import tempfile
from pathlib import Path


def quartiles(values):
    """Median and quartiles."""
    if len(values) < 2:
        return values[0], values[0], values[0]
    low, middle, high = statistics.quantiles(values, n=4)
    return middle, low, high


def roads(net):
    """The ends of the roads of a TNTP file that lead from node to node, and not to a zone."""
    lines = Path(net).read_text(encoding="utf-8").splitlines()
    zones = int(next(re.search(r"\d+", line).group() for line in lines if "NUMBER OF ZONES" in line))
    rows = [line.split() for line in lines if line.strip() and line.strip()[0].isdigit()]
    return [row[:2] for row in rows if int(row[0]) > zones and int(row[1]) > zones]


def traffic(options, kind, demand):
    folder = options.data / "tntp" / "Chicago-Sketch"
    net, trips = folder / "ChicagoSketch_net.tntp", folder / "ChicagoSketch_trips.tntp"
    chosen = random.Random(7).sample(roads(net), options.variants)
    change = "capacity {} {} 10 30 0.5" if kind == "halved" else "close {} {} 10 30"
    arguments = ["traffic", "--network", net, "--trips", trips, "--demand-factor", demand]
    return arguments, [change.format(*ends) for ends in chosen]


def logic(options, program):
    arguments = ["logic", "--gates", "100000", "--vectors", "20", "--gates-per-lp", "10"]
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder, "circuit.v")
        subprocess.run([program, "run", *arguments, "--until", "1", "--verilog", written, "--quiet"], check=True)
        gates = re.findall(r"^\s*(and|nand|or|nor) #\([^)]*\) \w+ \(\\(\S+)", written.read_text(), re.MULTILINE)
    chosen = random.Random(7).sample(gates, options.variants)
    return arguments, [f"gate {net} {'or' if 'and' in op else 'and'} 400" for op, net in chosen]


def epidemic(options):
    nodes = random.Random(7).sample(range(100_000), options.variants)
    return ["epidemic", "--nodes", "100000"], [f"vaccinate {node} 1" for node in nodes]


def measure(name, program, arguments, changes):
    with tempfile.TemporaryDirectory() as folder:
        variants = Path(folder, "variants")
        variants.write_text("".join(f"v{i}: {change}\n" for i, change in enumerate(changes)), encoding="utf-8")
        command = [program, "what-if", *arguments, "--changes", variants, "--check", "--side-by-side", "1",
                   "--sync", "sequential", "--out", "-"]
        out = json.loads(subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True).stdout)
    events = out["run"]["committed"]
    shares = {"other": [], "executed": [], "again": []}
    factors, rejoined = [], []
    for of in out["variants"]:
        assert not of["full_run"], of["full_run"]
        shares["other"].append(100 * (of["added"] + of["removed"]) / events)
        shares["executed"].append(100 * of["executed"] / events)
        shares["again"].append(100 * (of["executed_of_run"] + of["coasted"]) / events)
        factors.append(of["full_run_s"] / of["wall_s"])
        rejoined.append(of["rejoined"])
    print(f"{name}: {len(changes)} variants of {events:,} events, full run "
          f"{statistics.median(of['full_run_s'] for of in out['variants']):.3f} s")
    for what, values in shares.items():
        middle, low, high = quartiles(values)
        print(f"  {what:10} {middle:8.3f}% ({low:.3f} to {high:.3f})")
    middle, low, high = quartiles(factors)
    print(f"  faster     {middle:8.1f}x ({low:.1f} to {high:.1f}), least {min(factors):.1f}, most {max(factors):.1f}")
    print(f"  rejoined   {statistics.median(rejoined):8.0f}  times", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--data", type=Path, help="a folder with tntp/Chicago-Sketch; without it no traffic")
    parser.add_argument("--variants", type=int, default=50)
    parser.add_argument("--only", default="traffic,logic,epidemic")
    options = parser.parse_args()
    only = options.only.split(",")
    if "traffic" in only and options.data:
        for demand in ("0.1", "1"):
            for kind in ("halved", "closed"):
                measure(f"Chicago, demand x {demand}, a road {kind}", options.program, *traffic(options, kind, demand))
    if "logic" in only:
        measure("a gate of 100,000", options.program, *logic(options, options.program))
    if "epidemic" in only:
        measure("a person vaccinated", options.program, *epidemic(options))


if __name__ == "__main__":
    main()
