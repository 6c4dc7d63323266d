#!/usr/bin/env python3
"""Repeats, with ranks on this machine, the experiments of ROSS-CMT (J. Wang, K. Bahulkar, D. Ponomarev, N. Abu-Ghazaleh: Can PDES
Scale in Environments with Heterogeneous Delays?, SIGSIM-PADS 2013), of MUSE (D. M. Rao: Performance Comparison of Cross Memory
Attach Capable MPI vs. Multithreaded Optimistic Parallel Simulations, SIGSIM-PADS 2018) and of ROSS on Blue Gene (D. W. Bauer,
C. D. Carothers, A. Holder: Scalable Time Warp on Blue Gene Supercomputers, PADS 2009).

Usage: reproduce_cluster.py PROGRAM [--only table_2,figure_4,muse_5] [--quick] [--repetitions N] [--seconds S] [--out DIR]
                            [--network 60us,hosts] [--ranks N] [--nice N] [--engine "OPTIONS"]
  PROGRAM        build/release/bin/anachron, built with MPI
  --only         of ROSS-CMT table_1 to table_3, figure_2 to figure_8 and figure_10; muse_5; blue_gene_1 to blue_gene_5
                 (5 is also 6 and 7 in form); ranks_or_threads, which is of none; default: all
  --quick        short runs, few points, once each: to see that it works; what it finds is mostly chance
  --repetitions  runs of each kind, in turn; their medians are compared (5)
  --seconds      what a run that others are compared with shall take (1)
  --network      how ROSS-CMT's ranks are joined: `memory`, `60us` (memory, and 60 us emulated), `hosts` (each rank on a
                 host of its own, a network namespace, by TCP with 60 us), or several; default: hosts, where they can be made
  --ranks        at most (8)
  --nice         of the runs; negative takes root
  --limit        seconds after which a run is given up (120)
  --out          folder of tables, plots and README.md (build/cluster)
"""

import argparse
import csv
import shlex
import shutil
import signal
import sys
from pathlib import Path

from air.expected import median
from cluster.figures import Figures
from cluster.runs import HOSTS, SHARED, SLOW, Experiments, Machine

ALL = ["table_1", "table_2", "table_3", "figure_2", "figure_3", "figure_4", "figure_5", "figure_6", "figure_7", "figure_8", "figure_10",
       "muse_5", "ranks_or_threads", "blue_gene_1", "blue_gene_2", "blue_gene_3", "blue_gene_4", "blue_gene_5"]
NETWORKS = {"memory": SHARED, "60us": SLOW, "hosts": HOSTS}


def text_table(columns, rows):
    """Aligned, for people."""
    cells = [list(map(str, columns)), *[list(map(str, row)) for row in rows]]
    widths = [max(len(row[i]) for row in cells) for i in range(len(columns))]
    lines = ["  ".join(cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths))).rstrip() for row in cells]
    return "\n".join(lines) + "\n"


