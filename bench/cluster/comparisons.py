"""How runs over ranks are compared, and what a table or figure shows of them."""

from collections import defaultdict
from dataclasses import dataclass

from air.figures import times, verdict
from air.plot import svg_plot
from cluster.runs import HOSTS, SLOW, total_of_ranks


@dataclass
class Result:
    """What a table or figure shows."""

    name: str
    title: str
    paper: str  # what it has there
    columns: list
    rows: list
    plot: str  # SVG, or nothing
    findings: list


def shown(value, form="{:.2f}"):
    return "" if value is None else form.format(value)


def share(part, whole):
    return part / whole if whole else None


EVENTS_PER_MESSAGE = lambda r: r.get("events_per_message")
SUCCESSFUL_PROBES = lambda r: r.get("successful_probes")
REMOTE_ROLLBACKS = lambda r: share(r["rollbacks_remote"], r["rollbacks_remote"] + r["rollbacks_regional"])


def to_other_ranks(report):
    """Share of all events sent that leave their rank."""
    sent = total_of_ranks("events_sent")(report)
    return None if sent is None else share(sent, report["sent"])


class Comparisons:
    """What tables and figures are made of: runs, compared with each other; findings are made of what was measured."""

    def __init__(self, experiments):
        self.e = experiments
        self.quick = experiments.options.quick
        self.networks = experiments.options.networks or [HOSTS if experiments.machine.has(HOSTS) else SLOW]
        self.most_ranks = experiments.options.ranks

    def few(self, values):
        values = list(values)
        return values[:: len(values) - 1] if self.quick and len(values) > 2 else values

    # Tables.

    def table(self, cases, x_label, base_of=None):
        """Columns and rows of runs. `base_of`: the run that another is compared with."""
        columns = ["runs", x_label, "ranks x workers", "network", "seconds", "least", "most", "events/s", "rate against baseline",
                   "events/cpu s", "efficiency, %", "events per message", "successful probes, %", "to other ranks, %",
                   "rollbacks by other ranks, %"]
        rows = []
        for c in cases:
            seconds = [s["wall_s"] for s in c.samples]
            base = base_of(c) if base_of else None
            percent = lambda of: shown(None if (value := c.median(of)) is None else 100 * value, "{:.1f}")
            rows.append([c.series, c.x, str(c.shape), c.network, shown(c.seconds(), "{:.3f}"), f"{min(seconds):.3f}",
                         f"{max(seconds):.3f}", f"{c.rate():.0f}", shown(c.rate() / base.rate() if base else None),
                         f"{c.median(lambda r: r['committed'] / max(r['cpu_s'], 1e-9)):.0f}", percent(lambda r: r["efficiency"]),
                         shown(c.median(EVENTS_PER_MESSAGE), "{:.1f}"), percent(SUCCESSFUL_PROBES), percent(to_other_ranks),
                         percent(REMOTE_ROLLBACKS)])
        return columns, rows

    def plot(self, title, cases, x_label, y_label, of, log_x=False):
        lines = defaultdict(list)
        for c in cases:
            value = of(c)
            if value is not None:
                lines[c.series if len(self.networks) == 1 else f"{c.series}, {c.network}"].append((c.x, value))
        drawn = [(name, line, False) for name, line in lines.items()]
        return svg_plot(title, x_label, y_label, drawn, log_x, y_from=0) if drawn else ""

    @staticmethod
    def against(series):
        """base_of of `table`: the run of a series with the same x, network and shape."""
        def finder(cases):
            by = {(c.series, c.x, c.network): c for c in cases}
            return lambda c: by.get((series, c.x, c.network))
        return finder

    def ratio(self, cases, over, under):
        """{(x, network): rate of series `over` against `under`}."""
        by = {(c.series, c.x, c.network): c.rate() for c in cases}
        return {(x, network): rate / by[under, x, network]
                for (series, x, network), rate in by.items() if series == over and (under, x, network) in by}

    def gains(self, cases, over, under, claim, holds, unit=""):
        found = self.ratio(cases, over, under)
        if not found:
            return []
        out = []
        for network in dict.fromkeys(n for _, n in found):
            here = {x: r for (x, n), r in found.items() if n == network}
            best, worst = max(here, key=here.get), min(here, key=here.get)
            out.append(f"{network}: {over} runs {times(here[worst])} (at {worst}{unit}) to {times(here[best])} times (at {best}{unit}) as "
                       f"fast as {under}. " + verdict(claim, holds(here)))
        return out
