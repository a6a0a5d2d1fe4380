"""Typed cells of Parquet files: however their pages are encoded, they are the same cells."""

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
        "halves": pyarrow.array(runs(interval, rows, chance), pyarrow.struct([("lo", pyarrow.float64()), ("hi", pyarrow.float64())])),
    })


def test_dictionary_pages_hold_the_same_cells_as_plain_ones(tada, table):
    verdicts = []
    for written in ({"use_dictionary": False}, {}, {"row_group_size": 25_000}, {"data_page_version": "2.0", "data_page_size": 3000}):
        pyarrow.parquet.write_table(table, tada.folder / "cells.parquet", **written)
        verdicts.append(json.loads(tada("audit", "cells.parquet", "--quasi", "names,numbers,halves", "-k", "2", "--json", code=1).stdout))
    assert all(verdict == verdicts[0] for verdict in verdicts[1:])
