"""Runs beside foreign loads, made in turn, and what they are made of."""

import json
import os
import re
import resource
import shlex
import signal
import subprocess
import sys
import time
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from air.expected import after_yielding, median, of_what_is_left, proportional, proportional_on_off


# What is passed for each kind of run. Kinds that need an option or a value that the program lacks are left out.
ADAPTIVE = {"APTE-PR": ["--detector", "apte", "--reactivation", "periodic"],
            "APTE-RAP": ["--detector", "apte", "--reactivation", "probing"],
            "PI-PR": ["--detector", "interference", "--reactivation", "periodic"],
            "PI-RAP": ["--detector", "interference", "--reactivation", "probing"],
            "kernel-PR": ["--detector", "kernel", "--reactivation", "periodic"],
            "kernel-RAP": ["--detector", "kernel", "--reactivation", "probing"]}
FIXED = {"fixed": ["--mapping", "fixed"]}
AUTO = {"auto": ["--mapping", "auto"]}  # not in the paper: what the engine does by itself
MAPPINGS = FIXED | {"adaptive": ["--mapping", "adaptive", *ADAPTIVE["APTE-PR"]],
                    "LADM": ["--mapping", "ladm", *ADAPTIVE["APTE-PR"]]} | AUTO  # section 8.2
DETECTORS = {name: ["--mapping", "ladm", *options] for name, options in ADAPTIVE.items()}  # section 8.3
FIXED_AND_LADM = FIXED | {"LADM": DETECTORS["PI-RAP"]} | AUTO  # from section 8.4 on

OBJECTS = 1000  # per PE, section 4.1
REMOTE = [0, 1, 5, 10, 20, 40]  # percent
EPG = [0, 1000, 10000]  # steps of about 1 ns
PERIODS = [1, 10, 100, 1000, 10000, 100000]  # microseconds
USUAL_REMOTE = 40
LONGEST_LOAD_S = 3600  # so that none stays for ever, should this script be killed


def busy_seconds():
    """Processor time of everything on the machine."""
    try:
        with open("/proc/stat", encoding="ascii") as file:
            user, nice, system, _, _, irq, soft = map(int, file.readline().split()[1:8])
        return (user + nice + system + irq + soft) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError):
        return 0.0


def children_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


