"""Every documented feature, compiled and interpreted, is the same run."""

import inspect
import re
from pathlib import Path

import everything
import numpy as np
import pytest

from anachron._native import RNG

PAGE = (Path(__file__).parents[2] / "docs/reference/python-models.md").read_text()


def test_the_model_uses_all_that_is_documented():
    source = inspect.getsource(everything)
    page = PAGE[PAGE.index("## Fields") : PAGE.index("## What is called once per run")]
    documented = set(re.findall(r"\bcx\.(?:rng\.)?[a-z_]+", page)) | set(re.findall(r"\ban\.[A-Za-z]\w+", page))
    known = {name.replace("cx.rng.", "rng.") for name in documented} - {"an.Context"}
    known |= {f"rng.{name}" for name in RNG} - {"rng.uniform_in"}
    unused = sorted(name for name in known if not re.search(re.escape(name) + r"\b", source))
    assert unused == []


def assert_equal(a, b):
    """Without the gaps between the fields."""
    for name in a.dtype.names or ():
        assert_equal(a[name], b[name])
    if not a.dtype.names:
        assert np.ascontiguousarray(a).tobytes() == np.ascontiguousarray(b).tobytes()


@pytest.mark.parametrize("options", [{}, {"stop_at": 6.0}, {"hubs": 9}], ids=str)
def test_both_ways_are_the_same_run(options, capsys):
    model = everything.make_model()
    runs = []
    for mode in (
        {"sync": "sequential"},
        {"workers": 2, "mapping": "fixed"},
        {"compile": False, "sync": "sequential"},
        {"compile": False, "workers": 2, "pes": 3},
    ):
        if options.get("hubs"):
            mode = mode | {"rollback": "copy"}  # the undo is written for 6 hubs
        runs.append((model.run(**options, **mode), capsys.readouterr().out))
    first, printed = runs[0]
    assert first.committed > 200 and first.ending == ("stopped" if "stop_at" in options else "finished")
    for report, lines in runs[1:]:
        assert report.digest == first.digest and report.results == first.results and lines == printed
        for lp in (everything.Hub, everything.Office):
            for name in first.states(lp).dtype.names:
                assert_equal(report.states(lp)[name], first.states(lp)[name])
        for name in first.tables:
            for column, values in first.tables.columns(name).items():
                np.testing.assert_array_equal(report.tables.columns(name)[column], values)
