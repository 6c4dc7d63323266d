#!/usr/bin/env python3
"""What bench/figures_page.py runs, writes and refuses, with a made-up program; and that its workloads run.

Environment: ANACHRON_SOURCE, the root of the source tree; ANACHRON_BIN, the folder of the built programs.
"""

import contextlib
import io
import os
import stat
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(os.environ.get("ANACHRON_SOURCE") or Path(__file__).resolve().parents[2])
BIN = Path(os.environ.get("ANACHRON_BIN") or ROOT / "build/release/bin")
sys.path.insert(0, str(ROOT / "bench"))
import figures_page as figures

# Sequential runs have rates of 1, 2, 3, .. million; with two workers 2, 4, 6, ..: one counter for each kind, in the folder.
PROGRAM = r"""#!/usr/bin/env python3
import json, pathlib, sys
folder = pathlib.Path(__file__).parent
kind = "two" if "--workers" in sys.argv else "one"
digest = "wrong" if (folder / "wrong").exists() and kind == "two" else sys.argv[2]
if "tlm" in sys.argv: sys.exit("no memory")
with open(folder / "log", "a") as log: log.write(sys.argv[2] + " " + kind + "\n")
count = (folder / "log").read_text().split("\n").count(sys.argv[2] + " " + kind)
rate = count * (2e6 if kind == "two" else 1e6)
machine = {"cpu": "Abacus", "usable_cores": 2, "memory": 2 << 30, "os": "Any (Linux 6)", "compiler": "GCC 12", "optimized": not (folder / "slow").exists()}
print(json.dumps({"rate": rate, "digest": digest, "peak_rss": count << 20, "machine": machine}))
"""
TEXT = f"before\n\n{figures.BEGIN}\nold\n{figures.END}\n\nafter\n"


class Page(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.program = self.folder / "anachron"
        self.program.write_text(PROGRAM)
        self.program.chmod(self.program.stat().st_mode | stat.S_IXUSR)
        self.page = self.folder / "page.md"
        self.page.write_text(TEXT)

    def write(self, *arguments):
        with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()) as out:
            figures.main([str(self.program), "--page", str(self.page), *arguments])
        return out.getvalue()

    def refusal(self, *arguments):
        with self.assertRaises(SystemExit) as refused:
            self.write(*arguments)
        return str(refused.exception)

    def test_rows_have_medians_and_scatter(self):
        self.write("--only", "pcs")
        text = self.page.read_text()
        self.assertIn("| pcs: `pcs --until 60` | 2.00 (1.00 to 3.00) | 4.00 (2.00 to 6.00) | 2.00 (2.00 to 2.00) | 2 | 2 |", text)
        self.assertIn("| date | processor | system | compiler | commit | runs | load before |", text)
        self.assertIn("| Abacus, 2 cores, 2 GiB | Any | GCC 12 |", text)
        self.assertNotIn("old", text)

    def test_the_rest_of_the_page_stays_and_it_can_be_written_again(self):
        for _ in range(2):
            self.write("--only", "pcs")
            text = self.page.read_text()
            self.assertTrue(text.startswith("before\n\n") and text.endswith("\n\nafter\n"))
            self.assertEqual(text.count(figures.BEGIN), 1)

    def test_modes_and_workloads_are_run_in_turn(self):
        self.write("--only", "pcs,queueing")
        turn = ["pcs one", "pcs two", "queueing one", "queueing two"]
        self.assertEqual((self.folder / "log").read_text().split("\n")[:-1], turn + turn[::-1] + turn)

    def test_what_is_wrong_is_not_written(self):
        for reason, arguments in {"no workload is called fold": ["--only", "fold"], "fewer than 3": ["--repetitions", "2"], "no memory": ["--only", "tlm"]}.items():
            self.assertIn(reason, self.refusal(*arguments))
        (self.folder / "wrong").touch()
        self.assertIn("different digests", self.refusal("--only", "pcs"))
        (self.folder / "wrong").unlink()
        (self.folder / "slow").touch()
        self.assertIn("not optimised", self.refusal("--only", "pcs"))
        self.assertEqual(self.page.read_text(), TEXT)

    def test_a_page_without_the_comments_is_refused_before_anything_runs(self):
        self.page.write_text("nothing here")
        self.assertIn("the page needs", self.refusal("--only", "pcs"))
        self.assertFalse((self.folder / "log").exists())

    def test_quick_writes_nothing(self):
        self.assertIn("| pcs: `pcs --until 1` | 1.00 (1.00 to 1.00)", self.write("--quick", "--only", "pcs"))
        self.assertEqual(self.page.read_text(), TEXT)


class Workloads(unittest.TestCase):
    def test_the_page_has_a_place_for_them(self):
        figures.replaced(figures.PAGE.read_text(encoding="utf-8"), "")

    def test_all_run_and_have_one_digest(self):
        with contextlib.redirect_stderr(io.StringIO()), contextlib.redirect_stdout(io.StringIO()) as out:
            figures.main([str(BIN / "anachron"), "--quick"])
        for name in figures.WORKLOADS:
            self.assertIn(f"| {name}: `", out.getvalue())


if __name__ == "__main__":
    unittest.main()
