"""MUSE: D. M. Rao, "Performance Comparison of Cross Memory Attach Capable MPI vs. Multithreaded Optimistic Parallel Simulations",
SIGSIM-PADS 2018."""

from papers.claims import Grows, Level, More, Same
from papers.figure import COPIES, MEMORY, Figure, Label, Point, Quantity, Run
from papers.quantities import (CACHE_MISSES, D1_MISSES, EFFICIENCY, INSTRUCTIONS, MESSAGES, NS_PER_EVENT, ROLLBACKS, SECONDS, of)
from papers.workloads import FIXED, OPTIMISTIC, phold

NAME = "MUSE (Rao 2018)"
ABOUT = "Time Warp with threads and with MPI processes: queues, an adaptive time window, events between threads, memory by NUMA node."
LETTER = "M"

# Section 3.1: a torus of 100 x 100 LPs, 20 events each, exponential delays with mean 10.
LPS, EVENTS_PER_LP, MEAN = 10_000, 20, 10
RANGES = [10, 100, 1000, 10_000]
SHARES = [0.1, 0.25, 0.5, 0.75, 0.9]
EVENTS = 1_000_000  # committed, of a run
QUEUES = ["ladder", "2tladder", "3theap", "radix"]
WORKERS = 2
CONFIGURATIONS = {"shared": ("--events", "shared", "--numa", "off"), "shared, NUMA": ("--events", "shared", "--numa", "on"),
                  "copied": ("--events", "copied", "--numa", "off"), "copied, NUMA": ("--events", "copied", "--numa", "on")}
PROCESSES = {"MPI, CMA": MEMORY, "MPI, no CMA": COPIES}


def model_1(x, events):
    """Configuration 1: receivers within a range."""
    return phold(LPS, EVENTS_PER_LP, events, "--receiver", "torus", "--range", x, mean=MEAN)


def model_2(x, events, workers=WORKERS):
    """Configuration 2: a fixed share of events to other threads, or processes. Blocks of as many LPs as one has."""
    block = LPS // workers
    return phold(LPS, EVENTS_PER_LP, events, "--receiver", "hierarchical", "--local-size", block, "--region-size", block, "--remote", x,
                 mean=MEAN)


def threads(model, *engine, share=None, **label):
    """Two threads; all that is not local goes to the other one, which is of the same rank."""
    words = (*FIXED, "--workers", WORKERS, "--partition", "block", *engine)
    return Run(model, words), Label(regional=share, remote=None if share is None else 0.0, pes=WORKERS, workers=WORKERS, ranks=1, sync="optimistic",
                                    mapping="fixed", partition="block", rounds=True, **label)


def processes(model, network, *engine, share=None, **label):
    words = (*OPTIMISTIC, "--workers", 1, "--partition", "block", *engine)
    return Run(model, words, WORKERS, network), Label(remote=share, pes=WORKERS, workers=1, ranks=WORKERS, sync="optimistic", partition="block",
                                                      rounds=True, **label)


def points_2(setting):
    return [Point("busy threads", n, Run((), (n,), tool="frequency")) for n in sorted({1, setting.cores})]


def points_4(setting):
    points = []
    for millions in setting.few([1, 2, 4, 8]):
        for queue in QUEUES:
            events = setting.events(millions * 1_000_000)
            model = phold(LPS, EVENTS_PER_LP, events, "--receiver", "torus", "--range", 100, mean=MEAN)
            points.append(Point(queue, millions, Run(model, ("--sync", "sequential", "--queue", queue)), Label(sync="sequential", pes=1)))
    return points


def points_4b(setting):
    model = phold(2000, EVENTS_PER_LP, setting.events(200_000), "--receiver", "torus", "--range", 100, mean=MEAN)
    return [Point(queue, 40_000, Run(model, ("--sync", "sequential", "--queue", queue), tool="cachegrind"), Label(sync="sequential", pes=1))
            for queue in QUEUES]


def points_5(setting):
    points = []
    for share in setting.few(SHARES):
        model = model_2(share, setting.events(EVENTS))
        for window, throttle in (("ATW", "atw"), ("no window", "none")):
            for name, network in PROCESSES.items():
                points.append(Point(f"{name}, {window}", 100 * share,
                                    *processes(model, network, "--throttle", throttle, share=share, throttle=throttle)))
    return points


def queues_between_threads(setting):
    for queues in setting.few([1, 2, 4]):
        for kind in ("iteq-locked", "iteq-spinning", "iteq-lock-free"):
            yield kind, queues, ("--channel", kind, "--channel-queues", queues)


def points_7(setting):
    model = model_2(0.5, setting.events(EVENTS))
    return [Point(kind, queues, *threads(model, *engine, share=0.5)) for kind, queues, engine in queues_between_threads(setting)]


