"""Exact what-if: variants of a run whose history a session keeps (docs/how-to/what-if.md)."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._columns import columns_of_rows
from ._fields import LP, Event, RecordMeta
from ._final_states import copied_fields, with_containers
from ._kinds import Id
from ._native import native
from ._report import Report, frame

if TYPE_CHECKING:
    from ._session import Session


class Variant:
    """Changes to a run: made by `Session.variant`. Methods return the variant, so that they can be chained."""

    def __init__(self, session: Session, name: str):
        self.name = name
        self._session = session
        self._changes: list[tuple[Any, ...]] = []

    def __repr__(self) -> str:
        return f"<variant {self.name!r} with {len(self._changes)} changes>"

    def copy(self, name: str = "") -> Variant:
        """Another variant with the same changes. What both have in common is executed once when they run together."""
        copy = Variant(self._session, name)
        copy._changes = list(self._changes)
        return copy

    def schedule(self, to: Id, time: float, event: Event) -> Variant:
        """Has `event` handled by `to` at `time`, as Session.schedule."""
        number = self._session._event_number(to, event)
        self._changes.append((native.variants_schedule, number, to.index, float(time), bytes(event._memory)))
        return self

    def edit(self, to: Id, time: float, **fields: Any) -> Variant:
        """Sets fields of an LP's state at `time`, before its events at that time. Not containers and texts."""
        if not isinstance(to, Id) or not isinstance(to.type, RecordMeta):
            raise TypeError(f"edit: {to!r} is no LP: session.id(LP, number)")
        lp: Any = to.type
        number = self._session._model._number_of_lp(lp)
        copied = {field.name for field in copied_fields(lp)}
        places = {name: place for name, place in (lp.dtype().fields or {}).items() if name not in copied}
        for name, value in fields.items():
            if name not in places:
                valid = ", ".join(places)
                raise TypeError(f"edit: {lp.__name__} has no plain field '{name}' (it has: {valid})")
            kind, offset = places[name][:2]
            content = np.array(value, kind).tobytes()
            self._changes.append((native.variants_edit, number, to.index, float(time), offset, content, len(content)))
        return self

    def cancel(self, scheduled: int) -> Variant:
        """Takes back what Session.schedule has scheduled, by the number that it has returned."""
        self._changes.append((native.variants_cancel, self._session._address, scheduled))
        return self


class VariantResult:
    """What came of a variant. `report` is that of a run with the changes; `executed` and others say what it took."""

    def __init__(self, name: str, report: Report, effort: dict[str, Any]):
        self.name = name
        self.report = report
        self._effort = effort

    def __repr__(self) -> str:
        return f"<variant {self.name!r}: {self.executed} events executed, {len(self._effort['lps'])} LPs differ>"

    def __getitem__(self, figure: str) -> Any:
        return self.report[figure]

    def __getattr__(self, name: str) -> Any:
        effort = self.__dict__.get("_effort", {})
        if name in effort and name != "lps":
            return effort[name]
        raise AttributeError(f"the result of a variant has no '{name}' (it has: report, lps, {', '.join(effort)})")

    @property
    def lps(self) -> Any:
        """The LPs that differ, or did, as a data frame. It has the type, the index, and of the first event that differs
        the time, the type and who sent it. Then how many events were executed, and whether the state differs at the end."""
        return frame(columns_of_rows(self._effort["lps"]))

    def states(self, lp: type[LP]) -> np.ndarray:
        """The LPs of a type at the end of the variant."""
        return self.report.states(lp)


class _Tree:
    """Variants by the changes that they begin with. These are the same objects in copies of a variant."""

    def __init__(self) -> None:
        self._nodes: dict[tuple[int, int], int] = {}
        self._variants = [0]

    def add(self, number: int, variant: Variant) -> tuple[int, int]:
        """Returns an earlier variant that begins alike, and how many changes they have in common."""
        node = like = common = 0
        for change in variant._changes:
            key = (node, id(change))
            if key in self._nodes:
                node = self._nodes[key]
                like, common = self._variants[node], common + 1
            else:
                node = self._nodes[key] = len(self._variants)
                self._variants.append(number)
        return like, common


def run_variants(session: Session, variants: Sequence[Variant], workers: int) -> list[VariantResult]:
    setup, model = session._setup, session._model
    handle = native.variants_new(setup.address)
    try:
        tree = _Tree()
        for number, variant in enumerate(variants):
            like, common = tree.add(number, variant)
            native.variants_add(handle, like, common)
            for function, *arguments in variant._changes[common:]:
                function(handle, *arguments)
        native.variants_run(handle, session._address, workers)
        results = []
        for number, variant in enumerate(variants):
            report = Report._of(native.variants_report(handle, number, model.name.encode()))
            effort = json.loads(report._text)

            def states_of(lp: int, number: int = number) -> np.ndarray:
                return _states(session, handle, number, lp)

            results.append(VariantResult(variant.name, setup.complete(report, states_of), effort))
        return results
    finally:
        native.variants_free(handle)


def _states(session: Session, handle: int, variant: int, number: int) -> np.ndarray:
    lp = session._model.lps[number]
    states = np.empty(session._setup.counts[number], lp.dtype())
    native.variants_states(handle, variant, number, states.ctypes.data)
    size = ctypes.c_uint64()

    def region_of(i: int) -> bytes:
        address = native.variants_region(handle, variant, number, i, ctypes.byref(size))
        return ctypes.string_at(address, size.value) if size.value else b""

    return with_containers(lp, states, states.view(np.uint8), states.itemsize, region_of)
