"""What processes and handlers cannot do is said in one sentence when the model is made, the same compiled and interpreted."""

import importlib.util
import re
import textwrap
from collections import deque

import pytest

import anachron as an

BOTH = pytest.mark.parametrize("compile", [True, False], ids=["compiled", "interpreted"])

SOURCE = """import random
import anachron as an
import numpy as np
from collections import deque
from random import expovariate
generator = np.random.default_rng(1)
def of_a_function(mean):
    return random.expovariate(mean)
class Item(an.Struct):
    size: int = 0
    w: float = 0.0
class Ping(an.Event):
    x: int = 0
class Lp(an.LP):
    r: an.Resource = an.Resource(1)
    orders: an.Store[Item] = an.Store()
    tank: an.Container = an.Container(10.0)
    news: an.Wait
    value: an.Wait[float]
    procs: list[an.Wait]
    line: deque[int]
    xs: list[int]
    st: set[int]
    d: dict[int, float]
    items: list[Item]
    urgent: an.PriorityQueue[int]
    x: float = 0.0
    def start(self, cx):
        self.xs.extend((1, 2, 3))
        self.items.append(Item(1, 2.0))
        self.value = cx.event(float)
        cx.process(self.run(cx))
        cx.send(cx.self_id, 1.0, Ping())
    @an.on(Ping)
    def ping(self, cx, ping):
        {handler}
    def helper(self, cx, n: int):
        yield cx.timeout(float(n))
    def run(self, cx):
        {process}
        yield cx.timeout(0.5)
"""


