"""Makes the runs of a figure in turn, checks that they did what their labels say, and tells what they show."""

import csv
import json
import os
import sys
import time
from collections import defaultdict

from papers.achieved import check
from papers.claims import UNKNOWN
from papers.numbers import Ratio, mean_with_interval
from papers.plot import svg_plot, without_repetitions

ACHIEVED = ["remote", "regional", "local", "pes", "workers", "ranks", "sync", "mapping", "throttle", "partition", "gvt_rounds", "in_order",
            "comm_thread"]


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


def measure(figure, points, machine, store, repetitions):
    """Fills the points' samples. Each turn is in another order, so that none always comes behind the same one."""
    runs = list(dict.fromkeys(point.run for point in points))
    progress = Progress(figure.name, len(runs) * repetitions)
    loads = []
    for repetition in range(repetitions):
        for run in runs if repetition % 2 == 0 else runs[::-1]:
            was_made = store.get(run, repetition) is None
            if was_made:
                store.add(run, repetition, machine.sample(run))
            progress.step(was_made)
        loads.append(os.getloadavg()[0])
    for point in points:
        point.samples = [store.get(point.run, repetition) for repetition in range(repetitions)]
    check_digests(points)
    for point in points:
        if point.run.tool in ("run", "cachegrind"):
            check(figure, point)
    return loads


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
            ran = [s["achieved"][name] for s in point.samples if "achieved" in s]
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
    for point in points:
        if figure.lines:
            middle = sorted(point.samples, key=figure.y.of)[len(point.samples) // 2]
            lines[point.series] = without_repetitions(figure.lines(middle))
            continue
        values = point.values(figure.y.of)
        if values and isinstance(point.x, (int, float)):
            mean, half = mean_with_interval(values)
            lines[point.series].append((point.x, mean))
            bars.append((point.series, point.x, mean - (half or 0), mean + (half or 0)))
    if not any(lines.values()):
        return ""
    drawn = [(name, line if figure.lines else sorted(line), False) for name, line in lines.items()]
    drawn += theory_of(figure, points, machine)
    return svg_plot(f"{figure.name.replace('_', ' ').capitalize()}: {figure.title}", figure.x, figure.y.name, drawn, log_x=figure.log_x,
                    y_from=0, bars=bars)


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
    """That of the first claim: it is the figure's own. What the machine cannot show is said beside it."""
    return findings[0].verdict if findings else ("shown" if not figure.needs else UNKNOWN)


def write(folder, paper, figure, points, machine, facts):
    """CSV, picture and findings of a figure."""
    folder.mkdir(parents=True, exist_ok=True)
    with open(folder / f"{figure.name}.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns_of(figure))
        writer.writerows(rows_of(figure, points))
    picture = plot_of(figure, points, machine)
    if picture:
        (folder / f"{figure.name}.svg").write_text(picture, encoding="utf-8")
    findings = findings_of(figure, points)
    result = {"paper": paper, "figure": figure.name, "title": figure.title, "found": figure.paper, "verdict": verdict_of(figure, findings),
              "needs": figure.needs, "picture": bool(picture),
              "claims": [{"claim": f.claim, "verdict": f.verdict, "text": f.text, "because": f.because} for f in findings], **facts}
    (folder / f"{figure.name}.json").write_text(json.dumps(result, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return result