class Loads:
    """`anachron load` while the block lasts."""

    def __init__(self, program, threads, period=None):
        self.threads, self.on = threads, 0.0
        arguments = [program, "load", "--threads", threads, "--for", LONGEST_LOAD_S, "--report", "-"]
        arguments += ["--period", period] if period else []
        self.process = None
        if threads:
            self.process = subprocess.Popen([*map(str, arguments)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def __enter__(self):
        if self.threads:
            time.sleep(0.2)
        return self

    def cpu_seconds(self):
        if not self.threads:
            return 0.0
        total = 0
        for task in Path(f"/proc/{self.process.pid}/task").glob("*/schedstat"):
            total += int(task.read_text(encoding="ascii").split()[0])
        return total / 1e9

    def __exit__(self, *_):
        if self.threads:
            if self.process.poll() is not None:
                sys.exit(f"the load has ended, with exit status {self.process.returncode}, before the runs beside it")
            self.process.send_signal(signal.SIGTERM)
            report = json.loads(self.process.communicate()[0])
            self.on = sum(report["on_s"]) / (self.threads * report["wall_s"])  # share of the time


class Machine:
    """Runs things; a test has another one."""

    def __init__(self, program, workers, engine):
        self.program, self.engine = program, []
        self.workers = 1
        described = self.run("phold", "--lps", 8, "--until", 1)["machine"]
        self.cores, self.processor = described["usable_cores"], described["cpu"]
        self.workers, self.engine = workers or self.cores, engine
        help_text = subprocess.run([program, "help", "phold"], capture_output=True, text=True, check=True).stdout
        self.options = {name: set(hint.split("|")) if "|" in hint else set()
                        for name, hint in re.findall(r"^  (--[a-z-]+)(?: (\S+))?", help_text, re.M)}

    def arguments(self, kind):
        """What can be passed of the arguments of a kind of run; none where the program cannot do that."""
        pairs = list(zip(kind[::2], kind[1::2]))
        if all(name in self.options and value in self.options[name] for name, value in pairs):
            return kind
        return [] if kind == FIXED["fixed"] and "--mapping" not in self.options else None

    def load(self, threads, period=None):
        return Loads(self.program, threads, period)

    def run(self, *arguments):
        """The report of a run."""
        command = [self.program, "run", *map(str, arguments), "--sync", "optimistic", "--workers", str(self.workers),
                   *self.engine, "--report", "-"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"{shlex.join(command)}: exit status {done.returncode}\n{done.stderr}")
        return json.loads(done.stdout)

    def clock(self):
        return time.monotonic(), children_seconds(), busy_seconds()


@dataclass
class Sample:
    seconds: float
    efficiency: float
    load_cores: float
    other_cores: float  # taken by what belongs to neither the run nor the loads
    report: dict


@dataclass
class Case:
    """One kind of run under one load."""

    series: str
    x: float
    model: tuple
    kind: list
    loads: int = 0
    period: int = None
    samples: list = field(default_factory=list)
    on: list = field(default_factory=list)

    def seconds(self):
        return median(s.seconds for s in self.samples)

    def load_cores(self):
        return median(s.load_cores for s in self.samples)

    def share_on(self):
        return median(self.on) if self.on else 0.0


class Experiments:
    def __init__(self, machine, options):
        self.machine, self.options = machine, options
        self.until = {}
        self.other_cores = []
        self.left_out = set()

    def calibrated(self, model):
        """`model` with the --until at which a run without load takes about the wanted time."""
        if model not in self.until:
            until, kind = 1.0, self.machine.arguments(FIXED["fixed"])
            while True:
                report = self.machine.run(*model, "--until", f"{until:g}", *kind)
                if report["wall_s"] > 0.1 * self.options.seconds or until > 1e6:
                    break
                until *= 4
            self.until[model] = float(f"{until * self.options.seconds / max(report['wall_s'], 1e-6):.3g}")
        return (*model, "--until", f"{self.until[model]:g}")

    def kinds(self, wanted):
        for name, kind in wanted.items():
            arguments = self.machine.arguments(kind)
            if arguments is None:
                self.left_out.add(name)
            else:
                yield name, arguments

    def measure(self, cases):
        """Runs all, in turn, as often as wanted. Those under the same load share it."""
        by_load = defaultdict(list)
        for case in cases:
            by_load[case.loads, case.period].append(case)
        for repetition in range(self.options.repetitions):
            for (loads, period), group in by_load.items():
                with self.machine.load(loads, period) as load:
                    for case in group:
                        case.samples.append(self.one(case, load))
                for case in group:
                    case.on.append(load.on)
            print(f"  {repetition + 1} of {self.options.repetitions}", file=sys.stderr)
        digests = defaultdict(set)
        for case in cases:
            digests[case.model] |= {s.report["digest"] for s in case.samples}
        for model, found in digests.items():
            if len(found) > 1:
                sys.exit(f"{shlex.join(map(str, model))}: different digests: {found}")
        return cases

    def one(self, case, load):
        load_before, (wall, cpu, busy) = load.cpu_seconds(), self.machine.clock()
        report = self.machine.run(*case.model, *case.kind)
        load_after, (wall_after, cpu_after, busy_after) = load.cpu_seconds(), self.machine.clock()
        wall, cpu, busy = max(wall_after - wall, 1e-9), cpu_after - cpu, busy_after - busy
        load_s = load_after - load_before
        sample = Sample(report["wall_s"], report["efficiency"], load_s / wall, max(0.0, (busy - cpu - load_s) / wall), report)
        self.other_cores.append(sample.other_cores)
        return sample

    # Models.

    def phold(self, remote=USUAL_REMOTE, epg=0):
        """1,000 players per PE, a share of the throws in percent to another PE."""
        block = ["--local-size", OBJECTS, "--region-size", OBJECTS]
        return self.calibrated(("phold", "--lps", OBJECTS * self.machine.workers, "--events-per-lp", 16,
                                "--receiver", "hierarchical", *block, "--remote", remote / 100, "--epg", epg))

    def pcs(self):
        return self.calibrated(("pcs", "--grid", "48x48" if self.options.quick else "192x192"))

    # Expectations.

    def expected(self, case):
        """Of a case: {name: slowdown}."""
        workers, cores = self.machine.workers, self.machine.cores
        if case.period:
            fair = proportional_on_off(workers, cores, case.loads, case.share_on())
            return {"proportional, eq. 2": fair, "of what is left": of_what_is_left(workers, cores, case.load_cores())}
        return {"proportional, eq. 1": proportional(workers, cores, case.loads),
                "after yielding, eq. 3": after_yielding(workers, case.loads),
                "of what is left": of_what_is_left(workers, cores, case.load_cores())}
