#!/usr/bin/env python3
"""The dragonfly of the synthetic experiments of CODES with our model `packets`: latency and throughput over the load, and
networks of a million hosts.

Usage: packets.py PROGRAM FOLDER [--codes FILE] [--only curves|million] [--quick]
  PROGRAM  build/release/bin/anachron
  FOLDER   gets dragonfly.csv and million.csv and, where matplotlib is, dragonfly.svg
  --codes  the program model-net-synthetic of CODES: the same runs are made with it, its points are drawn beside. Without it
           those of FOLDER/dragonfly.csv are kept
  --quick  few points and small networks: to see that it works

The network is that of modelnet-synthetic-dragonfly.conf in CODES: 33 groups of 8 routers with 4 hosts and 4 global links each,
1,056 hosts; 5.25 GiB/s to hosts and within groups, 4.7 GiB/s between them; packets of 512 bytes; 4 KiB for each virtual
channel; 50 ns in a router. Links have no latency there, so they have none here. CODES moves packets in pieces of 32 bytes in that
file; here as there they travel whole. Hosts send to any other (`uniform`), or
to the host of the same number in the next group (`next-group`, "nearest group" in CODES), minimally or by way of a random group
(Valiant). Runs begin with an empty network, and all packets count that have arrived by the end.
"""

import argparse
import csv
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

GIB = 2**30 / 1e9  # GiB/s in bytes/ns
HOSTS, PACKET = 33 * 8 * 4, 512
HOST_BANDWIDTH, GLOBAL_BANDWIDTH = 5.25 * GIB, 4.7 * GIB
UNTIL = 20_000  # ns
LOADS = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
LOADS_OF_ONE_LINK = [0.005, 0.01, 0.015, 0.02, 0.025, 0.03, 0.05]  # all packets of a group take the same link
CURVES = [("uniform", "minimal"), ("uniform", "valiant"), ("next-group", "minimal"), ("next-group", "valiant")]
# Throughput with which the busiest links are full. Between groups: of the 1,055 other hosts 1,024 are in other groups. Valiant: a link
# has packets on their way to the group at its end, and as many that are to go on from there; 1 of 32 takes one link only. To the
# next group, Valiant: packets come into the group between at one router and leave it from the next one, so that
# the local link has those of four links, and half as many loads again that begin and that end at a router.
RATIO = GLOBAL_BANDWIDTH / HOST_BANDWIDTH
BOUNDS = {("uniform", "minimal"): RATIO * 1055 / 1024, ("uniform", "valiant"): RATIO * 1055 / 1024 / (2 - 1 / 32),
          ("next-group", "minimal"): RATIO / 32, ("next-group", "valiant"): 1 / 5}
MILLION = {  # hosts, load, ns, options
    "torus 10x10x10x10x10x10": (1_000_000, 0.02, 4000, ["--torus", "10x10x10x10x10x10"]),
    "torus 100x100x100": (1_000_000, 0.02, 4000, ["--torus", "100x100x100"]),
    "dragonfly 23, 46, 23": (23 * 46 * (46 * 23 + 1), 0.2, 2000, ["--topology", "dragonfly", "--hosts-per-router", "23",
                                                                  "--routers-per-group", "46", "--global-links", "23"]),
}
FEW = {"torus 8x8x8": (512, 0.2, 1000, ["--torus", "8x8x8"])}
MILLION_COLUMNS = ["network", "hosts", "load", "until_ns", "workers", "events", "delivered", "latency_ns", "wall_s", "cpu_s", "events_per_s", "peak_mib",
                   "efficiency", "digest"]
COLUMNS = ["engine", "traffic", "routing", "load", "latency_ns", "throughput", "hops", "packets"]

CODES = """LPGROUPS {{ MODELNET_GRP {{ repetitions="264"; nw-lp="4"; modelnet_dragonfly="4"; modelnet_dragonfly_router="1"; }} }}
PARAMS {{
  packet_size="{packet}"; chunk_size="{packet}"; message_size="{packet}";
  modelnet_order=( "dragonfly", "dragonfly_router" );
  modelnet_scheduler="fcfs"; num_vcs="1"; num_routers="8"; local_vc_size="4096"; global_vc_size="4096"; cn_vc_size="4096";
  local_bandwidth="5.25"; global_bandwidth="4.7"; cn_bandwidth="5.25"; routing="{routing}";
}}
"""
CODES_ROUTING = {"minimal": "minimal", "valiant": "nonminimal"}
CODES_TRAFFIC = {"uniform": 1, "next-group": 2}


def run(program, *options):
    """The report of a run."""
    done = subprocess.run([program, "run", "packets", *map(str, options), "--quiet", "--report", "-"], check=True,
                          capture_output=True, text=True)
    return json.loads(done.stdout)


def curve_options(traffic, routing, load):
    return ("--topology", "dragonfly", "--routers-per-group", 8, "--hosts-per-router", 4, "--global-links", 4,
            "--arrangement", "modulo", "--packet-size", PACKET, "--buffer", 8, "--host-bandwidth", HOST_BANDWIDTH, "--local-bandwidth", HOST_BANDWIDTH,
            "--global-bandwidth", GLOBAL_BANDWIDTH, "--host-latency", 0, "--local-latency", 0, "--global-latency", 0,
            "--router-delay", 50, "--traffic", traffic, "--routing", routing, "--load", load, "--until", UNTIL, "--sync", "sequential")


