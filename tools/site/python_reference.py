"""Makes the pages of the Python reference, whose docstrings mkdocstrings fills in.

Usage: python_reference.py PAGES_FOLDER

PAGES says which public name of the package is on which page; a name of `__all__` that is on none is an error.
"""

import ast
import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "python/anachron"
PAGES = {
    "model": ("Writing a model", "[Models in Python](../python-models.md) explains models with examples.",
              "Model LP Event Params param Row Struct on undo Context Id Handle Stream Group Groups functions Functions"),
    "fields": ("Types of fields", "What may be in a state, an event, a row and a struct. `float`, `int` and `bool` are `f8`, `i8` and `b1`. "
               "`an.i1`, `an.i2`, `an.i4` and `an.i8` are whole numbers of 1, 2, 4 and 8 bytes; `an.u1`, `an.u2` and `an.u4` are those "
               "without a sign. They are annotations: `age: an.u1 = 0`.",
               "Array array List Set Dict Text Bytes PriorityQueue"),
    "statistics": ("Statistics", "[Statistics](../../results/statistics.md) explains them.", "Tally TimeAverage Histogram BatchMeans Series"),
    "processes": ("Processes and resources", "[From SimPy](../../coming-from/simpy.md) explains them.",
                  "Wait Resource PriorityResource PreemptiveResource Container Store FilterStore PriorityStore Interrupt Failed"),
    "running": ("Running", "[Python](../python.md#runs-of-bundled-models) explains runs and reports, [sessions](../../how-to/sessions.md) "
                "runs in steps.", "run models engine_options Report Tables Session Mark Variant VariantResult ranks Ranks animate Animation"),
    "experiments": ("Experiments", "[Experiments](../python-experiments.md) explains sweeps and selection.", "sweep select Selection to_xarray"),
    "errors": ("Errors", "What the package raises.", "AnachronError InputError SimulationError CompileError SweepError"),
}
PLOTS = "report network animation"
IN_PROSE = set("b1 f8 i1 i2 i4 i8 u1 u2 u4".split())


def public_names():
    for node in ast.parse((PACKAGE / "__init__.py").read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return set(ast.literal_eval(node.value))
    return set()


def main(folder):
    placed = {name for _, _, names in PAGES.values() for name in names.split()} | IN_PROSE
    wrong = [f"an.{name} is on no page" for name in sorted(public_names() - placed)]
    wrong += [f"there is no an.{name}" for name in sorted(placed - public_names())]
    Path(folder).mkdir(parents=True, exist_ok=True)
    for page, (title, words, names) in PAGES.items():
        directives = [f"::: anachron.{name}" for name in names.split()]
        Path(folder, f"{page}.md").write_text("\n\n".join([f"# {title}", words, *directives]) + "\n", encoding="utf-8")
    plots = [f"::: anachron.plot.{name}" for name in PLOTS.split()]
    Path(folder, "plot.md").write_text("\n\n".join(["# Plots", "The module `anachron.plot`. It needs matplotlib, except for animations in "
                                                    "HTML.", *plots]) + "\n", encoding="utf-8")
    for message in wrong:
        print(f"python_reference: {message}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
