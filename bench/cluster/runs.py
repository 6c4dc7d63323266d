"""Runs over ranks, made in turn, and the models that they simulate."""

import json
import os
import shlex
import subprocess
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path

from air.expected import median

IN_HOSTS = Path(__file__).with_name("in_hosts.sh")
LATENCY = "60e-6"  # seconds; Gigabit Ethernet in ROSS-CMT, table 1

# As containers and machines with few cores need it: root, more ranks than cores, and a core for whoever needs one.
# The second half is for Open MPI 5.
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
       "OMPI_MCA_hwloc_base_binding_policy": "none",
       "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe", "PRTE_MCA_hwloc_default_binding_policy": "none"}

# How ranks are joined: {name: (environment, options)}.
SHARED = "shared memory"
COPIES = "shared memory without CMA"
SLOW = "60 us"
HOSTS = "hosts, TCP"  # and 60 us
NETWORKS = {SHARED: ({"OMPI_MCA_btl": "self,vader"}, []),
            COPIES: ({"OMPI_MCA_btl": "self,vader", "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}, []),
            SLOW: ({"OMPI_MCA_btl": "self,vader"}, ["--emulate-latency", LATENCY]),
            HOSTS: ({}, [])}

# ROSS-CMT's optimizations 1 and 2. 4 is the paper's polling period.
BASELINE = ["--consolidation", "off", "--polling-period", 1]
POLLING = ["--consolidation", "off", "--polling-period", 4]
CONSOLIDATION = ["--consolidation", "on", "--polling-period", 1]
BOTH = ["--consolidation", "on", "--polling-period", 4]
DEFAULT = ["--consolidation", "on", "--polling-period", "auto"]

OBJECTS, EVENTS = 1000, 4  # per PE, and of each; ROSS-CMT sections 4.1 and 4.3
LEAST_UNTIL = 2.0  # mean delays: what the start sends must not be most of a run


def total_of_ranks(name):
    return lambda report: sum(rank[name] for rank in report.get("ranks") or []) or None


@dataclass(frozen=True)
class Shape:
    ranks: int
    workers: int  # of each rank

    @property
    def pes(self):
        return self.ranks * self.workers

    def __str__(self):
        return f"{self.ranks}x{self.workers}"


@dataclass
class Case:
    """One kind of run."""

    series: str
    x: object
    model: tuple
    shape: Shape
    network: str
    kind: list = field(default_factory=list)
    seconds_wanted: float = None
    samples: list = field(default_factory=list)  # reports

    def median(self, of):
        values = [of(s) for s in self.samples]
        return median(values) if values and None not in values else None

    def rate(self):
        return self.median(lambda r: r["rate"])

    def seconds(self):
        """For the whole model, whatever part of it was simulated in all samples."""
        return self.median(lambda r: r["wall_s"])


class Machine:
    """Runs things; a test has another one."""

    def __init__(self, program, mpirun, nice, limit, engine):
        self.program, self.mpirun, self.limit, self.engine = str(Path(program).resolve()), mpirun, limit, engine
        self.priority = ["nice", "-n", str(nice)] if nice else []
        self.failures, self.cores = [], len(os.sched_getaffinity(0))
        described = self.run(("phold", "--lps", 8, "--until", 1), Shape(1, 1), SHARED, [])
        if described is None:
            sys.exit(self.failures[0])
        self.processor = described["machine"]["cpu"]
        probe = subprocess.run([str(IN_HOSTS), "probe"], capture_output=True, text=True, check=False)
        self.hosts = probe.stdout.strip() if probe.returncode == 0 else None
        self.why_no_hosts = None if self.hosts else (probe.stdout + probe.stderr).strip()

    def has(self, network):
        return network != HOSTS or self.hosts is not None

    def command(self, model, shape, network, kind):
        environment, options = NETWORKS[network]
        # Who waits gives the core away where others need it. Where none does, that costs a wait for whatever else runs.
        environment = environment | {"OMPI_MCA_mpi_yield_when_idle": "1" if shape.pes > self.cores else "0"}
        if network == HOSTS and self.hosts == "plain":
            options = ["--emulate-latency", LATENCY]
        start = [] if shape.ranks == 1 else [str(IN_HOSTS), self.mpirun, str(shape.ranks)] if network == HOSTS else \
            [self.mpirun, "-n", str(shape.ranks)]
        # A single process has no ranks to talk to.
        if shape.ranks == 1:
            options, kind = [], [] if kind[:1] == ["--consolidation"] else kind
        return environment, [*self.priority, *start, self.program, "run", *map(str, model), "--sync", "optimistic",
                             "--workers", str(shape.workers), *map(str, kind), *options, *self.engine, "--report", "-"]

    def latencies(self, network, repetitions):
        """{bytes: microseconds} of a message between two ranks; none without the program that measures it."""
        environment, options = NETWORKS[network]
        program = Path(self.program).with_name("bench_transport")
        if not program.exists():
            return {}
        start = [str(IN_HOSTS), self.mpirun, "2"] if network == HOSTS else [self.mpirun, "-n", "2"]
        emulated = options[1:] or ([LATENCY] if network == HOSTS and self.hosts == "plain" else [])
        done = subprocess.run([*self.priority, *start, str(program), str(repetitions), "latencies", *emulated], capture_output=True,
                              text=True, check=False, env=os.environ | MPI | environment, stdin=subprocess.DEVNULL, timeout=600)
        if done.returncode:
            self.failures.append(f"{network}: bench_transport: exit status {done.returncode}: {done.stderr.strip()[-300:]}")
            return {}
        return {int(size): float(us) for size, us in map(str.split, done.stdout.splitlines())}

    def run(self, model, shape, network, kind):
        """The report of a run; none where it failed."""
        environment, command = self.command(model, shape, network, kind)
        problem = None
        try:
            done = subprocess.run(["timeout", "-k", "10", str(self.limit), *command], capture_output=True, text=True, check=False,
                                  env=os.environ | MPI | environment, stdin=subprocess.DEVNULL)
            if done.returncode == 0:
                return json.loads(done.stdout)
            problem = "took too long" if done.returncode in (124, 137) else f"exit status {done.returncode}: {done.stderr.strip()[-300:]}"
        except ValueError as error:
            problem = f"no report: {error}"
        words = shlex.join(["anachron", *command[command.index(self.program) + 1:-2]])
        self.failures.append(f"{shape.ranks} ranks, {network}: {words}: {problem}")
        print(f"  FAILED: {self.failures[-1]}", file=sys.stderr)
        return None


class Experiments:
    def __init__(self, machine, options):
        self.machine, self.options = machine, options
        self.until = {}
        self.loads = []
        self.left_out = set()

    def calibrated(self, case):
        """`case` with the --until at which it takes about the wanted time; the same for all that are compared with it, so
        that they have one digest: the first one in a list decides."""
        if case.model not in self.until:
            until, wanted = LEAST_UNTIL, case.seconds_wanted or self.options.seconds
            while True:
                report = self.machine.run((*case.model, "--until", f"{until:g}"), case.shape, case.network, case.kind)
                if report is None or report["wall_s"] > 0.2 * wanted or until > 1e6:
                    break
                until *= 4
            seconds = max(report["wall_s"], 1e-6) if report else wanted
            self.until[case.model] = max(LEAST_UNTIL, float(f"{until * min(wanted / seconds, 4):.3g}"))
        return (*case.model, "--until", f"{self.until[case.model]:g}")

    def measure(self, cases):
        """Runs all, in turn, as often as wanted."""
        wanted = [c for c in cases if self.machine.has(c.network)]
        self.left_out |= {c.network for c in cases} - {c.network for c in wanted}
        for repetition in range(self.options.repetitions):
            for case in wanted:
                report = self.machine.run(self.calibrated(case), case.shape, case.network, case.kind)
                if report is not None:
                    case.samples.append(report)
            self.loads.append(os.getloadavg()[0])
            print(f"  {repetition + 1} of {self.options.repetitions}", file=sys.stderr)
        digests = defaultdict(set)
        for case in wanted:
            digests[case.model] |= {s["digest"] for s in case.samples}
        for model, found in digests.items():
            if len(found) > 1:
                sys.exit(f"{shlex.join(map(str, model))}: different digests: {found}")
        return [c for c in wanted if c.samples]

    # Models.

    def phold(self, shape, remote, regional=0.0, epg=0, lps=None):
        """Wang et al.: shares of throws to other ranks and to other workers of the rank."""
        pes = lps // shape.pes if lps else OBJECTS
        return ("phold", "--lps", pes * shape.pes, "--events-per-lp", EVENTS, "--receiver", "hierarchical",
                "--local-size", pes, "--region-size", pes * shape.workers, "--remote", f"{remote:g}",
                "--regional", f"{regional:g}", "--epg", epg)

    def phold_not_local(self, shape, share, **more):
        """A share of throws to other PEs, to each of them alike."""
        others = shape.pes - 1
        regional = share * (shape.workers - 1) / others
        return self.phold(shape, share - regional, regional, **more)
