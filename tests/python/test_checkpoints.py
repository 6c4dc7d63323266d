"""Runs that go on from a checkpoint end as runs without one."""

import anachron as an
import pytest


class Job(an.Event):
    size: an.f8


class Desk(an.LP):
    jobs: an.i8 = 0
    waited: an.f8 = 0.0
    sizes: list[float]
    by_hour: dict[int, int]

    def start(self, cx):
        cx.send(cx.self_id, cx.rng.exponential(1.0), Job(size=1.0))

    @an.on(Job)
    def job(self, cx, job):
        self.jobs += 1
        self.waited += job.size * cx.rng.exponential(0.5)
        hour = int(cx.now) % 24
        self.by_hour[hour] = self.by_hour.get(hour, 0) + 1
        if self.jobs % 7 == 0:
            self.sizes.append(job.size)
        cx.send(cx.id(cx.rng.below(cx.lp_count)), 0.2 + cx.rng.exponential(1.0), Job(size=job.size + 0.5))

    @staticmethod
    def finish(states, params):
        return {"jobs": int(states["jobs"].sum()), "waited": float(states["waited"].sum())}


class Served(an.Row):
    at: an.f8
    size: an.f8


class Till(an.LP):
    """Records rows, some of them at the same time."""

    jobs: an.i8 = 0

    def start(self, cx):
        cx.send(cx.self_id, float(1 + cx.index % 3), Job(size=1.0))

    @an.on(Job)
    def job(self, cx, job):
        self.jobs += 1
        cx.record(Served(at=cx.now, size=job.size))
        cx.record(Served(at=-cx.now, size=self.jobs))
        cx.send(cx.id(cx.rng.below(cx.lp_count)), float(1 + cx.rng.below(4)), Job(size=job.size + 0.5))


class Station(an.LP):
    """Processes wait in it, for time and for each other."""

    pumps: an.Resource = an.Resource(2)
    tank: an.Container = an.Container(100.0, 60.0)
    served: an.i8 = 0

    def start(self, cx):
        cx.process(self.cars(cx))
        cx.process(self.truck(cx))

    def car(self, cx, size: float):
        with self.pumps.request() as pump:
            yield pump
            yield self.tank.get(size)
            yield cx.timeout(size / 7)
        self.served += 1

    def truck(self, cx):
        while True:
            yield cx.timeout(9.0)
            if self.tank.level < 50:
                yield self.tank.put(50.0)

    def cars(self, cx):
        while True:
            yield cx.timeout(cx.rng.exponential(2.0))
            cx.process(self.car(cx, 1.0 + cx.rng.exponential(9.0)))

    @staticmethod
    def finish(states, params):
        return {"served": int(states["served"].sum())}


SAME = ("digest", "state_digest", "committed", "end_time", "critical_path")


def facts(report):
    return [report.data[name] for name in SAME] + [report["jobs"], report["waited"]]


@pytest.fixture(scope="module", params=[True, False], ids=["compiled", "interpreted"])
def office(request):
    return an.Model(Desk, compile=request.param)


@pytest.mark.parametrize("writer", [dict(sync="sequential"), dict(sync="optimistic", workers=2, pes=3)], ids=["sequential", "optimistic"])
def test_a_run_goes_on(office, tmp_path, writer):
    expected = office.run(lps=20, until=60.0, sync="sequential")
    assert expected.state_digest is not None
    office.run(lps=20, until=40.0, checkpoint=str(tmp_path), checkpoint_every=15, **writer)
    for reader in (dict(sync="sequential"), dict(sync="optimistic", workers=2, pes=5)):
        report = office.run(lps=20, until=60.0, resume=str(tmp_path), **reader)
        assert facts(report) == facts(expected)
        assert 0 < report.committed_before < report.committed


def test_processes_go_on(tmp_path):
    model = an.Model(Station)
    expected = model.run(lps=7, until=200.0, sync="sequential")
    model.run(lps=7, until=150.0, sync="optimistic", workers=2, checkpoint=str(tmp_path), checkpoint_every=35)
    report = model.run(lps=7, until=200.0, sync="sequential", resume=str(tmp_path))
    assert [report.data[name] for name in SAME] == [expected.data[name] for name in SAME]
    assert report["served"] == expected["served"]


