#!/usr/bin/env python3
"""Measures the current figures and writes them into docs/inside/performance.md, section "Figures of one session".

Usage: figures_page.py ANACHRON [--repetitions N] [--only W1,traffic] [--page PAGE] [--quick]
  ANACHRON       build/release/bin/anachron
  --repetitions  runs of each workload and mode, in turn (3)
  --only         names of workloads, with commas; the page then has these rows only
  --page         the page to write (docs/inside/performance.md)
  --quick        short runs, one of each, printed and not written: finds nothing but that it works

Each repetition runs every workload sequentially and with two workers, in another order each time. The page gets medians with
the least and the most, and with what was measured: date, processor, cores, compiler and commit. All runs of a workload have
one digest, or the script fails. On a page the rows stand between two comments, and nothing else is changed.
"""
import argparse
import datetime
import json
import statistics
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs/inside/performance.md"
BEGIN, END = "<!-- figures of one session: begin -->", "<!-- figures of one session: end -->"

# Name: the model with its size, and what makes a run of --quick short.
WORKLOADS = {
    "W1": ("phold --lps 1024 --events-per-lp 16 --until 1000", "--until 2"),
    "W2": ("phold --lps 10000 --events-per-lp 20 --until 60", "--until 1"),
    "W2r": ("phold --lps 10000 --events-per-lp 20 --remote 0.1 --until 60", "--until 1"),
    "W3": ("phold --lps 1048576 --events-per-lp 10 --remote 0.1 --until 0.6", "--lps 10000 --until 0.1"),
    "W4": ("phold --lps 200 --events-per-lp 15 --receiver gaussian --sigma 100 --until 4000", "--until 10"),
    "traffic": ("traffic --city 128x128", "--city 12x12"),
    "pcs": ("pcs --until 60", "--until 1"),
    "queueing": ("queueing --until 4000", "--until 20"),
    "epidemic": ("epidemic --nodes 1000000", "--nodes 1000"),
    "tlm": ("tlm --until 100", "--until 5"),
    "packets": ("packets --torus 16x16x16 --load 0.3 --until 12000", "--torus 4x4x4 --until 500"),
    "logic": ("logic --gates 100k --flops 0 --period 400 --delays 2,nand=3,xor=4:5 --vectors 220", "--gates 1k --vectors 5"),
    "stress": ("stress --kind burst --lps 1000 --until 20", "--lps 50 --until 2"),
}
MODES = {"sequential": ["--sync", "sequential"], "two workers": ["--workers", "2"]}


def words(workload, is_quick):
    """The model's arguments. Of an option that is given twice the short one counts."""
    size, short = WORKLOADS[workload]
    model, *options = size.split()
    values = dict(zip(options[::2], options[1::2]))
    if is_quick:
        values |= dict(zip(short.split()[::2], short.split()[1::2]))
    return [model, *(word for pair in values.items() for word in pair)]


def run(program, arguments):
    done = subprocess.run([program, "run", *arguments, "--quiet", "--report", "-"], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(arguments)}: {done.stderr.strip()}")
    return json.loads(done.stdout)


def measure(program, workloads, repetitions, is_quick):
    """{workload: {mode: reports}}. Says on the terminal how far it is."""
    reports = {name: {mode: [] for mode in MODES} for name in workloads}
    for repetition in range(repetitions):
        turn = [(name, mode) for name in workloads for mode in MODES]
        for name, mode in turn[:: -1 if repetition % 2 else 1]:
            reports[name][mode].append(run(program, [*words(name, is_quick), *MODES[mode]]))
            print(f"{repetition + 1}/{repetitions} {name}, {mode}: {reports[name][mode][-1]['rate'] / 1e6:.2f}", file=sys.stderr)
    for name, modes in reports.items():
        digests = {report["digest"] for of_mode in modes.values() for report in of_mode}
        if len(digests) != 1:
            raise SystemExit(f"{name}: the runs have different digests: {', '.join(sorted(digests))}")
    return reports


def median_and_scatter(values):
    middle = statistics.median(values)
    return f"{middle:.2f} ({min(values):.2f} to {max(values):.2f})"


