"""A report is shown in notebooks, pickled and copied."""

import copy
import pickle

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
