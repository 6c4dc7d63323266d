#!/usr/bin/env python3
"""What bench/papers runs, checks and says, on a made-up machine: nothing here measures time.

Environment: ANACHRON_SOURCE, the root of the source tree.
"""

import contextlib
import csv
import io
import json
import os
import random
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

ROOT = Path(os.environ.get("ANACHRON_SOURCE") or Path(__file__).resolve().parents[2])
sys.path.insert(0, str(ROOT / "bench"))
from papers import __main__ as command
from papers import achieved, claims, page, runner
from papers.figure import Figure, Label, Point, Quantity, Run, Setting
from papers.machine import Failed
from papers.numbers import Ratio, mean_with_interval
from papers.papers import PAPERS
from papers.quantities import RATE, SECONDS
from papers.samples import Store, sample_of

REPORT = {"digest": "d", "sent": 1000, "sent_remote": 500, "sent_in_order": 0, "committed": 900, "committed_in_order": 0, "gvt_rounds": 7,
          "dealt_by": "block", "wall_s": 1.0, "rate": 900.0,
          "config": {"workers": 1, "sync": "optimistic", "mapping": "auto", "throttle": "atw"}, "pes": [{}, {}],
          "ranks": [{"events_sent": 320, "cancellations_sent": 20, "comm_thread": False}, {"events_sent": 210, "cancellations_sent": 10,
                                                                                          "comm_thread": True}]}


def quietly(function, *arguments):
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as err:
        result = function(*arguments)
    return result, out.getvalue(), err.getvalue()


def true_sample(point, noise):
    """What a run does whose label is true."""
    label = point.label
    remote, regional = 0.1 if label.remote is None else label.remote, label.regional or 0.0
    did = {"remote": remote, "regional": regional, "local": 1 - remote - regional, "gvt_rounds": 9, "in_order": 0.0,
           **{name: getattr(label, name) for name in ("pes", "workers", "ranks", "sync", "mapping", "throttle", "partition")},
           "comm_thread": bool(label.comm_thread)}
    numbers = ("wall_s", "cpu_s", "rate", "efficiency", "rollback_efficiency", "events_per_message", "successful_probes", "load_cores",
               "load_share_on", "load_work_rate", "loops_per_cpu_s", "mhz", "cores", "latency_us", "committed", "executed", "rollbacks", "rollbacks_remote",
               "rollbacks_regional", "sent_remote", "counted_instructions", "counted_ll_misses", "counted_d1_misses", "execution_s", "routing_s",
               "rollback_s", "rounds_s", "commit_s", "idle_s", "asleep_s",
               "gvt_interval_iterations", "search_probes", "insertion_probes", "undone", "until")
    sample = {name: 0.5 * noise.uniform(0.99, 1.01) for name in numbers} | {"executed": 0.6 * noise.uniform(0.99, 1.01)} | {"achieved": did, "digest": " ".join(map(str, point.run.model))}
    if point.run.keep:
        sample["rounds"] = {name: [1, 2, 1] if name == "active_workers" else [1, 2, 3] for name in point.run.keep}
    return sample


class FakeMachine:
    """Does what labels say, but for what `spoils` changes in a sample."""

    def __init__(self, points, spoils=lambda point, sample: sample):
        self.cores, self.hosts, self.described, self.count = 2, None, {"cpu": "<fake> & co"}, 0
        self.points, self.spoils, self.noise = {point.run: point for point in points}, spoils, random.Random(1)

    def setting(self):
        return {"cpu": "fake"}

    def sample(self, run, limit=0):
        self.count += 1
        point = self.points[run]
        sample = self.spoils(point, true_sample(point, self.noise))
        return sample | {"gvt_interval_iterations": 2.0 * point.x} if isinstance(point.x, int) else sample

    def predicted_share(self, run, did):
        return did["remote"] + did["regional"]


def made(figure, spoils=lambda point, sample: sample, folder=None, setting=Setting(quick=True, hosts=False), repetitions=3,
         machine_of=FakeMachine):
    """Result of a figure on a made-up machine."""
    points = figure.points(setting)
    machine = machine_of(points, spoils)
    with tempfile.TemporaryDirectory() as scratch:
        target = Path(folder or scratch)
        target.mkdir(exist_ok=True)
        store = Store(target / "samples.jsonl", machine.setting())
        quietly(runner.measure, figure, points, machine, store, repetitions, figure.name)
        facts = {"machine": "fake", "repetitions": repetitions, "quick": True, "date": "2026-01-01", "command": "./do", "load_average": [0, 0]}
        return runner.write(target, "muse", figure, points, machine, facts), machine


