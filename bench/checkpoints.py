#!/usr/bin/env python3
"""What checkpoints cost: seconds, bytes and the time to go on, beside the disk's own speed in the same minutes.

Usage: checkpoints.py PROGRAM [--data FOLDER] [--repeat N] [--folder FOLDER]

Of each workload and number of workers N times in turn: a run without checkpoints; one that writes a checkpoint in its middle; a
plain write and fsync of as many bytes; and a run that goes on from it and ends at once. Every run that goes on to the end of the
first one must have its digest and state digest. Prints medians with quartiles. "adds": how much longer the run takes than the one
without, whether it stands still meanwhile or a copy of the process writes."""
import argparse
import json
import os
import shutil
import statistics
import subprocess
import tempfile
import time
from pathlib import Path


MODES = ["--sync sequential".split(), "--sync optimistic --workers 2".split()]


def quartiles(values):
    """Median and quartiles, as text."""
    low, middle, high = statistics.quantiles(values, n=4) if len(values) > 1 else values * 3
    return f"{middle:.2f} ({low:.2f} to {high:.2f})"


def workloads(data):
    """Name: arguments, the time of the checkpoint, the end."""
    yield "W3: 1,048,576 LPs, 10.5 M events wait", "phold --lps 1048576 --events-per-lp 10 --remote 0.1".split(), 0.25, 0.5
    yield "epidemic: 1 M persons", "epidemic --nodes 1000000".split(), 20, 40
    folder = data / "tntp" / "Chicago-Sketch"
    if folder.is_dir():
        net, trips = folder / "ChicagoSketch_net.tntp", folder / "ChicagoSketch_trips.tntp"
        yield "Chicago, 1.26 M vehicles", ["traffic", "--network", str(net), "--trips", str(trips)], 30, 60


def run(program, arguments, *more):
    """The report of a run, and how long the process took."""
    began = time.monotonic()
    done = subprocess.run([program, *map(str, arguments), "--quiet", "--report", "-", *map(str, more)], check=True, capture_output=True, text=True)
    return json.loads(done.stdout), time.monotonic() - began


def disk_seconds(folder, count):
    """Writes and syncs so many bytes that cannot be compressed."""
    block = os.urandom(1 << 20)
    path = Path(folder, "plain")
    began = time.monotonic()
    with path.open("wb", buffering=0) as file:
        for _ in range(max(1, count // len(block))):
            file.write(block)
        os.fsync(file.fileno())
    seconds = time.monotonic() - began
    path.unlink()
    return seconds


def measure(options, arguments, mode, cut, until):
    """Lists of figures by name."""
    found = {"pause_s": [], "adds_s": [], "disk_s": [], "restart_s": []}
    for _ in range(options.repeat):
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            place = Path(folder, "run")
            without, _ = run(options.program, ["run", *arguments], *mode, "--until", until)
            first, _ = run(options.program, ["run", *arguments], *mode, "--until", until, "--checkpoint", place, "--checkpoint-every", cut)
            assert first["checkpoints"] == 1, first["notes"]
            found["pause_s"].append(first["checkpoint_s"])
            found["adds_s"].append(first["wall_s"] + first["checkpoint_s"] - without["wall_s"])
            found["bytes"] = first["checkpoint_bytes"]
            found["disk_s"].append(disk_seconds(folder, found["bytes"]))
            found["lps"], found["events"] = first["lps"], first["peak_pending"]
            at_once, seconds = run(options.program, ["resume", place], "--until", cut)
            found["restart_s"].append(seconds - at_once["wall_s"])
            second, _ = run(options.program, ["resume", place], "--sync", "optimistic", "--workers", 2)
            for name in ("digest", "state_digest", "committed", "model"):
                assert first[name] == second[name], name
            shutil.rmtree(place)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--data", type=Path, default=Path("../shared/data"))
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--folder", help="where checkpoints go")
    options = parser.parse_args()
    for name, arguments, cut, until in workloads(options.data):
        for mode in MODES:
            found = measure(options, arguments, mode, cut, until)
            things = found["lps"] + found["events"]
            print(f"{name}, {' '.join(mode)}: {found['lps']:,} LPs, at most {found['events']:,} events waited")
            print(f"  size            {found['bytes'] / 1e6:.1f} MB, {found['bytes'] / things:.1f} bytes per LP or event")
            print(f"  stands still    {quartiles(found['pause_s'])} s")
            print(f"  adds            {quartiles(found['adds_s'])} s")
            print(f"  disk alone      {quartiles(found['disk_s'])} s for as many bytes")
            print(f"  read in         {quartiles(found['restart_s'])} s, with the start of the program")
            print(f"  every 10 min    {statistics.median(found['adds_s']) / 600:.2%} of the time", flush=True)


if __name__ == "__main__":
    main()
