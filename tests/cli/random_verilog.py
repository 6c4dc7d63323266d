#!/usr/bin/env python3
"""Random small netlists have the value changes that Icarus Verilog gives them, on every net.

Usage: random_verilog.py PROGRAM [--count N] [--first SEED] [--folder FOLDER]

A seed gives a netlist (verilog_writer.py), values of its inputs, and a test bench of them. What Verilog leaves open does not occur:
- "delayed": every gate takes time. Inputs change at any time, also while changes wait.
- "immediate": no gate takes time. What nets settle at is compared.
- "layered": gates without delay read inputs, and outputs leave through such gates. Inputs change when all is settled.
- "clocked": data change at even times, clocks at odd ones, and flip-flops take odd times.
- "synchronous": the same without any delay.
"""

import argparse
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import verilog_writer

END = 2000


def changes_of(file, names_of):
    """Of a value change dump: each net's value at the end of each time, where it is another one than before. `names_of`
    gives the nets of a declaration, the highest bit first, or none."""
    nets, last, now, found, time = {}, {}, {}, set(), 0

    def end_of_time():
        for net, value in now.items():
            if value != last.get(net, "x"):
                found.add((net, time, value))
            last[net] = value
        now.clear()

    scopes = []
    for line in file.read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words[:1] == ["$scope"]:
            scopes.append(words[2])
        elif words[:1] == ["$upscope"]:
            scopes.pop()
        elif words[:1] == ["$var"]:
            if scopes[-1] in ("dut", "circuit"):
                nets.setdefault(words[3], []).append(names_of(words[4:-1]))
        elif line.startswith("#"):
            end_of_time()
            time = int(line[1:])
        elif line[:1] and line[0] in "01xXzZb":
            bits, code = (words[0][1:], words[1]) if line[0] == "b" else (line[0], line[1:])
            for names in nets.get(code, []):
                # A vector leaves out bits in front that are 0, x or z as the first one that it gives is.
                fill = "0" if bits[0] == "1" else bits[0]
                now.update(zip(names, bits.lower().rjust(len(names), fill.lower())))
    end_of_time()
    return {change for change in found if change[1] < END}


def names_of_icarus(words):
    name = words[0].removeprefix("\\")
    if len(words) == 1:
        return [name]
    high, low = map(int, words[1].strip("[]").split(":"))
    return [f"{name}[{bit}]" for bit in range(high, low + (1 if high <= low else -1), 1 if high <= low else -1)]


def names_of_model(words):
    return [] if words[0].startswith("$expression$") else [words[0]]


def run(words, folder):
    ran = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False, timeout=60)
    if ran.returncode != 0:
        raise RuntimeError(f"{' '.join(map(str, words))}: exit status {ran.returncode}\n{ran.stdout[-600:]}{ran.stderr[-600:]}")


def compare(program, seed, folder):
    """Returns the kind and the number of changes. Raises RuntimeError that tells the first differences."""
    circuit = verilog_writer.Circuit(seed, END)
    (folder / "circuit.v").write_text(circuit.verilog())
    (folder / "stimuli").write_text(circuit.stimuli())
    (folder / "bench.v").write_text(circuit.test_bench())
    options = ["--gates-per-lp", str((2, 5, 1000)[seed // 2 % 3])]
    options += (["--sync", "sequential"], ["--sync", "optimistic", "--workers", "2", "--pes", "3"])[seed % 2]
    circuit_options = ["--circuit", "circuit.v", "--stimuli", "stimuli", "--vcd", "ours.vcd"]
    run([program, "run", "logic", *circuit_options, "--until", str(END), "--quiet", *options], folder)
    run(["iverilog", "-g2005", "-o", "circuit.vvp", "circuit.v", "bench.v"], folder)
    run(["vvp", "-N", "circuit.vvp"], folder)
    ours = changes_of(folder / "ours.vcd", names_of_model)
    theirs = changes_of(folder / "theirs.vcd", names_of_icarus)
    if ours != theirs:
        both = [(time, net, value, "ours") for net, time, value in ours - theirs]
        both += [(time, net, value, "theirs") for net, time, value in theirs - ours]
        first = "\n".join(f"  {time} {net} {value} only {whose}" for time, net, value, whose in sorted(both)[:6])
        raise RuntimeError(f"{len(both)} changes differ, the first are (time, net, value)\n{first}")
    return circuit.kind, len(ours)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--folder", type=Path, default=Path(), help="where the files of each circuit are written")
    options = parser.parse_args()
    changes, failed = defaultdict(int), 0
    for seed in range(options.first, options.first + options.count):
        try:
            kind, count = compare(options.program.resolve(), seed, options.folder)
            changes[kind] += count
        except RuntimeError as error:
            failed += 1
            print(f"circuit {seed}: {error}")
    print(f"{options.count} circuits, {failed} differ; changes: {dict(sorted(changes.items()))}")
    if options.count >= 20 and min(changes[kind] for kind in verilog_writer.KINDS) < options.count:
        print("too few changes to compare")
        failed += 1
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
