"""Released files, read so that their cells can be worked with."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from tada._cells import MASK, Interval, parse_column
from tada._input import Frame, need_pyarrow, open_input

if TYPE_CHECKING:
    import pandas


def frame_table(frame: Frame, delimiter: str | None = None) -> Any:
    """A frame or file as a pyarrow Table."""
    pa = need_pyarrow("Reading a release")
    source = open_input(frame, delimiter, "the release")

    class Stream:
        def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
            return source.stream

    return pa.table(Stream())


def read_release(release: Frame | str | os.PathLike[str], *, delimiter: str | None = None) -> pandas.DataFrame:
    """Reads a release into a pandas DataFrame with its cells parsed.

    A column of intervals and numbers becomes a pandas IntervalArray (closed on both sides; a number is an interval of itself, a
    masked or missing cell is missing). Columns with sets hold frozensets, texts, and `tada.MASK` for masked cells. All others stay
    numbers or texts.

    >>> frame = tada.read_release(released)
    >>> frame["age"].dtype
    interval[float64, both]
    >>> frame["age"].iloc[0].closed
    'both'
    """
    import pandas

    table = frame_table(release, delimiter)
    columns: dict[str, Any] = {}
    for name in table.column_names:
        columns[name] = _as_pandas(parse_column(table.column(name)), pandas)
    return pandas.DataFrame(columns)


def _as_pandas(cells: list[Any], pandas: Any) -> Any:
    if any(isinstance(cell, frozenset) for cell in cells):
        return pandas.Series(cells, dtype=object)
    numeric = all(cell is None or cell is MASK or isinstance(cell, (Interval, float)) for cell in cells)
    if not numeric:
        return pandas.Series(cells, dtype=object) if MASK in cells else pandas.Series(cells)
    if any(isinstance(cell, Interval) for cell in cells):
        pairs = [(cell.lo, cell.hi) if isinstance(cell, Interval) else None if cell is None or cell is MASK else (cell, cell) for cell in cells]
        return pandas.arrays.IntervalArray.from_tuples(pairs, closed="both", dtype="interval[float64, both]")
    return pandas.Series([None if cell is MASK else cell for cell in cells], dtype="float64")
