"""Rows in one cell of a Spark row, what tells them apart, and where they go."""

import datetime
import decimal

import numpy as np
import pyarrow as pa
import pytest

from tada._spark import digests, packed

NOON = datetime.datetime(2020, 1, 1, 12, tzinfo=datetime.UTC)
ODD = pa.table(
    {
        "truth": [True, None, False],
        "day": pa.array([datetime.date(2020, 1, 1), None, datetime.date(2021, 1, 1)]),
        "price": pa.array([decimal.Decimal("1.10"), decimal.Decimal("1.20"), None]),
        "moment": pa.array([NOON, None, NOON]),
        "bytes": pa.array([b"a", b"\0", None]),
        "number": [1.5, None, float("nan")],
        "short": pa.array([0.1, 0.2, None], pa.float32()),
        "text": ["a", "ß", None],
        "list": [["a"], None, ["b", "c"]],
        "interval": [{"lo": 1, "hi": 2}, None, {"lo": 1, "hi": 1}],
        "nothing": pa.nulls(3),
    }
)


def test_rows_come_back_whatever_their_types():
    parts = [ODD, packed.by_value(ODD), pa.concat_tables([ODD] * 10)]
    back = packed.plain(packed.unpack_all([packed.pack(part) for part in parts]))
    assert back.schema == ODD.schema and repr(back.to_pylist()) == repr(ODD.to_pylist() * 12)
    assert packed.plain(packed.unpack(packed.pack(ODD.slice(0, 0)))).num_rows == 0


def test_few_values_take_few_bytes():
    rows = pa.table({"job": ["a long name of a job"] * 10_000})
    assert len(packed.pack(packed.by_value(rows))) < 11_000
    apart = pa.table({"id": [str(i) for i in range(10_000)]})  # in a slice a dictionary of all would be longer
    assert len(packed.pack(packed.by_value(apart).slice(0, 10))) < 1000


def test_hashes_are_of_the_cells_alone():
    other = packed.unpack_all([packed.pack(packed.by_value(pa.concat_tables([ODD] * 4)))])
    for one, same in zip(digests.hashes(pa.concat_tables([ODD] * 4), ODD.column_names), digests.hashes(other, ODD.column_names), strict=True):
        assert np.array_equal(one, same) and len(set(one.tolist())) == 3


def sums_of(table, **missing):
    return digests.sums(table.num_rows, digests.hashes(table, table.column_names, **missing))


@pytest.mark.parametrize(
    "changed",
    [
        {"a": ["x", "y"], "b": ["2", "1"]},  # values that changed places
        {"a": ["x", "x"], "b": ["1", "2"]},
        {"a": ["1", "2"], "b": ["x", "y"]},  # columns that did
        {"a": ["x", None], "b": ["1", "2"]},
        {"a": ["x"], "b": ["1"]},
    ],
)
def test_sums_tell_what_changed(changed):
    table = pa.table({"a": ["x", "y"], "b": ["1", "2"]})
    assert sums_of(table.take([1, 0])) == sums_of(table)
    assert digests.added([sums_of(table.slice(0, 1)), sums_of(table.slice(1))], 3) == sums_of(table)
    found = sums_of(pa.table(changed))
    assert found[1] != sums_of(table)[1] and found[2] != sums_of(table)[2]


def test_spellings_of_missing_are_one():
    missing = dict(missing_in=["a"], missing=["?", "-1"])
    assert sums_of(pa.table({"a": ["?", " ? ", None, ""]}), **missing) == sums_of(pa.table({"a": pa.array([None] * 4, pa.string())}), **missing)
    assert sums_of(pa.table({"a": [-1.0, -0.0]}), **missing) == sums_of(pa.table({"a": [float("nan"), 0.0]}), **missing)
    assert sums_of(pa.table({"a": ["?"]})) != sums_of(pa.table({"a": [None]}))


def test_rows_are_sorted_by_their_cells():
    table = pa.table({"a": ["b", None, "a", "b"], "b": [2.0, 1.0, 9.0, float("nan")], "c": [["x"], None, ["x", "y"], []]})
    assert digests.sorted_rows(table).tolist() == [1, 2, 0, 3]
    many = pa.table({f"c{i}": np.random.default_rng(i).integers(0, 1000, 2000) for i in range(9)})  # more than one number has room for
    rows = [tuple(row.values()) for row in many.take(pa.array(digests.sorted_rows(many))).to_pylist()]
    assert rows == sorted(rows)


def test_rows_go_where_they_are_sent():
    assert [packed._murmur3(number) for number in (0, 1, 42)] == [933211791, -559580957, 29417773]  # what Spark's hash() gives
    numbers = packed.places(7)
    assert [packed._murmur3(number) % 7 for number in numbers] == list(range(7))
    assert packed.dealt([5, 3, 3, 2], 2) == [0, 1, 1, 0]
    keys = np.array([2, 0, 2, 1])
    assert [(key, rows.tolist()) for key, rows in packed.apart(keys)] == [(0, [1]), (1, [3]), (2, [0, 2])]
