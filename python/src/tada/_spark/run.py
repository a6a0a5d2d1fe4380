"""One release of a DataFrame on its way: passes over its rows, and what each leaves in the scratch folder. Every decision is the engine's."""

from __future__ import annotations

import functools
import json
import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from tada import _core
from tada._errors import AuditError, DataError
from tada._spark import frames, surveys, tasks
from tada._spark.digests import added
from tada._spark.frames import col
from tada._spark.packed import dealt, places
from tada._spark.payload import Payload
from tada._spark.tasks import CONTROLLER, NODE, PLACE, SHOWN, TOLD

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

Tell = Callable[[str, int, int, str], object]
_GUARDED_ROWS = 10_000  # by which columns that identify are recognized
_SAMPLE_ROWS = 12  # released rows that a report shows
_VALUE_BYTES, _COUNT_BYTES = 64, 8  # of what is counted of a value, and of a value together with another one
_COUNTED_HERE = 64 << 20  # bytes of counts that may meet on the driver
_MOST_TOLD = 200_000  # different values that a part tells the driver; more are counted by Spark
_TOLD_HERE = 100  # parts that tell the driver; of more some meet first
_ENCODED_AGAIN = 2  # levels that read the rows as they came; further ones read codes
_TAKEN = "rows int, taken binary, counted binary, some binary"
_CODED = "rows int, codes binary, plain binary"
_WITNESS = f"rows int, cells binary, raw binary, {CONTROLLER} int, {SHOWN} binary, {TOLD} string"
# Cells that hold many rows are written as soon as they are large, and nothing is gained by comparing them.
_LARGE_CELLS = {
    "parquet.enable.dictionary": "false",
    "parquet.block.size": str(32 << 20),
    "parquet.page.size.row.check.min": "1",
    "parquet.block.size.row.check.min": "1",
}


