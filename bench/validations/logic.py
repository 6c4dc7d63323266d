"""Circuits, beside Icarus Verilog: every change of every net, and when."""

import shutil
import subprocess

from .lab import Skipped, at_least, close, validation


def changes(file):
    """Of a value change dump: the last value of each net at each time, if it is another one than before."""
    names, last, now, found, time = {}, {}, {}, set(), 0

    def end_of_time():
        for code, value in now.items():
            if value != last[code]:
                last[code] = value
                found.update((name, time, value) for name in names[code])
        now.clear()

    for line in file.read_text(encoding="utf-8").splitlines():
        words = line.split()
        if words[:1] == ["$var"]:
            names.setdefault(words[3], []).append(words[4].removeprefix("\\"))
            last[words[3]] = "x"
        elif line.startswith("#"):
            end_of_time()
            time = int(line[1:])
        elif line[:1] and line[0] in "01xXzZ":
            now[line[1:]] = line[0].lower()
    end_of_time()
    return found


CIRCUITS = {
    "without flip-flops": ("--flops", 0, "--period", 17, "--delays", "3:5,nand=4:3,xor=2,not=1:7"),
    "with flip-flops": ("--flops", 0.1, "--period", 66, "--delays", "2:6,nand=4:2,nor=8,xor=2:12,not=6,dff=3:5"),
}


@validation("logic, Icarus Verilog")
def icarus(lab):
    if not (shutil.which("iverilog") and shutil.which("vvp")):
        raise Skipped("needs Icarus Verilog: the package iverilog")
    for name, options in CIRCUITS.items():
        ours, theirs, several = set(), set(), 5
        for seed in range(1, several + 1):
            lab.report("logic", "--gates", 2000, "--inputs", 30, "--vectors", 30, "--gates-per-lp", 150, "--circuit-seed", seed,
                             *options, "--verilog", "circuit.v", "--vcd", "ours.vcd")
            subprocess.run(["iverilog", "-o", "circuit.vvp", "circuit.v", "circuit_tb.v"], cwd=lab.folder, check=True)
            subprocess.run(["vvp", "circuit.vvp", "+dump"], cwd=lab.folder, check=True, capture_output=True)
            ours |= {(seed, *change) for change in changes(lab.folder / "ours.vcd")}
            theirs |= {(seed, *change) for change in changes(lab.folder / "circuit.vcd")}
        yield at_least(f"{several} circuits {name}: changes", 10_000, len(ours))
        yield close(f"{several} circuits {name}: only here or there", 0, len(ours ^ theirs), 0)
