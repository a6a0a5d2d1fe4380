"""Released files, read so that their cells can be worked with."""

from __future__ import annotations

import math
import os
import re
from typing import TYPE_CHECKING, Any

from tada._cells import MASK, Cell, Interval, Reading, cut_interval
from tada._columns import distinct_texts, has_widened, is_text, is_typed, parse_column, plain_texts, read_texts, reading_of
from tada._input import Frame, Input, need_pyarrow, open_input, typed_cells
from tada._release import Release

if TYPE_CHECKING:
    import pandas

_ZONE = re.compile(r":\d\d(?:\.\d+)?(?:Z|[+-]\d\d(?::?\d\d)?)[\])]?(?:$|,)")


def input_table(source: Input) -> Any:
    """The rows of an input as a pyarrow Table."""
    pa = need_pyarrow("Reading a release")

    class Stream:
        def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
            return source.stream

    return pa.table(Stream())


def frame_table(frame: Frame, delimiter: str | None = None) -> Any:
    """A frame or file as a pyarrow Table; a frame of parsed cells as one of typed cells."""
    return input_table(open_input(typed_cells(frame), delimiter, "the release"))


def released_columns(frame: object) -> dict[str, dict[str, Any]]:
    """Of a Release, what is known of each column: its role and kind."""
    return {column["name"]: column for column in frame.report["columns"]} if isinstance(frame, Release) else {}


def read_release(release: Frame | str | os.PathLike[str], *, delimiter: str | None = None) -> pandas.DataFrame:
    """Reads a release into a pandas DataFrame with its cells parsed.

    A column of intervals and numbers becomes a pandas IntervalArray (closed on both sides; a number is an interval of itself, a
    masked or missing cell is missing), of dates one of datetime64. Intervals of a hierarchy that leave an end out, as `[30,40)`, are
    single pandas Intervals beside others. Columns with sets hold frozensets, texts, and `tada.MASK` for masked cells. Columns without
    widened cells stay as they are; CSV has texts only, so there a column becomes numbers if each text is one and none is a
    code with leading zeros.

    >>> frame = tada.read_release(released)
    >>> frame["age"].dtype
    interval[float64, both]
    >>> frame["age"].iloc[0].closed
    'both'
    """
    import pandas

    known = released_columns(release)
    source = open_input(typed_cells(release), delimiter, "the release")
    table = input_table(source)
    columns = {name: _read_column(table.column(name), known.get(name, {}), source.untyped) for name in table.column_names}
    return pandas.DataFrame(columns, columns=table.column_names)


def _read_column(column: Any, known: dict[str, Any], untyped: bool) -> Any:
    plain = plain_texts(column)
    recoded = known.get("role", "quasi-identifier") == "quasi-identifier"
    if recoded and is_typed(plain.type):
        return _as_pandas(plain, reading_of(plain))
    if not is_text(plain.type):
        return column.to_pandas()
    texts = distinct_texts(plain)
    reading = Reading.NAMES if known.get("kind") == "categorical" else read_texts(texts, known.get("kind"))
    if recoded and has_widened(texts, reading):
        return _as_pandas(plain, reading)
    return _untyped(plain, texts, reading) if untyped else column.to_pandas()


def _untyped(column: Any, texts: list[str], reading: Reading) -> Any:
    """A plain column of CSV: numbers if it holds such, and an empty cell is missing."""
    import pandas

    cells = [text or None for text in column.to_pylist()]
    numbers = parse_column(column, reading).rows() if reading is Reading.NUMBERS else []
    if any(isinstance(cell, float) for cell in numbers) and not any(isinstance(cell, Interval) for cell in numbers):
        whole = all(text.lstrip("+-").isdigit() and len(text) < 18 for text in texts) and None not in numbers
        return pandas.Series([int(text) for text in column.to_pylist()]) if whole else pandas.Series(numbers, dtype="float64")
    return pandas.Series(cells, dtype=None if any(texts) else object)


def _as_pandas(column: Any, reading: Reading) -> Any:
    import pandas

    cells = parse_column(column, reading).rows()
    if reading is Reading.NAMES:
        return pandas.Series(cells, dtype=object if any(cell is MASK or isinstance(cell, frozenset) for cell in cells) else None)
    if reading is Reading.DATES and any(isinstance(cell, Interval) and math.inf in (cell.hi, -cell.lo) for cell in cells):
        return column.to_pandas()  # pandas has no day without end
    low = _points([cell.lo if isinstance(cell, Interval) else cell for cell in cells], column, reading)
    if not any(isinstance(cell, Interval) for cell in cells):
        return pandas.Series(low)
    high = _points([cell.hi if isinstance(cell, Interval) else cell for cell in cells], column, reading)
    sides = _sides(column, cells, reading)
    if len(set(sides) - {None}) == 1:
        return pandas.arrays.IntervalArray.from_arrays(low, high, closed=next(side for side in sides if side))
    ends = zip(low, high, sides, strict=True)
    return pandas.Series([pandas.Interval(left, right, closed=side) if side else None for left, right, side in ends], dtype=object)


def _points(cells: list[Any], column: Any, reading: Reading) -> Any:
    """An Index of numbers, or of moments: to the microsecond, in UTC if the column says where its times are."""
    import numpy
    import pandas

    numbers = numpy.asarray([cell if isinstance(cell, float) else numpy.nan for cell in cells], dtype=numpy.float64)
    if reading is Reading.NUMBERS:
        return pandas.Index(numbers)
    lost = ~numpy.isfinite(numbers)
    moments = numpy.round(numpy.where(lost, 0, numbers) * 86400e6).astype("int64").view("datetime64[us]")
    moments[lost] = numpy.datetime64("NaT")
    return pandas.DatetimeIndex(moments, tz="UTC" if _has_zone(column) else None)


def _has_zone(column: Any) -> bool:
    if is_text(column.type):
        return any(_ZONE.search(text) for text in distinct_texts(column))
    return getattr(column.type.field("lo").type, "tz", None) is not None


def _sides(column: Any, cells: list[Cell], reading: Reading) -> list[str | None]:
    """Which ends of each cell are part of it; None for cells without ends."""
    if not is_text(column.type):
        return ["both" if isinstance(cell, (float, Interval)) else None for cell in cells]
    sides: list[str | None] = []
    for text, cell in zip(column.to_pylist(), cells, strict=True):
        bounds = cut_interval(text.strip(" \t"), reading) if isinstance(cell, Interval) else None
        period = "left" if isinstance(cell, Interval) else "both" if isinstance(cell, float) else None  # a month ends before the next
        sides.append(bounds[2] if bounds else period)
    return sides
