"""Epidemics: mass action, percolation, and outbreaks of other exact algorithms on the same network."""

import heapq
import math
import random
import shutil
import subprocess

from .lab import Skipped, at_most, validation, within

NEVER = math.inf


def fixed_point(function):
    x = 0.0
    for _ in range(100_000):
        x = function(x)
    return x


def mass_action(contact, latent, recovery, infected, until, steps=20_000):
    """Susceptible, exposed, infectious of the equations of Kermack and McKendrick, by Runge and Kutta."""
    def slope(s, e, i):
        infections, recoveries = contact * s * i, i / recovery
        onsets = e / latent if latent else infections
        return -infections, infections - onsets, onsets - recoveries

    def moved(x, by, factor):
        return [a + factor * b for a, b in zip(x, by)]
    x, h = [1 - infected, infected if latent else 0.0, 0.0 if latent else infected], until / steps
    for _ in range(steps):
        a = slope(*x)
        b = slope(*moved(x, a, h / 2))
        c = slope(*moved(x, b, h / 2))
        d = slope(*moved(x, c, h))
        x = [v + h / 6 * (p + 2 * q + 2 * r + s) for v, p, q, r, s in zip(x, a, b, c, d)]
    return x


def complete(nodes, r0, recovery=5):
    return ("--graph", "complete", "--nodes", nodes, "--infected", nodes // 20, "--recovery-mean", recovery,
            "--infection-mean", (nodes - 1) * recovery / r0)


@validation("epidemic complete network, mass action")
def equations(lab):
    for latent in (0, 2):
        for until in (5, 12, 20):
            susceptible, _, infectious = mass_action(0.5, latent, 5, 0.05, until)
            found = lab.estimates("epidemic", *complete(2000, 2.5), "--latent-mean", latent, "--until", until, replications=30)
            kind = "SEIR" if latent else "SIR"
            yield within(f"{kind}, day {until}: infected so far", 1 - susceptible, found["attack_rate"])
            yield within(f"{kind}, day {until}: infectious", 2000 * infectious, found["infectious"])


@validation("epidemic complete network, final size")
def final_size(lab):
    for recovery in ("exponential", "gamma:3", "deterministic"):
        found = lab.estimates("epidemic", *complete(2000, 1.8), "--recovery", recovery, replications=30)
        escaped = fixed_point(lambda s: 0.95 * math.exp(-1.8 * (1 - s)))
        yield within(f"R0 1.8, recovery {recovery}: infected", 1 - escaped, found["attack_rate"])


def percolated(passes, infected, g0, g1):
    """Newman 2002: the part that is infected in the end; g0, g1: generating functions of degrees."""
    u = fixed_point(lambda x: 1 - passes + passes * (1 - infected) * g1(x))
    return 1 - (1 - infected) * g0(u)


@validation("epidemic random networks, percolation")
def percolation(lab):
    network = ("--nodes", 20_000, "--infected", 200)
    poisson = lambda u: math.exp(-10 * (1 - u))
    for mean in (25, 40):
        found = lab.estimates("epidemic", *network, "--infection-mean", mean)
        yield within(f"Erdos-Renyi, infection {mean}, recovery 5 days",
                     percolated(5 / (5 + mean), 0.01, poisson, poisson), found["attack_rate"])
    found = lab.estimates("epidemic", *network, "--graph", "regular", "--degree", 5, "--infection", "weibull:2.5",
                          "--infection-mean", 5, "--recovery", "deterministic")
    passes = 1 - math.exp(-math.gamma(1.4) ** 2.5)
    yield within("regular, Weibull and deterministic", percolated(passes, 0.01, lambda u: u ** 5, lambda u: u ** 4),
                 found["attack_rate"])
    found = lab.estimates("epidemic", *network, "--infection-mean", 20, "--recovery", "gamma:2", "--latent-mean", 3, "--latent",
                          "lognormal:0.5")
    yield within("Erdos-Renyi, exponential and gamma, latency",
                 percolated(1 - (1 + 2.5 / 20) ** -2, 0.01, poisson, poisson), found["attack_rate"])


