"""Devastator: J. Bachan et al., "Devastator: A Scalable Parallel Discrete Event Simulation Framework for Modern C++",
SIGSIM-PADS 2024."""

from papers.claims import AsExpected, Exceeds, GainsMore, Grows, Level, More, Same
from papers.figure import Figure, Label, Point, Quantity, Run
from papers.quantities import CPU_RATE, EFFICIENCY, RATE, SECONDS, of, share
from papers.workloads import ALONE, FIXED, OPTIMISTIC, phold

NAME = "Devastator (Bachan et al. 2024)"
ABOUT = "Time Warp in modern C++: asynchronous GVT, a window that tunes itself, allocator and queues, traffic of a city."
LETTER = "D"

LPS_PER_PE, RAYS_PER_LP = 100, 15  # section 4.4
EVENTS = 2_000_000
SHAPES = {"1 rank of 1": (1, 1), "1 rank of 2": (1, 2), "2 ranks of 1": (2, 1), "2 ranks of 2": (2, 2)}


def gaussian(lps, events, sigma):
    return phold(lps, RAYS_PER_LP, events, "--receiver", "gaussian", "--sigma", sigma)


def shaped(model, ranks, workers, *engine):
    words = (*(FIXED if ranks == 1 else OPTIMISTIC), "--workers", workers, "--partition", "block", *(ALONE if ranks * workers == 1 else ()), *engine)
    return Run(model, words, ranks), Label(pes=ranks * workers, workers=workers, ranks=ranks, sync="optimistic", partition="block", rounds=True)


def points_1(setting):
    """4 PEs: processes, allocators, queues. A process of one PE has no queue between threads."""
    out = []
    for size in setting.few([1, 2]):
        model = gaussian(4 * LPS_PER_PE * size, setting.events(EVENTS), 100)
        for ranks, workers in ((1, 4), (2, 2), (4, 1)):
            for pool in ("own", "system", "jemalloc"):
                for channel in ("spsc", "mpsc") if workers > 1 else ("spsc",):
                    shape = f"{ranks} x {workers}" + (f", {channel}" if workers > 1 else "")
                    out.append(Point(f"{pool}, {size}x rays", shape, *shaped(model, ranks, workers, "--pool", pool, "--channel", channel)))
    return out


