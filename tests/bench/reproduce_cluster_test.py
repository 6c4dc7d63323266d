#!/usr/bin/env python3
"""What bench/reproduce_cluster.py runs, computes and says, on a made-up cluster: nothing here measures time.

Environment: ANACHRON_SOURCE, the root of the source tree.
"""

import argparse
import csv
import os
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

ROOT = Path(os.environ.get("ANACHRON_SOURCE") or Path(__file__).resolve().parents[2])
sys.path.insert(0, str(ROOT / "bench"))
import reproduce_cluster as cluster
from cluster.figures import Figures
from cluster.runs import BASELINE, BOTH, HOSTS, SHARED, SLOW, Case, Experiments, Machine, Shape


class FakeMachine(Machine):
    """A run takes 1 ms per unit of --until, 4 times that where each event has a message, and twice with partitions of one
    level."""

    def __init__(self, hosts="plain"):
        self.program, self.mpirun, self.limit, self.engine, self.priority = "/bin/anachron", "mpirun", 60, [], []
        self.failures, self.cores, self.processor, self.hosts = [], 2, "<fake> & co", hosts
        self.why_no_hosts = None if hosts else "forbidden"
        self.runs, self.broken = [], lambda words: False

    def latencies(self, network, repetitions):
        return {size: (60.0 if network in (SLOW, HOSTS) else 0.5) + size / 1000 for size in (4, 32, 256, 1024, 8192, 16384)}

    def run(self, model, shape, network, kind):
        words = list(map(str, (*model, *kind)))
        self.runs.append((shape, network, words))
        if self.broken(words):
            self.failures.append("broken")
            return None
        seconds = float(words[words.index("--until") + 1]) / 1000
        alone = "off" in words
        seconds *= (4 if alone else 1) * (2 if words[-2:] == ["--levels", "1"] else 1)
        ranks = [] if shape.ranks == 1 else [{"events_sent": 30} for _ in range(shape.ranks)]
        return {"wall_s": seconds, "cpu_s": seconds, "rate": 1000 / seconds, "committed": 1000, "efficiency": 0.9, "rollback_efficiency": 0.95,
                "digest": " ".join(words[: words.index("--until")]), "sent": 1000, "rollbacks_remote": 3, "rollbacks_regional": 1,
                "events_per_message": 1.0 if alone else 9.0, "successful_probes": 0.5 if alone else 0.25, "ranks": ranks}


def options(folder, **changed):
    values = {"only": cluster.ALL, "quick": True, "repetitions": 2, "seconds": 1.0, "networks": None, "ranks": 8, "nice": -5,
              "words": ["--quick"], "out": Path(folder)} | changed
    return argparse.Namespace(**values)


