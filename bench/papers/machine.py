"""Starts runs: with threads, over ranks, on hosts of their own, beside foreign loads, under instruction counters."""

import hashlib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

from papers.achieved import achieved
from papers.figure import COPIES, HOSTS, MEMORY, SLOW
from papers.samples import sample_of

IN_HOSTS = Path(__file__).with_name("in_hosts.sh")
LATENCY = "60e-6"  # seconds; Gigabit Ethernet in ROSS-CMT, table 1

# As containers and machines with few cores need it: root, more ranks than cores, and a core for any thread that needs one.
# The second half is for Open MPI 5.
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1",
       "OMPI_MCA_hwloc_base_binding_policy": "none",
       "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe", "PRTE_MCA_hwloc_default_binding_policy": "none"}
SHARED = {"OMPI_MCA_btl": "self,vader"}
NETWORKS = {MEMORY: SHARED, COPIES: {**SHARED, "OMPI_MCA_btl_vader_single_copy_mechanism": "none"}, SLOW: SHARED, HOSTS: {}}


class Failed(Exception):
    """A run ended with an error."""


class Machine:
    """A test has another one."""

    def __init__(self, program, limit=300):
        self.program, self.limit = str(Path(program).resolve()), limit
        self.mpirun = shutil.which("mpirun")
        self.scratch, self.partitions, self.predictions = tempfile.TemporaryDirectory(prefix="anachron-"), {}, {}
        self.cores = len(os.sched_getaffinity(0))
        self.described = json.loads(self.call([self.program, "run", "phold", "--lps", "8", "--until", "1", "--quiet", "--report", "-"]))["machine"]
        probe = subprocess.run([str(IN_HOSTS), "probe"], capture_output=True, text=True, check=False)
        self.hosts = probe.stdout.strip() if probe.returncode == 0 else None

    def setting(self):
        """What has to be the same for runs that are compared."""
        build = hashlib.sha256(Path(self.program).read_bytes()).hexdigest()[:16]
        return {name: self.described[name] for name in ("cpu", "usable_cores", "compiler", "anachron")} | {"build": build}

    def beside(self, name):
        """Another program of the same build."""
        path = Path(self.program).with_name(name)
        if not path.exists():
            raise Failed(f"{name} was not built")
        return str(path)

    def call(self, command, environment=None, limit=0):
        """The standard output of a command; throws Failed. `limit`: its seconds, where it may take more than others."""
        seconds = str(max(limit, self.limit))
        done = subprocess.run(["timeout", "-k", "10", seconds, *map(str, command)], capture_output=True, text=True, check=False,
                              stdin=subprocess.DEVNULL, env=os.environ | (environment or {}))
        return self.output_of(command, done.returncode, done.stdout, done.stderr)

    def output_of(self, command, status, out, err):
        if status:
            what = f"took more than {self.limit} s" if status in (124, 137) else f"exit status {status}: {err.strip()[-300:]}"
            raise Failed(f"{shlex.join(map(str, command))}: {what}")
        return out

    def sample(self, run, limit=0):
        """Makes one run and returns its sample. Throws Failed."""
        return self.sample_time_warp(run, limit) if run.tool == "time_warp" else getattr(self, f"sample_{run.tool}")(run)

    def predicted_share(self, run, did):
        """The share of events to other PEs that `anachron partition` predicts of what a run did. Throws Failed."""
        method = did["partition"]
        if run.profile or method not in ("block", "metis", "random"):
            return None
        words = (*run.model, "--parts", did["pes"], "--ranks", did["ranks"])
        if words not in self.predictions:
            self.predictions[words] = self.call([self.program, "partition", *words])
        row = re.search(rf"^{method}\s.*?([\d.]+)%", self.predictions[words], re.M)
        return float(row[1]) / 100 if row else None

    # Simulations.

    def command(self, run):
        """(environment, command) of a simulation."""
        environment, options, start = {}, [], []
        if run.ranks > 1:
            if not self.mpirun:
                raise Failed("no mpirun")
            # Ranks that wait give their core away where others need it. Elsewhere that costs a wait for whatever else runs.
            workers = int(run.words()[run.words().index("--workers") + 1])
            environment = MPI | NETWORKS[run.network] | {"OMPI_MCA_mpi_yield_when_idle": str(int(run.ranks * workers > self.cores))}
            start = [str(IN_HOSTS), self.mpirun, str(run.ranks)] if run.network == HOSTS else [self.mpirun, "-n", str(run.ranks)]
            if run.network == SLOW or run.network == HOSTS and self.hosts == "plain":
                options = ["--emulate-latency", LATENCY]
        if run.profile:
            options += ["--partition", self.partition(run)]
        return environment, [*start, self.program, "run", *run.words(), *options, "--quiet", "--report", "-"]

    def partition(self, run):
        """The file of a partition that was made of a profile, once."""
        words = (*run.model, *run.profile)
        path = Path(self.scratch.name, f"partition-{len(self.partitions)}")
        if words not in self.partitions:
            self.call([self.program, "partition", *words, "--out", path])
            self.partitions[words] = str(path)
        return self.partitions[words]

    def sample_run(self, run):
        environment, command = self.command(run)
        if run.loads is None:
            report = json.loads(self.call(command, environment))
            return sample_of(report, run, achieved(report))
        return self.sample_beside_loads(run, environment, command)

    def sample_beside_loads(self, run, environment, command):
        """The loads are there before the run begins and after it has ended; a gang takes turns with the run once it is there."""
        loads = [self.program, "load", "--threads", run.loads.threads, "--for", 3600, "--report", "-"]
        loads += ["--period", run.loads.period] if run.loads.period else []
        loads += ["--kind", run.loads.kind] if run.loads.kind else []
        load, process = None, None
        try:
            if not run.loads.gang:
                load = self.start(loads)
                time.sleep(0.2)
            process = self.start(command, environment)
            if run.loads.gang:
                load = self.start([*loads, "--gang", process.pid, "--slice", 0.01])  # so that even short runs have many turns
            out, err = process.communicate(timeout=self.limit)
            report = json.loads(self.output_of(command, process.returncode, out, err))
            if load.poll() is not None:
                raise Failed(f"{shlex.join(map(str, loads))}: ended before the run beside it")
            load.send_signal(signal.SIGTERM)
            told = json.loads(load.communicate(timeout=30)[0])
        except subprocess.TimeoutExpired as error:
            raise Failed(f"{shlex.join(map(str, command))}: took more than {self.limit} s") from error
        finally:
            for started in (process, load):
                if started and started.poll() is None:
                    started.send_signal(signal.SIGCONT)
                    started.kill()
                    started.wait()
        sample = sample_of(report, run, achieved(report))
        threads, wall = run.loads.threads, told["wall_s"]
        sample |= {"load_share_on": sum(told["on_s"]) / (threads * wall), "load_cores": sum(told["cpu_s"]) / wall}
        if "work" in told:
            sample["load_work_rate"] = sum(told["work"]) / wall
        return sample

    def start(self, command, environment=None):
        return subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, stdin=subprocess.DEVNULL,
                                env=os.environ | (environment or {}))

    # Other programs.

    def sample_load(self, run):
        """Loads alone, for as many seconds as the last word says."""
        threads, kind, seconds = run.words()
        told = json.loads(self.call([self.program, "load", "--threads", threads, "--kind", kind, "--for", seconds, "--report", "-"]))
        return {"load_work_rate": sum(told["work"]) / told["wall_s"]}

    def sample_transport(self, run):
        """Microseconds that a message of so many bytes takes one way."""
        repetitions, size = run.words()
        start = [str(IN_HOSTS), self.mpirun, "2"] if run.network == HOSTS else [self.mpirun, "-n", "2"]
        emulated = [LATENCY] if run.network == SLOW or run.network == HOSTS and self.hosts == "plain" else []
        out = self.call([*start, self.beside("bench_transport"), repetitions, "latencies", *emulated], MPI | NETWORKS[run.network])
        return {"latency_us": float(dict(map(str.split, out.splitlines()))[size])}

    def sample_time_warp(self, run, limit):
        """What examples/time_warp.cpp predicts of a machine."""
        words = run.words()
        report = json.loads(self.call([self.beside("example_time_warp"), *words, "--sync", "sequential", "--quiet", "--report", "-"], limit=limit))
        return {"digest": report["digest"], "until": float(words[words.index("--until") + 1]),
                "cores": int(words[words.index("--cores") + 1]), **report["model"]}

    def sample_probes(self, run):
        """Probes of a hash table that is half full, by its name and the kind of ids."""
        table, ids = run.words()
        for line in self.call([self.beside("bench_match_tables")]).splitlines():
            words = line.replace("every other", "every-other").split()
            if words[:3] == [*table.split(), ids]:
                return {"search_probes": float(words[3]), "insertion_probes": float(words[4])}
        raise Failed(f"bench_match_tables: no {table} of {ids} ids")

    def sample_cachegrind(self, run):
        """Instructions and cache misses of the whole program, less those of one that ends at time 0. Counted by cachegrind: its
        model of a first-level and a last-level cache, one thread at a time."""
        if not shutil.which("valgrind"):
            raise Failed("no valgrind")
        full = self.counted(run.words())
        words = list(run.words())
        words[words.index("--until") + 1] = "1e-9"
        none = self.counted(words)
        report = full.pop("report")
        sample = sample_of(report, run, achieved(report))
        return sample | {name: value - none[name] for name, value in full.items()}

    def counted(self, words):
        """valgrind does not know all instructions of new processors. There `./do reproduce` makes a build for older ones."""
        other = Path(self.program).parents[2] / "counted" / "bin" / "anachron"
        program = other if other.exists() else self.program
        with tempfile.TemporaryDirectory() as scratch:
            command = ["valgrind", "--tool=cachegrind", "--cache-sim=yes", f"--cachegrind-out-file={scratch}/out", program, "run", *words,
                       "--quiet", "--report", f"{scratch}/report"]
            done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, timeout=self.limit)
            self.output_of(command, done.returncode, done.stdout, done.stderr)
            found = {name: int(re.search(rf"{label}\s+([\d,]+)", done.stderr)[1].replace(",", ""))
                     for name, label in (("counted_instructions", r"I\s+refs:"), ("counted_d1_misses", r"D1\s+misses:"),
                                         ("counted_ll_misses", r"LL misses:"))}
            return found | {"report": json.loads(Path(scratch, "report").read_text(encoding="utf-8"))}

    def sample_frequency(self, run):
        """What so many threads compute, and the frequency that the system tells meanwhile, if it does."""
        threads, = run.words()
        load = self.start([self.program, "load", "--threads", threads, "--kind", "compute", "--for", 2, "--report", "-"])
        time.sleep(1)
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
        told = json.loads(load.communicate(timeout=30)[0])
        found = [float(mhz) for mhz in re.findall(r"^cpu MHz\s*:\s*([\d.]+)", text, re.M)]
        return {"loops_per_cpu_s": sum(told["work"]) / sum(told["cpu_s"]), **({"mhz": max(found)} if found else {})}
