"""tada on Spark: tables that outgrow one machine, the same rows as one machine would release.

>>> release = tada.spark.anonymize(df, quasi=["age", "zip"], sensitive="disease", k=10, l=2)   # doctest: +SKIP
>>> release.report["reached"]                                                                  # doctest: +SKIP
>>> release.write("hdfs:///shared/visits_released")                                            # doctest: +SKIP

Rows stay where they are while groups are formed: executors count what their rows hold, counts add up exactly, and the driver learns how groups split.
A group that fits on one machine (`local_rows`) is finished there. What is written is audited by reading it back before anybody sees it. This package
moves rows about; every decision is made by the engine. docs/spark.md has more.
"""

from __future__ import annotations

import json
import os
import pathlib
import sys
import uuid
import weakref
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from tada import _core
from tada._display import release_html
from tada._errors import OutputError, UsageError
from tada._options import Option, option_values
from tada._progress import Listener, listening
from tada._release import Verdict, check_report, write_text

try:
    import pyspark  # noqa: F401
except ImportError as error:  # pragma: no cover - only where it is not installed
    raise ImportError("tada.spark needs PySpark: pip install 'tada[spark]'") from error

from tada._spark import frames
from tada._spark.payload import files_of
from tada._spark.run import Run, audit_classes, references
from tada._spark.tasks import Judging, csv_part, read_csv_part, texts_part

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

__all__ = ["SparkRelease", "anonymize", "audit", "inspect"]


