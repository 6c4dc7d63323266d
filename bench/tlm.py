#!/usr/bin/env python3
"""Figures 9 to 11 of Bauer, Carothers and Holder (2009), in form, with our engine and its model `tlm`: committed events per
second of optimistic runs, and per second of processor time, for machines that have other work
  figure_9   over the GVT interval and the batch, for the most workers
  figure_10  over the GVT interval, for each number of workers and of transmitters per worker
  figure_11  over the number of transmitters per worker, for each number of workers; the grid grows along x with the workers

Usage: tlm.py PROGRAM FOLDER [--workers N,N,...] [--repetitions N] [--quick]
  PROGRAM  build/release/bin/anachron
  FOLDER   gets figure_9.csv, figure_10.csv, figure_11.csv and, where matplotlib is, an .svg of each
  --quick  small grids and few points: to see that it works
Runs that are compared are made in turn, and their medians are compared; runs of the same experiment must have the same digest.
"""

import argparse
import csv
import json
import statistics
import subprocess
import sys
from pathlib import Path

INTERVALS = [256, 1024, 4096, 16384]  # events of a processing element between two GVT rounds
BATCHES = [16, 64, 256, 1024]
RADIOS = [1, 10, 100]  # transmitters per worker
COLUMNS_PER_WORKER = 64  # cells along x


FIGURES = {
    "events_per_second": lambda report: round(report["rate"]),
    "events_per_cpu_second": lambda report: round(report["committed"] / report["cpu_s"]),
    "rollback_efficiency": lambda report: round(report["rollback_efficiency"], 4),
    "remote_events": lambda report: round(report["remote_events"], 4),
    "events": lambda report: report["committed"],
}


class Bench:
    def __init__(self, program, repetitions, quick):
        self.program, self.repetitions = program, repetitions
        self.rows_and_layers, self.until = ("16x4", 30) if quick else ("64x4", 60)
        self.columns = 16 if quick else COLUMNS_PER_WORKER

    def once(self, workers, radios, *more):
        grid = f"{self.columns * workers}x{self.rows_and_layers}"
        command = [self.program, "run", "tlm", "--grid", grid, "--transmitters", str(radios * workers), "--until", str(self.until),
                   "--sync", "optimistic", "--workers", str(workers), "--mapping", "fixed", *map(str, more), "--quiet", "--report", "-"]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        return json.loads(done.stdout)

    def points(self, experiments):
        """{point: medians of FIGURES} of {point: arguments of `once`}."""
        reports = {point: [] for point in experiments}
        for _ in range(self.repetitions):
            for point, arguments in experiments.items():
                reports[point].append(self.once(*arguments))
        digests = {}
        for point, arguments in experiments.items():
            of_experiment = digests.setdefault(arguments[:2], set())
            of_experiment.update(r["digest"] for r in reports[point])
            if len(of_experiment) != 1:
                sys.exit(f"{arguments}: different digests: {of_experiment}")
        return {point: tuple(statistics.median(figure(r) for r in rs) for figure in FIGURES.values())
                for point, rs in reports.items()}


def table(folder, name, columns, points):
    """Writes the points and prints them."""
    rows = [[*point, *figures] for point, figures in points.items()]
    header = [*columns, *FIGURES]
    with open(folder / f"{name}.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)
    print(name)
    for row in [header, *rows]:
        print("  ".join(f"{cell:>20}" for cell in row))


def draw(folder, name, points, x_label, x_of, line_of):
    """A line for each `line_of(point)`, over `x_of(point)`."""
    try:
        import matplotlib
        matplotlib.use("svg")
        from matplotlib import pyplot
    except ImportError:
        return
    matplotlib.rcParams.update({"font.size": 9, "svg.hashsalt": "anachron"})
    figure, both = pyplot.subplots(1, 2, figsize=(10, 4), sharex=True)
    for axes, of, label in zip(both, (0, 1), ("second", "second of processor time")):
        lines = {}
        for point, figures in points.items():
            lines.setdefault(line_of(point), []).append((x_of(point), figures[of] / 1e6))
        for name_of_line, line in lines.items():
            axes.plot(*zip(*sorted(line)), marker="o", label=name_of_line)
        axes.set(xlabel=x_label, ylabel=f"million committed events per {label}", xscale="log")
        axes.set_ylim(bottom=0)
    both[0].legend()
    figure.tight_layout()
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    pyplot.close(figure)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--workers", default="1,2")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    workers = [int(n) for n in options.workers.split(",")]
    if min(workers) < 1 or options.repetitions < 1:
        parser.error("--workers and --repetitions are numbers from 1 on")
    intervals, batches, radios = (INTERVALS[:2], BATCHES[:2], RADIOS[:2]) if options.quick else (INTERVALS, BATCHES, RADIOS)
    options.folder.mkdir(parents=True, exist_ok=True)
    bench = Bench(options.program, 1 if options.quick else options.repetitions, options.quick)

    points = bench.points({(g, b): (max(workers), 1, "--gvt-interval", g, "--batch", b) for g in intervals for b in batches})
    table(options.folder, "figure_9", ["gvt_interval", "batch"], points)
    draw(options.folder, "figure_9", points, "GVT interval", lambda p: p[0], lambda p: f"batch {p[1]}")

    points = bench.points({(w, n, g): (w, n, "--gvt-interval", g) for w in workers for n in radios for g in intervals})
    table(options.folder, "figure_10", ["workers", "transmitters_per_worker", "gvt_interval"], points)
    draw(options.folder, "figure_10", points, "GVT interval", lambda p: p[2], lambda p: f"{p[0]} workers, {p[1]} each")

    points = bench.points({(w, n): (w, n) for w in workers for n in radios})
    table(options.folder, "figure_11", ["workers", "transmitters_per_worker"], points)
    draw(options.folder, "figure_11", points, "transmitters per worker", lambda p: p[1], lambda p: f"{p[0]} workers")


if __name__ == "__main__":
    main()
