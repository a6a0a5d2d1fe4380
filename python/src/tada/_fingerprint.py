"""Tables, known again without being held."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from typing import Any

from tada._read import frame_table


@dataclass(frozen=True)
class Fingerprint:
    """Tells a table again without holding it. Salted and slow, so that nobody finds a table by trying; its rows are counted first."""

    rows: int
    salt: bytes
    digest: bytes

    @classmethod
    def of(cls, table: Any, salt: bytes | None = None) -> Fingerprint:
        digest = hashlib.sha256(str(table.schema.remove_metadata()).encode())
        for column in table.columns:
            for start in range(0, table.num_rows, 1 << 16):
                digest.update(repr(column.slice(start, 1 << 16).to_pylist()).encode())
        salt = os.urandom(16) if salt is None else salt
        return cls(table.num_rows, salt, hashlib.pbkdf2_hmac("sha256", digest.digest(), salt, 200_000))

    def fits(self, table: Any) -> bool:
        return table.num_rows == self.rows and Fingerprint.of(table, self.salt) == self


def plain_rows(frame: Any) -> Any:
    """A table that equals itself: without numbers that are none, and without what frames say of themselves."""
    import pyarrow
    import pyarrow.compute

    table = frame_table(frame).replace_schema_metadata(None)
    for at, column in enumerate(table.columns):
        if pyarrow.types.is_floating(column.type):
            known = pyarrow.compute.if_else(pyarrow.compute.is_nan(column), pyarrow.scalar(None, column.type), column)
            table = table.set_column(at, table.field(at), known)
    return table


def own_rows(frame: Any) -> Any:
    """The plain rows in memory of their own: those of a frame change when somebody writes into it."""
    import pyarrow

    table = plain_rows(frame)
    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return pyarrow.ipc.open_stream(sink.getvalue()).read_all()
