"""What executors of tada.spark run: each function takes batches of rows and hands them to the engine. Nothing here decides anything, and no value
reaches an exception: those end in the logs of a cluster."""

from __future__ import annotations

import functools
import itertools
import json
import tempfile
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from tada import _core
from tada._errors import TadaError
from tada._spark.digests import hashes, placed, sorted_rows, sums
from tada._spark.packed import apart, by_value, pack, plain, unpack, unpack_all
from tada._spark.payload import Payload, laid_out, unpacked_tree
from tada._spark.surveys import Asked, PartSurvey, met, thinned

Batches = Iterator[pa.RecordBatch]
NODE, PLACE, CONTROLLER, SHOWN, TOLD = "_tada_node", "_tada_place", "_tada_controller", "_tada_shown", "_tada_told"
BEGIN, HINT, END = "tada-task: ", "|hint|", "|end|"
_AT_ONCE = 100_000  # rows that are handed to the engine together
_MOVED = 1_000_000  # rows that are sent to their places together: more give fewer and larger pieces
_WRITTEN = 20_000  # rows that Spark gets together
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


def _together(batches: Batches, whole: bool = False) -> Iterator[pa.Table]:
    """Tables of enough rows for the engine, or of all of them."""
    waiting: list[pa.RecordBatch] = []
    held = 0
    for batch in batches:
        if batch.num_rows:
            waiting.append(batch)
            held += batch.num_rows
        if held >= _AT_ONCE and not whole:
            yield pa.Table.from_batches(waiting)
            waiting, held = [], 0
    if waiting:
        yield pa.Table.from_batches(waiting)


def _held(batches: Batches, rows: int | None = None) -> Iterator[pa.Table]:
    """Spark rows that hold rows (packed.py), of at least this many together (None: all of them), but for the last."""
    waiting: list[pa.RecordBatch] = []
    held = 0
    for batch in batches:
        for i, inside in enumerate(batch.column("rows").to_pylist()):
            waiting.append(batch.slice(i, 1))
            held += inside
            if rows is not None and held >= rows:
                yield pa.Table.from_batches(waiting)
                waiting, held = [], 0
    if waiting:
        yield pa.Table.from_batches(waiting)


def _parts(table: pa.Table, column: str) -> list[Any]:
    return [part.as_buffer() for part in table[column]]


def _kept(table: pa.Table) -> pa.Table:
    """Released columns that are not recoded; where there is none, a column that nobody looks at."""
    if table["plain"].null_count == 0:
        return unpack_all(_parts(table, "plain"))
    return pa.table({"": pa.nulls(sum(table["rows"].to_pylist()))})


def _pack_codes(codes: Sequence[Any]) -> bytes:
    """Codes in as few bytes as hold them."""
    narrow = [of.astype(np.min_scalar_type(int(of.max(initial=0)))) for of in codes]
    return pack(pa.table([pa.array(of) for of in narrow], names=[f"_{i}" for i in range(len(narrow))]))


def _codes(table: pa.Table, count: int) -> list[Any]:
    parts = [unpack(part) for part in _parts(table, "codes")]
    return [np.concatenate([part.column(i).to_numpy().astype(np.int32) for part in parts]) for i in range(count)]


def _one(number: int) -> pa.Array:
    return pa.array([number], pa.int32())


def _bytes(packed: bytes | None) -> pa.Array:
    return pa.array([packed], pa.binary())


def _as_batch(columns: dict[str, Any]) -> pa.RecordBatch:
    return pa.table(columns).combine_chunks().to_batches()[0]


def read_capsule(capsule: object) -> pa.Table:
    return pa.RecordBatchReader._import_from_c_capsule(capsule).read_all()


@guarded
def take_part(asked: Asked, needed: list[str], batches: Batches) -> Batches:
    """Rows as they came, packed; beside the last of them what the part says of its columns."""
    survey = PartSurvey(asked)
    last: pa.Table | None = None
    for table in _together(batches):
        table = by_value(table)
        survey.add(table)
        if last is not None:
            yield _taken(last, None)
        last = table.select(needed)
    if last is not None:
        yield _taken(last, survey)


def _taken(table: pa.Table, survey: PartSurvey | None) -> pa.RecordBatch:
    told = {"counted": _bytes(survey.counted() if survey else None), "some": _bytes(survey.some() if survey else None)}
    return _as_batch({"rows": _one(table.num_rows), "taken": _bytes(pack(table)), **told})


