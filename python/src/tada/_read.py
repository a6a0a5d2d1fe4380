"""Released files, read so that their cells can be worked with."""

from __future__ import annotations

import datetime
import decimal
import math
import re
import tomllib
from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from tada._cells import MASK, MISSING, Cell, Interval, Pattern, Reading, as_moment, as_number, cut_interval, value_texts
from tada._coded import Coded, code_column
from tada._columns import distinct_texts, has_widened, is_text, is_typed, parse_column, plain_texts, read_texts, reading_of
from tada._errors import DataError
from tada._input import Cells, Frame, need_pyarrow, open_cells, typed_cells
from tada._options import Columns
from tada._options import texts as option_texts
from tada._release import Release

if TYPE_CHECKING:
    import pandas

_ZONE = re.compile(r":\d\d(?:\.\d+)?(?:Z|[+-]\d\d(?::?\d\d)?)$")
_OURS = re.compile(r"the reader of .* failed: \w+")  # what `_input` says of a reader, handed on by pyarrow
_NOT_A_TIME = -(2**63)


def input_table(source: Cells) -> Any:
    """The rows of an input as a pyarrow Table."""
    pa = need_pyarrow("Reading a release")

    class Stream:
        def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
            return source.stream

    try:
        table = pa.table(Stream())
    except (pa.ArrowException, OSError) as error:  # whose words may hold cells; ours do not
        ours = _OURS.search(str(error))
        what = ours[0] if ours else type(error).__name__
        raise DataError(f"Cannot read {source.name} as a table: {what}", "Give a table, a data frame or a relation") from None
    for name, column in zip(table.column_names, table.columns, strict=True):
        _check_texts(column, f"{source.name}, column {name}")
    twice = [name for name in table.column_names if table.column_names.count(name) > 1]
    if twice:
        raise DataError(f"{source.name}: two columns have the name {twice[0]!r}", "Rename one of them")
    return table


def _check_texts(column: Any, name: str) -> None:
    """Refuses texts that are none: Arrow holds any bytes."""
    import pyarrow

    if "string" not in str(column.type):
        return
    try:
        column.validate(full=True)
    except pyarrow.ArrowInvalid:
        pass
    else:
        return
    raise DataError(f"{name}: a text is not UTF-8, or the column is damaged", "Convert the column to UTF-8")


def frame_table(frame: Frame, delimiter: str | None = None) -> Any:
    """A frame or file as a pyarrow Table; a frame of parsed cells as one of typed cells."""
    return input_table(open_cells(typed_cells(frame), delimiter, "the release"))


def released_columns(frame: object) -> dict[str, dict[str, Any]]:
    """Of a Release, what is known of each column: its role and kind."""
    return {column["name"]: column for column in frame.report["columns"]} if isinstance(frame, Release) else {}


def missing_of(frame: object, given: Columns | None) -> frozenset[str]:
    """The spellings of a missing value: those given, else those of a Release's plan, else the program's own. An empty text is always one."""
    if given is None and isinstance(frame, Release):
        given = tomllib.loads(frame.plan).get("missing")
    return MISSING if given is None else frozenset(["", *option_texts("missing", given, "list")])


def read_release(release: Frame, *, missing: Columns | None = None, delimiter: str | None = None) -> pandas.DataFrame:
    """Reads a release into a pandas DataFrame with its cells parsed.

    A column of intervals and numbers becomes a pandas IntervalArray (closed on both sides; a number is an interval of itself, a
    masked or missing cell is missing), of dates one of datetime64. Intervals of a hierarchy that leave an end out, as `[30,40)`, beside
    others, and those of whole numbers that doubles cannot hold, are single pandas Intervals. Columns with sets hold frozensets and
    texts. Beside both, masked cells are `tada.MASK`. Columns without widened cells, and those that pandas has no values for, stay as
    they are; CSV has texts only, so there a column becomes numbers if each text is one and none is a code with leading zeros.
    `missing` are the spellings of a missing value, by default those that a `Release` was made with, of any other '' and '?'.

    >>> frame = tada.read_release(released)
    >>> frame["age"].dtype
    interval[float64, both]
    >>> frame["age"].iloc[0].closed
    'both'
    """
    import pandas

    known, blank = released_columns(release), missing_of(release, missing)
    source = open_cells(typed_cells(release), delimiter, "the release")
    table = input_table(source)
    columns = {name: _read_column(table.column(name), known.get(name, {}), source.untyped, blank) for name in table.column_names}
    return pandas.DataFrame(columns, columns=table.column_names)


def _read_column(column: Any, known: dict[str, Any], untyped: bool, missing: Collection[str]) -> Any:
    plain = plain_texts(column)
    recoded = known.get("role", "quasi-identifier") == "quasi-identifier"
    if recoded and is_typed(plain.type):
        return _as_pandas(plain, reading_of(plain, None, missing), missing)
    if not is_text(plain.type):
        return column.to_pandas()
    texts = distinct_texts(plain)
    reading = Reading.NAMES if known.get("kind") == "categorical" else read_texts(texts, known.get("kind"), missing)
    if recoded and has_widened(texts, reading):
        return _as_pandas(plain, reading, missing)
    return _untyped(plain, texts, reading, missing) if untyped else column.to_pandas()


