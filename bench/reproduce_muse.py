#!/usr/bin/env python3
"""Repeats, with threads on this machine, the experiments of MUSE (D. M. Rao: Performance Comparison of Cross Memory Attach Capable
MPI vs. Multithreaded Optimistic Parallel Simulations, SIGSIM-PADS 2018): PHOLD over the ways in which events go from thread to
thread, and over where their memory comes from.

Usage: reproduce_muse.py PROGRAM [--only figure_7,figure_10] [--repetitions N] [--events N] [--workers 1,2] [--channels NAME,...]
                         [--sharing NAME,...] [--numa NAME,...] [--pools NAME,...] [--out DIR] [--nice N] [--quick]
  PROGRAM        build/release/bin/anachron
  --only         of figure_7 to figure_11, figure_14 and figure_15; default: all
  --repetitions  runs of each kind, in turn; means with 95% confidence intervals, as in the paper (10)
  --events       committed events of a run, about (2,000,000)
  --workers      numbers of threads (1,2)
  --channels     default: all
  --sharing      shared, copied: events that go from thread to thread; default: both
  --numa         off, on: events on the memory node of their receiver; default: both where workers can be bound to cores
  --pools        default: all that the program has
  --nice         of the runs; negative takes root
  --limit        seconds after which a run is given up (120)
  --quick        3 repetitions of short runs: to see that it works; what it finds is mostly chance
  --out          folder of tables, plots and README.md (build/muse). Its samples.jsonl has all runs; what is there is not run again
"""

import argparse
import csv
import shlex
import signal
import sys
from pathlib import Path

from air.expected import median
from muse.figures import Figures
from muse.runs import CHANNELS, NUMA, POOLS, SHARING, Experiments, Machine, Store

ALL = ["figure_7", "figure_8", "figure_9", "figure_10", "figure_11", "figure_14", "figure_15"]


def write_result(folder, result):
    if result.rows:
        with open(folder / f"{result.name}.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(result.columns)
            writer.writerows(result.rows)
    for name, plot in result.plots.items():
        (folder / f"{name}.svg").write_text(plot, encoding="utf-8")


def section(result):
    lines = [f"## {result.name.replace('_', ' ').capitalize()}: {result.title}", "", f"The paper: {result.paper}.", ""]
    lines += [f"- {finding}" for finding in result.findings] + [""]
    links = ([f"[table]({result.name}.csv)"] if result.rows else []) + [f"[{name}]({name}.svg)" for name in result.plots]
    return "\n".join([*lines, *([", ".join(links), ""] if links else [])])


def page(experiments, results):
    machine, options = experiments.machine, experiments.options
    described = machine.describe()
    loads = [row["load"] for samples in experiments.store.samples.values() for row in samples.values()]
    counted = all(row["normalised_s"] is not None for samples in experiments.store.samples.values() for row in samples.values())
    lines = ["# MUSE, repeated with threads", "",
             f"Made with `./do reproduce-muse {shlex.join(options.words)}` on {described['cpu']}, {described['usable_cores']} usable cores: means of "
             f"{options.repetitions} runs of each kind, made in turn, of about {options.events:,} events. In brackets 95% confidence intervals; those of "
             "ratios are of runs of the same turn. All runs of a model have one digest.", "",
             "Seconds are normalised to the nominal frequency of the cores, as in the paper." if counted else
             "Seconds are wall time: this machine counts no cycles for a program, so they are not normalised as in the paper.", ""]
    if loads:
        busy = median(loads) > 1.5 * described["usable_cores"]
        lines += [f"The system's load average was {min(loads):.1f} to {max(loads):.1f} meanwhile, these runs included"
                  + (": the machine was busy with more than these runs, which disturbs all figures." if busy else ".")
                  + (f" Runs had the niceness {options.nice}." if options.nice else ""), ""]
    lines += [f"Pools: {', '.join(options.pools)}. NUMA: {', '.join(options.numa)}"
              + ("" if "on" in options.numa else ", because the workers cannot be bound to cores") + f". One worker executes in order, without a channel and without rollbacks.", ""]
    if options.quick:
        lines += ["`--quick`: too short for any conclusion.", ""]
    if machine.failures:
        lines += ["Runs that failed:", *[f"- {failure}" for failure in machine.failures], ""]
    return "\n".join(lines) + "\n" + "\n".join(section(r) for r in results)


def run_all(machine, options):
    options.out.mkdir(parents=True, exist_ok=True)
    options.pools = options.pools or machine.pools()
    options.numa = options.numa or machine.numa(max(options.workers))
    store = Store(options.out / "samples.jsonl", {"events": options.events, "machine": machine.describe()["cpu"]})
    experiments = Experiments(machine, options, store)
    figures, results = Figures(experiments), []
    for name in options.only:
        print(name, file=sys.stderr)
        result = getattr(figures, name)()
        results.append(result)
        write_result(options.out, result)
        # After each, so that an interrupted session keeps what it has.
        (options.out / "README.md").write_text(page(experiments, results), encoding="utf-8")
    for result in results:
        print(f"{result.name}, {result.title}")
        for finding in result.findings:
            print(f"  {finding}")
    print(f"written to {options.out}")


def among(valid):
    def parse(text):
        for name in text.split(","):
            if name not in valid:
                raise argparse.ArgumentTypeError(f"no {name} (valid: {', '.join(valid)})")
        return [n for n in valid if n in text.split(",")]
    return parse


def at_least(kind, least):
    def parse(text):
        value = kind(text)
        if not value >= least:
            raise argparse.ArgumentTypeError(f"{text} is not valid: expected at least {least}")
        return value
    return parse


def counts(text):
    return sorted({at_least(int, 1)(word) for word in text.split(",")})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--only", type=among(ALL), default=ALL)
    parser.add_argument("--repetitions", type=at_least(int, 1))
    parser.add_argument("--events", type=at_least(int, 1000))
    parser.add_argument("--workers", type=counts, default=[1, 2])
    parser.add_argument("--channels", type=among(CHANNELS), default=CHANNELS)
    parser.add_argument("--sharing", type=among(SHARING), default=SHARING)
    parser.add_argument("--numa", type=among(NUMA))
    parser.add_argument("--pools", type=among(POOLS))
    parser.add_argument("--nice", type=int, default=0)
    parser.add_argument("--limit", type=at_least(float, 1), default=120)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parents[1] / "build" / "muse")
    options = parser.parse_args()
    words = sys.argv[2:]
    options.words = [w for w, before in zip(words, ["", *words]) if "--out" not in (w, before)]
    options.repetitions = options.repetitions or (3 if options.quick else 10)
    options.events = options.events or (200_000 if options.quick else 2_000_000)
    if max(options.workers) < 2:
        parser.error("--workers: at least one number above 1: a single worker exchanges nothing")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    run_all(Machine(options.program, options.nice, options.limit), options)


if __name__ == "__main__":
    main()
