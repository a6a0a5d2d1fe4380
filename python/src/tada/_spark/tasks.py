"""What executors of tada.spark run: each function takes batches of rows and hands them to the engine. Nothing here decides anything, and no value
reaches an exception: those end in the logs of a cluster."""

from __future__ import annotations

import functools
import itertools
import json
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from tada import _core
from tada._errors import TadaError
from tada._spark.payload import Payload, laid_out, unpacked_tree

Batches = Iterator[pa.RecordBatch]
RAW = "_tada_raw_"  # of the witness: what a released cell was made of
NODE, CONTROLLER, SHOWN, TOLD = "_tada_node", "_tada_controller", "_tada_shown", "_tada_told"
BEGIN, HINT, END = "tada-task: ", "|hint|", "|end|"
_AT_ONCE = 100_000  # rows that are handed to the engine together
_PIECE = 16_000_000  # characters of a file that travel together


def guarded(task: Callable[..., Batches]) -> Callable[..., Batches]:
    """Lets only our own words out: what a library says may quote cells."""

    @functools.wraps(task)
    def run(*arguments: Any) -> Batches:
        try:
            yield from task(*arguments)
        except TadaError as error:
            raise RuntimeError(f"{BEGIN}{type(error).__name__}|{error.message}{HINT}{error.hint}{END}") from None
        except Exception as error:
            raise RuntimeError(f"{BEGIN}InternalError|A task of tada.spark failed: {type(error).__name__}{HINT}{END}") from None

    return run


def _together(batches: Batches, rows: int | None = _AT_ONCE) -> Iterator[pa.Table]:
    """Tables of at least this many rows (None: all of them), but for the last."""
    waiting: list[pa.RecordBatch] = []
    held = 0
    for batch in batches:
        if batch.num_rows:
            waiting.append(batch)
            held += batch.num_rows
        if rows is not None and held >= rows:
            yield pa.Table.from_batches(waiting)
            waiting, held = [], 0
    if waiting:
        yield pa.Table.from_batches(waiting)


def _codes(table: pa.Table, count: int) -> list[Any]:
    return [np.ascontiguousarray(table.column(f"_{i}").to_numpy(), dtype=np.int32) for i in range(count)]


def _int32(packed: bytes, rows: int) -> pa.Array:
    return pa.Array.from_buffers(pa.int32(), rows, [None, pa.py_buffer(packed)])


def _as_batch(columns: dict[str, Any]) -> pa.RecordBatch:
    return pa.table(columns).combine_chunks().to_batches()[0]


def read_capsule(capsule: object) -> pa.Table:
    return pa.RecordBatchReader._import_from_c_capsule(capsule).read_all()


@guarded
def encode_part(payload: Payload, plain: list[str], batches: Batches) -> Batches:
    """Codes of the columns that decide; released columns that do not are left as they are."""
    shared = payload.shared()
    for table in _together(batches):
        codes = shared.encode(table.select(payload.names).__arrow_c_stream__())
        columns = {f"_{i}": _int32(of_column, table.num_rows) for i, of_column in enumerate(codes)}
        yield _as_batch({**columns, **{f"={name}": table[name] for name in plain}})


@guarded
def count_part(payload: Payload, packed: bytes, batches: Batches) -> Batches:
    """Value tables of the open nodes over the rows of a partition."""
    shared, tree = payload.shared(), unpacked_tree(packed)
    for table in _together(batches, None):
        found = shared.count(tree, _codes(table, len(payload.names)))
        if not found:
            continue
        yield _as_batch({"node": pa.array([node for node, _ in found], pa.int32()), "counts": pa.array([counts for _, counts in found], pa.binary())})


@guarded
def open_part(payload: Payload, packed: bytes, batches: Batches) -> Batches:
    """The rows of open nodes."""
    shared, tree = payload.shared(), unpacked_tree(packed)
    open_nodes = np.array(tree.open(), np.int32)
    for table in _together(batches):
        nodes = np.frombuffer(shared.route(tree, _codes(table, len(payload.names))), np.int32)
        kept = table.filter(pa.array(np.isin(nodes, open_nodes)))
        yield from kept.combine_chunks().to_batches()


