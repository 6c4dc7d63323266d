"""The tables and figures of ROSS-CMT (Wang et al. 2013), of MUSE (Rao 2018, figure 5) and of Blue Gene: which runs they compare,
what these show, and what the paper has."""

from air.expected import median
from air.figures import times, verdict
from cluster.blue_gene import BlueGene
from cluster.comparisons import (EVENTS_PER_MESSAGE, REMOTE_ROLLBACKS, SUCCESSFUL_PROBES, Result, shown,
                                 to_other_ranks)
from cluster.runs import BASELINE, BOTH, CONSOLIDATION, COPIES, DEFAULT, HOSTS, POLLING, SHARED, SLOW, Case, Shape

OPTIMIZATIONS = {"baseline": BASELINE, "infrequent polling": POLLING, "consolidation": CONSOLIDATION, "both": BOTH,
                 "engine's default": DEFAULT}


class Figures(BlueGene):
    """Each method is a table or figure of a paper."""

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