def ours(program, *point):
    """Mean latency in ns, throughput, mean number of links between routers, and packets, of traffic, routing and load."""
    model = run(program, *curve_options(*point))["model"]
    return [round(model["latency"]["mean"], 1), round(model["throughput"], 4), round(model["hops"]["mean"], 3),
            model["delivered"]]


def codes(program, traffic, routing, load):
    """The same of a run of CODES."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "dragonfly.conf"
        file.write_text(CODES.format(packet=PACKET, routing=CODES_ROUTING[routing]), encoding="utf-8")
        done = subprocess.run([program, "--sync=1", f"--traffic={CODES_TRAFFIC[traffic]}", f"--payload_size={PACKET}",
                               f"--arrival_time={PACKET / HOST_BANDWIDTH / load}", "--num_messages=1000000", f"--end={UNTIL}",
                               "--", str(file)], capture_output=True, text=True, cwd=folder, check=False)
    found = re.search(r"hops traversed (\S+) average chunk latency (\S+) us .* finished chunks (\d+)", done.stdout)
    if not found:
        sys.exit(f"CODES says nothing of packets: {done.stdout[-500:]} {done.stderr[-500:]}")
    hops, latency, packets = float(found[1]) - 1, 1e3 * float(found[2]), int(found[3])  # it counts routers
    throughput = packets * PACKET / UNTIL / HOSTS / HOST_BANDWIDTH
    return [round(latency, 1), round(throughput, 4), round(hops, 3), packets]


def loads(traffic, routing, every):
    return (LOADS_OF_ONE_LINK if (traffic, routing) == ("next-group", "minimal") else LOADS)[::every]


def read(file):
    if not file.exists():
        return []
    with open(file, newline="", encoding="utf-8") as stream:
        return list(csv.reader(stream))[1:]


def write(file, columns, rows):
    with open(file, "w", newline="", encoding="utf-8") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)


def curves(options):
    file = options.folder / "dragonfly.csv"
    kept = [] if options.codes else [row for row in read(file) if row[0] != "anachron"]
    every, rows = 4 if options.quick else 1, []
    for traffic, routing in CURVES:
        for load in loads(traffic, routing, every):
            rows.append(["anachron", traffic, routing, load, *ours(options.program, traffic, routing, load)])
            print(*rows[-1], sep="\t", flush=True)
        for load in loads(traffic, routing, every) if options.codes else ():
            rows.append(["CODES", traffic, routing, load, *codes(options.codes.resolve(), traffic, routing, load)])
            print(*rows[-1], sep="\t", flush=True)
    write(file, COLUMNS, rows + kept)
    draw(options.folder / "dragonfly.svg", rows + kept)


def draw(file, rows):
    """Latency and throughput over the load; lines are ours, points those of CODES. Dashed: what links can carry."""
    try:
        import matplotlib
        matplotlib.use("svg")
        from matplotlib import pyplot
    except ImportError:
        return
    matplotlib.rcParams.update({"font.size": 9, "svg.hashsalt": "anachron"})
    figure, all_axes = pyplot.subplots(2, 3, figsize=(11, 6.5))
    panels = [("uniform", ("minimal", "valiant")), ("next-group", ("valiant",)), ("next-group", ("minimal",))]
    marks = {"anachron": "-", "CODES": "o"}
    for (above, below), (traffic, routings) in zip(all_axes.T, panels):
        for routing, colour in zip(("minimal", "valiant"), ("C0", "C1")):
            if routing not in routings:
                continue
            for engine, mark in marks.items():
                points = sorted([float(cell) for cell in row[3:6]] for row in rows if row[:3] == [engine, traffic, routing])
                if not points:
                    continue
                at, latency, throughput = zip(*points)
                above.plot(at, latency, mark, color=colour, markersize=4, label=f"{engine}, {routing}")
                below.plot(at, throughput, mark, color=colour, markersize=4)
            below.axhline(BOUNDS[traffic, routing], linestyle="--", color=colour, linewidth=1)
        above.set(title=f"{traffic}, {' and '.join(routings)}", ylabel="mean latency, ns", yscale="log")
        below.set(xlabel="load", ylabel="throughput")
        below.set_ylim(bottom=0)
        above.legend(fontsize=7)
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})
    pyplot.close(figure)


def million(options):
    rows = []
    for name, (hosts, load, until, network) in (FEW if options.quick else MILLION).items():
        digests = set()
        for workers in (1, 2):
            report = run(options.program, *network, "--load", load, "--until", until, "--workers", workers)
            digests.add(report["digest"])
            model = report["model"]
            rows.append([name, hosts, load, until, workers, report["committed"], model["delivered"],
                         round(model["latency"]["mean"], 1), round(report["wall_s"], 1), round(report["cpu_s"], 1),
                         round(report["rate"]), round(report["peak_rss"] / 2**20), round(report["efficiency"], 4), report["digest"]])
            print(*rows[-1], sep="\t", flush=True)
        if len(digests) > 1:
            sys.exit(f"{name}: different digests: {digests}")
    write(options.folder / "million.csv", MILLION_COLUMNS, rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--codes", type=Path)
    parser.add_argument("--only", choices=("curves", "million"))
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    options.program = options.program.resolve()
    for name, job in (("curves", curves), ("million", million)):
        if options.only in (None, name):
            job(options)


if __name__ == "__main__":
    main()