@pytest.mark.parametrize("compile", [True, False], ids=["compiled", "interpreted"])
def test_rows_go_on(tmp_path, compile):
    model = an.Model(Till, rows=[Served], compile=compile)

    def rows(report):
        return {name: values.tolist() for name, values in report.tables.columns("Served").items()}

    expected = rows(model.run(lps=9, until=90.0, sync="sequential"))
    assert len(expected["at"]) > 200
    folder = str(tmp_path)
    model.run(lps=9, until=50.0, sync="optimistic", workers=2, pes=3, checkpoint=folder, checkpoint_every=20)
    for layout in (dict(sync="sequential"), dict(sync="optimistic", workers=2, pes=4)):
        assert rows(model.run(lps=9, until=90.0, resume=folder, **layout)) == expected
    model.run(lps=9, until=70.0, sync="sequential", resume=folder, checkpoint=folder, checkpoint_every=20)
    assert rows(model.run(lps=9, until=90.0, sync="sequential", resume=folder)) == expected, "twice"
    with model.session(lps=9, sync="sequential") as session:
        session.run_until(33)
        session.checkpoint(str(tmp_path / "session"))
    with model.session(lps=9, sync="sequential", resume=str(tmp_path / "session")) as session:
        session.run_until(90.0)
        assert rows(session.report()) == expected


def test_parameters_must_be_the_same(office, tmp_path):
    office.run(lps=20, until=40.0, sync="sequential", checkpoint=str(tmp_path), checkpoint_every=15)
    with pytest.raises(an.InputError, match="seed= was 1 and is 3 now"):
        office.run(lps=20, until=60.0, sync="sequential", resume=str(tmp_path), seed=3)
    with pytest.raises(an.InputError, match="it has 20 .*the model has 21"):
        office.run(lps=21, until=60.0, sync="sequential", resume=str(tmp_path))
    with pytest.raises(an.InputError, match="there is no checkpoint"):
        office.run(lps=20, until=60.0, sync="sequential", resume=str(tmp_path / "elsewhere"))


class Rate(an.Params):
    mean: float = 1.0


class Clock(an.LP):
    ticks: an.i8 = 0

    def start(self, cx):
        cx.send(cx.self_id, cx.rng.exponential(cx.params.mean), Job(size=1.0))

    @an.on(Job)
    def tick(self, cx, job):
        self.ticks += 1
        cx.send(cx.self_id, cx.rng.exponential(cx.params.mean), Job(size=1.0))


def test_sessions_go_on(tmp_path):
    model = an.Model(Clock, params=Rate)
    expected = model.run(lps=5, until=40.0, sync="sequential")
    folder = str(tmp_path / "here")
    with model.session(lps=5, sync="optimistic", workers=2) as session:
        session.run_until(10)
        session.checkpoint(folder)
        session.run_until(17)
        assert session.checkpoint(folder).endswith("checkpoint-000002")
        with pytest.raises(an.InputError, match="another run"):
            with model.session(lps=5, sync="sequential") as other:
                other.checkpoint(folder)
    with model.session(lps=5, sync="sequential", resume=folder) as session:
        assert session.now == 17
        session.run_until(40)
        report = session.report()
    assert [report.data[name] for name in SAME] == [expected.data[name] for name in SAME]
    with pytest.raises(an.InputError, match="the parameters, shared data or handlers are not those"):
        model.run(lps=5, until=40.0, sync="sequential", resume=folder, mean=2.0)
    with pytest.raises(an.InputError, match="a session writes with its function"):
        model.session(lps=5, sync="sequential", checkpoint=folder)


def test_a_run_that_is_out_of_time_says_so(office, tmp_path):
    report = office.run(lps=20, until=1e9, sync="sequential", checkpoint=str(tmp_path), max_wall="1s", on_interrupt="report")
    assert report.is_out_of_time and report.ending == "interrupted"
    assert report.checkpoint.startswith(str(tmp_path))


def test_bundled_models_have_checkpoints(tmp_path):
    expected = an.run("queueing", until=300.0, sync="sequential")
    an.run("queueing", until=200.0, sync="optimistic", workers=2, checkpoint=str(tmp_path), checkpoint_every=70)
    report = an.run("queueing", until=300.0, sync="sequential", resume=str(tmp_path))
    assert [report.data[name] for name in SAME] == [expected.data[name] for name in SAME]
