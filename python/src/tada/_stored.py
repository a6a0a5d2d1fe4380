"""A release that was pickled: what it hands out, without the engine that made it and without anything of the original table."""

from __future__ import annotations

import gzip
import pathlib
import tempfile
from dataclasses import dataclass
from typing import Any

from tada import _core
from tada._errors import UsageError
from tada._input import format_of, need_pyarrow
from tada._whole import write_whole


@dataclass(frozen=True)
class StoredRelease:
    """Answers as the engine's release does. `rows` is an Arrow stream; `csv` the CSV file, gzipped, because its texts are more than the
    types of a table tell: a value as it was written, a missing one as it was spelled."""

    rows: bytes
    csv: bytes
    report: str
    page: str
    verdict: str
    plan: str
    warnings: list[str]
    sample: list[list[str]]
    cuts: str = ""

    def stream(self) -> object:
        pa = need_pyarrow("A pickled release")
        return pa.ipc.open_stream(self.rows).read_all().__arrow_c_stream__()

    def report_json(self) -> str:
        return self.report

    def report_html(self) -> str:
        return self.page

    def verdict_json(self) -> str:
        return self.verdict

    def plan_toml(self) -> str:
        return self.plan

    def cuts_json(self) -> str:
        return self.cuts

    def write_csv(self, path: str, delimiter: str, force: bool, progress: object) -> None:
        """The bytes that the engine wrote; the delimiter is the one that it was given then."""
        target = pathlib.Path(path)
        kind = format_of(target)
        if kind not in ("csv", "csv.gz"):
            raise UsageError(f"A release that was pickled writes .csv and .csv.gz, not {target.name}", "Pack the file afterwards")
        data = self.csv if kind == "csv.gz" else gzip.decompress(self.csv)
        write_whole(target, lambda file: file.write(data), force=force)


def store(held: _core.Release, table: Any, delimiter: str) -> StoredRelease:
    """What a release hands out, `table` being its rows."""
    pa = need_pyarrow("Pickling a release")
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "release.csv.gz"
        held.write_csv(str(file), delimiter, True, None)
        csv = file.read_bytes()
    return StoredRelease(
        rows=sink.getvalue().to_pybytes(), csv=csv, report=held.report_json(raw=False), page=held.report_html(raw=False), verdict=held.verdict_json(),
        plan=held.plan_toml(), warnings=list(held.warnings), sample=[list(row) for row in held.sample], cuts=held.cuts_json(),
    )  # fmt: skip
