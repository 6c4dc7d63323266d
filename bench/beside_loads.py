#!/usr/bin/env python3
"""How fast PHOLD is beside foreign loads: sequentially, and with two workers and several mappings.

Usage: beside_loads.py ANACHRON [REPETITIONS [UNTIL]]
Runs in turn, so that each kind has the same minutes; prints medians in millions of events per second, and the
slowdown beside the proportional one, (workers + loads) / cores.
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
    "relay": ["--workers", str(WORKERS), "--mapping", "fixed", "--relay", "on"],
    "auto": ["--workers", str(WORKERS)],
}


def run(program, until, options):
    command = [program, "run", *MODEL, "--until", until, *options, "--quiet", "--report", "-"]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


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
                report = run(program, until, options)
                digests.add(report["digest"])
                rates.setdefault((loads, kind), []).append(report["rate"] / 1e6)
            if load:
                load.terminate()
                load.wait()
    assert len(digests) == 1, digests
    for loads in range(3):
        for kind in KINDS:
            median = statistics.median(rates[loads, kind])
            slowdown = statistics.median(rates[0, kind]) / median
            print(f"{loads} loads, {kind:10}  {median:6.2f} M/s  slowdown {slowdown:.2f}  "
                  f"(proportional {(WORKERS + loads) / CORES:.2f})")


if __name__ == "__main__":
    main()
