"""Methods of containers in states do what those of Python's own do: random programs, run compiled, interpreted and by Python."""

import random
from collections import deque

import numpy as np
import pytest

import anachron as an

BOTH = pytest.mark.parametrize("compile", [True, False], ids=["compiled", "interpreted"])
OPERATIONS, MOST = 17, 400


class Params(an.Params):
    program: int = 0


class Item(an.Struct):
    rank: int = 0
    w: float = 0.0


class Step(an.Event):
    pass


def by_tens(x):
    return x // 10


class Box(an.LP):
    xs: list[int]
    line: deque[int]
    items: list[Item]
    words: list[an.Text[4]]
    st: set[int]
    other: set[int]
    d: dict[int, int]
    rest: dict[int, int]
    order: list[int]

    def start(self, cx):
        cx.send(cx.self_id, 0.0, Step())

    @an.on(Step)
    def step(self, cx, _step):
        operations, numbers = cx.shared.operations[cx.params.program], cx.shared.numbers[cx.params.program]
        for i in range(len(operations)):
            self.change(operations[i], numbers[i])

    def change(self, what, n):
        if what == 0:
            self.xs.append(n)
            self.line.append(n)
            self.items.append(Item(n % 5, float(n)))
            self.words.insert(0, str(n % 40))
        elif what == 1:
            self.xs.extend(self.xs[-3:])
            if len(self.line) < 40:
                self.line.extendleft(self.line)
            self.line.extend([n, n + 1])
        elif what == 2:
            self.order.append(self.xs.count(n) + self.line.count(n % 7))
        elif what == 3:
            self.xs.reverse()
            self.line.reverse()
        elif what == 4:
            self.line.rotate(n - 25)
            self.line.rotate()
        elif what == 5:
            self.xs.sort()
            self.words.sort(reverse=n % 2 == 0)
        elif what == 6:
            self.xs.sort(key=by_tens, reverse=n % 2 == 1)
            self.items.sort(key=lambda item: item.rank)
        elif what == 7:
            self.items.sort(key=lambda item: (-item.rank, item.w), reverse=n % 2 == 1)
        elif what == 8 and len(self.xs) > 60:
            del self.xs[n % 9 :: 2]
            del self.line[: -(n % 9) - 1]
            del self.line[5:1:-1]
        elif what == 9:
            for value in self.xs[n % 7 : -2 : 3]:
                self.order.append(value)
            for value in self.line[::-1]:
                self.order.append(value)
            self.order.append(len(self.xs[2:1]) + len(self.items[-2:]))
            if len(self.order) > 300:
                del self.order[:200]
        elif what == 10:
            self.st.add(n)
            self.other.add(n % 17)
        elif what == 11:
            self.st.update(self.line)
            self.other.update((n, n + 1))
        elif what == 12:
            self.st.difference_update(self.other)
            if n % 5 == 0:
                self.other.difference_update(self.other)
        elif what == 13:
            self.st.intersection_update(self.xs)
            self.order.append(self.st.issubset(self.other) * 1 + self.st.issuperset(self.other) * 2 + self.st.isdisjoint(self.other) * 4)
        elif what == 14:
            self.d[n] = n + 1
            self.rest[n % 11] = n
            self.d.update(self.rest)
            self.d.update([(n % 3, 7), (n % 4, 8)])
        elif what == 15 and len(self.d) > 12:
            key, value = self.d.popitem()
            self.order.append(key * 100 + value)
        elif what == 16 and len(self.xs) > 3:
            self.xs.remove(self.xs[2])
            self.order.append(self.xs.index(self.xs[-1]))


class Own:
    """The same with Python's own: a set keeps the order in which elements came, as a dictionary does."""

    change = Box.change

    def __init__(self):
        self.xs, self.line, self.items, self.words, self.order = [], Line(), [], [], []
        self.st, self.other, self.d, self.rest = set(), set(), {}, {}


class Line(deque):
    def __getitem__(self, i):
        return list(self)[i] if isinstance(i, slice) else super().__getitem__(i)

    def __delitem__(self, i):
        kept = list(self)
        del kept[i]
        self.clear()
        self.extend(kept)


