#!/usr/bin/env python3
"""Whether bench/papers/rows.csv is complete and true to the tree: it has a row for each part of the five papers.

`where` names files, with blanks between them. `see` has commands and tests, with semicolons between them: what a user types, or
`tests:` and names of GoogleTest tests (Suite.*, Suite.Name) and of scripts (folder.name).

Environment: ANACHRON_SOURCE, the root of the source tree; ANACHRON_BIN, the folder of the built programs.
"""

import csv
import importlib
import os
import re
import shlex
import subprocess
import sys
import unittest
from functools import lru_cache
from pathlib import Path

ROOT = Path(os.environ.get("ANACHRON_SOURCE") or Path(__file__).resolve().parents[2])
BIN = Path(os.environ.get("ANACHRON_BIN") or ROOT / "build/release/bin")
TABLE = ROOT / "bench/papers/rows.csv"

COLUMNS = ["id", "what", "where", "see", "verdict", "note"]
VERDICTS = {"works", "differs", "figure"}
# Numbers of rows by paper: MUSE, AIR, Blue Gene, Devastator, ROSS-CMT. There is no D44.
ROWS = {"M": range(1, 49), "A": range(1, 46), "B": range(1, 40), "D": [n for n in range(1, 47) if n != 44], "C": range(1, 36)}
PAPERS = {"M": "muse", "A": "air", "B": "blue-gene", "D": "devastator", "C": "ross-cmt"}
MOST_WORDS, MOST_WORDS_OF_WHAT = 30, 15


