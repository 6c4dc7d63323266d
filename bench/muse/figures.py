"""The figures of MUSE (Rao 2018) that are about threads: which runs they compare, what these show, what the paper has."""

from collections import defaultdict
from dataclasses import dataclass, replace

from air.plot import svg_plot
from muse.runs import CHANNELS, RANGES, REMOTE, Case, mean_with_interval, ratio, seconds

ITEQS = [c for c in CHANNELS if c.startswith("iteq")]
THROTTLES = ["none", "atw", "atw-repaired", "balanced"]
X_LABELS = {1: "receiver range", 2: "share of remote events"}


# Of what is drawn together: its name, which cases, what a line is called.
KINDS = [("channels", lambda c: c.pool == "own" and c.is_plain(), lambda c: c.name()),
         ("pools", lambda c: c.pool != "own" or c.channel == "spsc" and c.is_plain(), lambda c: c.pool),
         ("configurations", lambda c: c.pool == "own" and c.channel == "spsc" and c.throttle in ("none", "balanced"),
          lambda c: c.configuration_name())]


@dataclass
class Result:
    """What a figure shows."""

    name: str
    title: str
    paper: str  # what it has there
    columns: list
    rows: list
    plots: dict  # SVG by name
    findings: list


def shown(value, form="{:.4f}"):
    return "" if value is None else form.format(value)


def share(part, whole):
    return part / whole if part is not None and whole else None


def per_million(name):
    return lambda s: 1e6 * s[name] / s["committed"]


def text_of(found):
    return f"{found[0]:.2f} ({found[1]:.2f} to {found[2]:.2f})"


def compared(what, found, claim, holds_below=None, holds_above=None):
    """A sentence about a ratio with its interval, and whether it says anything about what the paper claims: that it is below, or
    above, a number."""
    if found is None:
        return f"{what}: no interval from a single run. The paper: {claim}."
    _, low, high = found
    bound = holds_below if holds_below is not None else holds_above
    if low <= bound <= high:
        said = "Here no difference is seen"
    else:
        said = "Here that holds" if (high < bound) == (holds_below is not None) else "Here it is the other way round"
    return f"{what}: {text_of(found)}. The paper: {claim}. {said}."