@guarded
def meet_part(most_values: int, batches: Batches) -> Batches:
    """What parts tell of their columns, together."""
    parts = [part.as_py() for batch in batches for part in batch.column("counted")]
    if parts:
        yield _as_batch({"counted": _bytes(met(parts, most_values)), "some": _bytes(None)})


@guarded
def thin_part(bound: int, batches: Batches) -> Batches:
    """Rows for the guard that have a chance."""
    for batch in batches:
        for some in batch.column("some"):
            yield _as_batch({"some": _bytes(thinned(some.as_buffer(), bound))})


@guarded
def encode_part(payload: Payload, kept: list[str], batches: Batches) -> Batches:
    """Codes of the columns that decide; released columns that are not recoded are left as they are."""
    shared = payload.shared()
    for part in _held(batches, 1):
        table = unpack_all(_parts(part, "taken"))
        codes = [np.frombuffer(of, np.int32) for of in shared.encode(table.select(payload.names).__arrow_c_stream__())]
        left = _bytes(pack(table.select(kept)) if kept else None)
        yield _as_batch({"rows": _one(table.num_rows), "codes": _bytes(_pack_codes(codes)), "plain": left})


def after(first: Callable[[Batches], Batches], then: Callable[[Batches], Batches], batches: Batches) -> Batches:
    """Two tasks as one: what the first makes need not leave the worker."""
    return then(first(batches))


@guarded
def count_part(payload: Payload, packed: bytes, batches: Batches) -> Batches:
    """Value tables of the open nodes over the rows of a partition."""
    shared, tree = payload.shared(), unpacked_tree(packed)
    for table in _held(batches):
        found = shared.count(tree, _codes(table, len(payload.names)))
        if not found:
            continue
        yield _as_batch({"node": pa.array([node for node, _ in found], pa.int32()), "counts": pa.array([counts for _, counts in found], pa.binary())})


@guarded
def open_part(payload: Payload, packed: bytes, batches: Batches) -> Batches:
    """The rows of open nodes."""
    shared, tree = payload.shared(), unpacked_tree(packed)
    open_nodes = np.array(tree.open(), np.int32)
    for table in _held(batches, _AT_ONCE):
        codes = _codes(table, len(payload.names))
        kept = np.isin(np.frombuffer(shared.route(tree, codes), np.int32), open_nodes)
        if rows := int(kept.sum()):
            yield _as_batch({"rows": _one(rows), "codes": _bytes(_pack_codes([of[kept] for of in codes]))})


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
def route_part(payload: Payload, packed: bytes, places: dict[int, int], batches: Batches) -> Batches:
    """Rows by the node that they are in, and the place where the node's rows meet."""
    shared, tree = payload.shared(), unpacked_tree(packed)
    for table in _held(batches, _MOVED):
        codes = _codes(table, len(payload.names))
        nodes = np.frombuffer(shared.route(tree, codes), np.int32)
        kept = _kept(table)
        for node, rows in apart(nodes):
            left = pack(kept.take(pa.array(rows)))
            moved = {"rows": _one(len(rows)), "codes": _bytes(_pack_codes([of[rows] for of in codes])), "plain": _bytes(left)}
            yield _as_batch({NODE: _one(node), PLACE: _one(places.get(node, 0)), **moved})


