#!/usr/bin/env python3
"""Committed events per second of each bundled model: sequentially, and with two workers by default, by Time Warp, and, where the model
has lookahead, conservatively.

Usage: models.py ANACHRON [--data DIR] [--repetitions N]
  ANACHRON       build/release/bin/anachron
  --data         folder with tntp/, for the road networks; without it these are left out
  --repetitions  runs of each kind, in turn; medians are told (3)
All runs of a model have one digest, or this fails.
"""
import argparse
import json
import statistics
import subprocess

MODELS = {
    "phold, 1,024 LPs x 16": "phold --lps 1024 --events-per-lp 16 --until 500",
    "phold, 10,000 LPs x 20, 10% remote": "phold --lps 10000 --events-per-lp 20 --remote 0.1 --until 40",
    "pcs": "pcs --until 60",
    "queueing": "queueing --until 4000",
    "epidemic, a million people": "epidemic --nodes 1000000",
    "tlm": "tlm --until 100",
    "packets, torus of 16x16x16": "packets --torus 16x16x16 --load 0.3 --until 12000",
    "logic, 100,000 gates": "logic --gates 100k --flops 0 --period 400 --delays 2,nand=3,xor=4:5 --vectors 220",
    "traffic, city of 128x128": "traffic --city 128x128",
}
ROADS = {"traffic, Chicago-Sketch": "Chicago-Sketch/ChicagoSketch", "traffic, Berlin-Center": "Berlin-Center/berlin-center"}
KINDS = {
    "sequential": ["--sync", "sequential"],
    "by default": ["--workers", "2"],
    "optimistic": ["--sync", "optimistic", "--workers", "2"],
    "conservative": ["--sync", "conservative", "--workers", "2"],
}


def models(data):
    yield from MODELS.items()
    for name, path in ROADS.items() if data else ():
        files = f"traffic --network {data}/tntp/{path}_net.tntp --trips {data}/tntp/{path}_trips.tntp"
        yield name, files


def run(program, model, kind):
    """The report; None where the model has no lookahead."""
    done = subprocess.run([program, "run", *model.split(), *KINDS[kind], "--quiet", "--report", "-"],
                          capture_output=True, text=True)
    if done.returncode and "lookahead" in done.stderr:
        return None
    if done.returncode:
        raise SystemExit(f"{model}: {done.stderr}")
    return json.loads(done.stdout)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--data")
    parser.add_argument("--repetitions", type=int, default=3)
    options = parser.parse_args()

    print("| model | sequential | two workers | Time Warp | conservative | sent to the other PE |\n|---|---|---|---|---|---|")
    for name, model in models(options.data):
        reports = {kind: [] for kind in KINDS}
        for _ in range(options.repetitions):
            for kind, of_kind in reports.items():
                report = run(options.program, model, kind)
                if report:
                    of_kind.append(report)
        digests = {report["digest"] for of_kind in reports.values() for report in of_kind}
        if len(digests) != 1:
            raise SystemExit(f"{name}: digests {digests}")
        rates = {kind: statistics.median(r["rate"] for r in of_kind) / 1e6 for kind, of_kind in reports.items() if of_kind}
        cells = [f"{rates['sequential']:.2f}"]
        for kind in ("by default", "optimistic", "conservative"):
            cells.append(f"{rates[kind]:.2f} ({rates[kind] / rates['sequential']:.2f})" if kind in rates else "")
        print(f"| {name} | {' | '.join(cells)} | {reports['optimistic'][0]['remote_events']:.1%} |", flush=True)


if __name__ == "__main__":
    main()
