"""Containers in states: what they do is what Python's do, compiled and interpreted, and they roll back."""

from collections import deque

import pytest

import anachron as an


class Params(an.Params):
    operations: int = 40


class Step(an.Event):
    pass


class Order(an.Struct):
    amount: int = 0
    since: float = 0.0


class Depot(an.LP):
    line: deque[Order]
    stock: dict[int, float]
    seen: set[int]
    urgent: an.PriorityQueue[Order]
    recent: list[float]
    flags: list[an.i1]
    neighbours: dict[an.Id, int]
    total: float = 0.0
    steps: int = 0

    def start(self, cx):
        cx.send(cx.self_id, cx.rng.exponential(1.0), Step())

    @an.on(Step)
    def step(self, cx, _step):
        self.steps += 1
        for _ in range(cx.rng.below(4)):
            self.change(cx, cx.rng.below(14), cx.rng.below(12))
        for value in self.recent:
            self.total += value
        for order in self.line:
            self.total += order.amount * order.since
        for key, value in self.stock.items():
            self.total += key * value
        for key in self.seen:
            self.total += key
        to = cx.id(cx.rng.below(cx.lp_count))
        self.neighbours[to] = self.neighbours.get(to, 0) + 1
        cx.send(to, cx.rng.exponential(1.0), Step())

    def change(self, cx, what, n):
        if what == 0:
            self.line.append(Order(n, cx.now))
        elif what == 1:
            self.line.appendleft(Order(n + 1, cx.now))
        elif what == 2 and len(self.line) > 0:
            self.total += self.line.popleft().since
        elif what == 3 and self.line:
            self.line[-1] = Order(self.line[0].amount, cx.now)
        elif what == 4:
            self.stock[n] = self.stock.get(n, 0.5) + cx.now
        elif what == 5 and n in self.stock:
            self.total += self.stock.pop(n)
        elif what == 6:
            self.total += self.stock.setdefault(n, 2.5) + self.stock.pop(n + 100, 7.0)
        elif what == 7:
            self.seen.add(n)
            self.seen.discard(n + 1)
        elif what == 8:
            self.urgent.push(float(n % 4), Order(n, cx.now))
        elif what == 9 and self.urgent:
            self.total += self.urgent.priority() + self.urgent.top().since + self.urgent.pop().amount
        elif what == 10:
            self.recent.insert(n % (len(self.recent) + 1), cx.now)
            self.flags.append(n - 6)
        elif what == 11 and len(self.recent) > 0:
            value = self.recent.pop(n % len(self.recent))
            if value in self.recent:
                self.recent.remove(value)
        elif what == 12 and len(self.recent) > 3:
            del self.recent[1]
            self.total += self.recent.index(self.recent[2])
        elif what == 13 and len(self.flags) > 20:
            self.flags.clear()
            self.stock.clear()


@pytest.fixture(scope="module")
def model():
    return an.Model(Depot, params=Params, name="depot", until=60)


@pytest.fixture(scope="module")
def expected(model):
    report = model.run(lps=16, sync="sequential", compile=False)
    states = report.states(Depot)
    assert max(map(len, states["line"])) > 10 and max(map(len, states["stock"])) > 3 and max(map(len, states["urgent"])) > 5
    return report


def columns(report):
    states = report.states(Depot)
    return {name: states[name].tolist() for name in states.dtype.names}


@pytest.mark.parametrize(
    "options",
    [
        {"sync": "sequential"},
        {"sync": "optimistic", "workers": 2, "pes": 4},
        {"sync": "optimistic", "workers": 2, "pes": 4, "rollback": "copy"},
        {"sync": "optimistic", "pes": 3, "check_rollback": True},
        {"sync": "optimistic", "pes": 3, "check_rollback": True, "compile": False},
    ],
    ids=str,
)
def test_containers_are_the_same_in_all_modes(model, expected, options):
    report = model.run(lps=16, **options)
    assert report.digest == expected.digest
    assert columns(report) == columns(expected)


class Sum(an.LP):
    """Python's own beside those of the state: a handler that is interpreted may have both."""

    xs: list[int]
    d: dict[int, int]
    q: an.PriorityQueue[int]

    def start(self, cx):
        xs, d, q = [], {}, []
        for i in range(200):
            n = cx.rng.below(50)
            xs.insert(n % (len(xs) + 1), n)
            self.xs.insert(n % (len(self.xs) + 1), n)
            if n % 3 == 0:
                assert self.xs.pop(n % len(self.xs)) == xs.pop(n % len(xs))
            d[n] = d.get(n, 0) + i
            self.d[n] = self.d.get(n, 0) + i
            if n % 7 == 0 and n + 1 in d:
                assert self.d.pop(n + 1) == d.pop(n + 1)
            q.append((n % 5, i))
            self.q.push(float(n % 5), i)
            assert list(self.xs) == xs and list(self.d.items()) == list(d.items())
            if n % 2:
                q.sort()
                assert self.q.pop() == q.pop(0)[1]


def test_containers_do_what_those_of_python_do():
    an.Model(Sum, compile=False).run(lps=3)


