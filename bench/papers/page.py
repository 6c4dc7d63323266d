"""docs/inside/reproduction.md, made of the committed results and of the rows of the papers."""

import csv
import json
import re
from pathlib import Path

from papers.papers import PAPERS

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "bench" / "results" / "papers"
PAGE = ROOT / "docs/inside/reproduction.md"
ROWS = Path(__file__).with_name("rows.csv")

HEAD = """# The five papers, repeated

<!-- Made by `./do reproduce page` from bench/results/papers and bench/papers/rows.csv. Change these, not this page. -->

Anachron implements the systems of five papers. This page says, for each of their figures, tables and algorithms, what the paper found
and what was found here. `./do reproduce list` names all figures. `./do reproduce muse --only figure_9` repeats one of them.

A verdict is about the figure's main finding, which is the first claim of its row:

- *holds*: it is seen, beyond the scatter, and at least half as large as in the paper where the paper gives a size.
- *holds in direction*: it is seen, beyond the scatter, but smaller.
- *no difference seen*: the 95% interval has both directions in it.
- *does not hold*: the opposite is seen, with the cause as far as it is known.
- *needs N cores*: this machine is too small to show it. The claims of the row say what it shows. Where the row says *predicted by the
  model*, the numbers are those of a [simulation of the engine](../../bench/results/machines.md), with its assumptions and its errors.

Where a paper says "up to", the point with most gain is taken, and its interval is not widened for that choice.
Runs that are compared were made in turn. Intervals are of ratios of runs of the same turn, at 95%. All runs of a model have one digest.
Each table has what its runs did: shares of remote events, PEs, workers, ranks, GVT rounds, mapping, throttle, partition. The runner refuses
a figure whose axis or legend says something else. A share may differ by one percentage point from its label. Where a label has no share,
it may differ by two points from what `anachron partition` predicts.

Pictures of how a system is built (MUSE 1, 3 and 6, AIR 2, ROSS-CMT 1, Blue Gene 8) and Devastator's table of compilers have nothing to repeat.
"""


def results_of(paper, folder=RESULTS):
    """The committed results of a paper, by figure."""
    out = {}
    for figure in PAPERS[paper].FIGURES:
        path = folder / paper / f"{figure.name}.json"
        if path.exists():
            out[figure.name] = json.loads(path.read_text(encoding="utf-8"))
    return out


def cell(text):
    return " ".join(str(text).split()).replace("|", "\\|")


def label(figure):
    return figure.name.replace("_", " ").capitalize() + (f" ({figure.also})" if figure.also else "")


def links(paper, figure, result):
    base = f"../../bench/results/papers/{paper}/{figure.name}"
    return f"[table]({base}.csv)" + (f", [picture]({base}.svg)" if result["picture"] else "") \
        + (f", [the paper's numbers]({base}_published.csv)" if figure.published else "")


def rows_of(paper, figure):
    """(ids, notes) of the rows that a figure has."""
    named = re.compile(rf"reproduce {paper} --only (\S+,)?{figure.name}(,|;|$)")
    mine = [row for row in rows() if row["verdict"] == "figure" and named.search(row["see"])]
    return ", ".join(row["id"] for row in mine), " ".join(row["note"] for row in mine if row["note"])


def figure_row(paper, figure, result):
    ids, note = rows_of(paper, figure)
    start = f"| {ids} | {label(figure)} | {cell(figure.title)} | {cell(figure.paper)}"
    if result is None:
        return f"{start} | no results yet | |"
    said = []
    for claim in result["claims"]:
        because = f" Cause: {claim['because']}." if claim["because"] else ""
        text = claim["text"][0].upper() + claim["text"][1:]
        said.append(f"*{claim['verdict']}*: {claim['claim']}. {text}.{because}")
    runs = "computed" if figure.y.is_computed else f"{result['repetitions']} {'short runs' if result['quick'] else 'runs'}"
    verdict = f"*{result['verdict']}* ({runs})." + (f" It {figure.needs}." if figure.needs else "")
    return f"{start} | {cell(verdict)} | {cell(' '.join(said))} {cell(note)} {links(paper, figure, result)} |"


def made(results):
    """How the results of a paper were made."""
    machines = sorted({f"{result['machine']}, {result['date']}" for result in results.values()})
    return [f"Made on {'; '.join(machines)}.", "Each row says how many runs of each kind there were."]


def rows():
    with open(ROWS, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def algorithm_rows(letter):
    out = []
    for row in rows():
        if row["id"][0] != letter or row["verdict"] == "figure":
            continue
        where = ", ".join(f"`{path}`" for path in row["where"].split())
        out.append(f"| {row['id']} | {cell(row['what'])} | {where} | {cell(row['see'])} | {row['verdict']}"
                   + (f": {cell(row['note'])}" if row["note"] else "") + " |")
    return out


def page(folder=RESULTS):
    lines = [HEAD]
    for paper, module in PAPERS.items():
        results = results_of(paper, folder)
        lines += [f"## {module.NAME}", "", module.ABOUT, "", *made(results), "",
                  "| row | figure | what | the paper found | verdict | here |", "|---|---|---|---|---|---|",
                  *(figure_row(paper, figure, results.get(figure.name)) for figure in module.FIGURES), ""]
        for figure in module.FIGURES:
            if (result := results.get(figure.name)) and result["picture"]:
                lines += [f"![{label(figure)}: {figure.title}](../../bench/results/papers/{paper}/{figure.name}.svg)"]
        lines += ["", f"What else the paper has ({module.NAME}):", "", "| row | what | where | how to see it | state |", "|---|---|---|---|---|",
                  *algorithm_rows(module.LETTER), ""]
    return "\n".join(lines)
