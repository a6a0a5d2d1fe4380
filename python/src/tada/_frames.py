"""Columns of pandas as columns of Arrow and back, with all that their cells hold."""

from __future__ import annotations

import datetime
import decimal
from collections.abc import Collection
from typing import Any

from tada._cells import MASK, Mask, value_texts
from tada._coded import code_column, widened
from tada._columns import is_interval
from tada._errors import DataError, UsageError


def as_frame(table: Any, **options: Any) -> Any:
    """A table as a pandas DataFrame. Intervals are dictionaries of the very values of the table: pyarrow would make numbers of
    nanoseconds, doubles of whole numbers beside missing ones, and give numbers of 32 bits other digits. Options are pyarrow's."""
    import pandas
    import pyarrow

    mapper = options.get("types_mapper") or (lambda kind: None)
    intervals = {at: table.column(at) for at, kind in enumerate(table.schema.types) if is_interval(kind) and mapper(kind) is None}
    for at in intervals:
        table = table.set_column(at, table.column_names[at], pyarrow.nulls(table.num_rows))
    frame = table.to_pandas(**options)
    for at, column in intervals.items():
        cells = [None if cell is None else dict(cell) for cell in code_column(column).rows()]
        frame.isetitem(at, pandas.Series(cells, index=frame.index, dtype=object))
    return frame


def typed_column(series: Any, name: str, *, exact: bool) -> Any:
    """A pandas column that pyarrow itself would not take over as it is: one of parsed cells, as `read_release` makes them, with typed cells
    instead; intervals that are dictionaries; moments and whole numbers that pyarrow would cut or refuse. None for any other. `name`
    is what messages call it."""
    if type(series.dtype).__name__ == "IntervalDtype":
        if exact and series.isna().any():
            raise UsageError(f"{name}: a missing interval may be a masked or a missing cell", "Give the release itself, or its file")
        return _intervals(series, name)
    if series.dtype != object:
        return None
    kinds = set(map(type, series))
    if any(issubclass(kind, (frozenset, Mask)) or _has_ends(kind) for kind in kinds):
        return _objects(list(series), name)
    if any(issubclass(kind, dict) for kind in kinds):
        return _structs(list(series), name)
    if not any(issubclass(kind, (datetime.date, int)) for kind in kinds):
        return None  # texts, most often
    full = _full_type(list(series), name)
    return None if full is None else _array(list(series), full, name)


def _has_ends(cell: Any) -> bool:
    """Whether it is an interval of pandas, or their class."""
    return hasattr(cell, "closed_left") and hasattr(cell, "left")


def _intervals(series: Any, name: str) -> Any:
    import pyarrow

    if series.dtype.closed != "both":
        return _objects(list(series), name)
    ends = [pyarrow.array(end, from_pandas=True) for end in (series.array.left, series.array.right)]
    return pyarrow.StructArray.from_arrays(ends, names=["lo", "hi"], mask=pyarrow.array(series.isna().to_numpy()))


def _structs(cells: list[Any], name: str) -> Any:
    """Dictionaries of lo and hi as intervals; None if there is anything else."""
    import pandas
    import pyarrow

    present = [isinstance(cell, dict) for cell in cells]
    for cell, here in zip(cells, present, strict=True):
        if not (cell.keys() <= {"lo", "hi"} if here else pandas.api.types.is_scalar(cell) and pandas.isna(cell)):
            return None
    ends = [[cell.get(end) if here else None for cell, here in zip(cells, present, strict=True)] for end in ("lo", "hi")]
    both = _array(ends[0] + ends[1], _full_type(ends[0] + ends[1], name), name)
    return pyarrow.StructArray.from_arrays([both[: len(cells)], both[len(cells) :]], names=["lo", "hi"], mask=pyarrow.array([not here for here in present]))


def _array(values: list[Any], kind: Any, name: str) -> Any:
    """Plain values as an Arrow array, of the type that pyarrow finds if none is given."""
    import pyarrow

    try:
        return pyarrow.array(values, kind, from_pandas=True)
    except (pyarrow.ArrowException, TypeError, ValueError, OverflowError):
        refused = refusal({type(value).__name__ for value in values}, name)
    raise refused  # after pyarrow's error, whose words may hold cells


def _full_type(values: list[Any], name: str) -> Any:
    """The Arrow type of plain values of which pyarrow would drop nanoseconds or refuse the largest; None where it finds one itself. What
    it would take for equal by leaving out the time of day or the zone is refused."""
    import pyarrow

    moments = [value for value in values if isinstance(value, datetime.date) and value == value]
    kinds = sorted({_kind(moment) for moment in moments})
    if len(kinds) > 1:
        raise DataError(f"{name}: {' and '.join(kinds)} in one column", "Make all of them dates, or all of them times, with a zone or without")
    if any(getattr(moment, "nanosecond", 0) for moment in moments):
        return pyarrow.timestamp("ns", pyarrow.array(moments[:1]).type.tz)
    return pyarrow.uint64() if any(isinstance(value, int) and value >= 2**63 for value in values) else None


def _kind(moment: datetime.date) -> str:
    if not isinstance(moment, datetime.datetime):
        return "dates"
    return "times without a zone" if moment.tzinfo is None else "times with a zone"


def refusal(kinds: Collection[str], name: str) -> DataError:
    """What to say of values, of these types, that pyarrow refuses."""
    what = "values of several types" if len(kinds) > 1 else "values that cannot be handed over as Arrow"
    return DataError(f"{name}: {what}: {', '.join(sorted(kinds))}", "Convert the column to numbers, dates or strings, or leave it out")


def _objects(cells: list[Any], name: str) -> Any:
    """Sets and plain values as lists of texts; beside intervals, which may leave an end out, all of them as texts. Rows often share the
    object of their cell, as those of `read_release` do: each is looked at once."""
    import pyarrow

    place: dict[int, int] = {}
    codes = [place.setdefault(own, len(place)) for own in map(id, cells)]
    if len(place) < len(cells):
        firsts = dict(zip(map(id, cells), cells, strict=True))
        return _objects([firsts[own] for own in place], name).take(pyarrow.array(codes, pyarrow.int64()))
    if any(_has_ends(cell) for cell in cells):
        texts = ["*" if cell is MASK else _interval_text(cell) if _has_ends(cell) else _object_text(cell, name) for cell in cells]
        return _array(texts, pyarrow.string(), name)
    sets = [cell if cell is MASK or isinstance(cell, frozenset) else [cell] for cell in cells]
    lists = [None if cell is MASK else sorted(_object_text(value, name) or "" for value in cell) for cell in sets]
    return _array(lists, pyarrow.list_(pyarrow.string()), name)


def _object_text(value: Any, name: str) -> str | None:
    """A plain value as the engine writes it; None for a missing one. What has no text is refused: two of them would look the same."""
    import numpy
    import pandas

    if isinstance(value, (numpy.float16, numpy.float32)):
        value = widened(value)
    elif isinstance(value, (numpy.bool_, numpy.number)) and not isinstance(value, numpy.timedelta64):
        value = value.item()
    if value is None or value is pandas.NA:
        return None
    if not isinstance(value, (str, bool, int, float, decimal.Decimal, datetime.date)):
        what = f"{name}: beside sets, intervals or masks there are values without a text of their own: {type(value).__name__}"
        raise DataError(what, "Convert them to numbers, dates or strings")
    return value_texts(value)[0] if value == value else None


def _interval_text(cell: Any) -> str:
    low, high = (value_texts(end)[0] for end in (cell.left, cell.right))
    return low if low == high else f"{'[' if cell.closed_left else '('}{low},{high}{']' if cell.closed_right else ')'}"
