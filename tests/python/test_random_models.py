"""Models that were drawn at random, as Python text: interpreted and compiled, in all modes, they are the same run."""

import importlib.util
import os
import random

import pytest

import anachron as an

MODES = [
    {"sync": "sequential"},
    {"workers": 2, "pes": 3, "mapping": "fixed"},
    {"workers": 2, "check_rollback": True},
    {"workers": 2, "cancellation": "lazy", "checkpoint_interval": 3, "mapping": "fixed"},
]
COUNT = int(os.environ.get("ANACHRON_TEST_MODELS", "6"))

KINDS = {"int": "int", "an.i4": "int", "an.i1": "int", "an.u2": "int", "float": "float", "bool": "bool"}


class Source:
    """Draws the text of a model."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.lps = [f"Lp{i}" for i in range(self.random.randint(1, 3))]
        self.events = {f"Ev{i}": self.fields(3) for i in range(self.random.randint(1, 3))}
        self.states = {lp: self.fields(5) for lp in self.lps}
        self.handles = {lp: [e for e in self.events if self.random.random() < 0.7] or ["Ev0"] for lp in self.lps}
        self.arrays = {lp: self.random.randint(1, 9) for lp in self.lps}

    def fields(self, most):
        kinds = list(KINDS)
        return {f"f{i}": self.random.choice(kinds) for i in range(self.random.randint(1, most))}

    def number(self, lp, event, kind, depth=0):
        """An expression: whole ones small, so that they do not overflow."""
        r = self.random
        names = [f"self.{n}" for n, k in self.states[lp].items() if KINDS[k] == kind]
        if event:
            names += [f"event.{n}" for n, k in self.events[event].items() if KINDS[k] == kind]
        if kind == "bool":
            leaves = [*names, f"{self.number(lp, event, 'int', depth + 1)} > {r.randint(-5, 50)}"]
            return r.choice(leaves) if depth < 2 else r.choice(["True", "False"])
        if kind == "int":
            leaves = [*names, str(r.randint(-9, 9)), f"cx.rng.below({r.randint(1, 20)})", "cx.index", "cx.lp_count"]
            leaves.append(f"self.numbers[{r.randrange(self.arrays[lp])}]")
            operators = ["+", "-", "*", "//", "%"]
        else:
            leaves = [*names, f"{r.uniform(-2, 2):.3f}", f"cx.rng.exponential({r.uniform(0.1, 2):.2f})", "cx.now"]
            leaves += ["cx.rng.normal()", "cx.rng(self.stream).exponential(0.7)"]
            operators = ["+", "-", "*"]
        if depth >= 2 or r.random() < 0.4:
            return r.choice(leaves)
        a, b = (self.number(lp, event, kind, depth + 1) for _ in range(2))
        operator = r.choice(operators)
        if operator in ("//", "%"):
            b = str(r.randint(1, 9))
        return f"({a} {operator} {b})"

    def bounded(self, lp, event, kind):
        """As a value for a field of any kind of that sort."""
        value = self.number(lp, event, kind)
        return f"({value}) % 100" if kind == "int" else f"min(max({value}, -1e3), 1e3)" if kind == "float" else value

    def send(self, lp, event, left):
        receiver = self.random.choice(self.lps)
        sent = self.random.choice(self.handles[receiver])
        values = [f"{n}={self.bounded(lp, event, KINDS[k])}" for n, k in self.events[sent].items()]
        delay = self.random.choice(["0.0", "cx.rng.exponential(1.0)", "0.25", "cx.rng.uniform(0.0, 2.0)"])
        to = f"cx.id({receiver}, cx.rng.below(cx.count({receiver})))"
        return f"cx.send({to}, {delay}, {sent}({', '.join([f'left={left}', *values])}))"

    def broadcast(self, lp, event):
        """To all or to some; of what it sends nothing comes, or there would be ever more."""
        receiver = self.random.choice(self.lps)
        sent = self.random.choice(self.handles[receiver])
        to = self.random.choice([receiver, f"cx.range({receiver}, 0, 1)", f"cx.shared.group_{receiver}"])
        delay = self.random.choice(["0.0", "0.5", "cx.rng.exponential(1.0)"])
        return f"if event.left > 0:\n            cx.broadcast({to}, {delay}, {sent}(left=0))"

    def statement(self, lp, event):
        r = self.random
        kind = r.random()
        if kind < 0.2:
            return f"self.numbers[({self.number(lp, event, 'int')}) % {self.arrays[lp]}] += {r.randint(1, 3)}"
        if kind < 0.3:
            return f"self.tally.add(cx, {self.bounded(lp, event, 'float')})"
        if kind < 0.35:
            return self.broadcast(lp, event)
        name, of = r.choice(list(self.states[lp].items()))
        change = f"self.{name} = {self.bounded(lp, event, KINDS[of])}"
        if kind < 0.5:
            return f"if {self.number(lp, event, 'bool')}:\n            {change}"
        if kind < 0.6:
            return f"cx.record(Row({self.bounded(lp, event, 'int')}, {self.bounded(lp, event, 'float')}))"
        return change

    def text(self):
        lines = ["import anachron as an", "", "class Row(an.Row):", "    a: int", "    b: float"]
        for event, fields in self.events.items():
            lines += [f"class {event}(an.Event):", "    left: int"]
            lines += [f"    {name}: {kind}" for name, kind in fields.items()]
        for lp in self.lps:
            lines += [f"class {lp}(an.LP):", f"    numbers: an.Array[an.i4, {self.arrays[lp]}]"]
            lines += [f"    stream: an.Stream = an.Stream({self.random.randint(0, 9)})", "    tally: an.Tally"]
            lines += [f"    {name}: {kind}" for name, kind in self.states[lp].items()]
            lines += ["    def start(self, cx):", f"        {self.send(lp, None, 12)}"]
            for event in self.handles[lp]:
                lines += [f"    @an.on({event})", f"    def on_{event.lower()}(self, cx, event):"]
                lines += [f"        {self.statement(lp, event)}" for _ in range(self.random.randint(1, 4))]
                lines += ["        if event.left > 0:", f"            {self.send(lp, event, 'event.left - 1')}"]
                if self.random.random() < 0.5:
                    lines.append(f"            {self.send(lp, event, 'event.left // 2')}")
            lines += ["    @staticmethod", "    def count(params):", f"        return {self.random.randint(1, 6)}"]
        lines.append(f"lps = [{', '.join(self.lps)}]")
        groups = [f'"group_{lp}": an.Group({lp}, [0])' for lp in self.lps]
        lines.append(f"shared = {{{', '.join(groups)}}}")
        return "\n".join(lines) + "\n"


@pytest.mark.parametrize("seed", range(COUNT))
def test_interpreted_and_compiled_are_the_same_run(seed, tmp_path):
    file = tmp_path / f"drawn_{seed}.py"
    file.write_text(Source(seed).text())
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    model = an.Model(module.lps, rows=[module.Row], shared=module.shared, compile=False)
    expected = model.run(until=20, sync="sequential")
    assert expected.committed > 3
    for mode in MODES:
        report = model.run(until=20, compile=True, **mode)
        assert report.digest == expected.digest
        for lp in module.lps:
            assert report.states(lp).tobytes() == expected.states(lp).tobytes(), file.read_text()
        columns, others = report.tables.columns("Row"), expected.tables.columns("Row")
        assert all(columns[name].tobytes() == others[name].tobytes() for name in others)