class SparkRelease:
    """A release that passed its audit. `table` is a DataFrame over files in the scratch folder, which are removed when the release is closed or nobody
    holds it any more; `write` makes a folder that stays."""

    def __init__(self, table: DataFrame, found: _core.SpreadReport, run: Run) -> None:
        self.table = table
        self.report: dict[str, Any] = json.loads(found.json())
        """What `tada anonymize --report` writes."""
        self._found, self._run = found, run
        self._close = weakref.finalize(self, _forget, run)

    @property
    def warnings(self) -> list[str]:
        """Warnings of the method."""
        return list(self._found.warnings)

    @property
    def plan(self) -> str:
        """The plan as it was run, defaults filled in, as a TOML text."""
        return self._found.plan_toml()

    def audit(self) -> Verdict:
        """The verdict of the audit that let this release out."""
        return Verdict(json.loads(self._found.verdict_json()))

    def write(self, path: str | os.PathLike[str], *, format: str = "parquet", partition_by: list[str] | None = None, force: bool = False) -> None:
        """Writes a folder of files. It appears under its name after what was written was read again and found to be the release, or not at all.

        format: "parquet", or "csv": files with a header, cells as texts, as `tada anonymize` writes them.
        partition_by: released columns whose values become folders (`site=north/`), of Parquet.
        """
        if format not in ("parquet", "csv"):
            raise UsageError(f"format is parquet or csv, not {format!r}")
        if absent := [name for name in partition_by or [] if name not in self.table.columns]:
            raise UsageError(f"The release has no column {absent[0]!r}")
        if format == "csv" and partition_by:
            raise UsageError("partition_by works for Parquet", "Leave one of them out.")
        target = os.fspath(path).rstrip("/")
        files = frames.Folders(self.table.sparkSession)
        if files.exists(target) and not force:
            raise OutputError(f"Output exists: {target}", "Choose another name, or pass force=True")
        pending = f"{os.path.dirname(target) or '.'}/.tada-{uuid.uuid4().hex}"
        try:
            same = self._write_csv(pending, files) if format == "csv" else self._write_parquet(pending, partition_by, files)
            if not same:
                raise OutputError(f"What was written is not the release, nothing appears as {target}", "Look at the disk")
            if files.exists(target):
                files.remove(target)
            files.move(pending, target)
        except BaseException as error:
            files.remove(pending)
            raise frames.without_cells(error) from None

    def _write_parquet(self, folder: str, partition_by: list[str] | None, files: frames.Folders) -> bool:
        """Whether what is read from there is the release. Without folders of values those are the files that were audited."""
        if not partition_by:
            return files.copy(f"{self._run.scratch}/release", folder)
        self._run.placed(self.table).write.partitionBy(*partition_by).parquet(folder)
        back = self.table.sparkSession.read.schema(self.table.schema).parquet(folder)
        return frames.fingerprint(back, self._run.released) == frames.fingerprint(self.table, self._run.released)

    def _write_csv(self, folder: str, files: frames.Folders) -> bool:
        from pyspark.sql.types import StringType, StructField, StructType

        self._run.placed(self.table).mapInArrow(csv_part, "value string").write.text(folder)
        for name in files.names(folder):
            if name.endswith(".txt"):
                files.move(f"{folder}/{name}", f"{folder}/{name.removesuffix('.txt')}.csv")
        texts = StructType([StructField(name, StringType()) for name in self._run.released])
        contents = self.table.sparkSession.read.format("binaryFile").load(f"{folder}/*.csv").select("content")
        back, made = contents.mapInArrow(read_csv_part, texts), self.table.mapInArrow(texts_part, texts)
        return frames.fingerprint(back, self._run.released) == frames.fingerprint(made, self._run.released)

    def write_report(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes the report, .json or .html, on the driver."""
        check_report(path, force=force)
        write_text(path, self._found.json() if pathlib.Path(path).suffix == ".json" else self._found.html(), force=force)

    def close(self) -> None:
        """Removes the scratch folder; `table` is gone then."""
        self._close()

    def __enter__(self) -> SparkRelease:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def _repr_html_(self) -> str:
        return release_html(self.report, json.loads(self._found.verdict_json()), self._run.facts["sample"])

    def __repr__(self) -> str:
        reached = self.report["reached"]
        return (
            f"<tada.spark.SparkRelease {reached['rows']} rows in {reached['groups']} groups, k={reached['k']}, l={reached['l']}, "
            f"method {self.report['method']}, NCP {self.report['loss']['ncp']:.4f}>"
        )


def anonymize(
    frame: DataFrame,
    *,
    scratch: str | None = None,
    local_rows: int = 1_000_000,
    partitions: int | None = None,
    progress: bool | Listener | None = None,
    **options: Option,
) -> SparkRelease:
    """Releases a DataFrame of any size: the same rows as `tada.anonymize` on one machine, audited before anybody sees them.

    Options are those of `tada.anonymize`, by the same names; what needs all rows at once, or their order, is refused by name (docs/spark.md lists
    it). Ctrl-C stops the work, Spark's jobs too, and nothing is released.

    scratch: a folder that driver and executors share, for codes and for the release until it is written elsewhere. By default a temporary folder, where
        everything runs on this machine. It holds values of the table: only who may see the table may see it. Nothing stays there.
    local_rows: a group of at most this many rows meets on one executor, which finishes it.
    partitions: of shuffles. By default as Spark is set (spark.sql.shuffle.partitions).
    progress: True for a bar, or a function of the stage, the rows done, their total and a few words. By default a line per step on a terminal
        and in a notebook.
    """
    if local_rows < 1:
        raise UsageError(f"local_rows is at least 1, not {local_rows}")
    if partitions is not None and partitions < 1:
        raise UsageError(f"partitions is at least 1, not {partitions}")
    values = _values("anonymize", options)
    _core.spread_columns(values)
    with listening(_shown(progress)) as listener:
        run = Run(frame, values, frames.scratch_folder(frame.sparkSession, scratch), local_rows, partitions or frames.shuffles(frame), listener or _silent)
        with _cancelling(frame.sparkSession):
            try:
                table, found = run.release()
            except BaseException as error:
                _forget(run)
                raise frames.without_cells(error) from None
    return SparkRelease(table, found, run)


def audit(frame: DataFrame, *, partitions: int | None = None, **options: Option) -> Verdict:
    """Audits a released DataFrame, tada's or another tool's, for k, l and the other requirements: classes meet where they are judged, and the
    verdicts add up to that of `tada.audit` on one machine."""
    values = _values("audit", options)
    columns = _core.spread_audit_columns(values)
    seen = [*columns["quasi"], *columns["sensitive"]]
    if absent := [name for name in seen if name not in frame.columns]:
        raise UsageError(f"The release has no column {absent[0]!r}")
    try:
        released = references(frame, columns["sensitive"], None)
        of_sensitive = [pa.table({name: table["value"]}) for name, table in released.get(None, {}).items()]
        asked = _core.spread_with_kinds(values, [table.__arrow_c_stream__() for table in of_sensitive])
        judging = Judging(None, asked, files_of(asked), released if columns["compares"] else {})
        found = audit_classes(frame, seen, columns["quasi"], judging, None, partitions or frames.shuffles(frame))
    except BaseException as error:
        raise frames.without_cells(error) from None
    return Verdict(json.loads(_core.spread_merge([verdict for _, verdict in found], asked)))


def inspect(frame: DataFrame, columns: list[str] | None = None) -> dict[str, Any]:
    """The survey of a DataFrame: its rows, and of each column the type, how many different values it has, how many rows have none, and how many have
    a value that no other row has. `columns` says which; by default all."""
    from pyspark.sql import functions as F

    names = list(columns) if columns is not None else frame.columns
    if absent := [name for name in names if name not in frame.columns]:
        raise UsageError(f"The frame has no column {absent[0]!r}")
    try:
        described: dict[str, Any] = {}
        for name in names:
            by_value = frame.groupBy(frames.col(name).alias("value")).agg(F.count(F.lit(1)).alias("rows"))
            present = F.col("value").isNotNull()
            found = by_value.agg(
                F.sum(present.cast("long")),
                F.sum(F.when(~present, F.col("rows")).otherwise(0)),
                F.sum((present & (F.col("rows") == 1)).cast("long")),
            ).collect()[0]
            described[name] = {
                "type": frame.schema[name].dataType.simpleString(),
                "distinct": found[0] or 0,
                "missing": found[1] or 0,
                "unique": found[2] or 0,
            }
        return {"rows": frame.count(), "columns": described}
    except BaseException as error:
        raise frames.without_cells(error) from None


def _values(command: str, options: dict[str, Option]) -> dict[str, list[str]]:
    for name in ("report", "force"):
        if options.get(name) is not None:
            raise UsageError(f"{command} has no argument {name!r} on Spark", "What comes back is written by its own methods: write(path), write_report(path)")
    return option_values(command, options)


def _forget(run: Run) -> None:
    try:
        run.forget()
    except Exception as error:  # the session may be gone
        print(f"tada: cannot remove the scratch folder {run.scratch}: {type(error).__name__}", file=sys.stderr)


class _cancelling:
    """Jobs of the run stop when it does."""

    def __init__(self, spark: Any) -> None:
        self.context = None if frames.is_connect(spark) else spark.sparkContext
        self.group = f"tada-{uuid.uuid4().hex}"

    def __enter__(self) -> None:
        if self.context is not None:
            self.context.setJobGroup(self.group, "tada.spark", True)

    def __exit__(self, kind: type[BaseException] | None, value: object, trace: object) -> None:
        if self.context is None:
            return
        if kind is not None:
            self.context.cancelJobGroup(self.group)
        self.context.setLocalProperty("spark.jobGroup.id", None)


def _silent(stage: str, done: int, total: int, words: str) -> None:
    pass


def _shown(progress: bool | Listener | None) -> bool | Listener | None:
    if progress is not None or not (sys.stderr.isatty() or "ipykernel" in sys.modules):
        return progress

    def tell(stage: str, done: int, total: int, words: str) -> None:
        print(f"tada: {stage}{': ' + words if words else ''}", file=sys.stderr, flush=True)

    return tell
