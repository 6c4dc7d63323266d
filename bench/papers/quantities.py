"""What figures draw of a sample."""

from papers.figure import Quantity


def share(part, whole):
    return part / whole if part is not None and whole else None


def per_million(name):
    return lambda s: share(1e6 * s[name], s["committed"])


def of(name):
    return lambda s: s.get(name)


def seconds_of(s):
    """Normalised run time (MUSE, equation 1) where cores were counted, else wall time."""
    return s.get("normalised_s") or s.get("wall_s")


SECONDS = Quantity("seconds", seconds_of, is_better_high=False)
RATE = Quantity("events/s", of("rate"))
NS_PER_EVENT = Quantity("ns per event", lambda s: 1e9 / s["rate"], is_better_high=False)
CPU_RATE = Quantity("events per CPU second", lambda s: share(s["committed"], s["cpu_s"]))
EFFICIENCY = Quantity("efficiency", of("efficiency"))
ROLLBACK_EFFICIENCY = Quantity("rollback efficiency", of("rollback_efficiency"))
ROLLBACKS = Quantity("rollbacks per million events", per_million("rollbacks"), is_better_high=False)
MESSAGES = Quantity("messages per million events", per_million("sent_remote"))
REMOTE_ROLLBACKS = Quantity("share of rollbacks by other ranks",
                            lambda s: share(s["rollbacks_remote"], s["rollbacks_remote"] + s["rollbacks_regional"]))
EVENTS_PER_MESSAGE = Quantity("events per message", of("events_per_message"))
SUCCESSFUL_PROBES = Quantity("successful probes", of("successful_probes"))
ITERATIONS = Quantity("iterations between GVT rounds", of("gvt_interval_iterations"))
REMOTE_SHARE = Quantity("share of events to other ranks", lambda s: s["achieved"]["remote"], is_better_high=False)
INSTRUCTIONS = Quantity("instructions per event", lambda s: share(s.get("counted_instructions") or s.get("instructions"), s["committed"]),
                        is_better_high=False)
CACHE_MISSES = Quantity("last-level misses per event", lambda s: share(s.get("counted_ll_misses") or s.get("cache_misses"), s["committed"]),
                        is_better_high=False)
D1_MISSES = Quantity("first-level misses per event", lambda s: share(s.get("counted_d1_misses"), s["committed"]), is_better_high=False)
LOAD_CORES = Quantity("cores taken by loads", of("load_cores"))
