"""Many rows in one cell of a Spark row, as Arrow's bytes: Spark's work is per row, so what only travels and waits does so in few of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

_SPARSE = 2  # a dictionary stays where it has at most a half of the rows' number of values


def pack(table: pa.Table) -> bytes:
    """The rows, columns by their different values where that is shorter."""
    table = table.unify_dictionaries().combine_chunks()
    columns = [_narrow(_whole(column)) for column in table.columns]
    batch = pa.RecordBatch.from_arrays(columns, names=table.column_names)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    packed: bytes = sink.getvalue().to_pybytes()
    return packed


def unpack(packed: Any) -> pa.Table:
    return pa.ipc.open_stream(packed).read_all()


def unpack_all(parts: Iterable[Any]) -> pa.Table:
    """The rows of several cells; a column may be by its values in one of them and not in another."""
    tables = [by_value(unpack(part)) for part in parts]
    return pa.concat_tables(tables).unify_dictionaries().combine_chunks()


def by_value(table: pa.Table) -> pa.Table:
    """Columns by their different values, where Arrow can tell them apart: lists and intervals stay."""
    return pa.table([_by_value(column) for column in table.columns], names=table.column_names)


def plain(table: pa.Table) -> pa.Table:
    """Columns with a value per row again."""
    columns = [column.cast(column.type.value_type) if pa.types.is_dictionary(column.type) else column for column in table.columns]
    return pa.table(columns, names=table.column_names)


def apart(keys: Any) -> Iterator[tuple[int, Any]]:
    """Each key with the rows that have it, by key."""
    order = np.argsort(keys.astype(np.uint16) if keys.max(initial=0) < 1 << 16 else keys, kind="stable")  # small numbers sort in linear time
    cuts = [0, *(np.flatnonzero(np.diff(keys[order])) + 1).tolist(), len(order)]
    for begin, end in itertools.pairwise(cuts):
        if end > begin:
            yield int(keys[order[begin]]), order[begin:end]


def places(count: int) -> list[int]:
    """A number for each of Spark's partitions, which `repartition(count, number)` puts there: by its hash two might meet, and a third stay empty."""
    found: dict[int, int] = {}
    number = 0
    while len(found) < count:
        found.setdefault(_murmur3(number) % count, number)
        number += 1
    return [found[partition] for partition in range(count)]


def dealt(sizes: Sequence[int], count: int) -> list[int]:
    """Which partition takes which of these, so that all have about as much: the largest go first, each to where the least is."""
    held, to = [0] * count, [0] * len(sizes)
    for i in sorted(range(len(sizes)), key=lambda i: -sizes[i]):
        to[i] = held.index(min(held))
        held[to[i]] += sizes[i]
    return to


def _whole(column: pa.ChunkedArray) -> pa.Array:
    if column.num_chunks == 1:
        return column.chunk(0)
    return column.combine_chunks() if column.num_chunks else pa.array([], column.type)


def _by_value(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Indices always of one type, so that tables have one schema."""
    if pa.types.is_dictionary(column.type):
        return column if column.type.index_type == pa.int32() else column.cast(pa.dictionary(pa.int32(), column.type.value_type))
    if pa.types.is_null(column.type) or pa.types.is_boolean(column.type):  # nothing would be shorter
        return column
    try:
        return column.dictionary_encode()
    except pa.ArrowNotImplementedError:
        return column


def _narrow(column: pa.Array) -> pa.Array:
    """Indices of as few bytes as hold them."""
    if not pa.types.is_dictionary(column.type):
        return column
    values = len(column.dictionary)
    if values * _SPARSE > len(column):
        return column.cast(column.type.value_type)
    index = pa.int8() if values < 1 << 7 else pa.int16() if values < 1 << 15 else pa.int32()
    return pa.DictionaryArray.from_arrays(column.indices.cast(index), column.dictionary)


def _murmur3(number: int) -> int:
    """Spark's hash of an int, by which it places rows (Murmur3_x86_32, seed 42)."""
    mask = 0xFFFFFFFF

    def turned(value: int, bits: int) -> int:
        return ((value << bits) | (value >> (32 - bits))) & mask

    key = turned(number * 0xCC9E2D51 & mask, 15) * 0x1B873593 & mask
    state = (turned(42 ^ key, 13) * 5 + 0xE6546B64) & mask
    state ^= 4
    state = (state ^ (state >> 16)) * 0x85EBCA6B & mask
    state = (state ^ (state >> 13)) * 0xC2B2AE35 & mask
    state ^= state >> 16
    return state - (1 << 32) if state >= 1 << 31 else state
