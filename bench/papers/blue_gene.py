"""ROSS on Blue Gene: D. W. Bauer, C. D. Carothers, A. Holder, "Scalable Time Warp on Blue Gene Supercomputers", PADS 2009."""

from papers.claims import BestAt, Flat, Grows, Level, More, Same
from papers.figure import Figure, Label, Point, Quantity, Run
from papers.quantities import CPU_RATE, EFFICIENCY, ITERATIONS, RATE, ROLLBACK_EFFICIENCY, of
from papers.workloads import ALONE, FIXED, by_place, phold, placed

NAME = "ROSS on Blue Gene (Bauer, Carothers, Holder 2009)"
ABOUT = "Reverse computation, asynchronous messages and GVT by counting, up to 131,072 processors."
LETTER = "B"

REMOTE = [0.1, 0.25, 0.5, 1.0]
EVENTS = 1_500_000
RANKS = 2
LPS = 1_048_576  # of the paper's PHOLD, on any number of processors
BATCH = 16  # of the runs whose GVT interval is in the paper's unit, turns of the main loop


def swept(setting, option, values, *more, unit=1):
    """PHOLD over two ranks by share of remote events, with one option of the engine swept. `unit`: what the option takes for 1."""
    points = []
    for share in [REMOTE[0], REMOTE[-1]] if setting.quick else REMOTE:
        model = by_place(RANKS, 1, 8192, 10, setting.events(EVENTS), remote=share)
        for value in setting.few(values):
            asked = value * unit if unit != 1 else value
            points.append(Point(f"{100 * share:.0f}% remote", value, *placed(RANKS, 1, model, *more, option, asked, remote=share)))
    return points


def points_1(setting):
    return swept(setting, "--batch", [1, 2, 8, 32, 128, 512])


def points_2(setting):
    """Without a window, as there: where PEs wait at its end, a round begins at once."""
    return swept(setting, "--gvt-interval", [8, 64, 256, 1024, 4096], "--batch", BATCH, "--throttle", "none", unit=BATCH)


def points_3(setting):
    return swept(setting, "--lps-per-group", [1, 8, 64, 512])


def points_4(setting):
    points = []
    for share in [REMOTE[0], REMOTE[-1]]:
        model = by_place(RANKS, 1, 8192, 10, setting.events(EVENTS), remote=share)
        for count in setting.few([4, 16, 64, 256]):
            points.append(Point(f"{100 * share:.0f}% remote", count,
                                *placed(RANKS, 1, model, "--send-buffers", count, "--receive-buffers", count, remote=share)))
    return points


def points_5(setting):
    points = []
    for share in [REMOTE[0], REMOTE[-1]]:
        for ranks in setting.few([1, 2, 4]):
            model = phold(16384, 10, setting.events(EVENTS), "--remote", share)
            engine = ("--sync", "optimistic", "--workers", 1, "--partition", "block", *(ALONE if ranks == 1 else ()))
            # Of the throws to any LP, 1 / ranks stay.
            points.append(Point(f"{100 * share:.0f}% to any LP", ranks, Run(model, engine, ranks),
                                Label(remote=share * (1 - 1 / ranks), pes=ranks, workers=1, ranks=ranks, sync="optimistic", partition="block",
                                      rounds=True)))
    return points


WINDOWS = {"": ("--horizon", 0.5), ", no window": ()}  # how far beyond GVT cores go; the paper's engine knows no such limit


