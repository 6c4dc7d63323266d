#!/usr/bin/env python3
"""Compares what bundled models find with theory, published results and other programs, and prints a table.

Usage: validate.py PROGRAM [--only NAME,...] [--data DIR] [--nextnet FILE]
                   [--uxsim PYTHON [--uxsim-scenario FILE]] [--list]
  PROGRAM    build/release/bin/anachron
  --only     those whose names begin like this, e.g. pcs or "queueing M/M"; default: all
  --data     a folder with road networks, DIR/tntp/SiouxFalls/...; without it, those of traffic are skipped
  --nextnet  the program `nextnet` of NEXT-Net; default: the one in PATH; without it, its comparison is skipped
  --uxsim    a Python that has the package uxsim, e.g. of a virtual environment: venv/bin/python; without it, comparisons with
             UXsim are skipped. `./do validate` installs it
  --uxsim-scenario  the file chicago_sketch.uxsim_scenario, which UXsim's repository has, in the folder dat
  --list     print the names and run nothing
Exit status: 0 if all that ran agree, 1 if one does not, 2 for wrong arguments.

results/validate.txt is what it printed on 2026-11-29 with Icarus Verilog 11.0. At its end are the comparisons with UXsim 1.15.1 and
NEXT-Net at b480200 as of 2026-11-23, which were not repeated.

An entry is a function with `@validation("NAME")` in validations/*.py that yields rows: `close(..)`, `within(..)`. It gets
a `Lab`, which runs the program.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from validations import epidemic, logic, packets, pcs, queueing, tlm, traffic, traffic_uxsim  # each lists its validations
from validations.lab import VALIDATIONS, Lab, Skipped

MODULES = (epidemic, logic, packets, pcs, queueing, tlm, traffic, traffic_uxsim)
COLUMNS = "{:<52} {:>14} {:>14} {:>12}  {}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--only", type=lambda text: tuple(text.split(",")), default=("",))
    parser.add_argument("--data", type=Path)
    parser.add_argument("--nextnet", type=Path)
    parser.add_argument("--uxsim", type=Path)
    parser.add_argument("--uxsim-scenario", type=Path)
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    chosen = {name: check for name, check in VALIDATIONS.items() if name.startswith(options.only)}
    if not chosen:
        parser.error(f"--only: none begins with {', '.join(options.only)}; there are {', '.join(VALIDATIONS)}")
    if options.list:
        print("\n".join(chosen))
        return 0
    if not options.program.exists():
        parser.error(f"there is no {options.program}")

    counts = {"ok": 0, "FAILED": 0, "skipped": 0}
    print(COLUMNS.format("quantity", "expected", "obtained", "tolerance", "verdict"))
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(options.program.resolve(), options, Path(folder))
        for name, check in chosen.items():
            print(name, flush=True)
            try:
                for row in check(lab):
                    verdict = "ok" if row.holds else "FAILED"
                    counts[verdict] += 1
                    print(COLUMNS.format("  " + row.quantity, f"{row.expected:.7g}", f"{row.obtained:.7g}",
                                         f"{row.tolerance:.3g}", verdict), flush=True)
            except Skipped as why:
                counts["skipped"] += 1
                print(f"  skipped: {why}", flush=True)
    print(", ".join(f"{number} {what}" for what, number in counts.items()))
    return 1 if counts["FAILED"] else 0


if __name__ == "__main__":
    sys.exit(main())
