"""Runs of bundled models, and what all runs have in common."""

from __future__ import annotations

import contextlib
import ctypes
import inspect
import json
import math
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from ._native import InputError, SimulationError, Watch, native, take_text, words_array
from ._report import Report
from ._rewrite import Interrupted


def option_words(options: Mapping[str, Any]) -> list[str]:
    """Options as the command line has them: `check_rollback=True` is --check-rollback. None: not given."""
    words: list[str] = []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(option)
        else:
            values = value if isinstance(value, (list, tuple)) else [value]
            try:
                words.append(f"{option}={','.join(map(text_of, values))}")
            except InputError as error:
                raise InputError(f"{name}: {error}") from None
    return words


def text_of(value: Any) -> str:
    if hasattr(value, "item"):  # a number of numpy
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    if isinstance(value, (str, int)):
        return str(value)
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    raise InputError(f"{value!r} is not valid: expected a number, a text or a path")


def rank_count() -> int:
    """Of processes that mpirun or the like has started together; this is one of them."""
    return native.ranks(ctypes.byref(ctypes.c_uint32()))


def require_one_process(what: str) -> None:
    own = ctypes.c_uint32()
    ranks = native.ranks(ctypes.byref(own))
    if ranks > 1:
        raise InputError(
            f"{what} runs in one process only, and this is rank {own.value} of {ranks}: start it without mpirun"
        )


def end_ranks_with_the_script() -> None:
    """An exception that nobody catches ends this process: ranks that wait for it would do so for ever."""
    before = sys.excepthook
    if rank_count() == 1 or getattr(before, "_ends_ranks", False):
        return

    def report_and_end(kind: Any, error: Any, trace: Any) -> None:
        before(kind, error, trace)
        sys.stdout.flush()
        sys.stderr.flush()
        native.end_ranks(1)

    report_and_end._ends_ranks = True  # type: ignore[attr-defined]
    sys.excepthook = report_and_end


#: Handlers that a second Ctrl-C has ended, in the run in progress.
looped_in: list[str] = []


class Watching:
    """Looks on while a run is in progress: shows a progress bar, and ends the run after Ctrl-C."""

    def __init__(
        self,
        progress: bool | Callable[..., Any] | None,
        title: str,
        on_interrupt: str = "raise",
        busy: dict[int, str] | None = None,
    ):
        """`busy`: of threads in interpreted handlers, by their number, which handler it is."""
        if on_interrupt not in ("raise", "report"):
            raise InputError(f"on_interrupt: {on_interrupt!r} is not valid: expected 'raise' or 'report'")
        self._raises, self._busy = on_interrupt == "raise", busy
        self._asked = ctypes.c_int.from_address(native.end_asked())
        self._counts = False
        self._interrupted = threading.Event()
        self._failure: BaseException | None = None
        self._show = progress if callable(progress) else None
        self._bar = None
        if progress is True or (progress is None and sys.stderr.isatty()):
            self._bar = progress_bar(title)
        self.callback = Watch(self._watch)

    def _watch(self, _user, gvt, until, committed, executed, wall_s) -> int:
        try:
            if self._show and self._show(
                {"gvt": gvt, "until": until, "committed": committed, "executed": executed, "wall_s": wall_s}
            ):
                return 1
            if self._bar is not None:
                _advance(self._bar, gvt, until, committed, executed)
        except BaseException as failure:  # nothing may be raised through the library
            self._failure = failure
            return 1
        return int(self._interrupted.is_set() or (self._counts and self._asked.value > 0))

    def interrupt(self) -> None:
        self._interrupted.set()

    @contextlib.contextmanager
    def at_work(self) -> Iterator[None]:
        """While this lasts, Ctrl-C asks the run to end; the second one ends loops of handlers too. Behind it
        KeyboardInterrupt is raised, unless a report is asked for."""
        end_ranks_with_the_script()
        in_main = threading.current_thread() is threading.main_thread()
        before = signal.getsignal(signal.SIGINT) if in_main else None
        if before is not signal.default_int_handler:
            before = None  # the program has a handler of its own

        times, ended = 0, threading.Event()
        if before is not None:
            native.interrupts_begin()
            self._counts = True
            looped_in.clear()
            if self._busy is not None:
                threading.Thread(target=self._end_interpreted_loops, args=(ended,), daemon=True).start()
        try:
            yield
        except SimulationError:
            if not (self._counts and looped_in):
                raise
        finally:
            ended.set()
            if before is not None:
                times = native.interrupts_end()
            if self._bar is not None:
                self._bar.close()
            if self._failure is not None:
                raise self._failure
        if looped_in and self._counts:
            raise KeyboardInterrupt(f"{looped_in[0]} did not return")
        if times and self._raises:
            raise KeyboardInterrupt

    def _end_interpreted_loops(self, ended: threading.Event) -> None:
        """A handler that is interpreted sees no signal: the library has the main thread."""
        while not ended.wait(0.1):
            if self._asked.value < 2:
                continue
            for thread in list(self._busy or ()):
                ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(Interrupted))


