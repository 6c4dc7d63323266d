"""Exact what-if: variants of a session's run are what a session with the changes is."""

import anachron as an
import numpy as np
import pytest


class Job(an.Event):
    size: an.f8


class Break(an.Event):
    until: an.f8


class Desk(an.LP):
    jobs: an.i8 = 0
    free_at: an.f8 = 0.0
    waited: an.f8 = 0.0
    sizes: list[float]

    def start(self, cx):
        cx.send(cx.self_id, cx.rng.exponential(1.0), Job(size=1.0))

    @an.on(Job)
    def job(self, cx, job):
        self.jobs += 1
        begins = max(self.free_at, cx.now)
        self.waited += begins - cx.now
        self.free_at = begins + job.size * cx.rng.exponential(0.5)
        if self.jobs % 7 == 0:
            self.sizes.append(job.size)
        cx.send_at(cx.id(cx.rng.below(cx.lp_count)), self.free_at + 0.5, Job(size=job.size))

    @an.on(Break)
    def rest(self, cx, pause):
        self.free_at = max(self.free_at, pause.until)

    @staticmethod
    def finish(states, params):
        return {"jobs": int(states["jobs"].sum()), "waited": float(states["waited"].sum())}


@pytest.fixture(scope="module", params=[True, False], ids=["compiled", "interpreted"])
def office(request):
    return an.Model(Desk, compile=request.param)


def opened(office, **options):
    return office.session(history=True, sync="sequential", lps=20, **options)


def test_variants_are_full_runs(office):
    with opened(office) as session:
        scheduled = session.schedule(session.id(Desk, 1), 5.0, Job(size=2.0))
        session.schedule(session.id(Desk, 2), 6.0, Job(size=3.0))
        session.run_until(60)
        longer = session.variant("break").schedule(session.id(Desk, 3), 50.0, Break(until=55.0))
        busy = session.variant("busy").edit(session.id(Desk, 4), 40.0, free_at=45.0, jobs=0)
        without = session.variant("without").cancel(scheduled)
        results = session.run([longer, busy, without])
        frame = session.side_by_side(results)
        assert list(frame.columns) == ["figure", "run", "break", "busy", "without"]
        base = session.report().digest

    assert [r.report.digest == base for r in results] == [False, False, False]
    with opened(office) as full:
        full.schedule(full.id(Desk, 1), 5.0, Job(size=2.0))
        full.schedule(full.id(Desk, 2), 6.0, Job(size=3.0))
        full.schedule(full.id(Desk, 3), 50.0, Break(until=55.0))
        full.run_until(60)
        expected = full.report()
        assert results[0].report.digest == expected.digest
        assert results[0]["jobs"] == expected["jobs"] and results[0]["waited"] == expected["waited"]
        assert np.array_equal(results[0].states(Desk)["free_at"], full.states(Desk)["free_at"])
        assert list(results[0].states(Desk)["sizes"]) == list(full.states(Desk)["sizes"])
    assert 0 < results[0].executed < expected.committed
    first = results[0].lps.iloc[0]
    assert (first["type"], first["index"], first["event"]) == ("Desk", 3, "Break")


def test_copies_share_what_they_have_in_common(office):
    with opened(office) as session:
        session.run_until(60)
        rested = session.variant("rested")
        for desk in range(10):
            rested.schedule(session.id(Desk, desk), 5.0 + desk, Break(until=20.0))
        late = rested.copy("late").schedule(session.id(Desk, 3), 55.0, Break(until=58.0))
        later = late.copy("later").edit(session.id(Desk, 4), 58.0, jobs=0)
        both = session.run([later, rested, late])
        alone = [session.run(variant) for variant in (later, rested, late)]
    assert [r.name for r in both] == ["later", "rested", "late"]
    assert [r.report.digest for r in both] == [r.report.digest for r in alone]
    assert [r.shared for r in both] == [both[1].executed + both[2].executed, 0, both[1].executed]
    assert [r.shared for r in alone] == [0, 0, 0]
    assert both[0].executed < alone[0].executed
    for a, b in zip(both, alone):
        assert a.lps.drop(columns="executed").equals(b.lps.drop(columns="executed"))
        assert np.array_equal(a.states(Desk)["waited"], b.states(Desk)["waited"])


def test_the_same_in_parallel(office):
    digests = set()
    for options in ({"sync": "sequential"}, {"sync": "optimistic", "workers": 2, "pes": 4}):
        with office.session(history=True, lps=20, **options) as session:
            session.run_until(30)
            result = session.run(session.variant().schedule(session.id(Desk, 3), 20.0, Break(until=25.0)))
            digests.add(result.report.digest)
    assert len(digests) == 1


def test_errors_name_what_is_wrong(office):
    with opened(office) as session:
        session.run_until(10)
        with pytest.raises(an.InputError, match="valid are times from 0, and before 10"):
            session.run(session.variant().schedule(session.id(Desk, 3), 20.0, Break(until=25.0)))
        with pytest.raises(TypeError, match="no plain field 'sizes' .it has: jobs, free_at, waited"):
            session.variant().edit(session.id(Desk, 3), 5.0, sizes=[])
        with pytest.raises(an.InputError, match="unknown LP, Desk 99"):
            session.run(session.variant().edit(session.id(Desk, 99), 5.0, jobs=1))
    with office.session(sync="sequential", lps=20) as session:
        session.run_until(10)
        with pytest.raises(Exception, match="keeps no history"):
            session.run(session.variant())