class Labels(unittest.TestCase):
    def test_a_report_says_what_ran(self):
        did = achieved.achieved(REPORT)
        self.assertEqual((did["remote"], did["regional"], did["local"]), (0.5, 0.0, 0.5))
        self.assertEqual((did["pes"], did["workers"], did["ranks"], did["comm_thread"]), (2, 1, 2, True))

    def test_what_is_true_passes(self):
        self.assertEqual(achieved.misses(Label(remote=0.505, pes=2, workers=1, ranks=2, sync="optimistic", throttle="atw", partition="block",
                                               rounds=True, comm_thread=True), achieved.achieved(REPORT)), [])

    def test_each_false_label_is_named_with_both_values(self):
        did = achieved.achieved(REPORT)
        for label, words in ((Label(remote=0.8), "remote events: 80.0% asked, 50.0% ran"), (Label(regional=0.2), "regional events: 20.0% asked"),
                             (Label(pes=4), "pes: 4 asked, 2 ran"), (Label(workers=2), "workers: 2 asked, 1 ran"),
                             (Label(ranks=4), "ranks: 4 asked"), (Label(sync="conservative"), "sync: conservative asked"),
                             (Label(mapping="fixed"), "mapping: fixed asked, auto ran"), (Label(throttle="none"), "throttle: none asked"),
                             (Label(partition="metis"), "partition: metis asked"), (Label(comm_thread=False), "comm_thread: False asked")):
            self.assertIn(words, " ".join(achieved.misses(label, did)))

    def test_a_figure_about_optimism_needs_rounds(self):
        for changed, words in (({"gvt_rounds": 0}, "GVT rounds"), ({"committed_in_order": 900}, "executed in order")):
            self.assertIn(words, achieved.misses(Label(rounds=True), achieved.achieved(REPORT | changed))[0])

    def test_a_false_report_fails_the_figure(self):
        figure = next(f for f in PAPERS["muse"].FIGURES if f.name == "figure_14")

        def half(point, sample):
            sample["achieved"]["regional"] = min(0.5, sample["achieved"]["regional"])
            return sample
        with self.assertRaisesRegex(achieved.Mislabelled, r"figure_14, .* at 90.*: regional events: 90.0% asked, 50.0% ran"):
            made(figure, half)

    def test_a_share_that_was_predicted_otherwise_fails_the_figure(self):
        figure = next(f for f in PAPERS["muse"].FIGURES if f.name == "figure_10")

        class Predicts(FakeMachine):
            def predicted_share(self, run, did):
                return 0.4
        with self.assertRaisesRegex(achieved.Mislabelled, r"events to other PEs: 40.0% predicted, 10.0% ran"):
            made(figure, machine_of=Predicts)

    def test_settings_that_made_no_difference_fail_the_figure(self):
        figure = next(f for f in PAPERS["blue-gene"].FIGURES if f.name == "figure_2")

        class Ignores(FakeMachine):
            def sample(self, run, limit=0):
                return super().sample(run) | {"gvt_interval_iterations": 300.0}
        with self.assertRaisesRegex(achieved.Mislabelled, r"turns between GVT rounds of 8 and 64 asked, 300 and 300 ran"):
            made(figure, machine_of=Ignores, setting=Setting())

    def test_different_digests_fail_the_figure(self):
        figure = next(f for f in PAPERS["muse"].FIGURES if f.name == "figure_7")
        with self.assertRaisesRegex(runner.Digests, "different digests"):
            made(figure, lambda point, sample: sample | {"digest": point.series})


