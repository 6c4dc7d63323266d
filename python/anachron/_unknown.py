"""Models of other processes."""

from __future__ import annotations

from typing import Any

from ._native import InputError


class UnknownModel:
    """Stands for a model whose classes this process does not have. Using it is an error, which reaches the caller of a
    pool of processes; an error while the model is unpickled would not."""

    def __init__(self, name: str, missing: str):
        self.name, self._missing = name, missing

    def _refuse(self, **_options: Any) -> Any:
        raise InputError(
            f"the model {self.name} was made in a notebook or at a prompt, and this process does not have its classes "
            f"({self._missing}): put them into a module, or make the processes of the pool by 'fork'"
        )

    run = session = options = _refuse

    def __repr__(self) -> str:
        return f"<model {self.name}, whose classes this process does not have>"
