"""Cells of Parquet files, typed ones and plain values: however their pages are encoded, they are the same cells."""

import json
import random

import pyarrow
import pyarrow.parquet
import pytest


def runs(make, rows, chance):
    """`rows` cells in runs of equal ones, as a release has them."""
    cells = []
    while len(cells) < rows:
        cells += [make()] * chance.choice([1, 2, 5, 20])
    return cells[:rows]


@pytest.fixture(scope="module")
def table():
    chance = random.Random(3)

    def names():
        drawn = chance.random()
        if drawn < 0.04:
            return None if drawn < 0.02 else []
        return [f"n{chance.randrange(40)}" if chance.random() > 0.01 else None for _ in range(chance.choice([1, 1, 2, 3, 7]))]

    def interval():
        drawn = chance.random()
        return None if drawn < 0.02 else {"lo": chance.randrange(50) if drawn > 0.03 else None, "hi": 50 + chance.randrange(50)}

    whole, rows = pyarrow.struct([("lo", pyarrow.int32()), ("hi", pyarrow.int32())]), 60_000
    return pyarrow.table({
        "names": pyarrow.array(runs(names, rows, chance), pyarrow.list_(pyarrow.string())),
        "numbers": pyarrow.array(runs(interval, rows, chance), whole),
        "whole": pyarrow.array(runs(lambda: chance.choice([None, *range(-20, 20)]), rows, chance), pyarrow.int32()),
        "half": pyarrow.array(runs(lambda: chance.choice([None, 0.5, -2.25, 1e300]), rows, chance)),
        "day": pyarrow.array(runs(lambda: chance.choice([None, *range(0, 20_000, 900)]), rows, chance), pyarrow.date32()),
        "name": pyarrow.array(runs(lambda: chance.choice([None, "", "?", "é", *"abc"]), rows, chance)),
        "kind": pyarrow.array(runs(lambda: chance.choice([None, *"xyz"]), rows, chance)).dictionary_encode(),
        "halves": pyarrow.array(runs(interval, rows, chance), pyarrow.struct([("lo", pyarrow.float64()), ("hi", pyarrow.float64())])),
    })


def test_dictionary_pages_hold_the_same_cells_as_plain_ones(tada, table):
    verdicts, plain = [], ["whole", "half", "day", "name", "kind"]
    for written in ({"use_dictionary": False}, {}, {"row_group_size": 25_000}, {"data_page_version": "2.0", "data_page_size": 3000}):
        pyarrow.parquet.write_table(table, tada.folder / "cells.parquet", **written)
        verdicts.append([json.loads(tada("audit", "cells.parquet", "--quasi", quasi, "-k", k, "--json", code=1).stdout)
                         for quasi, k in [("names,numbers,halves", "2"), *((name, "20000") for name in plain)]])  # fmt: skip
    assert all(verdict == verdicts[0] for verdict in verdicts[1:])


def test_a_column_may_be_in_dictionary_pages_in_some_row_groups_alone(tada):
    rows = 20_000
    few = [None if i % 100 == 7 else f"v{i // 50 % 3}" for i in range(rows)]
    many = [None if i % 100 == 7 else f"value {i // 2}" for i in range(rows)]
    table = pyarrow.table({"text": few + many + few, "cell": [{"lo": text, "hi": text} for text in few + many + few]})
    verdicts = []
    for written in ({"use_dictionary": False}, {"dictionary_pagesize_limit": 4000}):
        pyarrow.parquet.write_table(table, tada.folder / "mixed.parquet", row_group_size=rows, **written)
        verdicts.append([json.loads(tada("audit", "mixed.parquet", "--quasi", quasi, "-k", "5", "--json", code=1).stdout) for quasi in ("text", "cell")])
    groups = pyarrow.parquet.read_metadata(tada.folder / "mixed.parquet")
    sizes = [groups.row_group(i).column(0).total_uncompressed_size for i in range(3)]
    assert sizes[1] > 10 * sizes[0]  # written out, as its dictionary became too large
    assert verdicts[0] == verdicts[1]


@pytest.mark.parametrize("encoding", ["DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"])
def test_texts_may_be_written_by_their_differences(tada, encoding):
    table = pyarrow.table({"text": ["a", "b", None, "ab"] * 500, "hours": [i % 90 for i in range(2000)]})
    pyarrow.parquet.write_table(table, tada.folder / "plain.parquet")
    pyarrow.parquet.write_table(table, tada.folder / "delta.parquet", use_dictionary=False, column_encoding={"text": encoding, "hours": "PLAIN"})
    for name in ("plain", "delta"):
        tada("anonymize", f"{name}.parquet", "--quasi", "text,hours", "-k", "5", "-o", f"{name}.csv")
    assert (tada.folder / "delta.csv").read_bytes() == (tada.folder / "plain.csv").read_bytes()


@pytest.mark.parametrize("rows", [1, 5, 29, 513])
def test_pages_without_values_are_not_the_end(tada, rows):
    """Where pages are this small, pyarrow begins some of them with nothing."""
    cells = [["a", "b"]] * rows
    for batch in (7, 1024):
        written = {"data_page_size": 1, "write_batch_size": batch}
        pyarrow.parquet.write_table(pyarrow.table({"names": cells}), tada.folder / "lists.parquet", **written)
        verdict = json.loads(tada("audit", "lists.parquet", "--quasi", "names", "-k", "1", "--json").stdout)
        assert verdict["rows"] == rows
        assert not verdict["notes"]
