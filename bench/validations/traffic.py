"""User equilibria of road networks, against the flows that Transportation Networks for Research publishes as best known."""

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
