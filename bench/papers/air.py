"""AIR: J. Wang, N. Abu-Ghazaleh, D. Ponomarev, "AIR: Application-Level Interference Resilience for PDES on Multicore Systems",
ACM TOMACS 25(3), 2015."""

import os

from papers.claims import AsExpected, BestAt, Grows, Level, More, Same
from papers.expected import after_yielding, of_what_is_left, over_time, proportional, proportional_on_off
from papers.figure import Figure, Label, Loads, Point, Quantity, Run
from papers.numbers import mean_with_interval
from papers.quantities import CACHE_MISSES, D1_MISSES, EFFICIENCY, LOAD_CORES, SECONDS, of
from papers.workloads import by_place

NAME = "AIR (Wang, Abu-Ghazaleh, Ponomarev 2015)"
ABOUT = "Time Warp beside foreign programs: which thread runs which PE, who notices interference, when threads rest."
LETTER = "A"

WORKERS = 2
CORES = len(os.sched_getaffinity(0))
PER_PE, EVENTS_PER_LP = 1000, 16  # section 4.1
REMOTE = [0, 1, 5, 10, 20, 40]  # percent
USUAL = 40
EVENTS = 600_000  # committed, of a run: a tenth of a second alone, and up to a hundred times as long beside loads
EPG = [0, 1000, 10000]  # steps of about 1 ns
PERIODS = [10, 100, 1000, 10000, 100000]  # microseconds of computation per period

APTE_PR = ("--detector", "apte", "--reactivation", "periodic")
DETECTORS = {"APTE-PR": APTE_PR, "APTE-RAP": ("--detector", "apte", "--reactivation", "signal"),
             "PI-PR": ("--detector", "interference", "--reactivation", "periodic"),
             "PI-RAP": ("--detector", "interference", "--reactivation", "signal"),
             "kernel, own timer": ("--detector", "kernel", "--reactivation", "probing")}
NO_WINDOW = ("--throttle", "none")  # as the paper's engine, in which nothing but memory ends optimism
FM = ("--mapping", "fixed", *NO_WINDOW)
FM_WITH_WINDOW = ("--mapping", "fixed", "--throttle", "balanced")
DM = ("--mapping", "dynamic", *NO_WINDOW)
ADM = ("--mapping", "adaptive", *APTE_PR, *NO_WINDOW)
LADM = ("--mapping", "ladm", *DETECTORS["PI-RAP"], *NO_WINDOW)  # from section 8.4 on
MAPPINGS = {"FM": FM, "ADM": ADM, "LADM": ("--mapping", "ladm", *APTE_PR, *NO_WINDOW), "FM with a window": FM_WITH_WINDOW,
            "default": ()}  # section 8.2
FM_AND_LADM = {"FM": FM, "LADM": LADM, "default": ()}


def model(setting, remote=USUAL, epg=0, lookahead=0.0, events=EVENTS):
    """Throws of `remote` percent to the other PE."""
    more = (*(("--epg", epg) if epg else ()), *(("--lookahead", lookahead) if lookahead else ()))
    events = events if not epg else events // (2 if epg <= 1000 else 10)
    return by_place(1, WORKERS, PER_PE, EVENTS_PER_LP, setting.events(events), 0.0, 0.0, *more)[:-2] + regional(setting, remote, epg, lookahead, events)


def regional(setting, remote, epg, lookahead, events):
    mean = 1 + lookahead
    return ("--regional", remote / 100, "--until", f"{setting.events(events) * mean / (PER_PE * WORKERS * EVENTS_PER_LP):.4g}")


def point(series, x, model, engine, loads=None, remote=None, sync="optimistic"):
    """`default` may run anything; the others are Time Warp with two workers."""
    words = ("--sync", sync, "--workers", WORKERS, "--partition", "block", *engine)
    said = dict(zip(engine[::2], engine[1::2]))
    mapping = said.get("--mapping")
    is_time_warp = mapping is not None and sync == "optimistic"
    label = Label(regional=None if remote is None or not is_time_warp else remote / 100, workers=WORKERS, ranks=1, sync=sync, mapping=mapping,
                  throttle=said.get("--throttle") if is_time_warp else None, partition="block", rounds=is_time_warp)
    return Point(series, x, Run(model, words, loads=loads), label)


