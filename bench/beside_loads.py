#!/usr/bin/env python3
"""How fast PHOLD is beside foreign loads, and beside another run of its kind: sequentially, and with two workers and
several mappings.

Usage: beside_loads.py ANACHRON [REPETITIONS [UNTIL]]
Runs in turn, so that each kind has the same minutes; prints medians in millions of events per second, and the
slowdown beside the proportional one, (workers + loads) / cores; and of two runs at once what they have together.
"""
import json
import statistics
import subprocess
import sys
import time

WORKERS = CORES = 2
MODEL = ["phold", "--lps", "10k", "--events-per-lp", "20", "--remote", "0.4"]
KINDS = {
    "sequential": ["--sync", "sequential"],
    "fixed": ["--workers", str(WORKERS), "--mapping", "fixed"],
    "ladm": ["--workers", str(WORKERS), "--mapping", "ladm"],
    "core-swap": ["--workers", str(WORKERS), "--mapping", "fixed", "--core-swap", "on"],
    "auto": ["--workers", str(WORKERS)],
}


def start(program, until, options):
    command = [program, "run", *MODEL, "--until", until, *options, "--quiet", "--report", "-"]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def rates_of(runs, digests):
    """Of runs that were started, in M/s."""
    reports = [json.loads(run.communicate()[0]) for run in runs]
    digests.update(report["digest"] for report in reports)
    return [report["rate"] / 1e6 for report in reports]


def main():
    program = sys.argv[1]
    repetitions = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    until = sys.argv[3] if len(sys.argv) > 3 else "60"
    rates, digests = {}, set()
    for _ in range(repetitions):
        for loads in range(3):
            load = loads and subprocess.Popen([program, "load", "--threads", str(loads)], stdout=subprocess.DEVNULL,
                                              stderr=subprocess.DEVNULL)
            time.sleep(0.2)
            for kind, options in KINDS.items():
                rates.setdefault((loads, kind), []).extend(rates_of([start(program, until, options)], digests))
            if load:
                load.terminate()
                load.wait()
        for kind, options in KINDS.items():
            two = [start(program, until, options) for _ in range(2)]
            rates.setdefault(("itself", kind), []).append(sum(rates_of(two, digests)))
    assert len(digests) == 1, digests
    for loads in range(3):
        for kind in KINDS:
            median = statistics.median(rates[loads, kind])
            slowdown = statistics.median(rates[0, kind]) / median
            print(f"{loads} loads, {kind:10}  {median:6.2f} M/s  slowdown {slowdown:.2f}  "
                  f"(proportional {(WORKERS + loads) / CORES:.2f})")
    for kind in KINDS:
        both = rates["itself", kind]
        print(f"two runs, {kind:10}  {statistics.median(both):6.2f} M/s together  ({min(both):.1f} to {max(both):.1f})")


if __name__ == "__main__":
    main()
