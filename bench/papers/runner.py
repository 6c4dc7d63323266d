"""Makes the runs of a figure in turn, checks that they did what their labels say, and tells what they show."""

import csv
import json
import os
import sys
import time
from collections import defaultdict

from papers.achieved import check, check_axis
from papers.claims import UNKNOWN
from papers.numbers import Ratio, mean_with_interval
from papers.plot import svg_plot, without_repetitions

ACHIEVED = ["remote", "regional", "local", "pes", "workers", "ranks", "sync", "mapping", "throttle", "partition", "gvt_rounds", "in_order",
            "comm_thread", "predicted"]


class Digests(Exception):
    """Runs of one model have different digests."""


class Progress:
    """A line that says how far a figure is, and about how long it will take."""

    def __init__(self, name, count):
        self.name, self.count, self.done, self.start, self.made = name, count, 0, time.monotonic(), 0

    def step(self, was_made):
        self.done, self.made = self.done + 1, self.made + was_made
        left = (time.monotonic() - self.start) / max(1, self.made) * (self.count - self.done) / 60
        end = "\r" if sys.stderr.isatty() and self.done < self.count else "\n"
        if sys.stderr.isatty() or self.done == self.count:
            print(f"  {self.name}: run {self.done} of {self.count}" + (f", about {left:.0f} min left" if self.done < self.count else ""),
                  end=end, file=sys.stderr, flush=True)


def turns_of(figures, figure, setting):
    """The first figure that has just these runs: they are made once, in turn, for both."""
    runs = {point.run for point in figure.points(setting)}
    return next(other.name for other in figures if {point.run for point in other.points(setting)} == runs)


def measure(figure, points, machine, store, repetitions, turns):
    """Fills the points' samples. Each turn is in another order, so that none always comes behind the same one. `turns`: of which figure.
    Returns the load averages of the turns in which a run was made."""
    runs = list(dict.fromkeys(point.run for point in points))
    progress = Progress(figure.name, len(runs) * repetitions)
    loads = []
    for repetition in range(repetitions):
        made = progress.made
        for run in runs if repetition % 2 == 0 else runs[::-1]:
            was_made = store.get(turns, run, repetition) is None
            if was_made:
                store.add(turns, run, repetition, machine.sample(run, figure.limit))
            progress.step(was_made)
        if progress.made > made:
            loads.append(os.getloadavg()[0])
    for point in points:
        point.samples = [store.get(turns, point.run, repetition) for repetition in range(repetitions)]
    check_digests(points)
    for point in points:
        if point.run.tool in ("run", "cachegrind"):
            predict(point, machine)
            check(figure, point)
    check_axis(figure, points)
    return loads


def predict(point, machine):
    """Adds the share of events to other PEs that `anachron partition` predicts, where the label has none."""
    label, did = point.label, point.samples[0]["achieved"]
    if label.rounds and label.remote is None and label.regional is None and did["pes"] != 1:
        share = machine.predicted_share(point.run, did)
        for sample in point.samples:
            sample["achieved"]["predicted"] = share


def check_digests(points):
    """All runs of a model have one digest, whatever the engine's options were."""
    digests = defaultdict(set)
    for point in points:
        if not point.run.model:  # no simulation of a model that others run, too
            continue
        digests[tuple(map(str, point.run.model))] |= {s["digest"] for s in point.samples if "digest" in s}
    for model, found in digests.items():
        if len(found) > 1:
            raise Digests(f"{' '.join(model)}: different digests: {', '.join(sorted(found))}")


# What is written.


def shown(value):
    return "" if value is None else f"{value:.5g}" if isinstance(value, float) else str(value)


def columns_of(figure):
    columns = ["runs", figure.x, figure.y.name, "half width", "least", "most"]
    if figure.base:
        columns += [f"times {figure.base}", "from", "to"]
    return [*columns, *(quantity.name for quantity in figure.more), *(f"{name} (ran)" for name in ACHIEVED), "repetitions"]


