"""Released cells, parsed: numbers, intervals, sets, masks.

A cell is a number or a text; an Interval; a frozenset of texts; MASK, which may be anything; or None, a missing value. They come
from texts, as CSV has them, or from the typed cells of Arrow and Parquet (struct<lo, hi>, list<string>).
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from typing import Any, NamedTuple


class Interval(NamedTuple):
    """From `lo` to `hi`, both included."""

    lo: float
    hi: float

    @property
    def middle(self) -> float:
        return (self.lo + self.hi) / 2


class Mask(enum.Enum):
    """A masked cell: `*`."""

    MASK = "*"

    def __repr__(self) -> str:
        return "MASK"


MASK = Mask.MASK
Cell = float | str | Interval | frozenset[str] | Mask | None


def split_set(text: str) -> list[str]:
    r"""The elements of `{a,"b, c"}`.

    >>> split_set('{a,"b, c","say \\"hi\\""}')
    ['a', 'b, c', 'say "hi"']
    """
    elements: list[str] = []
    element, quoted, escaped = "", False, False
    for char in text[1:-1]:
        if escaped:
            element, escaped = element + char, False
        elif quoted and char == "\\":
            escaped = True
        elif char == '"':
            quoted = not quoted
        elif char == "," and not quoted:
            elements.append(element)
            element = ""
        else:
            element += char
    return [*elements, element] if text != "{}" else []


def as_number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def parse_text(text: str) -> Cell:
    """The cell that a text spells. A number is a number; an interval has numbers.

    >>> parse_text("[20,30]"), parse_text("{a,b}") == {"a", "b"}, parse_text("*"), parse_text("34"), parse_text("")
    (Interval(lo=20.0, hi=30.0), True, MASK, 34.0, None)
    """
    if text == "":
        return None
    if text == "*":
        return MASK
    if text.startswith("[") and text.endswith("]") and text.count(",") == 1:
        low, high = (as_number(part) for part in text[1:-1].split(","))
        if low is not None and high is not None:
            return Interval(low, high)
    if text.startswith("{") and text.endswith("}"):
        return frozenset(split_set(text))
    number = as_number(text)
    return text if number is None else number


def parse_value(value: Any) -> Cell:
    """The cell of a typed value: a struct, a list, a number, a text or nothing."""
    if value is None:
        return None
    if isinstance(value, dict):
        return _bounds(value["lo"], value["hi"])
    if isinstance(value, (list, tuple, set, frozenset)) or type(value).__name__ == "ndarray":
        elements = [str(element) for element in value]
        return elements[0] if len(elements) == 1 else frozenset(elements)
    if isinstance(value, str):
        return parse_text(value)
    if value != value:  # not a number: no value
        return None
    number = _number(value)
    return str(value) if number is None else number


def _bounds(low: Any, high: Any) -> Cell:
    if low is None or high is None:
        return None
    low, high = _number(low), _number(high)
    if low is None or high is None:
        return None
    return low if low == high else Interval(low, high)


def _number(value: Any) -> float | None:
    """A number; of a date, its days since 1970-01-01."""
    import datetime

    if isinstance(value, str):
        return as_number(value)
    if isinstance(value, datetime.datetime):
        return value.replace(tzinfo=value.tzinfo or datetime.timezone.utc).timestamp() / 86400
    if isinstance(value, datetime.date):
        return float((value - datetime.date(1970, 1, 1)).days)
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def parse_column(column: Any) -> list[Cell]:
    """The cells of a pyarrow column. A null among typed cells is a masked cell; among plain ones a missing value."""
    import pyarrow

    typed = pyarrow.types.is_struct(column.type) or pyarrow.types.is_list(column.type) or pyarrow.types.is_large_list(column.type)
    values: Iterable[Any] = column.to_pylist()
    return [MASK if typed and value is None else parse_value(value) for value in values]
