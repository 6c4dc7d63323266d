"""User equilibria of road networks, against the flows that Transportation Networks for Research publishes as best known;
departures and rerouting against what can be computed by hand."""

from .lab import Skipped, at_least, at_most, close, validation

# Options besides the files; the objective of the published flows, in the units of the network.
NETWORKS = {
    "SiouxFalls": (["--time-unit", "0.6"], 4_231_335.29),
    "Anaheim": ([], 1_286_032.2),
    "Chicago-Sketch": (["--toll-weight", "0.02", "--distance-weight", "0.04"], 17_313_018.7),
}
GAP = 1e-5


def published(file):
    """Volume by link: From, To, Volume, Cost on each line, behind a line of names."""
    volumes = {}
    for line in file.read_text(encoding="utf-8").splitlines():
        words = line.replace(";", " ").replace(":", " ").split()
        if len(words) >= 3 and words[0].isdigit():
            volumes[int(words[0]), int(words[1])] = float(words[2])
    return volumes


def r_squared(pairs):
    mean = sum(x for x, _ in pairs) / len(pairs)
    return 1 - sum((x - y) ** 2 for x, y in pairs) / sum((x - mean) ** 2 for x, _ in pairs)


def equilibrium(name):
    def check(lab):
        if lab.data is None:
            raise Skipped("needs road networks: --data DIR")
        options, objective = NETWORKS[name]
        stem = lab.data.resolve() / "tntp" / name / name.replace("-", "")
        files = {kind: stem.with_name(f"{stem.name}_{kind}.tntp") for kind in ("net", "trips", "flow")}
        for file in files.values():
            if not file.exists():
                raise Skipped(f"there is no {name}/{file.name} in the data")
        run = ["--network", files["net"], "--trips", files["trips"], "--assignment", "equilibrium", "--gap", GAP, *options]
        links = lab.table("traffic", "links", *run, "--until", 0)
        last = lab.table("traffic", "assignment", *run, "--until", 0)[-1]
        flows = published(files["flow"])
        yield at_most("relative gap", GAP, float(last["relative_gap"]))
        yield close("objective", objective, float(last["objective"]), 2e-5 * objective)
        yield at_least("R2 of link volumes", 0.9999,
                       r_squared([(flows[int(l["from"]), int(l["to"])], float(l["volume"])) for l in links]))
    return check


for network in NETWORKS:
    validation(f"traffic {network}, equilibrium")(equilibrium(network))


@validation("traffic departures")
def departures(lab):
    """The share of the trips that has left by some minute, from the areas of triangles; each of the 16 zones may be one off."""
    shares = lab.folder / "shares"
    shares.write_text("0 1\n20 6\n30 3\n")
    for name, options, minute, share in (
            ("uniform", [], 22.5, 22.5 / 60),
            ("peak 1.5", ["--departures", "peak", "--peak", 1.5], 15, 0.25 * 0.5 + 0.25 * 0.25 * 1),
            ("peak 4", ["--departures", "peak", "--peak", 4], 22.5, 0.5 * 0.5 ** 2),
            ("two peaks", ["--departures", "two-peaks"], 37.5, 0.5 + 0.5 * 2 * 0.25 ** 2),
            ("shares of a file", ["--departures", "shares", "--shares", shares], 25, 0.1 + 0.3)):
        run = lab.report("traffic", "--city", "16x16", "--vehicles", 10_000, "--until", minute, *options)
        yield close(f"{name}: departed by minute {minute:g}", 10_000 * share, run["model"]["departed"], 16)


FORK = """<NUMBER OF ZONES> 2
<NUMBER OF NODES> 5
<FIRST THRU NODE> 3
<NUMBER OF LINKS> 5
<END OF METADATA>
1 3 1000 1 0.1 0 0 ;
3 4 100 1 2 1 1 ;
3 5 1000 1 4 0 0 ;
4 2 1000 1 1 0 0 ;
5 2 1000 1 1 0 0 ;
"""


@validation("traffic fork, rerouting and Wardrop")
def fork(lab):
    """Two ways: 2 (1 + v / 100) minutes at a flow v, and always 4. If all re-decide, the first one gets the v at which both are
    equal (Wardrop), but for what comes while the last publication is old: at 5 vehicles in 2 minutes next to nothing.
    With a queue the first way takes 2 minutes until it is full at 100, and then as long as they make it."""
    hours = 20
    net, trips = lab.folder / "net", lab.folder / "trips"
    net.write_text(FORK)
    trips.write_text(f"<NUMBER OF ZONES> 2\n<END OF METADATA>\nOrigin 1\n2 : {150 * hours};\n")
    run = ["--network", net, "--trips", trips, "--period", 60 * hours, "--flow-window", 60]
    for kind, delay in (("", []), ("queue, ", ["--storage", 100_000])):
        for share, flow in ((0, 150), (1, 100), (0.8, 100), (0.2, 120)):
            options = ["--rerouting", share, "--publish", 0.2, "--publish-delay", 0] if share else []
            links = lab.table("traffic", "links", *run, *delay, *options)
            entered = next(int(l["entered"]) for l in links if (l["from"], l["to"]) == ("3", "4"))
            yield close(f"{kind}share {share:g}: vehicles/h on the first way", flow, entered / hours, 0.04 * flow)