def counted(run):
    """The same under cachegrind, at a size that it can do."""
    return Run(run.model, run.engine, tool="cachegrind")


def points_8(setting):
    model = model_2(0.5, 20_000 if setting.quick else 40_000)
    return [Point(kind, queues, counted(run), label) for kind, queues, engine in queues_between_threads(setting)
            for run, label in [threads(model, *engine, share=0.5)]]


def points_9(setting):
    points = []
    for share in setting.few(SHARES):
        model = model_2(share, setting.events(EVENTS))
        for name, engine in CONFIGURATIONS.items():
            for throttle in ("none", "atw"):
                points.append(Point(f"{throttle}, {name}", 100 * share,
                                    *threads(model, *engine, "--throttle", throttle, share=share, throttle=throttle)))
        for throttle in ("atw-repaired", "balanced"):
            points.append(Point(f"{throttle}, shared", 100 * share, *threads(model, *CONFIGURATIONS["shared"], "--throttle", throttle, share=share,
                                                                             throttle=throttle)))
    return points


def by_configuration(setting, xs, model_of, share_of, name_of):
    """The paper's four configurations of threads, and MPI with and without CMA."""
    points = []
    for x in setting.few(xs):
        model, share = model_of(x, setting.events(EVENTS)), share_of(x)
        points += [Point(name, name_of(x), *processes(model, network, share=share)) for name, network in PROCESSES.items()]
        points += [Point(name, name_of(x), *threads(model, *engine, share=share)) for name, engine in CONFIGURATIONS.items()]
    return points


def points_10(setting):
    return by_configuration(setting, RANGES, model_1, lambda x: None, lambda x: x)


def points_14(setting):
    return by_configuration(setting, SHARES, model_2, lambda x: x, lambda x: 100 * x)


def points_12(setting):
    points = []
    for x in setting.few(RANGES):
        model = model_1(x, 20_000 if setting.quick else 40_000)
        for name, engine in CONFIGURATIONS.items():
            run, label = threads(model, *engine)
            points.append(Point(name, x, counted(run), label))
    return points


MHZ = Quantity("MHz, as the system tells", of("mhz"))
SPEED = Quantity("loops of a core per CPU second", of("loops_per_cpu_s"))
SHARED_FASTER = More("shared events are faster than copied ones", "shared", "copied")
NUMA_COSTS = More("memory by NUMA node costs time on one processor, in the paper up to 5%", "shared", "shared, NUMA", times=1.05)
NO_WINNER = Same("threads with shared events against MPI with CMA: no clear winner", "shared", "MPI, CMA", within=0.2,
                 because="between processes an event travels as bytes and is allocated again, between threads as a pointer (docs/how-to/clusters.md)")
ONE_BY_ONE = "not known; cachegrind runs one thread at a time, and a thread that waits for another counts its looks"
CACHEGRIND = "has cachegrind's counts, which runs one thread at a time, of 40,000 events"
ONE_PROCESSOR = "needs two processors for what the paper shows of 28 threads"