class Figures(unittest.TestCase):
    def test_all_are_made(self):
        for paper, module in PAPERS.items():
            for figure in module.FIGURES:
                with self.subTest(paper=paper, figure=figure.name), tempfile.TemporaryDirectory() as folder:
                    result, _ = made(figure, folder=folder, setting=Setting(quick=False))
                    with open(Path(folder, f"{figure.name}.csv"), newline="", encoding="utf-8") as file:
                        rows = list(csv.DictReader(file))
                    self.assertGreater(len(rows), 0)
                    self.assertIn("remote (ran)", rows[0])
                    if result["picture"]:
                        xml.fromstring(Path(folder, f"{figure.name}.svg").read_text(encoding="utf-8"))
                    for claim in result["claims"]:
                        self.assertNotEqual(claim["verdict"], claims.UNKNOWN, claim)

    def test_quick_ones_too(self):
        for module in PAPERS.values():
            for figure in module.FIGURES:
                self.assertTrue(made(figure)[0]["verdict"])

    def test_full_settings_have_points_that_differ(self):
        for module in PAPERS.values():
            for figure in module.FIGURES:
                points = figure.points(Setting())
                self.assertEqual(len({(p.series, p.x) for p in points}), len(points), figure.name)

    def test_what_is_equal_is_not_compared(self):
        for module in PAPERS.values():
            for figure in module.FIGURES:
                by_run = {}
                for point in figure.points(Setting()):
                    by_run.setdefault(point.run, []).append((point.series, point.x))
                self.assertEqual([places for places in by_run.values() if len(places) > 1], [], figure.name)

    def test_runs_are_those_of_one_figure_or_of_all_that_have_the_same(self):
        figures = {f.name: f for f in PAPERS["muse"].FIGURES}
        turns = lambda name: runner.turns_of(PAPERS["muse"].FIGURES, figures[name], Setting())
        self.assertEqual((turns("figure_10"), turns("figure_11"), turns("figure_14")), ("figure_10", "figure_10", "figure_14"))
        with tempfile.TemporaryDirectory() as folder:
            store = Store(Path(folder, "samples.jsonl"), {})
            run = Run(("a",))
            store.add("figure_10", run, 0, {"wall_s": 1})
            again = Store(Path(folder, "samples.jsonl"), {})
            self.assertEqual(again.get("figure_10", run, 0), {"wall_s": 1})
            self.assertIsNone(again.get("figure_14", run, 0))

    def test_all_have_runs_enough_for_an_interval(self):
        for paper, module in PAPERS.items():
            for figure in module.FIGURES:
                least = 1 if figure.y.is_computed else 10 if paper == "air" else 5
                self.assertGreaterEqual(figure.repetitions, least, f"{paper} {figure.name}")

    def test_what_needs_more_cores_has_no_verdict_of_its_own(self):
        results = {f.name: made(f)[0]["verdict"] for f in PAPERS["devastator"].FIGURES if f.cores}
        self.assertEqual(results["figure_2"], "needs 32,768 cores")

    def test_an_axis_of_names_is_drawn(self):
        figure = next(f for f in PAPERS["air"].FIGURES if f.name == "figure_19")
        with tempfile.TemporaryDirectory() as folder:
            self.assertTrue(made(figure, folder=folder)[0]["picture"])
            self.assertIn(">communicate</text>", Path(folder, "figure_19.svg").read_text(encoding="utf-8"))

    def test_an_interrupted_session_goes_on(self):
        figure = next(f for f in PAPERS["muse"].FIGURES if f.name == "figure_7")
        with tempfile.TemporaryDirectory() as folder:
            _, first = made(figure, folder=folder)
            with open(Path(folder, "samples.jsonl"), "a", encoding="utf-8") as file:
                file.write('{"run": "half a li')
            _, second = made(figure, folder=folder)
            self.assertGreater(first.count, 0)
            self.assertEqual(second.count, 0)

    def test_samples_of_another_machine_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "samples.jsonl")
            Store(path, {"cpu": "a"})
            with self.assertRaisesRegex(SystemExit, "other runs"):
                Store(path, {"cpu": "b"})

    def test_what_a_figure_draws_of_rounds_is_thinned(self):
        rounds = {"gvt": list(range(10_000)), "wall_s": list(range(10_000))}
        sample = sample_of(REPORT | {"rounds": rounds}, Run((), keep=("gvt",)), {})
        self.assertLessEqual(len(sample["rounds"]["gvt"]), 400)


