"""A report is shown in notebooks, pickled and copied."""

import copy
import math
import pickle

import pytest

import anachron as an


def test_the_html_form_has_all_figures_and_escapes_them():
    data = {"model": {"a<b": 1.5}, "ending": "finished", "end_time": 3.0, "committed": 2, "wall_s": 1.0, "digest": "0"}
    report = an.Report(data)
    html = report._repr_html_()
    assert "<th>a&lt;b</th><td>1.5</td>" in html and "a<b" not in html


def test_a_report_is_pickled_and_copied():
    report = an.run("phold", lps=4, until=3)
    for other in (pickle.loads(pickle.dumps(report)), copy.copy(report), copy.deepcopy(report)):
        assert other.to_json() == report.to_json()


def test_two_reports_are_compared():
    these, others = an.run("phold", lps=4, until=3), an.run("phold", lps=4, until=6, seed=2)
    frame = these.compare(others)
    assert list(frame.columns) == ["figure", "this", "other", "difference", "ratio"]
    assert frame.attrs["options"]["until"] == (3.0, 6.0) and frame.attrs["options"]["seed"] == (1, 2)
    assert "lps" not in frame.attrs["options"] and not frame.attrs["same_digest"]
    assert these.compare(these).attrs == {"same_digest": True, "options": {}}


def test_memory_that_no_run_was_given_is_no_option_that_differs():
    """Its default follows what the machine has free."""
    config = {"model_name": "m", "digest": "0", "model": {}, "config": {"seed": 1, "memory": 7}}
    one, two = an.Report(config), an.Report({**config, "config": {"seed": 2, "memory": 8}})
    assert one.compare(two).attrs["options"] == {"seed": (1, 2)}
    given = an.run("phold", lps=4, until=3, memory="1GiB")
    assert given.compare(an.run("phold", lps=4, until=3)).attrs["options"].keys() == {"memory"}
    assert an.run("phold", lps=4, until=3, memory=None).compare(an.run("phold", lps=4, until=3)).attrs["options"] == {}


def test_what_is_no_report_is_not_compared():
    with pytest.raises(an.InputError, match="compare: 3 is no report: expected an an.Report"):
        an.Report({"model_name": "m", "digest": "0", "model": {}}).compare(3)


def test_figures_are_compared_by_name():
    one = an.Report({"model_name": "m", "digest": "0", "model": {"n": 6, "w": {"mean": 1.5, "label": "x"}, "own": 1}})
    two = an.Report({"model_name": "m", "digest": "0", "model": {"n": 4, "w": {"mean": 0.0}, "t": "a text"}})
    rows = one.compare(two).set_index("figure")
    assert list(rows.index) == ["n", "w.mean", "own"]
    assert rows.loc["n", ["difference", "ratio"]].tolist() == [2, 1.5]
    assert rows.loc["w.mean", "difference"] == 1.5 and math.isnan(rows.loc["w.mean", "ratio"])
    assert math.isnan(rows.loc["own", "other"])


def test_reports_of_two_models_are_not_compared():
    with pytest.raises(an.InputError, match="two models, phold and pcs"):
        an.run("phold", lps=4, until=3).compare(an.run("pcs", grid="8x8", until=3))
