"""What is known of loops before the run: whether they are over soon; and the loops that stand for `sum(.. for ..)` and the
like."""

from __future__ import annotations

import ast
import types
from collections.abc import Callable
from typing import Any

SHORT = 1_000_000  # turns of a simple loop, which are over before a user would press Ctrl-C twice
_QUICK = {abs, bool, divmod, enumerate, float, int, isinstance, len, max, min, pow, range, round, zip}


class LoopShapes:
    """`static` gives the value of an expression that is known before the run."""

    def __init__(self, static: Callable[[Any], Any]):
        self.static = static

    def is_simple(self, node: ast.For) -> bool:
        """Whether the loop goes over a range or what is in memory, and no turn can last. A turn may last where there is
        another loop in it, or a call of what may have one."""
        is_counted = self.is_range(node.iter) or self.is_in_memory(node.iter)
        return is_counted and all(map(self.is_quick, ast.walk(node.iter))) and all(
            self.is_quick(part) for statement in node.body for part in ast.walk(statement)
        )

    def is_quick(self, node: Any) -> bool:
        if isinstance(node, ast.Call):
            function = self.static(node.func)
            is_math = isinstance(function, types.BuiltinFunctionType) and function.__module__ == "math"
            return is_math or any(function is quick for quick in _QUICK)
        return not isinstance(node, (ast.For, ast.While, ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp))

    def is_range(self, over: Any) -> bool:
        return isinstance(over, ast.Call) and self.static(over.func) is range

    def is_in_memory(self, over: Any) -> bool:
        """A local name is not known to be: it may be that of a range or a generator."""
        if isinstance(over, ast.Call) and self.static(over.func) in (enumerate, zip):
            return all(map(self.is_in_memory, over.args))
        return isinstance(over, (ast.Attribute, ast.Subscript, ast.Tuple, ast.List))

    def is_short(self, over: Any) -> bool:
        """Whether what a loop goes over is in memory, or a range that is known to have few turns."""
        if not self.is_range(over):
            return self.is_in_memory(over)
        bounds: list[Any] = [bound.value if isinstance(bound, ast.Constant) else self.static(bound) for bound in over.args]
        if 0 < len(bounds) <= 3 and all(type(bound) is int for bound in bounds) and bounds[2:] != [0]:
            return len(range(*bounds)) <= SHORT
        return len(bounds) == 1 and isinstance(over.args[0], ast.Call) and self.static(over.args[0].func) is len


CONSUMERS = {  # of each consumer what comes before the loop, for each element, and behind it
    "sum": ("_total = 0", "_total += _element", "return _total"),
    "any": ("", "if _element: return True", "return False"),
    "all": ("", "if not _element: return False", "return True"),
    "list": ("_made = []", "_made.append(_element)", "return _made"),
    "min": (
        "_best = 0; _is_first = True",
        "if _is_first or _element < _best: _best = _element; _is_first = False",
        "if _is_first: raise ValueError('min() arg is an empty sequence')\nreturn _best",
    ),
    "max": (
        "_best = 0; _is_first = True",
        "if _is_first or _element > _best: _best = _element; _is_first = False",
        "if _is_first: raise ValueError('max() arg is an empty sequence')\nreturn _best",
    ),
}

EXACT_SUM = (
    "_total = 0; _low = 0.0",
    "_total, _low = _anachron_add(_total, _low, _element)",
    "return _anachron_sum(_total, _low)",
)
