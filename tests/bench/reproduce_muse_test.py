#!/usr/bin/env python3
"""What bench/reproduce_muse.py runs, computes and says, on a made-up machine: nothing here measures time.

Environment: ANACHRON_SOURCE, the root of the source tree.
"""

import argparse
import csv
import math
import os
import random
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

ROOT = Path(os.environ.get("ANACHRON_SOURCE") or Path(__file__).resolve().parents[2])
sys.path.insert(0, str(ROOT / "bench"))
import reproduce_muse as muse
from muse.figures import compared
from muse.runs import CHANNELS, POOLS, SHARING, Case, Experiments, Machine, Store, mean_with_interval, ratio


class FakeMachine(Machine):
    """Lock-free queues take 1.3 times as long as others, malloc 1.5 times as long as own pools, copied events 1.2 times as long as
    shared ones, give or take 1%."""

    def __init__(self, counts=False, slow="iteq-lock-free", noise=0.01):
        self.program, self.limit, self.priority, self.failures = "/bin/anachron", 60, [], []
        self.described = {"cpu": "<fake> & co", "usable_cores": 2, "built_with": ["hwloc", "jemalloc"]}
        self.counts, self.slow, self.noise = counts, slow, noise
        self.words, self.random, self.broken = [], random.Random(1), lambda words: False

    def run(self, words):
        words = list(map(str, words))
        if "8" not in words:  # the model of a look at what the machine can do
            self.words.append(words)
        if self.broken(words):
            self.failures.append("broken")
            return None
        of = lambda name, default: words[words.index(name) + 1] if name in words else default
        slower = (1.3 if of("--channel", "spsc") == self.slow else 1) * (1.5 if of("--pool", "own") == "system" else 1)
        slower *= 1.2 if of("--events", "shared") == "copied" else 1
        seconds = slower * self.random.uniform(1 - self.noise, 1 + self.noise)
        remote = float(of("--regional", float(of("--range", 0)) / 10_000))
        report = {"digest": " ".join(words[: words.index("--sync")]), "wall_s": seconds, "cpu_s": seconds, "committed": 1000,
                  "executed": 1010, "rollbacks": 1 + int(100 * remote), "rolled_back": 10, "sent_remote": 1 + int(1000 * remote),
                  "anti_messages": 1, "remote_events": remote, "efficiency": 0.99, "peak_rss": 1, "memory_peak": 1}
        if self.counts:
            report |= {"normalised_s": 2 * seconds, "cycles": 1000, "cache_misses": 10,
                       "instructions": 650 if of("--channel", "spsc") == "iteq-lock-free" else 700}
        return report


def options(folder, **changed):
    values = {"only": muse.ALL, "quick": True, "repetitions": 4, "events": 20_000, "workers": [1, 2], "channels": CHANNELS,
              "sharing": SHARING, "numa": None, "pools": None, "nice": 0, "words": ["--quick"], "out": Path(folder)} | changed
    return argparse.Namespace(**values)


def run_quietly(machine, chosen):
    with open(os.devnull, "w", encoding="utf-8") as nowhere:
        before, sys.stdout, sys.stderr = (sys.stdout, sys.stderr), nowhere, nowhere
        try:
            muse.run_all(machine, chosen)
        finally:
            sys.stdout, sys.stderr = before


