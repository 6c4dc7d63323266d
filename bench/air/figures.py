"""The figures of AIR: which runs they compare, and what these show."""

from collections import defaultdict
from dataclasses import dataclass

from air.expected import load_counts, median, over_time
from air.plot import label, svg_plot, without_repetitions
from air.runs import AUTO, DETECTORS, EPG, FIXED, FIXED_AND_LADM, MAPPINGS, PERIODS, REMOTE, Case


@dataclass
class Result:
    """What a figure shows."""

    number: str
    title: str
    columns: list
    rows: list
    plot: str
    findings: list


def times(x):
    return f"{x:.2f}"


def verdict(claim, holds):
    return f"The paper: {claim}. Here that {'holds' if holds else 'does not hold'}."


class Figures:
    """Each method is a figure of the paper; `finding` sentences are made of what was measured."""

    def __init__(self, experiments):
        self.e = experiments
        self.quick = experiments.options.quick
        self.counts = load_counts(experiments.machine.workers, 3 if self.quick else 6)

    def few(self, values):
        return [values[0], values[-1]] if self.quick else values

    def slowdowns(self, number, title, cases, x_label, base_of, log_x=False, theory_series=None):
        """Table, plot and lines of slowdowns against runs without load. `base_of`: the case without load of a case."""
        rows, lines, expected_lines = [], defaultdict(list), defaultdict(list)
        for case in cases:
            slowdown = case.seconds() / base_of(case).seconds()
            expected = self.e.expected(case)
            every = [s.seconds for s in case.samples]
            rows.append([case.series, label(case.x), f"{case.seconds():.3f}", f"{min(every):.3f}", f"{max(every):.3f}",
                         times(slowdown), *map(times, expected.values()),
                         f"{100 * median(s.efficiency for s in case.samples):.1f}", times(case.load_cores())])
            lines[case.series].append((case.x, slowdown))
            if case.series == (theory_series or cases[0].series):
                for name, value in expected.items():
                    expected_lines[name].append((case.x, value))
        names = list(self.e.expected(cases[0]))
        columns = ["runs", x_label, "seconds", "least", "most", "slowdown", *names, "efficiency, %", "cores taken by loads"]
        drawn = [(name, line, False) for name, line in lines.items()]
        drawn += [(name, line, True) for name, line in expected_lines.items()]
        plot = svg_plot(f"Figure {number}: {title}", x_label, "run time / that without load", drawn, log_x, y_from=0)
        return columns, rows, plot

    def gap(self, cases, base_of):
        """How far slowdowns are from proportional ones, by series: the worst case."""
        out = []
        for series in dict.fromkeys(c.series for c in cases):
            loaded = [c for c in cases if c.series == series and c.loads]
            if not loaded:
                continue
            worst = max(loaded, key=lambda c: c.seconds() / base_of(c).seconds() / next(iter(self.e.expected(c).values())))
            fair, *_, left = self.e.expected(worst).values()
            slowdown = worst.seconds() / base_of(worst).seconds()
            out.append(f"{series}: furthest from proportional with {worst.loads} load{'s' if worst.loads > 1 else ''}"
                       f"{f' of {worst.period:,} us' if worst.period else ''}, where a run takes {times(slowdown)} times as long as "
                       f"without, {times(slowdown / fair)} times the proportional slowdown of {times(fair)} ({times(left)} by the "
                       "processor time that the loads left).")
        return out

    def ladm_claim(self, cases, most):
        """The paper's claim that LADM beats the fixed mapping by up to a factor, under load."""
        by = {(c.series, c.x): c for c in cases if c.loads}
        ratios = {x: by["fixed", x].seconds() / c.seconds()
                  for (series, x), c in by.items() if series == "LADM" and ("fixed", x) in by}
        if not ratios:
            return []
        best, worst = max(ratios, key=ratios.get), min(ratios, key=ratios.get)
        return [f"With LADM a run under load is {times(ratios[best])} times as fast as with the fixed mapping at best "
                f"(at {label(best)}), {times(ratios[worst])} times at worst (at {label(worst)}). "
                + verdict(f"LADM is faster under load, by up to {most} times", min(ratios.values()) > 1)]

    def by_loads(self, number, title, series, x_label="foreign loads", period=None):
        """`series`: {name: (model, kind)}, each under all numbers of loads."""
        cases = [Case(name, n, model, kind, n, period if n else None)
                 for n in self.counts for name, (model, kind) in series.items()]
        self.e.measure(cases)
        base = {c.series: c for c in cases if c.loads == 0}
        base_of = lambda c: base[c.series]
        if period:  # equation 2 of no load is that of equation 1
            for case in cases:
                case.period = period
        columns, rows, plot = self.slowdowns(number, title, cases, x_label, base_of)
        return cases, base_of, Result(number, title, columns, rows, plot, self.gap(cases, base_of))

    def figure_1(self):
        kind = next(self.e.kinds(FIXED))[1]
        cases, base_of, result = self.by_loads("1", "fixed mapping, by share of remote events",
                                               {f"{r}% remote": (self.e.phold(r), kind) for r in self.few(REMOTE)})
        one = {c.series: c for c in cases if c.loads == self.counts[1]}
        slow = {name: c.seconds() / base_of(c).seconds() for name, c in one.items()}
        least, most = min(slow, key=slow.get), max(slow, key=slow.get)
        fair = next(iter(self.e.expected(next(iter(one.values()))).values()))
        result.findings.append(f"With {self.counts[1]} load{'s' if self.counts[1] > 1 else ''} the slowdown is between "
                               f"{times(slow[least])} ({least}) and {times(slow[most])} ({most}); the proportional one is {times(fair)}. "
                               + verdict("with remote events the slowdown is far beyond the proportional one (3.9 times against 1.125), "
                                         "without any it is close to it", slow[most] > 1.5 * fair and slow["0% remote"] < 1.2 * fair))
        return result

    def mappings(self, number, loads):
        title = f"mappings {'without load' if not loads else 'with one load'}"
        cases = [Case(name, r, self.e.phold(r), kind, loads) for r in self.few(REMOTE) for name, kind in self.e.kinds(MAPPINGS)]
        self.e.measure(cases)
        fixed = {c.x: c.seconds() for c in cases if c.series == "fixed"}
        lines, rows = defaultdict(list), []
        for c in cases:
            lines[c.series].append((c.x, c.seconds() / fixed[c.x]))
            rows.append([c.series, c.x, loads, f"{c.seconds():.3f}", f"{min(s.seconds for s in c.samples):.3f}",
                         f"{max(s.seconds for s in c.samples):.3f}", times(c.seconds() / fixed[c.x]),
                         f"{100 * median(s.efficiency for s in c.samples):.1f}", times(c.load_cores())])
        columns = ["runs", "remote events, %", "loads", "seconds", "least", "most", "against fixed", "efficiency, %",
                   "cores taken by loads"]
        plot = svg_plot(f"Figure {number}: {title}", "remote events in %", "run time / that of the fixed mapping",
                        [(name, line, False) for name, line in lines.items()], y_from=0)
        findings = []
        for name, line in lines.items():
            if name != "fixed":
                (x_most, most), (x_least, least) = max(line, key=lambda p: p[1]), min(line, key=lambda p: p[1])
                findings.append(f"{name}: {times(least)} (at {label(x_least)}% remote) to {times(most)} (at {label(x_most)}%) times the run "
                                "time of the fixed mapping.")
        if "LADM" in lines:
            ratios = dict(lines["LADM"])
            if not loads:
                findings.append(verdict("without load LADM takes less than 5% longer than the fixed mapping",
                                        max(ratios.values()) < 1.05))
            else:
                many = [r for x, r in ratios.items() if x >= 20]
                findings.append(verdict("from 20% remote events on LADM is faster than the fixed mapping, by up to 2.8 times",
                                        max(many) < 1))
        return Result(number, title, columns, rows, plot, findings)

    def figure_7(self):
        return self.mappings("7", 0)

    def figure_8(self):
        return self.mappings("8", 1)

    def figure_10(self):
        kinds = dict(self.e.kinds(DETECTORS))
        if not kinds:
            return None
        model = self.e.phold()
        cases, _, result = self.by_loads("10", "detector and reactivation, LADM",
                                         {name: (model, kind) for name, kind in kinds.items()})
        most = {c.series: c.seconds() for c in cases if c.loads == self.counts[-1]}
        best = min(most, key=most.get)
        result.findings.append(f"With {self.counts[-1]} loads {best} is the fastest, {max(most.values()) / most[best]:.2f} times "
                               f"as fast as {max(most, key=most.get)}. " + verdict("PI-RAP is the best of the four", best == "PI-RAP"))
        return result

    def figure_11(self):
        wanted = {name: DETECTORS[name] for name in ("PI-RAP", "APTE-PR")} | AUTO
        workers, loads = self.e.machine.workers, max(1, round(self.e.machine.workers * 5 / 8))
        model = self.e.phold()
        cases = self.e.measure([Case(name, 0, model, kind, loads) for name, kind in self.e.kinds(wanted)])
        cases = [c for c in cases if "active_workers" in c.samples[0].report["rounds"]]
        if not cases:
            return None
        best = max(1, workers - loads)
        lines, rows, findings = [], [], []
        for case in cases:
            rounds = sorted(case.samples, key=lambda s: s.seconds)[len(case.samples) // 2].report["rounds"]
            line = list(zip(rounds["wall_s"], rounds["active_workers"]))
            rows += [[case.series, f"{t:.4f}", n] for t, n in line]
            lines.append((case.series, without_repetitions(line), False))
            mean, right = over_time(line, lambda n: n), over_time(line, lambda n: n == best)
            findings.append(f"{case.series}: {mean:.2f} active workers on average, the best number ({best}) in {100 * right:.0f}% of "
                            "the time.")
        lines.append(("the best number", [(0, best), (max(p[0] for _, line, _ in lines for p in line), best)], True))
        title = f"active workers with {loads} load{'s' if loads > 1 else ''}"
        return Result("11", title, ["runs", "seconds", "active workers"], rows,
                      svg_plot(f"Figure 11: {title}", "run time in s", "active workers", lines, steps=True, y_from=0), findings)

    def figure_13(self):
        series = {f"{name}, EPG {epg:,}": (self.e.phold(epg=epg), kind) for epg in self.few(EPG)
                  for name, kind in self.e.kinds(FIXED_AND_LADM) if name != "auto"}
        cases, base_of, result = self.by_loads("13", "event granularity, 40% remote events", series)
        most = {c.series: c.seconds() / base_of(c).seconds() for c in cases if c.loads == self.counts[-1]}
        least_epg, most_epg = (most[f"fixed, EPG {epg:,}"] for epg in (EPG[0], EPG[-1]))
        result.findings.append(verdict("the longer events are, the less the fixed mapping suffers", most_epg < least_epg))
        return result

    def figure_15(self):
        model = self.e.pcs()
        cases, _, result = self.by_loads("15", "PCS", {name: (model, kind) for name, kind in self.e.kinds(FIXED_AND_LADM)})
        result.findings += self.ladm_claim(cases, 3.7)
        return result

    def figure_16(self):
        model = self.e.phold()
        kinds = dict(self.e.kinds(FIXED_AND_LADM))
        alone = {name: Case(name, 0, model, kind) for name, kind in kinds.items()}
        cases = [Case(name, period, model, kind, 1, period) for period in self.few(PERIODS) for name, kind in kinds.items()]
        self.e.measure([*alone.values(), *cases])
        base_of = lambda c: alone[c.series]
        title = "one load on and off, 40% remote events"
        columns, rows, plot = self.slowdowns("16", title, cases, "computation time per period, us", base_of, log_x=True)
        return Result("16", title, columns, rows, plot, self.gap(cases, base_of) + self.ladm_claim(cases, 2.1))

    def figure_17(self):
        model = self.e.phold()
        cases, _, result = self.by_loads("17", "loads on and off, 1,000 us, 40% remote events",
                                         {name: (model, kind) for name, kind in self.e.kinds(FIXED_AND_LADM)}, period=1000)
        result.findings += self.ladm_claim(cases, 2.7)
        return result
