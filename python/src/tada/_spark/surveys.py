"""What a part of the rows says of its columns while it is read, and how parts add up: the different values of columns with a role, and some rows, chosen
by hashes, for the guard."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tada._spark.digests import first_hashes
from tada._spark.packed import by_value, pack, plain, unpack, unpack_all
from tada._spark.payload import Surveyed

_HASH = "_tada_hash"
_VALUE, _ROWS, _WHOSE = "values", "rows", "controllers"


@dataclass
class Asked:
    """Columns with a role, the column of controllers ("": there is one), and how many different values a part may tell; sets of columns by whose hashes some
    rows are chosen, and how many."""

    names: list[str]
    controller: str
    most_values: int
    sets: list[list[str]]
    some: int


class PartSurvey:
    """Fed with the rows of a part, columns by their different values."""

    def __init__(self, asked: Asked) -> None:
        self.asked = asked
        self.counts: list[pa.Table] | None = None
        self.many = False
        self.chosen: list[pa.Table | None] = [None] * len(asked.sets)

    def add(self, table: pa.Table) -> None:
        if not self.many:
            try:
                counts = [_counted(table, name, self.asked.controller) for name in self.asked.names]
                self.counts = counts if self.counts is None else [_added([a, b]) for a, b in zip(self.counts, counts, strict=True)]
            except pa.ArrowNotImplementedError:  # a type that Arrow cannot compare
                self.many = True
            else:
                self.many = sum(of.num_rows for of in self.counts) > self.asked.most_values
        for i, columns in enumerate(self.asked.sets):
            of = table.select(columns)
            of = of.append_column(_HASH, pa.array(first_hashes(of, columns)))
            before = self.chosen[i]
            self.chosen[i] = _smallest(of if before is None else pa.concat_tables([before, of]).unify_dictionaries(), self.asked.some)

    def counted(self) -> bytes:
        """Empty where the values are too many to tell."""
        return b"" if self.many or self.counts is None else _joined([pack(by_value(of)) for of in self.counts])

    def some(self) -> bytes:
        return _joined([pack(of) for of in self.chosen if of is not None])


def surveyed(parts: Sequence[bytes], names: Sequence[str]) -> list[Surveyed] | None:
    """The survey of all rows; None where a part had too many values to tell."""
    if not parts or not all(parts):
        return None
    found = []
    for name, whole in zip(names, _summed(parts), strict=True):
        whose = whole[_WHOSE].combine_chunks() if _WHOSE in whole.column_names else None
        found.append(Surveyed(name, whole[_VALUE].combine_chunks(), whose, whole[_ROWS].combine_chunks()))
    return found


def met(parts: Sequence[bytes], most_values: int) -> bytes:
    """What several parts told, as one of them would have."""
    if not all(parts):
        return b""
    whole = _summed(parts)
    return b"" if sum(of.num_rows for of in whole) > most_values else _joined([pack(by_value(of)) for of in whole])


def _summed(parts: Sequence[bytes]) -> list[pa.Table]:
    """Column by column."""
    return [_added([plain(unpack(part)) for part in of_parts]) for of_parts in zip(*[_apart(part) for part in parts], strict=True)]


def thinned(some: bytes, bound: int) -> bytes:
    """Of the rows that a part chose, those whose hash is small enough: the others have no chance among the rows of all parts."""
    tables = [unpack(part) for part in _apart(some)]
    return _joined([pack(table.filter(pa.array(table[_HASH].to_numpy() <= np.uint64(bound)))) for table in tables])


def chosen(parts: Sequence[bytes], count: int) -> list[pa.Table]:
    """Of what parts chose, for each set of columns as many rows as that, those whose hashes are smallest."""
    found = []
    for of_parts in zip(*[_apart(part) for part in parts], strict=True):
        found.append(_smallest(plain(unpack_all(of_parts)), count).drop_columns([_HASH]))
    return found


def _counted(table: pa.Table, name: str, controller: str) -> pa.Table:
    values, codes = _numbered(table[name])
    if not controller:
        counts = np.bincount(codes, minlength=len(values))
        return pa.table({_VALUE: values, _ROWS: pa.array(counts.astype(np.int64))}).filter(pa.array(counts > 0))
    whose, of = _numbered(table[controller])
    both, counts = np.unique(codes * len(whose) + of, return_counts=True)
    columns = [values.take(pa.array(both // len(whose))), pa.array(counts.astype(np.int64)), whose.take(pa.array(both % len(whose)))]
    return pa.table(columns, names=[_VALUE, _ROWS, _WHOSE])


def _numbered(column: pa.ChunkedArray) -> tuple[pa.Array, Any]:
    """The different values, what is missing last, and for each row which of them it has."""
    coded = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    coded = coded.unify_dictionaries().combine_chunks() if coded.num_chunks != 1 else coded.chunk(0)
    values = coded.dictionary
    if coded.null_count == 0:
        return values, coded.indices.to_numpy().astype(np.int64)
    return pa.concat_arrays([values, pa.nulls(1, values.type)]), coded.indices.fill_null(len(values)).to_numpy().astype(np.int64)


def _added(parts: Sequence[pa.Table]) -> pa.Table:
    whole = pa.concat_tables(parts)
    keys = [name for name in whole.column_names if name != _ROWS]
    summed = whole.group_by(keys).aggregate([(_ROWS, "sum")])
    return pa.table({name: summed[f"{_ROWS}_sum" if name == _ROWS else name] for name in whole.column_names})


def _smallest(table: pa.Table, count: int) -> pa.Table:
    if table.num_rows <= count:
        return table
    return table.take(pa.array(np.argpartition(table[_HASH].to_numpy(), count - 1)[:count]))


def _joined(parts: Sequence[bytes]) -> bytes:
    return pack(pa.table({"": pa.array(list(parts), pa.binary())}))


def _apart(joined: bytes) -> list[Any]:
    return [part.as_buffer() for part in unpack(joined)[""]]