class Wrong(an.LP):
    xs: list[int]
    d: dict[int, float]
    q: an.PriorityQueue[int]
    s: set[int]
    result: float = 0.0

    def start(self, cx):
        which = cx.params.operations
        if which == 0:
            self.result = self.xs[2]
        elif which == 1:
            self.xs.pop()
        elif which == 2:
            self.result = self.d[3]
        elif which == 3:
            del self.d[3]
        elif which == 4:
            self.q.pop()
        elif which == 5:
            self.s.remove(1)
        elif which == 6:
            self.result = self.xs.index(4)
        elif which == 7:
            self.d[1] = 1.0
            for key in self.d:
                self.d[key + 1] = 2.0


@pytest.fixture(scope="module")
def wrong():
    return an.Model(Wrong, params=Params)


@pytest.mark.parametrize("compile", [True, False])
@pytest.mark.parametrize(
    "which, error",
    list(enumerate(["IndexError", "IndexError", "KeyError", "KeyError", "IndexError", "KeyError", "ValueError", "RuntimeError"])),
)
def test_bounds_and_missing_keys_raise_what_python_raises(wrong, which, error, compile):
    with pytest.raises(an.SimulationError, match=error):
        wrong.run(lps=1, operations=which, compile=compile)


def test_what_cannot_be_an_element_is_said():
    with pytest.raises(TypeError, match="list of Array"):

        class Lists(an.LP):
            xs: list[an.Array[int, 3]]

    with pytest.raises(TypeError, match="begins empty"):

        class Filled(an.LP):
            xs: list[int] = [1, 2]  # noqa: RUF012

    with pytest.raises(TypeError, match="dict has 2 types"):

        class Keys(an.LP):
            xs: dict[int]


def test_a_struct_that_was_read_is_a_copy():
    class Reader(an.LP):
        orders: list[Order]

        def start(self, cx):
            self.orders.append(Order(1, 2.0))
            self.orders[0].amount = 3

    with pytest.raises(an.CompileError, match="a struct that was read is a copy"):
        an.Model(Reader)
    with pytest.raises(an.SimulationError, match="a struct that was read is a copy"):
        an.Model(Reader, compile=False).run(lps=1)


class Cell(an.Struct):
    x: int = 0
    y: int = 0
    tag: an.Text[4] = "a"


class Grid(an.LP):
    heights: dict[Cell, int]
    seen: set[Cell]
    sum: int = 0

    def start(self, cx):
        for x in range(4):
            self.heights[Cell(x, 2)] = x
            self.heights[Cell(x % 2, 2)] += 10
            self.seen.add(Cell(x % 2, x % 2, "ab"))
        self.sum = self.heights[Cell(1, 2)] + len(self.seen) + (100 if Cell(3, 2) in self.heights else 0)


@pytest.mark.parametrize("compile", [True, False])
def test_structs_may_be_keys(compile):
    report = an.Model(Grid, compile=compile).run(lps=2)
    for state in report.states(Grid):
        assert state["heights"] == {Cell(0, 2): 20, Cell(1, 2): 21, Cell(2, 2): 2, Cell(3, 2): 3}
        assert state["seen"] == {Cell(0, 0, "ab"), Cell(1, 1, "ab")} and Cell(0, 0) not in state["seen"]
        assert state["heights"][Cell(1, 2)] == 21 and state["sum"] == 123
        for cell in state["seen"]:
            with pytest.raises(AttributeError, match="constant"):
                cell.x = 3
    assert hash(Cell(3, 4)) == hash(Cell(3, 4)) != hash(Cell(4, 3))


class Large(an.LP):
    values: list[int]

    def start(self, cx):
        for i in range(20_000):
            self.values.append(i)
        cx.send(cx.self_id, 1.0, Step())

    @an.on(Step)
    def step(self, cx, _step):
        self.values[cx.rng.below(len(self.values))] += 1
        cx.send(cx.id(cx.rng.below(cx.lp_count)), cx.rng.exponential(1.0), Step())


def test_of_a_large_list_only_what_changes_is_saved():
    model = an.Model(Large, until=100)
    report = model.run(lps=8, sync="optimistic", workers=2, pes=4, throttle="none", mapping="fixed", memory="64MiB")
    assert report.data["rolled_back"] > 0
    assert report.digest == model.run(lps=8, sync="sequential").digest


def test_a_type_with_containers_has_no_undo_by_hand():
    class Both(an.LP):
        xs: list[int]

        @an.on(Step)
        def step(self, cx, _step):
            self.xs.append(1)

        @an.undo(Step)
        def unstep(self, _step):
            pass

    with pytest.raises(TypeError, match="leave out an.undo"):
        an.Model(Both)


def test_a_session_goes_back_in_what_grows(model):
    session = model.session(lps=16, sync="optimistic", workers=2)
    session.run_until(10)
    point = session.mark()
    before = session.states(Depot)
    session.run_until(30)
    session.rewind(point)
    again = session.states(Depot)
    assert [list(x) for x in before["line"]] == [list(x) for x in again["line"]]
    assert before["stock"].tolist() == again["stock"].tolist()
    session.accept(point)
    session.run_until(60)
    assert session.report().digest == model.run(lps=16, sync="sequential").digest
