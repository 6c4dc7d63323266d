#!/usr/bin/env python3
"""Measures how rates grow with the number of workers, and with the division of the cores into ranks.

Usage: scaling.py PROGRAM OUT [--workers 1,2,4,8] [--only W1,traffic] [--repetitions N] [--mpirun COMMAND]

Each repetition runs every workload sequentially and with each number of workers, in another order each time. With --mpirun
it also divides the largest number of workers among 2, 4, .. ranks. A run is kept as a line of OUT/samples.jsonl; what is
there is not run again, so begin with an empty OUT on another machine. OUT/scaling.csv has the medians and quartiles, OUT/scaling.svg the speed-up over sequential runs.
All runs of a workload have one digest, or the script fails."""
import argparse
import csv
import json
import shlex
import statistics
import subprocess
import sys
from pathlib import Path

from papers.plot import svg_plot

WORKLOADS = {
    "W1": "phold --lps 1024 --events-per-lp 16 --until 1500",
    "W2": "phold --lps 10000 --events-per-lp 20 --until 120",
    "W2r": "phold --lps 10000 --events-per-lp 20 --remote 0.1 --until 150",
    "W3": "phold --lps 1048576 --events-per-lp 10 --remote 0.1 --until 1",
    "W4": "phold --lps 200 --events-per-lp 15 --receiver gaussian --sigma 100 --until 6000",
    "W5": "phold --lps 5M --events-per-lp 4 --until 2",
    "W5r": "phold --lps 5M --events-per-lp 4 --remote 0.1 --until 2",
    "traffic": "traffic --city 96x96",
    "packets": "packets --torus 16x16x16 --until 100000",
    "epidemic": "epidemic --nodes 2M",
}
KEPT = ["digest", "committed", "executed", "rate", "wall_s", "setup_s", "cpu_s", "efficiency", "remote_events", "workers_tried", "waiting_s",
        "gvt_rounds", "gvt_s", "peak_rss"]


def default_workers(cores):
    """1, 2, 4, .. and all cores."""
    counts = [1]
    while counts[-1] * 2 <= cores:
        counts.append(counts[-1] * 2)
    return counts if counts[-1] == cores else [*counts, cores]


def variants(workers, mpirun):
    """{name: (words before the program, words behind the model)}"""
    found = {"sequential": ([], ["--sync", "sequential"])}
    for n in workers:
        found[f"{n} workers"] = ([], ["--workers", str(n)])
    ranks, most = 2, max(workers)
    while mpirun and ranks <= most:
        found[f"{ranks} ranks x {most // ranks}"] = ([*shlex.split(mpirun), "-n", str(ranks)], ["--workers", str(most // ranks)])
        ranks *= 2
    return found


def run(program, work, before, behind):
    command = [*before, program, "run", *shlex.split(work), *behind, "--report", "-", "--quiet"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    if done.returncode:
        raise RuntimeError(f"{shlex.join(command)}: exit status {done.returncode}: {done.stderr.strip()[-400:]}")
    return json.loads(done.stdout)


def describe(options):
    """The machine of the samples in OUT; this one where there are none yet."""
    path = options.out / "machine.json"
    if not path.exists():
        machine = run(options.program, "phold --lps 8 --until 1", [], ["--sync", "sequential"])["machine"]
        path.write_text(json.dumps(machine, indent=2) + "\n", encoding="utf-8")
    return json.loads(path.read_text(encoding="utf-8"))


def measure(options, workloads, cases):
    """Every sample, by (workload, variant); appends those that are missing to the file."""
    path = options.out / "samples.jsonl"
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    samples = {}
    for line in lines:
        row = json.loads(line)
        samples.setdefault((row["workload"], row["variant"]), {})[row["repetition"]] = row
    for repetition in range(options.repetitions):
        order = [(w, c) for w in workloads for c in cases]
        for name, case in order[:: 1 if repetition % 2 == 0 else -1]:
            if repetition in samples.setdefault((name, case), {}):
                continue
            try:
                report = run(options.program, WORKLOADS[name], *cases[case])
            except (RuntimeError, subprocess.TimeoutExpired) as error:
                print(error, file=sys.stderr)
                continue
            row = {"workload": name, "variant": case, "repetition": repetition, **{k: report.get(k) for k in KEPT}}
            samples[name, case][repetition] = row
            with open(path, "a", encoding="utf-8") as file:
                file.write(json.dumps(row) + "\n")
    return {key: list(rows.values()) for key, rows in samples.items() if rows}


def check_digests(samples):
    digests = {}
    for (name, _), rows in samples.items():
        digests.setdefault(name, set()).update(row["digest"] for row in rows)
    for name, found in digests.items():
        if len(found) > 1:
            sys.exit(f"{name}: different digests: {', '.join(sorted(found))}")


def quartiles(values):
    return statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3


def write_results(out, samples, workloads, cases, machine):
    rows, lines, bars = [], [], []
    for name in workloads:
        base = samples.get((name, "sequential"))
        if not base:
            continue
        sequential = statistics.median(row["rate"] for row in base)
        line = []
        for case in cases:
            found = samples.get((name, case))
            if not found:
                continue
            low, middle, high = quartiles([row["rate"] for row in found])
            efficiency = statistics.median(row["efficiency"] for row in found)
            rows.append([name, case, len(found), *(f"{r / 1e6:.2f}" for r in (middle, low, high)), f"{middle / sequential:.2f}",
                         f"{efficiency:.3f}", found[0]["digest"]])
            if case.endswith("workers"):
                n = int(case.split()[0])
                line.append((n, middle / sequential))
                bars.append((name, n, low / sequential, high / sequential))
        lines.append((name, line, False))
    with open(out / "scaling.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["workload", "variant", "runs", "M events/s", "lower quartile", "upper quartile", "of sequential", "efficiency", "digest"])
        writer.writerows(rows)
    widest = max(n for _, line, _ in lines for n, _ in line)
    ideal = ("ideal", [(n, n) for n in sorted({n for _, line, _ in lines for n, _ in line})], True)
    plot = svg_plot(f"Speed-up over sequential runs, {machine}", "workers", "times sequential", [*lines, ideal], log_x=widest > 4, y_from=0, bars=bars)
    (out / "scaling.svg").write_text(plot, encoding="utf-8")
    for row in rows:
        print(f"{row[0]:10}{row[1]:16}{row[3]:>8}  ({row[4]}-{row[5]})  {row[6]:>6}  {row[7]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("out", type=Path)
    parser.add_argument("--workers", help="numbers of workers, with commas; default: 1, 2, 4, .. and all cores")
    parser.add_argument("--only", help="names of workloads, with commas")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--mpirun", help="what starts ranks, without their number: 'mpirun --bind-to none'")
    options = parser.parse_args()
    options.program = str(Path(options.program).resolve())

    options.out.mkdir(parents=True, exist_ok=True)
    machine = describe(options)
    cores = machine["usable_cores"]
    workers = [int(n) for n in options.workers.split(",")] if options.workers else default_workers(cores)
    workloads = options.only.split(",") if options.only else list(WORKLOADS)
    for name in workloads:
        if name not in WORKLOADS:
            parser.error(f"no workload {name}; there are: {', '.join(WORKLOADS)}")
    cases = variants(workers, options.mpirun)
    samples = measure(options, workloads, cases)
    check_digests(samples)
    write_results(options.out, samples, workloads, cases, f"{machine['cpu']}, {cores} cores")


if __name__ == "__main__":
    main()
