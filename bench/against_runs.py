#!/usr/bin/env python3
"""Holds what examples/time_warp.cpp predicts of ranks on one machine against runs of them, for bench/results/machines.md.

Usage: bench/against_runs.py [--bin FOLDER] [--repetitions N] [--fit]

PHOLD with batch, window and GVT interval fixed on both sides. The shapes take turns, so that a busy machine is busy for all of
them. `--fit` tells instead which costs fit other runs best: the sum of the relative errors of processor time per event is least.
It needs numpy.
"""
import argparse
import json
import statistics
import subprocess
import tempfile
from pathlib import Path

LOOK = 1.2e-6  # s of a look in vain, the default of time_warp --look
SHARED = 2  # processors of the machine that was measured
# ranks, share of events to any LP, batch
SHAPES = [(1, 0.5, 16), (2, 0.25, 16), (2, 0.75, 16), (2, 1.0, 4), (3, 0.25, 16), (3, 1.0, 16), (4, 0.25, 16), (4, 0.5, 16), (4, 0.5, 4)]
TO_FIT = [(1, 0.1, 16), (2, 0.1, 16), (2, 0.5, 16), (2, 1.0, 16), (3, 0.1, 16), (3, 0.5, 16), (4, 0.1, 16), (4, 1.0, 16), (2, 0.5, 4), (3, 1.0, 4)]


def report_of(command, folder):
    file = Path(folder) / "report.json"
    file.unlink(missing_ok=True)
    subprocess.run([*command, "--quiet", "--report", str(file)], check=True, timeout=900, stdout=subprocess.DEVNULL)
    return json.loads(file.read_text())


def measured(programs, shape, seed, folder):
    """Of a run, per executed event: processor time, looks in vain, messages, events in messages, events undone."""
    ranks, remote, batch = shape
    run = [programs / "anachron", "run", "phold", "--lps", "10000", "--events-per-lp", "10", "--remote", remote, "--until", "5", "--workers", "1",
           "--sync", "optimistic", "--history", "always", "--batch", batch, "--gvt-interval", "512", "--window", "0.05", "--seed", seed]
    report = report_of([str(word) for word in (["mpirun", "-n", ranks] if ranks > 1 else []) + run], folder)
    rows = report.get("ranks", [])

    def total(name):
        return sum(row[name] for row in rows) / report["executed"]

    return {"cpu": report["cpu_s"] / report["executed"], "vain": total("probes") - total("successful_probes"), "messages": total("messages_sent"),
            "sent": total("events_sent"), "undone": report["rolled_back"] / report["executed"]}


def predicted(programs, shape, folder):
    ranks, remote, batch = shape
    run = [programs / "example_time_warp", "--cores", ranks, "--lps", "10000", "--remote", remote, "--turn", batch, "--round", "512",
           "--horizon", "0.05", "--shared", SHARED, "--until", "50e-3", "--sync", "sequential"]
    found = report_of([str(word) for word in run], folder)["model"]
    return {"cpu": found["busy_s"] / found["executed"], "messages": found["messages"] / found["executed"], "undone": found["undone"] / found["executed"]}


def fit(runs):
    import numpy as np

    names = ("event", "remote-event", "message", "look")
    factors = np.array([[1, run["sent"], run["messages"], run["vain"]] for run in runs])
    times = np.array([run["cpu"] for run in runs])
    weights = 1 / times
    for _ in range(50):  # least squares with weights that make them least absolute errors
        costs = np.linalg.lstsq(factors * weights[:, None], times * weights, rcond=None)[0]
        errors = np.abs(factors @ costs / times - 1)
        weights = 1 / times / np.sqrt(np.maximum(errors, 0.01))
    for name, cost in zip(names, costs):
        print(f"--{name} {cost * 1e9:.0f} ns")
    ratios = factors @ costs / times
    print(f"{len(runs)} runs: fitted time {ratios.min():.2f} to {ratios.max():.2f} times the measured one, median {statistics.median(ratios):.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--bin", type=Path, default=Path("build/release/bin"))
    parser.add_argument("--repetitions", type=int, default=8)
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()
    shapes = TO_FIT if options.fit else SHAPES
    with tempfile.TemporaryDirectory() as folder:
        runs = {shape: [] for shape in shapes}
        for seed in range(1, options.repetitions + 1):
            for shape in shapes:
                runs[shape].append(measured(options.bin, shape, seed, folder))
        if options.fit:
            fit([run for of_shape in runs.values() for run in of_shape])
            return
        print("| ranks | to any LP | batch | ns per event, predicted | measured | ratio | messages per event, predicted | measured | undone, predicted | measured |")
        print("|---|---|---|---|---|---|---|---|---|---|")
        for shape, of_shape in runs.items():
            model = predicted(options.bin, shape, folder)
            times = sorted(1e9 * (run["cpu"] - LOOK * run["vain"]) for run in of_shape)
            middle = {name: statistics.median(run[name] for run in of_shape) for name in ("messages", "undone")}
            print(f"| {shape[0]} | {shape[1]:.0%} | {shape[2]} | {1e9 * model['cpu']:.0f} | {statistics.median(times):.0f} ({times[0]:.0f} to {times[-1]:.0f}) "
                  f"| {1e9 * model['cpu'] / statistics.median(times):.2f} | {model['messages']:.3f} | {middle['messages']:.3f} "
                  f"| {model['undone']:.2%} | {middle['undone']:.2%} |")


main()
