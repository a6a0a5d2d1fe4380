"""Small things that tada.spark asks of DataFrames, in what Spark 3.5 and 4, classic and Connect, have in common."""

from __future__ import annotations

import concurrent.futures
import contextlib
import hashlib
import os
import pathlib
import shutil
import tempfile
import urllib.parse
import uuid
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet

from tada import _errors
from tada._errors import DataError, OutputError, TadaError, UsageError
from tada._spark.payload import Surveyed
from tada._spark.tasks import BEGIN, END, HINT

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_COPIED = 8  # files at a time
MOST_VALUES = 20_000_000  # of all columns together: the driver and every worker hold them


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


def is_plain(arrow: pa.DataType) -> bool:
    """Whether Spark reads such a column as it is from a Parquet file that Arrow wrote."""
    kinds = pa.types
    if kinds.is_struct(arrow):
        return all(is_plain(field.type) for field in arrow)
    if kinds.is_list(arrow):
        return is_plain(arrow.value_type)
    texts, times = (kinds.is_string, kinds.is_binary), (kinds.is_date32, kinds.is_timestamp)
    numbers = (kinds.is_signed_integer, kinds.is_floating, kinds.is_decimal)
    return any(kind(arrow) for kind in (*texts, *numbers, *times, kinds.is_boolean))


def files_on_disk(frame: DataFrame) -> list[str] | None:
    """The files that a frame reads, if all of them stand on a disk."""
    found = [urllib.parse.urlsplit(file) for file in frame.inputFiles()]
    return [urllib.parse.unquote(file.path) for file in found] if all(file.scheme in ("", "file") for file in found) else None


def first_rows(files: Sequence[str], rows: int) -> pa.Table:
    """Some rows of files that stand on a disk."""
    found = [next(pyarrow.parquet.ParquetFile(file).iter_batches(rows), None) for file in sorted(files)[:rows]]
    return pa.Table.from_batches([batch for batch in found if batch is not None]).slice(0, rows)


def too_many_values() -> UsageError:
    return UsageError(
        f"The columns with a role have more than {MOST_VALUES} different values, which every machine would have to hold",
        "Round numbers and times that are finer than anybody needs, before the release.",
    )


def survey(frame: DataFrame, names: Sequence[str], controller: str) -> list[Surveyed]:
    """Per column its different values, their controllers and their rows, where parts have too many to tell; in one pass, in the columns' own types."""
    spark = frame.sparkSession
    view = f"tada_{uuid.uuid4().hex}"
    frame.createOrReplaceTempView(view)
    by = [controller] if controller else []
    try:
        columns = ", ".join(quoted(name) for name in dict.fromkeys([*names, *by]))
        sets = ", ".join("(" + ", ".join(quoted(part) for part in dict.fromkeys([name, *by])) + ")" for name in names)
        which = ", ".join(f"grouping({quoted(name)}) AS `_tada_{i}`" for i, name in enumerate(names))
        counted = spark.sql(f"SELECT {columns}, {which}, count(*) AS `_tada_rows` FROM {view} GROUP BY GROUPING SETS ({sets})")
        found = to_arrow(counted.limit(MOST_VALUES + 1))
    finally:
        spark.catalog.dropTempView(view)
    if found.num_rows > MOST_VALUES:
        raise too_many_values()
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


def fingerprint(frame: DataFrame, columns: Sequence[str]) -> tuple[Any, ...]:
    """Free of order, by Spark's own SQL: the number of rows and the sums of two hashes of each. The same rows have the same one."""
    from pyspark.sql import functions as F

    values = [col(name) for name in columns]
    nulls = [F.when(value.isNull(), F.lit(1)).otherwise(F.lit(0)) for value in values]
    of = [F.xxhash64(*salt, *values, *nulls) for salt in ([], [F.lit("second")])]
    return tuple(frame.agg(F.count(F.lit(1)), *[F.sum(hashed.cast("decimal(38,0)")) for hashed in of]).collect()[0])


@contextlib.contextmanager
def whole_files(spark: Any) -> Iterator[None]:
    """Spark reads every file in one task."""
    names = ("spark.sql.files.maxPartitionBytes", "spark.sql.files.openCostInBytes")
    before = [spark.conf.get(name) for name in names]
    try:
        for name in names:
            spark.conf.set(name, str(1 << 40))
        yield
    finally:
        for name, value in zip(names, before, strict=True):
            spark.conf.set(name, value)


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

    def on_disk(self, path: str) -> str | None:
        """The folder as any program names it, if it stands on a disk."""
        if self.jvm is None:
            return path.removeprefix("file://")
        system, there = self._path(path)
        return str(system.makeQualified(there).toUri().getPath()) if system.getUri().getScheme() == "file" else None

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

    def copy(self, source: str, target: str) -> bool:
        """Copies the files of a folder; whether what is read there is what the files hold."""
        names = [name for name in self.names(source) if not name.startswith(".")]
        with concurrent.futures.ThreadPoolExecutor(_COPIED) as pool:
            return all(pool.map(lambda name: self._copied(f"{source}/{name}", f"{target}/{name}"), names))

    def _copied(self, source: str, target: str) -> bool:
        if self.jvm is None:
            source, target = source.removeprefix("file://"), target.removeprefix("file://")
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copyfile(source, target)
        else:
            (here, source_path), (there, target_path) = self._path(source), self._path(target)
            self.jvm.org.apache.hadoop.fs.FileUtil.copy(here, source_path, there, target_path, False, self.conf)
        return self._digest(source) == self._digest(target)

    def _digest(self, path: str) -> bytes:
        if self.jvm is None:
            with open(path, "rb") as file:
                return hashlib.file_digest(file, "sha256").digest()
        system, there = self._path(path)
        digest = self.jvm.java.security.MessageDigest.getInstance("SHA-256")
        sink = self.jvm.java.security.DigestOutputStream(self.jvm.java.io.OutputStream.nullOutputStream(), digest)
        self.jvm.org.apache.hadoop.io.IOUtils.copyBytes(system.open(there), sink, 1 << 20, True)
        return bytes(digest.digest())

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
