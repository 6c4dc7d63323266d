"""Runs over ranks that mpirun has started: each rank gets the report of all of them."""

import ctypes
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import office
import pytest
import test_broadcasts
import test_containers
import test_processes
import test_texts

import anachron as an

ROOT_MAY = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_hwloc_base_binding_policy": "none",
    "OMPI_MCA_btl": "self,vader",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
    "PRTE_MCA_hwloc_default_binding_policy": "none",
}
UNTIL = 12


def mpirun(*words, ranks=2):
    if not an._native.native.has_mpi() or not shutil.which("mpirun"):
        pytest.skip("the library is without MPI, or there is no mpirun")
    python = [sys.executable, *map(str, words)]
    return subprocess.run(
        ["mpirun", "-n", str(ranks), *python],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **ROOT_MAY, "PYTHONPATH": f"{Path(__file__).parent}:{os.environ.get('PYTHONPATH', '')}"},
        timeout=300,
    )


def test_over_ranks_it_is_the_same_run(tmp_path):
    cases = {
        "compiled": {"until": UNTIL},
        "interpreted": {"until": UNTIL, "compile": False},
        "fails": {"until": UNTIL, "fail_at": 5.0},
        "sequential": {"until": UNTIL, "sync": "sequential"},
    }
    if not an._native.native.has_mpi():
        pytest.skip("the library is without MPI")
    # First here, so that ranks find the compiled models in the cache.
    expected = office.make_model().run(until=UNTIL, sync="sequential")
    members = an.Model(test_broadcasts.Member, params=test_broadcasts.Params, shared=test_broadcasts.shared())
    broadcasts = members.run(until=6, sync="sequential").digest
    phold = an.run("phold", lps=64, until=10).digest
    bank = test_processes.make_model().run(lps=12, until=20, sync="sequential")
    depot = an.Model(test_containers.Depot, params=test_containers.Params).run(lps=8, until=20, sync="sequential")
    letters = an.Model(test_texts.House, params=test_texts.Params).run(lps=8, until=20, sync="sequential")
    ran = mpirun(Path(__file__).with_name("over_ranks.py"), json.dumps(cases), tmp_path)
    assert ran.returncode == 0, ran.stderr
    each = [json.loads(file.read_text()) for file in tmp_path.glob("*.json")]
    assert len(each) == 2 and each[0] == each[1]
    found = each[0]
    assert found["collectives"] == [
        2,
        [{"name": ""}, {"name": "x" * 40_000}],
        7,
        1.0 / 3 + 1e-20 / 3,
        "from 01",
        ["from ", "from 0"],
    ]
    late = [list(late) for late in bank.states(test_processes.Bank)["late"]]
    assert found["bank"] == [bank.digest, bank["served"], late] and any(late)
    stock = [sorted(map(list, stock.items())) for stock in depot.states(test_containers.Depot)["stock"]]
    assert found["letters"] == [letters.digest, letters.states(test_texts.House)["last"].tolist()]
    assert found["depot"] == [depot.digest, stock]
    assert found["phold"] == [phold, 2] and found["broadcasts"] == broadcasts

    rows = expected.tables.columns("Late")
    assert len(rows["lp"]) > 20
    states = [int(expected.states(lp).view("u1").astype("u8").sum()) for lp in (office.Hub, office.Office)]
    wanted = [expected.digest, expected.results, states, [values.tolist() for values in rows.values()]]
    assert found["compiled"] == wanted and found["interpreted"] == wanted
    assert found["fails"][0] == "SimulationError" and "hub 3 is closed" in found["fails"][1]
    assert found["sequential"][0] == "InputError" and "optimistic or conservative on 2 ranks" in found["sequential"][1]


def test_a_script_that_is_alone_is_one_rank():
    ranks = an.ranks()
    assert (ranks.rank, ranks.count) == (0, 1)
    ranks.barrier()
    given = object()  # nothing travels
    assert ranks.gather(given) == [given] and ranks.broadcast(given) is given
    assert ranks.reduce(3, max) == 3
    assert ranks.scan(3, 4, lambda a, b: a + b) == (4, 7)


def test_ranks_with_different_models_are_told(tmp_path):
    script = tmp_path / "different.py"
    script.write_text(
        "import ctypes, sys, office\n"
        "import anachron as an\n"
        "own = ctypes.c_uint32()\n"
        "an._native.native.ranks(ctypes.byref(own))\n"
        "try:\n"
        "    office.make_model(compile=False).run(until=1, workers=1, fail_at=-1.0 - own.value)\n"
        "except an.InputError as error:\n"
        "    sys.stdout.write(f'{error}\\n')\n"
    )
    ran = mpirun(script)
    assert ran.stdout.count("parameters, shared data or handlers") == 2, ran.stdout + ran.stderr


def test_what_runs_in_one_process_says_so(tmp_path):
    script = tmp_path / "alone.py"
    script.write_text(
        "import sys, office\n"
        "import anachron as an\n"
        "model = office.make_model(compile=False)\n"
        "for what in (lambda: an.sweep('phold', {'lps': [4]}, until=5), lambda: model.session()):\n"
        "    try:\n"
        "        what()\n"
        "    except an.InputError as error:\n"
        "        sys.stdout.write(f'{error}\\n')\n"
    )
    ran = mpirun(script)
    assert ran.stdout.count("runs in one process only") == 4, ran.stdout + ran.stderr


def test_a_script_that_fails_on_one_rank_ends_the_others(tmp_path):
    script = tmp_path / "fails.py"
    script.write_text(
        "import ctypes\n"
        "import anachron as an\n"
        "own = ctypes.c_uint32()\n"
        "an._native.native.ranks(ctypes.byref(own))\n"
        "an.run('phold', lps=8, until=5, workers=1)\n"
        "if own.value == 1:\n"
        "    raise RuntimeError('no more')\n"
        "an.run('phold', lps=8, until=5, workers=1)\n"
    )
    ran = mpirun(script)
    assert ran.returncode != 0 and "no more" in ran.stderr


def test_a_library_without_mpi_says_so():
    if an._native.native.has_mpi():
        pytest.skip("the library has MPI")
    code = "import anachron as an; an.run('phold', lps=8, until=5)"
    env = {**os.environ, "OMPI_COMM_WORLD_SIZE": "2", "OMPI_COMM_WORLD_RANK": "0"}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=env)
    assert ran.returncode == 1 and "this build is without MPI" in ran.stderr


def test_alone_there_is_one_rank():
    own = ctypes.c_uint32(7)
    assert an._native.native.ranks(ctypes.byref(own)) == 1 and own.value == 0
