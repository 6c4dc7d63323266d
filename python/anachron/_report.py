"""What a run did."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrow import ArrowTable
from ._columns import Coded, Columns, column_of, columns_of_rows, decoded
from ._compare import comparison
from ._native import InputError, native


def frame(columns: Mapping[str, Any], kind: str = "pandas") -> Any:
    """Columns as a data frame of `pandas` or `polars`, without work for each row."""
    if kind == "polars":
        import polars

        return polars.DataFrame(ArrowTable(columns))
    try:
        import pandas
    except ImportError:
        how = "pip install pandas; or take arrays, with tables.columns(name)"
        raise ImportError(f"data frames need pandas: {how}") from None

    return pandas.DataFrame(decoded(columns))


class Tables(Mapping[str, Any]):
    """Tables by name, as data frames. `columns(name)` has the numpy arrays, `polars(name)` the polars frame,
    `arrow(name)` what readers of Arrow's C stream interface take."""

    def __init__(self, tables: dict[str, dict[str, Any]]):
        self._tables = tables

    def __getitem__(self, name: str) -> Any:
        return frame(self.columns(name))

    def __iter__(self):
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)

    def _columns(self, name: str) -> dict[str, Any]:
        if name not in self._tables:
            raise KeyError(f"no table '{name}' (there are: {', '.join(self._tables) or 'none'})")
        return self._tables[name]

    def columns(self, name: str) -> Columns:
        """A table as numpy arrays by the names of its columns. KeyError: there is no such table."""
        return decoded(self._columns(name))

    def polars(self, name: str) -> Any:
        """A table as a polars data frame."""
        return frame(self._columns(name), "polars")

    def arrow(self, name: str) -> ArrowTable:
        """A table for readers of Arrow's C stream interface: `pyarrow.table(tables.arrow("trips"))`."""
        return ArrowTable(self._columns(name))

    def __repr__(self) -> str:
        rows = (f"{name}: {len(next(iter(t.values()), ()))} rows" for name, t in self._tables.items())
        return f"<tables {', '.join(rows)}>"