def predicted(setting):
    """What the model of a machine says: examples/time_warp.cpp, with the costs that were fitted on 1 to 4 ranks. The paper's LPs, batch
    and GVT interval."""
    simulated = {64: "1e-3", 1024: "1e-3"} if setting.quick else {64: "1e-3", 1024: "1e-3", 16384: "1e-3", 65536: "8e-4", 131072: "8e-4"}  # seconds
    return [Point(f"{100 * share:.0f}% to any LP{name}", n,
                  Run((), ("--cores", n, "--lps", LPS // 64 if setting.quick else LPS, "--remote", share, "--turn", 8, "--round", 64, *window, "--until", until),
                      tool="time_warp"))
            for share in (0.1, 1.0) for name, window in WINDOWS.items() for n, until in simulated.items()]


def tlm(setting, workers, radios, until, *engine):
    columns = 16 if setting.quick else 64
    model = ("tlm", "--grid", f"{columns * workers}x{'16x4' if setting.quick else '64x4'}", "--transmitters", radios * workers,
             "--until", until)
    alone = ALONE if workers == 1 else ()
    return Run(model, (*FIXED, "--workers", workers, *alone, *engine)), Label(pes=workers, workers=workers, sync="optimistic", mapping="fixed", rounds=True)


def points_9(setting):
    return [Point(f"batch {batch}", interval, *tlm(setting, 2, 100, 80, "--gvt-interval", interval * batch, "--batch", batch, "--throttle", "none"))
            for batch in setting.few([16, 64, 256]) for interval in setting.few(INTERVALS)]


def points_10(setting):
    return [Point(f"{workers} workers, {radios} radios each", interval,
                  *tlm(setting, workers, radios, 80, "--gvt-interval", interval * 64, "--batch", 64, "--throttle", "none"))
            for workers in (1, 2) for radios in setting.few([10, 100]) for interval in setting.few(INTERVALS)]


def points_11(setting):
    return [Point(f"{workers} workers", radios, *tlm(setting, workers, radios, 40)) for workers in (1, 2) for radios in setting.few([1, 10, 100])]


def points_probes(setting):
    """The engine's table of copied events, and one made as the paper says: quadratic probing, prime sizes."""
    return [Point(table, ids, Run((), (table, ids), tool="probes"))
            for table in ("match table", "prime table") for ids in ("random", "every-other", "counted")]


INTERVALS = [16, 64, 256, 1024]  # turns


def is_inside(x):
    return x not in (8, 4096)


SEARCH = Quantity("probes of a search", of("search_probes"), is_better_high=False)
INSERTION = Quantity("probes of an insertion", of("insertion_probes"), is_better_high=False)
PREDICTED_RATE = Quantity("predicted events/s", lambda s: (s["executed"] - s["undone"]) / s["until"], is_computed=True)
PREDICTED_EFFICIENCY = Quantity("predicted rollback efficiency", lambda s: 1 - s["undone"] / (s["executed"] - s["undone"]), is_computed=True)  # equation 3
MODEL = "is predicted by a model that was fitted on 1 to 4 ranks (assumptions and errors: bench/results/machines.md)"

SCATTER = "the same runs differ by more than 10%, so that five cannot show that little matters"
NO_BARRIER = "a GVT round interrupts no worker here: all go on while it counts"
ONE_CACHE = "likely that both cores have one last-level cache, so that a second core brings none with it"

FIGURES = [
    Figure("equations_1_2", "probes of a hash table that is half full", "1.4 for a search, 2.0 for an insertion", points_probes, "ids", SEARCH,
           (Level("the paper's table needs about 1.4 probes for a search, random ids", "prime table", 1.3, 1.5, at="random"),
            Level("and about 2.0 for an insertion", "prime table", 1.9, 2.2, of=INSERTION, at="random"),
            Level("the engine's table needs one where ids are counted, as in a run", "match table", 1, 1.1, at="counted")), (INSERTION,)),
    Figure("figure_1", "batch size", "best 2 with many remote events, larger with 10%", points_1, "events per batch", RATE,
           (BestAt("with 100% remote events small batches are best", "100% remote", lambda x: x <= 8,
                   because="a look at the network costs more here than what a larger batch rolls back"),
            BestAt("with 10% remote events larger batches are best", "10% remote", lambda x: x > 2)),
           (EFFICIENCY,), log_x=True),
    Figure("figure_2", "GVT interval, in turns of the main loop of 16 events", "best 512 turns, with 10% remote events 2,048", points_2,
           "turns between GVT rounds", RATE,
           (BestAt("with 100% remote events neither the least nor the most is best", "100% remote", is_inside),
            BestAt("with 10% remote events long intervals are best", "10% remote", lambda x: x >= 256, because=NO_BARRIER)),
           (ITERATIONS, EFFICIENCY), log_x=True, x_ran=ITERATIONS),
    Figure("figure_3", "LPs that share a history (KPs)", "16 KPs per processor are best, of 128 LPs: groups of 8", points_3, "LPs per group", RATE,
           (BestAt("groups are better than single LPs, 10% remote", "10% remote", lambda x: x > 1,
                   because="a history of one LP costs no more here than a group's: commits follow a log of the PE, not each group"),
            BestAt("groups are better than single LPs, 100% remote", "100% remote", lambda x: x > 1, because="the same")), (EFFICIENCY,), log_x=True),
    Figure("figure_4", "number of send and receive buffers", "hardly any effect", points_4, "buffers", RATE,
           (Flat("their number hardly matters, 100% remote", "100% remote", 0.1, because=SCATTER),
            Flat("their number hardly matters, 10% remote", "10% remote", 0.1, because=SCATTER)),
           (EFFICIENCY,), log_x=True),
    Figure("figure_5", "strong scaling", "superlinear: the model fits better into the caches of more processors", points_5, "ranks", RATE,
           (Grows("two ranks are more than twice as fast as one, 10% remote", "10% to any LP", to=2, beyond=lambda ranks: ranks, because=ONE_CACHE),
            Grows("two ranks are faster than one, 10% remote", "10% to any LP", to=2),
            Grows("two ranks are faster than one, 100% remote", "100% to any LP", to=2,
                  because="half of the events are messages, whose costs are more than an event's own (bench/results/machines.md)")),
           (EFFICIENCY, ROLLBACK_EFFICIENCY), needs="has 4 ranks on 2 cores as its last point"),
    Figure("figure_6", "strong scaling to 131,072 processors", "12.26 billion events/s at 10% remote events on 65,536 processors", predicted, "cores",
           PREDICTED_RATE,
           (Level("at least 12.26 billion events/s on 65,536 cores, 10% remote", "10% to any LP, no window", 12.26e9, at=65536),
            Grows("the rate grows with the cores, 10% remote", "10% to any LP, no window"),
            Grows("and 100% remote", "100% to any LP, no window")), (PREDICTED_EFFICIENCY,), log_x=True, needs=MODEL, cores=65536, repetitions=1,
           limit=1200),
    Figure("figure_7", "efficiency", "above 90% up to 65,536 processors; at 131,072 with 100% remote events it collapses", predicted, "cores",
           PREDICTED_EFFICIENCY,
           (Level("at 131,072 cores with 100% remote it collapses", "100% to any LP, no window", high=0.5, at=131072,
                  because="the stretch is within the first GVT round; a part of what is left will be undone later"),
            Level("at 65,536 cores with 100% remote it is above 90%", "100% to any LP, no window", 0.9, at=65536),
            Level("it stays above 90% at 10% remote", "10% to any LP, no window", 0.9,
                  because="no GVT round ends in this stretch, and without a window nothing bounds how far cores run ahead of each other"),
            Level("this engine's window keeps it above 80%", "100% to any LP", 0.8)), (PREDICTED_RATE,), log_x=True, needs=MODEL, cores=131072,
           repetitions=1, limit=1200),
    Figure("figure_9", "TLM: GVT interval and batch", "the GVT interval has a large effect, from 29 to over 100 million events/s; the batch hardly any",
           points_9, "turns between GVT rounds", RATE,
           (Grows("longer intervals are faster", "batch 64", times=3, because=NO_BARRIER),
            Same("the batch hardly matters", "batch 16", "batch 256", 0.1, because="not known")), (ITERATIONS, CPU_RATE, EFFICIENCY), log_x=True,
           x_ran=ITERATIONS),
    Figure("figure_10", "TLM: GVT interval by processors and radios", "longer intervals are faster", points_10, "turns between GVT rounds", RATE,
           (Grows("longer intervals are faster", "2 workers, 100 radios each", because=NO_BARRIER),
            Grows("and with fewer radios", "2 workers, 10 radios each", because=NO_BARRIER)), (ITERATIONS, CPU_RATE, EFFICIENCY), log_x=True,
           x_ran=ITERATIONS),
    Figure("figure_11", "TLM: weak scaling", "twice the processors keep up with twice the radios", points_11, "radios per worker", RATE,
           (More("two workers have more than one", "2 workers", "1 workers", times=2),), (CPU_RATE, EFFICIENCY), log_x=True,
           needs="needs more than 2 cores for its shape"),
]
