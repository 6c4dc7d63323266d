"""Executors of a sweep: threads, processes, clusters. The frame is the same with all of them."""

import os
import shutil
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import mm1
import pytest
from test_ranks import ROOT_MAY

import anachron as an
from anachron import _job

pandas = pytest.importorskip("pandas")
GRID = {"service": [0.5, 0.7]}
OPTIONS = {"replications": 3, "customers": 200}


@pytest.fixture(scope="module")
def expected():
    return an.sweep(mm1.model, GRID, runs=True, **OPTIONS).drop(columns="wall_s")


def same(frame, expected):
    pandas.testing.assert_frame_equal(frame.drop(columns="wall_s"), expected)


def test_threads_of_the_caller(expected):
    with ThreadPoolExecutor(3) as pool:
        same(an.sweep(mm1.model, GRID, runs=True, executor=pool, **OPTIONS), expected)


def test_processes_and_the_file_of_their_caller(expected, tmp_path):
    file = tmp_path / "runs.jsonl"
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        first = an.sweep(mm1.model, [{"service": 0.5}], runs=True, executor=pool, file=file, **OPTIONS)
        assert len(first) == len(file.read_text().splitlines()) == 3
        same(an.sweep(mm1.model, GRID, runs=True, executor=pool, file=file, **OPTIONS), expected)
        assert len(file.read_text().splitlines()) == 6
        precise = an.sweep(mm1.model, GRID, precision=0.3, executor=pool, customers=200)
    pandas.testing.assert_frame_equal(precise, an.sweep(mm1.model, GRID, precision=0.3, workers=1, customers=200))


def test_errors_come_back_from_processes():
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        frame = an.sweep("phold", {"lps": [0, 4]}, 2, executor=pool, errors="keep", until=5)
        with pytest.raises(an.SweepError, match=r"2 of 4 runs failed, first the one of lps=0, seed=1: lps: '0' is not valid"):
            an.sweep("phold", {"lps": [4, 0]}, 2, executor=pool, until=5)
    assert frame["error"][0].startswith("2 of 2 runs failed: ") and frame["error"].isna()[1:].all()


def test_a_pool_that_breaks_fails_its_runs():
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        pool.submit(time.sleep, 0).result()
        for process in pool._processes.values():
            process.kill()
        frame = an.sweep("phold", {"lps": [4]}, 2, executor=pool, errors="keep", runs=True, until=5)
    assert frame["error"].str.contains("terminated abruptly").all()


class Late:
    """An executor whose futures say nothing but their result."""

    class Later:
        def __init__(self, fn, args):
            self._fn, self._args = fn, args

        def result(self):
            return self._fn(*self._args)

        def cancel(self):
            return True

    def submit(self, fn, *args):
        return self.Later(fn, args)


def test_a_future_needs_no_more_than_a_result(expected):
    same(an.sweep(mm1.model, GRID, runs=True, executor=Late(), **OPTIONS), expected)
    precise = an.sweep(mm1.model, GRID, precision=0.3, executor=Late(), workers=4, customers=200)
    pandas.testing.assert_frame_equal(precise, an.sweep(mm1.model, GRID, precision=0.3, customers=200))


def test_loky(expected):
    loky = pytest.importorskip("joblib.externals.loky")
    pool = loky.get_reusable_executor(max_workers=2)
    try:
        same(an.sweep(mm1.model, GRID, runs=True, executor=pool, **OPTIONS), expected)
    finally:
        pool.shutdown()


def test_dask(expected):
    distributed = pytest.importorskip("distributed")
    cluster = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with distributed.Client(**cluster) as client:
        pool = client.get_executor()
        same(an.sweep(mm1.model, GRID, runs=True, executor=pool, **OPTIONS), expected)
        precise = an.sweep(mm1.model, GRID, precision=0.3, executor=pool, workers=2, customers=200)
    pandas.testing.assert_frame_equal(precise, an.sweep(mm1.model, GRID, precision=0.3, customers=200))


@pytest.mark.parametrize("how", [("1", ()), ("3", ("-m", "mpi4py.futures"))], ids=["spawned", "started"])
def test_mpi(how, tmp_path):
    """Processes that mpi4py or mpirun starts: one has the script, the others make runs."""
    pytest.importorskip("mpi4py.MPI", reason="mpi4py is not installed, or there is no MPI", exc_type=ImportError)
    if shutil.which("mpirun") is None:
        pytest.skip("there is no mpirun")
    script, n, start = tmp_path / "sweep.py", *how
    script.write_text(
        textwrap.dedent("""
        import sys
        import anachron as an
        from mpi4py.futures import MPIPoolExecutor

        if __name__ == "__main__":
            with MPIPoolExecutor(2) as pool:
                frame = an.sweep("phold", {"lps": [4, 8]}, 2, executor=pool, runs=True, until=5)
            print(*frame["digest"])
        """)
    )
    words = ["mpirun", "-n", n, sys.executable, *start, script]
    env = {**os.environ, **ROOT_MAY, "PYTHONPATH": str(Path(an.__file__).parents[1])}
    env.pop("OMPI_MCA_btl")  # processes that are spawned need another one
    ran = subprocess.run(words, capture_output=True, text=True, check=False, timeout=120, env=env)
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.split() == an.sweep("phold", {"lps": [4, 8]}, 2, runs=True, until=5)["digest"].tolist()


def test_a_model_travels_once():
    work = _job.Work("phold", {"until": 5})
    make, (data, caller) = work.__reduce__()
    assert make(data, caller) is make(bytes(bytearray(data)), caller) and work.__reduce__()[1][0] is data


def test_ctrl_c_cancels_what_has_not_begun(monkeypatch):
    made, ended = [], []

    def run(_model, *, seed, progress, **_options):
        made.append(seed)
        if seed == 2:
            time.sleep(0.1)  # until the caller waits
            signal.pthread_kill(threading.main_thread().ident, signal.SIGINT)
        while not progress({}):
            time.sleep(0.01)
        ended.append(seed)
        raise an.InputError("it was stopped")

    monkeypatch.setattr(_job, "run_once", run)
    with pytest.raises(KeyboardInterrupt):
        an.sweep("phold", {"lps": [4]}, replications=100, workers=2)
    assert len(made) == 2 and sorted(ended) == sorted(made)


def test_futures_of_foreign_executors_are_cancelled(monkeypatch):
    begun = []

    class Never:
        def submit(self, _fn, *_args):
            begun.append(Future())
            if len(begun) == 5:
                raise KeyboardInterrupt
            return begun[-1]

    with pytest.raises(KeyboardInterrupt):
        an.sweep("phold", {"lps": [4]}, replications=100, executor=Never())
    assert len(begun) == 5 and all(future.cancelled() for future in begun[:4])


def test_a_bar_of_progress():
    pytest.importorskip("tqdm")
    code = "import anachron as an; an.sweep('phold', {'lps': [4, 8]}, 2, until=5, progress=True)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "runs: " in ran.stderr and "/4.00" in ran.stderr
    quiet = subprocess.run([sys.executable, "-c", code.replace("True", "None")], capture_output=True, text=True, check=True)
    assert quiet.stderr == "", "this is no terminal"
