"""What tells rows apart: two hashes of each, whose sums over all rows are those of the same rows in any order; and an order by cells alone."""

from __future__ import annotations

import datetime
import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from tada import _core
from tada._coded import Coded, code_column

_ODD = np.uint64(0x9E3779B97F4A7C15)
Hashes = Any  # numpy's array of uint64


def hashes(table: pa.Table, columns: Sequence[str], missing_in: Sequence[str] = (), missing: Sequence[str] = (), count: int = 2) -> list[Hashes]:
    """Two of each row, or only the first. In `missing_in` all spellings of missing are one, and 0.0 is -0.0."""
    made = [np.full(table.num_rows, seed, np.uint64) for seed in (1, 2)[:count]]
    turned = np.empty(table.num_rows, np.uint64)
    spelled = frozenset(missing)
    for name in columns:  # their order counts: each is mixed into what those before it gave
        column = _Values(table[name])
        digests = _digests(column, spelled if name in missing_in else None)
        for i, rows in enumerate(made):
            np.take(digests[:, i].copy(), column.codes, out=turned, mode="clip")
            rows ^= turned
            rows *= _ODD
            np.right_shift(rows, np.uint64(32), out=turned)
            rows ^= turned
    for rows in made:
        rows *= _ODD
        rows ^= rows >> np.uint64(29)
    return made


def _digests(column: _Values, missing: frozenset[str] | None) -> Any:
    """Two hashes of each different value."""
    texts = column.texts
    if texts is None:
        parts = [_text(value) if missing is None else _missing_as_one(value, missing) for value in column.values]
        ends = np.cumsum([len(part) for part in parts], dtype=np.int64)
        whole = np.frombuffer(b"".join(parts), np.uint8)
        begins = np.concatenate([np.zeros(1, np.int64), ends[:-1]]) if parts else ends
        return _hashed(whole[begins], begins + 1, ends, whole)
    offsets = np.frombuffer(texts.buffers()[1], np.int32)[texts.offset : texts.offset + len(texts) + 1].astype(np.int64)
    held = texts.buffers()[2]
    tags = np.full(len(texts), ord("s"), np.uint8)
    found = _hashed(tags, offsets[:-1], offsets[1:], np.zeros(0, np.uint8) if held is None else np.frombuffer(held, np.uint8))
    nothing = np.zeros(1, np.int64)
    lacking = _hashed(np.array([ord("n" if missing is None else "s")], np.uint8), nothing, nothing, np.zeros(0, np.uint8))
    found = np.concatenate([found, lacking])
    if missing is not None:
        found[[i for i, text in enumerate(texts.to_pylist()) if text.strip() in missing]] = lacking
    return found


def _hashed(tags: Any, begins: Any, ends: Any, texts: Any) -> Any:
    made = _core.spread_digests(*[np.ascontiguousarray(of) for of in (tags, begins, ends, texts)])
    return np.frombuffer(made, np.uint64).reshape(-1, 2)


def first_hashes(table: pa.Table, columns: Sequence[str]) -> Hashes:
    return hashes(table, columns, count=1)[0]


def sums(rows: int, made: Sequence[Hashes]) -> list[int]:
    """The number of rows, and the sum of each of their hashes: exact, so that parts add up."""
    low = np.uint64(0xFFFFFFFF)
    return [rows, *[(int((of >> np.uint64(32)).sum()) << 32) + int((of & low).sum()) for of in made]]


def placed(table: pa.Table, columns: Sequence[str], count: int) -> Any:
    """A number below `count` for each row, by a hash of these cells."""
    return (first_hashes(table, columns) % np.uint64(count)).astype(np.int64)


def added(parts: Sequence[Sequence[int]], length: int) -> list[int]:
    return [sum(part[i] for part in parts) for i in range(length)]


def sorted_rows(table: pa.Table) -> Any:
    """The rows in the order of their cells, column by column: which row comes first, and so on."""
    keys, room = [np.zeros(table.num_rows, np.int64)], 1
    for name in table.column_names:
        column = _Values(table[name])
        rank = _ranks(column)
        if room * max(1, len(rank)) >= 1 << 62:
            keys, room = [*keys, np.zeros(table.num_rows, np.int64)], 1
        keys[-1] *= len(rank)
        keys[-1] += rank[column.codes]
        room *= max(1, len(rank))
    return np.argsort(keys[0]) if len(keys) == 1 else np.lexsort(keys[::-1])


def _ranks(column: _Values) -> Any:
    """Of each different value how many stand before it."""
    if column.texts is not None:  # bytes of texts are ordered as their characters; what is missing comes first
        order = np.concatenate([[len(column.texts)], pc.sort_indices(column.texts).to_numpy()]).astype(np.int64)
    else:
        keys = [_sort_key(value) for value in column.values]
        order = np.array(sorted(range(len(keys)), key=keys.__getitem__), np.int64)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return rank


class _Values:
    """A column by its different values: texts and, behind them, what is missing; or whatever Python has for them."""

    def __init__(self, column: pa.ChunkedArray) -> None:
        if pa.types.is_timestamp(column.type):  # numbers, whatever its zone is called
            column = column.cast(pa.int64())
        self.texts: pa.Array | None = None
        self._coded: Coded | None = None
        if not pa.types.is_dictionary(column.type):
            self._coded = code_column(column)
            self.codes = self._coded.codes
            return
        column = column.unify_dictionaries()
        if column.num_chunks == 0:
            self._coded, self.codes = Coded([], np.zeros(0, np.intp)), np.zeros(0, np.intp)
            return
        values = column.chunk(0).dictionary
        parts = [chunk.indices.fill_null(len(values)).to_numpy() for chunk in column.chunks]
        self.codes = (parts[0] if len(parts) == 1 else np.concatenate(parts)).astype(np.intp)
        if pa.types.is_string(values.type) and values.null_count == 0:
            self.texts = values
        else:
            values = values.cast(pa.int64()) if pa.types.is_timestamp(values.type) else values
            self._coded = Coded([*code_column(pa.chunked_array([values])).rows(), None], self.codes)

    @functools.cached_property
    def values(self) -> list[Any]:
        if self._coded is not None:
            return self._coded.values
        assert self.texts is not None
        return [*self.texts.to_pylist(), None]


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
