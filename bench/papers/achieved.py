"""What a run did, read from its report, and whether that is what its label says."""

POINT_OF_PERCENT = 0.01
OF_A_PREDICTION = 0.02  # what `anachron partition` may be off by
BETWEEN_POINTS = 1.2  # how many times as much the next point of an axis has, at least


class Mislabelled(Exception):
    """A point of a figure did something else than its axis or legend says."""


def shares(report):
    """(remote, regional): shares of all events sent that went to other ranks, and to other PEs of the rank."""
    in_parallel = report["sent"] - min(report.get("sent_in_order") or 0, report["sent"])
    if not in_parallel:
        return 0.0, 0.0
    to_ranks = sum(rank["events_sent"] - rank["cancellations_sent"] for rank in report.get("ranks") or [])
    return to_ranks / in_parallel, max(0, report["sent_remote"] - to_ranks) / in_parallel


def achieved(report):
    """{name of a member of Label: what the run did}."""
    config, ranks = report["config"], report.get("ranks") or []
    remote, regional = shares(report)
    return {"remote": remote, "regional": regional, "local": 1 - remote - regional, "pes": len(report["pes"]), "workers": config["workers"],
            "ranks": max(1, len(ranks)), "sync": config["sync"], "mapping": config["mapping"], "throttle": config["throttle"],
            "partition": report["dealt_by"], "gvt_rounds": report["gvt_rounds"],
            "in_order": (report.get("committed_in_order") or 0) / max(1, report["committed"]),
            "comm_thread": any(rank["comm_thread"] for rank in ranks)}


def misses(label, did):
    """[what a label says and the run did not do, with both values]."""
    out = []
    for name in ("remote", "regional"):
        asked = getattr(label, name)
        if asked is not None and abs(asked - did[name]) > POINT_OF_PERCENT:
            out.append(f"{name} events: {100 * asked:.1f}% asked, {100 * did[name]:.1f}% ran")
    for name in ("pes", "workers", "ranks", "sync", "mapping", "throttle", "partition", "comm_thread"):
        asked = getattr(label, name)
        if asked is not None and asked != did[name]:
            out.append(f"{name}: {asked} asked, {did[name]} ran")
    if (predicted := did.get("predicted")) is not None and abs(predicted - did["remote"] - did["regional"]) > OF_A_PREDICTION:
        out.append(f"events to other PEs: {100 * predicted:.1f}% predicted, {100 * (did['remote'] + did['regional']):.1f}% ran")
    if label.rounds and not did["gvt_rounds"]:
        out.append("GVT rounds: some asked, none ran")
    if label.rounds and did["in_order"]:
        out.append(f"in Time Warp: all events asked, {100 * did['in_order']:.1f}% were executed in order by one worker")
    return out


def check(figure, point):
    """Throws Mislabelled, with both values."""
    for sample in point.samples:
        if wrong := misses(point.label, sample["achieved"]):
            raise Mislabelled(f"{figure.name}, {point.series} at {point.x}: {'; '.join(wrong)}")


def check_axis(figure, points):
    """Throws Mislabelled where a run made no more of an x than of the one before."""
    before = {}
    for point in points if figure.x_ran else ():
        ran = sum(found := point.values(figure.x_ran.of)) / len(found)
        asked, other = before.get(point.series, (None, None))
        if other and ran < BETWEEN_POINTS * other:
            raise Mislabelled(f"{figure.name}, {point.series}: {figure.x} of {asked} and {point.x} asked, {other:.0f} and {ran:.0f} ran")
        before[point.series] = point.x, ran