class Run:
    def __init__(self, frame: DataFrame, options: dict[str, list[str]], scratch: str, local_rows: int, partitions: int, tell: Tell) -> None:
        self.frame, self.options, self.local_rows, self.partitions, self.tell = frame, options, local_rows, partitions, tell
        self.columns = _core.spread_columns(options)
        self.people = _core.spread_check_header(options, frame.columns)
        self.spark = frame.sparkSession
        self.scratch = scratch
        self.facts: dict[str, Any] = {"columns": frame.columns, "seconds": [], "warnings": [], "raw_warnings": []}
        self.quasi: list[str] = self.columns["quasi"]
        self.plain: list[str] = [*self.columns["sensitive"], *self.columns["label"], *self.columns["keep"]]
        self.released = [name for name in frame.columns if name in {*self.quasi, *self.plain}]

    def release(self) -> tuple[DataFrame, _core.SpreadReport]:
        """The released rows, as they stand in the scratch folder, and the report. AuditError if the audit fails."""
        taken, payload = self._stage("survey", self._survey)
        shared = payload.shared()
        self._stage("guard", self._guard, taken, shared)
        tree = self._stage("levels", self._grow, payload, shared, taken)
        witness = self._stage("finish", self._finish, payload, shared, tree, taken)
        released = self._stage("write", self._write, witness)
        self._stage("audit", self._audit, payload, shared, witness, released)
        found = shared.report(self.facts)
        if not found.passed:
            raise AuditError(
                f"The audit of the finished release failed, nothing was released: {' '.join(found.problems)}",
                "If the table changed while it was read, release a snapshot of it; else this is a bug in tada",
                tuple(found.problems),
            )
        for name in frames.Folders(self.spark).names(self.scratch):  # what is not released
            if name != "release":
                self._remove(name)
        return released, found

    def forget(self) -> None:
        """Removes what stands in the scratch folder."""
        frames.Folders(self.spark).remove(self.scratch)

    def _remove(self, name: str) -> None:
        frames.Folders(self.spark).remove(f"{self.scratch}/{name}")

    def _stage(self, name: str, work: Callable[..., Any], *arguments: Any) -> Any:
        began = time.monotonic()
        self.tell(name, 0, 0, "")
        result = work(*arguments)
        self.facts["seconds"].append((name, round(time.monotonic() - began, 3)))
        return result

    def _stored(self, frame: DataFrame, name: str, options: dict[str, str] | None = None) -> DataFrame:
        """The frame, written to the scratch folder and read from there: it stays as it is, whatever the input does."""
        frame.write.options(**(options or {})).parquet(f"{self.scratch}/{name}")
        return self.spark.read.schema(frame.schema).parquet(f"{self.scratch}/{name}")

    # ------------------------------------------------------------ the passes
    def _survey(self) -> tuple[DataFrame, Payload]:
        """The rows as they came, packed, in the scratch folder: they are read once, and tell on the way what the engine has to know of all of them."""
        controller: str = self.columns["controller"]
        names: list[str] = self.columns["names"]
        needed = list(dict.fromkeys([*names, *self.plain]))
        asked = surveys.Asked(names, controller, _MOST_TOLD, [self.released, *[[name] for name in self.people]], _GUARDED_ROWS)
        rows = self.frame.select(*[col(name) for name in dict.fromkeys([*needed, *self.people])])
        taken = self._stored(rows.mapInArrow(functools.partial(tasks.take_part, asked, needed), _TAKEN), "taken", _LARGE_CELLS)
        told = taken.filter("counted IS NOT NULL").select("counted", "some")
        if (files := len(frames.Folders(self.spark).names(f"{self.scratch}/taken"))) > _TOLD_HERE:
            meet = functools.partial(tasks.meet_part, _MOST_TOLD)
            told = told.select("counted").repartition(-(-files // _TOLD_HERE)).mapInArrow(meet, "counted binary, some binary")
        parts = told.collect()
        self.some = [bytes(row[1]) for row in parts if row[1] is not None]
        found = surveys.surveyed([bytes(row[0]) for row in parts], names) or frames.survey(self.frame, names, controller)
        if sum(len(column.values) for column in found) > frames.MOST_VALUES:
            raise frames.too_many_values()
        payload = Payload.make(self.options, found, controller)
        payload.shared().check_local(self.local_rows)
        return taken, payload

    def _guard(self, taken: DataFrame, shared: _core.SpreadShared) -> None:
        """Columns that identify are refused by some rows; one that may name people by all rows of some of its values."""
        total = sum(shared.root_rows)
        rows = min(_GUARDED_ROWS, total)
        some = surveys.chosen(self.some, rows) if self.some else self._some_rows(taken, rows, min((1 << 64) - 1, (2 * rows << 64) // total))
        if any(table.num_rows < rows for table in some):
            some = self._some_rows(taken, rows, (1 << 64) - 1)
        people = pa.table({name: column[name] for name, column in zip(self.people, some[1:], strict=True)}) if self.people else None
        warnings, kinds = shared.guard(some[0].__arrow_c_stream__(), people.__arrow_c_stream__() if people else None)
        self.facts["warnings"] += warnings
        self.facts["kinds"] = kinds

    def _some_rows(self, taken: DataFrame, rows: int, bound: int) -> list[pa.Table]:
        """Of many parts: those whose hashes are smallest, the same ones in whatever order the frame has them; of all released columns, and of each that may
        name people."""
        thin = taken.filter("some IS NOT NULL").select("some").mapInArrow(functools.partial(tasks.thin_part, bound), "some binary")
        return surveys.chosen([bytes(row[0]) for row in thin.collect()], rows)

    def _encoding(self, payload: Payload, then: Callable[[Any], Any], kept: list[str]) -> Callable[[Any], Any]:
        """A task over codes as one over rows as they came."""
        return functools.partial(tasks.after, functools.partial(tasks.encode_part, payload, kept), then)

    def _grow(self, payload: Payload, shared: _core.SpreadShared, taken: DataFrame) -> _core.SpreadTree:
        """Level by level: executors count the open nodes, the sums meet, the engine decides, the driver applies."""
        tree = _core.SpreadTree()
        for rows in shared.root_rows:
            tree.add_root(rows, self.local_rows)
        working, coded = taken.select("rows", "taken"), False
        held = total = sum(shared.root_rows)
        tables_bytes = self._counts_bytes(payload) * len(frames.Folders(self.spark).names(f"{self.scratch}/taken"))
        level = 0
        while nodes := tree.open():
            level += 1
            rows = sum(tree.rows(node) for node in nodes)
            self.tell("levels", total - rows, total, f"level {level}, {len(nodes)} open nodes, {rows} rows")
            packed = tree.pack()
            if 2 * rows < held or (level > _ENCODED_AGAIN and not coded):  # the rows of the others need not be read again
                keep = functools.partial(tasks.open_part, payload, packed)
                fewer = working.mapInArrow(keep if coded else self._encoding(payload, keep, []), "rows int, codes binary")
                working, held, coded = self._stored(fewer, f"open{level}", _LARGE_CELLS), rows, True
            count = functools.partial(tasks.count_part, payload, packed)
            counts = working.mapInArrow(count if coded else self._encoding(payload, count, []), "node int, counts binary")
            decided = self._decided(payload, packed, nodes, counts, len(nodes) * tables_bytes <= _COUNTED_HERE)
            if [node for node, _ in decided] != sorted(nodes):
                raise DataError("A part of the rows is gone while groups were formed", "Look at the scratch folder.")
            for node, split in decided:
                tree.apply(node, split, self.local_rows)
        return tree

    def _counts_bytes(self, payload: Payload) -> int:
        """At most, of what a part counts of a node: of a value its rows, and how many of them have each label and sensitive value."""
        values = payload.num_values()
        of_quasi = sum(values[name] for name in self.quasi)
        return of_quasi * (_VALUE_BYTES + _COUNT_BYTES * (sum(values.values()) - of_quasi))

    def _decided(self, payload: Payload, packed: bytes, nodes: list[int], counts: DataFrame, few: bool) -> list[tuple[int, bytes]]:
        """How each open node splits. What was counted of it meets on an executor, or here if all of it is small: that saves a shuffle per level."""
        choose = functools.partial(tasks.choose_part, payload, packed)
        if few:
            met = frames.to_arrow(counts).sort_by("node").combine_chunks()
            splits = pa.Table.from_batches(choose(iter(met.to_batches())), pa.schema({"node": pa.int32(), "split": pa.binary()}))
        else:
            meeting = counts.repartition(min(self.partitions, len(nodes)), "node").sortWithinPartitions("node")
            splits = frames.to_arrow(meeting.mapInArrow(choose, "node int, split binary"))
        return sorted(zip(splits["node"].to_pylist(), splits["split"].to_pylist(), strict=True))

    def _finish(self, payload: Payload, shared: _core.SpreadShared, tree: _core.SpreadTree, taken: DataFrame) -> DataFrame:
        """The witness: released cells beside what they were made of."""
        from pyspark.sql import functions as F

        cells = {field.name: frames.plain_type(field.type) for field in tasks.read_capsule(shared.cell_types()).schema}
        packed, local, final = tree.pack(), tree.local(), tree.final()
        numbers = places(self.partitions)
        meet_at = {node: numbers[at] for node, at in zip(local, dealt([tree.rows(node) for node in local], self.partitions), strict=True)}
        route = self._encoding(payload, functools.partial(tasks.route_part, payload, packed, meet_at), self.plain)
        routed = taken.select("rows", "taken").mapInArrow(route, f"{NODE} int, {PLACE} int, {_CODED}")
        finishing = tasks.Finishing(payload, packed, self.released, cells, payload.types())
        apart = routed.filter(~F.col(NODE).isin(*final)) if final else routed
        meeting = apart.repartition(self.partitions, PLACE).sortWithinPartitions(NODE)
        made = meeting.mapInArrow(functools.partial(tasks.finish_part, finishing), _WITNESS)
        if final:  # their cells follow from the counts: no row has to move
            whole = routed.filter(F.col(NODE).isin(*final)).mapInArrow(functools.partial(tasks.final_part, finishing), _WITNESS)
            made = made.unionByName(whole)
        self.cells = cells
        self.tell("finish", 0, sum(shared.root_rows), f"{len(local)} groups to split further, {len(final)} that are final")
        return self._stored(made, "witness", _LARGE_CELLS)

    def _types(self, names: list[str]) -> list[Any]:
        """The fields of released columns."""
        from pyspark.sql.types import StructField

        return [StructField(name, frames.spark_type(self.cells[name]) if name in self.cells else self.frame.schema[name].dataType) for name in names]

    def _arrow_type(self, name: str) -> pa.DataType:
        """Of a released column."""
        if name in self.cells:
            return self.cells[name]
        from pyspark.sql.pandas.types import to_arrow_type

        return to_arrow_type(self.frame.schema[name].dataType)

    def placed(self, frame: DataFrame) -> DataFrame:
        """Released rows in other files, by hash of their cells as well, and sorted inside."""
        names = [col(name) for name in self.released]
        return frame.select(*names).repartition(self.partitions, *[col(name) for name in self.quasi]).sortWithinPartitions(*names)

    def _write(self, witness: DataFrame) -> DataFrame:
        """Rows by hash of their released cells, sorted inside: neither order nor file tells the tree."""
        from pyspark.sql.types import StructType

        place = functools.partial(tasks.place_part, self.quasi, places(self.partitions))
        cells = witness.select("rows", "cells").mapInArrow(place, f"{PLACE} int, rows int, cells binary")
        meeting, schema = cells.repartition(self.partitions, PLACE), StructType(self._types(self.released))
        folders = frames.Folders(self.spark)
        here = folders.on_disk(self.scratch)
        if here is None or not all(frames.is_plain(self._arrow_type(name)) for name in self.released):
            return self._stored(meeting.mapInArrow(tasks.sorted_part, schema), "release")
        os.makedirs(f"{here}/writing", exist_ok=True)
        os.makedirs(f"{here}/release")
        for row in meeting.mapInArrow(functools.partial(tasks.file_part, f"{here}/writing"), "file string").collect():
            os.rename(f"{here}/writing/{row[0]}", f"{here}/release/{row[0]}")
        return self.spark.read.schema(schema).parquet(f"{self.scratch}/release")

    # ------------------------------------------------------------ the audit
    def _audit(self, payload: Payload, shared: _core.SpreadShared, witness: DataFrame, released: DataFrame) -> None:
        sensitive: list[str] = self.columns["sensitive"]
        judging = tasks.Judging(payload, {}, {}, references(released, sensitive, None) if self.columns["compares"] else {})
        checking = tasks.Checking(judging, self.quasi, sensitive, self.plain, self.released, self.columns["missing"], self.partitions)
        every = self.frame.select(*[col(name) for name in dict.fromkeys([*self.quasi, *self.plain])])  # the input, read again
        parts = witness.mapInArrow(functools.partial(tasks.witness_part, checking), tasks.SAID)
        parts = parts.union(every.mapInArrow(functools.partial(tasks.input_part, checking), tasks.SAID))
        files = frames.files_on_disk(released) if frames.Folders(self.spark).on_disk(self.scratch) else None
        if files is None:
            with frames.whole_files(self.spark):
                written = released.mapInArrow(functools.partial(tasks.release_part, checking), tasks.SAID).collect()
            said = [*written, *parts.collect()]
        else:
            numbers = self.spark.range(0, len(files), 1, len(files))
            said = parts.union(numbers.mapInArrow(functools.partial(tasks.files_part, checking, files), tasks.SAID)).collect()
        by = {of: [row for row in said if row[0] == of] for of in ("release", "witness", "input")}
        found = {of: [json.loads(row[1]) for row in rows] for of, rows in by.items()}
        self._judge(checking, released, [row[2] for row in by["release"]], [place for of in found["release"] for place in of["places"]])
        if len(shared.root_rows) > 1:
            self._audit_controllers(judging, witness, len(shared.root_rows))
        self.facts["covers"] = [row[2] for row in by["witness"]]
        self.facts["shown"] = sorted(bytes(row[3]) for row in by["witness"] if row[3] is not None)
        self.facts["raw_warnings"] += sorted({warning for row in by["witness"] if row[4] is not None for warning in json.loads(row[4])})
        problems = []
        if added([of["sums"] for of in found["release"]], 3) != added([of[0] for of in found["witness"]], 3):
            problems.append("What was written is not what was made.")
        if added(found["input"], 3) != added([of[1] for of in found["witness"]], 3):
            problems.append("The rows that were released are not those of the input as it is now.")
        self.facts["problems"] = problems
        self._describe(released, files)

    def _judge(self, checking: tasks.Checking, released: DataFrame, verdicts: list[str], at: list[int]) -> None:
        """Classes were judged file by file. Should a class be in two files, its rows have to meet."""
        if len(at) != len(set(at)):
            classes = audit_classes(released, [*self.quasi, *checking.sensitive], self.quasi, checking.judging, None, self.partitions)
            verdicts = [verdict for _, verdict in classes]
        self.facts["classes"] = verdicts

    def _audit_controllers(self, judging: tasks.Judging, witness: DataFrame, controllers: int) -> None:
        """Judges the classes of each controller by itself: the release does not say whose a row is."""
        from pyspark.sql.types import IntegerType, StructField, StructType

        sensitive: list[str] = self.columns["sensitive"]
        seen = list(dict.fromkeys([*self.quasi, *sensitive]))
        rows_type = StructType([*self._types(seen), StructField(CONTROLLER, IntegerType())])
        rows = witness.select("rows", "cells", CONTROLLER).mapInArrow(functools.partial(tasks.cells_part, seen), rows_type)
        if self.columns["compares"] and self.columns["reference"] == "table":
            judging.reference = dict.fromkeys(range(controllers), judging.reference[None])
        elif self.columns["compares"]:
            judging.reference = references(rows, sensitive, CONTROLLER)
        self.facts["of_controllers"] = audit_classes(rows, [*self.quasi, *sensitive], self.quasi, judging, CONTROLLER, self.partitions)

    def _describe(self, released: DataFrame, files: list[str] | None) -> None:
        """What the report says of columns that are released as they are, and some rows."""
        from pyspark.sql import functions as F

        kept = []
        for name in self.columns["keep"]:
            missing = F.coalesce(F.trim(col(name).cast("string")).isin(*self.columns["missing"]), F.lit(True))
            distinct, lacking = released.agg(F.countDistinct(F.when(~missing, col(name))), F.sum(missing.cast("long"))).collect()[0]
            kept.append((name, self.facts["kinds"][name], distinct + (1 if lacking else 0), lacking))
        self.facts["kept"] = kept
        rows = frames.first_rows(files, _SAMPLE_ROWS) if files else frames.to_arrow(released.limit(_SAMPLE_ROWS))
        texts = [read_texts(rows[name]) for name in self.released]
        self.facts["sample"] = [self.released, *[list(row) for row in zip(*texts, strict=True)]]


def references(frame: DataFrame, sensitive: list[str], by: str | None) -> dict[int | None, dict[str, pa.Table]]:
    """What classes are compared with: of each sensitive column its released values and how many rows have each; by controller if there are several."""
    from pyspark.sql import functions as F

    found: dict[int | None, dict[str, pa.Table]] = {}
    for name in sensitive:
        apart = [] if by is None else [col(by).alias("by")]
        counted = frames.to_arrow(frame.groupBy(*apart, col(name).alias("value")).agg(F.count(F.lit(1)).alias("rows")))
        for controller in [None] if by is None else pc.unique(counted["by"]).to_pylist():
            part = counted if by is None else counted.filter(pc.equal(counted["by"], controller))
            found.setdefault(controller, {})[name] = part.select(["value", "rows"])
    return found


def audit_classes(frame: DataFrame, seen: list[str], quasi: list[str], judging: tasks.Judging, by: str | None, partitions: int) -> list[tuple[int, str]]:
    """Verdicts over whole classes, which meet where they are judged; by controller if there are several."""
    apart = [] if by is None else [by]
    meeting = frame.select(*[col(name) for name in [*seen, *apart]]).repartition(partitions, *[col(name) for name in [*apart, *quasi]])
    found = meeting.mapInArrow(functools.partial(tasks.audit_part, judging, by), "controller int, verdict string")
    return [(row[0], row[1]) for row in found.collect()]


def read_texts(column: Any) -> list[str]:
    """Cells as texts, for people."""
    if pa.types.is_struct(column.type):
        return ["*" if cell is None else str(cell["lo"]) if cell["lo"] == cell["hi"] else f"[{cell['lo']},{cell['hi']}]" for cell in column.to_pylist()]
    if pa.types.is_list(column.type):
        return ["*" if cell is None else cell[0] if len(cell) == 1 else "{" + ",".join(cell) + "}" for cell in column.to_pylist()]
    return ["" if cell is None else str(cell) for cell in pc.cast(column, pa.string()).to_pylist()]