def scaling(setting, is_weak):
    out = []
    for sigma in setting.few([100, 6400, 10000, 25600]):
        for ranks, workers in SHAPES.values():
            pes = ranks * workers
            lps = LPS_PER_PE * pes if is_weak else 400
            events = setting.events(EVENTS // 2 * (pes if is_weak else 2))
            out.append(Point(f"{ranks} ranks of {workers}" if ranks > 1 else f"{workers} workers", sigma, *shaped(gaussian(lps, events, sigma), ranks, workers)))
    return out


def predicted(setting, lps_of, cores):
    """What examples/time_warp.cpp says, with the batch, GVT interval and window that its costs were tried with."""
    return [Point(f"sigma {sigma:,}", n,
                  Run((), ("--cores", n, "--lps", lps_of(n), "--balls", RAYS_PER_LP, "--remote", 1, "--sigma", sigma, "--turn", 16, "--round", 512,
                           "--horizon", 0.5, "--until", "1e-3"), tool="time_warp"))
            for sigma in (100, 10000) for n in cores]


def points_2_predicted(setting):
    return predicted(setting, lambda cores: LPS_PER_PE * cores, [128, 1024] if setting.quick else [128, 1024, 8192, 32768])


def points_2_strong_predicted(setting):
    return predicted(setting, lambda cores: 400_000 // RAYS_PER_LP, [128, 1024] if setting.quick else [128, 1024, 4096, 16384])


def points_3(setting):
    out = []
    for sigma in (100, 10000):
        for ranks, workers in SHAPES.values():
            model = gaussian(128 * 100, setting.events(EVENTS), sigma)
            out.append(Point(f"sigma {sigma}, ranks of {workers}", ranks * workers, *shaped(model, ranks, workers)))
    return out


def city(setting, *more):
    return ("traffic", "--city", "32x32" if setting.quick else "96x96", *more)


STATIC = ("--rerouting", 0)
REROUTED = ("--rerouting", 0.3)
SCENARIOS = {"static routes": STATIC, "rerouting": REROUTED}


def points_4(setting):
    out = []
    for name, more in SCENARIOS.items():
        out.append(Point(name, 1, Run(city(setting, *more), ("--sync", "sequential")), Label(sync="sequential", pes=1)))
        out.append(Point(name, 2, Run(city(setting, *more), (*FIXED, "--workers", 2)),
                         Label(sync="optimistic", pes=2, workers=2, mapping="fixed", rounds=True)))
        out.append(Point(f"{name}, ranks", 2, Run(city(setting, *more), (*OPTIMISTIC, "--workers", 1), 2),
                         Label(sync="optimistic", pes=2, ranks=2, workers=1, rounds=True)))
    return out


def points_5(setting):
    """One point of x for each part of the time, of the same runs."""
    out = []
    for workers in (1, 2):
        run = Run(city(setting, *REROUTED), (*FIXED, "--workers", workers, *(ALONE if workers == 1 else ())))
        out.append(Point("rerouting", workers, run, Label(sync="optimistic", pes=workers, workers=workers, mapping="fixed", rounds=True)))
    return out


def points_6(setting):
    run = Run(city(setting, *REROUTED), (*FIXED, "--workers", 2), keep=("gvt", "wall_s", "imbalance"))
    return [Point("rerouting", 1, run, Label(sync="optimistic", pes=2, workers=2, mapping="fixed", rounds=True))]


def windows(setting):
    """Adaptive windows and constant ones, in minutes; 4 PEs of two workers."""
    kinds = {"adaptive (balanced)": ("--throttle", "balanced"), "adaptive (mtw)": ("--throttle", "mtw")}
    kinds |= {f"constant, {minutes:g} min": ("--window", minutes) for minutes in setting.few([0.003, 0.03, 0.3, 3])}
    keep = ("gvt", "wall_s", "committed", "executed")
    return [Point(name, 1, Run(city(setting, *REROUTED), (*FIXED, "--workers", 2, "--pes", 4, *engine), keep=keep),
                  Label(sync="optimistic", pes=4, workers=2, mapping="fixed", rounds=True)) for name, engine in kinds.items()]


def progress(sample):
    return list(zip(sample["rounds"]["wall_s"], sample["rounds"]["gvt"]))


def efficiency_over_time(sample):
    rounds, line, before = sample["rounds"], [], (0, 0)
    for gvt, committed, executed in zip(rounds["gvt"], rounds["committed"], rounds["executed"]):
        if executed > before[1]:
            line.append((gvt, (committed - before[0]) / (executed - before[1])))
        before = committed, executed
    return line


def imbalance_over_time(sample):
    rounds = sample["rounds"]
    return [(gvt, value) for gvt, value in zip(rounds["gvt"], rounds["imbalance"]) if value is not None]


def part(name):
    """Share of the workers' time."""
    parts = ("execution_s", "routing_s", "rollback_s", "rounds_s", "commit_s", "idle_s", "asleep_s")
    return Quantity(f"share of {name}", lambda s: share(s.get(f"{name}_s"), sum(s.get(p) or 0 for p in parts)), is_better_high=name == "execution")


def half(which):
    """Mean imbalance in the first or second half of the run's simulated time."""
    def value(sample):
        line = imbalance_over_time(sample)
        middle = line[-1][0] / 2 if line else 0
        chosen = [y for x, y in line if (x > middle) == (which == "second")]
        return sum(chosen) / len(chosen) if chosen else None
    return Quantity(f"imbalance, {which} half", value)


NODES = "has 2 cores for the paper's nodes of 128"
PER_CORE = Quantity("predicted events/s of a core", lambda s: (s["executed"] - s["undone"]) / s["until"] / s["cores"], is_computed=True)
PREDICTED_EFFICIENCY = Quantity("predicted efficiency", lambda s: 1 - s["undone"] / s["executed"], is_computed=True)
MODEL = "is predicted (assumptions and errors: bench/results/machines.md): caches, nodes and a window that adapts are left out"
ROSS = "Devastator 2.9 to 5.4 times ROSS at sigma 100 (2 to 16 nodes), ROSS 8.7 to 1.5 times Devastator at sigma 10,000"
PUBLISHED = [("sigma", "nodes of 56 cores", "rate of Devastator by that of ROSS"),
             (100, 2, 2.9), (100, 16, 5.4), (10000, 2, round(1 / 8.7, 3)), (10000, 16, round(1 / 1.5, 3))]

CROWDED = "four PEs take turns on two cores, which differs more from run to run"
MESSAGES = "a message between ranks costs as much as twenty events (bench/results/machines.md)"
LITTLE = "two workers undo a tenth of the events at most, even in the widest window, so that there is little to save"
FEW_LPS = "a core has one or two LPs, and its costs are those of messages (bench/results/machines.md)"

FIGURES = [
    Figure("figure_1", "processes, allocator and queue, 4 PEs", "own allocator as fast as jemalloc, faster than libc; several processes are far better where "
           "memory is not uniform; problem size below 5%", points_1, "processes x workers", RATE,
           (More("the own allocator is as fast as jemalloc, or faster", "own, 1x rays", "jemalloc, 1x rays", because=CROWDED),
            More("it is faster than libc's", "own, 1x rays", "system, 1x rays", because=CROWDED),
            Grows("four processes are faster than one", "own, 1x rays", because="here is one memory node"),
            AsExpected("SPSC and MPSC queues: hardly a difference", "own, 1x rays", lambda shape: 1, 0.1, to="1 x 4, mpsc", because=CROWDED),
            Same("the problem size matters less than 5%", "own, 2x rays", "own, 1x rays", 0.05,
                 because="likely that twice as many LPs for 4 PEs give a worker more to do before it has to wait for the other PEs")),
           (CPU_RATE, EFFICIENCY), needs="has 4 PEs on 2 cores and one memory node", repetitions=10),
    Figure("figure_2", "weak scaling", "30% to 80% of one node's rate per core at 256 nodes; efficiency 60% to 80%", lambda setting: scaling(setting, True),
           "sigma", RATE,
           (More("two workers have more than one", "2 workers", "1 workers", times=2), Level("efficiency is above 60%", "2 workers", 0.6, of=EFFICIENCY),
            More("two ranks have more than one", "2 ranks of 1", "1 workers", times=2, because=MESSAGES)), (EFFICIENCY, CPU_RATE), log_x=True,
           needs=NODES, cores=32768),
    Figure("figure_2_predicted", "weak scaling to 32,768 cores", "30% to 80% of one node's rate per core at 256 nodes; efficiency 60% to 80%",
           points_2_predicted, "cores", PER_CORE,
           (Grows("a core of 32,768 has at least 30% of the rate of one of 128, sigma 100", "sigma 100", beyond=lambda cores: 0.3),
            Grows("and with sigma 10,000", "sigma 10,000", beyond=lambda cores: 0.3),
            Level("efficiency is above 60%", "sigma*", 0.6, of=PREDICTED_EFFICIENCY)), (PREDICTED_EFFICIENCY,), log_x=True, also="figure 2, left",
           needs=MODEL, cores=32768, repetitions=1, limit=1200),
    Figure("figure_2_strong", "strong scaling", "50% parallel efficiency on 16,384 cores", lambda setting: scaling(setting, False), "sigma", RATE,
           (More("two workers are faster than one", "2 workers", "1 workers", times=2),
            More("two ranks are faster than one", "2 ranks of 1", "1 workers", times=2, because=MESSAGES)), (EFFICIENCY, CPU_RATE), log_x=True,
           also="figure 2, right",
           needs=NODES, cores=16384),
    Figure("figure_2_strong_predicted", "strong scaling to 16,384 cores", "50% parallel efficiency on 16,384 cores", points_2_strong_predicted, "cores",
           PER_CORE,
           (Grows("a core of 16,384 has at least half of the rate of one of 128, sigma 100", "sigma 100", beyond=lambda cores: 0.5, because=FEW_LPS),
            Grows("and with sigma 10,000", "sigma 10,000", beyond=lambda cores: 0.5, because=FEW_LPS)), (PREDICTED_EFFICIENCY,), log_x=True,
           also="figure 2, right", needs=MODEL, cores=16384, repetitions=1, limit=1200),
    Figure("figure_3", "Gaussian PHOLD by PEs, sigma 100 and 10,000", ROSS, points_3, "PEs", RATE,
           (Grows("two PEs are faster than one, sigma 100", "sigma 100, ranks of 1", to=2),
            Grows("two PEs are faster than one, sigma 10,000", "sigma 10000, ranks of 1", to=2, because=MESSAGES)),
           (EFFICIENCY, CPU_RATE), needs=NODES + ". ROSS is not part of this project: docs/inside/performance.md compares with it, at sigma 100 only",
           cores=112, published=PUBLISHED),
    Figure("figure_4", "speed-up of the traffic model", "efficiency 88% with rerouting, 32% with static routes, on 1,024 cores", points_4, "workers", SECONDS,
           (GainsMore("with rerouting it gains more than with static routes", "rerouting", "static routes",
                      because="not known"),
            Grows("two workers are faster, static routes", "static routes", falls=True, times=2),
            Grows("two workers are faster, rerouting", "rerouting", falls=True, times=2)), (EFFICIENCY, CPU_RATE), needs=NODES, cores=1024),
    Figure("figure_5", "where the time of a PE goes, traffic with rerouting", "mostly execution; waiting at the window grows with the nodes", points_5, "workers",
           part("execution"),
           (Level("most of it is execution", "rerouting", 0.5, of=part("execution")), Grows("waiting grows with the workers", "rerouting", part("idle"))),
           (part("routing"), part("rollback"), part("rounds"), part("commit"), part("idle"), part("asleep")), needs=NODES),
    Figure("figure_6", "imbalance over GVT, traffic with rerouting", "it grows towards the end", points_6, "GVT, minutes", half("second"),
           (Exceeds("it is larger in the second half", "rerouting", half("second"), half("first")),), (half("first"),), lines=imbalance_over_time),
    Figure("figure_7", "progress with adaptive and constant windows, traffic with rerouting", "adaptive 1.17 times as fast as without; efficiency stays high",
           windows, "seconds", SECONDS,
           (More("the adaptive window is faster than the widest constant one, by 1.17", "adaptive (mtw)", "constant, 3 min", times=1.17, because=LITTLE),
            More("the default is, too", "adaptive (balanced)", "constant, 3 min", times=1.17),
            Level("efficiency stays above 90%", "adaptive*", 0.9, of=EFFICIENCY)), (EFFICIENCY,), lines=progress),
    Figure("figure_8", "efficiency over GVT with them", "lower without an adaptive window", windows, "GVT, minutes", EFFICIENCY,
           (More("efficiency is higher with the adaptive window than with the widest", "adaptive (mtw)", "constant, 3 min", because=LITTLE),
            More("the default's, too", "adaptive (balanced)", "constant, 3 min")), (SECONDS,), lines=efficiency_over_time),
]
