"""A model with all its types written down, for checkers of types."""

from typing import Any

import numpy as np

import anachron as an


class Params(an.Params):
    mean: float = an.param(1.0, "Hours", above=0)


class Job(an.Event):
    number: an.i4 = 0
    origin: an.Id["Station"]


class Done(an.Row):
    number: int
    hours: float


class Station(an.LP):
    jobs: an.i4 = 0
    last: float = 0.0
    busy: bool = False
    timer: an.Handle
    by_hour: an.Array = an.array(an.u4, 24)
    timers: an.Array = an.array(an.Handle, 2)
    waits: an.Tally
    arrivals: an.Stream = an.Stream(1)

    def start(self, cx: an.Context) -> None:
        cx.send(cx.self_id, cx.rng.exponential(1.0), Job(1, cx.self_id))

    @an.on(Job)
    def work(self, cx: an.Context, job: Job) -> None:
        self.jobs += 1
        self.by_hour[int(cx.now) % 24] += 1
        self.waits.add(cx, cx.now - self.last)
        self.last = cx.now
        to: an.Id[Station] = cx.id(cx.rng.below(cx.lp_count))
        delay = cx.rng(self.arrivals).exponential(cx.params.mean)
        self.timer = cx.send(to, delay, Job(self.jobs, job.origin))
        self.timers[self.jobs % 2] = self.timer
        cx.record(Done(number=job.number, hours=delay))

    @staticmethod
    def finish(states: np.ndarray, params: Params) -> dict[str, Any]:
        return {"jobs": states["jobs"].sum(), "wait": an.Tally.merged(states["waits"])}


model = an.Model(Station, params=Params, rows=[Done], until=50, compile=False)


def total() -> int:
    report: an.Report = model.run(lps=4, sync="sequential")
    names: list[str] = report.tables.arrow("Done").column_names
    assert names[:2] == ["time", "lp"]
    return report.committed
