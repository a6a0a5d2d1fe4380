"""Small things that tada.spark asks of DataFrames, in what Spark 3.5 and 4, classic and Connect, have in common."""

from __future__ import annotations

import os
import pathlib
import shutil
import tempfile
import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from tada import _errors
from tada._errors import DataError, OutputError, TadaError, UsageError
from tada._spark.payload import Surveyed
from tada._spark.tasks import BEGIN, END, HINT

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_MOST_VALUES = 20_000_000  # of all columns together: the driver and every worker hold them


def quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def col(name: str) -> Any:
    from pyspark.sql import functions as F

    return F.col(quoted(name))


def is_connect(spark: Any) -> bool:
    return type(spark).__module__.startswith("pyspark.sql.connect")


def to_arrow(frame: DataFrame) -> pa.Table:
    if hasattr(frame, "toArrow"):
        return frame.toArrow()
    batches = frame._collect_as_arrow()  # PySpark 3.5
    if batches:
        return pa.Table.from_batches(batches)
    from pyspark.sql.pandas.types import to_arrow_schema

    return to_arrow_schema(frame.schema).empty_table()


def spark_type(arrow: pa.DataType) -> Any:
    from pyspark.sql.pandas.types import from_arrow_type

    return from_arrow_type(arrow)


def plain_type(arrow: pa.DataType) -> pa.DataType:
    """The type that Spark has for it."""
    if pa.types.is_large_string(arrow):
        return pa.string()
    if pa.types.is_list(arrow) or pa.types.is_large_list(arrow):
        return pa.list_(plain_type(arrow.value_type))
    if pa.types.is_struct(arrow):
        return pa.struct([pa.field(field.name, plain_type(field.type)) for field in arrow])
    return arrow


def survey(frame: DataFrame, names: Sequence[str], controller: str, folder: str) -> list[Surveyed]:
    """Per column its different values, their controllers and their rows; in one pass, in the columns' own types."""
    spark = frame.sparkSession
    view = f"tada_{uuid.uuid4().hex}"
    frame.createOrReplaceTempView(view)
    by = [controller] if controller else []
    try:
        columns = ", ".join(quoted(name) for name in dict.fromkeys([*names, *by]))
        sets = ", ".join("(" + ", ".join(quoted(part) for part in dict.fromkeys([name, *by])) + ")" for name in names)
        which = ", ".join(f"grouping({quoted(name)}) AS `_tada_{i}`" for i, name in enumerate(names))
        counted = spark.sql(f"SELECT {columns}, {which}, count(*) AS `_tada_rows` FROM {view} GROUP BY GROUPING SETS ({sets})")
        counted.write.parquet(folder)
    finally:
        spark.catalog.dropTempView(view)
    stored = spark.read.parquet(folder)
    if (values := stored.count()) > _MOST_VALUES:
        raise UsageError(
            f"The columns with a role have {values} different values, more than {_MOST_VALUES}, which every machine would have to hold",
            "Round numbers and times that are finer than anybody needs, before the release.",
        )
    found = to_arrow(stored)
    entries = []
    for i, name in enumerate(names):
        inside = pc.equal(found[f"_tada_{i}"], 0)
        for j, other in enumerate(names):
            if j != i and (other != controller):  # the controllers' column stands in every set
                inside = pc.and_(inside, pc.equal(found[f"_tada_{j}"], 1))
        part = found.filter(inside)
        controllers = part[controller].combine_chunks() if controller else None
        entries.append(Surveyed(name, part[name].combine_chunks(), controllers, part["_tada_rows"].combine_chunks()))
    return entries


def some_rows(frame: DataFrame, names: Sequence[str], rows: int) -> pa.Table:
    """As many rows as that, the same ones in whatever order the frame has them: those whose hashes are smallest."""
    from pyspark.sql import functions as F

    chosen = frame.select(*[col(name) for name in names])
    return to_arrow(chosen.orderBy(F.xxhash64(*[col(name) for name in names])).limit(rows))


