"""Deals runs to an executor, as many as a plan asks for, and hands their outcomes to the plan in the order of seeds."""

from __future__ import annotations

import heapq
import queue
from collections.abc import Callable
from concurrent.futures import BrokenExecutor
from typing import Any, Protocol

from ._job import Outcome


class Plan(Protocol):
    """Decides how many runs each point needs. It sees the outcomes of a point in the order of their seeds, and none that
    were made in vain. So its decisions depend on results alone, never on the order in which runs end."""

    most: int  # runs of a point

    def is_open(self, point: int) -> bool:
        """Whether the point needs another run."""
        ...

    def take(self, point: int, outcome: Outcome) -> None:
        """The outcome of the point's next run."""
        ...


class FixedPlan:
    """The same number of runs at each point."""

    def __init__(self, most: int):
        self.most = most

    def is_open(self, point: int) -> bool:
        return True

    def take(self, point: int, outcome: Outcome) -> None:
        pass


class Dispatcher:
    """`submit(point, k)` begins replication k of a point and returns its future. `known(point, k)` has the outcome of one
    that was made before; `made` is told of each that ends. At most `places` runs are in progress or wait; None: all that
    the plan wants.

    The next run is one of the point that has the fewest runs in progress: few runs are made in vain."""

    def __init__(
        self,
        plan: Plan,
        points: int,
        places: int | None,
        submit: Callable[[int, int], Any],
        known: Callable[[int, int], Outcome | None],
        made: Callable[[int, int, Outcome], None],
    ):
        self._plan, self._places = plan, places
        self._submit, self._known, self._made = submit, known, made
        self.taken: list[list[Outcome]] = [[] for _ in range(points)]
        self._next = [0] * points
        self._waiting: list[dict[int, Outcome]] = [{} for _ in range(points)]  # ended before one with a smaller seed
        self._heap = [(0, 0, point) for point in range(points)]
        self._in_progress: dict[tuple[int, int], Any] = {}
        self._in_vain: dict[tuple[int, int], Any] = {}
        self._ended: queue.SimpleQueue[tuple[int, int]] = queue.SimpleQueue()

    def run(self) -> list[list[Outcome]]:
        """Of each point the outcomes that count, in the order of seeds. Cancels the runs that have not begun when it ends,
        also by an exception."""
        try:
            self._fill()
            while self._in_progress:
                self._wait()
                self._fill()
            return self.taken
        finally:
            for future in (*self._in_progress.values(), *self._in_vain.values()):
                future.cancel()

    def _fill(self) -> None:
        while self._has_place():
            task = self._next_task()
            if task is None:
                return
            outcome = self._known(*task)
            if outcome is None:
                outcome = self._begin(*task)
            if outcome is not None:
                self._deliver(*task, outcome)

    def _has_place(self) -> bool:
        """Runs of points that are not open any more are cancelled, or come to their end and do not count."""
        if self._places is None:
            return True
        for task in [task for task in self._in_progress if not self._plan.is_open(task[0])]:
            future = self._in_progress.pop(task)
            if not future.cancel():
                self._in_vain[task] = future
        return len(self._in_progress) < self._places

    def _next_task(self) -> tuple[int, int] | None:
        while self._heap:
            entry = heapq.heappop(self._heap)
            point = entry[2]
            if entry != self._rank(point) or self._next[point] == self._plan.most or not self._plan.is_open(point):
                continue  # it changed since, and is there again
            k = self._next[point]
            self._next[point] += 1
            heapq.heappush(self._heap, self._rank(point))
            return point, k
        return None

    def _rank(self, point: int) -> tuple[int, int, int]:
        return self._next[point] - len(self.taken[point]), self._next[point], point

    def _begin(self, point: int, k: int) -> Outcome | None:
        """Returns the error of an executor that takes no more runs."""
        try:
            future = self._submit(point, k)
        except BrokenExecutor as error:
            return Outcome(error=error)
        self._in_progress[point, k] = future
        if hasattr(future, "add_done_callback"):
            future.add_done_callback(lambda _future: self._ended.put((point, k)))
        return None

    def _wait(self) -> None:
        """For a run that ends; the first one, where futures do not tell."""
        first = next(iter(self._in_progress))
        task = self._ended.get() if hasattr(self._in_progress[first], "add_done_callback") else first
        future = self._in_progress.pop(task, None) or self._in_vain.pop(task, None)
        if future is None:
            return  # it was cancelled
        try:
            outcome = future.result()
        except Exception as error:  # the executor's: a process that was killed, an argument that cannot be pickled
            outcome = Outcome(error=error)
        if outcome == Outcome():
            raise KeyboardInterrupt
        self._made(*task, outcome)
        self._deliver(*task, outcome)

    def _deliver(self, point: int, k: int, outcome: Outcome) -> None:
        self._waiting[point][k] = outcome
        while self._plan.is_open(point) and len(self.taken[point]) in self._waiting[point]:
            taken = self._waiting[point].pop(len(self.taken[point]))
            self.taken[point].append(taken)
            self._plan.take(point, taken)
        heapq.heappush(self._heap, self._rank(point))