def _whole(batches: Batches, column: str) -> Iterator[tuple[int, pa.Table]]:
    """Rows come sorted: each run of a value with all of its rows, once the last one is here."""
    waiting: list[pa.RecordBatch] = []
    current: int | None = None
    for batch in batches:
        nodes = batch.column(batch.schema.get_field_index(column)).to_numpy()
        if len(nodes) == 0:
            continue
        cuts = [0, *(np.flatnonzero(np.diff(nodes)) + 1).tolist(), len(nodes)]
        for begin, end in itertools.pairwise(cuts):
            if current is not None and nodes[begin] != current:
                yield int(current), pa.Table.from_batches(waiting)
                waiting = []
            current = nodes[begin]
            waiting.append(batch.slice(begin, end - begin))
    if waiting and current is not None:
        yield int(current), pa.Table.from_batches(waiting)


@guarded
def choose_part(payload: Payload, packed: bytes, batches: Batches) -> Batches:
    """The splits of nodes, from all that was counted of each."""
    shared, tree = payload.shared(), unpacked_tree(packed)
    for node, table in _whole(batches, "node"):
        split = shared.choose(tree, node, table["counts"].to_pylist())
        yield _as_batch({"node": pa.array([node], pa.int32()), "split": pa.array([split], pa.binary())})


@guarded
def route_part(payload: Payload, packed: bytes, batches: Batches) -> Batches:
    """Rows with the node that each is in."""
    shared, tree = payload.shared(), unpacked_tree(packed)
    for table in _together(batches):
        nodes = shared.route(tree, _codes(table, len(payload.names)))
        yield _as_batch({**{name: table[name] for name in table.column_names}, NODE: _int32(nodes, table.num_rows)})


@dataclass
class Finishing:
    """What finishing a node takes: the plan, the tree, the columns of the release in order, the types of recoded cells and of what they are made of."""

    payload: Payload
    packed: bytes
    released: list[str]
    cells: dict[str, pa.DataType]
    raw: dict[str, pa.DataType]

    def witness(self, node: int, table: pa.Table) -> pa.RecordBatch:
        """Rows of a node as they are released, beside what they were made of. The first row also says what the node loses."""
        shared, tree = self.payload.shared(), unpacked_tree(self.packed)
        codes, rows = _codes(table, len(self.payload.names)), table.num_rows
        capsule, shown, warnings = shared.finish(tree, node, codes)
        made, before = read_capsule(capsule), read_capsule(shared.decode(codes))
        columns = {name: made[name].cast(self.cells[name]) if name in self.cells else table[f"={name}"] for name in self.released}
        columns |= {RAW + name: before[name].cast(self.raw[name]) for name in self.cells}
        columns[CONTROLLER] = pa.array(np.full(rows, tree.controller(node), np.int32))
        columns[SHOWN] = pa.array([shown, *[None] * (rows - 1)], pa.binary())
        columns[TOLD] = pa.array([json.dumps(warnings), *[None] * (rows - 1)], pa.string())
        return _as_batch(columns)


@guarded
def finish_part(finishing: Finishing, batches: Batches) -> Batches:
    """Nodes whose rows have met: the engine runs the rest of the method."""
    for node, table in _whole(batches, NODE):
        yield finishing.witness(node, table)


@guarded
def final_part(finishing: Finishing, batches: Batches) -> Batches:
    """Rows of nodes that are groups as they are: their cells are known, so the rows need not meet."""
    for table in _together(batches):
        for node, part in _whole(iter(table.sort_by(NODE).combine_chunks().to_batches()), NODE):
            yield finishing.witness(node, part)


