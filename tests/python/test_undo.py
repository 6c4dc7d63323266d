"""Handlers that are undone by hand: the same run as with copies, and the rollback check finds what is wrong."""

import pytest

import anachron as an

MODES = [
    {"sync": "sequential"},
    {"workers": 2, "pes": 3, "mapping": "fixed"},
    {"workers": 2, "pes": 3, "mapping": "fixed", "rollback": "copy"},
    {"workers": 2, "check_rollback": True},
    {"compile": False, "workers": 2, "mapping": "fixed"},
]


class Hop(an.Event):
    weight: int
    slot: an.u1


class Params(an.Params):
    fail_at: float = an.param(-1.0, "Time from which on hops fail")


class Node(an.LP):
    hops: int = 0
    table: an.Array[int, 16]

    def start(self, cx):
        cx.send(cx.self_id, cx.rng.exponential(1.0), Hop(cx.index + 1, cx.index % 16))

    @an.on(Hop)
    def hop(self, cx, hop):
        self.hops += 1
        self.table[hop.slot] += hop.weight
        if 0 <= cx.params.fail_at <= cx.now:
            raise ValueError("half done")
        to = cx.id(cx.rng.below(cx.lp_count))
        cx.send(to, cx.rng.exponential(1.0), Hop(hop.weight % 7 + 1, cx.rng.below(16)))

    @an.undo(Hop)
    def unhop(self, hop):
        self.hops -= 1
        self.table[hop.slot] -= hop.weight


class Wrong(Node):
    @an.undo(Hop)
    def unhop(self, hop):
        self.hops -= 1


class Raising(Node):
    @an.undo(Hop)
    def unhop(self, hop):
        self.table[hop.slot + 16] -= hop.weight


@pytest.fixture(scope="module")
def model():
    return an.Model(Node, params=Params, until=30)


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_it_is_the_same_run(model, mode):
    class Copied(an.LP):
        name = "Node"
        hops: int = 0
        table: an.Array[int, 16]
        start = Node.start
        hop = Node.hop

    expected = an.Model(Copied, params=Params, until=30).run(lps=12, sync="sequential")
    report = model.run(lps=12, **mode)
    assert report.digest == expected.digest
    assert report.states(Node).tobytes() == expected.states(Copied).tobytes()


def test_states_are_not_copied(model):
    run = {"lps": 12, "workers": 2, "pes": 2, "mapping": "fixed"}
    assert model.run(**run).state_copies == 0 < model.run(rollback="copy", **run).state_copies


@pytest.mark.parametrize("mode", MODES, ids=str)
def test_a_handler_that_fails_halfway_is_undone_as_well(model, mode):
    with pytest.raises(an.SimulationError, match="half done") as first:
        model.run(lps=12, fail_at=5.0, sync="sequential")
    with pytest.raises(an.SimulationError, match="half done") as caught:
        model.run(lps=12, fail_at=5.0, **mode)
    assert (caught.value.lp, caught.value.time) == (first.value.lp, first.value.time)


@pytest.mark.parametrize("compile", [True, False])
def test_the_rollback_check_finds_what_is_wrong(compile):
    model = an.Model(Wrong, params=Params, until=30, compile=compile)
    with pytest.raises(an.SimulationError, match="does not restore the state") as caught:
        model.run(lps=12, workers=2, check_rollback=True)
    assert caught.value.lp.startswith("Wrong") and caught.value.event == "Hop"
    assert model.run(lps=12, sync="sequential").committed > 100  # nothing is undone there


@pytest.mark.parametrize("compile", [True, False])
def test_an_undo_that_raises_ends_the_run(compile):
    model = an.Model(Raising, params=Params, until=30, compile=compile)
    with pytest.raises(an.AnachronError, match="what undoes event Hop of Raising has failed"):
        model.run(lps=12, workers=2, check_rollback=True)


def test_what_is_undone_has_a_handler():
    with pytest.raises(TypeError, match="undoes Other, for which there is no handler"):

        class Other(an.Event):
            pass

        class Odd(an.LP):
            @an.undo(Other)
            def unhop(self, hop):
                pass
