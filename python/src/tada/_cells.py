"""Released cells, parsed: numbers, intervals, sets, masks.

A cell is a number or a text; an Interval; a frozenset of texts; MASK, which may be anything; or None, a missing value. They come
from texts, as CSV has them, or from the typed cells of Arrow and Parquet (struct<lo, hi>, list<string>). What a text spells depends
on what its column holds, its Reading: `00229` is a name among names and 229 among numbers. Numbers and dates are what the engine
takes for such; a date counts as its days since 1970-01-01.
"""

from __future__ import annotations

import datetime
import decimal
import enum
import math
import re
from collections.abc import Collection
from typing import Any, NamedTuple


class Interval(NamedTuple):
    """From `lo` to `hi`. An end that is left out, as 40 is in `[30,40)`, is `hi` all the same; one that is not given is infinite."""

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


class Reading(enum.Enum):
    """What the values of a column are."""

    NAMES = "names"
    NUMBERS = "numbers"
    DATES = "dates"


class Pattern(str):
    """A text whose stars stand for one character each: `476**`."""


MASK = Mask.MASK
Cell = float | str | Interval | frozenset[str] | Mask | None

MISSING = frozenset(("", "?"))  # what the program takes for missing if nobody says otherwise
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(\.\d+)?)?(?:Z|([+-])(\d\d)(?::?(\d\d))?)?)?", re.ASCII)
_PERIOD = re.compile(r"(\d{3})0s|(\d{4})(?:-Q([1-4])|-(0[1-9]|1[0-2]))?", re.ASCII)  # labels that the builder `dates` makes
_ELEMENT = re.compile(r' *+(?:"((?:[^"\\]|\\.)*)" *|(?!")([^,]*))(,|$)', re.DOTALL)
_ONE_SIDED = re.compile(r"(>=|<=|≥|≤|>|<)[ \t]*(.+)|(.+)\+", re.DOTALL)
_LONGEST_INTERVAL = 256
_UNBOUNDED = {f"{sign}{word}" for sign in ("", "+", "-") for word in ("inf", "infinity", "∞")} | {""}


def split_set(text: str) -> list[str] | None:
    r"""The elements of `{a,"b, c"}`; None if that is no set.

    >>> split_set('{a,"b, c","say \\"hi\\""}')
    ['a', 'b, c', 'say "hi"']
    """
    if not (text.startswith("{") and text.endswith("}") and len(text) > 1):
        return None
    body, at, elements = text[1:-1], 0, []
    while body.strip(" "):
        found = _ELEMENT.match(body, at)
        if found is None:
            return None
        elements.append(found[2].strip(" \t") if found[1] is None else re.sub(r"\\(.)", r"\1", found[1], flags=re.DOTALL))
        at = found.end()
        if not found[3]:
            break
    return elements


def as_number(text: str) -> float | None:
    """The number that a text spells: no blanks, no `nan`, no `inf`, no `1_000`."""
    number = float(text) if _NUMBER.fullmatch(text) else math.inf
    return number if math.isfinite(number) else None


def as_moment(text: str) -> int | None:
    """Nanoseconds since 1970-01-01 of a date or a time stamp.

    >>> as_moment("1970-01-01T00:00:00.000000007"), as_moment("1970-01-01T01:00:01+01:00"), as_moment("1970-02-30")
    (7, 1000000000, None)
    """
    found = _DATE.fullmatch(text)
    if found is None:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in found.groups()[:6])
    if hour > 23 or minute > 59 or second > 60:
        return None
    try:
        days = datetime.date(year, month, day).toordinal() - datetime.date(1970, 1, 1).toordinal()
    except ValueError:
        return None
    offset = (int(found[9] or 0) * 60 + int(found[10] or 0)) * (-1 if found[8] == "-" else 1)
    seconds = ((days * 24 + hour) * 60 + minute - offset) * 60 + second
    return seconds * 10**9 + int((found[7] or ".")[1:10].ljust(9, "0"))


