"""Columns by their different values: back to rows they are the column, whatever its type, its chunks and its nulls."""

import datetime
import decimal

import pytest

pytest.importorskip("tada")
numpy = pytest.importorskip("numpy")
pa = pytest.importorskip("pyarrow")

from tada._coded import code_column  # noqa: E402

MOMENT = datetime.datetime(2020, 2, 29, 12, 30)
COLUMNS = {
    "texts": pa.array(["b", None, "a", "b", ""]),
    "large texts": pa.array(["b", None, "a", "b", ""], pa.large_string()),
    "integers": pa.array([3, None, 1, 3]),
    "numbers": pa.array([0.5, None, -0.5, 0.5]),
    "single": pa.array([0.5, None, 1.5], pa.float32()),
    "half": pa.array([numpy.float16(0.5), None, numpy.float16(1.5)], pa.float16()),
    "bools": pa.array([True, None, False, True]),
    "decimals": pa.array([decimal.Decimal("1.50"), None, decimal.Decimal("1.50")]),
    "dates": pa.array([MOMENT.date(), None, MOMENT.date()]),
    "moments": pa.array([MOMENT, None, MOMENT], pa.timestamp("us")),
    "nulls": pa.nulls(3),
    "intervals": pa.array([{"lo": 1, "hi": 2}, None, {"lo": 1, "hi": 1}, {"lo": None, "hi": None}, {"lo": 1, "hi": 2}]),
    "sets": pa.array([["a", "b"], None, [], ["b", "a"], [None], ["a", "b"]], pa.list_(pa.string())),
    "large sets": pa.array([["a", "b"], None, ["a"], ["a", "b"]], pa.large_list(pa.string())),
}
if hasattr(pa, "string_view"):
    COLUMNS["views"] = pa.array(["b", None, "a", "b"], pa.string_view())


@pytest.mark.parametrize("name", COLUMNS)
def test_codes_give_the_rows_back(name):
    column = COLUMNS[name]
    forms = [[column], [column, column[1:]], [column[1:3]], [column[:0]], [column[:0], column], [column[2:], column[:1], column[:0]]]
    for chunks in forms:
        rows = pa.chunked_array(chunks)
        coded = code_column(rows)
        assert coded.rows() == rows.to_pylist()
        assert set(coded.codes.tolist()) == set(range(len(coded.values)))  # every value is of some row
        assert len({str(value) for value in coded.values}) == len(coded.values)  # and there once
    assert code_column(pa.chunked_array([], column.type)).rows() == []
