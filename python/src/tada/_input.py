"""What goes in: anything that hands over an Arrow C stream, or the path of a file, which the engine reads.

The index of a pandas DataFrame is not a column: nobody gave it a role, and row numbers of a larger table or names of people would
identify. Messages hold no cells, so errors of pyarrow, which quote some, are never shown: a column that pandas cannot hand over is named
with the types it holds."""

from __future__ import annotations

import os
import pathlib
import sys
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol, cast, runtime_checkable

from tada import _core
from tada._errors import DataError, TadaError, UsageError, check_utf8
from tada._frames import refusal, typed_column


@runtime_checkable
class ArrowStream(Protocol):
    """Anything with a table in it: pyarrow, pandas, polars, DuckDB relations, releases."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...


Frame = ArrowStream | str | os.PathLike[str]


def engine_table(frame: Frame, name: str = "the frame") -> _core.Table:
    """A frame or a file as the engine takes it: a path, or a stream and what messages call it."""
    if isinstance(frame, (str, os.PathLike)):
        return check_utf8(f"the path of {name}", os.fspath(frame))
    frame = cast(ArrowStream, _collected(frame, name))
    if _is_of(frame, "pandas", "DataFrame"):
        return _pandas_table(frame, name).__arrow_c_stream__(), name
    if isinstance(frame, type) or not hasattr(frame, "__arrow_c_stream__"):
        raise UsageError(
            f"{name} is a {type(frame).__name__}, which hands over no Arrow stream (__arrow_c_stream__)",
            "Give a pyarrow Table or Dataset, a pandas or polars frame, a DuckDB relation, or the path of a file",
        )
    if _is_of(frame, "pyarrow", "RecordBatchReader"):
        return _read_once(frame, name).__arrow_c_stream__(), name
    return _stream(frame, name), name


@dataclass(frozen=True)
class Cells:
    """The stream of a release, what messages call it, and whether its cells are texts of a CSV file."""

    stream: object
    name: str
    untyped: bool = False


def open_cells(frame: Frame, delimiter: str | None, name: str) -> Cells:
    """The cells of a release: of a frame as they are typed, of a CSV file as texts."""
    if not isinstance(frame, (str, os.PathLike)):
        return Cells(engine_table(frame, name)[0], name)
    path = pathlib.Path(check_utf8(f"the path of {name}", os.fspath(frame)))
    kind = format_of(path)
    if kind not in ("parquet", "arrow"):
        return Cells(_core.read_cells(str(path), "" if delimiter is None else _delimiter(delimiter), None), str(path), untyped=True)
    return Cells(columnar_table(path, kind).__arrow_c_stream__(), str(path))


def _stream(frame: ArrowStream, name: str) -> object:
    """The stream that a frame hands over. What goes wrong, for example in a query that is run only now, is reported by its kind alone: its words
    may hold cells."""
    try:
        stream = frame.__arrow_c_stream__()
    except (MemoryError, TadaError):
        raise
    except Exception as error:  # whatever the maker of the frame raises
        raise DataError(f"{name} failed to hand over its rows: {type(error).__name__}", "Read the frame by itself, which says more") from None
    if type(stream).__name__ != "PyCapsule":
        raise DataError(f"{name} hands over a {type(stream).__name__} instead of an Arrow stream", "__arrow_c_stream__ must return a capsule")
    return stream


def _collected(frame: Any, name: str) -> Any:
    """The rows of what only says where they come from: a LazyFrame of polars, a Dataset of pyarrow. Any other frame as it is. What goes wrong is
    reported by its kind alone: its words may hold cells."""
    lazy, dataset = _is_of(frame, "polars", "LazyFrame"), _is_of(frame, "pyarrow.dataset", "Dataset")
    if not lazy and not dataset:
        return frame
    try:
        return frame.collect() if lazy else frame.to_table()
    except MemoryError:
        raise
    except Exception as error:  # whatever a query may raise
        failed = type(error).__name__
    raise DataError(f"{name} failed to hand over its rows: {failed}", "Read the frame by itself, which says more")


def held(frame: Frame, name: str = "the frame") -> Frame:
    """The same rows, to be read as often as one likes."""
    frame = _collected(frame, name)
    return cast(Frame, _read_once(frame, name).read_all()) if _is_of(frame, "pyarrow", "RecordBatchReader") else frame


_used_up: weakref.WeakSet[Any] = weakref.WeakSet()  # readers that we read: another time they would have no rows, and not say why


def _read_once(reader: Any, name: str) -> Any:
    """The reader, remembered as used up once its rows are asked for; an error before that leaves it as it is. What goes wrong in it is
    reported by its kind alone: its words may hold cells."""
    _refuse_used_up(reader, name)

    def batches() -> Iterator[Any]:
        _refuse_used_up(reader, name)  # by the same call, which got it twice
        _used_up.add(reader)
        try:
            yield from reader
        except Exception as error:  # whatever the maker of the reader raises
            raise DataError(f"the reader of {name} failed: {type(error).__name__}") from None

    return type(reader).from_batches(reader.schema, batches())


def _refuse_used_up(reader: Any, name: str) -> None:
    if reader in _used_up:
        raise DataError(f"{name} is a RecordBatchReader that was read before; it has its rows only once", "Make a new one, or give a table: reader.read_all()")


def _is_of(frame: object, module: str, name: str) -> bool:
    """Whether it is an instance of a class of a module that may not be there."""
    return module in sys.modules and isinstance(frame, getattr(sys.modules[module], name, ()))


def _pandas_table(frame: Any, name: str) -> Any:
    """A DataFrame without its index, as a pyarrow Table."""
    cells = typed_cells(frame, name, exact=True)
    return _plain_table(frame, name) if cells is frame else cells


def typed_cells(frame: Any, name: str = "the frame", *, exact: bool = False) -> Any:
    """A pandas DataFrame of parsed cells, as `read_release` makes them, with typed cells instead; any other frame as it is. If
    `exact`, refuses missing intervals, which may have been masked or missing: to an audit that is a difference."""
    if not _is_of(frame, "pandas", "DataFrame"):
        return frame
    _check_names(frame, name)
    columns = range(frame.shape[1])
    made = {at: typed_column(frame.iloc[:, at], f"{name}, column {frame.columns[at]}", exact=exact) for at in columns}
    if all(column is None for column in made.values()):
        return frame
    plain = iter(_plain_table(frame.iloc[:, [at for at in columns if made[at] is None]], name).columns)
    whole = [next(plain) if made[at] is None else made[at] for at in columns]
    return need_pyarrow("A pandas DataFrame").table(whole, names=[str(name) for name in frame.columns])


def _check_names(frame: Any, name: str) -> None:
    for column in frame.columns:
        check_utf8(f"{name}: the name of a column", str(column))
    twice = frame.columns[frame.columns.duplicated()]
    if len(twice) > 0:
        raise DataError(f"{name}: two columns have the name {str(twice[0])!r}", "Rename one of them")


def _plain_table(frame: Any, name: str) -> Any:
    pa = need_pyarrow("A pandas DataFrame")
    for column, dtype in frame.dtypes.items():
        if type(dtype).__name__ == "PeriodDtype":  # of which Arrow would have the running numbers
            raise DataError(f"{name}, column {column}: periods cannot be handed over as Arrow", "Convert the column: .astype(str), or .dt.to_timestamp()")
    try:
        return pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowException, TypeError, ValueError, OverflowError) as error:
        failed = error
    raise _bad_column(frame, name, pa) or failed


def _bad_column(frame: Any, name: str, pa: Any) -> DataError | None:
    """What is wrong with the first column that cannot be handed over."""
    for column in frame.columns:
        try:
            pa.Table.from_pandas(frame[[column]], preserve_index=False)
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            dtype = frame[column].dtype
            kinds = {type(value).__name__ for value in frame[column]} if dtype == object else {str(dtype)}  # noqa: E721 - numpy's, which equals the type
            return refusal(kinds, f"{name}, column {column}")
    return None


_KINDS = {
    **{f".{kind}": kind for kind in ("csv", "csv.gz", "csv.zst", "csv.bz2", "csv.lz4", "json", "xlsx", "parquet", "arrow")},
    ".jsonl": "json", ".ndjson": "json", ".pq": "parquet", ".parq": "parquet", ".feather": "arrow",
}  # fmt: skip


def format_of(path: pathlib.Path) -> str:
    """csv, csv.gz, csv.zst, ..., json, xlsx, parquet or arrow, by extension."""
    name = path.name.lower()
    for extension, kind in _KINDS.items():
        if name.endswith(extension):
            return kind
    raise UsageError(f"Unknown kind of file: {path}", f"Known are {', '.join(_KINDS)}")


def need_pyarrow(what: str) -> Any:
    try:
        import pyarrow
    except ImportError as error:
        raise UsageError(f"{what} needs pyarrow, which is not installed", "pip install pyarrow") from error
    return pyarrow


def columnar_table(path: pathlib.Path, kind: str, *, memory_map: bool = False) -> Any:
    """A Parquet or an Arrow file as a pyarrow Table."""
    pa = need_pyarrow(f"Reading {path}")
    if path.is_dir():  # which pyarrow would take for the parts of a table
        raise DataError(f"Cannot read {path}: it is a folder", "Name a file in it")
    try:
        if kind == "parquet":
            import pyarrow.parquet

            return pyarrow.parquet.read_table(path, partitioning=None)
        with path.open("rb") as file:
            is_stream = file.read(4) == b"\xff" * 4  # a file has a name at its beginning
        if is_stream:
            with (pa.memory_map if memory_map else pa.OSFile)(str(path)) as file:
                return pa.ipc.open_stream(file).read_all()
        import pyarrow.feather

        return pyarrow.feather.read_table(path, memory_map=memory_map)
    except (OSError, pa.ArrowException) as error:
        raise DataError(f"Cannot read {path}: {error}", "Make the file again, or copy it again") from error


def _delimiter(text: object) -> str:
    comma = "\t" if text in ("tab", "\\t") else text
    if not isinstance(comma, str) or len(comma) != 1 or comma in '"\r\n\0' or not comma.isascii():
        raise UsageError(f"delimiter is one character, not {text!r}", "Use , ; | or tab")
    return comma
