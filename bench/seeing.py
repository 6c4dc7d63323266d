#!/usr/bin/env python3
"""What it costs to see a run: rates with an option as shares of those without, in turn, on workloads of
docs/inside/performance.md.

Usage: seeing.py PROGRAM [--repetitions N] [--only W1,W2]

Prints for each workload, sequential and with two workers, the median of the paired ratios and their quartiles: with a
trace for Perfetto, with the live view while a client reads its stream, and with each event timed; and without the flight
recorder, which is on otherwise. Then the sizes of the trace and of the report as a page, which is made after the run."""
import argparse
import json
import re
import statistics
import subprocess
import tempfile
import threading
import urllib.request
from pathlib import Path

from two_builds import MODES, WORKLOADS

SEEN = {
    "nothing": [],
    "timeline": ["--timeline", "{folder}/timeline.pftrace"],
    "live view": ["--live"],
    "timed events": ["--time-events"],
    "no recorder": ["--flight-record", "off"],
}


def watch(process, seen):
    """Reads the stream of the live view as a browser does, until it ends."""
    for line in process.stderr:
        if found := re.search(r"(http://\S+)/\?token=(\w+)", line):
            with urllib.request.urlopen(f"{found[1]}/events?token={found[2]}") as stream:
                seen.append(sum(len(part) for part in stream))


def rate(program, work, mode, options, folder):
    command = [program, "run", *work, *MODES[mode], "--quiet", *(option.format(folder=folder) for option in options)]
    report = Path(folder) / "report.json"
    process = subprocess.Popen([*command, "--report", report], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    seen = []
    reader = threading.Thread(target=watch, args=(process, seen))
    reader.start()
    if process.wait() != 0:
        raise SystemExit(f"failed: {' '.join(map(str, command))}")
    reader.join()
    if "--live" in options and not seen:
        raise SystemExit("nobody has looked at the live view")
    figures = json.loads(report.read_text())
    return figures["rate"], figures["digest"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--repetitions", type=int, default=5)
    parser.add_argument("--only", default="W1,W2,W3,W4", help="names of workloads, with commas")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for name in options.only.split(","):
            work = WORKLOADS[name].split()
            for mode in ("sequential", "2 workers"):
                ratios = {kind: [] for kind in SEEN if kind != "nothing"}
                for _ in range(options.repetitions):
                    without, digest = rate(options.program, work, mode, SEEN["nothing"], folder)
                    for kind, measured in ratios.items():
                        with_it, same = rate(options.program, work, mode, SEEN[kind], folder)
                        if same != digest:
                            raise SystemExit(f"{kind}: the digest is {same} instead of {digest}")
                        measured.append(with_it / without)
                for kind, measured in ratios.items():
                    low, middle, high = statistics.quantiles(measured, n=4)
                    print(f"{name:3} {mode:10} {kind:13} {middle:.3f} ({low:.3f} to {high:.3f})", flush=True)
            page = [options.program, "run", *work, *MODES["2 workers"], "--quiet", "--report", f"{folder}/report.html"]
            subprocess.run(page, check=True)
            for file in ("report.html", "timeline.pftrace"):
                print(f"{name:3} {file}: {(Path(folder) / file).stat().st_size / 1e6:.2f} MB", flush=True)


if __name__ == "__main__":
    main()
