"""Parquet and Arrow files for the engine, by pyarrow. Errors are tada's, so that they read like those of the program."""

from __future__ import annotations

import hashlib
import os
import pathlib
from typing import Any

from tada._errors import DataError, OutputError
from tada._input import columnar_table, need_pyarrow


def read(path: str, kind: str) -> object:
    """The Arrow stream of a file."""
    return columnar_table(pathlib.Path(path), kind).__arrow_c_stream__()


def names(path: str, kind: str) -> list[str]:
    """The column names of a file, without its rows."""
    if kind != "parquet":
        return list(columnar_table(pathlib.Path(path), kind, memory_map=True).column_names)
    pyarrow = need_pyarrow(f"Reading {path}")
    try:
        return list(_module(kind).read_schema(path).names)
    except (OSError, pyarrow.ArrowException) as error:
        raise DataError(f"Cannot read {path}: {error}", "Make the file again, or copy it again") from error


def write(stream: object, kind: str, descriptor: int, target: str) -> None:
    """Writes a stream into an open file."""
    pyarrow = need_pyarrow(f"Writing {target}")
    table = pyarrow.table(_Stream(stream))
    try:
        with os.fdopen(os.dup(descriptor), "wb") as file:
            if kind == "parquet":
                _module(kind).write_table(table, file, compression="zstd")
            else:
                _module(kind).write_feather(table, file, compression="uncompressed")
    except OSError as error:
        raise OutputError(f"Cannot write {target}: {error.strerror or error}", number=error.errno) from error


def sha256(path: str) -> str:
    """The digest of a file's bytes, in hex."""
    try:
        with open(path, "rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise DataError(f"Cannot read {path}: {error.strerror or error}") from error


class _Stream:
    def __init__(self, capsule: object) -> None:
        self._capsule = capsule

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self._capsule


def _module(kind: str) -> Any:
    import pyarrow.feather
    import pyarrow.parquet

    return pyarrow.parquet if kind == "parquet" else pyarrow.feather