NODES = 200
# Gamma and lognormal times, by mean and shape here and by mean and variance for NEXT-Net.
INFECTION, RECOVERY = (6, 3), (4, 0.8)
OPTIONS = ("--infection", "gamma:3", "--infection-mean", 6, "--recovery", "lognormal:0.8", "--recovery-mean", 4)


def write_network(file):
    """Preferential attachment of two edges each; ids from 1 on."""
    chance = random.Random(1)
    edges, ends = [(1, 2), (2, 3), (3, 1)], [1, 2, 2, 3, 3, 1]
    for node in range(4, NODES + 1):
        others = set()
        while len(others) < 2:
            others.add(chance.choice(ends))
        for other in sorted(others):
            edges.append((node, other))
            ends += [node, other]
    file.write_text("".join(f"{a} {b}\n" for a, b in edges), encoding="utf-8")
    neighbours = {node: [] for node in range(1, NODES + 1)}
    for a, b in edges:
        neighbours[a].append(b)
        neighbours[b].append(a)
    return neighbours


def quickest_ways(neighbours, seed):
    """Another exact algorithm: infection takes the quickest way (Dijkstra). Number of infected, mean day."""
    chance = random.Random(seed)
    days, next_ones, size, total = {17: 0.0}, [(0.0, 17)], 0, 0.0
    while next_ones:
        now, node = heapq.heappop(next_ones)
        if now > days[node]:
            continue
        size, total = size + 1, total + now
        recovered = chance.lognormvariate(math.log(RECOVERY[0]) - RECOVERY[1] ** 2 / 2, RECOVERY[1])
        for other in neighbours[node]:
            after = chance.gammavariate(INFECTION[1], INFECTION[0] / INFECTION[1])
            if after < recovered and now + after < days.get(other, NEVER):
                days[other] = now + after
                heapq.heappush(next_ones, (now + after, other))
    return size, total / size


def next_net(program, file, seed):
    """The same of NEXT-Net, a next reaction method."""
    done = subprocess.run([program, "-n", f"empirical({file.name})", "-p", f"gamma({INFECTION[0]},{INFECTION[0] ** 2 / INFECTION[1]})",
                           "-r", f"lognormal({RECOVERY[0]},{RECOVERY[0] ** 2 * math.expm1(RECOVERY[1] ** 2)})", "-s", "SIR=1",
                           "-i", "17", "-t", "1e9", "-z", str(seed)], capture_output=True, text=True, cwd=file.parent, check=True)
    days = []
    for line in done.stdout.splitlines():
        words = line.split("\t")
        if len(words) > 3 and words[3] in ("infection", "outside_infection"):
            days.append(float(words[0]))
    return len(days), sum(days) / len(days)


def distance(a, b):
    """The greatest distance between two empirical distributions."""
    a, b = sorted(a), sorted(b)
    most = i = j = 0
    for x in sorted(set(a + b)):
        while i < len(a) and a[i] <= x:
            i += 1
        while j < len(b) and b[j] <= x:
            j += 1
        most = max(most, abs(i / len(a) - j / len(b)))
    return most


def compare(lab, outbreaks, outbreak):
    """Rows of Kolmogorov-Smirnov tests at 0.1%."""
    file = lab.folder / "contacts.txt"
    neighbours = write_network(file)
    runs = lab.replications("epidemic", "--network", file.name, "--first", 17, *OPTIONS, replications=outbreaks)
    ours = [(run["infected"], run["infection_day"]["mean"]) for run in runs]
    others = [outbreak(file, neighbours, seed) for seed in range(1, outbreaks + 1)]
    most = 1.949 * math.sqrt(2 / outbreaks)
    for k, what in enumerate(("size", "mean day of infection")):
        yield at_most(f"{what}: distance", most, distance([o[k] for o in ours], [o[k] for o in others]))


@validation("epidemic outbreaks, another exact algorithm")
def exact(lab):
    yield from compare(lab, 4000, lambda file, neighbours, seed: quickest_ways(neighbours, seed))


@validation("epidemic outbreaks, NEXT-Net")
def nextnet(lab):
    program = lab.nextnet or shutil.which("nextnet")
    if not program:
        raise Skipped("needs the program nextnet, github.com/oist/NEXTNet: --nextnet FILE")
    yield from compare(lab, 1000, lambda file, neighbours, seed: next_net(program, file, seed))