def rows_of(figure, points):
    base = {p.x: p for p in points if p.series == figure.base}
    rows = []
    for point in points:
        values = point.values(figure.y.of)
        if not values:
            continue
        mean, half = mean_with_interval(values)
        row = [point.series, point.x, shown(mean), shown(half), shown(min(values)), shown(max(values))]
        if figure.base:
            row += against(figure, point, base.get(point.x))
        for quantity in figure.more:
            found = point.values(quantity.of)
            row.append(shown(mean_with_interval(found)[0]) if found else "")
        did = point.samples[0].get("achieved", {})
        for name in ACHIEVED:
            ran = [value for s in point.samples if (value := s.get("achieved", {}).get(name)) is not None]
            is_number = ran and isinstance(ran[0], (int, float)) and not isinstance(ran[0], bool)
            row.append(shown(round(sum(ran) / len(ran), 4)) if is_number else did.get(name, ""))
        rows.append([*row, len(point.samples)])
    return rows


def against(figure, point, base):
    """The ratio to the base, and its bounds."""
    if base is None or base is point:
        return ["", "", ""]
    ratio = Ratio([(figure.y.of(a), figure.y.of(b)) for a, b in zip(point.samples, base.samples)])
    return [shown(ratio.mean), shown(ratio.low), shown(ratio.high)]


def plot_of(figure, points, machine):
    lines, bars = defaultdict(list), []
    names = [point.x for point in points if isinstance(point.x, str)]
    places = {name: place for place, name in enumerate(dict.fromkeys(names))}
    for point in points:
        if figure.lines:
            middle = sorted(point.samples, key=figure.y.of)[len(point.samples) // 2]
            lines[point.series] = without_repetitions(figure.lines(middle))
            continue
        values = point.values(figure.y.of)
        if values:
            mean, half = mean_with_interval(values)
            x = mean_with_interval(point.values(figure.x_ran.of))[0] if figure.x_ran else places.get(point.x, point.x)
            lines[point.series].append((x, mean))
            bars.append((point.series, x, mean - (half or 0), mean + (half or 0)))
    if not any(lines.values()):
        return ""
    drawn = [(name, line if figure.lines else sorted(line), False) for name, line in lines.items()]
    drawn += theory_of(figure, points, machine)
    return svg_plot(f"{figure.name.replace('_', ' ').capitalize()}: {figure.title}", figure.x, figure.y.name, drawn, log_x=figure.log_x,
                    y_from=0, bars=bars, places=list(places))


def theory_of(figure, points, machine):
    """What is to be expected, as further lines: of the points of the first series."""
    lines = defaultdict(list)
    for point in points if figure.expected else ():
        if point.series == points[0].series:
            for name, value in figure.expected(point, points, machine).items():
                lines[name].append((point.x, value))
    return [(name, line, True) for name, line in lines.items()]


def findings_of(figure, points):
    return [claim.test(figure, points) for claim in figure.claims]


def verdict_of(figure, findings):
    """That of the first claim, which is the paper's finding. A machine that is too small for it has no verdict of its own."""
    if not findings:
        return UNKNOWN
    if not figure.cores:
        return findings[0].verdict
    predicted = f": predicted by the model, {findings[0].verdict}" if figure.y.is_computed else ""
    return f"needs {figure.cores:,} cores{predicted}"


def write(folder, paper, figure, points, machine, facts):
    """CSV, picture and findings of a figure."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / f"{figure.name}.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns_of(figure))
        writer.writerows(rows_of(figure, points))
    if figure.published:
        with open(folder / f"{figure.name}_published.csv", "w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(figure.published)
    picture = plot_of(figure, points, machine)
    if picture:
        (folder / f"{figure.name}.svg").write_text(picture, encoding="utf-8")
    findings = findings_of(figure, points)
    result = {"paper": paper, "figure": figure.name, "title": figure.title, "found": figure.paper, "verdict": verdict_of(figure, findings),
              "needs": figure.needs, "cores": figure.cores, "picture": bool(picture),
              "claims": [{"claim": f.claim, "verdict": f.verdict, "text": f.text, "because": f.because} for f in findings], **facts}
    (folder / f"{figure.name}.json").write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return result
