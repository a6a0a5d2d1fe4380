"""What goes in: anything that hands over an Arrow C stream, or the path of a file, which pyarrow reads as the program would."""

from __future__ import annotations

import csv
import gzip
import os
import pathlib
from dataclasses import dataclass
from typing import IO, Any, Protocol, cast, runtime_checkable

from tada._errors import DataError, UsageError

DELIMITERS = ",;\t|"


@runtime_checkable
class ArrowStream(Protocol):
    """Anything with a table in it: pyarrow, pandas, polars, DuckDB relations, releases."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


Frame = ArrowStream | str | os.PathLike[str]


@dataclass(frozen=True)
class Input:
    """A stream to read, and what is to be said of it."""

    stream: object
    name: str
    format: str = "arrow"
    untyped: bool = False  # texts of a CSV file
    delimiter: str = ","


def open_input(frame: Frame, delimiter: str | None = None, name: str = "the frame") -> Input:
    """The stream of a frame or file."""
    if isinstance(frame, (str, os.PathLike)):
        return _open_path(pathlib.Path(frame), delimiter)
    if not hasattr(frame, "__arrow_c_stream__"):
        raise UsageError(
            f"{name} is a {type(frame).__name__}, which hands over no Arrow stream (__arrow_c_stream__)",
            "Give a pyarrow Table, a pandas or polars DataFrame, a DuckDB relation, or the path of a file",
        )
    return Input(frame.__arrow_c_stream__(), name)


def format_of(path: pathlib.Path) -> str:
    """csv, csv.gz, parquet or arrow, by extension."""
    name = path.name.lower()
    for extension, kind in ((".csv", "csv"), (".csv.gz", "csv.gz"), (".parquet", "parquet"), (".arrow", "arrow"), (".feather", "arrow")):
        if name.endswith(extension):
            return kind
    raise UsageError(f"Unknown kind of file: {path}", "Known are .csv, .csv.gz, .parquet, .arrow and .feather")


def need_pyarrow(what: str) -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise UsageError(f"{what} needs pyarrow, which is not installed", "pip install pyarrow") from error
    return pyarrow


def _open_path(path: pathlib.Path, delimiter: str | None) -> Input:
    kind = format_of(path)
    failures = (OSError, need_pyarrow(f"Reading {path}").ArrowException, UnicodeDecodeError, EOFError)
    try:
        if kind == "parquet":
            import pyarrow.parquet

            return Input(pyarrow.parquet.read_table(path, partitioning=None).__arrow_c_stream__(), str(path), kind)
        if kind == "arrow":
            import pyarrow.feather

            return Input(pyarrow.feather.read_table(path).__arrow_c_stream__(), str(path), kind)
        return _read_csv(path, kind, delimiter)
    except failures as error:
        raise DataError(f"Cannot read {path}: {error}", "Make the file again, or copy it again") from error


def _read_csv(path: pathlib.Path, kind: str, delimiter: str | None) -> Input:
    """Reads every cell as text, by the same rules and the same reader as the program."""
    import pyarrow
    import pyarrow.csv

    with _bytes(path, kind) as file:
        head = file.read(1 << 20)
    if not head:
        raise DataError(f"{path}: the file is empty", "The first line must name the columns")
    comma = _delimiter(delimiter) if delimiter else sniff_delimiter(head)
    with _bytes(path, kind) as file:
        names = _header(file, comma)
    numbers = [str(number) for number in range(len(names))]
    table = pyarrow.csv.read_csv(
        path,
        read_options=pyarrow.csv.ReadOptions(column_names=numbers, skip_rows_after_names=1, block_size=1 << 25),
        parse_options=pyarrow.csv.ParseOptions(delimiter=comma, newlines_in_values=True, ignore_empty_lines=len(names) > 1),
        convert_options=pyarrow.csv.ConvertOptions(
            strings_can_be_null=False,
            column_types={number: pyarrow.dictionary(pyarrow.int32(), pyarrow.string()) for number in numbers},
        ),
    ).rename_columns(names)
    return Input(table.__arrow_c_stream__(), str(path), kind, untyped=True, delimiter=comma)


def _bytes(path: pathlib.Path, kind: str) -> IO[bytes]:
    return cast(IO[bytes], gzip.open(path, "rb")) if kind == "csv.gz" else path.open("rb")


def _header(file: IO[bytes], comma: str) -> list[str]:
    import io

    return next(csv.reader(io.TextIOWrapper(file, "utf-8-sig", newline=""), delimiter=comma))


def _delimiter(text: str) -> str:
    comma = "\t" if text in ("tab", "\\t") else text
    if len(comma) != 1 or comma in '"\r\n' or not comma.isascii():
        raise UsageError(f"delimiter is one character, not {text!r}", "Use , ; | or tab")
    return comma


def sniff_delimiter(head: bytes) -> str:
    """The one among , ; tab | that cuts the first records into the same number of cells, more than one; the most if several
    do; if none does, the one that cuts the header into most cells."""
    text = head.decode("utf-8-sig", errors="replace")
    whole = len(head) < 1 << 20
    best, widest = (1, ","), (1, ",")
    for comma in DELIMITERS:
        counts = [len(record) for record in csv.reader(text.splitlines(keepends=True), delimiter=comma) if record]
        counts = counts if whole else counts[:-1]
        if not counts:
            continue
        if counts[0] > best[0] and all(count == counts[0] for count in counts):
            best = (counts[0], comma)
        if counts[0] > widest[0]:
            widest = (counts[0], comma)
    return best[1] if best[0] > 1 else widest[1]
