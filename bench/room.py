#!/usr/bin/env python3
"""Checks the memory model of docs/how-to/thousand-nodes.md: what it says a process takes, beside what the process took.

Usage: room.py PROGRAM [--lps N] [--ranks N] [--mpirun COMMAND]

Runs PHOLD as one process with N LPs, as one process with more and more PEs, and as many ranks of one PE with few and with N
LPs. Prints for each the most memory of a process (of the largest rank) by the model and as measured, and their ratio."""
import argparse
import json
import os
import shlex
import subprocess

MIB = 1 << 20
# The model: what docs/how-to/thousand-nodes.md says.
PROCESS = 24 * MIB  # the program
MPI = 12 * MIB  # and its MPI library
BUFFERS = 16 * MIB  # of that library and of ours, once the ranks have sent each other much
PER_LP, PER_EVENT = 64, 84
PER_PE, PER_PAIR = 79 * 1024, 29


def model(lps, events, pes=1, ranks=1, sends_much=False):
    """Bytes of one process, which has its share of LPs and events."""
    over_ranks = ranks > 1
    return (PROCESS + MPI * over_ranks + BUFFERS * (over_ranks and sends_much) + lps / ranks * PER_LP
            + events / ranks * PER_EVENT + pes * PER_PE + pes * pes * PER_PAIR)


def run(before, program, lps, events_per_lp, *more):
    """The report of a run."""
    arguments = ["run", "phold", "--lps", lps, "--events-per-lp", events_per_lp, "--until", 0.5, "--quiet", "--report", "-", *more]
    allowed = {**os.environ, "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
    done = subprocess.run([*before, program, *map(str, arguments)], check=True, capture_output=True, text=True, env=allowed)
    return json.loads(done.stdout)


def tell(name, report, predicted):
    took = max([rank["peak_rss"] for rank in report["ranks"]] or [report["peak_rss"]])
    print(f"{name:<44} {predicted / MIB:>10,.0f} {took / MIB:>10,.0f} {took / predicted:>7.2f}   {report['setup_s']:>6.2f} {report['wall_s']:>6.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--lps", type=int, default=100_000_000)
    parser.add_argument("--ranks", type=int, default=64)
    parser.add_argument("--mpirun", default="mpirun --oversubscribe")
    options = parser.parse_args()
    print(f"{'MiB of a process':<44} {'model':>10} {'measured':>10} {'ratio':>7}   {'setup':>6} {'run':>6} s")
    for lps in (1_000_000, options.lps):
        report = run([], options.program, lps, 0.02, "--sync", "sequential")
        tell(f"1 process, 1 PE, {lps:,} LPs", report, model(lps, report["peak_pending"]))
    for pes in (64, 256, 1024, 2048):
        report = run([], options.program, 4096, 1, "--workers", 2, "--pes", pes)
        tell(f"1 process, {pes:,} PEs, 4,096 LPs", report, model(4096, report["peak_pending"], pes))
    for lps in (64_000, 1_000_000, 8_000_000, options.lps):
        before = [*shlex.split(options.mpirun), "-np", str(options.ranks)]
        report = run(before, options.program, lps, 0.02, "--workers", 1, "--pes", 1)
        tell(f"{options.ranks} ranks of 1 PE, {lps:,} LPs", report, model(lps, report["peak_pending"], 1, options.ranks, lps > 1_000_000))


if __name__ == "__main__":
    main()
