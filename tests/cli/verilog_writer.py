"""Random netlists in the Verilog that the model `logic` reads, each with values for its inputs and a test bench."""

import random

KINDS = ("delayed", "immediate", "layered", "clocked", "synchronous")
MANY = ("and", "nand", "or", "nor", "xor", "xnor")  # gates with any number of inputs
FLIP_FLOP = """primitive dff (q, clk, d);
  output q; reg q; input clk, d;
  table
    (01) 0 : ? : 0 ;
    (01) 1 : ? : 1 ;
    (0x) 0 : 0 : 0 ;
    (0x) 1 : 1 : 1 ;
    (x1) 0 : 0 : 0 ;
    (x1) 1 : 1 : 1 ;
    (?0) ? : ? : - ;
    (1x) ? : ? : - ;
     ?   * : ? : - ;
  endtable
endprimitive
"""


class Declared:
    """Names of nets, as they are declared, and their bits, as they are read."""

    def __init__(self, direction, name, bounds=None):
        self.direction, self.name, self.bounds = direction, name, bounds

    def text(self, keyword):
        bounds = f"[{self.bounds[0]}:{self.bounds[1]}] " if self.bounds else ""
        return f"{keyword} {bounds}{self.name}"

    def bits(self):
        if not self.bounds:
            return [self.name]
        first, last = self.bounds
        step = 1 if first <= last else -1
        return [f"{self.name}[{bit}]" for bit in range(first, last + step, step)]


