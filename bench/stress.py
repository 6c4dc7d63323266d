#!/usr/bin/env python3
"""How throttles and the memory limit do in cases that are hard on optimism: the model `stress`.

Usage: stress.py PROGRAM FOLDER [--repetitions N] [--workers N]
  PROGRAM  build/release/bin/anachron
  FOLDER   gets stress.csv
Runs that are compared are made in turn, and their medians are compared.
"""

import argparse
import csv
import json
import statistics
import subprocess
import sys
from pathlib import Path

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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--workers", type=int, default=2)
    measure_stress(parser.parse_args())


if __name__ == "__main__":
    main()
