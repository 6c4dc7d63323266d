#!/usr/bin/env python3
"""How far the default settings are from the best of a grid of throttle, batch and GVT interval, per workload.

Usage: grid.py PROGRAM FOLDER [--data FOLDER] [--only NAME,...] [--repetitions N] [--workers N]
  PROGRAM  build/release/bin/anachron
  FOLDER   gets grid.csv: all combinations of all workloads; rows of workloads that are not run stay
  --data   TransportationNetworks as it comes: the road networks; without, they are left out
Prints a table in Markdown.
"""

import argparse
import csv
import subprocess
import sys
import tempfile
from pathlib import Path

WORKLOADS = {
    "W1": ["phold", "--lps", "1024", "--events-per-lp", "16", "--until", "500"],
    "W2": ["phold", "--lps", "10000", "--events-per-lp", "20", "--until", "40"],
    "W2, 10% remote": ["phold", "--lps", "10000", "--events-per-lp", "20", "--remote", "0.1", "--until", "40"],
    "W3": ["phold", "--lps", "1048576", "--events-per-lp", "10", "--remote", "0.1", "--until", "0.7"],
    "W4": ["phold", "--lps", "200", "--events-per-lp", "15", "--receiver", "gaussian", "--sigma", "100", "--until", "2000"],
    "stress, tide": ["stress", "--kind", "tide", "--lps", "1000", "--until", "4"],
    "stress, burst": ["stress", "--kind", "burst", "--lps", "1000", "--until", "20"],
}
NETWORKS = ["SiouxFalls", "Anaheim", "Berlin-Center", "Chicago-Sketch"]
AXES = ["throttle", "batch", "gvt-interval"]


def networks(data):
    for name in NETWORKS:
        files = {kind: next(data.rglob(f"{name}/*_{kind}.tntp"), None) for kind in ("net", "trips")}
        if None in files.values():
            print(f"no {name} in {data}: left out", file=sys.stderr)
            continue
        yield f"traffic, {name}", ["traffic", "--network", files["net"], "--trips", files["trips"]]


def tune(options, model):
    with tempfile.NamedTemporaryFile(suffix=".csv") as file:
        subprocess.run([options.program, "tune", *map(str, model), "--sync", "optimistic", "--workers", str(options.workers),
                        "--repetitions", str(options.repetitions), "--csv", file.name, "--quiet"],
                       check=True, stdout=subprocess.DEVNULL)
        with open(file.name, newline="", encoding="utf-8") as rows:
            return list(csv.DictReader(rows))


def summary(rows):
    compared = [r for r in rows if r["median_rate"]]
    default, best = compared[0], max(compared, key=lambda r: float(r["median_rate"]))
    return (float(default["median_rate"]) / 1e6, float(best["median_rate"]) / 1e6, ", ".join(best[a] for a in AXES))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--data", type=Path)
    parser.add_argument("--only", type=lambda text: text.split(","))
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    workloads = dict(WORKLOADS)
    if options.data:
        workloads |= networks(options.data)
    path = options.folder / "grid.csv"
    results = {}
    if path.exists():
        with open(path, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                results.setdefault(row.pop("workload"), []).append(row)
    for name, model in workloads.items():
        if options.only and not any(name.startswith(start) for start in options.only):
            continue
        results[name] = tune(options, model)
        print(name, *summary(results[name]), file=sys.stderr)
    with open(path, "w", newline="", encoding="utf-8") as file:
        columns = ["workload", *AXES, "rate", "efficiency", "median_rate"]
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        for name, rows in results.items():
            writer.writerows({"workload": name, **row} for row in rows)
    print("| workload | default | best of the grid | default / best | throttle, batch, GVT interval of the best |\n|---|---|---|---|---|")
    for name, rows in results.items():
        default, best, settings = summary(rows)
        print(f"| {name} | {default:.2f} | {best:.2f} | {default / best:.1%} | {settings} |")


if __name__ == "__main__":
    main()
