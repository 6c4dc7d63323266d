"""Tables as Arrow streams: read here as the interface says, and by polars and pyarrow where they are."""

import ctypes as c
import gc

import numpy as np
import pytest

import anachron as an
from anachron import _arrow

COLUMNS = {
    "whole": np.array([3, -1, 2**40]),
    "real": np.array([0.5, np.nan, -2.0]),
    "small": np.array([1, 2, 255], np.uint8),
    "flag": np.array([True, False, True]),
    "coded": an._columns.Coded(np.array([1, 0, 1], np.int32), ["zürich", "bern"]),
    "text": np.array(["a", "", "ccc"], dtype=object),
    "strided": np.arange(6)[::2],
}
EXPECTED = {name: an._columns.decoded(COLUMNS)[name].tolist() for name in COLUMNS}

pointer_of = c.PYFUNCTYPE(c.c_void_p, c.py_object, c.c_char_p)(("PyCapsule_GetPointer", c.pythonapi))


def call(address, *arguments):
    return c.CFUNCTYPE(c.c_int, *[c.c_void_p] * len(arguments))(address)(*arguments)


def read(table):
    """What a reader gets: columns by name, and the addresses of their values."""
    capsule = table.__arrow_c_stream__()
    stream = _arrow._Stream.from_address(pointer_of(capsule, b"arrow_array_stream"))
    at = c.addressof(stream)
    schema, array, end = _arrow._Schema(), _arrow._Array(), _arrow._Array()
    assert call(stream.get_schema, at, c.addressof(schema)) == 0
    assert call(stream.get_next, at, c.addressof(array)) == 0
    assert call(stream.get_next, at, c.addressof(end)) == 0 and not end.release
    c.CFUNCTYPE(None, c.c_void_p)(stream.release)(at)
    assert not stream.release and schema.format == b"+s" and schema.n_children == array.n_children
    del capsule
    gc.collect()
    columns, places = {}, {}
    for i in range(array.n_children):
        kind, child = schema.children[i].contents, array.children[i].contents
        assert child.length == array.length and child.null_count == 0
        values = values_of(kind.format.decode(), child)
        if kind.dictionary:
            texts = values_of(kind.dictionary.contents.format.decode(), child.dictionary.contents)
            values = [texts[k] for k in values]
        columns[kind.name.decode()], places[kind.name.decode()] = values, child.buffers[1]
    for made in (schema, array):
        c.CFUNCTYPE(None, c.c_void_p)(made.release)(c.addressof(made))
        assert not made.release
    return columns, places


def values_of(format, array):
    def buffer(number, dtype, count):
        return np.frombuffer(c.string_at(array.buffers[number], count * np.dtype(dtype).itemsize), dtype)

    if format == "U":
        ends = buffer(1, "i8", array.length + 1)
        text = c.string_at(array.buffers[2], int(ends[-1]))
        return [text[a:b].decode() for a, b in zip(ends[:-1], ends[1:])]
    if format == "b":
        bits = np.unpackbits(buffer(1, "u1", -(-array.length // 8)), bitorder="little")
        return bits[: array.length].astype(bool).tolist()
    dtype = {"c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8", "g": "f8"}[format]
    return buffer(1, dtype, array.length).tolist()


def test_a_reader_of_the_interface_gets_the_columns_without_copies():
    columns, places = read(_arrow.ArrowTable(COLUMNS))
    assert list(columns) == list(EXPECTED)
    for name, values in EXPECTED.items():
        np.testing.assert_array_equal(columns[name], values)
    assert places["whole"] == COLUMNS["whole"].ctypes.data and places["coded"] == COLUMNS["coded"].codes.ctypes.data
    assert not _arrow._kept and not _arrow._streams


def test_a_stream_that_nobody_reads_is_released():
    capsule = _arrow.ArrowTable(COLUMNS).__arrow_c_stream__()
    assert _arrow._kept and _arrow._streams
    del capsule
    assert not _arrow._kept and not _arrow._streams


def test_a_table_without_rows():
    columns, _ = read(_arrow.ArrowTable({"a": np.zeros(0), "b": an._columns.Coded(np.zeros(0, np.int32), [])}))
    assert columns == {"a": [], "b": []}


def test_reports_offer_their_rows():
    report = an.run("traffic", city="4x4", until=900, workers=2, pes=3, mapping="fixed")
    for name, frame in (("rounds", report.rounds), ("pes", report.pes)):
        columns, _ = read(report.arrow(name))
        assert list(columns) == list(frame.columns)
        for column in columns:
            np.testing.assert_array_equal(columns[column], frame[column].to_numpy())
    assert set(report.tables)
    for name in report.tables:
        columns, _ = read(report.tables.arrow(name))
        for column, values in report.tables.columns(name).items():
            np.testing.assert_array_equal(columns[column], values)
    with pytest.raises(KeyError, match="has: pes, rounds"):
        report.arrow("links")


def test_polars_reads_it():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(_arrow.ArrowTable(COLUMNS))
    for name, values in EXPECTED.items():
        np.testing.assert_array_equal(frame[name].to_list(), values)
    report = an.run("phold", lps=8, until=5, workers=2)
    assert polars.DataFrame(report.arrow("pes"))["committed"].sum() == report.committed


def test_pyarrow_reads_it():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(_arrow.ArrowTable(COLUMNS))
    table.validate(full=True)
    for name, values in EXPECTED.items():
        np.testing.assert_array_equal(table[name].to_pylist(), values)
    assert table["whole"].chunk(0).buffers()[1].address == COLUMNS["whole"].ctypes.data
