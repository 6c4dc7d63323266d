"""What validations are made of: runs of the program, and rows of the table."""

import csv
import json
import subprocess
from dataclasses import dataclass

VALIDATIONS = {}  # name -> function, in the order in which they are run


def validation(name):
    """Adds a function to the validations. It gets a Lab and yields rows."""
    def add(check):
        VALIDATIONS[name] = check
        return check
    return add


class Skipped(Exception):
    """What a validation needs is not here; says what."""


@dataclass
class Row:
    quantity: str
    expected: float
    obtained: float
    tolerance: float
    holds: bool


def close(quantity, expected, obtained, tolerance):
    return Row(quantity, expected, obtained, tolerance, abs(obtained - expected) <= tolerance)


def within(quantity, expected, estimate, slack=0.0):
    """The value lies in the interval of an estimate from replications; `slack` where theory is not exact."""
    return close(quantity, expected, estimate["mean"], estimate["half_width"] + slack)


def at_most(quantity, bound, obtained):
    return Row(quantity + ", at most", bound, obtained, 0.0, obtained <= bound)


def at_least(quantity, bound, obtained):
    return Row(quantity + ", at least", bound, obtained, 0.0, obtained >= bound)


class Lab:
    """Runs models. Seeds are fixed, so that each run finds the same."""

    CONFIDENCE = 0.999

    def __init__(self, program, options, folder):
        self.program, self.folder = program, folder
        self.data, self.nextnet, self.uxsim, self.uxsim_scenario = (
            options.data, options.nextnet, options.uxsim, options.uxsim_scenario)

    def _run(self, model, options):
        command = [self.program, "run", model, *map(str, options), "--quiet", "--report", "-"]
        done = subprocess.run(command, capture_output=True, text=True, cwd=self.folder, check=False)
        if done.returncode:
            raise RuntimeError(f"{' '.join(map(str, command))}: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def report(self, model, *options):
        return self._run(model, options)

    def estimates(self, model, *options, replications=10):
        """By figure: mean and half width of replications, with a confidence of CONFIDENCE."""
        return self._run(model, [*options, "--replications", replications, "--confidence", self.CONFIDENCE])["estimates"]

    def replications(self, model, *options, replications):
        """The figures of each."""
        return [run["model"] for run in self._run(model, [*options, "--replications", replications])["runs"]]

    def table(self, model, table, *options):
        """A table of a run: a list of dictionaries."""
        folder = self.folder / "out"
        self._run(model, [*options, "--out", folder])
        with open(folder / f"{table}.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))
