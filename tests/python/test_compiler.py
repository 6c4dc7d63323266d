"""What cannot be compiled is said with file, line and reason; what was compiled is kept, by content."""

import importlib.util
import inspect
import re

import numpy as np
import pytest

import anachron as an


class Ping(an.Event):
    count: int = 0


class Other(an.Event):
    pass


def broken_attribute(self, cx, event):
    self.m = event.count


def broken_event_field(self, cx, event):
    self.n = event.size


def broken_constant(self, cx, event):
    event.count = 3


def broken_send_to_number(self, cx, event):
    cx.send(3, 1.0, Ping())


def broken_send_unhandled(self, cx, event):
    cx.send(cx.self_id, 1.0, Other())


def broken_field(self, cx, event):
    cx.send(cx.self_id, 1.0, Ping(size=3))


def broken_rng(self, cx, event):
    self.n = cx.rng.integers(3)


def broken_rng_argument(self, cx, event):
    self.n = cx.rng.below(2.5)


def broken_random(self, cx, event):
    self.n = int(np.random.random())


def broken_print(self, cx, event):
    print(self.n)


def broken_try(self, cx, event):
    try:
        self.n = 1 // event.count
    except ZeroDivisionError:
        self.n = 0


def broken_yield(self, cx, event):
    yield cx.now


def broken_dictionary(self, cx, event):
    seen = {event.count: 1}
    self.n = seen[event.count]


def broken_shared(self, cx, event):
    self.n = cx.shared.size


def broken_params(self, cx, event):
    self.n = cx.params.size


def broken_type(self, cx, event):
    x = 1
    if event.count > 3:
        x = "much"
    self.n = len(x)


@pytest.mark.parametrize(
    ("handler", "reason"),
    [
        (broken_attribute, "Node has no field or method 'm'"),
        (broken_event_field, "Ping has no field or method 'size'"),
        (broken_constant, "an event that was received is constant"),
        (broken_send_to_number, "an event is sent to an LP, cx.id"),
        (broken_send_unhandled, "Node has no handler for Other"),
        (broken_field, "Ping has no field 'size'"),
        (broken_rng, "cx.rng has no 'integers'"),
        (broken_rng_argument, "n is a whole number"),
        (broken_random, "use cx.rng"),
        (broken_print, "record a row"),
        (broken_try, "exceptions cannot be caught"),
        (broken_yield, "send the LP an event"),
        (broken_dictionary, "a dictionary is a field of the state"),
        (broken_shared, "cx.shared has no 'size'"),
        (broken_params, "Params has no field or method 'size'"),
        (broken_type, "unify"),
    ],
    ids=lambda x: x.__name__ if callable(x) else "",
)
def test_what_cannot_be_compiled_is_said(handler, reason):
    class Node(an.LP):
        n: int = 0
        ping = an.on(Ping)(handler)

    with pytest.raises(an.CompileError, match=re.escape(reason)) as caught:
        an.Model(Node)
    message = str(caught.value)
    file, line = re.match(r"(\S+):(\d+): ", message).groups()
    lines, first = inspect.getsourcelines(handler)
    assert file == __file__ and first <= int(line) <= first + len(lines)
    handler._anachron_events = ()


class Slow(an.LP):
    n: int = 0

    def start(self, cx):
        cx.send(cx.self_id, 1.0, Ping())

    @an.on(Ping)
    def ping(self, cx, event):
        self.n += FACTOR * (1 + event.count)
        if self.n > 10**9:
            raise ValueError(self.n)
        cx.send(cx.self_id, cx.rng.exponential(1.0), Ping(1))


FACTOR = 3


def test_compiled_code_is_kept_by_content(tmp_path, monkeypatch):
    global FACTOR
    monkeypatch.setenv("ANACHRON_CACHE", str(tmp_path))
    options = {"lps": 4, "until": 30, "sync": "sequential"}
    first = an.Model(Slow).run(**options)
    files = list(tmp_path.iterdir())
    assert len(files) == 1
    again = an.Model(Slow)
    assert list(tmp_path.iterdir()) == files
    assert again.run(**options).states("Slow").tobytes() == first.states("Slow").tobytes()

    FACTOR = 4  # what it is made of is another thing now
    try:
        other = an.Model(Slow)
        assert len(list(tmp_path.iterdir())) == 2
        assert (other.run(**options).states("Slow")["n"] * 3 == first.states("Slow")["n"] * 4).all()
    finally:
        FACTOR = 3

    for file in tmp_path.iterdir():
        file.write_bytes(b"no code")
    assert an.Model(Slow).run(**options).digest == first.digest
    an.Model(Slow, cache=False)


def test_an_exception_with_a_value_comes_out_of_cached_code(tmp_path, monkeypatch):
    monkeypatch.setenv("ANACHRON_CACHE", str(tmp_path))
    global FACTOR
    FACTOR = 10**9 + 1
    try:
        for _ in range(2):  # compiled, then from the cache
            with pytest.raises(an.SimulationError, match="threw ValueError: 1000000001"):
                an.Model(Slow).run(lps=2, until=30, workers=2)
    finally:
        FACTOR = 3


def test_indices_are_checked():
    class Node(an.LP):
        values: an.Array[float, 4]

        def start(self, cx):
            cx.send(cx.self_id, 1.0, Ping(4))

        @an.on(Ping)
        def ping(self, cx, event):
            self.values[event.count] = 1.0

    line = inspect.getsourcelines(Node.ping)[1] + 2
    with pytest.raises(an.SimulationError, match=rf"IndexError: index 4 .*size 4 \({re.escape(__file__)}:{line}\)"):
        an.Model(Node).run(lps=2, until=5, sync="sequential")


def test_division_by_zero_is_an_error():
    class Node(an.LP):
        n: int = 0

        def start(self, cx):
            self.n = 1 // cx.index

        @an.on(Ping)
        def ping(self, cx, event):
            pass

    line = inspect.getsourcelines(Node.start)[1] + 1
    with pytest.raises(an.SimulationError, match=rf"ZeroDivisionError: .*\({re.escape(__file__)}:{line}\)"):
        an.Model(Node).run(lps=2, until=5, sync="sequential")


def test_a_damaged_file_of_the_cache_is_compiled_again(tmp_path, monkeypatch):
    monkeypatch.setenv("ANACHRON_CACHE", str(tmp_path))
    options = {"lps": 4, "until": 30, "sync": "sequential"}
    digest = an.Model(Slow).run(**options).digest
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    for place in (3, len(whole) // 3, len(whole) // 2, len(whole) - 1):
        damaged = bytearray(whole)
        damaged[place] ^= 1
        file.write_bytes(damaged)
        assert an.Model(Slow).run(**options).digest == digest
        assert file.read_bytes() != bytes(damaged)  # written anew


def test_a_module_that_is_loaded_by_path_is_not_imported_again(tmp_path, monkeypatch):
    monkeypatch.setenv("ANACHRON_CACHE", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(str(tmp_path))
    source = inspect.getsource(Ping) + inspect.getsource(Slow) + "FACTOR = 3\nmodel = an.Model(Slow)\n"
    file = tmp_path / "model_by_path.py"
    file.write_text("import anachron as an\nassert __name__ == 'other'\n" + source)
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "other.py").write_text("raise RuntimeError('imported again')")
    spec = importlib.util.spec_from_file_location("other", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.model.run(lps=4, until=30).digest == an.Model(Slow).run(lps=4, until=30).digest
