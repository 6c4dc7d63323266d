"""What is said of a parameter beside its type."""

from __future__ import annotations

from typing import Any


class Option:
    """What `an.param` says of a parameter."""

    def __init__(self, default: Any, help: str, at_least: Any, above: Any, at_most: Any, below: Any):
        self.default, self.help = default, help
        self.bounds = {"at least": at_least, "above": above, "at most": at_most, "below": below}

    def check(self, name: str, value: Any) -> str | None:
        tests = {
            "at least": lambda x, b: x >= b,
            "above": lambda x, b: x > b,
            "at most": lambda x, b: x <= b,
            "below": lambda x, b: x < b,
        }
        for word, bound in self.bounds.items():
            if bound is not None and not tests[word](value, bound):
                limits = ", ".join(f"{w} {b}" for w, b in self.bounds.items() if b is not None)
                return f"{name}: {value} is not valid: expected a number {limits}"
        return None


def param(
    default: Any, help: str = "", *, at_least: Any = None, above: Any = None, at_most: Any = None, below: Any = None
) -> Any:
    """A parameter's default, one line of help, and its limits: `mean: float = an.param(1.0, "Hours", above=0)`."""
    return Option(default, help, at_least, above, at_most, below)