def beside(threads, **more):
    return Loads(threads, **more) if threads else None


def counts(setting):
    """Loads up to 5/8 of the workers, as in the paper, but at least up to 2."""
    most = max(2, round(setting.cores * 5 / 8))
    return setting.few(range(most + 1))


def expected(point, points, machine):
    """Slowdowns that can be expected, times the run time without load of the same series: what is drawn is seconds."""
    alone = next((p for p in points if p.series == point.series and p.run.loads is None and p.run.model == point.run.model), None)
    if alone is None:
        return {}
    base = mean_with_interval(alone.values(SECONDS.of))[0]
    cores, loads = machine.cores, point.run.loads
    n = loads.threads if loads else 0
    taken = mean_with_interval(point.values(LOAD_CORES.of))[0] if loads else 0.0
    left = of_what_is_left(WORKERS, cores, taken)
    if loads and loads.period:
        on = mean_with_interval(point.values(of("load_share_on")))[0]
        return {"proportional, eq. 2": base * proportional_on_off(WORKERS, cores, n, on), "of what is left": base * left}
    return {"proportional, eq. 1": base * proportional(WORKERS, cores, n), "after yielding, eq. 3": base * after_yielding(WORKERS, n),
            "of what is left": base * left}


def fair(loads):
    """Equation 1."""
    return proportional(WORKERS, CORES, loads)


def is_loaded(loads):
    """Not the point without a load: what mappings gain is said of the others."""
    return loads != 0


def points_1(setting):
    return [point(f"{remote}% remote", n, model(setting, remote), FM, beside(n), remote)
            for remote in setting.few(REMOTE) for n in counts(setting)]


def points_table_1(setting):
    """A load that takes half of a core is on for 5 ms and off for as long."""
    loads = {"no load": None, "half of a core": Loads(1, period=5000), "a core": Loads(1)}
    lookahead = model(setting, 5, lookahead=0.1, events=2 * EVENTS)
    return [point(sync, name, lookahead, FM, load, 5, sync) for sync in ("optimistic", "conservative") for name, load in loads.items()]


def points_3(setting):
    """The same model with both; a lookahead of a tenth of the mean delay."""
    lookahead = model(setting, 5, lookahead=0.1, events=2 * EVENTS)
    return [point(sync, n, lookahead, FM, beside(n), 5, sync) for sync in ("optimistic", "conservative") for n in counts(setting)]


def points_4(setting):
    return [point(f"{n} loads", threshold, model(setting), (*ADM, "--apte-threshold", threshold), beside(n), USUAL)
            for n in counts(setting)[1:] for threshold in setting.few([1.2, 2, 3, 5.4, 10, 20])]


def points_5(setting):
    kinds = {"FM": FM, "DM": DM, "DM, lowest LVT": (*DM, "--pe-choice", "lowest-lvt"), "ADM": ADM}
    return [point(name, remote, model(setting, remote), engine, Loads(1), remote)
            for remote in setting.few(REMOTE) for name, engine in kinds.items()]


def mappings(setting, loads):
    return [point(name, remote, model(setting, remote), engine, beside(loads), remote)
            for remote in setting.few(REMOTE) for name, engine in MAPPINGS.items()]


def points_9(setting):
    out = []
    for remote in setting.few([0, 10, 40]):
        for name, engine in {"FM": FM, "ADM": ADM, "LADM": LADM}.items():
            made = point(name, remote, model(setting, remote, events=60_000), engine, None, remote)
            out.append(Point(name, remote, Run(made.run.model, made.run.engine, tool="cachegrind"), made.label))
    return out


def points_10(setting):
    return [point(name, n, model(setting), ("--mapping", "ladm", *engine, *NO_WINDOW), beside(n), USUAL)
            for n in counts(setting) for name, engine in DETECTORS.items()]