class Pages(unittest.TestCase):
    def make(self, machine, **changed):
        with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w", encoding="utf-8") as nowhere:
            before, sys.stdout, sys.stderr = (sys.stdout, sys.stderr), nowhere, nowhere
            try:
                cluster.run_all(machine, options(folder, **changed))
            finally:
                sys.stdout, sys.stderr = before
            for plot in Path(folder).glob("*.svg"):
                xml.fromstring(plot.read_text(encoding="utf-8"))
            tables = {}
            for table in Path(folder).glob("*.csv"):
                with open(table, newline="", encoding="utf-8") as file:
                    tables[table.stem] = list(csv.DictReader(file))
                text = (Path(folder) / f"{table.stem}.txt").read_text(encoding="utf-8")
                self.assertIn("The paper: ", text)
            return (Path(folder) / "README.md").read_text(encoding="utf-8"), tables

    def test_all_are_made(self):
        for quick in (True, False):
            page, tables = self.make(FakeMachine(), quick=quick)
            self.assertEqual(set(tables), set(cluster.ALL))
            self.assertNotIn("Left out", page)
            self.assertNotIn("failed", page)

    def test_findings_follow_from_the_figures(self):
        page, tables = self.make(FakeMachine(), only=["figure_4", "figure_6", "table_3"], quick=False)
        self.assertIn(f"{HOSTS}: both runs 4.00 (at 0%) to 4.00 times (at 0%) as fast as baseline. The paper: up to 2.2 times as fast. "
                      "Here that holds.", page)
        self.assertIn("two-level runs 2.00 (at 8 PEs) to 2.00 times (at 8 PEs) as fast as oblivious.", page)
        self.assertIn("75.0% of the rollbacks that other PEs caused come from another rank", page)
        row = next(r for r in tables["figure_4"] if r["runs"] == "both")
        self.assertEqual((row["rate against baseline"], row["events per message"], row["successful probes, %"]), ("4.00", "9.0", "25.0"))
        self.assertEqual(row["to other ranks, %"], "6.0")

    def test_without_hosts_latency_is_emulated_and_said(self):
        machine = FakeMachine(hosts=None)
        page, _ = self.make(machine, only=["figure_4", "table_1"])
        self.assertIn("No hosts: forbidden.", page)
        self.assertEqual({network for _, network, _ in machine.runs}, {SLOW})
        page, _ = self.make(FakeMachine(hosts=None), only=["figure_4"], networks=[SLOW, HOSTS])
        self.assertIn(f"Left out, because this machine cannot do it: {HOSTS}.", page)

    def test_runs_that_fail_are_said_and_the_others_are_kept(self):
        machine = FakeMachine()
        machine.broken = lambda words: "off" in words
        page, tables = self.make(machine, only=["figure_4"])
        self.assertIn("Runs that failed:\n- broken", page)
        self.assertEqual({row["runs"] for row in tables["figure_4"]}, {"consolidation", "both", "engine's default"})

    def test_runs_are_made_in_turn(self):
        machine = FakeMachine()
        self.make(machine, only=["muse_5"], repetitions=3)
        kinds = [(str(shape), network, " ".join(words)) for shape, network, words in machine.runs]
        each_time = kinds[-18:]  # two shares, three windows, three ways to talk
        self.assertEqual(len(set(each_time)), 18)
        self.assertEqual(kinds[-18 * 2 :], 2 * each_time)

    def test_different_digests_are_an_error(self):
        machine = FakeMachine()
        plain = machine.run
        machine.run = lambda *arguments: plain(*arguments) | {"digest": str(len(machine.runs))}
        with self.assertRaises(SystemExit):
            self.make(machine, only=["figure_4"])


class Models(unittest.TestCase):
    def test_a_share_that_is_not_local_is_dealt_to_all_others_alike(self):
        experiments = Experiments(FakeMachine(), options("."))
        words = list(map(str, experiments.phold_not_local(Shape(2, 2), 0.6)))
        self.assertEqual(float(words[words.index("--remote") + 1]), 0.4)
        self.assertEqual(float(words[words.index("--regional") + 1]), 0.2)
        self.assertEqual(words[words.index("--lps") + 1], "4000")

    def test_each_network_is_started_in_its_way(self):
        machine = FakeMachine()
        model = ("phold", "--until", 1)
        _, shared = machine.command(model, Shape(2, 1), SHARED, BASELINE)
        self.assertEqual(shared[:3], ["mpirun", "-n", "2"])
        self.assertNotIn("--emulate-latency", shared)
        _, hosts = machine.command(model, Shape(2, 1), HOSTS, BOTH)
        self.assertTrue(hosts[0].endswith("in_hosts.sh"))
        self.assertIn("--emulate-latency", hosts)  # no netem
        machine.hosts = "delay"
        self.assertNotIn("--emulate-latency", machine.command(model, Shape(2, 1), HOSTS, BOTH)[1])
        _, alone = machine.command(model, Shape(1, 2), SLOW, BOTH)
        self.assertEqual(alone[0], "/bin/anachron")
        self.assertNotIn("--consolidation", alone)

    def test_a_case_without_a_figure_has_no_median(self):
        case = Case("a", 1, (), Shape(2, 1), SHARED)
        case.samples = [{"x": 1}, {"x": None}]
        self.assertIsNone(case.median(lambda r: r["x"]))

    def test_names_are_checked(self):
        self.assertEqual(cluster.names("muse_5,table_1"), ["table_1", "muse_5"])
        for parse in (cluster.names, cluster.networks):
            with self.assertRaises(argparse.ArgumentTypeError):
                parse("figure_9")
        for name in cluster.ALL:
            self.assertTrue(callable(getattr(Figures, name)))


if __name__ == "__main__":
    unittest.main()