def write_result(folder, result):
    with open(folder / f"{result.name}.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(result.columns)
        writer.writerows(result.rows)
    text = f"{result.name}: {result.title}\nThe paper: {result.paper}.\n\n{text_table(result.columns, result.rows)}\n"
    (folder / f"{result.name}.txt").write_text(text + "".join(f"- {finding}\n" for finding in result.findings), encoding="utf-8")
    if result.plot:
        (folder / f"{result.name}.svg").write_text(result.plot, encoding="utf-8")


def section(result):
    lines = [f"## {result.name.replace('_', ' ').capitalize()}: {result.title}", "", f"The paper: {result.paper}.", ""]
    lines += [f"- {finding}" for finding in result.findings] + [""]
    lines += [f"[CSV]({result.name}.csv), [text]({result.name}.txt)" + (f", [plot]({result.name}.svg)" if result.plot else ""), ""]
    return "\n".join(lines)


def page(experiments, results, missing):
    machine, options = experiments.machine, experiments.options
    plural = "s" if options.repetitions > 1 else ""
    lines = ["# ROSS-CMT, MUSE and Blue Gene, repeated", "",
             f"Made with `./do reproduce-cluster {shlex.join(options.words)}` on {machine.processor}, {machine.cores} usable cores; medians of "
             f"{options.repetitions} run{plural} of each kind, made in turn; all runs of a model have one digest. A run that others are "
             f"compared with takes about {options.seconds:g} s.", ""]
    if experiments.loads:
        lines += [f"The system's load average was {min(experiments.loads):.1f} to {max(experiments.loads):.1f} meanwhile, these runs included"
                  + (": the machine was busy with more than these runs, which disturbs all figures." if median(experiments.loads) >
                     2 * machine.cores else ".") + (f" Runs had the niceness {options.nice}." if options.nice else ""), ""]
    if machine.hosts == "plain":
        lines += [f"`{HOSTS}`: each rank in a network namespace of its own, by TCP; this kernel has no netem, so the transport emulates 60 us "
                  "per message.", ""]
    elif machine.hosts:
        lines += [f"`{HOSTS}`: each rank in a network namespace of its own, by TCP; netem makes each link slow.", ""]
    else:
        lines += [f"No hosts: {machine.why_no_hosts}.", ""]
    if options.quick:
        lines += ["`--quick`: too short for any conclusion.", ""]
    if experiments.left_out:
        lines += [f"Left out, because this machine cannot do it: {', '.join(sorted(experiments.left_out))}.", ""]
    if missing:
        lines += [f"Without data: {', '.join(missing)}.", ""]
    if machine.failures:
        lines += ["Runs that failed:", *[f"- {failure}" for failure in machine.failures], ""]
    return "\n".join(lines) + "\n" + "\n".join(section(r) for r in results)


def run_all(machine, options):
    options.out.mkdir(parents=True, exist_ok=True)
    experiments = Experiments(machine, options)
    figures = Figures(experiments)
    results, missing = [], []
    for name in options.only:
        print(name, file=sys.stderr)
        result = getattr(figures, name)()
        if result is None or not result.rows:
            missing.append(name)
        else:
            results.append(result)
            write_result(options.out, result)
        # After each, so that an interrupted session keeps what it has.
        (options.out / "README.md").write_text(page(experiments, results, missing), encoding="utf-8")
    for result in results:
        print(f"{result.name}, {result.title}")
        for finding in result.findings:
            print(f"  {finding}")
    for name in missing:
        print(f"{name}: no data")
    print(f"written to {options.out}")


def names(text):
    for name in text.split(","):
        if name not in ALL:
            raise argparse.ArgumentTypeError(f"no {name} (valid: {', '.join(ALL)})")
    return [n for n in ALL if n in text.split(",")]


def networks(text):
    for name in text.split(","):
        if name not in NETWORKS:
            raise argparse.ArgumentTypeError(f"no network {name} (valid: {', '.join(NETWORKS)})")
    return [NETWORKS[n] for n in text.split(",")]


def at_least(kind, least):
    def parse(text):
        value = kind(text)
        if not value >= least:
            raise argparse.ArgumentTypeError(f"{text} is not valid: expected at least {least}")
        return value
    return parse


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--only", type=names, default=ALL)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--repetitions", type=at_least(int, 1))
    parser.add_argument("--seconds", type=at_least(float, 0.01))
    parser.add_argument("--network", dest="networks", type=networks)
    parser.add_argument("--ranks", type=at_least(int, 2), default=8)
    parser.add_argument("--nice", type=int, default=0)
    parser.add_argument("--limit", type=at_least(float, 1), default=120)
    parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parents[1] / "build" / "cluster")
    parser.add_argument("--engine", type=shlex.split, default=[])
    options = parser.parse_args()
    words = sys.argv[2:]
    options.words = [w for w, before in zip(words, ["", *words]) if "--out" not in (w, before)]
    options.repetitions = options.repetitions or (1 if options.quick else 5)
    options.seconds = options.seconds or (0.2 if options.quick else 1.0)
    mpirun = shutil.which("mpirun")
    if not mpirun:
        parser.error("no mpirun")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    run_all(Machine(options.program, mpirun, options.nice, options.limit, options.engine), options)


if __name__ == "__main__":
    main()