def points_11(setting):
    keep = ("gvt", "wall_s", "active_workers")
    out = []
    for name in ("PI-RAP", "APTE-PR"):
        made = point(name, 1, model(setting, events=4 * EVENTS), ("--mapping", "ladm", *DETECTORS[name], *NO_WINDOW), Loads(1), USUAL)
        out.append(Point(name, 1, Run(made.run.model, made.run.engine, loads=made.run.loads, keep=keep), made.label))
    return out


def points_13(setting):
    return [point(f"{name}, EPG {epg}", n, model(setting, epg=epg), engine, beside(n), USUAL)
            for epg in setting.few(EPG) for n in counts(setting) for name, engine in {"FM": FM, "LADM": LADM}.items()]


def points_15(setting):
    pcs = ("pcs", "--grid", "48x48" if setting.quick else "192x192", "--until", 50)
    return [point(name, n, pcs, engine, beside(n)) for n in counts(setting) for name, engine in FM_AND_LADM.items()]


def points_16(setting):
    return [point(name, period, model(setting), engine, Loads(1, period=period), USUAL)
            for period in setting.few(PERIODS) for name, engine in FM_AND_LADM.items()]


def points_17(setting):
    return [point(name, n, model(setting), engine, Loads(n, period=1000) if n else None, USUAL)
            for n in counts(setting) for name, engine in FM_AND_LADM.items()]


KINDS = ["compute", "stream", "communicate"]  # of loads, as of PARSEC's programs; the last needs two threads
POLICIES = {"FM, gang": (FM, True), "LADM": (LADM, False), "default": ((), False)}


def long(setting):
    """Many turns of gang scheduling."""
    return model(setting, events=5 * EVENTS)


def scheduled(setting, threads):
    """Runs beside each kind of load, by policy, and without load."""
    out = []
    kinds = [kind for kind in KINDS if threads > 1 or kind != "communicate"]
    for name, (engine, gang) in POLICIES.items():
        out.append(point(name, "none", long(setting), engine, None, USUAL))
        out += [point(name, kind, long(setting), engine, Loads(threads, kind=kind, gang=gang), USUAL) for kind in kinds]
    return out


def points_18(setting):
    return scheduled(setting, 1)


def points_19(setting):
    return scheduled(setting, 2)


def loads_lose(setting, policy):
    engine, gang = POLICIES[policy]
    alone = [Point("alone", kind, Run((), (2, kind, 1), tool="load")) for kind in KINDS]
    return alone + [point(policy, kind, long(setting), engine, Loads(2, kind=kind, gang=gang), USUAL) for kind in KINDS]


def active_over_time(sample):
    return list(zip(sample["rounds"]["wall_s"], sample["rounds"]["active_workers"]))


RIGHT_NUMBER = Quantity("share of the time with the best number of active workers",
                        lambda s: over_time(active_over_time(s), lambda n: n == 1) if s.get("rounds") else None)
ACTIVE = Quantity("active workers", lambda s: over_time(active_over_time(s), lambda n: n) if s.get("rounds") else None)
WORK = Quantity("work of the load per second", of("load_work_rate"))
CAUSE = "a second worker of two is half of the run, so that a worker that rests costs more than on 8 cores"
HALF = "not known; a worker of two that rests is half of the run, so whatever lets it rest more costs more here"
AVALANCHE = "without a window one run may roll back hardly anything and the next one nearly all, so that runs differ many times"
ONE_BY_ONE = "not known; cachegrind runs one thread at a time"
EIGHT = "needs 8 and 48 cores for what the paper shows"
BOTH = "also on the paper's other machine"