def as_date(text: str) -> float | None:
    """Days since 1970-01-01 of a date, or of a time stamp with its time of day as a fraction.

    >>> as_date("1970-01-02"), as_date("1970-01-02T12:00:00Z"), as_date("1970-02-30")
    (1.0, 1.5, None)
    """
    moment = as_moment(text)
    return None if moment is None else moment / (86400 * 10**9)


def cut_interval(text: str, reading: Reading) -> tuple[str, str, str] | None:
    """The two bounds of an interval as they are written, and which of them are part of it (both, left, right, neither), in every
    form that an audit takes for one. A bound that is not given is empty.

    >>> cut_interval("[30,40)", Reading.NUMBERS), cut_interval("30-40", Reading.NUMBERS), cut_interval(">=50", Reading.NUMBERS)
    (('30', '40', 'left'), ('30', '40', 'both'), ('50', '', 'both'))
    """
    value = as_date if reading is Reading.DATES else as_number
    if not 2 <= len(text) <= _LONGEST_INTERVAL:
        return None
    if one_sided := _ONE_SIDED.fullmatch(text):
        bound, sign = one_sided[2] or one_sided[3], one_sided[1] or ">="
        if value(bound) is not None:
            closed = "both" if sign in (">=", "<=", "≥", "≤") else "neither"
            return (bound, "", closed) if sign in (">=", "≥", ">") else ("", bound, closed)
    opens, closes = text[0] in "[(]", text[-1] in "])["
    if opens != closes:
        return None
    body = text[1:-1].strip(" \t") if opens else text
    bounds = (body, body) if opens and value(body) is not None else _cut(body, value, opens)
    if bounds is None:
        return None
    left, right = not opens or text[0] == "[", not closes or text[-1] == "]"
    return *bounds, ("both" if right else "left") if left else "right" if right else "neither"


def _cut(body: str, value: Any, in_brackets: bool) -> tuple[str, str] | None:
    """Cuts where there is a bound on both sides; at dashes last, because numbers and dates have dashes of their own."""
    for separator in (",", ";", "..", "~", " to ", "–", "-"):
        free = in_brackets and separator != "-"
        at = body.find(separator)
        while at >= 0:
            low, high = body[:at].strip(" \t"), body[at + len(separator) :].strip(" \t")
            low_free, high_free = free and low in _UNBOUNDED, free and high in _UNBOUNDED
            if not (low_free and high_free) and (low_free or value(low) is not None) and (high_free or value(high) is not None):
                return "" if low_free else low, "" if high_free else high
            at = body.find(separator, at + 1)
    return None


