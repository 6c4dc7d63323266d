#!/usr/bin/env python3
"""How throttles do: figure 9 of Rao (2018), figures 7 and 8 of Bachan et al. (2024), with our engine and models;
and what they and the memory limit do in cases that are hard on optimism.

Usage: optimism.py PROGRAM FOLDER [--only muse9|devastator78|stress] [--network NET.tntp --trips TRIPS.tntp]
                   [--repetitions N] [--workers N] [--no-run]
  PROGRAM  build/release/bin/anachron
  FOLDER   gets muse9.csv, devastator78.csv, devastator78_progress.csv, stress.csv and, where matplotlib is, an .svg
           of all but the last
  --network, --trips  the road network; without, a generated city
Runs that are compared are made in turn, and their medians are compared.
"""

import argparse
import csv
import json
import statistics
import subprocess
import sys
from pathlib import Path

REMOTE = [0.0, 0.1, 0.25, 0.5, 0.75, 1.0]
ADAPTIVE = ["atw", "atw-repaired", "balanced"]
WINDOWS = [0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10]  # simulated minutes
SAMPLES = 60
STRAINS = {"laggard": ["--kind", "laggard", "--until", 5], "burst": ["--kind", "burst", "--lps", 1000, "--until", 20],
           "tide": ["--kind", "tide", "--lps", 1000, "--until", 4]}
STRAIN_THROTTLES = ["balanced", "mtw", "atw-repaired", "fixed", "none"]


def run(program, *arguments):
    done = subprocess.run([program, "run", *map(str, arguments), "--report", "-"], check=True, capture_output=True, text=True)
    return json.loads(done.stdout)


def in_turn(repetitions, variants):
    """{name: reports} of `variants` {name: function}, whose digests must agree."""
    reports = {name: [] for name in variants}
    for _ in range(repetitions):
        for name, function in variants.items():
            reports[name].append(function())
    digests = {r["digest"] for rs in reports.values() for r in rs}
    if len(digests) != 1:
        sys.exit(f"different digests: {digests}")
    return reports


def median(reports, field):
    return statistics.median(r[field] for r in reports)


def write(path, columns, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)


