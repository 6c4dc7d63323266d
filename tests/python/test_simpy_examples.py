"""The translations of SimPy's examples find what SimPy finds: the same means and distributions, or the same trace where nothing is
random. None of them is much longer than its original."""

import ast
import importlib.util
import io
import math
import random
import tokenize
from pathlib import Path

import numpy as np
import pytest

import anachron as an

simpy = pytest.importorskip("simpy")

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "python" / "simpy"
BOUND = 2.576  # of 99% of what is normally distributed
#: Lines of SimPy 4.1.2's originals, docs/examples/code/*.py of its source archive on PyPI, as `lines_of_code` counts them.
LINES_OF_ORIGINALS = {
    "bank_renege": 33,
    "carwash": 38,
    "machine_shop": 70,
    "movie_renege": 60,
    "gas_station": 46,  # gas_station_refuel.py
    "process_communication": 50,
    "event_latency": 28,  # latency.py
}
MORE_LINES = 5  # that a translation may have


def example(name):
    spec = importlib.util.spec_from_file_location("simpy_" + name, EXAMPLES / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def check_means(ours, theirs):
    """Two samples of independent runs have the same mean, as far as 99 of 100 would say so."""
    ours, theirs = np.asarray(ours, float), np.asarray(theirs, float)
    error = math.sqrt(ours.var(ddof=1) / len(ours) + theirs.var(ddof=1) / len(theirs))
    assert error > 0
    assert abs(ours.mean() - theirs.mean()) < BOUND * error, f"{ours.mean()} and {theirs.mean()}, standard error {error}"


def check_distributions(ours, theirs):
    """Two samples of independent runs have the same distribution: Kolmogorov and Smirnov's test does not deny it in 99 of 100
    cases. Seeds are fixed on both sides, so each run of this test finds the same."""
    stats = pytest.importorskip("scipy.stats")
    assert len(set(theirs)) > 5
    found = stats.ks_2samp(np.asarray(ours, float), np.asarray(theirs, float))
    assert found.pvalue > 0.01, found


def lines_of_code(text):
    """Lines without blank ones, comments and docstrings."""
    dropped = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
    tokens = [token for token in tokenize.generate_tokens(io.StringIO(text).readline) if token.type not in dropped]
    lines = {line for token in tokens for line in range(token.start[0], token.end[0] + 1)}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node, clean=False) is not None:
            lines -= set(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return len(lines)


@pytest.mark.parametrize("name", LINES_OF_ORIGINALS)
def test_a_translation_is_hardly_longer_than_the_original(name):
    own = lines_of_code((EXAMPLES / f"{name}.py").read_text(encoding="utf-8"))
    assert own <= LINES_OF_ORIGINALS[name] + MORE_LINES


def test_bank_renege():
    customers, banks = 50, 2000  # 10^5 customers
    module = example("bank_renege")
    states = module.model.run(lps=banks, customers=customers).states(module.Bank)
    rng = random.Random(42)

    def run():
        env, reneged, waits = simpy.Environment(), [0], []
        counter = simpy.Resource(env, 1)

        def source():
            for _ in range(customers):
                env.process(customer())
                yield env.timeout(rng.expovariate(1 / 10))

        def customer():
            arrived = env.now
            with counter.request() as request:
                got = yield request | env.timeout(rng.uniform(1, 3))
                waits.append(env.now - arrived)
                if request in got:
                    yield env.timeout(rng.expovariate(1 / 12))
                else:
                    reneged[0] += 1

        env.process(source())
        env.run()
        return reneged[0], sum(waits) / len(waits)

    theirs = np.array([run() for _ in range(banks)])
    check_means(states["reneged"], theirs[:, 0])
    check_means(states["waits"]["mean"], theirs[:, 1])
    check_distributions(states["reneged"], theirs[:, 0])
    check_distributions(states["waits"]["mean"], theirs[:, 1])


def test_carwash():
    module = example("carwash")
    states = module.model.run(lps=300, until=500).states(module.Carwash)
    rng = random.Random(43)

    def run():
        env, washed = simpy.Environment(), [0]
        machines = simpy.Resource(env, 2)

        def wash():
            yield env.timeout(5)
            washed[0] += 1

        def car():
            with machines.request() as request:
                yield request
                yield env.process(wash())

        def setup():
            for _ in range(4):
                env.process(car())
            while True:
                yield env.timeout(rng.randint(5, 9))
                env.process(car())

        env.process(setup())
        env.run(until=500)
        return washed[0]

    check_means(states["washed"], [run() for _ in range(300)])


def test_machine_shop():
    module = example("machine_shop")
    until = 7 * 24 * 60
    states = module.model.run(lps=60, until=until).states(module.Shop)
    rng = random.Random(44)

    def run():
        env, made, jobs = simpy.Environment(), [0], [0]
        repairman = simpy.PreemptiveResource(env, 1)

        def time_per_part():
            while True:
                t = rng.normalvariate(10, 2)
                if t > 0:
                    return t

        class Machine:
            def __init__(self):
                self.broken = False
                self.process = env.process(self.work())
                env.process(self.breaks())

            def work(self):
                while True:
                    left = time_per_part()
                    while left:
                        start = env.now
                        try:
                            yield env.timeout(left)
                            left = 0
                        except simpy.Interrupt:
                            self.broken = True
                            left -= env.now - start
                            with repairman.request(priority=1) as request:
                                yield request
                                yield env.timeout(30)
                            self.broken = False
                    made[0] += 1

            def breaks(self):
                while True:
                    yield env.timeout(rng.expovariate(1 / 300))
                    if not self.broken:
                        self.process.interrupt()

        def other_jobs():
            while True:
                left = 30
                while left:
                    with repairman.request(priority=2) as request:
                        yield request
                        start = env.now
                        try:
                            yield env.timeout(left)
                            left = 0
                        except simpy.Interrupt:
                            left -= env.now - start
                jobs[0] += 1

        for _ in range(10):
            Machine()
        env.process(other_jobs())
        env.run(until=until)
        return made[0], jobs[0]

    theirs = np.array([run() for _ in range(60)])
    check_means([sum(made) for made in states["made"]], theirs[:, 0])
    check_means(states["jobs"], theirs[:, 1])


def test_movie_renege():
    module = example("movie_renege")
    states = module.model.run(lps=400).states(module.Theater)
    rng = random.Random(45)

    def run():
        env = simpy.Environment()
        counter = simpy.Resource(env, 1)
        available, when, left = [50] * 3, [-1.0] * 3, [0] * 3
        sold_out = [env.event() for _ in range(3)]

        def moviegoer(movie, tickets):
            with counter.request() as turn:
                got = yield turn | sold_out[movie]
                if turn not in got:
                    left[movie] += 1
                elif available[movie] < tickets:
                    yield env.timeout(0.5)
                else:
                    available[movie] -= tickets
                    if available[movie] < 2:
                        sold_out[movie].succeed()
                        when[movie] = env.now
                        available[movie] = 0
                    yield env.timeout(1)

        def arrivals():
            while True:
                yield env.timeout(rng.expovariate(1 / 0.5))
                movie, tickets = rng.randrange(3), rng.randint(1, 6)
                if available[movie] > 0:
                    env.process(moviegoer(movie, tickets))

        env.process(arrivals())
        env.run(until=120)
        return when[0], sum(left)

    theirs = np.array([run() for _ in range(400)])
    check_means(states["when"][:, 0], theirs[:, 0])
    check_means(states["left"].sum(axis=1), theirs[:, 1])
    check_distributions(states["when"][:, 0], theirs[:, 0])
    check_distributions(states["left"].sum(axis=1), theirs[:, 1])


def test_gas_station():
    module = example("gas_station")
    states = module.model.run(lps=300, until=10_000).states(module.Station)
    rng = random.Random(50)

    def run():
        env, times, trucks = simpy.Environment(), [], [0]
        pumps, tank = simpy.Resource(env, 2), simpy.Container(env, 200, init=200)

        def car():
            arrived = env.now
            with pumps.request() as request:
                yield request
                needed = 50 - rng.randint(5, 25)
                yield tank.get(needed)
                yield env.timeout(needed / 2)
                times.append(env.now - arrived)

        def control():
            while True:
                if tank.level / tank.capacity * 100 < 25:
                    yield env.process(refill())
                yield env.timeout(10)

        def refill():
            yield env.timeout(300)
            trucks[0] += 1
            yield tank.put(tank.capacity - tank.level)

        def cars():
            while True:
                yield env.timeout(rng.randint(30, 300))
                env.process(car())

        env.process(control())
        env.process(cars())
        env.run(until=10_000)
        return sum(times) / len(times), trucks[0]

    theirs = np.array([run() for _ in range(300)])
    check_means(states["times"]["mean"], theirs[:, 0])
    check_means(states["trucks"], theirs[:, 1])


def test_process_communication():
    module = example("process_communication")
    model = an.Model(module.Consumer, name="process communication")
    ours = [model.run(lps=3, until=400, seed=seed, sync="sequential") for seed in range(1, 201)]
    rng = random.Random(47)

    def run():
        env, read, late = simpy.Environment(), [0], [0]
        pipes = [simpy.Store(env) for _ in range(3)]

        def generate():
            while True:
                yield env.timeout(rng.randint(6, 10))
                for pipe in pipes:
                    pipe.put(env.now)

        def consume(pipe):
            while True:
                sent = yield pipe.get()
                read[0] += 1
                late[0] += sent < env.now
                yield env.timeout(rng.randint(4, 8))

        for pipe in pipes:
            env.process(consume(pipe))
        env.process(generate())
        env.run(until=400)
        return read[0], late[0]

    theirs = np.array([run() for _ in range(200)])
    check_means([report["read"] for report in ours], theirs[:, 0])
    check_means([report["late"] for report in ours], theirs[:, 1])


def test_event_latency(capsys):
    module = example("event_latency")
    module.model.run(lps=1)
    ours = [line.split(": ", 1)[1] for line in capsys.readouterr().out.splitlines()]
    env, theirs = simpy.Environment(), []
    store = simpy.Store(env)

    def latency(sent):
        yield env.timeout(10)
        yield store.put(sent)

    def sender():
        while True:
            yield env.timeout(5)
            env.process(latency(env.now))

    def receiver():
        while True:
            sent = yield store.get()
            theirs.append(f"received at {env.now:.0f}: sent at {sent:.0f}")

    env.process(sender())
    env.process(receiver())
    env.run(until=100)
    assert ours == theirs


def test_call_centre():
    centres, until = 400, 600
    module = example("call_centre")
    states = module.model.run(lps=centres, until=until).states(module.Centre)
    rng = random.Random(51)

    def run():
        env, calls, lost, waits, urgent_waits = simpy.Environment(), [0], [0], [], []
        agents = simpy.PriorityResource(env, 4)

        def arrivals():
            while True:
                yield env.timeout(rng.expovariate(1 / 0.5))
                calls[0] += 1
                env.process(caller(1 if rng.random() < 0.2 else 2))

        def breaks(number):
            yield env.timeout(110 * (number + 1) / 4)
            while True:
                with agents.request(priority=0) as away:
                    yield away
                    yield env.timeout(10)
                yield env.timeout(110)

        def caller(priority):
            arrived = env.now
            with agents.request(priority=priority) as turn:
                got = yield turn | env.timeout(rng.expovariate(1 / 3))
                if turn not in got:
                    lost[0] += 1
                    return
                waits.append(env.now - arrived)
                if priority == 1:
                    urgent_waits.append(env.now - arrived)
                yield env.timeout(rng.expovariate(1 / 2))

        env.process(arrivals())
        for number in range(4):
            env.process(breaks(number))
        env.run(until=until)
        return lost[0] / calls[0], sum(waits) / len(waits), sum(urgent_waits) / len(urgent_waits)

    theirs = np.array([run() for _ in range(centres)])
    ours = (states["lost"] / states["calls"], states["waits"]["mean"], states["urgent_waits"]["mean"])
    for own, other in zip(ours, theirs.T):
        check_means(own, other)
        check_distributions(own, other)