class Pages(unittest.TestCase):
    def make(self, machine, **changed):
        with tempfile.TemporaryDirectory() as folder:
            run_quietly(machine, options(folder, **changed))
            plots = {p.stem: p.read_text(encoding="utf-8") for p in Path(folder).glob("*.svg")}
            for plot in plots.values():
                xml.fromstring(plot)
            tables = {}
            for table in Path(folder).glob("*.csv"):
                with open(table, newline="", encoding="utf-8") as file:
                    tables[table.stem] = list(csv.DictReader(file))
            return (Path(folder) / "README.md").read_text(encoding="utf-8"), tables, plots

    def test_all_figures_are_made(self):
        page, tables, plots = self.make(FakeMachine())
        self.assertEqual(set(tables), set(muse.ALL) - {"figure_8"})
        for name in ("figure_7", "figure_9_channels_2_workers", "figure_10_channels_2_workers", "figure_10_pools_2_workers",
                     "figure_10_configurations_2_workers",
                     "figure_11_rollbacks_channels_2_workers", "figure_14_pools_2_workers", "figure_15_channels_2_workers"):
            self.assertIn(name, plots)
        self.assertIn("counts neither cycles nor instructions", page)
        self.assertIn("Seconds are wall time", page)
        self.assertIn("own, system, jemalloc", page)
        self.assertNotIn("failed", page)

    def test_points_are_those_of_the_paper(self):
        _, tables, _ = self.make(FakeMachine())
        self.assertEqual({r["x"] for r in tables["figure_10"]}, {"10", "100", "1000", "10000"})
        self.assertEqual({r["x"] for r in tables["figure_14"]}, {"0.1", "0.25", "0.5", "0.75", "0.9"})
        self.assertEqual({r["channel"] for r in tables["figure_14"] if r["workers"] == "2"}, set(CHANNELS))
        self.assertEqual({r["pool"] for r in tables["figure_14"]}, {"own", "system", "jemalloc"})
        of = {(r["channel"], r["events"], r["numa"]) for r in tables["figure_14"] if r["workers"] == "2" and r["pool"] == "own"}
        self.assertEqual(of, {(c, e, n) for c in CHANNELS for e in ("shared", "copied") for n in ("off", "on")})
        self.assertEqual({(r["events"], r["numa"]) for r in tables["figure_9"] if r["throttle"] == "atw"},
                         {(e, n) for e in ("shared", "copied") for n in ("off", "on")})
        self.assertEqual({r["queues"] for r in tables["figure_7"]}, {"1", "2", "4"})
        self.assertEqual({r["x"] for r in tables["figure_7"]}, {"0.5"})

    def test_findings_are_of_what_was_measured(self):
        page, tables, _ = self.make(FakeMachine(counts=True))
        self.assertIn("lock-free against locked queues, over all numbers of queues: 1.30", page)
        self.assertIn("locked queues are generally faster than lock-free ones. Here that holds", page)
        self.assertIn("run time with system against own pools, over all points: 1.5", page)
        self.assertIn("run time with copied against shared events, over all channels and points: 1.20", page)
        self.assertIn("shared ones are faster. Here that holds", page)
        self.assertIn("run time with --numa on against off, over all channels and points: 1.00", page)
        self.assertIn("Seconds are normalised", page)
        self.assertIn("lock-free against locked queues: 0.93", page)
        row = next(r for r in tables["figure_10"] if r["channel"] == "spsc" and r["pool"] == "own")
        self.assertAlmostEqual(float(row["seconds"]), 2, delta=0.1)
        page, _, _ = self.make(FakeMachine(slow="iteq-locked"))
        self.assertIn("locked queues are generally faster than lock-free ones. Here it is the other way round", page)
        page, _, _ = self.make(FakeMachine(slow=None, noise=0.3))
        self.assertIn("over all numbers of queues", page)
        page, _, _ = self.make(FakeMachine(slow=None), repetitions=1)
        self.assertIn("no interval from a single run", page)

    def test_more_workers_have_plots_over_workers(self):
        _, tables, plots = self.make(FakeMachine(), workers=[1, 2, 4], only=["figure_7", "figure_14"])
        self.assertIn("figure_14_channels_4_workers", plots)
        self.assertIn("figure_14_channels_x_0.5", plots)
        self.assertEqual({r["queues"] for r in tables["figure_7"] if r["workers"] == "4"}, {"1", "2", "4", "8"})

    def test_events_are_placed_only_where_they_can_be(self):
        machine = FakeMachine()
        machine.broken = lambda words: "on" in words
        page, tables, _ = self.make(machine, only=["figure_14"])
        self.assertEqual({r["numa"] for r in tables["figure_14"] if r["workers"] == "2"}, {"off"})
        self.assertIn("cannot be bound", page)
        self.assertNotIn("failed", page)

    def test_a_failure_is_told_and_the_rest_goes_on(self):
        machine = FakeMachine()
        machine.broken = lambda words: "mpsc" in words
        page, tables, _ = self.make(machine, only=["figure_10"])
        self.assertIn("Runs that failed", page)
        self.assertNotIn("mpsc", {r["channel"] for r in tables["figure_10"]})

    def test_what_is_compared_is_run_in_turn(self):
        machine = FakeMachine()
        self.make(machine, only=["figure_9", "figure_14"], repetitions=1)
        reference = [w for w in machine.words if "--regional 0.5" in " ".join(w) and "spsc" in w and "own" in w and "balanced" in w
                     and "shared" in w and "off" in w]
        self.assertEqual(len(reference), 2, "one beside the other throttles, one beside the other channels and pools")

    def test_different_digests_end_it(self):
        machine = FakeMachine()
        run = machine.run
        machine.run = lambda words: run(words) | {"digest": "other" if "mpsc" in words else "one"}
        with self.assertRaises(SystemExit):
            self.make(machine, only=["figure_14"])