def shared_of():
    draw = random.Random(5)
    rows = [[[draw.randrange(most) for _ in range(MOST)] for _ in range(6)] for most in (OPERATIONS, 50)]
    return {"operations": np.array(rows[0]), "numbers": np.array(rows[1])}


@pytest.fixture(scope="module")
def model():
    return an.Model(Box, params=Params, shared=shared_of())


@BOTH
@pytest.mark.parametrize("program", range(6))
def test_random_programs_leave_what_python_has(model, program, compile):
    own = Own()
    for what, n in zip(*(rows[program].tolist() for rows in shared_of().values())):
        own.change(what, n)
    (state,) = model.run(lps=1, program=program, compile=compile).states(Box)
    assert len(own.order) > 50
    for name in ("xs", "line", "words", "order"):
        assert list(state[name]) == list(getattr(own, name)), name
    assert [(item.rank, item.w) for item in state["items"]] == [(item.rank, item.w) for item in own.items]
    for name in ("st", "other", "d", "rest"):
        assert state[name] == getattr(own, name), name
    assert list(state["d"]) == list(own.d)


class Wrong(an.LP):
    st: set[int]
    d: dict[int, int]
    xs: list[int]
    which: int = 0

    def start(self, cx):
        if cx.params.program == 0:
            self.st.pop()
        elif cx.params.program == 1:
            self.d.popitem()
        elif cx.params.program == 2:
            self.xs.extend((3, 1, 2))
            self.xs.rotate(0)
            self.st.update(self.xs)
            self.which = self.st.pop() * 10 + self.st.pop()


@BOTH
def test_what_is_empty_raises_what_python_raises(compile):
    model = an.Model(Wrong, params=Params, compile=compile)
    for program in range(2):
        with pytest.raises(an.SimulationError, match="KeyError"):
            model.run(lps=1, program=program)
    assert model.run(lps=1, program=2).states(Wrong)["which"].tolist() == [21]


class Zeros(an.LP):
    xs: list[float]
    keys: dict[float, float]
    there: int = 0

    def start(self, cx):
        self.xs.append(-0.0)
        self.keys[-0.0] = -0.0
        self.keys[0.0] += 1.0
        self.there = len(self.keys)


@BOTH
def test_zero_below_zero_is_the_same_both_ways(compile):
    (state,) = an.Model(Zeros, compile=compile).run(lps=1).states(Zeros)
    assert str(state["xs"][0]) == "-0.0" and state["keys"] == {0.0: 1.0} and state["there"] == 1


class Unordered(an.LP):
    items: list[Item]
    most: int = 0

    def start(self, cx):
        most = cx.rng.below(3)
        self.items.sort(key=lambda item: item.rank + most)


class Keyless(an.LP):
    items: list[Item]

    def start(self, cx):
        self.items.append(Item(1))
        self.items.sort()


def test_what_cannot_be_sorted_is_said():
    with pytest.raises(an.CompileError, match=r"a key uses the element alone, and not most"):
        an.Model(Unordered)
    with pytest.raises(an.CompileError, match=r"sort\(\): Item has no order: give it a key"):
        an.Model(Keyless)


class Letter(an.LP):
    data: bytes
    found: list[int]

    def start(self, cx):
        self.data = b"a\xffbc\xff"
        d = self.data
        self.found.extend((d.find(b"\xff"), d.rfind(b"\xff"), d.find(b"z"), d.index(b"b"), d.count(b"\xff"), d.rindex(b"c")))
        self.found.append(1 if b"bc" in d and 255 in d and 254 not in d and b"cb" not in d else 0)
        self.found.append(1 if d.startswith(b"a") and d.endswith(self.data[-1:]) and not d.endswith(b"a") else 0)
        self.data = d.replace(b"\xff", b"--")


@BOTH
def test_bytes_have_the_methods_that_search(compile):
    (state,) = an.Model(Letter, compile=compile).run(lps=1).states(Letter)
    assert list(state["found"]) == [1, 4, -1, 2, 2, 3, 1, 1] and state["data"] == b"a--bc--"