def hashes(frame: DataFrame, columns: Sequence[str], missing_in: Sequence[str] = (), missing: Sequence[str] = ()) -> list[Any]:
    """Two hashes of each row, by Spark's own SQL. In `missing_in` all spellings of missing are one, and 0.0 is -0.0."""
    from pyspark.sql import functions as F

    def value(name: str) -> Any:
        if name not in missing_in:
            return col(name)
        floating = frame.schema[name].dataType.typeName() in ("double", "float")
        text = (col(name) + F.lit(0.0) if floating else col(name)).cast("string")
        none = F.trim(text).isin(*missing, "NaN") if floating else F.trim(text).isin(*missing)
        return F.coalesce(F.when(none, F.lit("")).otherwise(text), F.lit(""))

    values = [value(name) for name in columns]
    nulls = [F.when(v.isNull(), F.lit(1)).otherwise(F.lit(0)) for v in values]
    return [F.xxhash64(*salt, *values, *nulls) for salt in ([], [F.lit("second")])]


def sums(frame: DataFrame, of: Sequence[Any]) -> tuple[Any, ...]:
    """Free of order: the number of rows and the sums of their hashes."""
    from pyspark.sql import functions as F

    return tuple(frame.agg(F.count(F.lit(1)), *[F.sum(hashed.cast("decimal(38,0)")) for hashed in of]).collect()[0])


def fingerprint(frame: DataFrame, columns: Sequence[str]) -> tuple[Any, ...]:
    """The same rows have the same one."""
    return sums(frame, hashes(frame, columns))


def shuffles(frame: DataFrame) -> int:
    return int(frame.sparkSession.conf.get("spark.sql.shuffle.partitions"))


def scratch_folder(spark: Any, scratch: str | None) -> str:
    """A folder of its own for a run, that driver and executors share."""
    if scratch is not None:
        return scratch.rstrip("/") + f"/tada-{uuid.uuid4().hex}"
    if not is_connect(spark) and not spark.sparkContext.master.startswith("local"):
        raise UsageError("scratch is needed: a folder that driver and executors share", 'For example scratch="hdfs:///tmp".')
    return pathlib.Path(tempfile.mkdtemp(prefix="tada-")).as_uri()


class Folders:
    """Folders where Spark writes: Hadoop's, through the driver's JVM; without one (Spark Connect) the local disk."""

    def __init__(self, spark: Any) -> None:
        self.jvm = None if is_connect(spark) else spark._jvm
        self.conf = None if self.jvm is None else spark._jsc.hadoopConfiguration()

    def _path(self, path: str) -> tuple[Any, Any]:
        assert self.jvm is not None
        there = self.jvm.org.apache.hadoop.fs.Path(path)
        return there.getFileSystem(self.conf), there

    def exists(self, path: str) -> bool:
        if self.jvm is None:
            return os.path.exists(path.removeprefix("file://"))
        system, there = self._path(path)
        return bool(system.exists(there))

    def names(self, path: str) -> list[str]:
        """What a folder holds."""
        if self.jvm is None:
            return sorted(os.listdir(path.removeprefix("file://")))
        system, there = self._path(path)
        return sorted(status.getPath().getName() for status in system.listStatus(there))

    def remove(self, path: str) -> None:
        if self.jvm is None:
            shutil.rmtree(path.removeprefix("file://"), ignore_errors=True)
            return
        system, there = self._path(path)
        system.delete(there, True)

    def move(self, pending: str, path: str) -> None:
        """Gives a folder its name, which nothing has."""
        if self.jvm is None:
            os.rename(pending.removeprefix("file://"), path.removeprefix("file://"))
            return
        system, there = self._path(pending)
        if not system.rename(there, self.jvm.org.apache.hadoop.fs.Path(path)):
            raise OutputError(f"The release cannot be renamed to {path}", "Look at the rights of the folder above it.")


def without_cells(error: BaseException) -> BaseException:
    """What Spark raises may quote values: its kind is kept, its text is not, unless a task of ours wrote it."""
    if isinstance(error, (TadaError, ImportError)) or not isinstance(error, Exception):
        return error
    text = str(error)
    if BEGIN in text:
        kind, _, rest = text.split(BEGIN, 1)[1].partition("|")
        message, _, hint = rest.split(END, 1)[0].partition(HINT)
        raised: TadaError = getattr(_errors, kind, DataError)(message, hint)
        return raised
    return DataError(f"Spark failed: {type(error).__name__}", "Spark's own logs say why; they may hold values of the table.")
