"""Repeats the experiments of five papers on this machine.

Usage: ./do reproduce PAPER [--only FIGURE,...] [--quick] [--repetitions N] [--out DIR]
       ./do reproduce list           every figure and table, with what the paper found
       ./do reproduce page           writes docs/inside/reproduction.md from the committed results
  PAPER          muse, air, blue-gene, devastator, ross-cmt or all
  --only         some of its figures and tables: figure_5,table_1
  --quick        short runs, few points, two of each: to see that it works; what it finds is mostly chance
  --repetitions  runs of each kind, in turn (5, and 10 for AIR and MUSE, as in these papers; 2 with --quick)
  --limit        seconds after which a run is given up (300)
  --out          folder for a folder of each paper (build/papers). Its samples.jsonl has all runs: what is there is not run again
"""

import argparse
import json
import os
import shlex
import signal
import sys
import time
from pathlib import Path

from papers import page, runner
from papers.achieved import Mislabelled
from papers.figure import Setting
from papers.machine import Failed, Machine
from papers.papers import PAPERS
from papers.samples import Store


def list_figures():
    for name, module in PAPERS.items():
        print(f"{name}: {module.ABOUT}")
        for figure in module.FIGURES:
            also = f" ({figure.also})" if figure.also else ""
            print(f"  {figure.name + also}: {figure.title}. The paper: {figure.paper}.")


def chosen(paper, only):
    figures = PAPERS[paper].FIGURES
    if only is None:
        return figures
    valid = {figure.name: figure for figure in figures}
    for name in only:
        if name not in valid:
            raise SystemExit(f"{paper}: no {name} (valid: {', '.join(valid)})")
    return [valid[name] for name in only]


MEASURED = ("date", "command", "load_average")  # what is of the time when the runs were made


def facts_of(options, machine, repetitions, loads, turns, earlier):
    """`loads`: of the turns in which runs were made; none: all were made before, for what `earlier`, a file, says if it is there."""
    words = ["./do", "reproduce", *options.words]
    facts = {"machine": f"{machine.described['cpu']}, {machine.cores} usable cores", "repetitions": repetitions, "quick": options.quick,
             "turns": turns, "date": time.strftime("%Y-%m-%d"), "command": shlex.join(words),
             "load_average": [round(min(loads), 1), round(max(loads), 1)] if loads else None}
    if not loads and earlier.exists():
        before = json.loads(earlier.read_text(encoding="utf-8"))
        facts |= {name: before[name] for name in MEASURED}
    return facts


def make(paper, figure, machine, store, options):
    """Makes a figure; false where that failed, with a message."""
    setting = Setting(options.quick, machine.cores, machine.hosts is not None)
    repetitions = options.repetitions or (2 if options.quick else figure.repetitions)
    try:
        points = figure.points(setting)
        turns = runner.turns_of(PAPERS[paper].FIGURES, figure, setting)
        loads = runner.measure(figure, points, machine, store, repetitions, turns)
    except (Failed, Mislabelled, runner.Digests) as error:
        print(f"{paper} {figure.name} FAILED: {error}", file=sys.stderr)
        return False
    facts = facts_of(options, machine, repetitions, loads, turns, options.out / paper / f"{figure.name}.json")
    result = runner.write(options.out / paper, paper, figure, points, machine, facts)
    print(f"{paper} {figure.name}, {figure.title}: {result['verdict']}")
    for claim in result["claims"]:
        print(f"  {claim['claim']}: {claim['verdict']}. {claim['text']}.")
    sys.stdout.flush()
    return True


def run(options):
    machine = Machine(options.program, options.limit)
    failed = []
    for paper in PAPERS if options.paper == "all" else [options.paper]:
        folder = options.out / paper
        folder.mkdir(parents=True, exist_ok=True)
        store = Store(folder / "samples.jsonl", machine.setting() | {"quick": options.quick})
        for figure in chosen(paper, options.only):
            if not make(paper, figure, machine, store, options):
                failed.append(f"{paper} {figure.name}")
    if failed:
        print(f"failed: {', '.join(failed)}", file=sys.stderr)
    print(f"written to {options.out}")
    return 1 if failed else 0


def at_least(kind, least):
    def parse(text):
        value = kind(text)
        if not value >= least:
            raise argparse.ArgumentTypeError(f"{text} is not valid: expected at least {least}")
        return value
    return parse


def arguments(words):
    parser = argparse.ArgumentParser(prog="./do reproduce", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help=argparse.SUPPRESS)
    parser.add_argument("paper", choices=[*PAPERS, "all", "list", "page"])
    parser.add_argument("--only", type=lambda text: text.split(","))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--repetitions", type=at_least(int, 1))
    parser.add_argument("--limit", type=at_least(float, 1), default=300)
    parser.add_argument("--out", type=Path, default=Path(__file__).resolve().parents[2] / "build" / "papers")
    options = parser.parse_args(words)
    options.words = [w for w, before in zip(words[1:], ["", *words[1:]]) if "--out" not in (w, before)]
    if options.only and options.paper == "all":
        parser.error("--only: of which paper?")
    return options


def main():
    options = arguments(sys.argv[1:])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    if options.paper == "list":
        return list_figures()
    if options.paper == "page":
        page.PAGE.write_text(page.page(), encoding="utf-8")
        return print(f"written: {os.path.relpath(page.PAGE)}")
    return sys.exit(run(options))


if __name__ == "__main__":
    main()
