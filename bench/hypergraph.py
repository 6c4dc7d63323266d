#!/usr/bin/env python3
"""What a hypergraph partitioner changes against METIS, as Wang et al. (2013) used hMETIS.

Usage: hypergraph.py PROGRAM [--parts N] [--workers N] [--repetitions N] [--only NAME,...]
Needs the Python package mtkahypar (Mt-KaHyPar; not a part of Anachron). For each workload a short run counts who sends
to whom (`anachron partition --profile-until`). METIS and Mt-KaHyPar make partitions of these counts, and runs use them.
Mt-KaHyPar gets two hypergraphs:
  pairs   a net for each two LPs, with their events: the goal is that of METIS, few events that are cut
  nets    a net for each LP with all its receivers: the goal is few parts in which these are
Prints the seconds to make each (of `block` and `metis`: with the run that counts), the balance, the share of remote events as
predicted and as run, events undone per committed one, and the rate. Runs are interleaved; figures are medians, the
last column the lowest and highest rate."""

import argparse
import collections
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WORKLOADS = {  # the model with its options, the time to count until, the time to run until
    "hierarchical": ("phold --lps 4096 --events-per-lp 16 --receiver hierarchical --local-size 64 --region-size 512"
                     " --remote 0.05 --regional 0.2", 10, 100),
    "traffic": ("traffic --city 128x128", 60, None),
    "logic": ("logic --gates 100k --flops 0 --gates-per-lp 200 --delays 2,nand=3,xor=4:5 --period 400 --vectors 50",
              2000, None),
}
BALANCE = 0.03  # as METIS here


def anachron(program, *arguments):
    return subprocess.run([program, *map(str, arguments)], check=True, stdout=subprocess.PIPE, text=True).stdout


class Profile:
    """A file of `anachron partition --profile-until`: work by LP, and (from, to): events."""
    def __init__(self, path):
        lines = Path(path).read_text(encoding="utf-8").splitlines()
        owners, work = lines.index("owners"), lines.index("work")
        self.head = [line for line in lines[:owners] if not line.startswith("parts")]
        sent = next(k for k, line in enumerate(lines) if line.startswith("sent "))
        self.owners = list(map(int, lines[owners + 1:work]))
        self.work = [float(line) for line in lines[work + 1:sent]]
        self.sent = {}
        for line in lines[sent + 1:-1]:
            start, end, weight = line.split()
            self.sent[int(start), int(end)] = float(weight)

    def write(self, path, owners, parts):
        first, *rest = self.head
        path.write_text("\n".join([first, f"parts {parts}", *rest, "owners", *map(str, owners), "end", ""]), "utf-8")

    def quality(self, owners, parts):
        """Balance and share of remote events."""
        work = collections.Counter()
        for lp, owner in enumerate(owners):
            work[owner] += self.work[lp]
        cut = sum(weight for (start, end), weight in self.sent.items() if owners[start] != owners[end])
        return max(work.values()) * parts / sum(self.work), cut / sum(self.sent.values())

    def pairs(self):
        weights = collections.Counter()
        for (start, end), weight in self.sent.items():
            if start != end:
                weights[min(start, end), max(start, end)] += weight
        return [list(pair) for pair in weights], list(weights.values())

    def nets(self):
        receivers, weights = collections.defaultdict(set), collections.Counter()
        for (start, end), weight in self.sent.items():
            if start != end:
                receivers[start] |= {start, end}
                weights[start] += weight
        shares = [weights[lp] / (len(net) - 1) for lp, net in receivers.items()]  # of an event for each receiver
        return [sorted(net) for net in receivers.values()], shares


def whole(weights):
    scale = 2 ** 28 / sum(weights)
    return [max(round(weight * scale), 1 if weight > 0 else 0) for weight in weights]


def cut_hypergraph(mtkahypar, profile, nets, parts, workers):
    mt = mtkahypar.initialize(workers, False)
    mtkahypar.set_seed(1)
    context = mt.context_from_preset(mtkahypar.PresetType.QUALITY)
    context.set_partitioning_parameters(parts, BALANCE, mtkahypar.Objective.KM1)
    members, weights = nets
    graph = mt.create_hypergraph(context, len(profile.work), len(members), members, whole(profile.work), whole(weights))
    return list(graph.partition(context).get_partition())


def partitions(mtkahypar, program, model, until, options, folder):
    """{name: (file, seconds, balance, predicted share)}"""
    found, parts = {}, options.parts
    for name in ("block", "metis"):
        path, start = folder / f"{name}.txt", time.perf_counter()
        anachron(program, "partition", *model, "--parts", parts, "--partition", name, "--profile-until", until,
                 "--out", path, "--quiet")
        seconds = time.perf_counter() - start
        profile = Profile(path)
        found[name] = (path, seconds, *profile.quality(profile.owners, parts))
    for name in ("pairs", "nets"):
        start = time.perf_counter()
        owners = cut_hypergraph(mtkahypar, profile, getattr(profile, name)(), parts, options.workers)
        path = folder / f"{name}.txt"
        profile.write(path, owners, parts)
        found[name] = (path, time.perf_counter() - start, *profile.quality(owners, parts))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    for name, default in (("parts", 8), ("workers", 2), ("repetitions", 5)):
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--only", default=",".join(WORKLOADS))
    options = parser.parse_args()
    try:
        import mtkahypar
    except ImportError:
        sys.exit("needs the Python package mtkahypar")

    print(f"{'':14}{'':7}{'made in':>9}{'balance':>9}{'predicted':>11}{'remote':>8}{'undone':>8}{'M/s':>8}")
    for name in options.only.split(","):
        text, counted_until, until = WORKLOADS[name]
        with tempfile.TemporaryDirectory() as folder:
            found = partitions(mtkahypar, options.program, text.split(), counted_until, options, Path(folder))
            reports = collections.defaultdict(list)
            for repetition in range(options.repetitions):
                for kind in list(found)[::1 if repetition % 2 else -1]:
                    reports[kind].append(json.loads(anachron(
                        options.program, "run", *text.split(), *(["--until", until] if until else []), "--sync",
                        "optimistic", "--workers", options.workers, "--pes", options.parts, "--mapping", "fixed",
                        "--partition", found[kind][0], "--report", "-", "--quiet")))
            if len({report["digest"] for all_of in reports.values() for report in all_of}) != 1:
                sys.exit(f"{name}: digests differ")
            for kind, (_, seconds, balance, predicted) in found.items():
                rates = sorted(report["rate"] / 1e6 for report in reports[kind])
                remote = statistics.median(report["remote_events"] for report in reports[kind])
                undone = statistics.median(report["rolled_back"] / report["committed"] for report in reports[kind])
                print(f"{name:14}{kind:7}{seconds:8.2f}s{balance:9.3f}{predicted:11.2%}{remote:8.2%}{undone:8.2%}"
                      f"{statistics.median(rates):8.2f}  {rates[0]:.2f} to {rates[-1]:.2f}", flush=True)


if __name__ == "__main__":
    main()
