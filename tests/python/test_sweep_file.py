"""A sweep's file keeps runs by all that they depend on: code, defaults, shared data, options."""

import importlib.util
import os
import shutil
import subprocess
import sys
import textwrap

import numpy as np
import pytest

import anachron as an

CODE = """
import anachron as an

STEP = 1
def step():
    return STEP

class Params(an.Params):
    start: int = 0
    by: int = an.param(1, "Added by each tick")

class Tick(an.Event):
    pass

class Counter(an.LP):
    count_: int = 0

    def start(self, cx):
        self.count_ = cx.params.start
        cx.send(cx.self_id, 1.0, Tick())

    @an.on(Tick)
    def tick(self, cx, tick):
        self.count_ += cx.params.by * step()
        cx.send(cx.self_id, 1.0, Tick())

    @staticmethod
    def count(params):
        return 1

    @staticmethod
    def finish(states, params):
        return {"total": states["count_"].sum() + 0}
"""


def model_of(tmp_path, code, **options):
    file = tmp_path / "counter.py"
    file.write_text(textwrap.dedent(code))
    spec = importlib.util.spec_from_file_location("counter", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return an.Model(module.Counter, params=module.Params, until=5, compile=False, **options)


def total(model, file, **options):
    frame = an.sweep(model, {"start": [10]}, replications=1, file=file, runs=True, **options)
    return frame["total"].tolist()


def test_another_code_or_other_defaults_are_another_model(tmp_path):
    file = tmp_path / "runs.jsonl"
    assert total(model_of(tmp_path, CODE), file) == [14]
    lines = len(file.read_text().splitlines())
    assert total(model_of(tmp_path, CODE), file) == [14]
    assert len(file.read_text().splitlines()) == lines, "it was not made again"
    for before, after, expected in [
        ("self.count_ += cx", "self.count_ -= cx", [6]),  # a handler
        ("STEP = 1", "STEP = 2", [18]),  # a constant
        ("return STEP", "return STEP + 4", [30]),  # a function that a handler calls
        ("an.param(1,", "an.param(3,", [22]),  # a default
        ('.sum() + 0', '.sum() + 1', [15]),  # what finish makes of it
    ]:
        assert before in CODE
        assert total(model_of(tmp_path, CODE.replace(before, after)), file) == expected
    model = model_of(tmp_path, CODE)
    model.until = 7
    assert total(model, file) == [16]
    assert total(model_of(tmp_path, CODE), file) == [14]


def test_shared_data_are_part_of_a_run(tmp_path):
    file = tmp_path / "runs.jsonl"
    code = CODE.replace("cx.params.by * step()", "cx.shared.steps[0]")
    model = model_of(tmp_path, code, shared={"steps": np.array([2])})
    assert total(model, file) == [18]
    assert total(model, file, shared={"steps": np.array([5])}) == [30]
    assert total(model, file, shared={"steps": np.array([2])}) == [18]
    assert len(file.read_text().splitlines()) == 2
    made = model_of(tmp_path, code, shared=lambda params: {"steps": np.array([params.start])})
    assert total(made, file) == [50]


def test_what_has_no_contents_is_refused(tmp_path):
    code = CODE.replace("STEP = 1", "class Odd:\n    step = 1\nODD = Odd()").replace("return STEP", "return ODD.step")
    with pytest.raises(an.InputError, match="of which a sweep's file cannot keep what it was"):
        total(model_of(tmp_path, code), tmp_path / "runs.jsonl")
    assert total(model_of(tmp_path, code), None) == [14]


def test_what_is_in_an_input_file_counts(tmp_path):
    edges, file = tmp_path / "edges.txt", tmp_path / "runs.jsonl"

    def nodes():
        frame = an.sweep("epidemic", {"infected": [1]}, replications=1, file=file, runs=True, network=str(edges), until=5)
        return frame["digest"].tolist()

    edges.write_text("0 1\n1 2\n")
    first = nodes()
    assert nodes() == first and len(file.read_text().splitlines()) == 1
    edges.write_text("0 1\n1 2\n2 3\n3 4\n")
    nodes()
    assert len(file.read_text().splitlines()) == 2


SWEEP = """
import sys
import anachron as an
an.sweep("phold", {"lps": [4]}, replications=1, until=5, file=sys.argv[1])
"""


def test_another_build_of_the_library_is_another_model(tmp_path):
    """Also with the version of the one before."""
    library, file = tmp_path / "lib.so", tmp_path / "runs.jsonl"

    def runs_after_a_sweep():
        env = {**os.environ, "ANACHRON_LIBRARY": str(library)}
        subprocess.run([sys.executable, "-c", SWEEP, file], check=True, env=env)
        return len(file.read_text().splitlines())

    shutil.copy(an._native.library_file, library)
    assert runs_after_a_sweep() == 1
    assert runs_after_a_sweep() == 1, "the same library, loaded again"
    with library.open("ab") as out:
        out.write(b"\0")  # behind all that is loaded
    assert runs_after_a_sweep() == 2


def test_a_library_that_was_replaced_under_a_process_is_an_error(tmp_path):
    library = tmp_path / "lib.so"
    shutil.copy(an._native.library_file, library)
    code = (
        "import os, pathlib, shutil, anachron as an\n"
        "library = an._native.library_file\n"
        "shutil.copy(library, f'{library}.new')\n"
        "os.replace(f'{library}.new', library)\n" + SWEEP
    )
    env = {**os.environ, "ANACHRON_LIBRARY": str(library)}
    words = [sys.executable, "-c", code, tmp_path / "runs.jsonl"]
    ran = subprocess.run(words, capture_output=True, text=True, check=False, env=env)
    assert ran.returncode == 1 and "lib.so was replaced while this process runs" in ran.stderr


def test_shared_is_no_part_of_a_grid():
    with pytest.raises(an.InputError, match="^grid: shared is no part of a grid"):
        an.sweep("phold", [{"shared": {}}])