class Circuit:
    """The nets that are made so far can be read: `readable`. What is still to be driven is in `open`."""

    def __init__(self, seed, end):
        self.rng = rng = random.Random(seed)
        self.end = end
        self.kind = KINDS[seed % len(KINDS)]
        self.has_clocks = self.kind in ("clocked", "synchronous")
        self.has_delays = self.kind in ("delayed", "layered", "clocked")
        self.inputs = self._declare("input", "i", rng.randint(2, 4))
        self.clocks = [Declared("input", f"c{k}") for k in range(rng.randint(1, 2) if self.has_clocks else 0)]
        self.nets = self._declare("output", "o", rng.randint(1, 3)) + self._declare("wire", "w", rng.randint(5, 20))
        self.registers = []
        if self.has_clocks:
            self.registers = rng.sample([net for net in self.nets if net.direction != "implicit"], 2)
        self.body, self.has_primitive, self.named = [], False, 0
        self.readable = [bit for net in self.inputs + self.registers for bit in net.bits()]
        self.open = [bit for net in self.nets if net not in self.registers for bit in net.bits()]
        rng.shuffle(self.open)
        self.takes_time = False  # what is made now
        self.later = []  # nets that a gate with a delay may read before it is known what drives them
        self._drive_all()
        self.steps = self._steps()

    def _declare(self, direction, letter, count):
        """Bits of a vector come a turn later to gates in Icarus Verilog. Where two nets change at a time, a gate is evaluated in
        between then, which takes back a change that waits: there are none where changes may wait."""
        rng, declared = self.rng, []
        has_vectors = not self.has_delays or (self.kind == "layered" and direction == "input")
        for k in range(count):
            form = rng.random()
            if form < 0.25 and has_vectors:
                bounds = rng.choice([(3, 0), (0, 2), (5, 4), (1, 1), (2, 6)])
                declared.append(Declared(direction, f"{letter}{k}", bounds))
            elif form < 0.35:
                declared.append(Declared(direction, f"\\{letter}-{k}+ "))
            elif form < 0.45 and direction == "wire":
                declared.append(Declared("implicit", f"{letter}{k}"))
            else:
                declared.append(Declared(direction, f"{letter}{k}"))
        return declared

    # What drives nets.

    def _drive_all(self):
        rng = self.rng
        # Nobody drives some. Icarus Verilog 11 hands on their z through `buf` and `not` without delay, and leaves out
        # those that no gate reads.
        if self.kind == "delayed":
            for _ in range(len(self.open) // 25):
                to, undriven = self._take(2)
                self.body.append(f"buf #2 ({to}, {undriven});")
                self.readable += [to, undriven]
        if self.has_clocks:
            self._flip_flops()
        total = len(self.open)
        while self.open:
            is_inner = 0.25 < len(self.open) / total < 0.8
            self.takes_time = self.kind in ("delayed", "clocked") or (self.kind == "layered" and is_inner)
            self.later = self.open if self.kind == "delayed" else []
            self.readable += rng.choice((self._gate, self._gate, self._gate, self._assignment, self._alias))()

    def _source(self):
        rng = self.rng
        if rng.random() < 0.04:
            return rng.choice(("1'b0", "1'b1", "1'h1", "1'd0"))
        if self.later and rng.random() < 0.1:
            return rng.choice(self.later)
        near = self.readable[-12:] if rng.random() < 0.6 else self.readable
        return rng.choice(near)

    def _ticks(self):
        return self.rng.randint(1, 4) * (2 if self.kind == "clocked" else 1)

    def _delay(self):
        """With a blank behind it."""
        if not self.takes_time:
            return self.rng.choice(("", "", "#0 ", "#(0, 0) "))
        return self.rng.choice((f"#{self._ticks()} ", f"#({self._ticks()}) ", f"#({self._ticks()}, {self._ticks()}) "))

    def _take(self, count):
        return [self.open.pop() for _ in range(min(count, len(self.open)))]

    def _gate(self):
        """With at most four inputs where it takes time: Icarus Verilog puts wider ones together of gates without delay, and
        what these do in passing takes back a change that waits."""
        rng = self.rng
        delay, to = self._delay(), []
        if rng.random() < 0.7:
            op, instances = rng.choice(MANY), []
            for out in self._take(rng.choice((1, 1, 1, 2))):
                counts = (2, 2, 2, 3, 3, 4) if self.takes_time else (2, 2, 2, 3, 3, 4, 5, 6, 9)
                inputs = [self._source() for _ in range(rng.choice(counts))]
                instances.append(self._instance([out, *inputs]))
                to.append(out)
        else:
            op, to = rng.choice(("buf", "not")), self._take(rng.choice((1, 1, 2, 3)))
            instances = [self._instance([*to, self._source()])]
        self.body.append(f"{op} {delay}{', '.join(instances)};")
        return to

    def _instance(self, pins):
        self.named += 1
        name = self.rng.choice(("", f"g{self.named} "))
        return f"{name}({', '.join(pins)})"

    def _assignment(self):
        """An operator; without delays also expressions, of vectors too."""
        rng = self.rng
        if self.takes_time:
            to, delay = self._take(1), self._delay()
            a, b, c = (self._source() for _ in range(3))
            choice = rng.choice((f"{c} ? {a} : 1'b{rng.getrandbits(1)}", f"{c} ? 1'b{rng.getrandbits(1)} : {b}"))
            right = rng.choice((a, f"~{a}", f"{a} & {b}", f"{a} | {b}", f"{a} ^ {b}", f"{a} ~^ {b}", choice))
        else:
            to, delay = self._take(rng.choice((1, 1, 2, 3))), rng.choice(("", "", "#0 "))
            right = self._expression(len(to), 3)
        self.body.append(f"assign {delay}{_concatenation(to)} = {right};")
        return to

    def _expression(self, width, depth):
        rng = self.rng
        if depth == 0 or rng.random() < 0.25:
            return self._operand(width)
        a, b = self._expression(width, depth - 1), self._expression(width, depth - 1)
        form = rng.randrange(6)
        if form < 4:
            return f"{a} {('&', '|', '^', '~^')[form]} {b}" if rng.random() < 0.4 else f"({a} {('&', '|', '^', '~^')[form]} {b})"
        if form == 4:
            return f"~({a})"
        # One side is never z: of two z and a condition that is x Icarus Verilog makes z, the standard x.
        return f"({self._source()} ? ~({a}) : {b})" if rng.random() < 0.5 else f"({self._source()} ? {a} : ~({b}))"

    def _operand(self, width):
        inverted = "~" if self.rng.random() < 0.2 else ""
        if self.rng.random() < 0.1:
            return f"{inverted}{width}'b{self.rng.getrandbits(width):0{width}b}"
        return inverted + _concatenation([self._source() for _ in range(width)])

    def _alias(self):
        to = self._take(1 if self.has_delays else self.rng.choice((1, 1, 2)))
        source = [self._source() for _ in to]
        if any(bit in self.open or bit in to for bit in source):  # it could be driven by this one
            source = [self.readable[0] for _ in to]
        self.body.append(f"assign {_concatenation(to)} = {_concatenation(source)};")
        return to

    def _flip_flops(self):
        """They read nets that are driven later, too."""
        rng = self.rng
        everything = self.readable + self.open
        for net in self.registers:
            delay = f"#{rng.choice((1, 3, 5))} " if self.kind == "clocked" else ""
            bits = net.bits()
            if len(bits) > 1 and rng.random() < 0.5:
                assignments = [f"{net.name} <= {delay}{_concatenation([rng.choice(everything) for _ in bits])};"]
            else:
                assignments = [f"{bit} <= {delay}{rng.choice(everything)};" for bit in bits]
            text = assignments[0] if len(assignments) == 1 else f"begin {' '.join(assignments)} end"
            edge = rng.choice(("posedge", "posedge", "negedge"))
            self.body.append(f"always @({edge} {rng.choice(self.clocks).name}) {text}")
        for _ in range(rng.randint(0, 2) if self.kind == "clocked" else 0):
            self.has_primitive = True
            clock, data, to = rng.choice(self.clocks).name, rng.choice(everything), self._take(1)
            self.body.append(f"dff #{rng.choice((1, 3, 5))} ({', '.join([*to, clock, data])});")
            self.readable += to

    # The files.

    def _declaration(self, net):
        keyword = "wire" if net.direction == "implicit" else net.direction
        if net in self.registers:
            keyword = {"output": "output reg", "wire": "reg"}[keyword]
        return net.text(keyword)

    def verilog(self):
        ports = self.inputs + self.clocks + [net for net in self.nets if net.direction == "output"]
        # Gates declare nets by use, assignments and flip-flops do not.
        others = "".join(line for line in self.body if line.startswith(("assign", "always")))
        inside = [net for net in self.nets if net.direction == "wire" or (net.direction == "implicit" and net.name in others)]
        lines = [f"{self._declaration(net)};" for net in inside]
        if self.rng.random() < 0.5:
            head = ", ".join(self._declaration(net) for net in ports)
        else:
            head = ", ".join(net.name for net in ports)
            lines = [f"{self._declaration(net)};" for net in ports] + lines
        text = f"module circuit ({head});\n" + "".join(f"  {line}\n" for line in lines + self.body) + "endmodule\n"
        return text + FLIP_FLOP if self.has_primitive else text

    def _steps(self):
        """Times with what inputs become. Data change at even times where there are clocks, which change at odd ones."""
        rng = self.rng
        bits = [bit for net in self.inputs for bit in net.bits()]
        clocks = [net.name for net in self.clocks]
        least, most = {"delayed": (1, 12), "immediate": (1, 9), "layered": (150, 200)}.get(self.kind, (2, 40))
        now, steps = 0, [(0, {bit: self._value() for bit in bits if rng.random() < 0.8})]
        while now < 0.8 * self.end and len(steps) < 60:
            now += rng.randint(least, most)
            if not clocks:
                changed = rng.sample(bits, min(len(bits), rng.randint(1, 3)))
            elif rng.random() < 0.6:
                now += 8 + (now + 1) % 2  # flip-flops are done before the next edge
                changed = rng.sample(clocks, rng.randint(1, len(clocks)))
            else:
                now += now % 2
                changed = rng.sample(bits, min(len(bits), rng.randint(1, 3)))
            steps.append((now, {bit: self._value() for bit in changed}))
        return steps

    def _value(self):
        return self.rng.choice("0000111101xz" if self.rng.random() < 0.5 else "01")

    def stimuli(self):
        def name(bit):
            return bit.strip().removeprefix("\\")

        return "".join(f"{time} {' '.join(f'{name(bit)}={value}' for bit, value in changes.items())}\n" for time, changes in self.steps if changes)

    def test_bench(self):
        ports = self.inputs + self.clocks
        declared = "".join(f"  {net.text('reg')};\n" for net in ports)
        connected = ", ".join(f".{net.name}({net.name})" for net in ports)
        lines, before = [], 0
        for time, changes in self.steps:
            lines.append(f"    #{time - before} " + " ".join(f"{bit} = 1'b{value};" for bit, value in changes.items()) + ";\n")
            before = time
        return (
            f"module bench;\n{declared}  circuit dut ({connected});\n"
            f'  initial begin $dumpfile("theirs.vcd"); $dumpvars(1, dut); #{self.end} $finish; end\n'
            f"  initial begin\n{''.join(lines)}  end\nendmodule\n"
        )


def _concatenation(bits):
    return bits[0] if len(bits) == 1 else "{" + ", ".join(bits) + "}"
