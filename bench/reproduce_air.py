#!/usr/bin/env python3
"""Repeats the experiments of AIR on this machine: how runs bear foreign loads. (J. Wang, N. Abu-Ghazaleh, D. Ponomarev:
AIR: Application-Level Interference Resilience for PDES on Multicore Systems, ACM TOMACS 25(3), 2015.)

Usage: reproduce_air.py PROGRAM [--only 1,8,16] [--quick] [--repetitions N] [--workers N] [--seconds S] [--out DIR]
                        [--engine "OPTIONS"]
  PROGRAM        build/release/bin/anachron
  --only         numbers of the paper's figures: 1, 7, 8, 10, 11, 13, 15, 16, 17; default: all. 12 is 11 and 14 is 13 on
                 the paper's other machine
  --quick        short runs, few points, once each: to see that it works; what it finds is mostly chance
  --repetitions  runs of each kind, in turn; their medians are compared (5)
  --workers      as many as cores, as in the paper
  --seconds      what a run without load shall take (2)
  --out          folder of the tables, plots and README.md (build/air)
  --engine       further engine options for all runs, e.g. "--throttle none --batch 24 --gvt-interval 3072"
"""

import argparse
import csv
import shlex
import signal
import sys
from pathlib import Path

from air.expected import median
from air.figures import Figures
from air.runs import Experiments, Machine

SAME = {"12": "11", "14": "13"}  # the paper's other machine
ALL = ["1", "7", "8", "10", "11", "13", "15", "16", "17"]


def write_figure(folder, result):
    with open(folder / f"figure_{result.number}.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(result.columns)
        writer.writerows(result.rows)
    (folder / f"figure_{result.number}.svg").write_text(result.plot, encoding="utf-8")


def section(result, most_rows=80):
    lines = [f"## Figure {result.number}: {result.title}", "", f"![{result.title}](figure_{result.number}.svg)", ""]
    lines += [f"- {finding}" for finding in result.findings] + [""]
    if len(result.rows) <= most_rows:
        lines += [f"| {' | '.join(result.columns)} |", "|" + "---|" * len(result.columns)]
        lines += [f"| {' | '.join(map(str, row))} |" for row in result.rows]
    else:
        lines.append(f"[Table](figure_{result.number}.csv) of {len(result.rows):,} rows.")
    return "\n".join([*lines, ""])


def page(experiments, results, missing):
    machine, options = experiments.machine, experiments.options
    plural = "s" if options.repetitions > 1 else ""
    lines = ["# AIR, repeated", "",
             f"Made with `./do reproduce-air` on {machine.processor}, {machine.cores} usable cores, {machine.workers} workers; medians of "
             f"{options.repetitions} run{plural} of each kind, made in turn; a run without load takes about {options.seconds:g} s"
             + (f"; `{shlex.join(machine.engine)}`" if machine.engine else "") + ".", ""]
    if experiments.other_cores:
        others = median(experiments.other_cores)
        lines += [f"Programs that belong neither to the runs nor to the loads took {others:.2f} cores in the median run"
                  + (": they disturb these figures." if others > 0.1 else "."), ""]
    if options.quick:
        lines += ["`--quick`: too short for any conclusion.", ""]
    if experiments.left_out:
        lines += [f"Left out, because the program cannot do it: {', '.join(sorted(experiments.left_out))}.", ""]
    if missing:
        lines += [f"Without data for the same reason: figure{'s' if len(missing) > 1 else ''} {', '.join(missing)}.", ""]
    lines += ["*Proportional* is the slowdown when all threads share the cores fairly (the paper's equations 1 and 2); for loads that "
              "are on and off with the share of time in which they really wanted to compute. *After yielding* is equation 3: as many "
              "workers rest as there are loads. *Of what is left* takes the processor time that the loads really got, which is more "
              "than a fair share when workers rest.", ""]
    return "\n".join(lines) + "\n" + "\n".join(section(r) for r in results)


def run_all(machine, options):
    options.out.mkdir(parents=True, exist_ok=True)
    experiments = Experiments(machine, options)
    figures = Figures(experiments)
    results, missing = [], []
    for number in options.only:
        print(f"figure {number}", file=sys.stderr)
        result = getattr(figures, f"figure_{number}")()
        if result is None:
            missing.append(number)
            continue
        results.append(result)
        write_figure(options.out, result)
        # After each figure, so that an interrupted session keeps what it has.
        (options.out / "README.md").write_text(page(experiments, results, missing), encoding="utf-8")
    (options.out / "README.md").write_text(page(experiments, results, missing), encoding="utf-8")
    for result in results:
        print(f"figure {result.number}, {result.title}")
        for finding in result.findings:
            print(f"  {finding}")
    for number in missing:
        print(f"figure {number}: the program cannot do that")
    print(f"written to {options.out}")


def figure_numbers(text):
    numbers = [SAME.get(n, n) for n in text.split(",")]
    for number in numbers:
        if number not in ALL:
            raise argparse.ArgumentTypeError(f"no figure {number} (valid: {', '.join([*ALL, *SAME])})")
    return [n for n in ALL if n in numbers]


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
    parser.add_argument("--only", type=figure_numbers, default=ALL)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--repetitions", type=at_least(int, 1))
    parser.add_argument("--workers", type=at_least(int, 2))
    parser.add_argument("--seconds", type=at_least(float, 0.01))
    parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parents[1] / "build" / "air")
    parser.add_argument("--engine", type=shlex.split, default=[])
    options = parser.parse_args()
    options.repetitions = options.repetitions or (1 if options.quick else 5)
    options.seconds = options.seconds or (0.2 if options.quick else 2.0)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # ends the loads, too
    machine = Machine(options.program, options.workers, options.engine)
    if machine.workers < 2:
        parser.error("a single core: say how many --workers")
    run_all(machine, options)


if __name__ == "__main__":
    main()
