"""The models of docs/start and docs/tutorials find what theory says, and the same in every mode."""

import math
import subprocess

import pytest

import anachron as an
from anachron import _native

MODES = [
    {"sync": "optimistic", "workers": 2, "mapping": "fixed"},
    {"sync": "sequential", "check_rollback": True},
    {"sync": "sequential", "compile": False},
]


def check_modes(model, **options):
    """Returns the report of a sequential run, which those of all modes equal."""
    expected = model.run(sync="sequential", **options)
    for mode in MODES:
        report = model.run(**options, **mode)
        assert (report.digest, report.results) == (expected.digest, expected.results)
    return expected


def share_reached(calls, at_first=0.0, reachable=1.0):
    """The part of a large town that is reached at last, if each reached person calls so many others on average."""
    share = 1.0
    for _ in range(1000):
        share = at_first + reachable * (1 - math.exp(-calls * share))
    return share


def test_rumour():
    import rumour

    check_modes(rumour.model, persons=1000)
    report = rumour.model.run()
    assert report["know_it"] / 100_000 == pytest.approx(share_reached(2), abs=0.01)
    program = _native.library_file.absolute().parent.parent / "bin" / "example_rumour"
    if not program.exists():
        pytest.skip(f"{program} is not built")
    ran = subprocess.run([program, "--sync", "sequential"], capture_output=True, text=True, check=True)
    assert report.digest in ran.stdout


def test_packets_in_a_ring():
    from ring import model

    check_modes(model, load=0.7, until=200)
    conservative, sequential = (model.run(sync=sync, load=0.7, until=2000) for sync in ("conservative", "sequential"))
    assert conservative.digest == sequential.digest
    assert model.run(load=0.0001, until=50_000)["slowdown"]["mean"] == pytest.approx(1)
    overloaded = model.run(load=1.1, room=2, until=5000)
    assert 0.01 < overloaded["dropped"] < 0.1 and 1 < overloaded["slowdown"]["mean"] < 2


def test_clinics():
    from clinic import model
    from queue_network import erlang_wait

    check_modes(model, until=60, clinics=5, urgent=0.3, again=0.5)
    figures = {"urgent": 0.2, "warm_up": 1000, "until": 20_000}
    wait = erlang_wait(3, 1 / 6.25, 15)
    report = model.run(**figures)
    assert report["urgent"]["mean"] == pytest.approx(wait * 0.2 / (1 - 0.16), rel=0.05)
    assert report["normal"]["mean"] == pytest.approx(wait / (1 - 0.16), rel=0.1)
    assert report["busy"]["mean"] == pytest.approx(2.4, rel=0.02)


def test_vaccination():
    import vaccination

    check_modes(vaccination.model, persons=1000, vaccinated=0.2)
    report = vaccination.model.run()
    assert report["infected"] / 20_000 == pytest.approx(share_reached(2, 0.001, 0.999), abs=0.02)
    assert report.tables["by_week"]["infected"].sum() == report["infected"]
    mean, half_width = vaccination.prevented(seed_of_second=1)
    theory = 20_000 * (share_reached(2, 0.001, 0.999 * 0.7) - share_reached(2, 0.001, 0.999 * 0.65))
    assert abs(mean - theory) < 2 * half_width
    assert half_width < 0.7 * vaccination.prevented(seed_of_second=1001)[1]
