"""Object stores for the engine, by the file systems of pyarrow: s3://, gs://, abfs://, hdfs://. What pyarrow raises becomes an error of tada in the engine."""

from __future__ import annotations

import os
from typing import Any

from tada._input import need_pyarrow

_RANGE = 8 << 20  # bytes that are asked for at once


def names(address: str) -> list[str]:
    """The objects below a folder, by their names inside it."""
    from pyarrow.fs import FileSelector

    system, path = _place(address)
    found = system.get_file_info(FileSelector(path, recursive=True, allow_not_found=True))
    return sorted(info.path[len(path.rstrip("/")) + 1 :] for info in found if info.is_file)


def fetch(address: str, name: str, descriptor: int) -> None:
    """Copies an object to an open file."""
    system, path = _place(address, name)
    with system.open_input_file(path) as source, os.fdopen(os.dup(descriptor), "wb") as copy:
        while piece := source.read(_RANGE):
            copy.write(piece)


def exists(address: str) -> bool:
    system, path = _place(address)
    return bool(system.get_file_info(path).type.value != 0)


def upload(address: str, name: str) -> Any:
    """A stream whose object appears when it is closed."""
    system, path = _place(address, name)
    return system.open_output_stream(path)


def remove(address: str, name: str) -> None:
    system, path = _place(address, name)
    system.delete_file(path)


def _place(address: str, name: str = "") -> tuple[Any, str]:
    """The file system of an address, and the path in it."""
    need_pyarrow(f"An address of {address.partition(':')[0]}")
    from pyarrow.fs import FileSystem

    system, path = FileSystem.from_uri(address)
    return system, path.rstrip("/") + "/" + name if name else path