def made(tmp_path, process="pass", handler="pass"):
    """The module of a model with these statements."""
    source = SOURCE.format(process=textwrap.indent(process, " " * 8).strip(), handler=textwrap.indent(handler, " " * 8).strip())
    path = tmp_path / "model_of_refusals.py"
    path.write_text(source)
    spec = importlib.util.spec_from_file_location("model_of_refusals", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def error_of(module, compile):
    """What is said when the model is made, or run."""
    with pytest.raises((TypeError, an.AnachronError)) as caught:
        an.Model(module.Lp, compile=compile, cache=False).run(lps=1, until=5, sync="sequential")
    return str(caught.value)


LIST = "a list has no {} (it has: appendleft, extend, extendleft, popleft, remove, index, count, reverse, rotate, sort, append, insert, pop, clear; and len, x[i], x[a:b], del x[i], v in x, loops)"
WAIT = "an an.Wait has no '{}' (it has: cancel, triggered, processed, value, succeed, fail, is_alive, interrupt, activate)"


@BOTH
@pytest.mark.parametrize(
    ("process", "reason"),
    [
        ("yield cx.any_of(" + ", ".join(["cx.timeout(1.0)"] * 9) + ")", "cx.any_of(..): write what is waited for as arguments, at least one and at most 8"),
        ("yield cx.all_of()", "cx.all_of(..): write what is waited for as arguments"),
        ("yield cx.all_of(self.xs)", "or give it one list: cx.all_of(self.workers)"),
        ("yield cx.any_of(self.procs, 2)", "cx.any_of(..): write what is waited for as arguments"),
        ("yield cx.any_of([])", "cx.any_of(..): write what is waited for as arguments"),
        ("yield cx.all_of(*[cx.timeout(1.0)])", "cx.all_of(..): write what is waited for as arguments"),
        ("yield cx.any_of(cx.timeout(1.0), 3)", "cx.any_of(..): write what is waited for as arguments"),
        ("yield cx.timeout(until=10)", "cx.timeout(until=10): missing a required argument: 'delay'; expected cx.timeout(delay, value=None)"),
        ("yield cx.timeout(1.0, until=10)", "got an unexpected keyword argument 'until'; expected cx.timeout(delay, value=None)"),
        ("yield cx.timeout_until(10)", "a context has no 'timeout_until' (it has: "),
        ("self.x = cx.env.now", "a context has no 'env' (it has: "),
        ("event = cx.event()\nevent.succeed(delay=2)", "got an unexpected keyword argument 'delay'; expected event.succeed(value=None)"),
        ("self.value.succeed(1.0, 2.0)", "too many positional arguments; expected self.value.succeed(value=None)"),
        ("self.x = float(len(self.st.union(self.st)))", "a set has no 'union' (it has: update, difference_update, intersection_update, issubset, issuperset, isdisjoint, clear, add, discard, remove, pop; and len, v in x, loops)"),
        ("self.line.sort(1)", "self.line.sort(1): too many positional arguments; expected self.line.sort(key=None, reverse=False)"),
        ("self.xs.copy()", LIST.format("'copy'")),
        ("self.xs[0:2] = self.xs", LIST.format("slices to assign")),
        ("self.xs.append()", "self.xs.append(): missing a required argument: 'value'; expected self.xs.append(value)"),
        ("self.d.copy()", "a dictionary has no 'copy' (it has: clear, get, pop, popitem, update, setdefault, keys, values, items; and "),
        ("for one in self.urgent:\n    self.x += one", "a priority queue has no loops (it has: push, pop, top, priority, clear; and len)"),
        ("self.x = float(len(self.r.queue))", "an an.Resource has no 'queue' (it has: capacity, waiting, count, request, release)"),
        ("self.x = float(len(self.r.users))", "an an.Resource has no 'users'"),
        ("self.x = float(len(self.orders.items))", "an an.Store has no 'items' (it has: put, get; and len)"),
        ("self.x = self.tank.amount", "an an.Container has no 'amount' (it has: capacity, level, put, get)"),
        ("self.x = 1.0 if self.news.ok else 0.0", WAIT.format("ok")),
        ("event = cx.event()\nself.x = 1.0 if event.ok else 0.0", WAIT.format("ok")),
        ("p = cx.active_process\nself.x = 1.0 if p.target else 0.0", WAIT.format("target")),
        ("self.news = cx.event(Item)", "cx.event(float): expected int, float or bool; an event has no other value"),
        ("item = Item(2, 3.0)\nitem.w += 1.0", "a struct that was read is a copy, and constant: 'w' cannot be assigned; make a new one"),
        ("self.items[0].w = 1.0", "a struct that was read is a copy, and constant: 'w' cannot be assigned; make a new one"),
        ("if (k := cx.rng.below(5)) >= 0:\n    self.x = float(k)", "`:=`: assign in a statement of its own"),
        ("def twice(x):\n    return 2 * x\nself.x = twice(1.0)", "a function in a handler or a process: write it at the top of the file"),
        ("self.helper(cx, 2)", "`self.helper(cx, 2)`: this begins no process: write `cx.process(self.helper(cx, 2))`"),
        ("yield self.helper(cx, 2)", "write `yield cx.process(self.helper(cx, 2))`"),
        ("cx.timeout(1.0)", "`cx.timeout(1.0)` alone waits for nothing: write `yield cx.timeout(1.0)`"),
        ("cx.process(self.hepler(cx, 2))", "expected the call of a process of the LP, cx.process(self.customer(cx, ..)) (it has: helper, run)"),
        ("cx.process(of_a_function(2.0))", "expected the call of a process of the LP"),
        ("self.news.succeed()", "an an.Wait is used to which nothing was assigned: assign it first, such as `self.news = cx.event()`"),
        ("self.news.fail()", "an an.Wait is used to which nothing was assigned"),
        ("self.news.interrupt()", "an an.Wait is used to which nothing was assigned"),
        ("self.news.activate()", "an an.Wait is used to which nothing was assigned"),
        ("yield cx.timeout(random.expovariate(1.0))", "random.expovariate: these numbers do not roll back: use cx.rng"),
        ("yield cx.timeout(expovariate(1.0))", "expovariate: these numbers do not roll back: use cx.rng"),
        ("yield cx.timeout(np.random.exponential(1.0))", "np.random: these numbers do not roll back: use cx.rng"),
        ("yield cx.timeout(generator.exponential(1.0))", "generator: these numbers do not roll back: use cx.rng"),
        ("yield cx.timeout(of_a_function(1.0))", "random.expovariate: these numbers do not roll back: use cx.rng"),
    ],
)
def test_what_a_process_cannot_do_is_said_both_ways(tmp_path, process, reason, compile):
    assert reason in error_of(made(tmp_path, process), compile)


@BOTH
@pytest.mark.parametrize(
    ("handler", "reason"),
    [
        ("cx.timeout(1.0)", "`cx.timeout(1.0)` alone waits for nothing: a handler returns at once: begin a process, which waits"),
        ("self.helper(cx, 2)", "this begins no process: write `cx.process(self.helper(cx, 2))`"),
        ("while (k := cx.rng.below(5)) > 2:\n    self.x += 1.0", "`:=`: assign in a statement of its own"),
        ("self.x = random.random()", "random.random: these numbers do not roll back: use cx.rng"),
        ("self.x = np.random.random()", "np.random: these numbers do not roll back: use cx.rng"),
        ("self.xs.copy()", LIST.format("'copy'")),
        ("made = Ping(2)\nmade.x = 3", "an event is constant: 'x' cannot be assigned; make a new one"),
        ("ping.x = 3", "an event that was received is constant: 'x' cannot be assigned; make a new one"),
    ],
)
def test_what_a_handler_cannot_do_is_said_both_ways(tmp_path, handler, reason, compile):
    assert reason in error_of(made(tmp_path, handler=handler), compile)


@BOTH
def test_a_slip_is_named_with_process_and_line(tmp_path, compile):
    module = made(tmp_path, "self.x = 1.0\ncx.timeout(1.0)")
    lines = (tmp_path / "model_of_refusals.py").read_text().splitlines()
    line = 1 + lines.index("        cx.timeout(1.0)")
    with pytest.raises(an.CompileError, match=re.escape(f"model_of_refusals.py:{line}: process Lp.run: `cx.timeout(1.0)` alone")):
        an.Model(module.Lp, compile=compile)


@BOTH
def test_what_is_right_is_not_refused(tmp_path, compile):
    right = """event = cx.event(float)
event.succeed(2.0)
self.x = yield event
made = cx.process(self.helper(cx, 1))
both = yield cx.all_of([made, cx.timeout(value=1, delay=2.0)])
yield cx.any_of(made, cx.timeout(1.0))
self.orders.put(Item(1, 1.0))
self.r.release(self.r.request())
item = yield self.orders.get(lambda item: item.size > 0)
self.x += item.w"""
    report = an.Model(made(tmp_path, right).Lp, compile=compile, cache=False).run(lps=1, until=20)
    assert report.states("Lp")["x"].tolist() == [3.0]


def of_process(annotations, **names):
    """An LP type with a process of which the parameters, or what it returns, are annotated so."""

    class Lp(an.LP):
        x: int = 0

        def start(self, cx):
            pass

        def run(self, cx, n=0):
            yield cx.timeout(1.0)

    Lp.run.__annotations__.update(annotations)
    Lp.run.__defaults__ = names.get("defaults")
    return Lp


class Item(an.Struct):
    size: int = 0


@BOTH
@pytest.mark.parametrize(
    ("annotations", "defaults", "reason"),
    [
        ({"n": str}, None, "Lp.run: 'n' is str: say how many bytes it has at most, `n: an.Text[24]`"),
        ({"n": bytes}, None, "Lp.run: 'n' is bytes: say how many bytes it has at most, `n: an.Bytes[24]`"),
        ({}, ("a",), "Lp.run: 'n' is str: say how many bytes it has at most, `n: an.Text[24]`"),
        ({"n": int}, ("a",), "Lp.run: n = 'a': expected a whole number"),
        ({"n": an.i1}, (1000,), "Lp.run: n = 1000: expected -128 <= number <= 127"),
        ({"n": an.Text[2]}, ("abc",), "Lp.run: n = 'abc': expected a text of at most 2 bytes"),
        ({"n": an.Wait}, (None,), "Lp.run: n = None: an argument that is an an.Wait has no default"),
        ({"n": list[int]}, None, "Lp.run: 'n' is list: an argument is a number, a text, an LP, a handle, a struct or an an.Wait"),
        ({"n": int, "return": Item}, None, "Lp.run: what a process returns is int, float or bool, and not Item"),
        ({"n": int, "return": an.Text[8]}, None, "Lp.run: what a process returns is int, float or bool, and not an.Text[8]"),
        ({"n": int, "return": tuple[int, float]}, None, "what a process returns is int, float or bool, and not tuple[int, float]"),
        ({"n": int, "return": str}, None, "what a process returns is int, float or bool, and not str"),
    ],
)
def test_what_an_argument_and_a_value_cannot_be_is_said_when_the_model_is_made(annotations, defaults, reason, compile):
    with pytest.raises((TypeError, OverflowError), match=re.escape(reason)):
        an.Model(of_process(annotations, defaults=defaults), compile=compile)


def test_what_a_field_cannot_be_is_said_when_the_class_is_made():
    with pytest.raises(TypeError, match=re.escape("an.Array of Item: expected a number type, bool, an.Id, an.Id[LP] or an.Handle; in a state, list[Item]")):
        an.Array[Item, 4]
    with pytest.raises(TypeError, match=re.escape("an.Array of Wait: expected a number type")):
        an.Array[an.Wait, 4]
    with pytest.raises(TypeError, match=re.escape("an.Wait[..]: the value of an event is int, float or bool, and not Item")):
        an.Wait[Item]
    for annotation, instead in (
        (list[int], "a list belongs into the state of an LP type; in an event use an.List[int, 8]"),
        (deque[an.i4], "a deque belongs into the state of an LP type; in an event use an.List[an.i4, 8]"),
        (set[an.Id], "a set belongs into the state of an LP type; in an event use an.Set[an.Id, 8]"),
        (dict[int, Item], "a dict belongs into the state of an LP type; in an event use an.Dict[int, Item, 8]"),
        (an.PriorityQueue[int], "an an.PriorityQueue belongs into the state of an LP type"),
        (an.Tally, "an an.Tally belongs into the state of an LP type"),
    ):
        with pytest.raises(TypeError, match=re.escape(f"Wrong.x: {instead}")):
            type("Wrong", (an.Event,), {"__annotations__": {"x": annotation}, "__module__": __name__})
    with pytest.raises(TypeError, match=re.escape("Wrong.x: a list belongs into the state of an LP type")):
        type("Wrong", (an.Struct,), {"__annotations__": {"x": list[int]}, "__module__": __name__})


class Ping(an.Event):
    y: int = 0
    z: int = 0


class Bare(an.Event):
    pass


def test_how_many_arguments_a_method_takes_is_checked_when_the_class_is_made():
    def handler(self, cx, y, z): ...

    def start(self): ...

    def undo(self, cx, ping): ...

    def ping(self, cx, ping): ...

    with pytest.raises(TypeError, match=re.escape("Lp.ping(self, cx, y, z): expected (self, cx, event), or with fields of Ping by name, (self, cx, *, y, z)")):
        type("Lp", (an.LP,), {"ping": an.on(Ping)(handler), "__module__": __name__})
    with pytest.raises(TypeError, match=re.escape("Lp.bare(self, cx, y, z): expected (self, cx, event), or (self, cx)")):
        type("Lp", (an.LP,), {"bare": an.on(Bare)(handler), "__module__": __name__})
    with pytest.raises(TypeError, match=re.escape("Lp.start(self): expected (self, cx)")):
        type("Lp", (an.LP,), {"start": start, "__module__": __name__})
    with pytest.raises(TypeError, match=re.escape("Lp.undo(self, cx, ping): expected (self, event)")):
        type("Lp", (an.LP,), {"ping": an.on(Ping)(ping), "undo": an.undo(Ping)(undo), "__module__": __name__})


@BOTH
def test_names_of_simpy_mean_the_same(compile):
    class Shop(an.LP):
        tank: an.Container = an.Container(200.0, init=50.0)
        other: an.Container = an.Container(200.0, level=50.0)
        numbers: an.FilterStore[int] = an.FilterStore(3)
        found: int = 0
        same: bool = False

        def start(self, cx):
            self.same = self.tank.level == self.other.level == 50.0
            self.numbers.put(1)
            self.numbers.put(4)
            cx.process(self.take(cx))

        def take(self, cx):
            self.found = yield self.numbers.get(lambda number: number > 2)

    state = an.Model(Shop, compile=compile).run(lps=1, until=5).states(Shop)[0]
    assert (state["found"], state["same"]) == (4, True)
    with pytest.raises(TypeError, match="both are the level that it begins with: give one"):
        an.Container(200.0, level=50.0, init=40.0)
    with pytest.raises(ValueError, match="expected 0 <= level <= capacity"):
        an.Container(20.0, init=40.0)
