"""PHOLD as the papers configure it, for about so many committed events, and what its labels say."""

from papers.figure import MEMORY, Label, Run

OPTIMISTIC = ("--sync", "optimistic")
FIXED = (*OPTIMISTIC, "--mapping", "fixed")  # the paper's threads: each has one PE, and executes nothing in order
ALONE = ("--history", "always")  # one worker of one process, which would need no Time Warp, goes on in it all the same


def until(events, lps, events_per_lp, mean=1):
    """The model's end time at which about so many events are committed."""
    return f"{events * mean / (lps * events_per_lp):.4g}"


def phold(lps, events_per_lp, events, *receivers, mean=1):
    return ("phold", "--lps", lps, "--events-per-lp", events_per_lp, *(("--mean", mean) if mean != 1 else ()), *receivers,
            "--until", until(events, lps, events_per_lp, mean))


def by_place(ranks, workers, per_pe, events_per_lp, events, remote=0.0, regional=0.0, *more, mean=1):
    """Hierarchical PHOLD (Wang et al. 2013): shares of throws to other ranks, and to other workers of the rank. The shares are
    defined by position, so runs use the block partition."""
    lps = per_pe * ranks * workers
    return phold(lps, events_per_lp, events, "--receiver", "hierarchical", "--local-size", per_pe, "--region-size", per_pe * workers,
                 "--remote", f"{remote:g}", "--regional", f"{regional:g}", *more, mean=mean)


def placed(ranks, workers, model, *engine, remote=None, regional=None, network=MEMORY, loads=None, **label):
    """(Run, Label) of hierarchical PHOLD on so many ranks of so many workers, one PE each."""
    words = ("--workers", workers, "--partition", "block", *(ALONE if ranks * workers == 1 else ()), *engine)
    asked = Label(remote=remote, regional=regional, pes=ranks * workers, workers=workers, ranks=ranks, sync="optimistic", partition="block",
                  **({"rounds": True} | label))
    return Run(model, (*OPTIMISTIC, *words), ranks, network, loads), asked
