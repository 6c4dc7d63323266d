"""Lambdas in the source of handlers: each becomes a function, for the compiler."""

from __future__ import annotations

import ast
from typing import Any

from ._source import fresh, placed


def filtered(rewriter: Any, call: ast.Call, taker: ast.Lambda) -> Any:
    """A get with a filter: the filter becomes a function of the item, the LP, and the variables that it uses."""
    own = [argument.arg for argument in taker.args.args]
    needs = sorted(_locals_in(rewriter, taker) - {rewriter.first_argument()})
    name = _function_of(rewriter, "filter", taker, [*own, rewriter.first_argument(), *needs])
    arguments = ", ".join([*needs, ""])
    made: Any = fresh(f"_x.get_if({name}, ({arguments}))")[0].value
    made.func.value = rewriter.visit(call.func.value)  # type: ignore[attr-defined]
    return placed(made, call)


def key_of(rewriter: Any, key: ast.Lambda) -> Any:
    """A key that a list is sorted by becomes a function of the element."""
    needs = sorted(_locals_in(rewriter, key))
    if needs:
        raise rewriter.error(key, f"sort(key=..): a key uses the element alone, and not {', '.join(needs)}")
    name = _function_of(rewriter, "key", key, [argument.arg for argument in key.args.args])
    return placed(ast.Name(name, ast.Load()), key)


def _locals_in(rewriter: Any, function: ast.Lambda) -> set[str]:
    """What a lambda uses of the function around it."""
    used = {n.id for n in ast.walk(function.body) if isinstance(n, ast.Name)}
    return used & rewriter.locals - {argument.arg for argument in function.args.args}


def _function_of(rewriter: Any, what: str, given: ast.Lambda, parameters: list[str]) -> str:
    """Returns its name."""
    name = f"{rewriter.function.__name__}__{what}_{len(rewriter.helpers)}_{id(rewriter.function):x}"
    definition: Any = fresh(f"def {name}({', '.join(parameters)}): return 0")[0]
    definition.body[0].value = given.body
    definition.body = rewriter.block(definition.body)
    rewriter.helpers.append(placed(definition, given))
    return name
