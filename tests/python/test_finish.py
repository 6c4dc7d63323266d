"""What `finish` returns is checked, with the name of what is wrong."""

import numpy as np
import pytest

import anachron as an


class Tick(an.Event):
    pass


def model_that_returns(returned):
    class Clock(an.LP):
        ticks: int = 0

        def start(self, cx):
            cx.send(cx.self_id, 1.0, Tick())

        @an.on(Tick)
        def tick(self, cx, tick):
            self.ticks += 1

        @staticmethod
        def count(params):
            return 3

        @staticmethod
        def finish(states, params):
            return returned

    return an.Model(Clock, until=5, compile=False)


def test_figures_and_tables():
    table = {"number": [1, 2], "name": ["a", "b"], "value": np.array([0.5, 1.5])}
    report = model_that_returns(
        {"a": 1, "b": np.float64(0.5), "c": "text", "d": np.array(3), "e": True, "rows": table, "none": {}}
    ).run(sync="sequential")
    assert report.results == {"a": 1, "b": 0.5, "c": "text", "d": 3, "e": True}
    assert {name: list(values) for name, values in report.tables.columns("rows").items()} == {
        "number": [1, 2], "name": ["a", "b"], "value": [0.5, 1.5],
    }  # fmt: skip
    assert model_that_returns(None).run().results == {}


@pytest.mark.parametrize(
    "returned, said",
    [
        (7, "Clock.finish returned a int, 7: expected a dictionary of figures and tables by name"),
        (np.zeros(3), "Clock.finish returned an array of shape"),
        ({"waits": np.zeros(3)}, "Clock.finish: 'waits' is an array of shape .*; a table is a dictionary of columns"),
        ({"waits": [1, 2]}, "Clock.finish: 'waits' is a list"),
        ({"waits": object()}, "Clock.finish: 'waits' is a object"),
        ({3: 1}, "Clock.finish returned a figure called 3: expected a text"),
        ({"t": {"a": [1, 2], "b": [1]}}, "table 't': expected columns of one length: 'a' has 2, 'b' has 1"),
        ({"t": {"a": [[1, 2], [3, 4]]}}, "table 't': column 'a' is a list"),
        ({"t": {"a": [[1, 2], [3]]}}, "table 't': column 'a' is a list"),
        ({"t": {"a": 1}}, "table 't': column 'a' is a int"),
        ({"t": {"a": {"b": [1]}}}, "table 't': column 'a' is a table itself"),
    ],
)
def test_others_are_refused(returned, said):
    with pytest.raises(an.InputError, match=said) as refused:
        model_that_returns(returned).run(sync="sequential")
    assert refused.value.report.committed == 3, "the run is not lost"


def test_a_report_has_forms():
    model = model_that_returns({"late": 3, "mean_wait": 0.25, "rate": 7})
    report = model.run(sync="sequential")
    lines = str(report).splitlines()
    assert any(line.split() == ["digest", report.digest] for line in lines)
    assert any(line.split() == ["late", "3"] for line in lines)
    assert any(line.split() == ["mean_wait", "0.25"] for line in lines)
    assert any(line.split() == ["rate", "7"] for line in lines), "a row of the table has this name, too"
    assert repr(model).startswith("<model clock of Clock") and "<table>" in model._repr_html_()
    session = model.session(sync="sequential")
    session.run_until(2)
    assert repr(session) == "<session of clock at 2>" and session._repr_html_() == "<p>session of clock at 2</p>"
    assert str(an.Report.from_json(report.to_json())) == repr(report), "of a file there is no table"