def read(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def measure_muse9(options):
    """Config #2: a fixed share of remote events; run time with an adaptive window against without."""
    rows = []
    for remote in REMOTE:
        def one(throttle):
            return lambda: run(options.program, "phold", "--lps", "10k", "--events-per-lp", 20, "--mean", 10, "--remote", remote,
                               "--until", 200, "--sync", "optimistic", "--workers", options.workers, "--throttle", throttle)
        reports = in_turn(options.repetitions, {name: one(name) for name in ["none", *ADAPTIVE]})
        without = median(reports["none"], "wall_s")
        for name, rs in reports.items():
            rows.append([remote, f"{median(rs, 'remote_events'):.4f}", name, f"{median(rs, 'wall_s'):.4f}",
                         f"{(median(rs, 'wall_s') / without - 1) * 100:.1f}", f"{median(rs, 'efficiency'):.5f}"])
            print(*rows[-1], file=sys.stderr)
    write(options.folder / "muse9.csv",
          ["remote", "sent_to_other_pe", "throttle", "seconds", "percent_against_none", "efficiency"], rows)


def thin(rounds):
    step = max(1, len(rounds["gvt"]) // SAMPLES)
    return range(step - 1, len(rounds["gvt"]), step)


def measure_devastator78(options):
    """Traffic with windows that adapt, and with constant ones."""
    if options.network:
        model = ["traffic", "--network", options.network, "--trips", options.trips]
    else:
        model = ["traffic", "--city", "64x64"]
    variants = {"balanced": ["--throttle", "balanced"], "mtw": ["--throttle", "mtw"]}
    variants |= {f"{w:g}": ["--window", w] for w in WINDOWS}
    reports = in_turn(options.repetitions, {
        name: (lambda arguments=arguments: run(options.program, *model, "--sync", "optimistic", "--workers", options.workers, *arguments))
        for name, arguments in variants.items()})
    write(options.folder / "devastator78.csv", ["window", "seconds", "efficiency", "gvt_rounds"],
          [[name, f"{median(rs, 'wall_s'):.3f}", f"{median(rs, 'efficiency'):.5f}", median(rs, "gvt_rounds")]
           for name, rs in reports.items()])
    rows = []
    for name, rs in reports.items():
        middle = sorted(rs, key=lambda r: r["wall_s"])[len(rs) // 2]["rounds"]
        committed = executed = 0
        for i in thin(middle):
            new_committed, new_executed = middle["committed"][i] - committed, middle["executed"][i] - executed
            committed, executed = middle["committed"][i], middle["executed"][i]
            rows.append([name, f"{middle['wall_s'][i]:.4f}", f"{middle['gvt'][i]:.4f}",
                         f"{new_committed / new_executed:.4f}" if new_executed else ""])
    write(options.folder / "devastator78_progress.csv", ["window", "wall_s", "gvt", "efficiency"], rows)


def measure_stress(options):
    """Time and memory without a limit, and with little more than the sequential run takes."""
    rows = []
    for name, arguments in STRAINS.items():
        model = ["stress", *arguments]
        sequential = run(options.program, *model, "--sync", "sequential")
        needed = sequential["memory_peak"]
        variants = {("sequential", "", ""): lambda: run(options.program, *model, "--sync", "sequential")}
        for throttle in STRAIN_THROTTLES:
            for factor in [None, 2, 1.1]:
                limit = ["--memory", int(needed * factor)] if factor else []
                variants[("optimistic", throttle, factor or "")] = (
                    lambda throttle=throttle, limit=limit: run(options.program, *model, "--sync", "optimistic", "--workers",
                                                               options.workers, "--throttle", throttle, *limit))
        for key, rs in in_turn(options.repetitions, variants).items():
            rows.append([name, *key, f"{median(rs, 'wall_s'):.3f}", f"{median(rs, 'memory_peak') / 2**20:.1f}",
                         median(rs, "retreats"), f"{median(rs, 'efficiency'):.4f}"])
            print(*rows[-1], file=sys.stderr)
    write(options.folder / "stress.csv",
          ["stress", "mode", "throttle", "limit_by_sequential", "seconds", "memory_mib", "retreats", "efficiency"], rows)


def plots():
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    plt.rcParams.update({"font.size": 9, "svg.hashsalt": "anachron"})
    return plt


def save(figure, path):
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def draw_muse9(options):
    plt = plots()
    figure, axis = plt.subplots(figsize=(4.6, 3.2))
    rows = read(options.folder / "muse9.csv")
    for name in ADAPTIVE:
        points = [(float(r["sent_to_other_pe"]), float(r["percent_against_none"])) for r in rows if r["throttle"] == name]
        axis.plot(*zip(*points), marker="o", markersize=3, label=name)
    axis.axhline(0, color="black", linewidth=0.8)
    axis.set_xlabel("share of events sent to the other PE")
    axis.set_ylabel("run time against --throttle none, %")
    axis.grid(alpha=0.3)
    axis.legend(frameon=False)
    save(figure, options.folder / "muse9.svg")


def draw_devastator78(options):
    plt = plots()
    rows = read(options.folder / "devastator78_progress.csv")
    totals = read(options.folder / "devastator78.csv")
    adaptive = ["balanced", "mtw"]
    static = [t["window"] for t in totals if t["window"] not in adaptive]
    best = min(static, key=lambda w: next(float(t["seconds"]) for t in totals if t["window"] == w))
    shown = [*adaptive, *dict.fromkeys([static[0], best, static[-1]])]
    figure, axes = plt.subplots(1, 2, figsize=(7.6, 3.2))
    for name in shown:
        label = name if name in adaptive else f"constant, {name} min"
        points = [(float(r["wall_s"]), float(r["gvt"]), float(r["efficiency"] or "nan")) for r in rows if r["window"] == name]
        wall, gvt, efficiency = zip(*points)
        axes[0].plot(wall, gvt, label=label)
        axes[1].plot(gvt, efficiency, label=label)
    axes[0].set_xlabel("wall time in s")
    axes[0].set_ylabel("GVT in simulated minutes")
    axes[1].set_xlabel("GVT in simulated minutes")
    axes[1].set_ylabel("committed / executed")
    # In the end a few vehicles drive on for long, which takes little time: cut off.
    first = [r for r in rows if r["window"] == shown[0]]
    busy = 1.2 * max(float(r["gvt"]) for r in first if float(r["wall_s"]) < 0.9 * float(first[-1]["wall_s"]))
    axes[0].set_ylim(0, busy)
    axes[1].set_xlim(0, busy)
    axes[1].set_ylim(0.9, 1.01)
    for axis in axes:
        axis.grid(alpha=0.3)
    axes[0].legend(frameon=False)
    save(figure, options.folder / "devastator78.svg")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", choices=["muse9", "devastator78", "stress"])
    parser.add_argument("--network")
    parser.add_argument("--trips")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--no-run", action="store_true")
    options = parser.parse_args()
    steps = {"muse9": (measure_muse9, draw_muse9), "devastator78": (measure_devastator78, draw_devastator78),
             "stress": (measure_stress, None)}
    for name, (measure, draw) in steps.items():
        if options.only not in (None, name):
            continue
        if not options.no_run:
            measure(options)
        try:
            if draw:
                draw(options)
        except ImportError:
            print("no matplotlib: no figure", file=sys.stderr)


if __name__ == "__main__":
    main()
