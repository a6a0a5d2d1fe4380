"""Columns by their different values: what is done once per value instead of once per row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy

    Codes = numpy.ndarray[Any, numpy.dtype[numpy.intp]]


class Coded(NamedTuple):
    """A row has the value `values[codes[row]]`. Every value is of some row."""

    values: list[Any]
    codes: Codes

    def rows(self) -> list[Any]:
        rows: list[Any] = self.objects().tolist()
        return rows

    def objects(self) -> Any:
        """The value of every row, as a numpy array of objects: equal cells are the same object."""
        import numpy

        values = numpy.empty(len(self.values), dtype=object)
        for code, value in enumerate(self.values):  # one by one: numpy would take a list of pairs for a table
            values[code] = value
        return values[self.codes]


def code_column(column: Any) -> Coded:
    """The different values of a pyarrow column as Python has them; those of an interval and of a list are dict and list."""
    import pyarrow
    import pyarrow.types as types

    if types.is_struct(column.type):
        return _code_structs(column)
    if types.is_list(column.type) or types.is_large_list(column.type):
        return _code_lists(column)
    if str(column.type).endswith("_view"):  # pyarrow 26 encodes a null view as an empty text, older ones none at all
        return _code_rows(column.to_pylist())
    try:
        coded = column.dictionary_encode(null_encoding="encode")
    except pyarrow.ArrowNotImplementedError:  # a type that pyarrow can't compare
        return _code_rows(column.to_pylist())
    import numpy

    codes = [chunk.indices.to_numpy() for chunk in coded.chunks]
    values = coded.chunk(0).dictionary.to_pylist() if codes else []
    if types.is_float32(column.type) or types.is_float16(column.type):
        values = [None if value is None else widened(value) for value in values]
    return Coded(values, numpy.concatenate([*codes, []]).astype(numpy.intp))


def widened(value: Any) -> float:
    """A number of 32 bits or fewer as a double: the one of the same digits, which the engine writes and compares, not of the same bits.

    >>> widened(0.10000000149011612)
    0.1
    """
    import numpy

    return float(str(numpy.float32(value)))


def _code_rows(rows: list[Any]) -> Coded:
    import numpy

    place: dict[Any, int] = {}
    codes = [place.setdefault(row, len(place)) for row in rows]
    return Coded(list(place), numpy.asarray(codes, dtype=numpy.intp))


def _code_structs(column: Any) -> Coded:
    import numpy

    fields = [column.type.field(i).name for i in range(column.type.num_fields)]
    parts = [code_column(part) for part in column.flatten()]
    mixed = column.is_valid().to_numpy().astype(numpy.intp)
    for part in parts:
        mixed = _numbered(mixed)[1] * len(part.values) + part.codes
    first, codes = _numbered(mixed)
    valid = column.is_valid().to_numpy()
    values = [{name: part.values[part.codes[row]] for name, part in zip(fields, parts, strict=True)} if valid[row] else None for row in first]
    return Coded(values, codes)


def _numbered(mixed: Codes) -> tuple[Codes, Codes]:
    """Numbers in 0, 1, ... as they first appear: the first row of each, and those of the rows."""
    import numpy
    import pyarrow

    coded = pyarrow.array(mixed).dictionary_encode()
    codes = coded.indices.to_numpy().astype(numpy.intp)
    first = numpy.empty(len(coded.dictionary), dtype=numpy.intp)
    first[codes[::-1]] = numpy.arange(len(codes))[::-1]  # the last that is written stays
    return first, codes


def _code_lists(column: Any) -> Coded:
    import numpy
    import pyarrow.compute

    elements = code_column(pyarrow.compute.list_flatten(column))
    lengths = pyarrow.compute.fill_null(pyarrow.compute.list_value_length(column), -1).to_numpy().astype(numpy.intp)
    heads = _run_heads(elements.codes, lengths)
    begins = numpy.cumsum(numpy.maximum(lengths, 0)) - numpy.maximum(lengths, 0)
    codes = elements.codes.tolist()
    starts = zip(begins[heads].tolist(), lengths[heads].tolist(), strict=True)
    lists = _code_rows([None if length < 0 else tuple(codes[begin : begin + length]) for begin, length in starts])
    values = [None if key is None else [elements.values[code] for code in key] for key in lists.values]
    return Coded(values, lists.codes[numpy.cumsum(heads) - 1])


def _run_heads(codes: Codes, lengths: Codes) -> Any:
    """Which lists differ from the one before, as a mask: rows of a class stand together, so mostly few do."""
    import numpy

    heads = numpy.ones(len(lengths), dtype=bool)
    if len(lengths) == 0:
        return heads
    sizes = numpy.maximum(lengths, 0)
    row_of = numpy.repeat(numpy.arange(len(lengths)), sizes)
    before = numpy.arange(len(codes)) - sizes[row_of]  # the same place in the list before, if that is as long
    differs = codes != codes[numpy.maximum(before, 0)]
    different = numpy.bincount(row_of[differs], minlength=len(lengths)) > 0
    heads[1:] = different[1:] | (lengths[1:] != lengths[:-1])
    return heads