FIGURES = [
    Figure("figure_2", "frequency of the cores by how many are busy", "it varies by 12%", points_2, "busy threads", SPEED,
           (Grows("a core computes less as more cores are busy", "busy threads", falls=True, times=1.12,
                  because="not known; they are two virtual cores of a larger processor"),), (MHZ,),
           needs="has what a core computes, as a virtual machine tells a frequency that never changes"),
    Figure("figure_4", "run time of one process by queue", "linear for both; the three-tier heap takes 0.78 us per event, the ladder queue 1.0",
           points_4, "million events", SECONDS,
           (More("the three-tier heap is faster than the ladder queue", "3theap", "ladder", times=1.28,
                 because="this ladder keeps keys and pointers in arrays: an event takes about 700 instructions, where the paper's takes 2,374"),
            More("the default (radix) is the fastest", "radix", "ladder"),
            Level("run time is linear: ns per event hardly change", "radix", 0, 200, NS_PER_EVENT)), (NS_PER_EVENT,), repetitions=10),
    Figure("figure_4b", "instructions per event by queue", "619 with the three-tier heap, more with the ladder queue", points_4b, "pending events",
           INSTRUCTIONS, (More("the three-tier heap executes fewer instructions than the ladder queue", "3theap", "ladder",
                               because="this ladder keeps entries of a key and a pointer in arrays, and sorts a bucket at once"),),
           (CACHE_MISSES, D1_MISSES), also="figure 4(b)"),
    Figure("figure_5", "adaptive time window with MPI, with and without CMA", "without CMA the window helps by up to 200 times, with CMA it changes "
           "less than 2%", points_5, "remote, %", SECONDS,
           (More("without CMA the window helps, by up to 200 times", "MPI, no CMA, ATW", "MPI, no CMA, no window", times=200, at="best",
                 because="messages are consolidated here with and without CMA, so that 200-fold floods of messages and rollbacks do not come"),
            Same("with CMA the window changes less than 2%", "MPI, CMA, ATW", "MPI, CMA, no window", 0.02,
                 because="the window saves as many rollbacks with CMA as without it"),
            More("CMA is faster than copies, with the window", "MPI, CMA, ATW", "MPI, no CMA, ATW")),
           (EFFICIENCY, ROLLBACKS), repetitions=10),
    Figure("figure_7", "queues between threads: kind and number", "locked ones are faster than lock-free ones; half as many as threads is best",
           points_7, "queues of each PE", SECONDS,
           (More("locked queues are faster than lock-free ones", "iteq-locked", "iteq-lock-free"),
            Grows("more queues than threads are slower than one", "iteq-locked")), needs=ONE_PROCESSOR, repetitions=10),
    Figure("figure_8", "the same: cache misses; instructions, which the paper's figure 7 has", "the lock-free queues have slightly more misses of the "
           "last level and 8% fewer instructions per cycle; they execute fewer instructions",
           points_8, "queues of each PE", CACHE_MISSES,
           (More("locked queues miss less than lock-free ones", "iteq-locked", "iteq-lock-free", because=ONE_BY_ONE),
            More("lock-free queues execute fewer instructions than locked ones", "iteq-lock-free", "iteq-locked", INSTRUCTIONS, because=ONE_BY_ONE),
            Grows("more queues mean more instructions", "iteq-locked", INSTRUCTIONS)), (D1_MISSES, INSTRUCTIONS), needs=CACHEGRIND),
    Figure("figure_9", "adaptive time window with threads", "up to 10% less time with the window, 2% more in some cases", points_9, "remote, %",
           SECONDS,
           (More("the window saves time, up to 10%", "atw, shared", "none, shared", times=1.1, at="best",
                 because="there is little to save: the runs roll back few events without a window, and a window makes workers wait"),
            More("with copied events, too", "atw, copied", "none, copied", times=1.1, at="best"),
            More("repaired, the window saves time", "atw-repaired, shared", "none, shared")), (EFFICIENCY, ROLLBACKS), repetitions=10),
    Figure("figure_10", "configuration 1: run time", "shared events are faster than copied ones; memory by NUMA node costs up to 5%; threads and MPI "
           "with CMA have no clear winner", points_10, "receiver range", SECONDS, (SHARED_FASTER, NUMA_COSTS, NO_WINNER), (EFFICIENCY,),
           log_x=True, base="MPI, CMA", repetitions=10),
    Figure("figure_11", "configuration 1: messages and rollbacks", "messages increase with the range; processes roll back least at range 10",
           points_10, "receiver range", MESSAGES,
           (Grows("messages increase with the range", "shared"), Grows("and between processes", "MPI, CMA"),
            Grows("processes roll back least at range 10", "MPI, CMA", ROLLBACKS)), (ROLLBACKS,), log_x=True, repetitions=10),
    Figure("figure_12", "configuration 1: instructions", "memory by NUMA node adds 90 instructions per event; copies add more", points_12,
           "receiver range", INSTRUCTIONS,
           (More("shared events execute fewer instructions than copied ones", "shared", "copied",
                 because="an event is copied when it goes to another PE: at most 5% of them up to a range of 1,000, and half at 10,000"),
            More("memory by NUMA node adds instructions", "shared", "shared, NUMA")), (CACHE_MISSES, D1_MISSES), log_x=True, needs=CACHEGRIND),
    Figure("figure_13", "configuration 1: cache misses", "fewer with shared events; instructions per cycle need counters that this machine lacks",
           points_12, "receiver range", D1_MISSES,
           (More("shared events miss less than copied ones", "shared", "copied",
                 because="cachegrind runs one thread at a time, so that no thread takes a line from another's cache"),), (CACHE_MISSES,), log_x=True, needs=CACHEGRIND),
    Figure("figure_14", "configuration 2: run time", "shared events are faster than copied ones; MPI with CMA is up to 20% faster than threads",
           points_14, "remote, %", SECONDS, (SHARED_FASTER, NUMA_COSTS, NO_WINNER,
                                             Grows("more remote events take more time", "shared")), (EFFICIENCY,), base="MPI, CMA",
           repetitions=10),
    Figure("figure_15", "configuration 2: rollbacks", "they increase with the share of remote events", points_14, "remote, %", ROLLBACKS,
           (Grows("they increase with the share, with threads", "shared",
                  because="runs differ many times: a thread whose core is taken for a moment rolls back much"), Grows("and between processes", "MPI, CMA")), repetitions=10),
]
