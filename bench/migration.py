#!/usr/bin/env python3
"""What it gains that LPs move to PEs with less to do, and what it costs where there is nothing to gain.

Usage: migration.py PROGRAM [--repeat N] [--workers N] [--only TEXT] [--mpirun COMMAND]

Of each workload N pairs of runs, one with --migration off and one with on, in turn. Both must have the same digest. Prints
medians with quartiles: the rate without, the rate of each pair with migration over that without, and how often LPs moved.

Over ranks: --mpirun 'mpirun -n 2' --workers 1; the hot spots are then on one of two PEs of one rank."""
import argparse
import json
import os
import shlex
import statistics
import subprocess

HOTSPOT = "stress --kind hotspot --lps 10000 --factor 20"
WORKLOADS = {
    "hot spot, 1 us an event, 4 PEs": f"{HOTSPOT} --until 60 --work 100000 --pes 4",
    "hot spot, 0.1 us an event, 4 PEs": f"{HOTSPOT} --until 200 --work 10000 --pes 4",
    "hot spot that moves 10 times as often": f"{HOTSPOT} --factor 2 --until 60 --work 100000 --pes 4",
    "W1": "phold --lps 1024 --events-per-lp 16 --until 2000",
    "W2": "phold --lps 10000 --events-per-lp 20 --until 150",
    "W3": "phold --lps 1048576 --events-per-lp 10 --remote 0.1 --until 1",
    "W4": "phold --lps 200 --events-per-lp 15 --receiver gaussian --sigma 100 --until 8000",
    "traffic, 128 x 128": "traffic --city 128x128",
}


def quartiles(values):
    """Median and quartiles, as text."""
    low, middle, high = statistics.quantiles(values, n=4)
    return f"{middle:.2f} ({low:.2f} to {high:.2f})"


def run(options, arguments, migration):
    if options.mpirun:
        arguments = arguments.replace("--pes 4", "--pes 2")  # on each of two ranks
    command = [*shlex.split(options.mpirun), options.program, "run", *arguments.split(), "--workers", options.workers, "--migration", migration, "--quiet", "--report", "-"]
    allowed = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    return json.loads(subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True, env=allowed).stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--repeat", type=int, default=7)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--only", default="", help="workloads whose names contain this")
    parser.add_argument("--mpirun", default="", help="run over ranks, by this command")
    options = parser.parse_args()
    print(f"{'workload':<40} {'off, 10^6/s':<22} {'on / off':<22} moved, back")
    for name, arguments in WORKLOADS.items():
        if options.only not in name:
            continue
        off, ratios, moved = [], [], []
        for _ in range(options.repeat):
            without, with_moves = (run(options, arguments, how) for how in ("off", "on"))
            assert without["digest"] == with_moves["digest"], name
            rates = [report["committed"] / report["wall_s"] for report in (without, with_moves)]
            off.append(rates[0] / 1e6)
            ratios.append(rates[1] / rates[0])
            moved.append((with_moves["migrations"], with_moves["migrations_taken_back"]))
        print(f"{name:<40} {quartiles(off):<22} {quartiles(ratios):<22} {sorted(moved)[len(moved) // 2]}", flush=True)


if __name__ == "__main__":
    main()
