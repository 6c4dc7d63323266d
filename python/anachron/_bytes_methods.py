"""Methods of bytes in compiled handlers: those of the text that has a character for each byte."""

from __future__ import annotations

import operator

from numba.core import types
from numba.extending import overload, overload_method

from ._text_types import OctetsType, is_octets, octets_of, text_of


def _declare(name: str) -> None:
    """A method of bytes and a part that may be in them."""
    scope = {"text_of": text_of, "is_octets": is_octets}
    exec(
        f"def method(b, part):\n    return text_of(b).{name}(text_of(part))\n"
        "def overloaded(b, part):\n    return method if is_octets(b, part) else None",
        scope,
    )
    overload_method(OctetsType, name)(scope["overloaded"])


for _name in ("find", "rfind", "index", "rindex", "count", "startswith", "endswith"):
    _declare(_name)


@overload_method(OctetsType, "replace")
def _replace(b, old, new):
    return (lambda b, old, new: octets_of(text_of(b).replace(text_of(old), text_of(new)))) if is_octets(b, old, new) else None


@overload(operator.contains)
def _contains(b, part):
    if is_octets(b, part):
        return lambda b, part: text_of(b).find(text_of(part)) >= 0
    if not is_octets(b) or not isinstance(part, types.Integer):
        return None

    def has_octet(b, part):
        for octet in b:
            if octet == part:
                return True
        return False

    return has_octet
