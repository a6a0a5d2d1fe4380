"""What every task of tada.spark needs to know of the whole table, and how it travels to executors."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pyarrow as pa

from tada import _core

_held: dict[str, Any] = {}  # by digest; a Python worker serves many tasks


@dataclass
class Surveyed:
    """The different values of a column, whose they are (None: there is one controller) and how many rows have each."""

    name: str
    values: pa.Array
    controllers: pa.Array | None
    rows: pa.Array


@dataclass
class Payload:
    """Small against the table. Pickled with every task; the engine's view is made of it once per worker."""

    options: dict[str, list[str]]
    files: dict[str, bytes]
    survey: list[bytes]
    names: list[str]
    controller: str
    digest: str = field(init=False)

    def __post_init__(self) -> None:
        told = hashlib.sha256(repr((sorted(self.options.items()), sorted(self.files.items()), self.controller)).encode())
        for part in self.survey:
            told.update(part)
        self.digest = told.hexdigest()

    @staticmethod
    def make(options: dict[str, list[str]], survey: list[Surveyed], controller: str) -> Payload:
        packed = []
        for column in survey:
            arrays = [column.values, column.rows] if column.controllers is None else [column.values, column.rows, column.controllers]
            table = pa.table(arrays, names=["values", "rows", "controllers"][: len(arrays)])
            sink = pa.BufferOutputStream()
            with pa.ipc.new_stream(sink, table.schema) as writer:
                writer.write_table(table)
            packed.append(sink.getvalue().to_pybytes())
        return Payload(options, files_of(options), packed, [column.name for column in survey], controller)

    def types(self) -> dict[str, pa.DataType]:
        """Of the columns that decide, as they came."""
        return {name: pa.ipc.open_stream(part).schema.field("values").type for name, part in zip(self.names, self.survey, strict=True)}

    def num_values(self) -> dict[str, int]:
        """How many different values each column has, by controller."""
        return {name: pa.ipc.open_stream(part).read_all().num_rows for name, part in zip(self.names, self.survey, strict=True)}

    def shared(self) -> _core.SpreadShared:
        """The engine's view of the whole table."""
        if _held.get("digest") != self.digest:
            _held.clear()
            with laid_out(self.options, self.files) as options:
                _held["shared"] = _core.SpreadShared.make(options, [self._entry(i) for i in range(len(self.names))])
            _held["digest"] = self.digest
        held: _core.SpreadShared = _held["shared"]
        return held

    def _entry(self, i: int) -> tuple[object, object | None, Any]:
        table = pa.ipc.open_stream(self.survey[i]).read_all()
        rows = np.ascontiguousarray(table["rows"].to_numpy(), dtype=np.int64)
        values = pa.table({self.names[i]: table["values"]})
        if not self.controller:
            return values.__arrow_c_stream__(), None, rows
        return values.__arrow_c_stream__(), pa.table({self.controller: table["controllers"]}).__arrow_c_stream__(), rows


def unpacked_tree(packed: bytes) -> _core.SpreadTree:
    digest = hashlib.sha256(packed).hexdigest()
    if _held.get("tree digest") != digest:
        _held["tree digest"], _held["tree"] = digest, _core.SpreadTree.unpack(packed)
    tree: _core.SpreadTree = _held["tree"]
    return tree


def files_of(options: dict[str, list[str]]) -> dict[str, bytes]:
    """Files that options name, with what they hold: executors may not see the driver's disk."""
    paths = list(options.get("plan", []))
    for item in options.get("hierarchy", []):
        path = item.partition("=")[2]
        if os.path.isfile(path):
            paths.append(path)
    for folder in options.get("hierarchies", []):
        if os.path.isdir(folder):
            paths += [os.path.join(folder, name) for name in sorted(os.listdir(folder)) if os.path.isfile(os.path.join(folder, name))]
        else:
            paths.append(folder)
    held = {}
    for path in paths:
        with contextlib.suppress(OSError), open(path, "rb") as file:  # the engine says what is wrong with it
            held[path] = file.read()
    return held


@contextlib.contextmanager
def laid_out(options: dict[str, list[str]], files: dict[str, bytes]) -> Iterator[dict[str, list[str]]]:
    """The options with their files in a folder of this machine. A plan's own paths are relative to it: those files stand beside it."""
    if not files:
        yield options
        return
    with tempfile.TemporaryDirectory() as folder:
        moved = {}
        for path, held in sorted(files.items()):
            place = os.path.join(folder, hashlib.sha256(os.path.dirname(path).encode()).hexdigest()[:16])
            os.makedirs(place, exist_ok=True)
            moved[path] = os.path.join(place, os.path.basename(path))
            moved[os.path.dirname(path)] = place
            with open(moved[path], "wb") as file:
                file.write(held)
        laid = {name: list(values) for name, values in options.items()}
        for name in ("plan", "hierarchies"):
            if name in laid:
                laid[name] = [moved.get(path, moved.get(path.rstrip("/"), path)) for path in laid[name]]
        if "hierarchy" in laid:
            laid["hierarchy"] = [f"{column}={moved.get(path, path)}" for column, _, path in (item.partition("=") for item in laid["hierarchy"])]
        yield laid