def row(name, modes, is_quick):
    rates = {mode: [report["rate"] / 1e6 for report in reports] for mode, reports in modes.items()}
    ratios = [two / one for one, two in zip(rates["sequential"], rates["two workers"])]
    memory = {mode: statistics.median(report["peak_rss"] for report in reports) / 2**20 for mode, reports in modes.items()}
    cells = [f"{name}: `{' '.join(words(name, is_quick))}`", *(median_and_scatter(rates[mode]) for mode in MODES),
             median_and_scatter(ratios), *(f"{memory[mode]:,.0f}" for mode in MODES)]
    return f"| {' | '.join(cells)} |"


def round_trips(program):
    """Nanoseconds of a cache line from one core to another and back; none where the program for that is not built."""
    beside = Path(program).resolve().parent / "bench_round_trip"
    if not beside.exists():
        return []
    done = subprocess.run([beside], capture_output=True, text=True, check=True)
    return [float(ns) for ns in done.stdout.split()]


def commit():
    def git(*arguments):
        return subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True, check=False).stdout.strip()

    short = git("rev-parse", "--short", "HEAD")
    return (short or "not known") + (" with changes" if git("status", "--porcelain", "--untracked-files=no", "--", "src", "include", "models") else "")


def conditions(reports, repetitions, trips, load):
    machine = next(iter(next(iter(reports.values())).values()))[0]["machine"]
    facts = {
        "date": datetime.date.today().isoformat(),
        "processor": f"{machine['cpu']}, {machine['usable_cores']} cores, {machine['memory'] / 2**30:.0f} GiB",
        "system": machine["os"].split(" (Linux")[0],
        "compiler": machine["compiler"] + ("" if machine["optimized"] else ", not optimised"),
        "commit": commit(),
        "runs": str(repetitions),
        "load before": f"{load:.2f}",
    }
    if trips:
        facts["round trip"] = f"{min(trips):.0f} to {max(trips):.0f} ns"
    return [f"| {' | '.join(facts)} |", f"|{'---|' * len(facts)}", f"| {' | '.join(facts.values())} |"]


def section(reports, repetitions, trips, load, is_quick):
    """The lines between the two comments."""
    head = ["| workload | sequential | two workers | two / sequential | MiB, sequential | MiB, two workers |", "|---|---|---|---|---|---|"]
    rows = [row(name, modes, is_quick) for name, modes in reports.items()]
    return "\n".join(["", *conditions(reports, repetitions, trips, load), "", *head, *rows, ""])


def replaced(text, lines):
    """The page with other lines between the two comments."""
    if text.count(BEGIN) != 1 or text.count(END) != 1 or text.index(BEGIN) > text.index(END):
        raise SystemExit(f"the page needs '{BEGIN}' and '{END}', once each and in this order")
    before, rest = text.split(BEGIN)
    return f"{before}{BEGIN}\n{lines}\n{END}{rest.split(END)[1]}"


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--only")
    parser.add_argument("--page", type=Path, default=PAGE)
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args(arguments)
    workloads = options.only.split(",") if options.only else list(WORKLOADS)
    if wrong := [name for name in workloads if name not in WORKLOADS]:
        raise SystemExit(f"no workload is called {', '.join(wrong)}; there are {', '.join(WORKLOADS)}")
    if options.repetitions < 3 and not options.quick:
        raise SystemExit("--repetitions: fewer than 3 show no scatter")
    page = None if options.quick else options.page.read_text(encoding="utf-8")
    if page is not None:
        replaced(page, "")  # before hours of runs
    repetitions = 1 if options.quick else options.repetitions
    load = float(Path("/proc/loadavg").read_text(encoding="utf-8").split()[0])
    trips = round_trips(options.program)
    reports = measure(options.program, workloads, repetitions, options.quick)
    if not options.quick and not next(iter(next(iter(reports.values())).values()))[0]["machine"]["optimized"]:
        raise SystemExit("the program is not optimised: use the release build")
    trips += round_trips(options.program)
    lines = section(reports, repetitions, trips, load, options.quick)
    if page is None:
        print(lines)
    else:
        options.page.write_text(replaced(page, lines), encoding="utf-8")


if __name__ == "__main__":
    main()
