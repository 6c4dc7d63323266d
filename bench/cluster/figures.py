"""The tables and figures of ROSS-CMT (Wang et al. 2013), of MUSE (Rao 2018, figure 5) and of Blue Gene (Bauer et al. 2009,
figures 1 to 6): which runs they compare, what these show, and what the paper has."""

import re
import subprocess
from collections import defaultdict
from dataclasses import dataclass

from air.expected import median
from air.figures import times, verdict
from air.plot import svg_plot
from cluster.runs import (BASELINE, BOTH, CONSOLIDATION, COPIES, DEFAULT, HOSTS, POLLING, SHARED, SLOW, Case, Shape,
                          total_of_ranks)

OPTIMIZATIONS = {"baseline": BASELINE, "infrequent polling": POLLING, "consolidation": CONSOLIDATION, "both": BOTH,
                 "engine's default": DEFAULT}


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


class Figures:
    """Each method is a table or figure of a paper; findings are made of what was measured."""

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

    # ROSS-CMT.

    def table_1(self):
        machine, rows, findings = self.e.machine, [], []
        paper = {4: 62.38, 32: 62.23, 256: 64.82, 1024: 78.06, 8192: 150.63, 16384: 268.61}
        within = {4: 0.24, 32: 0.25, 256: 0.3, 1024: 0.38, 8192: 1.42, 16384: 2.88}
        measured = {}
        for network in (SHARED, COPIES, SLOW, HOSTS):
            if machine.has(network):
                measured[network] = machine.latencies(network, 5 if self.quick else 201)
        measured = {n: m for n, m in measured.items() if m}
        if not measured:
            return None
        for size in paper:
            rows.append([size, *(shown(m.get(size)) for m in measured.values()), within[size], paper[size]])
        if SHARED in measured and HOSTS in measured:
            far = measured[HOSTS][4] / measured[SHARED][4]
            findings.append(f"A message of 4 bytes takes {times(far)} times as long between hosts as within one. "
                            + verdict("it is about two orders of magnitude", 30 < far < 1000))
        return Result("table_1", "latency of a message one way, in us", "between cores of a node and between nodes: the last two columns",
                      ["bytes", *measured, "paper, within a node", "paper, between nodes"], rows, "", findings)

    def heterogeneous(self):
        """Tables 2 and 3 are about the same runs, made once."""
        if not hasattr(self, "matrix"):
            shape = Shape(2, 2)
            shares = [0, 20, 80] if self.quick else [0, 20, 40, 60, 80, 100]
            cases = [Case(f"{regional}% regional", remote, self.e.phold(shape, remote / 100, regional / 100), shape, network, BASELINE)
                     for network in self.networks for regional in shares for remote in shares if regional + remote <= 100]
            self.matrix = self.e.measure(cases)
        return self.matrix

    def as_matrix(self, cases, of, form):
        remotes = sorted({c.x for c in cases})
        by = {(c.series, c.x, c.network): of(c) for c in cases}
        rows = [[f"{series}, {network}", *(shown(by.get((series, r, network)), form) for r in remotes)]
                for network in self.networks for series in dict.fromkeys(c.series for c in cases)]
        return ["", *(f"{r}% remote" for r in remotes)], rows

    def table_2(self):
        cases = self.heterogeneous()
        # Each is as long as it can be in the wanted time; what compares is the time of an event.
        columns, rows = self.as_matrix(cases, lambda c: 1e9 / c.rate(), "{:.0f}")
        time = {(c.series, c.x, c.network): 1 / c.rate() for c in cases}
        findings = []
        for network in self.networks:
            least, most = (time.get(("20% regional", r, network)) for r in (0, 80))
            region = [time.get((f"{r}% regional", 0, network)) for r in (0, 80)]
            if least and most and all(region):
                findings.append(f"{network}: with 20% regional events, 80% remote ones make an event {times(most / least)} times as long; "
                                f"80% regional ones {times(region[1] / region[0])} times. "
                                + verdict("remote events cost 10 times the time, regional ones twice", most / least > 3 and most / least > region[1] / region[0] > 1.2))
        return Result("table_2", "time per committed event in ns by shares of regional and remote events, neither consolidation nor "
                      "infrequent polling", "seconds of a run on 4 nodes of 8 threads: 7.3 (none), 10.9 (20% regional), 14.3 (80% regional), "
                      "44.4 (20% regional, 20% remote), 117.5 (20% regional, 80% remote)", columns, rows, "", findings)

    def table_3(self):
        cases = self.heterogeneous()
        columns, rows = self.as_matrix(cases, lambda c: None if (v := c.median(REMOTE_ROLLBACKS)) is None else 100 * v, "{:.1f}")
        findings = []
        for network in self.networks:
            found = {c.x: c.median(REMOTE_ROLLBACKS) for c in cases if c.series == "20% regional" and c.network == network}
            if found.get(20) is not None:
                findings.append(f"{network}: with 20% regional and 20% remote events, {100 * found[20]:.1f}% of the rollbacks that other PEs "
                                "caused come from another rank. " + verdict("72.5% do, more than their share of the events", found[20] > 0.5))
        return Result("table_3", "share of rollbacks caused by events from other ranks, in %, of those that other PEs caused",
                      "20% regional: 72.5 (20% remote) to 87.3 (80%); 80% regional, 20% remote: 41.9", columns, rows, "", findings)

    def figure_2(self):
        processes, threads = Shape(4, 1), Shape(2, 2)
        cases = [Case(f"{how}, {'with' if kind is CONSOLIDATION else 'without'}", x, self.e.phold_not_local(threads, x / 100), shape, network, kind)
                 for network in self.networks for x in self.few([0, 20, 40, 60, 80, 100])
                 for how, shape in (("threads", threads), ("processes", processes)) for kind in (BASELINE, CONSOLIDATION)]
        cases = self.e.measure(cases)
        columns, rows = self.table(cases, "not local, %", self.against("threads, without")(cases))
        findings = self.gains(cases, "threads, with", "threads, without", "consolidation brings threads up to 2 times at 100%",
                              lambda r: max(r.values()) >= 1.5, "%")
        findings += self.gains(cases, "threads, with", "processes, without", "it is up to 3 times as fast as processes",
                               lambda r: max(r.values()) >= 2, "%")
        most = {c.series: c.median(EVENTS_PER_MESSAGE) for c in cases if c.x == max(d.x for d in cases)}
        if most.get("threads, with") and most.get("processes, with"):
            findings.append(f"At {max(c.x for c in cases)}% a message holds {most['threads, with']:.1f} events with threads and "
                            f"{most['processes, with']:.1f} with processes. "
                            + verdict("more with threads", most["threads, with"] > most["processes, with"]))
        return Result("figure_2", "consolidation", "up to 10 events per message with threads, few with processes", columns, rows,
                      self.plot("Figure 2b: events per message", cases, "not local, %", "events per message", lambda c: c.median(EVENTS_PER_MESSAGE)),
                      findings)

    def by_ranks(self, kinds, shares, workers=1, ranks=None, epg=0):
        """Cases of a fixed number of objects over ranks."""
        for network in self.networks:
            for percent in shares:
                for n in self.few(ranks or [2, 4, self.most_ranks]):
                    for name, kind in kinds.items():
                        shape = Shape(n, workers)
                        yield Case(f"{name}, {percent}% remote", n, self.e.phold(shape, percent / 100, epg=epg, lps=7560 if self.quick else 15120),
                                   shape, network, kind)

    def figure_3(self):
        kinds = {"baseline": BASELINE, "consolidation": CONSOLIDATION}
        cases = self.e.measure(list(self.by_ranks(kinds, [20, 80])))
        columns, rows = self.table(cases, "ranks", lambda c: next((b for b in cases if b.series == c.series.replace("consolidation", "baseline")
                                                                  and (b.x, b.network) == (c.x, c.network)), None))
        findings = self.gains(cases, "consolidation, 80% remote", "baseline, 80% remote", "up to 2.2 times at 80% remote",
                              lambda r: max(r.values()) >= 1.5, " ranks")
        findings += self.gains(cases, "consolidation, 20% remote", "baseline, 20% remote",
                               "with most nodes and 20% remote it is slower, because of looks that find nothing",
                               lambda r: r[max(r)] < 1, " ranks")
        return Result("figure_3", "consolidation by number of ranks", "2, 4 and 8 nodes of 8 threads, 60,480 objects", columns, rows,
                      self.plot("Figure 3: consolidation", cases, "ranks", "events/s", Case.rate), findings)

    def optimizations(self, name, shape, title):
        cases = [Case(series, x, self.e.phold_not_local(shape, x / 100) if shape.workers > 1 else self.e.phold(shape, x / 100), shape, network, kind)
                 for network in self.networks for x in self.few([0, 20, 40, 60, 80]) for series, kind in OPTIMIZATIONS.items()]
        if self.quick:
            cases = [c for c in cases if c.x]
        cases = self.e.measure(cases)
        unit = "not local, %" if shape.workers > 1 else "remote, %"
        columns, rows = self.table(cases, unit, self.against("baseline")(cases))
        findings = self.gains(cases, "infrequent polling", "baseline", "up to 20% faster", lambda r: 1.02 < max(r.values()) < 1.5, "%")
        findings += self.gains(cases, "consolidation", "baseline", "up to 90% faster", lambda r: max(r.values()) >= 1.5, "%")
        findings += self.gains(cases, "both", "baseline", "up to 2.2 times as fast", lambda r: max(r.values()) >= 2, "%")
        findings += self.gains(cases, "engine's default", "both", "adapting the period brings little over 4",
                               lambda r: all(0.9 < x < 1.1 for x in r.values()), "%")
        probes = {c.series: c.median(SUCCESSFUL_PROBES) for c in cases if c.x == max(d.x for d in cases)}
        if probes.get("baseline") is not None and probes.get("consolidation") is not None:
            findings.append("Looks that find a message, at most events for others: " + ", ".join(
                f"{series} {100 * value:.1f}%" for series, value in probes.items() if value is not None) + ". "
                + verdict("fewest with consolidation alone", probes["consolidation"] == min(v for v in probes.values() if v is not None)))
        return Result(name, title, "gains over the baseline: polling up to 20%, both up to 120%", columns, rows,
                      self.plot(f"{name}: against the baseline", cases, unit, "rate / baseline",
                                lambda c: (lambda b: c.rate() / b.rate() if b else None)(self.against("baseline")(cases)(c))), findings)

    def figure_4(self):
        return self.optimizations("figure_4", Shape(2, 1), "infrequent polling and consolidation, 2 ranks")

    def figure_5(self):
        return self.optimizations("figure_5", Shape(2, 2), "infrequent polling and consolidation, 2 ranks of 2 workers")

    def figure_6(self):
        """Shapes where a partition for all PEs at once does not happen to keep together what a rank has, and one where it does. PEs of
        a rank share a worker, so that a small machine is not more crowded than it must be."""
        cases = []
        for ranks, pes in ([(3, 4)] if self.quick else [(2, 4), (3, 4), (3, 5), (5, 2)]):
            model = ("phold", "--lps", 240 * ranks * pes, "--events-per-lp", 4, "--receiver", "hierarchical", "--local-size", 30,
                     "--region-size", 240 * pes, "--remote", 0.05, "--regional", 0.45)
            for network in self.networks:
                for levels, partition in (("oblivious", 1), ("two-level", 2)):
                    for name, kind in (("", BASELINE), (" and both", BOTH)):
                        cases.append(Case(levels + name, ranks * pes, model, Shape(ranks, 1), network,
                                          [*kind, "--pes", pes, "--partition", "metis", "--levels", partition]))
        cases = self.e.measure(cases)
        columns, rows = self.table(cases, "PEs", self.against("oblivious")(cases))
        findings = []
        for name in ("", " and both"):
            findings += self.gains(cases, f"two-level{name}", f"oblivious{name}", "15% to 44% faster, the more the more parts",
                                   lambda r: max(r.values()) >= 1.15, " PEs")
        for pes in sorted({c.x for c in cases}):
            of = {c.series: c.median(to_other_ranks) for c in cases if c.x == pes}
            if of.get("oblivious") and of.get("two-level") is not None:
                findings.append(f"{pes} PEs: {100 * of['oblivious']:.1f}% of the events go to another rank, with two levels "
                                f"{100 * of['two-level']:.1f}%.")
        return Result("figure_6", "partition in two levels against one, hierarchical PHOLD", "two-level partitions are 15% faster with 16 parts, "
                      "44% with 64", columns, rows, self.plot("Figure 6a", cases, "PEs", "events/s", Case.rate), findings)

    def by_pes(self, name, title, paper, epg=0):
        """Versions of the simulator by PEs: processes, and 2 ranks of more and more threads."""
        cases = []
        for network in self.networks:
            for percent in (20, 80):
                for pes in self.few([2, 4, self.most_ranks]):
                    # The model is that of the threads, so that all have the same.
                    shape = Shape(2, pes // 2)
                    model = self.e.phold(shape, percent / 100, epg=epg, lps=15120)
                    cases += [Case(f"processes, {percent}% remote", pes, model, Shape(pes, 1), network, BASELINE),
                              Case(f"baseline, {percent}% remote", pes, model, shape, network, BASELINE),
                              Case(f"optimized, {percent}% remote", pes, model, shape, network, BOTH)]
        cases = self.e.measure(cases)
        columns, rows = self.table(cases, "PEs", lambda c: next((b for b in cases if b.series == "baseline" + c.series[c.series.index(","):]
                                                                and (b.x, b.network) == (c.x, c.network)), None))
        findings = []
        for percent in (20, 80):
            of = lambda kind, percent=percent: f"{kind}, {percent}% remote"
            findings += self.gains(cases, of("optimized"), of("baseline"),
                                   "close to 1 with much work per event" if epg else "1.4 to 2 times",
                                   (lambda r: max(r.values()) < 1.3) if epg else (lambda r: max(r.values()) >= 1.4), " PEs")
            findings += self.gains(cases, of("optimized"), of("processes"), "less than without work per event" if epg else "about 4 times",
                                   lambda r: max(r.values()) >= 1.2, " PEs")
        return Result(name, title, paper, columns, rows, self.plot(title, cases, "PEs", "events/s", Case.rate), findings)

    def figure_7(self):
        return self.by_pes("figure_7", "more threads per rank", "8 nodes of 1 to 8 threads")

    def figure_8(self):
        kinds = {"baseline": BASELINE, "optimized": BOTH}
        cases = self.e.measure(list(self.by_ranks(kinds, [20, 80], ranks=[2, 3, 4, 6, self.most_ranks])))
        columns, rows = self.table(cases, "ranks", lambda c: next((b for b in cases if b.series == c.series.replace("optimized", "baseline")
                                                                  and (b.x, b.network) == (c.x, c.network)), None))
        findings = []
        for percent in (20, 80):
            findings += self.gains(cases, f"optimized, {percent}% remote", f"baseline, {percent}% remote", "up to 2 times",
                                   lambda r: max(r.values()) >= 1.5, " ranks")
        return Result("figure_8", "more ranks", "2 to 9 nodes of 6 threads", columns, rows,
                      self.plot("Figure 8", cases, "ranks", "events/s", Case.rate), findings)

    def figure_10(self):
        return self.by_pes("figure_10", "more threads per rank, 3,000 steps of work per event", "as figure 7 with EPG 3000", epg=3000)

    # MUSE.

    def muse_5(self):
        """MUSE's configuration 2, 10,000 LPs of 20 events, with processes whose messages are copied once (CMA) or twice, and threads."""
        cases = []
        for percent in self.few([10, 25, 50, 75, 90]):
            model = ("phold", "--lps", 10000, "--events-per-lp", 20, "--receiver", "hierarchical", "--local-size", 5000, "--region-size", 5000,
                     "--remote", percent / 100)
            for window, throttle in (("ATW", ["--throttle", "atw"]), ("no window", ["--throttle", "none"]), ("default", [])):
                cases += [Case(f"CMA, {window}", percent, model, Shape(2, 1), SHARED, throttle),
                          Case(f"no CMA, {window}", percent, model, Shape(2, 1), COPIES, throttle),
                          Case(f"threads, {window}", percent, model, Shape(1, 2), SHARED, throttle)]
        cases = self.e.measure(cases)
        by = {(c.series, c.x): c for c in cases}
        columns, rows = self.table(cases, "remote, %", lambda c: by.get(("CMA, ATW", c.x)))
        rate = lambda series, x: by[series, x].rate() if (series, x) in by else None
        findings = []
        for over, under, claim, holds in (
                ("CMA, ATW", "no CMA, ATW", "CMA is faster at every share", lambda r: min(r) > 1),
                ("CMA, ATW", "CMA, no window", "the window changes nothing (2%) with CMA", lambda r: max(map(lambda x: abs(x - 1), r)) < 0.02),
                ("no CMA, ATW", "no CMA, no window", "without CMA it helps, by up to 200 times", lambda r: max(r) > 1.1),
                ("threads, default", "CMA, default", "threads with shared events are faster than processes (figure 14)", lambda r: median(r) > 1)):
            ratios = {x: rate(over, x) / rate(under, x) for x in sorted({c.x for c in cases}) if rate(over, x) and rate(under, x)}
            if ratios:
                findings.append(f"{over} against {under}: " + ", ".join(f"{times(r)} at {x}%" for x, r in ratios.items()) + ". "
                                + verdict(claim, holds(list(ratios.values()))))
        return Result("muse_5", "processes with and without CMA, and threads", "2 to 28 processes of one node", columns, rows,
                      self.plot("MUSE figure 5", cases, "remote, %", "events/s", Case.rate), findings)

    def ranks_or_threads(self):
        """Not of the papers: what two ranks cost against two threads of one."""
        cases = []
        for percent in self.few([10, 25, 50]):
            model = ("phold", "--lps", 10000, "--events-per-lp", 20, "--remote", percent / 100)
            cases += [Case("1 rank of 2 workers", percent, model, Shape(1, 2), SHARED, ["--mapping", "fixed"]),
                      Case("2 ranks", percent, model, Shape(2, 1), SHARED), Case("2 ranks, no CMA", percent, model, Shape(2, 1), COPIES),
                      Case("1 rank of 1 worker", percent, model, Shape(1, 1), SHARED)]
        cases = self.e.measure(cases)
        columns, rows = self.table(cases, "to any LP, %", self.against("1 rank of 2 workers")(cases))
        found = self.ratio(cases, "2 ranks", "1 rank of 2 workers")
        findings = ["2 ranks against 1 rank of 2 workers: " + ", ".join(f"{times(r)} at {x}%" for (x, _), r in found.items()) + "."] if found else []
        return Result("ranks_or_threads", "two ranks of a worker against one of two", "not in a paper; 10,000 LPs of 20 events, 10% to any LP, "
                      "is W2 of `./do bench`", columns, rows, self.plot("Ranks or threads", cases, "to any LP, %", "events/s", Case.rate), findings)

    # Blue Gene.

    def swept(self, name, title, paper, option, values, claim_of):
        """PHOLD with one option of the engine swept, 2 ranks, by share of remote events."""
        cases = []
        for percent in ([10, 100] if self.quick else [10, 25, 50, 100]):
            model = ("phold", "--lps", 16384, "--events-per-lp", 10, "--receiver", "hierarchical", "--local-size", 8192, "--region-size", 8192,
                     "--remote", percent / 100)
            cases += [Case(f"{percent}% remote", v, model, Shape(2, 1), SHARED, [option, v]) for v in self.few(values)]
            cases.append(Case(f"{percent}% remote", "default", model, Shape(2, 1), SHARED, []))
        cases = self.e.measure(cases)
        columns, rows = self.table(cases, option, lambda c: next((b for b in cases if (b.series, b.x) == (c.series, "default")), None))
        findings = []
        for series in dict.fromkeys(c.series for c in cases):
            here = [c for c in cases if c.series == series and c.x != "default"]
            own = next((c for c in cases if c.series == series and c.x == "default"), None)
            if not here:
                continue
            best, worst = max(here, key=Case.rate), min(here, key=Case.rate)
            findings.append(f"{series}: best {option} {best.x}, {times(best.rate() / worst.rate())} times as fast as the worst ({worst.x})"
                            + (f"; the default runs {times(own.rate() / best.rate())} times as fast as the best" if own else "") + ". "
                            + claim_of(best, worst))
        number = lambda x: int(re.sub("KiB", "", str(x)))
        drawn = [c for c in cases if c.x != "default"]
        lines = defaultdict(list)
        for c in drawn:
            lines[c.series].append((number(c.x), c.rate()))
        plot = svg_plot(title, option, "events/s", [(n, sorted(line), False) for n, line in lines.items()], log_x=True, y_from=0)
        return Result(name, title, paper, columns, rows, plot, findings)

    def blue_gene_1(self):
        return self.swept("blue_gene_1", "batch size", "best 2 with many remote events, larger with 10%", "--batch", [1, 2, 8, 32, 128, 512],
                          lambda best, _: verdict("small batches are best with many remote events", best.x <= 8)
                          if best.series != "10% remote" else "")

    def blue_gene_2(self):
        return self.swept("blue_gene_2", "GVT interval", "best 512, with 10% remote 2048", "--gvt-interval", [64, 256, 512, 1024, 2048, 4096],
                          lambda best, _: verdict("neither the least nor the most is best", best.x not in (64, 4096)))

    def blue_gene_3(self):
        return self.swept("blue_gene_3", "LPs that share a history (KPs)", "best 16 KPs per processor; of 128 LPs each, 8", "--lps-per-group",
                          [1, 8, 64, 512],
                          lambda best, _: verdict("groups are better than single LPs", best.x > 1))

    def blue_gene_4(self):
        return self.swept("blue_gene_4", "size of messages (buffers)", "hardly any effect from 10K to 300K", "--message-size",
                          ["4KiB", "16KiB", "64KiB", "256KiB"],
                          lambda best, worst: verdict("size hardly matters", best.rate() < 1.1 * worst.rate()))

    def blue_gene_5(self):
        ranks = self.few([1, 2, 4, self.most_ranks])
        cases = []
        for percent in ([10, 100] if self.quick else [10, 25, 50, 100]):
            model = ("phold", "--lps", 16384, "--events-per-lp", 10, "--remote", percent / 100)
            cases += [Case(f"{percent}% remote", n, model, Shape(n, 1), SHARED, []) for n in ranks]
        cases = self.e.measure(cases)
        columns, rows = self.table(cases, "ranks", lambda c: next((b for b in cases if (b.series, b.x) == (c.series, 1)), None))
        findings = []
        for series in dict.fromkeys(c.series for c in cases):
            here = {c.x: c for c in cases if c.series == series}
            if 1 in here and len(here) > 1:
                most = max(here)
                best = max(here.values(), key=Case.rate)
                findings.append(f"{series}: {times(here[most].rate() / here[1].rate())} times the rate of one rank with {most}, best with "
                                f"{best.x} ({times(best.rate() / here[1].rate())}); {self.e.machine.cores} cores. Efficiency with {most}: "
                                f"{100 * here[most].median(lambda r: r['efficiency']):.1f}%. "
                                + verdict("efficiency stays above 90%", here[most].median(lambda r: r["rollback_efficiency"]) > 0.9))
        return Result("blue_gene_5", "ranks (figures 5 to 7 in form)", "linear to 65,536 processors: 12.26 billion events/s at 10% remote, 4 at 100%",
                      columns, rows, self.plot("Blue Gene figure 5", cases, "ranks", "events/s", Case.rate), findings)