class Claims(unittest.TestCase):
    """Of a made-up figure with seconds."""

    FIGURE = Figure("f", "t", "p", None, "x", SECONDS)

    def points(self, **series):
        noise = random.Random(3)
        return [Point(name, x, Run((name, x)), samples=[{"wall_s": mean * noise.uniform(0.99, 1.01)} for _ in range(6)])
                for name, means in series.items() for x, mean in enumerate(means)]

    def verdict(self, claim, **series):
        return claim.test(self.FIGURE, self.points(**series)).verdict

    def test_more(self):
        claim = claims.More("", "a", "b", times=2)
        self.assertEqual(self.verdict(claim, a=[1, 1], b=[2, 2]), claims.HOLDS)
        self.assertEqual(self.verdict(claim, a=[1, 1], b=[1.2, 1.2]), claims.DIRECTION)
        self.assertEqual(self.verdict(claim, a=[1, 1], b=[1, 1]), claims.NOTHING)
        self.assertEqual(self.verdict(claim, a=[2, 2], b=[1, 1]), claims.FAILS)
        self.assertEqual(self.verdict(claim, a=[1, 1]), claims.UNKNOWN)
        self.assertEqual(self.verdict(claims.More("", "a", "b", at=1), a=[2, 1], b=[1, 2]), claims.HOLDS)
        self.assertEqual(self.verdict(claims.More("", "a", "b", at="best"), a=[2, 1], b=[1, 2]), claims.HOLDS)

    def test_more_where_it_is_said(self):
        claim = claims.More("", "a", "b", at="best", xs=lambda x: x > 0)
        self.assertEqual(self.verdict(claim, a=[1, 2], b=[2, 1]), claims.FAILS)

    def test_gains_more(self):
        claim = claims.GainsMore("", "a", "b")
        self.assertEqual(self.verdict(claim, a=[4, 1], b=[4, 2]), claims.HOLDS)
        self.assertEqual(self.verdict(claim, a=[4, 3], b=[4, 2]), claims.FAILS)
        self.assertEqual(self.verdict(claim, a=[4, 2], b=[8, 4]), claims.NOTHING)
        self.assertEqual(self.verdict(claim, a=[4, 2]), claims.UNKNOWN)

    def test_same(self):
        claim = claims.Same("", "a", "b", 0.05)
        self.assertEqual(self.verdict(claim, a=[1, 1], b=[1, 1]), claims.HOLDS)
        self.assertEqual(self.verdict(claim, a=[1, 1], b=[2, 2]), claims.FAILS)

    def test_grows(self):
        self.assertEqual(self.verdict(claims.Grows("", "a"), a=[1, 2]), claims.HOLDS)
        self.assertEqual(self.verdict(claims.Grows("", "a", falls=True), a=[1, 2]), claims.FAILS)
        self.assertEqual(self.verdict(claims.Grows("", "a"), a=[1, 1]), claims.NOTHING)
        self.assertEqual(self.verdict(claims.Grows("", "a", to=1), a=[1, 2, 1]), claims.HOLDS)
        self.assertEqual(self.verdict(claims.Grows("", "a", beyond=lambda x: 1.5), a=[1, 2]), claims.HOLDS)
        self.assertEqual(self.verdict(claims.Grows("", "a", beyond=lambda x: 3), a=[1, 2]), claims.FAILS)

    def test_what_is_computed_is_the_same_in_each_run(self):
        points = [Point("a", x, None, samples=[{"y": y}]) for x, y in enumerate((1, 2))]
        of_one_run = lambda computed: claims.Grows("", "a", of=Quantity("y", lambda s: s["y"], is_computed=computed))
        self.assertEqual(of_one_run(False).test(self.FIGURE, points).verdict, claims.UNKNOWN)
        self.assertEqual(of_one_run(True).test(self.FIGURE, points).verdict, claims.HOLDS)

    def test_as_expected(self):
        self.assertEqual(self.verdict(claims.AsExpected("", "a", lambda x: 2), a=[1, 2]), claims.HOLDS)
        self.assertEqual(self.verdict(claims.AsExpected("", "a", lambda x: 1), a=[1, 2]), claims.FAILS)
        self.assertEqual(self.verdict(claims.AsExpected("", "a", lambda x: 1.66), a=[1, 2]), claims.NOTHING)
        self.assertEqual(self.verdict(claims.AsExpected("", "a", lambda x: 2, to=1), a=[1, 2, 9]), claims.HOLDS)

    def test_level_best_and_flat(self):
        self.assertEqual(self.verdict(claims.Level("", "a", 0.5, 3), a=[1, 2]), claims.HOLDS)
        self.assertEqual(self.verdict(claims.Level("", "a", 1.5), a=[1, 2]), claims.FAILS)
        self.assertEqual(self.verdict(claims.BestAt("", "a", lambda x: x == 1), a=[2, 1, 2]), claims.HOLDS)
        self.assertEqual(self.verdict(claims.BestAt("", "a", lambda x: x == 0), a=[2, 1, 2]), claims.FAILS)
        self.assertEqual(self.verdict(claims.Flat("", "a", 0.1), a=[1, 1, 1]), claims.HOLDS)
        self.assertEqual(self.verdict(claims.Flat("", "a", 0.1), a=[1, 2, 1]), claims.FAILS)

    def test_a_single_run_has_no_interval(self):
        points = [Point(name, 0, Run((name,)), samples=[{"wall_s": seconds}]) for name, seconds in (("a", 1.0), ("b", 2.0))]
        self.assertEqual(claims.More("", "a", "b").test(self.FIGURE, points).verdict, claims.UNKNOWN)