class Resuming(unittest.TestCase):
    def test_what_is_there_is_not_run_again(self):
        with tempfile.TemporaryDirectory() as folder:
            first = FakeMachine()
            run_quietly(first, options(folder, only=["figure_10"], repetitions=2))
            samples = Path(folder) / "samples.jsonl"
            with open(samples, "a", encoding="utf-8") as file:
                file.write('{"case": {"configura')  # it was interrupted here
            again = FakeMachine()
            run_quietly(again, options(folder, only=["figure_10"], repetitions=2))
            self.assertEqual(again.words, [])
            for expected in (len(first.words) / 2, 0):
                more = FakeMachine()
                run_quietly(more, options(folder, only=["figure_10", "figure_11"], repetitions=3))
                self.assertEqual(len(more.words), expected)

    def test_runs_of_another_length_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            run_quietly(FakeMachine(), options(folder, only=["figure_9"]))
            with self.assertRaises(SystemExit):
                run_quietly(FakeMachine(), options(folder, only=["figure_9"], events=30_000))


class Runs(unittest.TestCase):
    def test_commands(self):
        words = list(map(str, [*Case(1, 100, 2, channel="mpsc").model(2_000_000), *Case(1, 100, 2, channel="mpsc").engine()]))
        self.assertEqual(" ".join(words), "phold --lps 10000 --events-per-lp 20 --mean 10 --receiver torus --range 100 --until 100 "
                                          "--sync optimistic --workers 2 --pool own --mapping fixed --channel mpsc "
                                          "--events shared --numa off --throttle balanced")
        case = Case(2, 0.5, 3, channel="iteq-locked", queues=2, pool="system")
        words = list(map(str, [*case.model(2_000_000), *case.engine()]))
        self.assertIn("--local-size 3333 --region-size 9999 --regional 0.5 --remote 0", " ".join(words))
        self.assertIn("--lps 9999", " ".join(words))
        self.assertIn("--channel-queues 2", " ".join(words))
        self.assertNotIn("--channel", list(map(str, Case(2, 0.5, 1).engine())))

    def test_all_kinds_of_a_model_have_the_same_model(self):
        kinds = [Case(2, 0.5, 2, channel=c) for c in CHANNELS] + [Case(2, 0.5, 2, pool=p) for p in POOLS]
        self.assertEqual(len({tuple(map(str, k.model(1e6))) for k in kinds}), 1)


class Statistics(unittest.TestCase):
    def test_intervals(self):
        mean, half = mean_with_interval([1, 2, 3])
        self.assertEqual(mean, 2)
        self.assertAlmostEqual(half, 4.303 / math.sqrt(3), places=3)
        self.assertEqual(mean_with_interval([5]), (5, None))

    def test_ratios_are_of_the_same_turn(self):
        sample = lambda r, s: {"repetition": r, "wall_s": s, "normalised_s": None}
        slow = [sample(0, 2), sample(1, 20), sample(2, 200), sample(3, 1)]
        fast = [sample(0, 1), sample(1, 10), sample(2, 100)]
        for value in ratio(slow, fast):
            self.assertAlmostEqual(value, 2)
        self.assertIsNone(ratio(slow[:1], fast))

    def test_verdicts(self):
        self.assertIn("Here that holds", compared("x", (1.2, 1.1, 1.3), "c", holds_above=1))
        self.assertIn("the other way round", compared("x", (0.8, 0.7, 0.9), "c", holds_above=1))
        self.assertIn("no difference", compared("x", (1.0, 0.9, 1.1), "c", holds_above=1))
        self.assertIn("Here that holds", compared("x", (0.8, 0.7, 0.9), "c", holds_below=1))


if __name__ == "__main__":
    unittest.main()