class Figures:
    """Each method is a figure; findings are made of what was measured."""

    def __init__(self, experiments):
        self.e = experiments
        self.options = experiments.options
        self.workers = self.options.workers
        self.most = max(self.workers)
        self.several = [w for w in self.workers if w > 1]

    # Tables and plots.

    COLUMNS = ["workers", "x", "channel", "events", "numa", "pool", "queues", "throttle", "runs", "seconds", "half width", "least", "ns per event",
               "cpu ns per event", "rollbacks per million", "rolled back per million", "messages per million", "anti-messages per million",
               "copied bytes per event", "most waiting blocks", "recycled", "instructions per event", "instructions per cycle",
               "cache misses per event"]

    def rows(self, found):
        rows = []
        for case, samples in found.items():
            mean, half = mean_with_interval([seconds(s) for s in samples])
            middle = lambda of: mean_with_interval([of(s) for s in samples])[0] if all(of(s) is not None for s in samples) else None
            events = samples[0]["committed"]
            rows.append([case.workers, case.x, *([case.channel, case.events, case.numa] if case.workers > 1 else ["", "", ""]), case.pool, case.queues or "",
                         case.throttle if case.workers > 1 else "", len(samples), shown(mean), shown(half),
                         shown(min(map(seconds, samples))), shown(1e9 * mean / events, "{:.1f}"),
                         shown(middle(lambda s: 1e9 * s["cpu_s"] / events), "{:.1f}"),
                         *[shown(middle(per_million(n)), "{:.1f}") for n in ("rollbacks", "rolled_back", "sent_remote", "anti_messages")],
                         shown(middle(lambda s: share(s["copied_bytes"], events)), "{:.1f}"),
                         shown(middle(lambda s: s["most_waiting_blocks"]), "{:.0f}"), shown(middle(lambda s: s["recycled"]), "{:.4f}"),
                         shown(middle(lambda s: share(s["instructions"], events)), "{:.1f}"),
                         shown(middle(lambda s: share(s["instructions"], s["cycles"])), "{:.3f}"),
                         shown(middle(lambda s: share(s["cache_misses"], events)), "{:.3f}")])
        return rows

    def plots(self, name, title, found, of, y_label):
        """Over x with a line per kind of run, for each number of workers; over workers for each x, where these are more than two."""
        plots = {}
        for kinds, is_kind, label in KINDS:
            chosen = {c: s for c, s in found.items() if is_kind(c)}
            if len({label(c) for c in chosen}) < 2:
                continue
            for workers in self.several:
                lines, bars = defaultdict(list), []
                for case, samples in chosen.items():
                    if case.workers == workers:
                        mean, half = mean_with_interval([of(s) for s in samples])
                        lines[label(case)].append((case.x, mean))
                        bars.append((label(case), case.x, mean - (half or 0), mean + (half or 0)))
                if lines:
                    configuration = next(iter(chosen)).configuration
                    plots[f"{name}_{kinds}_{workers}_workers"] = svg_plot(
                        f"{title}, {workers} workers", X_LABELS[configuration], y_label, [(n, l, False) for n, l in lines.items()],
                        log_x=configuration == 1, y_from=0, bars=bars)
            for x in sorted({c.x for c in chosen}) if len(self.workers) > 2 else []:
                lines, bars = defaultdict(list), []
                for case, samples in chosen.items():
                    if case.x == x:
                        mean, half = mean_with_interval([of(s) for s in samples])
                        lines[label(case)].append((case.workers, mean))
                        bars.append((label(case), case.workers, mean - (half or 0), mean + (half or 0)))
                plots[f"{name}_{kinds}_x_{x:g}"] = svg_plot(f"{title}, {X_LABELS[next(iter(chosen)).configuration]} {x:g}", "workers", y_label,
                                                           [(n, l, False) for n, l in lines.items()], y_from=0, bars=bars)
        return plots

    # Runs.

    def configurations(self):
        """The paper's four: shared or copied events, placed on memory nodes or not."""
        return [{"events": events, "numa": numa} for events in self.options.sharing for numa in self.options.numa]

    def kinds(self, configuration, xs):
        """Channels with each of the paper's four configurations, and pools with one of them. A single worker has no channel."""
        cases = []
        for x in xs:
            for workers in self.workers:
                channels = [c for c in CHANNELS if c in self.options.channels] if workers > 1 else ["spsc"]
                configurations = self.configurations() if workers > 1 else [{}]
                cases += [Case(configuration, x, workers, channel=channel, group="kinds", **of) for channel in channels for of in configurations]
                cases += [Case(configuration, x, workers, pool=pool, group="kinds") for pool in self.options.pools if pool != "own"]
        return cases

    def queue_cases(self):
        cases = []
        for workers in self.several:
            counts = sorted({1, max(1, workers // 2), workers, 2 * workers})
            cases += [Case(2, 0.5, workers, channel=channel, queues=k, group="queues") for channel in ITEQS if channel in self.options.channels
                      for k in counts]
        return cases

    # Findings.

    def configuration_findings(self, found):
        """Of each pair of cases that differ in one of the two only, over all channels, points and turns."""
        out = []
        for name, of, over, under, claim, holds_above in (
                ("copied against shared events", "events", "copied", "shared", "shared ones are faster", 1),
                ("--numa on against off", "numa", "on", "off", "it costs up to 5% with one processor", 1)):
            both = [[{**s, "repetition": (replace(c, **{of: ""}), s["repetition"])} for c, ss in found.items() for s in ss
                     if c.workers == self.most and c.pool == "own" and getattr(c, of) == value] for value in (over, under)]
            if all(both):
                out.append(compared(f"{self.most} workers, run time with {name}, over all channels and points", ratio(*both), claim,
                                    holds_above=holds_above))
        return out

    def all_of(self, found, over, under, of=seconds):
        """The ratio over all x at once: `over` and `under` choose the cases, which are joined by x and workers. Only those that share
        events, and place none."""
        first, second = [], []
        for into, chooses in ((first, over), (second, under)):
            for case, samples in found.items():
                if case.workers == self.most and case.is_plain() and chooses(case):
                    into += [{**s, "repetition": (case.x, case.queues, s["repetition"])} for s in samples]
        return ratio(first, second, of)

    def channel_findings(self, found):
        out = []
        for channel in ITEQS + ["mpsc"]:
            if self.all_of(found, lambda c: c.channel == channel, lambda c: c.channel == "spsc" and c.pool == "own"):
                it = self.all_of(found, lambda c: c.channel == channel, lambda c: c.channel == "spsc" and c.pool == "own")
                out.append(f"{self.most} workers, run time with {channel} against spsc, over all points: {text_of(it)}.")
        return out

    def pool_findings(self, found):
        out = []
        for pool in self.options.pools:
            for workers in self.workers:
                first = [{**s, "repetition": (c.x, s["repetition"])} for c, ss in found.items() for s in ss
                         if c.pool == pool and c.workers == workers]
                own = [{**s, "repetition": (c.x, s["repetition"])} for c, ss in found.items() for s in ss
                       if c.pool == "own" and c.channel == "spsc" and c.is_plain() and c.workers == workers]
                if pool != "own" and (it := ratio(first, own)):
                    out.append(f"{workers} worker{'s' if workers > 1 else ''}, run time with {pool} against own pools, over all points: "
                               f"{text_of(it)}.")
        return out

    def ends(self, found, of, name, claim, xs):
        """Whether something grows from the first x to the last."""
        low, high = ([{**s, "repetition": s["repetition"]} for c, ss in found.items() for s in ss
                      if c.x == x and c.workers == self.most and c.channel == "spsc" and c.pool == "own" and c.is_plain()] for x in (xs[0], xs[-1]))
        return compared(f"{self.most} workers, spsc, {name} at {xs[-1]:g} against {xs[0]:g}", ratio(high, low, of), claim, holds_above=1)

    # Figures.

    def figure_7(self):
        found = self.e.measure(self.queue_cases())
        lines, bars = defaultdict(list), []
        for case, samples in found.items():
            if case.workers == self.most:
                mean, half = mean_with_interval([seconds(s) for s in samples])
                lines[case.channel].append((case.queues, mean))
                bars.append((case.channel, case.queues, mean - (half or 0), mean + (half or 0)))
        plot = svg_plot(f"{self.most} workers, half of the events remote", "queues of each PE", "seconds", [(n, l, False) for n, l in lines.items()],
                        log_x=True, y_from=0, bars=bars) if lines else ""
        is_of = lambda channel: lambda c: c.channel == channel
        findings = [compared(f"{self.most} workers, run time of lock-free against locked queues, over all numbers of queues",
                             self.all_of(found, is_of("iteq-lock-free"), is_of("iteq-locked")),
                             "locked queues are generally faster than lock-free ones", holds_above=1)]
        spinning = self.all_of(found, is_of("iteq-spinning"), is_of("iteq-locked"))
        if spinning:
            findings.append(f"The same of spinning against locked: {text_of(spinning)}. The paper proposes spin locks, and has no figure.")
        half, others = max(1, self.most // 2), [k for k in sorted({c.queues for c in found}) if k != max(1, self.most // 2)]
        for k in others:
            pick = lambda n: [{**s, "repetition": (c.channel, s["repetition"])} for c, ss in found.items() for s in ss
                              if c.queues == n and c.workers == self.most]
            findings.append(compared(f"{self.most} workers, run time with {k} queues against {half}, half as many as workers",
                                     ratio(pick(k), pick(half)), "half as many is generally best", holds_above=1))
        return Result("figure_7", "Inter-thread event queues: kind and number", "locked faster than lock-free; half as many as threads is best",
                      self.COLUMNS, self.rows(found), {"figure_7": plot} if plot else {}, findings)

    def figure_8(self):
        found = self.e.measure(self.queue_cases())
        counted = {c: ss for c, ss in found.items() if all(s["cycles"] and s["instructions"] for s in ss)}
        paper = "0.70 instructions per cycle with locked, 0.65 with lock-free queues (-7.7%), slightly more cache misses"
        if not counted:
            return Result("figure_8", "Instructions per cycle and cache misses", paper, self.COLUMNS, [], {},
                          ["Nothing can be said: this machine counts neither cycles nor instructions for a program."])
        per_cycle = lambda s: s["instructions"] / s["cycles"]
        is_of = lambda channel: lambda c: c.channel == channel
        lines = defaultdict(list)
        for case, samples in counted.items():
            if case.workers == self.most:
                lines[case.channel].append((case.queues, mean_with_interval([per_cycle(s) for s in samples])[0]))
        plot = svg_plot(f"{self.most} workers", "queues of each PE", "instructions per cycle", [(n, l, False) for n, l in lines.items()], log_x=True,
                        y_from=0)
        return Result("figure_8", "Instructions per cycle and cache misses", paper, self.COLUMNS, self.rows(counted), {"figure_8": plot},
                      [compared(f"{self.most} workers, instructions per cycle of lock-free against locked queues",
                                self.all_of(counted, is_of("iteq-lock-free"), is_of("iteq-locked"), per_cycle),
                                "7.7% fewer with lock-free queues", holds_below=1)])

    def figure_9(self):
        cases = [Case(2, x, w, throttle=t, group="throttles") for w in self.several for x in REMOTE for t in THROTTLES]
        cases += [Case(2, x, w, throttle=t, group="throttles", **of) for w in self.several for x in REMOTE for t in ("none", "atw")
                  for of in self.configurations()]
        found = self.e.measure(cases)
        is_of = lambda throttle: lambda c: c.throttle == throttle
        findings = [compared(f"{self.most} workers, run time with {throttle} against none, over all shares",
                             self.all_of(found, is_of(throttle), is_of("none")),
                             "an adaptive window saves up to 10%, and costs 2% in some cases", holds_below=1) for throttle in THROTTLES[1:]]
        for of in self.configurations():
            one = {replace(c, events="shared", numa="off"): s for c, s in found.items() if (c.events, c.numa) == (of["events"], of["numa"])}
            it = self.all_of(one, is_of("atw"), is_of("none"))
            if it and of != {"events": "shared", "numa": "off"}:
                findings.append(f"The same of atw with {next(c for c in found if vars(c) | of == vars(c)).configuration_name()}: {text_of(it)}.")
        plots = self.plots("figure_9", "Throttles", found, seconds, "seconds")
        return Result("figure_9", "Adaptive time window (configuration 2)", "up to 10% less time with the window, 2% more in some cases",
                      self.COLUMNS, self.rows(found), plots, findings)

    def figure_10(self):
        found = self.e.measure(self.kinds(1, RANGES))
        findings = [self.ends(found, seconds, "run time at range", "a wider range means more remote events, and more time", RANGES),
                    *self.configuration_findings(found), *self.channel_findings(found), *self.pool_findings(found)]
        return Result("figure_10", "Configuration 1: run time", "shared events are faster than copied ones, NUMA-aware recycling costs up to 5% on "
                      "one processor; threads against MPI have no clear winner", self.COLUMNS, self.rows(found),
                      self.plots("figure_10", "Configuration 1", found, seconds, "seconds"), findings)

    def figure_11(self):
        found = self.e.measure(self.kinds(1, RANGES))
        rollbacks = per_million("rollbacks")
        messages = per_million("sent_remote")
        findings = [self.ends(found, messages, "messages at range", "they increase with the range", RANGES),
                    self.ends(found, rollbacks, "rollbacks at range", "fewest at range 10 (of processes)", RANGES)]
        plots = self.plots("figure_11_messages", "Configuration 1: messages", found, messages, "messages per million events")
        plots |= self.plots("figure_11_rollbacks", "Configuration 1: rollbacks", found, rollbacks, "rollbacks per million events")
        return Result("figure_11", "Configuration 1: messages and rollbacks", "messages increase with the range; processes roll back least at range 10 "
                      "and conspicuously more at 100", self.COLUMNS, self.rows(found), plots, findings)

    def figure_14(self):
        found = self.e.measure(self.kinds(2, REMOTE))
        findings = [self.ends(found, seconds, "run time at a share of", "more remote events take more time", REMOTE),
                    *self.configuration_findings(found), *self.channel_findings(found), *self.pool_findings(found)]
        return Result("figure_14", "Configuration 2: run time", "shared events are faster than copied ones; NUMA-aware recycling adds 90 instructions "
                      "per event, 5%", self.COLUMNS, self.rows(found),
                      self.plots("figure_14", "Configuration 2", found, seconds, "seconds"), findings)

    def figure_15(self):
        found = self.e.measure(self.kinds(2, REMOTE))
        rollbacks = per_million("rollbacks")
        return Result("figure_15", "Configuration 2: rollbacks", "more remote events cause more rollbacks", self.COLUMNS, self.rows(found),
                      self.plots("figure_15", "Configuration 2: rollbacks", found, rollbacks, "rollbacks per million events"),
                      [self.ends(found, rollbacks, "rollbacks at a share of", "they increase with the share", REMOTE)])