@dataclass
class Finishing:
    """What finishing a node takes: the plan, the tree, the columns of the release in order, the types of recoded cells and of what they are made of."""

    payload: Payload
    packed: bytes
    released: list[str]
    cells: dict[str, pa.DataType]
    raw: dict[str, pa.DataType]

    def witness(self, node: int, table: pa.Table) -> Batches:
        """Rows of a node as they are released, beside what they were made of. The first also say what the node loses."""
        shared, tree = self.payload.shared(), unpacked_tree(self.packed)
        codes, kept = _codes(table, len(self.payload.names)), _kept(table)
        capsule, shown, warnings = shared.finish(tree, node, codes)
        made = read_capsule(capsule)
        columns = {name: made[name].cast(self.cells[name]) if name in self.cells else kept[name] for name in self.released}
        cells, controller, told = pa.table(columns), tree.controller(node), json.dumps(warnings)
        for begin in range(0, cells.num_rows, _AT_ONCE):
            part = by_value(cells.slice(begin, _AT_ONCE))
            raw = self._raw([of[begin : begin + _AT_ONCE] for of in codes])
            yield _as_batch(
                {
                    "rows": _one(part.num_rows),
                    "cells": _bytes(pack(part)),
                    "raw": _bytes(pack(raw)),
                    CONTROLLER: _one(controller),
                    SHOWN: _bytes(shown if begin == 0 else None),
                    TOLD: pa.array([told if begin == 0 else None], pa.string()),
                }
            )

    def _raw(self, codes: list[Any]) -> pa.Table:
        """What the codes stand for, by value."""
        found = [_numbered(of) for of in codes]
        longest = max(len(values) for values, _ in found)
        padded = [np.resize(values, longest) for values, _ in found]
        before = read_capsule(self.payload.shared().decode(padded))
        columns = {}
        for i, name in enumerate(self.payload.names):
            if name in self.cells:
                values = before[name].slice(0, len(found[i][0])).cast(self.raw[name]).combine_chunks()
                columns[name] = pa.DictionaryArray.from_arrays(pa.array(found[i][1].astype(np.int32)), values)
        return pa.table(columns)


def _numbered(codes: Any) -> tuple[Any, Any]:
    """The different codes, and for each row which of them it has."""
    present = np.zeros(int(codes.max()) + 1, bool)
    present[codes] = True
    return np.flatnonzero(present).astype(np.int32), (np.cumsum(present) - 1)[codes]


@guarded
def finish_part(finishing: Finishing, batches: Batches) -> Batches:
    """Nodes whose rows have met: the engine runs the rest of the method."""
    for node, table in _whole(batches, NODE):
        yield from finishing.witness(node, table)


@guarded
def final_part(finishing: Finishing, batches: Batches) -> Batches:
    """Rows of nodes that are groups as they are: their cells are known, so the rows need not meet."""
    for batch in batches:
        for i, node in enumerate(batch.column(batch.schema.get_field_index(NODE)).to_pylist()):
            yield from finishing.witness(node, pa.Table.from_batches([batch.slice(i, 1)]))


@guarded
def place_part(quasi: list[str], places: list[int], batches: Batches) -> Batches:
    """Released rows by a hash of their cells, and the place where those of a file meet."""
    for table in _held(batches, _MOVED):
        cells = unpack_all(_parts(table, "cells"))
        for at, rows in apart(placed(cells, quasi, len(places))):
            moved = pack(cells.take(pa.array(rows)))
            yield _as_batch({PLACE: _one(places[at]), "rows": _one(len(rows)), "cells": _bytes(moved)})


@guarded
def sorted_part(batches: Batches) -> Batches:
    """The rows of a file, sorted: their order tells nothing that their cells do not."""
    for cells in _sorted(batches):
        for begin in range(0, cells.num_rows, _WRITTEN):
            yield from plain(cells.slice(begin, _WRITTEN)).combine_chunks().to_batches()


@guarded
def file_part(folder: str, batches: Batches) -> Batches:
    """The same, written to a file of its own in a folder that all machines see; tells its name. What a task wrote that failed later is never named."""
    for cells in _sorted(batches):
        name = f"part-{uuid.uuid4().hex}.parquet"
        pyarrow.parquet.write_table(cells, f"{folder}/{name}", store_schema=False)
        yield _as_batch({"file": pa.array([name])})


def _sorted(batches: Batches) -> Iterator[pa.Table]:
    for table in _held(batches):
        cells = unpack_all(_parts(table, "cells"))
        yield cells.take(pa.array(sorted_rows(cells)))


@guarded
def cells_part(names: list[str], batches: Batches) -> Batches:
    """The rows of a witness, as rows of Spark, with their controller."""
    for table in _held(batches, 1):
        cells = plain(unpack_all(_parts(table, "cells")).select(names))
        controllers = pa.array(np.full(cells.num_rows, table[CONTROLLER][0].as_py(), np.int32))
        yield from cells.append_column(CONTROLLER, controllers).combine_chunks().to_batches()


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
        part = plain(part)
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
    table = _by_value_of(batches)
    if table is None:
        return
    controllers = [None] if by is None else sorted(set(table[by].to_pylist()))
    verdicts = []
    for controller in controllers:
        part = table if by is None else table.filter(pa.compute.equal(plain(table.select([by]))[by], controller)).drop_columns([by])
        verdicts.append(judging.judged(controller, part))
    yield _as_batch({"controller": pa.array(controllers, pa.int32()), "verdict": pa.array(verdicts, pa.string())})


