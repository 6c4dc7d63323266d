"""ROSS-CMT: J. Wang, K. Bahulkar, D. Ponomarev, N. Abu-Ghazaleh, "Can PDES Scale in Environments with Heterogeneous Delays?",
SIGSIM-PADS 2013."""

from papers.claims import Grows, Level, More, Same
from papers.figure import COPIES, MEMORY, SLOW, Figure, Label, Point, Quantity, Run
from papers.quantities import (CPU_RATE, EFFICIENCY, EVENTS_PER_MESSAGE, NS_PER_EVENT, RATE, REMOTE_ROLLBACKS, REMOTE_SHARE, SUCCESSFUL_PROBES,
                               of)
from papers.workloads import OPTIMISTIC, by_place, placed

NAME = "ROSS-CMT (Wang, Bahulkar, Ponomarev, Abu-Ghazaleh 2013)"
ABOUT = ("Clusters of multicores: a thread for communication, messages put together, fewer looks at the network, partitions in two levels. "
         "Workers swap no cores (`--core-swap off`), as in ROSS-CMT.")
LETTER = "C"

OBJECTS, EVENTS_PER_LP = 1000, 4  # per PE, sections 4.1 and 4.3
EVENTS = 150_000  # committed, of a run: half a second between hosts
WORKERS = 2  # of each rank, beside its communication thread
SHARES = [0, 20, 40, 60, 80]


def messages(consolidation, polling_period):
    """The paper's engine swaps no cores. Here workers would swap them in vain: emulated hosts share the cores of this machine, and a rank
    takes what another rank does for what other programs do."""
    return "--consolidation", consolidation, "--polling-period", polling_period, "--core-swap", "off"


BASELINE, POLLING, CONSOLIDATION, OPTIMIZED, DEFAULT = (
    messages("off", 1), messages("off", 4), messages("on", 1), messages("on", 4), messages("on", "auto"))
OPTIMIZATIONS = {"baseline": BASELINE, "infrequent polling": POLLING, "consolidation": CONSOLIDATION, "both": OPTIMIZED, "engine's default": DEFAULT}
THREAD = ("--comm", "thread")


def run(setting, ranks, workers, remote, regional, kind, *, per_pe=OBJECTS, events=EVENTS, epg=0, network=None):
    """Shares in percent. Ranks have a communication thread where the paper's nodes have one: with several workers."""
    model = by_place(ranks, workers, per_pe, EVENTS_PER_LP, setting.events(events), remote / 100, regional / 100, *(("--epg", epg) if epg else ()))
    has_thread = ranks > 1 and workers > 1
    return placed(ranks, workers, model, *(kind if ranks > 1 else ("--mapping", "fixed")), *(THREAD if has_thread else ()), remote=remote / 100,
                  regional=regional / 100, network=network or setting.slow_network, comm_thread=has_thread)


def not_local(setting, ranks, workers, percent, kind, **more):
    """A share of throws to other PEs, to each of them alike."""
    regional = percent * (workers - 1) / (ranks * workers - 1)
    return run(setting, ranks, workers, percent - regional, regional, kind, **more)


def points_table_1(setting):
    """By bytes, within a machine and between hosts."""
    networks = {"between cores": MEMORY, "between cores, no CMA": COPIES, "between nodes": setting.slow_network}
    return [Point(name, size, Run((), (21 if setting.quick else 101, size), 2, network, tool="transport"))
            for name, network in networks.items() for size in (4, 256, 1024, 8192, 16384)]


def heterogeneous(setting):
    """Tables 2 and 3: what the paper calls the baseline, two ranks of two workers."""
    shares = [0, 20, 80] if setting.quick else [0, 20, 40, 60, 80]
    return [Point(f"{regional}% regional", remote, *run(setting, 2, WORKERS, remote, regional, BASELINE))
            for regional in shares for remote in shares if regional + remote <= 100]


def points_2(setting):
    out = []
    for percent in setting.few([20, 40, 60, 80, 100]):
        for name, kind in {"with": CONSOLIDATION, "without": BASELINE}.items():
            out.append(Point(f"threads, {name}", percent, *not_local(setting, 2, WORKERS, percent, kind)))
            out.append(Point(f"processes, {name}", percent, *not_local(setting, 4, 1, percent, kind)))
    return out


