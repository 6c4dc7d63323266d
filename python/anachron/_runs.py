"""Runs: one, or several with different seeds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._report import Report
from ._run import run_once, takes_engine_options
from ._sweep import sweep


@takes_engine_options
def run(
    model: Any,
    *,
    progress: bool | Callable[[dict[str, Any]], Any] | None = None,
    on_interrupt: str = "raise",
    **options: Any,
) -> Report:
    """Runs a model once, from time 0 to its end, and returns the report.

    `model` is the name of a bundled model ("traffic", "phold", "pcs", "stress"; `an.models()` tells their options)
    or an `an.Model`. `options` are the model's options and the engine's, as on the command line, with `_` for `-`:
    `workers=2`, `until=100.0` (in the model's unit), `sync="sequential"`, `seed=7`, `memory="2GiB"`,
    `check_rollback=True`.

    `progress`: True shows a bar (with tqdm), None does so on a terminal. A function is called about five times a second
    with gvt, until, committed, executed and wall_s. It ends the run by returning something true.

    Ctrl-C ends the run with KeyboardInterrupt. With on_interrupt="report" the run returns its report instead, which has
    `ending` "interrupted" and is valid for what has committed. A second Ctrl-C ends handlers that are in a loop.

    With `replications=N` there are N runs, with the seeds `seed`, `seed` + 1 and so on, `workers` of them at a time. It
    returns a data frame with a row for each figure, with its mean and interval (see an.sweep). With `precision=0.01` there
    are as many runs as the means need to be that precise; `figure`, `executor` and what else an.sweep takes is valid too.

    Raises InputError (a ValueError) for options that are not valid, SimulationError when an event failed.
    """
    if not isinstance(model, str):
        return model.run(progress=progress, on_interrupt=on_interrupt, **options)
    if options.keys() & {"replications", "precision"}:
        return replicated(model, progress=progress, **options)
    return run_once(model, progress=progress, on_interrupt=on_interrupt, **options)


def replicated(model: Any, *, progress: Any = None, seed: int = 1, **options: Any) -> Any:
    """Runs with the seeds `seed`, `seed` + 1 and so on: a data frame with a row for each figure, as an.sweep has it."""
    given = {name: value for name, value in options.items() if value is not None}
    return sweep(model, [{}], seed=seed, progress=progress, **given)