def _period(text: str) -> Interval | None:
    """The days of a decade, a year, a quarter or a month: `2010s`, `2019`, `2019-Q2`, `2019-06`."""
    found = _PERIOD.fullmatch(text)
    if found is None or text.startswith("000"):
        return None
    year = int(found[1]) * 10 if found[1] else int(found[2])
    first = 3 * int(found[3]) - 2 if found[3] else int(found[4] or 1)
    months = 120 if found[1] else 3 if found[3] else 1 if found[4] else 12
    after = year * 12 + first - 1 + months
    if after // 12 > datetime.MAXYEAR:
        return None
    start, end = datetime.date(year, first, 1), datetime.date(after // 12, after % 12 + 1, 1)
    epoch = datetime.date(1970, 1, 1)
    return Interval(float((start - epoch).days), float((end - epoch).days))


def is_mask(text: str) -> bool:
    return text in ("(,)", "{NULL}") or (text != "" and text.strip("*") == "")


def parse_text(text: str, reading: Reading = Reading.NUMBERS, missing: Collection[str] = MISSING) -> Cell:
    """The cell that a text spells in a column. What is nothing else is a text; `missing` are the spellings of no value.

    >>> parse_text("[20,30]"), parse_text("{a,b}") == {"a", "b"}, parse_text("*"), parse_text("034"), parse_text("")
    (Interval(lo=20.0, hi=30.0), True, MASK, 34.0, None)
    >>> parse_text("034", Reading.NAMES), parse_text("1970-01-02", Reading.DATES), parse_text("[30,40)")
    ('034', 1.0, Interval(lo=30.0, hi=40.0))
    """
    trimmed = text.strip(" \t")
    if trimmed in missing:
        return None
    if is_mask(trimmed):
        return MASK
    if reading is not Reading.NAMES:
        number = _measure(trimmed, reading)
        if number is not None:
            return number
    elements = split_set(trimmed)
    return text if elements is None else one_or_set(elements)


def _measure(text: str, reading: Reading) -> float | Interval | None:
    value = as_date if reading is Reading.DATES else as_number
    number = value(text)
    if number is not None:
        return number
    if bounds := cut_interval(text, reading):
        low, high = value(bounds[0]), value(bounds[1])
        low, high = -math.inf if low is None else low, math.inf if high is None else high
        if low < high:
            return Interval(low, high)
        if low == high and bounds[2] == "both":  # `(20,20)` holds nothing
            return low
    return _period(text) if reading is Reading.DATES else None


def one_or_set(elements: list[str]) -> Cell:
    """A set; a set of one is its element, and nothing at all, as an element, is a missing value."""
    return frozenset(elements) if len(elements) != 1 else elements[0] or None


def value_number(value: Any, reading: Reading) -> float | None:
    """The number of a typed value in a column of numbers, or of dates; None if it is none."""
    if isinstance(value, str):
        return as_date(value) if reading is Reading.DATES else as_number(value)
    if isinstance(value, datetime.datetime):
        utc = value.replace(tzinfo=datetime.UTC) if value.tzinfo is None else value
        return utc.timestamp() / 86400 if reading is Reading.DATES else None
    if isinstance(value, datetime.date):
        return float((value - datetime.date(1970, 1, 1)).days) if reading is Reading.DATES else None
    if reading is Reading.DATES:
        return None
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    return number if math.isfinite(number) else None


def value_texts(value: Any) -> list[str]:
    """The texts of a typed value: first the one that the engine writes, then what else may stand for the same number.

    >>> value_texts(True), value_texts(1234567), value_texts(100000.0), value_texts(0.5)
    (['true'], ['1234567'], ['1e+05', '100000'], ['0.5'])
    """
    if isinstance(value, bool):
        return ["true" if value else "false"]
    if isinstance(value, int):
        return list(dict.fromkeys([str(value), _float_text(float(value))]))
    if isinstance(value, float):
        whole = [str(int(value))] if value.is_integer() else []
        return list(dict.fromkeys([_float_text(value), *whole]))
    if isinstance(value, datetime.datetime):
        return [_moment_text(value)]
    if isinstance(value, datetime.date):
        return [value.isoformat()]
    return [format(value, "f") if isinstance(value, decimal.Decimal) else str(value)]


def _float_text(number: float) -> str:
    """Fixed or scientific, whichever is shorter, with the fewest digits that give the number back."""
    if not math.isfinite(number):
        return str(number)
    short = decimal.Decimal(repr(float(number))).normalize()  # a number of numpy says in its repr what it is
    fixed = str(int(number)) if number.is_integer() and number else format(short, "f")
    mantissa, _, exponent = format(short, "e").partition("e")
    scientific = f"{mantissa}e{exponent[0]}{exponent[1:]:0>2}"
    return fixed if len(fixed) <= len(scientific) else scientific


def _moment_text(value: datetime.datetime) -> str:
    zone = "" if value.tzinfo is None else "Z"
    if zone:
        value = value.astimezone(datetime.UTC)
    fraction = f".{value.microsecond:06}{getattr(value, 'nanosecond', 0):03}".rstrip("0").rstrip(".")
    text = datetime.datetime(value.year, value.month, value.day, value.hour, value.minute, value.second).isoformat()
    return f"{text}{fraction}{zone}"