FIGURES = [
    Figure("table_1", "optimistic and conservative runs beside a load", "half of a core costs a factor of 2; a whole one stops both for hours",
           points_table_1, "load", SECONDS,
           (Grows("a load of a whole core stops an optimistic run", "optimistic", beyond=lambda load: 100,
                  because="the paper's workers wait for each other at a barrier in each GVT round; here none does"),
            Grows("and a conservative one", "conservative", beyond=lambda load: 100,
                  because="the same"),
            Grows("a load of half of a core slows an optimistic run, by 2", "optimistic", times=2, to="half of a core"),
            Grows("and a conservative one", "conservative", times=2, to="half of a core")), (EFFICIENCY, LOAD_CORES), repetitions=10),
    Figure("figure_1", "fixed mapping by share of remote events", "far beyond proportional with remote events (3.9 times for 1.125), close to it "
           "without any", points_1, "foreign loads", SECONDS,
           (Grows("with 40% remote events loads cost far more than a proportional share", "40% remote", times=3.5, beyond=fair),
            AsExpected("without remote events a proportional share", "0% remote", fair,
                       because="not known")),
           (EFFICIENCY, LOAD_CORES), needs=EIGHT,
           expected=expected, repetitions=10),
    Figure("figure_3", "optimistic against conservative beside loads", "rollbacks make the optimistic run suffer more", points_3, "foreign loads",
           SECONDS, (More("beside loads the conservative run is faster", "conservative", "optimistic", at="best", xs=is_loaded, because=AVALANCHE),
                     Same("without load both are about as fast", "optimistic", "conservative", 0.1, at=0)), (EFFICIENCY, LOAD_CORES), repetitions=10),
    Figure("figure_4", "threshold of the APTE detector", "5.4 is best", points_4, "threshold", SECONDS,
           (BestAt("5.4 is best, one load", "1 loads", lambda x: x == 5.4,
                   because="with two workers the ratio of two threads' times is either near 1 or far beyond all thresholds"),),
           (EFFICIENCY,), log_x=True, repetitions=10),
    Figure("figure_5", "dynamic and adaptive mapping beside one load", "ADM is faster than FM and has over 90% efficiency; DM is as bad as FM",
           points_5, "remote, %", SECONDS,
           (More("ADM is faster than FM", "ADM", "FM", because=CAUSE), More("ADM is faster than DM", "ADM", "DM"),
            Level("ADM's efficiency is over 90%", "ADM", 0.9, of=EFFICIENCY),
            More("choosing the PE of lowest LVT is faster than round robin", "DM, lowest LVT", "DM")), (EFFICIENCY, LOAD_CORES),
           also="and 6, " + BOTH, repetitions=10),
    Figure("figure_7", "mappings without load", "LADM takes less than 5% longer than FM", lambda setting: mappings(setting, 0), "remote, %", SECONDS,
           (Same("LADM takes as long as FM, within 5%", "LADM", "FM", 0.05,
                 because="the interference detector yields the core four times in a GVT interval; without detection LADM took 1.00 times FM's time in 22 runs, with it 1.02"),), (EFFICIENCY,), base="FM", repetitions=10),
    Figure("figure_8", "mappings beside one load", "from 20% remote events on LADM is up to 2.8 times as fast as FM",
           lambda setting: mappings(setting, 1), "remote, %", SECONDS,
           (More("LADM is faster than FM, by up to 2.8 times", "LADM", "FM", times=2.8, at="best"), More("the default is faster than FM", "default", "FM"),
            More("LADM is faster than ADM", "LADM", "ADM", because="not known"),
            More("a window alone makes FM faster", "FM with a window", "FM")), (EFFICIENCY, LOAD_CORES), base="FM", repetitions=10),
    Figure("figure_9", "cache misses of mappings", "ADM misses more than FM, LADM about as often as FM", points_9, "remote, %", D1_MISSES,
           (More("FM misses less than ADM", "FM", "ADM", because=ONE_BY_ONE),
            Same("LADM misses as often as FM, within 10%", "LADM", "FM", 0.1, because=ONE_BY_ONE)), (CACHE_MISSES,),
           needs="has cachegrind's misses, which runs one thread at a time, of 60,000 events", repetitions=10),
    Figure("figure_10", "detector and reactivation, LADM", "PI-RAP is the best of the four", points_10, "foreign loads", SECONDS,
           (More("PI-RAP is faster than APTE-PR", "PI-RAP", "APTE-PR", because=HALF, xs=is_loaded),
            More("PI-RAP is faster than PI-PR", "PI-RAP", "PI-PR", because=HALF, xs=is_loaded),
            More("PI-RAP is faster than APTE-RAP", "PI-RAP", "APTE-RAP", because=HALF, xs=is_loaded)), (EFFICIENCY, LOAD_CORES), expected=expected,
           repetitions=10),
    Figure("figure_11", "active workers beside one load", "PI-RAP has the best number of threads more of the time than APTE-PR", points_11,
           "seconds", RIGHT_NUMBER, (More("PI-RAP has it more of the time", "PI-RAP", "APTE-PR", because=HALF),
                                     Level("most of the time", "PI-RAP", 0.5)), (ACTIVE, SECONDS), lines=active_over_time, also="and 12, " + BOTH,
           repetitions=10),
    Figure("figure_13", "granularity of events", "LADM is faster under load; FM suffers less the longer events are", points_13, "foreign loads",
           SECONDS, (More("LADM is faster than FM under load, short events", "LADM, EPG 0", "FM, EPG 0", at="best", because=CAUSE, xs=is_loaded),
                     More("LADM is faster than FM under load, long events", "LADM, EPG 10000", "FM, EPG 10000", at="best", because=CAUSE,
                          xs=is_loaded)),
           (EFFICIENCY, LOAD_CORES), expected=expected, also="and 14, " + BOTH, repetitions=10),
    Figure("figure_15", "PCS beside loads", "LADM is up to 3.7 times as fast as FM", points_15, "foreign loads", SECONDS,
           (More("LADM is faster than FM, by up to 3.7 times", "LADM", "FM", times=3.7, at="best", xs=is_loaded,
                 because="by equation 3 two workers of which one rests have half of the rate, which costs more than FM loses here"),
            More("the default is faster than FM", "default", "FM", at="best", xs=is_loaded)), (EFFICIENCY, LOAD_CORES), expected=expected,
           repetitions=10),
    Figure("figure_16", "an on-off load by its computation time", "LADM is up to 2.1 times as fast as FM", points_16,
           "computation per period, us", SECONDS,
           (More("LADM is faster than FM, by up to 2.1 times", "LADM", "FM", times=2.1, at="best", because=CAUSE),
            More("the default is faster than FM", "default", "FM", at="best")), (EFFICIENCY, LOAD_CORES), log_x=True, repetitions=10),
    Figure("figure_17", "on-off loads by their number", "LADM is up to 2.7 times as fast as FM", points_17, "foreign loads", SECONDS,
           (More("LADM is faster than FM, by up to 2.7 times", "LADM", "FM", times=2.7, at="best", because=CAUSE, xs=is_loaded),
            More("the default is faster than FM", "default", "FM", at="best", xs=is_loaded)), (EFFICIENCY, LOAD_CORES), expected=expected, repetitions=10),
    Figure("figure_18", "gang scheduling against LADM, loads of one thread", "LADM is faster than FM with gang scheduling", points_18, "load", SECONDS,
           (More("LADM is faster than FM with gang scheduling", "LADM", "FM, gang", at="compute", because=AVALANCHE),
            More("the default is faster than FM with gang scheduling", "default", "FM, gang", at="compute")), (EFFICIENCY, LOAD_CORES),
           repetitions=10),
    Figure("figure_19", "the same, as many threads of load as cores", "gang scheduling is the better one beside loads that only compute", points_19,
           "load", SECONDS, (More("FM with gang scheduling is faster than LADM beside a load that computes", "FM, gang", "LADM", at="compute", because=AVALANCHE),),
           (EFFICIENCY, LOAD_CORES), repetitions=10),
    Figure("table_2", "what loads lose beside FM with gang scheduling", "1.2 to 1.8 times", lambda setting: loads_lose(setting, "FM, gang"), "load", WORK,
           (More("a load alone does more work", "alone", "FM, gang", WORK, times=1.3),), (SECONDS,), repetitions=10),
    Figure("table_3", "what loads lose beside LADM", "1.1 to 1.4 times, less than with gang scheduling", lambda setting: loads_lose(setting, "LADM"),
           "load", WORK, (More("a load alone does more work", "alone", "LADM", WORK, times=1.2),), (SECONDS,), repetitions=10),
]