def read_rows():
    with open(TABLE, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def file_of(paper):
    return f"bench/papers/{paper.replace('-', '_')}.py"


def sentences(text):
    return [s for s in re.split(r"(?<=[.!?;])\s+", text) if s.strip()]


def parts_of(row):
    return [part.strip() for part in row["see"].split(";")]


def commands_of(row):
    """The words of each command, without variables before it."""
    for part in parts_of(row):
        if not part.startswith("tests:"):
            words = shlex.split(part)
            yield [w for i, w in enumerate(words) if i > 0 or "=" not in w]


def tests_of(row):
    return [name for part in parts_of(row) if part.startswith("tests:") for name in part[len("tests:") :].split()]


@lru_cache(maxsize=None)
def engine_options():
    """The names of the engine's options, as their table in the source has them."""
    table = (ROOT / "src/base/option_table.hpp").read_text(encoding="utf-8")
    return frozenset("--" + name for name in re.findall(r'\.name = "([^"]+)"', table))


@lru_cache(maxsize=None)
def help_of(*words):
    return subprocess.run([BIN / "anachron", *words], check=True, capture_output=True, text=True).stdout


@lru_cache(maxsize=None)
def options_of(text):
    """What a help says of options: the values of each that has a list of them, else none."""
    found = {}
    for name, hint in re.findall(r"^  (?:-\w,)?(--[\w-]+)(?: (\S+))?", text, re.MULTILINE):
        values = hint.split("|")
        is_list = len(values) > 1 and not any(v[0].isupper() for v in values)  # FILE, N and the like stand for any value
        found[name] = set(values) if is_list else set()
    return found


@lru_cache(maxsize=None)
def gtest_names():
    """Suite.Name of all tests in C++."""
    made = re.compile(r"\b(?:TYPED_)?TEST(?:_[FP])?\(\s*(\w+),\s*(\w+)")
    return frozenset(f"{suite}.{name}" for source in (ROOT / "tests").rglob("*.cpp")
                     for suite, name in made.findall(source.read_text(encoding="utf-8")))


@lru_cache(maxsize=None)
def declared_figures():
    """The names of the figures that `./do reproduce` knows, by paper; None: its package is not there."""
    if not (ROOT / "bench/papers/papers.py").is_file():
        return None
    sys.path.insert(0, str(ROOT / "bench"))
    papers = importlib.import_module("papers.papers")
    return {paper: {figure.name for figure in module.FIGURES} for paper, module in papers.PAPERS.items()}


class Rows(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.rows = read_rows()

    def for_each(self, check):
        for row in self.rows:
            with self.subTest(row["id"]):
                check(row)

    def test_each_part_of_a_paper_has_one_row(self):
        self.assertEqual(list(self.rows[0]), COLUMNS)
        self.assertEqual([row["id"] for row in self.rows], [f"{paper}{n}" for paper, numbers in ROWS.items() for n in numbers])
        self.assertEqual(len(self.rows), 212)

    def test_no_field_is_missing(self):
        def check(row):
            self.assertNotIn(None, row)  # a comma too many
            self.assertNotIn(None, row.values())
            for column in ("what", "where", "see"):
                self.assertTrue(row[column].strip(), column)
            self.assertIn(row["verdict"], VERDICTS)

        self.for_each(check)

    def test_files_are_there(self):
        def check(row):
            for path in row["where"].split():
                # The files of the papers are the runner's; each is made by itself.
                if path not in map(file_of, PAPERS.values()):
                    self.assertTrue((ROOT / path).is_file(), path)

        self.for_each(check)

    def test_files_that_notes_name_are_there(self):
        def check(row):
            for path in re.findall(r"\b(?:src|docs|include|models|bench|examples)/[\w./-]+\.\w+", row["note"]):
                self.assertTrue((ROOT / path).is_file(), path)

        self.for_each(check)

    def test_a_difference_has_a_reason(self):
        self.for_each(lambda row: self.assertTrue(row["verdict"] != "differs" or row["note"].strip()))

    def test_sentences_are_short(self):
        def check(row):
            self.assertLessEqual(len(row["what"].split()), MOST_WORDS_OF_WHAT, row["what"])
            for sentence in sentences(row["note"]):
                self.assertLessEqual(len(sentence.split()), MOST_WORDS, sentence)

        self.for_each(check)

    def test_a_figure_is_one_command_of_its_paper(self):
        def check(row):
            paper = PAPERS[row["id"][0]]
            commands = [words for words in commands_of(row) if words[:2] == ["./do", "reproduce"]]
            for words in commands:
                self.assertEqual(words[2], paper)
                self.assertIn(words[3], ("--only", "--repetitions"))
                if words[3] == "--only":
                    for name in words[4].split(","):
                        self.assertRegex(name, r"^(?:figure|table|equations)_\d+\w*$")
                        if declared_figures() is not None:
                            self.assertIn(name, declared_figures()[paper])
            if row["verdict"] == "figure":
                self.assertTrue(commands)
                self.assertIn(file_of(paper), row["where"].split())

        self.for_each(check)

    def test_a_figure_is_named_as_the_paper_does(self):
        """`what` of "Figure 5: ..." and its command name the same; that of "Figures 5 and 6: ..." names one of them or both."""
        roman = {"I": "1", "II": "2", "III": "3"}

        def check(row):
            title = re.match(r"(Figure|Table)s? (\w+)(?: and (\w+))?:", row["what"])
            if title and row["verdict"] == "figure":
                kind, *numbers = title.groups()
                allowed = [f"{kind.lower()}_{roman.get(n, n)}" for n in numbers if n]
                named = [name for words in commands_of(row) if words[:2] == ["./do", "reproduce"] for name in words[4].split(",")]
                self.assertEqual(named[0], allowed[0])
                for name in named:
                    self.assertIn(re.match(r"[a-z]+_\d+", name)[0], allowed)  # figure_4b is a part of figure 4

        self.for_each(check)

    @unittest.skipIf(declared_figures() is None, "the runner of the papers is not there")
    def test_each_figure_has_a_row(self):
        named = {(words[2], name) for row in self.rows for words in commands_of(row)
                 if words[:2] == ["./do", "reproduce"] and words[3] == "--only" for name in words[4].split(",")}
        for paper, figures in declared_figures().items():
            for name in figures:
                with self.subTest(paper=paper, figure=name):
                    self.assertIn((paper, name), named)

    def test_tests_are_there(self):
        def check(row):
            for name in tests_of(row):
                suite, _, test = name.partition(".")
                is_there = (name in gtest_names() or (ROOT / "tests" / suite / f"{test}.sh").is_file()
                            or test == "*" and any(n.startswith(f"{suite}.") for n in gtest_names()))
                self.assertTrue(is_there, name)

        self.for_each(check)

    def test_programs_are_there(self):
        def check(row):
            for words in commands_of(row):
                program = self.program_of(words)[0]
                if program.startswith(("example_", "bench_")):
                    folder, _, name = program.partition("_")
                    folder = "examples" if folder == "example" else folder
                    self.assertTrue((ROOT / folder / f"{name}.cpp").is_file(), program)
                else:
                    self.assertIn(program, ("anachron", "./do"))

        self.for_each(check)

    @staticmethod
    def program_of(words):
        """The program and what follows it, without mpirun and its options."""
        if words[0] != "mpirun":
            return words
        first = next(i for i, w in enumerate(words) if w == "anachron" or w.startswith(("example_", "bench_")))
        return words[first:]

    @unittest.skipUnless((BIN / "anachron").exists(), "no program")
    def test_options_are_there(self):
        def check(row):
            for words in commands_of(row):
                program, *words = self.program_of(words)
                if program == "anachron":
                    self.check_options(*words)

        self.for_each(check)

    def check_options(self, command, *words):
        self.assertIn(command, ("run", "tune", "partition", "load"))
        known, model = {}, None
        if command != "load":
            model, *words = words
            known = dict.fromkeys(engine_options(), set()) | options_of(help_of("help", model))
        known |= options_of(help_of(*filter(None, (command, model)), "--help"))
        for i, word in enumerate(words):
            if not word.startswith("--"):
                continue
            self.assertIn(word, known, f"{command} {model}")
            value = words[i + 1] if i + 1 < len(words) else ""
            if known[word]:
                self.assertIn(value, known[word], word)


if __name__ == "__main__":
    unittest.main()
