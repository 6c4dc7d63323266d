"""A model in Python that uses all that there is: compiled and interpreted, in every mode, it is the same run."""

import gc
import math
import os
import threading

import numpy as np
import office
import pytest

import anachron as an

MODES = [
    {"sync": "sequential"},
    {"workers": 2, "mapping": "fixed"},
    {"workers": 2, "pes": 5},
    {"workers": 2, "check_rollback": True},
    {"workers": 2, "cancellation": "lazy", "checkpoint_interval": 3},
    {"compile": False, "sync": "sequential"},
    {"compile": False, "workers": 2, "pes": 3},
]
UNTIL = 30


@pytest.fixture(scope="module")
def model():
    return office.make_model()


@pytest.fixture(scope="module")
def expected(model):
    return model.run(until=UNTIL, sync="sequential")


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_every_mode_is_the_same_run(model, expected, mode):
    report = model.run(until=UNTIL, **mode)
    assert report.digest == expected.digest
    assert report.results == expected.results
    for lp in (office.Hub, office.Office):
        assert report.states(lp).tobytes() == expected.states(lp).tobytes()
    for name in expected.tables:
        for column, values in expected.tables.columns(name).items():
            np.testing.assert_array_equal(report.tables.columns(name)[column], values)
    assert not [note for note in report.notes if "compared" in note]


def test_the_run_is_one_in_which_much_happens(expected):
    assert expected.committed > 1500
    late = expected.tables["Late"]
    assert len(late) > 50 and (late["hours"] > 1.2).all() and late["time"].is_monotonic_increasing
    assert list(late.columns) == ["time", "lp", "hub", "hours", "route_0", "route_1", "route_2"]
    assert expected["delivered"] == expected.states(office.Office)["by_hub"].sum()
    assert expected.tables["hours"]["parcels"].sum() > 1000


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_what_a_handler_raises_is_the_error_of_the_run(model, expected, mode):
    with pytest.raises(an.SimulationError, match="threw ValueError: hub 3 is closed .*office.py:") as caught:
        model.run(until=UNTIL, fail_at=5.0, **mode)
    assert (caught.value.lp, caught.value.event) == ("Hub 3", "Parcel")
    assert 5 <= caught.value.time < 10
    assert model.run(until=UNTIL, workers=2, mapping="fixed").digest == expected.digest  # all is well afterwards


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_a_handler_stops_the_run(model, mode):
    report = model.run(until=UNTIL, stop_after=50, **mode)
    assert report.ending == "stopped" and report["delivered"] == 50


def test_parameters_are_checked(model):
    with pytest.raises(an.InputError, match="hubs: 0 is not valid: expected a number at least 1"):
        model.run(hubs=0)
    with pytest.raises(an.InputError, match="hubs: 1.5 is not valid: expected a whole number"):
        model.run(hubs=1.5)
    with pytest.raises(an.InputError, match="unknown option hub=; did you mean hubs="):
        model.run(hub=3)
    assert model.options()["hubs"] == {"default": 12, "help": "Hubs"}


def test_shared_data_may_be_given_with_the_run(model, expected):
    shared = office.distances(office.Params())
    assert model.run(until=UNTIL, shared=shared, sync="sequential").digest == expected.digest
    shared["distance"] = shared["distance"] * 2
    assert model.run(until=UNTIL, shared=shared, sync="sequential").digest != expected.digest
    with pytest.raises(an.InputError, match="shared 'names'"):
        model.run(until=UNTIL, shared={"names": np.array(["a"])})


