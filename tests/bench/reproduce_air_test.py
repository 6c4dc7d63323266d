#!/usr/bin/env python3
"""What bench/reproduce_air.py computes, draws and says, on a made-up machine: nothing here measures time.

Environment: ANACHRON_SOURCE, the root of the source tree; ANACHRON_BIN, the folder of the built programs.
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
BIN = Path(os.environ.get("ANACHRON_BIN") or ROOT / "build/release/bin")
sys.path.insert(0, str(ROOT / "bench"))
import reproduce_air as air
from air import expected, plot, runs

NEW_OPTIONS = {"--mapping": {"fixed", "dynamic", "adaptive", "ladm", "auto"}, "--detector": {"apte", "interference", "kernel"},
               "--reactivation": {"periodic", "probing"}}


class FakeLoads:
    """Loads that get a third of a core each."""

    def __init__(self, machine, threads, period):
        self.machine, self.threads, self.on = machine, threads, (0.6 if period else 1.0) if threads else 0.0

    def __enter__(self):
        self.machine.loads = self.threads
        return self

    def __exit__(self, *_):
        self.machine.loads = 0

    def cpu_seconds(self):
        return self.machine.now * self.threads / 3


class FakeMachine(runs.Machine):
    """A run takes as long as its --until says, in thousands, but with loads three times as long with the fixed mapping, twice as
    long with others."""

    def __init__(self, options):
        self.program, self.processor, self.cores, self.workers, self.engine = "anachron", "<fake> & co", 8, 8, []
        self.options, self.loads, self.now, self.runs = options, 0, 0.0, []

    def load(self, threads, period=None):
        return FakeLoads(self, threads, period)

    def run(self, *arguments):
        self.runs.append((self.loads, arguments))
        words = list(map(str, arguments))
        seconds = float(words[words.index("--until") + 1]) / 1000
        if self.loads:
            seconds *= 2 if "--mapping" in words and "fixed" not in words else 3
        self.now += seconds
        return {"wall_s": seconds, "efficiency": 0.9, "digest": " ".join(words[: words.index("--until")]),
                "rounds": {"wall_s": [seconds / 2, seconds], "active_workers": [8, 3]}}

    def clock(self):
        return self.now, 0.0, 0.0


def options(folder, **changed):
    values = {"only": air.ALL, "quick": True, "repetitions": 3, "seconds": 1.0, "out": Path(folder)} | changed
    return argparse.Namespace(**values)


class Expectations(unittest.TestCase):
    def test_proportional_slowdowns_are_those_of_the_paper(self):
        self.assertEqual(expected.proportional(8, 8, 1), 9 / 8)
        self.assertEqual(expected.proportional(48, 48, 1), 49 / 48)
        self.assertEqual(expected.proportional(8, 8, 0), 1)
        self.assertEqual(expected.proportional(2, 8, 3), 1)  # cores are left
        self.assertEqual(expected.proportional(16, 8, 8), 1.5)

    def test_loads_that_are_on_for_a_part_of_the_time_slow_down_less(self):
        self.assertAlmostEqual(expected.proportional_on_off(8, 8, 3, 1), expected.proportional(8, 8, 3))
        self.assertAlmostEqual(expected.proportional_on_off(8, 8, 3, 0), 1)
        # Half of the work at full speed, half at 8/9 of it, by time.
        self.assertAlmostEqual(expected.proportional_on_off(8, 8, 1, 0.5), 1 / (0.5 + 0.5 * 8 / 9))

    def test_workers_that_rest_leave_at_least_one(self):
        self.assertEqual(expected.after_yielding(8, 5), 8 / 3)
        self.assertEqual(expected.after_yielding(8, 8), 8)
        self.assertEqual(expected.after_yielding(8, 0), 1)

    def test_what_loads_took_is_missing(self):
        self.assertEqual(expected.of_what_is_left(8, 8, 2), 8 / 6)
        self.assertEqual(expected.of_what_is_left(2, 8, 2), 1)
        # A fair share of one load on eight cores: the same as equation 1.
        self.assertAlmostEqual(expected.of_what_is_left(8, 8, 8 / 9), expected.proportional(8, 8, 1))

    def test_loads_go_up_to_those_of_the_paper(self):
        self.assertEqual(expected.load_counts(8), [0, 1, 2, 3, 4, 5])
        self.assertEqual(expected.load_counts(48), [0, 6, 12, 18, 24, 30])
        self.assertEqual(expected.load_counts(2), [0, 1, 2])

    def test_levels_over_time(self):
        line = [(0, 2), (1, 2), (2, 1), (4, 1)]
        self.assertEqual(expected.over_time(line, lambda n: n), 1.5)
        self.assertEqual(expected.over_time(line, lambda n: n == 1), 0.5)
        self.assertEqual(expected.over_time([(3, 2)], lambda n: n), 2)
        self.assertEqual(plot.without_repetitions(line), [(0, 2), (2, 1), (4, 1)])

    def test_median(self):
        self.assertEqual(expected.median([3, 1, 2]), 2)
        self.assertEqual(expected.median([4, 1, 2, 3]), 2.5)


class Plots(unittest.TestCase):
    def test_names_are_escaped_and_there(self):
        drawn = plot.svg_plot("a < b", "x & y in s", "<y>", [("50% <i>", [(0, 1), (1, 2)], False), ("theory", [(0, 1), (1, 1)], True)])
        texts = [t.text for t in xml.fromstring(drawn).iter("{http://www.w3.org/2000/svg}text")]
        for text in ("a < b", "x & y in s", "<y>", "50% <i>", "theory"):
            self.assertIn(text, texts)

    def test_odd_data_can_be_drawn(self):
        for lines in ([], [("one", [(1, 1)], False)], [("flat", [(0, 0), (1, 0)], False)], [("zero", [(0, 0)], True)]):
            for steps in (False, True):
                xml.fromstring(plot.svg_plot("t", "x", "y", lines, steps=steps, y_from=0))
        xml.fromstring(plot.svg_plot("t", "x", "y", [("log", [(1, 1), (100000, 3)], False)], log_x=True))

    def test_ticks_are_round_and_cover(self):
        self.assertEqual(plot.ticks(0, 1), [0, 0.2, 0.4, 0.6000000000000001, 0.8, 1])
        for low, high in ((0, 7.3), (0.99, 1.01), (3, 3), (0, 48000)):
            marks = plot.ticks(low, high)
            self.assertLessEqual(marks[0], low + 1e-9)
            self.assertGreaterEqual(marks[-1], high - 1e-9)
            self.assertLess(len(marks), 10)


class Figures(unittest.TestCase):
    def make(self, machine, **changed):
        with tempfile.TemporaryDirectory() as folder, open(os.devnull, "w", encoding="utf-8") as nowhere:
            before, sys.stdout, sys.stderr = (sys.stdout, sys.stderr), nowhere, nowhere
            try:
                air.run_all(machine, options(folder, **changed))
            finally:
                sys.stdout, sys.stderr = before
            for plot in Path(folder).glob("*.svg"):
                xml.fromstring(plot.read_text(encoding="utf-8"))
            tables = {}
            for table in Path(folder).glob("*.csv"):
                with open(table, newline="", encoding="utf-8") as file:
                    tables[table.stem] = list(csv.DictReader(file))
            return (Path(folder) / "README.md").read_text(encoding="utf-8"), tables

    def test_all_are_made_where_the_program_can_do_all(self):
        for quick in (True, False):
            page, tables = self.make(FakeMachine(NEW_OPTIONS), quick=quick)
            self.assertEqual(set(tables), {f"figure_{n}" for n in air.ALL})
            self.assertNotIn("Left out", page)
            for number in air.ALL:
                self.assertIn(f"## Figure {number}: ", page)

    def test_findings_follow_from_the_figures(self):
        page, tables = self.make(FakeMachine(NEW_OPTIONS), only=["7", "8", "15"])
        self.assertIn("LADM: 1.00 (at 0% remote) to 1.00 (at 0%) times the run time of the fixed mapping.", page)
        self.assertIn("LADM: 0.67 (at 0% remote) to 0.67 (at 0%) times the run time of the fixed mapping.", page)
        self.assertIn("With LADM a run under load is 1.50 times as fast as with the fixed mapping at best", page)
        self.assertIn("without load LADM takes less than 5% longer than the fixed mapping. Here that holds.", page)
        loaded = [row for row in tables["figure_15"] if row["runs"] == "fixed" and row["foreign loads"] == "5"]
        self.assertEqual([row["slowdown"] for row in loaded], ["3.00"])
        self.assertEqual(loaded[0]["proportional, eq. 1"], "1.62")  # 13/8
        self.assertEqual(loaded[0]["after yielding, eq. 3"], "2.67")
        self.assertEqual(loaded[0]["cores taken by loads"], "1.67")
        self.assertEqual(loaded[0]["of what is left"], "1.26")  # 8 / (8 - 5/3)

    def test_what_the_program_lacks_is_left_out_and_said(self):
        machine = FakeMachine({})
        page, tables = self.make(machine)
        self.assertIn("Left out, because the program cannot do it: ", page)
        self.assertIn("Without data for the same reason: figures 10, 11.", page)
        self.assertEqual({row["runs"] for row in tables["figure_15"]}, {"fixed"})
        self.assertFalse(any("--mapping" in arguments for _, arguments in machine.runs))

    def test_runs_are_made_in_turn(self):
        machine = FakeMachine(NEW_OPTIONS)
        self.make(machine, only=["15"])
        kinds = [(loads, " ".join(map(str, arguments)).partition("--mapping ")[2].split(" ")[0]) for loads, arguments in machine.runs]
        kinds = [kind for kind in kinds if kind[1]]
        each_time = kinds[-9:]  # three numbers of loads, three kinds
        self.assertEqual(len(set(each_time)), 9)
        self.assertEqual(kinds[-27:], 3 * each_time)

    def test_different_digests_are_an_error(self):
        machine = FakeMachine(NEW_OPTIONS)
        plain = machine.run

        def run(*arguments):
            return plain(*arguments) | {"digest": str(len(machine.runs))}
        machine.run = run
        with self.assertRaises(SystemExit):
            self.make(machine, only=["15"])

    def test_numbers_of_the_other_machine_are_those_of_this(self):
        self.assertEqual(air.figure_numbers("14,12,1"), ["1", "11", "13"])
        with self.assertRaises(argparse.ArgumentTypeError):
            air.figure_numbers("2")


@unittest.skipUnless((BIN / "anachron").exists(), "no program")
class Program(unittest.TestCase):
    def test_a_run_and_a_load_tell_what_they_used(self):
        machine = runs.Machine(str(BIN / "anachron"), 2, [])
        self.assertIn("optimistic", machine.options["--sync"])
        with machine.load(1) as load:
            report = machine.run("phold", "--lps", 16, "--until", 5)
            self.assertGreaterEqual(load.cpu_seconds(), 0)
        self.assertEqual(report["config"]["workers"], 2)
        self.assertGreater(load.on, 0)


if __name__ == "__main__":
    unittest.main()
