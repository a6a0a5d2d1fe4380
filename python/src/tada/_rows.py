"""Rows of frames, to be compared."""

from __future__ import annotations

from typing import Any

from tada._read import frame_table


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