def _untyped(column: Any, texts: list[str], reading: Reading, missing: Collection[str]) -> Any:
    """A plain column of CSV: numbers if it holds such, and an empty cell is missing. What a number would lose digits of stays text."""
    import pandas

    cells = [text or None for text in column.to_pylist()]
    numbers = parse_column(column, reading, missing=missing).rows() if reading is Reading.NUMBERS else []
    if not any(isinstance(cell, float) for cell in numbers) or any(isinstance(cell, Interval) for cell in numbers):
        return pandas.Series(cells, dtype=None if any(texts) else object)
    whole = [int(text) for text in texts if text.lstrip("+-").isdigit()]
    if len(whole) == len(texts) and None not in numbers and (_fits(whole) or (min(whole) >= 0 and max(whole) < 2**64)):
        return pandas.Series([int(text) for text in column.to_pylist()])
    exact = all(float(number) == number for number in whole)
    return pandas.Series(numbers, dtype="float64") if exact else pandas.Series(cells)


def _fits(numbers: list[int]) -> bool:
    """Whether whole numbers fit into the 64 bits of pandas."""
    return min(numbers) > -(2**63) and max(numbers) < 2**63


def _as_pandas(column: Any, reading: Reading, missing: Collection[str]) -> Any:
    import pandas

    coded = parse_column(column, reading, missing=missing)
    if reading is Reading.NAMES:
        names = Coded([str(cell) if isinstance(cell, Pattern) else cell for cell in coded.values], coded.codes)
        widened = any(cell is MASK or isinstance(cell, frozenset) for cell in names.values)
        return pandas.Series(names.objects(), dtype=object) if widened else pandas.Series(names.rows())
    ends = [_ends(value, cell, reading) for value, cell in zip(code_column(column).values, coded.values, strict=True)]
    points = _points([end[:2] if end else None for end in ends], reading)
    if points is None:
        return column.to_pandas()
    lows, highs = points[::2], points[1::2]
    sides = [end[2] if end else None for end in ends]
    if points.dtype != object:
        if not any(left < right for left, right in zip(lows, highs, strict=True)):
            return pandas.Series(lows.take(coded.codes))
        if len(set(sides) - {None}) == 1:
            closed = next(side for side in sides if side)
            return pandas.arrays.IntervalArray.from_arrays(lows.take(coded.codes), highs.take(coded.codes), closed=closed)
    each = zip(lows, highs, sides, coded.values, strict=True)
    cells = [pandas.Interval(left, right, closed=side) if side else cell for left, right, side, cell in each]
    return pandas.Series(Coded(cells, coded.codes).objects(), dtype=object)


def _ends(value: Any, cell: Cell, reading: Reading) -> tuple[str, str, str] | None:
    """The ends of a cell as they are written, and which of them are part of it; None for a cell without ends."""
    if not isinstance(cell, (float, Interval)):
        return None
    if isinstance(value, dict):
        return value_texts(value["lo"])[0], value_texts(value["hi"])[0], "both"
    text = value.strip(" \t")
    if bounds := cut_interval(text, reading):
        return bounds
    if isinstance(cell, float):
        return text, text, "both"
    first, after = (datetime.date(1970, 1, 1) + datetime.timedelta(days=day) for day in cell)
    return first.isoformat(), after.isoformat(), "left"  # a month ends before the next


def _points(ends: list[tuple[str, str] | None], reading: Reading) -> Any:
    """An Index of the ends of cells, the lower of each before its upper. Numbers are doubles, or whole numbers if doubles would lose
    digits; moments are in UTC if they say where they are. None if pandas has no such values."""
    import numpy
    import pandas

    texts = [text for pair in ends for text in pair or (None, None)]
    if reading is Reading.NUMBERS:
        if any(text and as_number(text) is None for text in texts):  # of a type that counts as a number and is written as none: bool8
            return None
        numbers = [decimal.Decimal((math.inf if at % 2 else -math.inf) if text == "" else text or "nan") for at, text in enumerate(texts)]
        finite = [number for number in numbers if number.is_finite()]
        if all(decimal.Decimal(repr(float(number))) == number for number in finite):
            return pandas.Index([float(number) for number in numbers], dtype="float64")
        whole = all(number == number.to_integral_value() for number in finite)
        return pandas.Index([int(number) if number.is_finite() else float(number) for number in numbers], dtype=object) if whole else None
    moments = [None if text is None else as_moment(text) for text in texts]
    known = [moment for moment in moments if moment is not None]
    if "" in texts or ((short := any(moment % 1000 for moment in known)) and not _fits(known)):
        return None  # pandas has no day without end, and nanoseconds only of some centuries
    unit, size = ("ns", 1) if short else ("us", 1000)
    dates = numpy.asarray([_NOT_A_TIME if moment is None else moment // size for moment in moments], dtype="int64").view(f"datetime64[{unit}]")
    return pandas.DatetimeIndex(dates, tz="UTC" if any(_ZONE.search(text) for text in texts if text) else None)