@dataclass
class Judging:
    """What an audit of classes takes: the plan of a run, or options and their files; and what classes are compared with, by controller (None: of all):
    for each sensitive column its values and how many released rows have each."""

    payload: Payload | None
    options: dict[str, list[str]]
    files: dict[str, bytes]
    reference: dict[int | None, dict[str, pa.Table]]

    def judged(self, controller: int | None, part: pa.Table) -> str:
        part, rows = self._compared(controller, part)
        if self.payload is not None:
            return self.payload.shared().audit_classes(part.__arrow_c_stream__(), rows, controller)
        with laid_out(self.options, self.files) as options:
            return _core.spread_audit_classes(options, part.__arrow_c_stream__(), rows)

    def _compared(self, controller: int | None, part: pa.Table) -> tuple[pa.Table, list[Any]]:
        """The values of the reference as further rows behind those of the part, and how many rows each of them stands for, by column."""
        reference = self.reference.get(controller)
        if not reference:
            return part, []
        length = max(table.num_rows for table in reference.values())
        columns, rows = {}, []
        for name in part.column_names:
            if name not in reference:
                columns[name] = pa.nulls(length, part[name].type)
                continue
            values, counts = reference[name]["value"].cast(part[name].type), reference[name]["rows"].to_numpy()
            short = length - len(values)
            columns[name] = pa.chunked_array([*values.chunks, *values.slice(0, 1).take(pa.array([0] * short, pa.int64())).chunks], part[name].type)
            rows.append(np.concatenate([counts, np.zeros(short)]).astype(np.int64))
        return pa.concat_tables([part, pa.table(columns, schema=part.schema)]), rows


@guarded
def audit_part(judging: Judging, by: str | None, batches: Batches) -> Batches:
    """Whole classes, judged by the audit: for each controller if there are several."""
    for table in _together(batches, None):
        controllers = [None] if by is None else sorted(set(table[by].to_pylist()))
        verdicts = []
        for controller in controllers:
            part = table if by is None else table.filter(pa.compute.equal(table[by], controller)).drop_columns([by])
            verdicts.append(judging.judged(controller, part))
        yield _as_batch({"controller": pa.array(controllers, pa.int32()), "verdict": pa.array(verdicts, pa.string())})


@guarded
def cover_part(payload: Payload, quasi: list[str], plain: list[str], batches: Batches) -> Batches:
    """Released rows beside what they were made of, row by row."""
    shared = payload.shared()
    for table in _together(batches):
        released = table.select([*quasi, *plain])
        before = pa.table({**{name: table[RAW + name] for name in quasi}, **{name: table[name] for name in plain}})
        verdict = shared.cover(released.__arrow_c_stream__(), before.__arrow_c_stream__())
        yield _as_batch({"verdict": pa.array([verdict], pa.string())})


@guarded
def texts_part(batches: Batches) -> Batches:
    """Released cells as the texts that a CSV file has for them."""
    for table in _together(batches):
        yield from _texts(_core.cells_of(table.__arrow_c_stream__()))


@guarded
def csv_part(batches: Batches) -> Batches:
    """A partition as a CSV file with a header, written by the engine; in pieces that end where a line does, because Spark writes a line's end behind each."""
    for table in _together(batches, None):
        with tempfile.TemporaryDirectory() as folder:
            _core.write_cells(table.__arrow_c_stream__(), f"{folder}/part.csv")
            with open(f"{folder}/part.csv", newline="", encoding="utf-8") as file:
                while piece := file.read(_PIECE):
                    while not piece.endswith("\n"):
                        piece += file.readline()
                    yield _as_batch({"value": pa.array([piece[:-1]], pa.string())})


@guarded
def read_csv_part(batches: Batches) -> Batches:
    """The cells of whole CSV files, read by the engine."""
    for batch in batches:
        for content in batch.column(0):
            with tempfile.TemporaryDirectory() as folder:
                with open(f"{folder}/part.csv", "wb") as file:
                    file.write(content.as_buffer())
                yield from _texts(_core.read_cells(f"{folder}/part.csv", ",", None))


def _texts(capsule: object) -> Batches:
    """Cells as a CSV file has them: what is missing is empty."""
    table = read_capsule(capsule)
    columns = [table[name].cast(pa.string()).fill_null("") for name in table.column_names]
    return iter(pa.table(columns, names=table.column_names).combine_chunks().to_batches())
