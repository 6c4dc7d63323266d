"""Animations of runs and of networks: an.animate and anachron.plot.animation."""

import base64
import json
import re
import sys
from html.parser import HTMLParser

import numpy as np
import pandas
import pytest

import anachron as an
from anachron import plot

PLACES = [(0, 0), (1, 0), (1, 1), (0, 1)]
LINKS = pandas.DataFrame({"from": [0, 1, 2], "to": [1, 2, 3]})


class Seen(an.Row):
    heat: float


class Cold(an.Row):
    place: int


class Tick(an.Event):
    pass


class Stove(an.LP):
    heat: float = 0.0

    def start(self, cx):
        cx.send(cx.self_id, 0.5 + cx.index, Tick())

    @an.on(Tick)
    def tick(self, cx):
        self.heat += 1
        cx.record(Seen(self.heat))
        cx.send(cx.self_id, 1.0, Tick())


class Page(HTMLParser):
    """What is in a page: the text of each element with an id, and all that it would load."""

    def __init__(self, text):
        super().__init__()
        self.open, self.texts, self.attributes, self.loads = [], {}, {}, []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attributes):
        of = dict(attributes)
        self.loads += [value for name, value in attributes if name in ("src", "href")]
        self.attributes[of.get("id", tag)] = of
        if tag not in ("meta", "input"):
            self.open.append((tag, of.get("id", tag)))

    def handle_endtag(self, tag):
        assert self.open.pop()[0] == tag

    def handle_data(self, text):
        if self.open:
            self.texts[self.open[-1][1]] = self.texts.get(self.open[-1][1], "") + text


def frames_of(page):
    data = json.loads(page.texts["data"])
    return data, np.array([np.frombuffer(base64.b64decode(frame), np.uint8) for frame in data["frames"]])


@pytest.fixture(scope="module")
def city():
    return an.run("traffic", city="6x6", departures="peak", until=600)


def test_a_page_has_the_frames_and_loads_nothing(tmp_path):
    values = [[0, 5, 10], [10, np.nan, 0]]
    made = plot.animation(LINKS, PLACES, values, ["early", "late"], title="a < b", label="cars & more")
    made.save(tmp_path / "a.html")
    text = (tmp_path / "a.html").read_text(encoding="utf-8")
    page = Page(text)
    assert page.loads == [] and "://" not in text and "url(" not in text and "@import" not in text
    data, levels = frames_of(page)
    assert levels.tolist() == [[1, 128, 255], [255, 0, 1]]
    assert data["times"] == ["early", "late"] and len(data["lines"]) == 12
    assert min(data["lines"]) >= 0 and data["width"] <= 10_000 >= data["height"]
    assert page.texts["title"] == "a < b" and page.attributes["slider"]["max"] == "1"
    assert page.attributes["slider"]["type"] == "range" and page.texts["play"] == "Play"
    assert "prefers-color-scheme: dark" in text and "cars &amp; more" in text and not re.search("@[A-Z]+@", text)


def test_a_notebook_shows_the_page_in_a_frame():
    made = plot.animation(None, PLACES, [[1, 2, 3, 4]], at="nodes")
    frame = Page(made._repr_html_()).attributes["iframe"]
    assert frame["sandbox"] == "allow-scripts" and frame["srcdoc"] == made.html()
    assert repr(made) == "<animation of 1 frames of 4 nodes: values>"


@pytest.mark.parametrize("at", ["links", "nodes"])
def test_a_gif_has_the_frames(tmp_path, at):
    pytest.importorskip("matplotlib")
    image = pytest.importorskip("PIL.Image")
    values = np.arange(3 * (3 if at == "links" else 4)).reshape(3, -1)
    plot.animation(LINKS, PLACES, values, at=at).save(tmp_path / "a.gif")
    with image.open(tmp_path / "a.gif") as gif:
        assert gif.format == "GIF" and gif.n_frames == 3


def test_without_matplotlib_a_sentence_says_what_to_install(tmp_path, monkeypatch):
    made = plot.animation(LINKS, PLACES, [[1, 2, 3]])
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    made.save(tmp_path / "a.html")
    with pytest.raises(ImportError, match=r"pip install anachron\[plot\]"):
        made.save(tmp_path / "a.gif")


