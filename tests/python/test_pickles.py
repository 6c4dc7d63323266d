"""Models and reports in other processes."""

import copy
import pickle
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import office
import pytest

import anachron as an

UNTIL = 6


def digest_of(model, seed):
    return model.run(until=UNTIL, sync="sequential", seed=seed).digest


@pytest.fixture(scope="module")
def model():
    return office.make_model()


def test_a_model_is_the_same_behind_a_pickle(model):
    again = pickle.loads(pickle.dumps(model))
    assert again.name == model.name and again.lps == model.lps
    assert digest_of(again, 3) == digest_of(model, 3) == digest_of(copy.deepcopy(model), 3) == digest_of(copy.copy(model), 3)
    interpreted = pickle.loads(pickle.dumps(office.make_model(compile=False)))
    assert not interpreted.compile and digest_of(interpreted, 3) == digest_of(model, 3)


@pytest.mark.parametrize("how", ["fork", "forkserver", "spawn"])
def test_pools_of_processes_run_models(model, how):
    expected = [digest_of(model, seed) for seed in (1, 2, 3)]
    with ProcessPoolExecutor(2, mp_context=get_context(how)) as pool:
        assert list(pool.map(digest_of, [model] * 3, (1, 2, 3))) == expected
        report = pool.submit(model.run, until=UNTIL, sync="sequential", seed=1).result()
    assert report.digest == expected[0] and len(report.tables["Late"]) > 0
    assert report.states(office.Hub).shape == model.run(until=UNTIL, sync="sequential", seed=1).states(office.Hub).shape


def test_joblib_runs_models(model):
    joblib = pytest.importorskip("joblib")
    runs = joblib.Parallel(n_jobs=2)(joblib.delayed(digest_of)(model, seed) for seed in (1, 2))
    assert runs == [digest_of(model, 1), digest_of(model, 2)]


def test_dask_runs_models(model):
    """In processes of their own, which import the model's module."""
    dask = pytest.importorskip("dask")
    runs = dask.compute(*(dask.delayed(digest_of)(model, seed) for seed in (1, 2)), scheduler="processes")
    assert list(runs) == [digest_of(model, 1), digest_of(model, 2)]


def test_the_end_of_a_program_is_quiet(tmp_path):
    script = tmp_path / "ends.py"
    script.write_text(
        "import office\n"
        "model = office.make_model(compile=False)\n"
        "session = model.session()\n"
        "session.run_until(1)\n"
        "report = model.run(until=1)\n"
    )
    ran = subprocess.run(
        [sys.executable, script],
        capture_output=True,
        text=True,
        check=False,
        env={**__import__("os").environ, "PYTHONPATH": f"{Path(__file__).parent}:{__import__('os').environ.get('PYTHONPATH', '')}"},
    )
    assert ran.returncode == 0 and ran.stderr == ""


def test_an_error_is_one_behind_a_pickle():
    try:
        an.run("phold", lps=0)
    except an.InputError as error:
        assert str(pickle.loads(pickle.dumps(error))) == str(error)


MODEL = """
import anachron as an

class Tick(an.Event):
    pass

class Counter(an.LP):
    count_: int = 0

    def start(self, cx):
        cx.send(cx.self_id, 1.0, Tick())

    @an.on(Tick)
    def tick(self, cx, tick):
        self.count_ += cx.rng.below(10)
        cx.send(cx.self_id, 1.0, Tick())

model = an.Model(Counter, until=5)
"""
POOLS = """
import copy
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

digest = model.run(lps=3, sync="sequential").digest
assert copy.deepcopy(model).run(lps=3, sync="sequential").digest == digest
for how in ("fork", "spawn", "forkserver"):
    with ProcessPoolExecutor(1, mp_context=get_context(how)) as pool:
        try:
            print(how, pool.submit(model.run, lps=3, sync="sequential").result().digest == digest)
        except an.InputError as error:
            print(how, error)
"""


def test_a_model_of_a_notebooks_cell_runs_in_forked_processes_and_says_so_in_others():
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    cells = [nbformat.v4.new_code_cell(source) for source in (MODEL, POOLS)]
    notebook = nbformat.v4.new_notebook(cells=cells)
    nbclient.NotebookClient(notebook, kernel_name="python3", timeout=300).execute()
    forked, *others = "".join(output.text for output in cells[1].outputs if output.get("name") == "stdout").splitlines()
    assert forked == "fork True"
    assert [line.split()[0] for line in others] == ["spawn", "forkserver"]
    for line in others:
        assert "the model counter was made in a notebook or at a prompt" in line and "'Counter'" in line
        assert "put them into a module" in line
