#!/usr/bin/env python3
"""Figure 4 of Rao (2018) with our queues: runs bench_muse4, counts instructions, fits lines, draws the figure.

Usage: muse4.py PROGRAM OUT.csv [FIGURE.svg] [--repetitions N] [--counted PROGRAM] [--no-run]
  PROGRAM    build/release/bin/bench_muse4
  OUT.csv    the table; written, or with --no-run only read
  FIGURE     needs matplotlib; left out without
  --counted  the same program, built so that valgrind knows its instructions (-DANACHRON_NATIVE=OFF)
Where the machine has no instruction counters, valgrind counts, if it is there: two runs of different lengths,
whose difference has no set-up in it.
"""

import argparse
import csv
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SHORT, LONG = 0.5e6, 1.0e6  # events committed in the two counted runs; more than two epochs of the largest ladder
LABELS = {"ladder": "ladder queue", "2tladder": "two-tier ladder queue", "3theap": "3tHeap", "radix": "default (radix)"}


def counted(program, queue, events_per_lp, committed):
    """Instructions of one run by valgrind; None where that does not work."""
    with tempfile.TemporaryDirectory() as scratch:
        run = subprocess.run(
            ["valgrind", "--tool=cachegrind", "--cache-sim=no", f"--cachegrind-out-file={scratch}/out",
             program, "--one", queue, str(events_per_lp), str(committed)],
            capture_output=True, text=True)
    refs = re.search(r"I\s+refs:\s+([\d,]+)", run.stderr)
    return int(refs[1].replace(",", "")) if run.returncode == 0 and refs else None


def count_instructions(program, rows):
    """Fills `instructions_per_event` where it is empty. The sweep `committed` gets one count for all its points."""
    counts = {}
    for row in rows:
        if row["instructions_per_event"]:
            continue
        key = row["queue"], row["events_per_lp"]
        if key not in counts:
            scale = max(1, int(row["pending"]) / 200_000)
            short, long = (counted(program, *key, n * scale) for n in (SHORT, LONG))
            counts[key] = f"{(long - short) / ((LONG - SHORT) * scale):.0f}" if short and long else ""
            print(f"{key[0]}, {key[1]} events per LP: {counts[key] or 'no'} instructions per event", file=sys.stderr)
        row["instructions_per_event"] = counts[key]


def fit(points):
    """Least squares of y = a + b x: b and R squared."""
    n = len(points)
    mx, my = sum(x for x, _ in points) / n, sum(y for _, y in points) / n
    sxx = sum((x - mx) ** 2 for x, _ in points)
    sxy = sum((x - mx) * (y - my) for x, y in points)
    syy = sum((y - my) ** 2 for _, y in points)
    return sxy / sxx, sxy**2 / (sxx * syy)


def series(rows, sweep, x, y):
    """Per queue the points (x, y) that have a y."""
    out = {}
    for row in rows:
        if row["sweep"] == sweep and row[y]:
            out.setdefault(row["queue"], []).append((float(row[x]), float(row[y])))
    return out


def print_fits(rows):
    print("time over events committed, as in figure 4(a), and instructions per event, as in figure 4(b):")
    instructions = series(rows, "committed", "committed", "instructions_per_event")
    for queue, points in series(rows, "committed", "committed", "seconds").items():
        slope, r2 = fit(points)
        count = f"{instructions[queue][-1][1]:6.0f} instructions" if queue in instructions else ""
        print(f"  {LABELS[queue]:22} {slope * 1e9:7.1f} ns/event (R² {r2:.4f}) {count}")


def draw(rows, figure):
    try:
        import matplotlib
    except ImportError:
        print("no matplotlib: no figure", file=sys.stderr)
        return
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.rcParams.update({"font.size": 9, "svg.hashsalt": "anachron"})
    panels = [
        ("committed", "committed", "seconds", "events committed", "CPU time in s", False),
        ("pending", "pending", "ns_per_event", "events pending", "ns per event", True),
        ("pending", "pending", "instructions_per_event", "events pending", "instructions per event", True),
    ]
    panels = [p for p in panels if series(rows, p[0], p[1], p[2])]
    fig, axes = plt.subplots(1, len(panels), figsize=(3.6 * len(panels), 3.2), squeeze=False)
    for axis, (sweep, x, y, x_label, y_label, log) in zip(axes[0], panels):
        for queue, points in series(rows, sweep, x, y).items():
            axis.plot(*zip(*points), marker="o", markersize=3, label=LABELS[queue])
        if log:
            axis.set_xscale("log")
        axis.set_ylim(bottom=0)
        axis.set_xlabel(x_label)
        axis.set_ylabel(y_label)
        axis.grid(alpha=0.3)
    axes[0][0].legend(frameon=False)
    fig.tight_layout()
    fig.savefig(figure, metadata={"Date": None} if figure.suffix == ".svg" else None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("csv", type=Path)
    parser.add_argument("figure", type=Path, nargs="?")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--counted")
    parser.add_argument("--no-run", action="store_true")
    options = parser.parse_args()

    if not options.no_run:
        subprocess.run([options.program, "--repetitions", str(options.repetitions), "--csv", options.csv],
                       check=True, stdout=subprocess.DEVNULL)
    with open(options.csv, newline="") as file:
        rows = list(csv.DictReader(file))
    if not options.no_run and shutil.which("valgrind"):
        count_instructions(options.counted or options.program, rows)
        with open(options.csv, "w", newline="") as file:
            writer = csv.DictWriter(file, rows[0].keys(), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    print_fits(rows)
    if options.figure:
        draw(rows, options.figure)


if __name__ == "__main__":
    main()