def by_ranks(setting, kinds, ranks, **more):
    """A fixed number of objects over ranks of two workers each."""
    return [Point(f"{name}, {percent}% remote", n, *run(setting, n, WORKERS, percent, 0, kind, per_pe=6048 // n, **more))
            for percent in (20, 80) for n in setting.few(ranks) for name, kind in kinds.items()]


def points_3(setting):
    return by_ranks(setting, {"baseline": BASELINE, "consolidation": CONSOLIDATION}, [2, 3, 4])


def optimizations(setting, workers):
    return [Point(name, percent, *not_local(setting, 2, workers, percent, kind)) for percent in setting.few(SHARES[1:])
            for name, kind in OPTIMIZATIONS.items()]


def points_6(setting):
    """Partitions of a profile of a short run, as the paper's; in one level, and in two. By number of PEs."""
    out = []
    for ranks, pes in ([(3, 4)] if setting.quick else [(2, 4), (3, 4), (4, 4)]):
        model = ("phold", "--lps", 240 * ranks * pes, "--events-per-lp", EVENTS_PER_LP, "--receiver", "hierarchical", "--local-size", 30,
                 "--region-size", 240 * pes, "--remote", 0.05, "--regional", 0.45, "--until", f"{setting.events(EVENTS) / (960 * ranks * pes):.4g}")
        for name, levels in (("LOP", 1), ("LSP", 2)):
            for mcip, kind in (("", BASELINE), ("-MCIP", OPTIMIZED)):
                engine = (*OPTIMISTIC, "--workers", WORKERS, "--pes", pes, *kind, *THREAD)
                profile = ("--profile-until", 2, "--parts", ranks * pes, "--ranks", ranks, "--levels", levels)
                out.append(Point(name + mcip, ranks * pes, Run(model, engine, ranks, setting.slow_network, profile=profile),
                                 Label(pes=ranks * pes, workers=WORKERS, ranks=ranks, sync="optimistic", rounds=True, comm_thread=True)))
    return out


def by_pes(setting, epg=0, events=EVENTS):
    """Processes, and two ranks of more and more workers. The model is that of the workers, so that all have the same."""
    out = []
    for percent in (20, 80):
        for pes in setting.few([2, 4]):
            model_of = dict(per_pe=6048 // pes, epg=epg, events=events)
            for name, kind in {"baseline": BASELINE, "optimized": OPTIMIZED}.items():
                out.append(Point(f"{name}, {percent}% remote", pes, *run(setting, 2, pes // 2, percent, 0, kind, **model_of)))
            if pes == 2:  # two ranks of one worker are two processes
                continue
            threads, _ = run(setting, 2, pes // 2, percent, 0, BASELINE, **model_of)
            out.append(Point(f"processes, {percent}% remote", pes, *processes(threads, pes)))
    return out


def processes(threads, pes):
    """(Run, Label) of the same model over as many ranks as there were workers, without any optimization."""
    engine = (*OPTIMISTIC, "--workers", 1, "--partition", "block", *BASELINE)
    return Run(threads.model, engine, pes, threads.network), \
        Label(pes=pes, workers=1, ranks=pes, sync="optimistic", partition="block", rounds=True)


def with_processes(points):
    """Beside each baseline of ranks of two workers, twice as many ranks of one."""
    return points + [Point(p.series.replace("baseline", "processes"), p.x, *processes(p.run, WORKERS * p.run.ranks))
                     for p in points if p.series.startswith("baseline")]


def points_8(setting):
    return with_processes(by_ranks(setting, {"baseline": BASELINE, "optimized": OPTIMIZED}, [2, 3, 4]))


def points_9(setting):
    """Beside the sequential run of the same model."""
    out = with_processes(by_ranks(setting, {"baseline": BASELINE, "optimized": OPTIMIZED, "engine's default": DEFAULT}, [2, 4]))
    for made in [point for point in out if point.series.startswith("baseline")]:
        alone = Run(made.run.model, ("--sync", "sequential"))
        out.append(Point(made.series.replace("baseline", "sequential"), made.x, alone, Label(sync="sequential", pes=1)))
    return out


def pcs(setting, ranks, workers, kind, until=25):
    grid, until = ("60x60", min(until, 20)) if setting.quick else ("240x240", until)
    has_thread = ranks > 1 and workers > 1
    engine = (*OPTIMISTIC, "--workers", workers, "--partition", "block", *kind, *(THREAD if has_thread else ()))
    return Run(("pcs", "--grid", grid, "--until", until), engine, ranks, setting.slow_network), \
        Label(pes=ranks * workers, workers=workers, ranks=ranks, sync="optimistic", partition="block", rounds=True, comm_thread=has_thread)


def points_11(setting):
    out = []
    for pes in (2, 4):
        out += [Point(name, pes, *pcs(setting, 2, pes // 2, kind)) for name, kind in {"baseline": BASELINE, "optimized": OPTIMIZED}.items()]
    return [*out, Point("processes", 4, *pcs(setting, 4, 1, BASELINE))]


def points_11_ranks(setting):
    return with_processes([Point(name, ranks, *pcs(setting, ranks, WORKERS, kind, until=10)) for ranks in setting.few([2, 3, 4])
                           for name, kind in {"baseline": BASELINE, "optimized": OPTIMIZED}.items()])


LATENCY = Quantity("us one way", of("latency_us"), is_better_high=False)
TCP = "a message between hosts costs a system call by TCP beside its 60 us, so that putting messages together gains more than in the paper"
SAME_CUT = "METIS cuts as few links in one level with 8 and with 16 PEs; only with 12 two levels cut fewer"
THREE_THREADS = "two workers and a communication thread of each rank take turns on 2 cores, for messages that cost little"
FEW_MESSAGES = "towers of a block call across its border only: fewer than 1% of the events leave a rank, and messages cost little"
CROWDED = "has 2 ranks of 2 workers and a communication thread on 2 cores"
NODES = "has 2 cores for the paper's 2 to 9 nodes of 8 threads"

FIGURES = [
    Figure("table_1", "latency of a message", "0.24 us between cores, 62 us between nodes, 4 bytes; 2.9 and 269 us, 16 KiB", points_table_1, "bytes", LATENCY,
           (More("a message between nodes takes two orders of magnitude longer, 4 bytes", "between cores", "between nodes", times=200, at=4),
            Grows("16 KiB take longer than 4 bytes between cores", "between cores", times=10),
            More("copied once (CMA) is faster than twice, 16 KiB", "between cores", "between cores, no CMA", at=16384)), log_x=True),
    Figure("table_2", "time by shares of regional and remote events, baseline", "remote events cost 10 times the time (44.4 for 10.9 s at 20%, 117.5 s at 80%), regional ones twice",
           heterogeneous, "remote, %", NS_PER_EVENT,
           (Grows("80% remote events make an event about 10 times as long, 20% regional", "20% regional", times=10),
            More("80% regional ones cost about twice", "0% regional", "80% regional", times=2, at=0)), (EFFICIENCY,), needs=CROWDED),
    Figure("table_3", "share of rollbacks by other ranks", "72.5% with 20% regional and 20% remote events, more than their share of the events; 87.3% with 80% remote",
           heterogeneous, "remote, %", REMOTE_ROLLBACKS,
           (Level("more than half with 20% regional and 20% remote events", "20% regional", 0.5, of=REMOTE_ROLLBACKS, at=20,
                  because="the share is near the bound, and five runs show no more"),
            Level("more than 80% with 20% regional and 80% remote", "20% regional", 0.8, of=REMOTE_ROLLBACKS, at=80)), (EFFICIENCY,), needs=CROWDED),
    Figure("figure_2", "consolidation, 4 PEs", "threads gain up to 2 times at 100%, and are up to 3 times as fast as processes; more events per message with threads",
           points_2, "not local, %", RATE,
           (More("consolidation brings threads up to 2 times", "threads, with", "threads, without", times=2, at="best"),
            More("threads with it are up to 3 times as fast as processes without", "threads, with", "processes, without", times=3, at="best"),
            More("more events per message with threads than with processes", "threads, with", "processes, with", EVENTS_PER_MESSAGE)),
           (EVENTS_PER_MESSAGE, EFFICIENCY), needs=CROWDED),
    Figure("figure_3", "consolidation by number of ranks", "up to 2.2 times at 80% remote", points_3, "ranks of 2 workers", RATE,
           (More("consolidation is up to 2.2 times as fast, 80% remote", "consolidation, 80% remote", "baseline, 80% remote", times=2.2, at="best"),
            More("it is faster, 20% remote", "consolidation, 20% remote", "baseline, 20% remote", at="best")), (EVENTS_PER_MESSAGE, EFFICIENCY), needs=NODES),
    Figure("figure_4", "infrequent polling and consolidation, 2 ranks of one worker", "polling gains up to 20%, both up to 2.2 times",
           lambda setting: optimizations(setting, 1), "not local, %", RATE,
           (More("both gain up to 2.2 times", "both", "baseline", times=2.2, at="best"),
            More("infrequent polling alone up to 20%", "infrequent polling", "baseline", times=1.2, at="best"),
            More("fewer looks find something with consolidation alone", "baseline", "consolidation", SUCCESSFUL_PROBES)),
           (EVENTS_PER_MESSAGE, SUCCESSFUL_PROBES), base="baseline"),
    Figure("figure_5", "the same, 2 ranks of 2 workers", "as figure 4, 64-way", lambda setting: optimizations(setting, WORKERS), "not local, %", RATE,
           (More("both gain up to 2.2 times", "both", "baseline", times=2.2, at="best"),
            More("infrequent polling alone up to 20%", "infrequent polling", "baseline", times=1.2, at="best")),
           (EVENTS_PER_MESSAGE, SUCCESSFUL_PROBES), base="baseline", needs=CROWDED),
    Figure("figure_6", "partition of a profile in one level (LOP) and in two (LSP)", "two levels are 15% faster with 16 parts, 44% with 64",
           points_6, "PEs", RATE,
           (More("two levels are faster, by 15% to 44%", "LSP", "LOP", times=1.15),
            More("fewer events go to other ranks", "LSP", "LOP", REMOTE_SHARE),
            More("both together are the fastest", "LSP-MCIP", "LOP-MCIP", because=SAME_CUT)),
           (REMOTE_SHARE, EFFICIENCY), needs="has ranks of 2 workers, 4 PEs and a communication thread on 2 cores", repetitions=10),
    Figure("figure_7", "more workers per rank", "optimized 1.4 to 2 times the baseline; about 4 times processes", by_pes, "PEs", RATE,
           (More("optimized is faster than the baseline, 80% remote", "optimized, 80% remote", "baseline, 80% remote", times=2, at=4),
            More("optimized is faster than the baseline, 20% remote", "optimized, 20% remote", "baseline, 20% remote", times=1.4, at=4),
            More("optimized is about 4 times processes, 80% remote", "optimized, 80% remote", "processes, 80% remote", times=4, at=4)),
           (EVENTS_PER_MESSAGE, EFFICIENCY), needs=CROWDED),
    Figure("figure_8", "more ranks", "optimized is up to 2 times the baseline", points_8, "ranks of 2 workers", RATE,
           (More("optimized is faster, 80% remote", "optimized, 80% remote", "baseline, 80% remote", times=2, at="best"),
            More("optimized is faster, 20% remote", "optimized, 20% remote", "baseline, 20% remote", times=2, at="best")),
           (EVENTS_PER_MESSAGE, EFFICIENCY), needs=NODES),
    Figure("figure_9", "against the sequential run", "optimized gains most over a sequential run", points_9, "ranks of 2 workers", RATE,
           (More("optimized is faster than sequential, 20% remote", "optimized, 20% remote", "sequential, 20% remote", at="best",
                 because="2 cores behind links of 60 us: a sequential run has no links"),
            More("optimized is nearer to it than the baseline", "optimized, 20% remote", "baseline, 20% remote")), (EFFICIENCY,), needs=NODES),
    Figure("figure_10", "more workers per rank, long events (EPG 3000)", "baseline and optimized are close: communication does not dominate",
           lambda setting: by_pes(setting, 3000, EVENTS // 3), "PEs", RATE,
           (Same("both are about as fast, 20% remote", "optimized, 20% remote", "baseline, 20% remote", 0.2, because=TCP),
            Same("both are about as fast, 80% remote", "optimized, 80% remote", "baseline, 80% remote", 0.2, because=TCP)),
           (EVENTS_PER_MESSAGE, EFFICIENCY), needs=CROWDED),
    Figure("figure_11", "PCS over workers, 57,600 towers", "optimized 1.7 times the baseline, 2 times processes", points_11, "PEs", RATE,
           (More("optimized is faster than the baseline, by 1.7", "optimized", "baseline", times=1.7, at=4, because=FEW_MESSAGES),
            More("optimized is faster than processes, by 2", "optimized", "processes", times=2, at=4, because=FEW_MESSAGES)),
           (EVENTS_PER_MESSAGE, EFFICIENCY, CPU_RATE), needs=CROWDED, also="figure 11(a)"),
    Figure("figure_11_ranks", "PCS over ranks, 57,600 towers", "optimized is faster than the baseline and than processes on 2 to 8 nodes", points_11_ranks,
           "ranks of 2 workers", RATE,
           (More("optimized is faster than the baseline", "optimized", "baseline", because=FEW_MESSAGES),
            More("optimized is faster than processes", "optimized", "processes", because=THREE_THREADS)),
           (EVENTS_PER_MESSAGE, EFFICIENCY, CPU_RATE), needs=NODES, also="figure 11(b)"),
]
