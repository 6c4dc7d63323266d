#!/usr/bin/env python3
"""Compares two builds of the program `anachron`, in turn, on the workloads of docs/inside/performance.md.

Usage: two_builds.py BEFORE AFTER [--data FOLDER] [--repetitions N] [--only W1,W2]

Prints the medians of the rates, in million committed events per second: sequential, one worker, one worker that keeps
a history, two workers, and what two runs at once reach together: two sequential ones, which is the most that two
workers could, and two with a history, which is what they would if nothing went between them. Beside each workload the
round trip of a cache line between two cores, before and after it, in nanoseconds, if AFTER has bench_round_trip beside
it."""
import argparse
import json
import statistics
import subprocess
from pathlib import Path

WORKLOADS = {
    "W1": "phold --lps 1024 --events-per-lp 16 --until 300",
    "W2": "phold --lps 10000 --events-per-lp 20 --until 25",
    "W2r": "phold --lps 10000 --events-per-lp 20 --remote 0.1 --until 25",
    "W3": "phold --lps 1048576 --events-per-lp 10 --remote 0.1 --until 0.5",
    "W4": "phold --lps 200 --events-per-lp 15 --receiver gaussian --sigma 100 --until 1500",
    "W5": "phold --lps 5M --events-per-lp 4 --until 2",
    "W5r": "phold --lps 5M --events-per-lp 4 --remote 0.1 --until 2",
}
NETWORKS = {"Chicago": "Chicago-Sketch", "Berlin": "Berlin-Center"}
MODES = {
    "sequential": ["--sync", "sequential"],
    "1 worker": ["--sync", "optimistic", "--workers", "1"],
    "history": ["--sync", "optimistic", "--workers", "1", "--history", "always"],
    "2 workers": ["--sync", "optimistic", "--workers", "2"],
}
TWO_AT_ONCE = {"two at once": "sequential", "two hist.": "history"}


def start(program, work, mode):
    command = [program, "run", *work, *MODES[mode], "--report", "-", "--quiet"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def rate(run):
    report = json.loads(run.communicate()[0])
    return report["rate"] / 1e6, report["digest"]


def round_trip(program):
    beside = Path(program).parent / "bench_round_trip"
    if not beside.exists():
        return None
    return statistics.median(int(ns) for ns in subprocess.run([beside], capture_output=True, text=True).stdout.split())


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before")
    parser.add_argument("after")
    parser.add_argument("--data", type=Path, help="a folder with tntp/Chicago-Sketch and others")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--only", help="names of workloads, with commas")
    options = parser.parse_args()

    workloads = {name: text.split() for name, text in WORKLOADS.items()}
    if options.data:
        for name, folder in NETWORKS.items():
            stem = options.data / "tntp" / folder / folder
            files = {kind: next(stem.parent.glob(f"*_{kind}.tntp")) for kind in ("net", "trips")}
            workloads[name] = ["traffic", "--network", str(files["net"]), "--trips", str(files["trips"])]
    chosen = options.only.split(",") if options.only else workloads
    programs = {"before": options.before, "after": options.after}

    print(f"{'':10}{'':12}{'before':>8}{'after':>8}{'ratio':>8}")
    for name in chosen:
        rates, digests = {}, set()
        round_trips = [round_trip(options.after)]
        for repetition in range(options.repetitions):
            turn = list(programs.items())[:: 1 if repetition % 2 else -1]
            for mode in MODES:
                for which, program in turn:
                    result, digest = rate(start(program, workloads[name], mode))
                    rates.setdefault((mode, which), []).append(result)
                    digests.add(digest)
            for label, mode in TWO_AT_ONCE.items():
                for which, program in turn:
                    both = [start(program, workloads[name], mode) for _ in range(2)]
                    rates.setdefault((label, which), []).append(sum(rate(run)[0] for run in both))
        for mode in (*MODES, *TWO_AT_ONCE):
            before, after = (statistics.median(rates[mode, which]) for which in programs)
            print(f"{name:10}{mode:12}{before:8.2f}{after:8.2f}{after / before:8.2f}", flush=True)
        round_trips.append(round_trip(options.after))
        if None not in round_trips:
            print(f"{name:10}round trip  {round_trips[0]:8.0f}{round_trips[1]:8.0f}", flush=True)
        if len(digests) > 1:
            print(f"{name:10}digests differ: {', '.join(sorted(digests))}")


if __name__ == "__main__":
    main()
