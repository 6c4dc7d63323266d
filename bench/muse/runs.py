"""Runs of MUSE's PHOLD with threads, made in turn and kept in a file, so that an interrupted session goes on where it was."""

import json
import math
import os
import shlex
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

# Section 3.1: a torus of 100 x 100 LPs, 20 events each, exponential delays.
LPS, EVENTS_PER_LP, MEAN = 10_000, 20, 10
RANGES = [10, 100, 1000, 10_000]
REMOTE = [0.1, 0.25, 0.5, 0.75, 0.9]
CHANNELS = ["spsc", "mpsc", "iteq-locked", "iteq-spinning", "iteq-lock-free"]
SHARING = ["shared", "copied"]
NUMA = ["off", "on"]
POOLS = ["own", "system", "jemalloc", "mimalloc"]
# What is kept of a report.
FIGURES = ["digest", "wall_s", "normalised_s", "cpu_s", "cycles", "instructions", "cache_misses", "committed", "executed", "rollbacks",
           "rolled_back", "sent_remote", "anti_messages", "remote_events", "efficiency", "peak_rss", "memory_peak", "copied_bytes", "recall_bytes",
           "waiting_blocks", "most_waiting_blocks", "recycled", "rebalanced_blocks"]

# Quantiles of Student's t, 97.5%, for 1 to 30 degrees of freedom.
T = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101,
     2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042]


def mean_with_interval(values):
    """(mean, half width of its 95% confidence interval); the latter None of a single value."""
    n = len(values)
    mean = sum(values) / n
    if n < 2:
        return mean, None
    deviation = math.sqrt(sum((v - mean) ** 2 for v in values) / (n - 1))
    return mean, (T[n - 2] if n - 2 < len(T) else 1.96) * deviation / math.sqrt(n)


@dataclass(frozen=True)
class Case:
    """One kind of run: `x` is the receiver range of configuration 1, or the share of remote events of configuration 2."""

    configuration: int
    x: float
    workers: int
    channel: str = "spsc"
    pool: str = "own"
    queues: int = 0  # inter-thread event queues of a PE; 0: the engine's choice, half as many as PEs
    throttle: str = "balanced"
    events: str = "shared"  # or copied: those that go from PE to PE
    numa: str = "off"  # or on: each on the memory node of its receiver
    group: str = ""  # only runs of one group are made in turn, and compared

    def receivers(self):
        if self.configuration == 1:
            return ["--receiver", "torus", "--range", self.x]
        # Blocks of as many LPs as a PE has, all in one region: what is not local goes to any other PE. One PE has no other.
        if self.workers == 1:
            return ["--receiver", "hierarchical", "--local-size", LPS, "--region-size", LPS, "--regional", 0, "--remote", 0]
        block = LPS // self.workers
        return ["--receiver", "hierarchical", "--local-size", block, "--region-size", block * self.workers, "--regional", self.x,
                "--remote", 0]

    def lps(self):
        return LPS if self.configuration == 1 else LPS // self.workers * self.workers

    def model(self, events):
        """For about so many committed events."""
        until = events * MEAN / (self.lps() * EVENTS_PER_LP)
        return ["phold", "--lps", self.lps(), "--events-per-lp", EVENTS_PER_LP, "--mean", MEAN, *self.receivers(), "--until", f"{until:g}"]

    def engine(self):
        words = ["--sync", "optimistic", "--workers", self.workers, "--pool", self.pool]
        if self.workers > 1:  # a single worker executes in order, and none of these means anything
            words += ["--mapping", "fixed", "--channel", self.channel, "--events", self.events, "--numa", self.numa,
                      "--throttle", self.throttle]
            if self.queues:
                words += ["--channel-queues", self.queues]
        return words

    def is_plain(self):
        """As by default but for the channel or the pool."""
        return self.events == "shared" and self.numa == "off"

    def configuration_name(self):
        """As in the paper."""
        return f"{self.events}, {'NUMA' if self.numa == 'on' else 'no NUMA'}"

    def name(self):
        parts = [self.channel] if self.pool == "own" else [self.pool]
        parts += [f"{self.queues} queues" if self.queues != 1 else "1 queue"] if self.queues else []
        parts += [self.throttle] if self.throttle != "balanced" else []
        parts += [self.configuration_name()] if not self.is_plain() else []
        return ", ".join(parts)


