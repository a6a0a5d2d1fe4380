"""Columns of released cells: what they hold, and their cells.

A column holds names, numbers or dates (`Reading`). Types say which: struct<lo, hi> is numbers or dates, list<string> and bool are names.
What a column of text holds is decided by all its cells together: numbers if each is a number or an interval of numbers, dates likewise, else
names. Codes with leading zeros are names, unless intervals stand beside them.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from tada._cells import MASK, MISSING, Cell, Interval, Pattern, Reading, is_mask, one_or_set, parse_text, split_set, value_number, value_texts
from tada._coded import Coded, code_column

_CODE = re.compile(r"[+-]?0\d", re.ASCII)


def is_text(kind: Any) -> bool:
    return str(kind) in ("string", "large_string", "string_view")  # by name: older pyarrow has no views


def is_typed(kind: Any) -> bool:
    """Whether these are typed cells: intervals or sets."""
    return is_interval(kind) or is_list(kind)


def is_interval(kind: Any) -> bool:
    import pyarrow.types as types

    return bool(types.is_struct(kind)) and {kind.field(i).name for i in range(kind.num_fields)} == {"lo", "hi"}


def is_list(kind: Any) -> bool:
    import pyarrow.types as types

    return bool(types.is_list(kind) or types.is_large_list(kind))


def is_readable(kind: Any) -> bool:
    """Whether these are plain cells, intervals or sets. Of other nested ones nothing can be said."""
    import pyarrow.types as types

    parts = [kind.value_type] if is_list(kind) else [end.type for end in kind] if is_interval(kind) else [kind]
    return not any(types.is_nested(part) for part in parts)


def plain_texts(column: Any) -> Any:
    """A column without its dictionary."""
    import pyarrow

    if not pyarrow.types.is_dictionary(column.type):
        return column
    kind = column.type.value_type
    if not str(kind).endswith("_view"):
        return column.cast(kind)
    whole = pyarrow.type_for_alias(str(kind).removesuffix("_view"))  # pyarrow takes no rows of views, as categories of polars are
    return pyarrow.chunked_array([pyarrow.array(chunk.dictionary.to_pylist(), whole).take(chunk.indices) for chunk in column.chunks], whole)


def distinct_texts(column: Any) -> list[str]:
    return [text for text in column.unique().to_pylist() if text is not None]


def reading_of(column: Any, kind: str | None = None, missing: Collection[str] = MISSING) -> Reading:
    """What a pyarrow column holds. `kind` is what is known of it: categorical or numeric; `missing` are the spellings of no value."""
    import pyarrow.types as types

    column = plain_texts(column)
    if kind == "categorical" or is_list(column.type) or types.is_boolean(column.type):
        return Reading.NAMES
    if is_interval(column.type):
        bounds = column.type.field("lo").type
        if not is_text(bounds):
            return Reading.DATES if types.is_temporal(bounds) else Reading.NUMBERS
        return read_texts([text for end in column.flatten() for text in distinct_texts(end)], "numeric", missing)
    if is_text(column.type):
        return read_texts(distinct_texts(column), kind, missing)
    if types.is_date(column.type) or types.is_timestamp(column.type):
        return Reading.DATES
    numeric = types.is_integer(column.type) or types.is_floating(column.type) or types.is_decimal(column.type) or types.is_null(column.type)
    return Reading.NUMBERS if numeric else Reading.NAMES


def read_texts(texts: Collection[str], kind: str | None = None, missing: Collection[str] = MISSING) -> Reading:
    """What the different texts of a column are, those of `missing` left out.

    >>> read_texts(["34", "[20,30)", "*"]), read_texts(["34", "{20,30}"]), read_texts(["00229", "107"]), read_texts(["2019-06", "2019"])
    (<Reading.NUMBERS: 'numbers'>, <Reading.NAMES: 'names'>, <Reading.NAMES: 'names'>, <Reading.DATES: 'dates'>)
    """
    texts = [text for text in texts if text.strip(" \t") not in missing]
    for reading in (Reading.NUMBERS, Reading.DATES):
        widened = False
        for text in texts:
            cell = parse_text(text, reading)
            if isinstance(cell, (str, frozenset)) or split_set(text) is not None:
                break
            widened = widened or isinstance(cell, Interval)
        else:
            coded = kind is None and not widened and any(_CODE.match(text) for text in texts)
            return Reading.NAMES if coded else reading
    return Reading.NAMES


def parse_column(column: Any, reading: Reading, known: Collection[str] = (), missing: Collection[str] = MISSING) -> Coded:
    """The cells of a pyarrow column. A null among typed cells is a masked cell; among plain ones a missing value, as is every spelling of
    `missing`, be it the text of a number. A text that is one of the `known` names is that name, whatever it looks like. Stars in any
    other text of names stand for characters, unless a set names it."""
    column = plain_texts(column)
    values, codes = code_column(column)
    null = MASK if is_typed(column.type) else None
    cells = [null if value is None else _cell(value, reading, known, missing) for value in values]
    if not is_text(column.type):
        blank = {*missing, *(value_number(spelling, reading) for spelling in missing)}
        cells = [None if isinstance(cell, (str, float)) and cell in blank else cell for cell in cells]
    elif reading is Reading.NAMES:
        named = {element for cell in cells if isinstance(cell, frozenset) for element in cell}.union(known)
        cells = [Pattern(cell) if isinstance(cell, str) and "*" in cell and cell not in named else cell for cell in cells]
    return Coded(cells, codes)


def _cell(value: Any, reading: Reading, known: Collection[str], missing: Collection[str]) -> Cell:
    return _typed_cell(value, reading) if isinstance(value, (dict, list)) else _plain_cell(value, reading, known, missing)


def _typed_cell(value: dict[str, Any] | list[Any], reading: Reading) -> Cell:
    if isinstance(value, list):
        return one_or_set(["" if element is None else str(element) for element in value])
    low, high = value_number(value["lo"], reading), value_number(value["hi"], reading)
    if low is None or high is None:
        return None if _is_missing(value["lo"]) or _is_missing(value["hi"]) else f"[{value_texts(value['lo'])[0]},{value_texts(value['hi'])[0]}]"
    return low if low == high else Interval(low, high)


def _is_missing(value: Any) -> bool:
    return value is None or bool(value != value)  # not a number: no value


def _plain_cell(value: Any, reading: Reading, known: Collection[str], missing: Collection[str]) -> Cell:
    """The cell of a plain value. What is no number among numbers, and no date among dates, is a text, as it is where it was written."""
    if isinstance(value, str):
        return value if reading is Reading.NAMES and value in known else parse_text(value, reading, missing)
    if _is_missing(value):
        return None
    number = None if reading is Reading.NAMES else value_number(value, reading)
    if number is not None:
        return number
    texts = value_texts(value)
    return next((text for text in texts if text in known), texts[0])


def has_widened(texts: Collection[str], reading: Reading) -> bool:
    """Whether texts, those of a column, have a cell among them that tada widens: an interval in brackets, a set or a mask."""
    bracketed = [text for text in texts if text[:1] in ("[", "(") and text[-1:] in ("]", ")")] if reading is not Reading.NAMES else []
    return bool(bracketed) or any(is_mask(text) or split_set(text) is not None for text in texts)