class Report:
    """The figures of a run. Attributes are those of the JSON report, which docs/reference/report.md lists. There are
    `digest` (text), `committed`, `executed`, `rolled_back`, `efficiency`, `wall_s` (seconds), `rate` (committed events
    per second), `peak_rss` (bytes), `config`, `machine`, `ending`, `end_time`, `notes` and others. `ending` is
    "finished", "stopped" or "interrupted".

    - `results`: the model's figures by name; `report["name"]` is one of them
    - `tables`: the model's tables as data frames
    - `rounds`: a data frame with a row for each GVT round: gvt (model time), wall_s, committed, executed, horizon,
      active_workers
    - `pes`: a data frame with a row for each processing element
    """

    if TYPE_CHECKING:  # of `data`
        digest: str
        ending: str
        notes: list[str]
        committed: int
        executed: int
        rolled_back: int
        gvt_rounds: int
        peak_rss: int
        efficiency: float
        wall_s: float
        setup_s: float
        cpu_s: float
        rate: float
        end_time: float
        config: dict[str, Any]
        machine: dict[str, Any]

    def __init__(self, data: dict[str, Any], tables: dict[str, dict[str, Any]] | None = None):
        self.data = data
        self._tables = tables or {}
        self._states: dict[str, np.ndarray] = {}
        self._given: frozenset[str] = frozenset()  # options of the engine that the caller gave
        self._text = ""  # the table of the command line, without what `finish` has found
        self._figures_in_text: frozenset[str] = frozenset()

    @classmethod
    def from_json(cls, text: str) -> Report:
        """What `--report` has written, or `to_json`."""
        data = json.loads(text)
        tables: dict[str, dict[str, Any]] = {}
        for name, table in (data.get("tables") or {}).items():
            rows = table.get("rows")
            if rows is not None:
                tables[name] = {c: column_of([r[i] for r in rows]) for i, c in enumerate(table["columns"])}
        return cls(data, tables)

    @classmethod
    def _of(cls, result: int) -> Report:
        """Of the library's result, which is freed."""
        try:
            data = json.loads(native.result_json(result).decode("utf-8", "replace"))
            report = cls(data, _tables_of(result))
            report._text = native.result_text(result).decode("utf-8", "replace").rstrip("\n")
            report._figures_in_text = frozenset(data["model"])
            return report
        finally:
            native.result_free(result)

    def __getattr__(self, name: str) -> Any:
        data = self.__dict__.get("data", {})
        if name in data:
            return data[name]
        raise AttributeError(f"a report has no '{name}' (it has: {', '.join(data)})")

    def __dir__(self):
        return [*super().__dir__(), *self.data]

    @property
    def results(self) -> dict[str, Any]:
        """The model's figures by name. A statistic is a dictionary."""
        return self.data["model"]

    def __getitem__(self, figure: str) -> Any:
        if figure not in self.results:
            raise KeyError(f"no figure '{figure}' (there are: {', '.join(self.results) or 'none'})")
        return self.results[figure]

    @property
    def tables(self) -> Tables:
        """The model's tables by name, as pandas data frames."""
        return Tables(self._tables)

    @property
    def rounds(self) -> Any:
        """A data frame with a row for each GVT round. A sequential run has none."""
        return frame(self._own("rounds"))

    @property
    def pes(self) -> Any:
        """A data frame with a row for each processing element."""
        return frame(self._own("pes"))

    def arrow(self, name: str) -> ArrowTable:
        """`rounds` or `pes` for readers of Arrow's C stream interface; `tables.arrow(name)` is the same for a table."""
        return ArrowTable(self._own(name))

    def _own(self, name: str) -> Columns:
        if name == "rounds":
            return {column: column_of(values) for column, values in self.data["rounds"].items()}
        if name == "pes":
            return columns_of_rows(self.data["pes"])
        raise KeyError(f"a report has no rows '{name}' (it has: pes, rounds)")

    def states(self, lp: type | str) -> np.ndarray:
        """The LPs of a type as the run left them: a numpy array with a field for each of the state's."""
        name = lp if isinstance(lp, str) else lp.__name__
        if name not in self._states:
            raise KeyError(f"no states of '{name}' (there are: {', '.join(self._states) or 'none'})")
        return self._states[name]

    def compare(self, other: Report) -> Any:
        """A data frame with a row for each figure that is a number. A statistic has a row for each of its numbers. The
        columns are `figure`, `this`, `other`, `difference` (this - other) and `ratio` (this / other; NaN where that is
        0). A figure that one report lacks is NaN there. `attrs["options"]` has the options that differ, with both values;
        `memory`, which follows what the machine has free, only where a run of this process was given it.
        `attrs["same_digest"]` says whether both runs executed the same events. InputError: the reports are of two models."""
        if not isinstance(other, Report):
            raise InputError(f"compare: {other!r:.60} is no report: expected an an.Report, which a run returns")
        columns, about = comparison(self, other)
        made = frame(columns)
        made.attrs.update(about)
        return made

    def to_json(self) -> str:
        """The report as JSON, as `--report` writes it; `Report.from_json` reads it."""
        return json.dumps(self.data, indent=2) + "\n"

    def plot(self, **options: Any) -> Any:
        """GVT, efficiency, horizon and waiting over wall time (needs matplotlib): see anachron.plot.report."""
        from . import plot

        return plot.report(self, **options)

    def _repr_html_(self) -> str:
        rows = "".join(f"<tr><th>{escape(str(n))}</th><td>{escape(str(v))}</td></tr>" for n, v in self.results.items())
        return f"<p>{escape(repr(self)[1:-1])}</p><table>{rows}</table>"

    def __str__(self) -> str:
        """The table of the command line."""
        if not self._text:
            return repr(self)
        found = {name: value for name, value in self.results.items() if name not in self._figures_in_text}
        figures = [f"{name:<15} {_of_figure(value)}" for name, value in found.items()]
        return "\n".join([self._text, *figures])

    def __repr__(self) -> str:
        d = self.data
        return (
            f"<report of {d.get('model_name') or 'a model'}: {d['ending']} at {d['end_time']}, "
            f"{d['committed']:,} events in {d['wall_s']:.3g} s, digest {d['digest']}>"
        )


def _of_figure(value: Any) -> str:
    if isinstance(value, Mapping):  # a statistic
        value = value.get("mean")
    return f"{value:,}" if isinstance(value, int) else f"{value:.6g}" if isinstance(value, float) else str(value)


def _tables_of(result: int) -> dict[str, dict[str, Any]]:
    tables: dict[str, dict[str, Any]] = {}
    for number in range(native.result_tables(result)):
        rows, width = ctypes.c_uint64(), ctypes.c_uint64()
        name = native.result_table(result, number, ctypes.byref(rows), ctypes.byref(width)).decode()
        columns: dict[str, Any] = {}
        for i in range(width.value):
            title, texts, kind = ctypes.c_char_p(), ctypes.c_char_p(), ctypes.c_int()
            data = native.result_column(
                result, number, i, ctypes.byref(title), ctypes.byref(kind), ctypes.byref(texts)
            )
            dtype = np.dtype((np.int64, np.float64, np.int32)[kind.value])
            buffer: Any = (ctypes.c_char * (rows.value * dtype.itemsize)).from_address(data) if rows.value else b""
            values: Any = np.frombuffer(buffer, dtype).copy()
            if kind.value == 2:
                values = Coded(values, json.loads(texts.value or b"[]"))
            columns[(title.value or b"").decode()] = values
        tables[name] = columns
    return tables