def test_a_session_stops_looks_and_goes_back(model, expected):
    for mode in ({"sync": "sequential"}, {"workers": 2}, {"compile": False, "sync": "sequential"}):
        session = model.session(**mode)
        assert session.run_until(10) == "finished" and session.now == 10
        states = session.states(office.Hub)
        before = states["left"].copy()
        mark = session.mark()
        session.schedule(session.id(office.Hub, 2), 12, office.GiveUp(customer=3))
        session.run_until(UNTIL)
        assert (states["left"] < before).all()
        assert session.report().digest != expected.digest
        session.rewind(mark)
        np.testing.assert_array_equal(states["left"], before)
        with pytest.raises(ValueError, match="read-only"):
            states["left"][0] = 1
        session.accept(mark)
        session.run_until(UNTIL)
        report = session.report()
        assert report.digest == expected.digest and report.results == expected.results
        assert len(report.tables["Late"]) == len(expected.tables["Late"])
        with pytest.raises(an.InputError):
            session.schedule(session.id(office.Hub, 99), 40, office.GiveUp())
        with pytest.raises(TypeError, match="Office has no handler for GiveUp"):
            session.schedule(session.id(office.Office, 0), 40, office.GiveUp())


def test_branches_start_from_the_same_point(model):
    session = model.session(sync="sequential")
    session.run_until(5)

    def close(hub):
        return lambda s: s.schedule(s.id(office.Hub, hub), 6, office.HandIn())

    def delivered(s):
        return int(s.states(office.Office)["delivered"][0])

    nothing, one, again = session.branch([lambda s: None, close(1), lambda s: None], 20, delivered)
    assert nothing == again > 0 and one != nothing
    assert session.now == 5


def test_threads_run_the_same_model_at_the_same_time(model, expected):
    digests = []
    threads = [
        threading.Thread(target=lambda: digests.append(model.run(until=UNTIL, workers=2).digest)) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert digests == [expected.digest] * 3


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_a_thousand_runs_leak_nothing(model):
    def runs(n):
        for i in range(n):
            if i % 100 == 0:
                with pytest.raises(an.SimulationError):
                    model.run(until=3, hubs=4, fail_at=0.0, sync="sequential")
            model.run(until=3, hubs=4, sync="sequential")
        gc.collect()

    runs(100)
    before = resident()
    runs(900)
    assert resident() - before < 4 << 20


def test_records_know_their_fields():
    parcel = office.Parcel(an.Id(office.Hub, 3), handed_in=2.5, route=[1, 2, 3])
    assert parcel.origin.index == 3 and parcel.hops == 0 and parcel.handed_in == 2.5
    assert parcel.route.tolist() == [1, 2, 3]
    with pytest.raises(TypeError, match="Parcel has no field 'to'"):
        office.Parcel(to=3)
    with pytest.raises(OverflowError, match="Parcel.hops = 300"):
        office.Parcel(hops=300)
    with pytest.raises(AttributeError, match="Parcel has no field 'hop'"):
        parcel.hop = 1
    assert math.isclose(parcel.handed_in, 2.5)


def test_classes_that_make_no_sense_are_refused():
    with pytest.raises(TypeError, match=r"Odd\.names: .* cannot be a field"):

        class Odd(an.Event):
            names: list

    with pytest.raises(TypeError, match="expected an event type"):
        an.on(int)

    class Idle(an.LP):
        pass

    with pytest.raises(TypeError, match="has neither a handler"):
        an.Model(Idle)
    with pytest.raises(TypeError, match="is not derived from an.LP"):
        an.Model(int)


def test_time_that_stands_still_is_an_error():
    class Tick(an.Event):
        pass

    class Late(an.LP):
        def start(self, cx):
            cx.send_at(cx.self_id, 1e15, Tick())

        @an.on(Tick)
        def tick(self, cx, tick):
            cx.send(cx.self_id, 1e-3, Tick())

    for compile in (True, False):
        model = an.Model(Late, until=2e15, compile=compile, cache=False)
        with pytest.raises(an.SimulationError, match="with delay 0.001, which is below the resolution of time"):
            model.run(lps=1, sync="sequential")


def test_what_handlers_call_is_documented():
    from anachron._context import RngOfCall
    from anachron._native import RNG

    for name in RNG:
        assert name == "uniform_in" or getattr(RngOfCall, name).__doc__, name
    for name in ("send", "send_at", "broadcast", "cancel", "record", "stop", "print"):
        assert getattr(an.Context, name).__doc__, name