@dataclass
class Checking:
    """What the audit of a run takes besides: columns that are recoded, columns that are not, all in the order of the release, how missing is spelled, and the
    number of places."""

    judging: Judging
    quasi: list[str]
    sensitive: list[str]
    kept: list[str]
    released: list[str]
    missing: list[str]
    places: int

    def release(self, table: pa.Table) -> pa.RecordBatch:
        """A file of the release: the verdict on its classes, the sums of its rows' hashes, and the places that their cells give them. Classes are whole if no
        place is in two files."""
        at = np.unique(placed(table, self.quasi, self.places)).tolist()
        found = {"sums": sums(table.num_rows, hashes(table, self.released)), "places": at}
        return _said("release", found, self.judging.judged(None, table.select([*self.quasi, *self.sensitive])))


SAID = f"of string, found string, verdict string, {SHOWN} binary, {TOLD} string"


def _said(of: str, found: Any, verdict: str | None = None, shown: Any = None, told: Any = None) -> pa.RecordBatch:
    """What a part of the audit says."""
    words = {"of": pa.array([of]), "found": pa.array([json.dumps(found)]), "verdict": pa.array([verdict], pa.string())}
    return _as_batch({**words, SHOWN: _bytes(None) if shown is None else shown, TOLD: pa.array([None], pa.string()) if told is None else told})


@guarded
def release_part(checking: Checking, batches: Batches) -> Batches:
    """A file of the release, as Spark reads it."""
    table = _by_value_of(batches)
    if table is not None:
        yield checking.release(table)


@guarded
def files_part(checking: Checking, paths: list[str], batches: Batches) -> Batches:
    """Files of the release, read where they stand: rows of Spark say which."""
    for batch in batches:
        for at in batch.column(0).to_pylist():
            file = pyarrow.parquet.ParquetFile(paths[at])
            texts = [field.name for field in file.schema_arrow if pa.types.is_string(field.type)]
            yield checking.release(by_value(pyarrow.parquet.ParquetFile(paths[at], read_dictionary=texts).read()).unify_dictionaries().combine_chunks())


@guarded
def witness_part(checking: Checking, batches: Batches) -> Batches:
    """Released rows beside what they were made of, row by row; the sums of the hashes of both, and what was said of them."""
    assert checking.judging.payload is not None
    shared, quasi, kept = checking.judging.payload.shared(), checking.quasi, checking.kept
    for table in _held(batches, 1):
        cells, raw = unpack_all(_parts(table, "cells")), unpack_all(_parts(table, "raw"))
        before = pa.table({**{name: raw[name] for name in quasi}, **{name: cells[name] for name in kept}})
        verdict = shared.cover(cells.select([*quasi, *kept]).__arrow_c_stream__(), before.__arrow_c_stream__())
        made = sums(cells.num_rows, hashes(cells, checking.released))
        found = [made, sums(cells.num_rows, hashes(before, [*quasi, *kept], quasi, checking.missing))]
        yield _said("witness", found, verdict, table[SHOWN], table[TOLD])


@guarded
def input_part(checking: Checking, batches: Batches) -> Batches:
    """The sums of the hashes of the input's rows."""
    columns = [*checking.quasi, *checking.kept]
    for table in _together(batches):
        yield _said("input", sums(table.num_rows, hashes(by_value(table), columns, checking.quasi, checking.missing)))


def _by_value_of(batches: Batches) -> pa.Table | None:
    """All rows of a partition, by their values, so that they take little memory."""
    tables = [by_value(table) for table in _together(batches)]
    return pa.concat_tables(tables).unify_dictionaries().combine_chunks() if tables else None


@guarded
def texts_part(batches: Batches) -> Batches:
    """Released cells as the texts that a CSV file has for them."""
    for table in _together(batches):
        yield from _texts(_core.cells_of(table.__arrow_c_stream__()))


@guarded
def csv_part(batches: Batches) -> Batches:
    """A partition as a CSV file with a header, written by the engine; in pieces that end where a line does, because Spark writes a line's end behind each."""
    for table in _together(batches, whole=True):
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
