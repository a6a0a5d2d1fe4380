"""Features of parsed cells: middles of numbers, ones and probabilities of names."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable
from typing import Any

import numpy

from tada._cells import MASK, Cell, Interval, Pattern
from tada._coded import Coded

Matrix = numpy.ndarray[Any, numpy.dtype[numpy.float64]]


class Probabilities(dict[str, float]):
    """Of a cell of names: the values it may stand for, and how likely each is."""


def is_widened(cell: Cell) -> bool:
    """Whether a cell stands for several values."""
    return cell is MASK or isinstance(cell, (Interval, frozenset, Pattern))


def patterns_of(column: Coded) -> set[str]:
    return {str(cell) for cell in column.values if isinstance(cell, Pattern)}


def probability_columns(decoded: Any, name: str, values: Iterable[str], missing: Iterable[str]) -> dict[str, Any]:
    """The columns that a column of names became, one per value; a missing value is written as the release has it, one of `missing`."""
    found = {}
    for value in values:
        for text in (value,) if value else missing:
            if f"{name}={text}" in decoded.column_names:
                found[value] = decoded.column(f"{name}={text}").to_numpy().astype(numpy.float64)
    return found


def with_probabilities(column: Coded, columns: dict[str, Any]) -> Coded:
    """A column with probabilities in place of widened cells, which they depend on alone. A cell without any could not be decoded and stays."""
    cells = list(column.values)
    for at, row in enumerate(numpy.unique(column.codes, return_index=True)[1]):
        if is_widened(cells[at]):
            cells[at] = Probabilities({value: float(of_rows[row]) for value, of_rows in columns.items() if of_rows[row] > 0}) or cells[at]
    return Coded(cells, column.codes)


def with_drawn(column: Coded, drawn: Coded) -> Coded:
    """A column with the drawn cells in place of widened ones. A cell that could not be decoded stays."""
    widened = _where(is_widened, column) & ~_where(is_widened, drawn)
    used, codes = numpy.unique(numpy.where(widened, len(column.values) + drawn.codes, column.codes), return_inverse=True)
    cells = column.values + drawn.values
    return Coded([cells[at] for at in used], codes)


def _where(holds: Callable[[Cell], bool], column: Coded) -> numpy.ndarray[Any, numpy.dtype[numpy.bool_]]:
    return numpy.asarray([holds(cell) for cell in column.values], dtype=bool)[column.codes]


def ends_of(column: Coded) -> tuple[float, float] | None:
    """The smallest and the largest number of a column; None if it has none."""
    points = [point for cell in column.values if isinstance(cell, (float, Interval)) for point in ((cell,) if isinstance(cell, float) else cell)]
    finite = [point for point in points if math.isfinite(point)]
    return (min(finite), max(finite)) if finite else None


def middle_of(cell: Any, ends: tuple[float, float], otherwise: float) -> float:
    """The middle of a cell; an interval without an end goes to that of the column."""
    if isinstance(cell, Interval):
        return Interval(max(cell.lo, min(ends[0], cell.hi)), min(cell.hi, max(ends[1], cell.lo))).middle if _is_open(cell) else cell.middle
    return cell if isinstance(cell, float) else otherwise


def _is_open(cell: Interval) -> bool:
    return not (math.isfinite(cell.lo) and math.isfinite(cell.hi))


def middles_of(column: Coded, ends: tuple[float, float] | None, otherwise: float) -> Matrix:
    """By row. Where the fitted cells told no number, no row has one."""
    middles = [otherwise if ends is None else middle_of(cell, ends, otherwise) for cell in column.values]
    return numpy.asarray(middles, dtype=numpy.float64)[column.codes]


def mean_of(column: Coded, ends: tuple[float, float] | None) -> float:
    known = middles_of(column, ends, 0.0)[_where(lambda cell: isinstance(cell, (float, Interval)), column)]
    return float(known.mean()) if len(known) else 0.0


def _elements(cell: Cell) -> list[str]:
    """The values a cell of names may stand for; a missing value is the empty text."""
    return sorted(cell) if isinstance(cell, frozenset) else ["" if cell is None else str(cell)]


def shares_of(column: Coded) -> dict[str, float]:
    """How often each value occurs, the elements of a set counting in equal parts."""
    shares: dict[str, float] = {}
    for cell, count in zip(column.values, numpy.bincount(column.codes, minlength=len(column.values)), strict=True):
        if cell is MASK:
            continue
        elements = _elements(cell)
        for element in elements:
            shares[element] = shares.get(element, 0.0) + float(count) / len(elements)
    total = sum(shares.values())
    return {value: shares[value] / total for value in sorted(shares)}


def multi_hot(column: Coded, shares: dict[str, float], patterns: Collection[str], as_shares: bool) -> Matrix:
    """`patterns` are those of the values that are."""
    place = {value: at for at, value in enumerate(shares)}
    lines: Matrix = numpy.zeros((len(column.values), len(place)))
    for line, cell in zip(lines, column.values, strict=True):
        line[:] = _line(cell, place, shares, patterns, as_shares)
    return lines[column.codes]


def _line(cell: Any, place: dict[str, int], shares: dict[str, float], patterns: Collection[str], as_shares: bool) -> Matrix:
    """The features of a cell of names."""
    if cell is MASK:
        return numpy.asarray(list(shares.values())) if as_shares else numpy.ones(len(place))
    line: Matrix = numpy.zeros(len(place))
    if isinstance(cell, Probabilities):
        for value, probability in cell.items():
            line[place[value]] = probability
        return line
    elements = _elements(cell)
    others = place if isinstance(cell, Pattern) else patterns
    meant = {*elements, *(value for element in elements for value in others if _overlap(element, value))}
    for value in meant & place.keys():
        line[place[value]] = 1.0 / max(len(elements), len(meant)) if as_shares else 1.0
    return line


def _overlap(one: str, other: str) -> bool:
    """Whether two texts are equal but for stars, which stand for one character each."""
    return len(one) == len(other) and all(a == b or "*" in (a, b) for a, b in zip(one, other, strict=True))