class Machine:
    """Runs things; a test has another one."""

    def __init__(self, program, nice, limit):
        self.program, self.limit = str(Path(program).resolve()), limit
        self.priority = ["nice", "-n", str(nice)] if nice else []
        self.failures = []
        self.described = None

    def run(self, words):
        """The report of a run; none where it failed."""
        command = [*self.priority, self.program, "run", *map(str, words), "--quiet", "--report", "-"]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL, timeout=self.limit)
            if done.returncode == 0:
                return json.loads(done.stdout)
            problem = f"exit status {done.returncode}: {done.stderr.strip()[-300:]}"
        except subprocess.TimeoutExpired:
            problem = "took too long"
        except ValueError as error:
            problem = f"no report: {error}"
        self.failures.append(f"{shlex.join(['anachron', 'run', *map(str, words)])}: {problem}")
        print(f"  FAILED: {self.failures[-1]}", file=sys.stderr)
        return None

    def describe(self):
        """What the program says of the machine and of itself."""
        if self.described is None:
            report = self.run(["phold", "--lps", 8, "--until", 1, "--sync", "sequential"])
            if report is None:
                sys.exit(self.failures[0])
            self.described = report["machine"]
        return self.described

    def numa(self, workers):
        """Events can be placed where so many workers can be bound to cores."""
        words = ["phold", "--lps", 8, "--until", 1, "--sync", "optimistic", "--workers", workers, "--mapping", "fixed", "--numa", "on"]
        failures, report = len(self.failures), self.run(words)
        del self.failures[failures:]
        return NUMA if report else ["off"]

    def pools(self):
        return [p for p in POOLS if p in ("own", "system") or p in self.describe()["built_with"]]


class Store:
    """Samples by case, a line of JSON each; a file of other runs is no use and is refused."""

    def __init__(self, path, setting):
        self.path, self.samples = path, defaultdict(dict)
        if path.exists():
            text = path.read_text(encoding="utf-8")
            if not text.endswith("\n"):  # it was interrupted while it wrote
                with open(path, "a", encoding="utf-8") as file:
                    file.write("\n")
            first, *lines = text.splitlines()
            if json.loads(first) != setting:
                sys.exit(f"{path} is of other runs ({first}); remove it, or choose another --out")
            for line in lines:
                try:
                    row = json.loads(line)
                except ValueError:  # the line of that moment
                    continue
                self.samples[Case(**row["case"])][row["repetition"]] = row
        else:
            path.write_text(json.dumps(setting) + "\n", encoding="utf-8")

    def add(self, case, repetition, report, load):
        row = {"case": vars(case), "repetition": repetition, "load": load, **{name: report.get(name) for name in FIGURES}}
        self.samples[case][repetition] = row
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(row) + "\n")


class Experiments:
    def __init__(self, machine, options, store):
        self.machine, self.options, self.store = machine, options, store

    def measure(self, cases):
        """Runs all that is missing, in turn: {case: samples, in the order of repetitions}."""
        cases = list(dict.fromkeys(cases))
        for repetition in range(self.options.repetitions):
            # Each time in another order, so that none always comes behind the same one.
            for case in (cases if repetition % 2 == 0 else cases[::-1]):
                if repetition in self.store.samples[case]:
                    continue
                report = self.machine.run([*case.model(self.options.events), *case.engine()])
                if report is not None:
                    self.store.add(case, repetition, report, os.getloadavg()[0])
            print(f"  {repetition + 1} of {self.options.repetitions}", file=sys.stderr)
        self.check_digests()
        found = {case: [row for r, row in sorted(self.store.samples[case].items()) if r < self.options.repetitions] for case in cases}
        return {case: samples for case, samples in found.items() if samples}

    def check_digests(self):
        """All runs of a model have one, whatever the engine's options were."""
        digests = defaultdict(set)
        for case, samples in self.store.samples.items():
            digests[tuple(map(str, case.model(self.options.events)))] |= {row["digest"] for row in samples.values()}
        for model, found in digests.items():
            if len(found) > 1:
                sys.exit(f"{shlex.join(model)}: different digests: {found}")


def seconds(sample):
    """Normalised run time where cores were counted, else wall time."""
    return sample["wall_s"] if sample["normalised_s"] is None else sample["normalised_s"]


def ratio(over, under, of=seconds):
    """How many times `of` is larger, over repetitions that both have, and the bounds of its 95% confidence interval: of runs made
    in turn, so of the logarithms of their ratios. None: fewer than two."""
    first, second = ({row["repetition"]: of(row) for row in samples} for samples in (over, under))
    logs = [math.log(first[r] / second[r]) for r in first if r in second and first[r] > 0 and second[r] > 0]
    if len(logs) < 2:
        return None
    mean, half = mean_with_interval(logs)
    return math.exp(mean), math.exp(mean - half), math.exp(mean + half)
