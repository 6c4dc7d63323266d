"""The figures of Blue Gene (Bauer et al. 2009, figures 1 to 6): which runs they compare, what these show, and what the paper has."""

import re
from collections import defaultdict

from air.figures import times, verdict
from air.plot import svg_plot
from cluster.comparisons import Comparisons, Result
from cluster.runs import SHARED, Case, Shape


class BlueGene(Comparisons):
    """Each method is a figure of the paper."""

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