class Numbers(unittest.TestCase):
    def test_intervals(self):
        mean, half = mean_with_interval([1, 2, 3, 4])
        self.assertAlmostEqual(mean, 2.5)
        self.assertAlmostEqual(half, 3.182 * (5 / 3) ** 0.5 / 2)
        self.assertEqual(mean_with_interval([7]), (7, None))
        ratio = Ratio([(2, 1), (4, 2), (2.2, 1)])
        self.assertTrue(ratio.low < 2.06 < ratio.high)


class Command(unittest.TestCase):
    def test_list_names_all_figures(self):
        _, out, _ = quietly(command.list_figures)
        for paper, module in PAPERS.items():
            self.assertIn(f"{paper}: ", out)
            for figure in module.FIGURES:
                self.assertIn(f"  {figure.name}", out)

    def test_a_wrong_name_is_named(self):
        with self.assertRaisesRegex(SystemExit, r"muse: no figure_99 \(valid: figure_2, "):
            command.chosen("muse", ["figure_99"])

    def test_a_failed_run_fails_its_figure_only(self):
        figure = next(f for f in PAPERS["muse"].FIGURES if f.name == "figure_7")

        class Broken(FakeMachine):
            def sample(self, run, limit=0):
                raise Failed("anachron run: exit status 1")
        with tempfile.TemporaryDirectory() as folder:
            options = command.arguments(["-", "muse", "--quick", "--out", folder])
            Path(folder, "muse").mkdir()
            machine = Broken([])
            store = Store(Path(folder, "muse", "samples.jsonl"), machine.setting())
            good, _, err = quietly(command.make, "muse", figure, machine, store, options)
        self.assertFalse(good)
        self.assertIn("muse figure_7 FAILED: anachron run: exit status 1", err)


class Page(unittest.TestCase):
    def test_the_committed_page_is_that_of_the_committed_results(self):
        self.assertEqual(page.PAGE.read_text(encoding="utf-8"), page.page(), "run ./do reproduce page")

    def test_no_row_is_empty(self):
        for paper, module in PAPERS.items():
            results = page.results_of(paper)
            self.assertEqual([f.name for f in module.FIGURES if f.name not in results], [], f"{paper}: no committed results")
            for name, result in results.items():
                self.assertTrue(result["verdict"], name)
                self.assertFalse(result["quick"], f"{paper} {name}: short runs")
                for claim in result["claims"]:
                    self.assertNotEqual(claim["verdict"], claims.UNKNOWN, f"{paper} {name}: {claim}")
                    if claim["verdict"] == claims.FAILS:
                        self.assertTrue(claim["because"], f"{paper} {name}, {claim['claim']}: a cause")
                if result["verdict"] == claims.NOTHING:
                    self.assertTrue(result["claims"][0]["because"], f"{paper} {name}: why no difference is seen")

    def test_committed_results_have_the_runs_that_their_figures_ask_for(self):
        for paper, module in PAPERS.items():
            results = page.results_of(paper)
            for figure in module.FIGURES:
                self.assertGreaterEqual(results[figure.name]["repetitions"], figure.repetitions, f"{paper} {figure.name}")


class Scripts(unittest.TestCase):
    def test_each_says_how_it_is_called(self):
        for script in sorted((ROOT / "bench").glob("*.py")):
            if "import argparse" in script.read_text(encoding="utf-8"):
                done = subprocess.run([sys.executable, "-B", script, "--help"], capture_output=True, text=True, check=False)
                self.assertEqual(done.returncode, 0, f"{script.name}: {done.stderr}")


if __name__ == "__main__":
    unittest.main()
