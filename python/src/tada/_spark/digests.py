"""What tells rows apart: two hashes of each, whose sums over all rows are those of the same rows in any order; and an order by cells alone."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from tada._coded import Coded, code_column

_ODD = np.uint64(0x9E3779B97F4A7C15)
Hashes = Any  # numpy's array of uint64


def hashes(table: pa.Table, columns: Sequence[str], missing_in: Sequence[str] = (), missing: Sequence[str] = ()) -> tuple[Hashes, Hashes]:
    """Two of each row. In `missing_in` all spellings of missing are one, and 0.0 is -0.0."""
    made = [np.full(table.num_rows, seed, np.uint64) for seed in (1, 2)]
    spelled = frozenset(missing)
    for place, name in enumerate(columns):
        column = _coded(table[name])
        texts = [_missing_as_one(value, spelled) for value in column.values] if name in missing_in else [_text(value) for value in column.values]
        salt = place.to_bytes(4, "little")
        digests = np.frombuffer(b"".join(hashlib.blake2b(text, digest_size=16, salt=salt).digest() for text in texts), np.uint64).reshape(-1, 2)
        for i, rows in enumerate(made):
            rows ^= digests[:, i][column.codes]
            rows *= _ODD
            rows ^= rows >> np.uint64(32)
    for rows in made:
        rows *= _ODD
        rows ^= rows >> np.uint64(29)
    return made[0], made[1]


def sums(rows: int, made: Sequence[Hashes]) -> list[int]:
    """The number of rows, and the sum of each of their hashes: exact, so that parts add up."""
    low = np.uint64(0xFFFFFFFF)
    return [rows, *[(int((of >> np.uint64(32)).sum()) << 32) + int((of & low).sum()) for of in made]]


def placed(table: pa.Table, columns: Sequence[str], count: int) -> Any:
    """A number below `count` for each row, by a hash of these cells."""
    return (hashes(table, columns)[0] % np.uint64(count)).astype(np.int64)


def added(parts: Sequence[Sequence[int]], length: int) -> list[int]:
    return [sum(part[i] for part in parts) for i in range(length)]


def sorted_rows(table: pa.Table) -> Any:
    """The rows in the order of their cells, column by column: which row comes first, and so on."""
    keys, room = [np.zeros(table.num_rows, np.int64)], 1
    for name in table.column_names:
        column = _coded(table[name])
        keys_of = [_sort_key(value) for value in column.values]
        order = sorted(range(len(keys_of)), key=keys_of.__getitem__)
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        if room * max(1, len(order)) >= 1 << 62:
            keys, room = [*keys, np.zeros(table.num_rows, np.int64)], 1
        keys[-1] *= len(order)
        keys[-1] += rank[column.codes]
        room *= max(1, len(order))
    return np.argsort(keys[0]) if len(keys) == 1 else np.lexsort(keys[::-1])


def _coded(column: pa.ChunkedArray) -> Coded:
    """By different values; those of a time are numbers, whatever its zone is called."""
    if pa.types.is_timestamp(column.type):
        column = column.cast(pa.int64())
    if not pa.types.is_dictionary(column.type):
        return code_column(column)
    column = column.unify_dictionaries()
    if column.num_chunks == 0:
        return Coded([], np.zeros(0, np.intp))
    values = column.chunk(0).dictionary
    values = values.cast(pa.int64()) if pa.types.is_timestamp(values.type) else values
    parts = [chunk.indices.fill_null(len(values)).to_numpy() for chunk in column.chunks]
    return Coded([*code_column(pa.chunked_array([values])).rows(), None], np.concatenate(parts).astype(np.intp))


def _text(value: Any) -> bytes:
    """Different for different values of a column."""
    if isinstance(value, str):
        return b"s" + value.encode("utf-8", "surrogatepass")
    if isinstance(value, (dict, list)):
        parts = [_text(part) for part in (value.values() if isinstance(value, dict) else value)]
        return b"p" + b"".join(b"%d " % len(part) + part for part in parts)
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        return b"t" + repr(value.timestamp()).encode()
    return b"n" if value is None else b"o" + repr(value).encode()


def _missing_as_one(value: Any, missing: frozenset[str]) -> bytes:
    if value is None or value != value:
        return b"s"
    if isinstance(value, float):
        spelled = {repr(value + 0.0), str(int(value)) if value.is_integer() else repr(value)}
        return b"s" if spelled & missing else b"o" + repr(value + 0.0).encode()
    text = str(value).lower() if isinstance(value, bool) else str(value)
    return b"s" if text.strip() in missing or text == "" else _text(value)


def _sort_key(value: Any) -> Any:
    """What is missing first; intervals and lists by what they hold, in order."""
    if value is None:
        return (0,)
    if value != value:
        return (2,)  # no number: behind all numbers
    if isinstance(value, dict):
        return (1, tuple(_sort_key(part) for part in value.values()))
    return (1, tuple(_sort_key(part) for part in value)) if isinstance(value, list) else (1, value)