def progress_bar(title: str, unit: str = " events", total: int | None = 0) -> Any:
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return None
    return tqdm(total=total, desc=title, unit=unit, unit_scale=True, leave=False)


def _advance(bar: Any, gvt: float, until: float, committed: int, executed: int) -> None:
    bar.n = committed
    if math.isfinite(until) and gvt > 0:
        bar.total = max(committed, int(committed * until / min(gvt, until)))
        bar.set_postfix_str(f"time {min(gvt, until):.6g} of {until:.6g}", refresh=False)
    else:
        bar.set_postfix_str(f"time {gvt:.6g}", refresh=False)
    bar.refresh()


def models() -> dict[str, dict[str, Any]]:
    """The bundled models by name: `summary`, and `options` with name, help, hint, default and choices."""
    return {model.pop("name"): model for model in json.loads(take_text(native.models()))}


def engine_options() -> list[dict[str, Any]]:
    """The engine's options, which every run takes: each with name, help, hint, default and choices."""
    return json.loads(take_text(native.engine_options()))


Function = TypeVar("Function", bound=Callable[..., Any])


def takes_engine_options(function: Function) -> Function:
    """The function, whose `**options` are the engine's options among others, with these in its signature: so notebooks
    complete them, and `help` shows them with their defaults."""
    signature = inspect.signature(function)
    *own, rest = signature.parameters.values()
    kind = inspect.Parameter.KEYWORD_ONLY
    taken = {parameter.name for parameter in own}
    names = ((option["name"].replace("-", "_"), option["default"]) for option in engine_options())
    more = [inspect.Parameter(name, kind, default=default) for name, default in names if name not in taken]
    setattr(function, "__signature__", signature.replace(parameters=[*own, *more, rest]))
    return function


def run_once(
    model: Any,
    *,
    progress: bool | Callable[[dict[str, Any]], Any] | None = None,
    on_interrupt: str = "raise",
    **options: Any,
) -> Report:
    """`run` without replications, which see."""
    if not isinstance(model, str):
        return model.run(progress=progress, on_interrupt=on_interrupt, **options)
    for name in ("report", "out", "trace", "quiet"):
        if name in options:
            raise InputError(f"'{name}' is an option of the command line; see Report, an.sweep")
    count, words = words_array(option_words(options))
    watching = Watching(progress, model, on_interrupt)
    with watching.at_work():
        report = Report._of(native.run(model.encode(), count, words, watching.callback, None))
    report._given = given_of(options)
    note_workers(report, options)
    return report


def given_of(options: Mapping[str, Any]) -> frozenset[str]:
    """The names of options that have a value."""
    return frozenset(name for name, value in options.items() if value is not None)


def note_workers(report: Report, options: Mapping[str, Any]) -> None:
    """Workers that share cores cost time, and are mostly a slip."""
    workers, cores = options.get("workers"), len(os.sched_getaffinity(0))
    if isinstance(workers, int) and workers > cores and rank_count() == 1:
        report.data.setdefault("notes", []).append(f"workers={workers}, but there are {cores} cores: take as many or fewer")