def test_the_listing_of_the_documentation(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    report = an.run("traffic", city="16x16", departures="peak")
    an.animate(report, "city.html", frames=40)
    assert len(frames_of(Page((tmp_path / "city.html").read_text()))[1]) == 40


def test_traffic_is_shown_by_intervals(city, tmp_path):
    picture = an.animate(city, tmp_path / "city.html", frames=5, show="flow")
    links = city.tables["links"]
    _, levels = frames_of(Page((tmp_path / "city.html").read_text()))
    assert levels.shape == (5, len(links)) == picture.values.shape
    end = float(picture.times[-1].split()[2])
    assert end == pytest.approx(an.run("traffic", city="6x6", departures="peak").end_time, rel=1e-3)
    entered = picture.values.sum(axis=0) * end / 5 / 60
    np.testing.assert_allclose(entered, links["entered"], rtol=1e-3)
    until = an.run("traffic", city="6x6", departures="peak", until=end * 2 / 5).tables["links"]["entered"]
    np.testing.assert_allclose(picture.values[:2].sum(axis=0) * end / 5 / 60, until, atol=1)
    ratio = an.animate(city, frames=5)
    np.testing.assert_allclose(ratio.values * links["capacity"].to_numpy(), picture.values)


def test_rows_of_a_model_are_shown_at_its_nodes():
    model = an.Model(Stove, rows=[Seen])
    report = model.run(lps=4, until=4)
    newest = an.animate(report, table="Seen", value="heat", nodes=PLACES, links=LINKS, frames=4)
    assert newest.times[-1] == "3 to 4" and newest.label == "heat"
    expected = [[1, np.nan, np.nan, np.nan], [2, 1, np.nan, np.nan], [3, 2, 1, np.nan], [4, 3, 2, 1]]
    np.testing.assert_array_equal(newest.values, expected)
    counts = an.animate(report, table="Seen", nodes=PLACES, frames=2)
    assert counts.values.tolist() == [[2, 1, 0, 0], [2, 2, 2, 1]]
    on_links = an.animate(an.Model(Stove, rows=[Seen]).run(lps=3, until=4), table="Seen", at="links", nodes=PLACES, links=LINKS)
    assert on_links.values.shape == (30, 3)


def test_a_report_alone_is_enough():
    """The only table over time, and nodes in rows."""
    report = an.Model(Stove, rows=[Seen]).run(lps=5, until=4)
    made = an.animate(report, frames=2)
    assert made.values.tolist() == an.animate(report, table="Seen", nodes=np.zeros((5, 2)), frames=2).values.tolist()
    assert made._points.tolist() == [[0, 0], [1, 0], [2, 0], [0, -1], [1, -1]]
    assert made.title == "Run of stove" and "Seen in the interval" in made.html()
    linked = an.animate(report, links=pandas.DataFrame({"from": [0, 5], "to": [1, 6]}), frames=2)
    assert linked._lines.shape == (2, 4) and linked.values.shape == (2, 7)


def test_traffic_without_coordinates_is_on_a_circle(tmp_path):
    network = "<NUMBER OF NODES> 3\n<NUMBER OF LINKS> 3\n<FIRST THRU NODE> 1\n<NUMBER OF ZONES> 3\n<END OF METADATA>\n"
    for a, b in ((1, 2), (2, 3), (3, 1)):
        network += f"{a} {b} 1000 1.0 1.0 0.15 4 0 0 1 ;\n"
    (tmp_path / "net.tntp").write_text(network)
    trips = "<NUMBER OF ZONES> 3\n<TOTAL OD FLOW> 60\n<END OF METADATA>\nOrigin 1\n 2 : 30; 3 : 30;\n"
    (tmp_path / "trips.tntp").write_text(trips)
    report = an.run("traffic", network=tmp_path / "net.tntp", trips=tmp_path / "trips.tntp", until=60)
    made = an.animate(report, frames=3)
    assert made.values.shape == (3, 3) and np.isfinite(made.values).all()
    assert len(np.unique(made._lines.round(6), axis=0)) == 3 and "://" not in made.html()


def test_mistakes_are_named(city, tmp_path):
    report = an.Model(Stove, rows=[Seen], compile=False).run(lps=4, until=4)
    both = an.Model(Stove, rows=[Seen, Cold], compile=False).run(lps=4, until=4)
    wrong = {
        r"file: '.*a.mp4' is not valid: expected a name that ends in .gif or .html": dict(report=city, file=tmp_path / "a.mp4"),
        "show: 'speed' is not valid: expected 'ratio' or 'flow'": dict(report=city, show="speed"),
        "frames: 0 is not valid": dict(report=city, frames=0),
        r"fps: 0 is not valid": dict(report=report, table="Seen", nodes=PLACES, fps=0),
        r"table: say which has the rows of stove over time \(there are: Seen, Cold\)": dict(report=both),
        r"table: say which has the rows of phold over time": dict(report=an.run("phold", lps=4, until=2)),
        r"table: there is no 'Lost' \(there are: Seen\)": dict(report=report, table="Lost"),
        r"value: the table 'Seen' has no column 'cold' \(it has: time, lp, heat\)": dict(report=report, table="Seen", value="cold"),
        "links: there are none": dict(report=report, table="Seen", at="links", nodes=PLACES),
        "at: 'roads' is not valid: expected 'links' or 'nodes'": dict(report=report, table="Seen", at="roads", nodes=PLACES),
        "'lp' of the table 'Seen' has 2, which is not among the 2 nodes": dict(report=report, table="Seen", nodes=PLACES[:2]),
    }
    for text, options in wrong.items():
        with pytest.raises(an.InputError, match=text):
            an.animate(**options)
    with pytest.raises(TypeError, match="expected a report"):
        an.animate("traffic")
    wrong = {
        r"values: expected rows of 3 numbers, one for each of `links`": (LINKS, PLACES, [[1, 2]]),
        r"times: expected 1, one for each row": (LINKS, PLACES, [[1, 2, 3]], [1, 2]),
        r"links: 'to' has the node 3, which is not among the 3 of `nodes`": (LINKS, PLACES[:3], [[1, 2, 3]]),
        r"links: there is no column 'from_x' \(there are: from, to\); or give `nodes`": (LINKS, None, [[1, 2, 3]]),
        r"nodes: expected a row of x and y for each node": (LINKS, [1, 2, 3], [[1, 2, 3]]),
    }
    for text, arguments in wrong.items():
        with pytest.raises(an.InputError, match=text):
            plot.animation(*arguments)
