"""A release over spread rows without Spark: the engine's doors, driven as tada.spark drives them, with partitions that are lists. Rows are dealt to
partitions at random before every pass, because a cluster may do so too."""

import collections
import functools
import json
import random
from unittest import mock

import pyarrow as pa
import pyarrow.compute as pc

from tada import _core
from tada._options import option_values
from tada._spark import packed, surveys, tasks
from tada._spark.digests import added
from tada._spark.payload import Payload, Surveyed

ROWS = 1500


def people(rows=ROWS, seed=7):
    draw = random.Random(seed)
    jobs = ["nurse", "clerk", "smith", "cook", "pilot", "baker", None]
    ages = [draw.choice([None, *range(18, 90)]) if draw.random() < 0.03 else draw.randint(18, 89) for _ in range(rows)]
    return pa.table(
        {
            "age": pa.array(ages, pa.int64()),
            "zip": pa.array([f"{draw.choice('34')}{draw.randint(0, 60):03}" for _ in range(rows)]),
            "job": pa.array([draw.choice(jobs) for _ in range(rows)]),
            "weight": pa.array([round(draw.gauss(70, 12), 1) for _ in range(rows)]),
            "since": pa.array([f"20{draw.randint(10, 25)}-0{draw.randint(1, 9)}-1{draw.randint(0, 9)}" for _ in range(rows)]),
            "site": pa.array([draw.choice(["north", "south", "south"]) for _ in range(rows)]),
            "disease": pa.array([draw.choice(["flu", "Flu", "cold", "hiv", "gout", "?"]) for _ in range(rows)]),
            "drug": pa.array([draw.choice("abcde") for _ in range(rows)]),
            "buys": pa.array([draw.choice(["yes", "no"]) if (a or 0) < 50 else "no" for a in ages]),
            "cost": pa.array([(a or 0) * 10 + draw.random() * 100 for a in ages]),
            "note": pa.array([draw.randint(0, 9) for _ in range(rows)]),
        }
    )


def survey(table, names, controller):
    entries = []
    for name in names:
        keys = list(dict.fromkeys([name, *([controller] if controller else [])]))
        counted = pa.table({**{key: table[key] for key in keys}, "#": pa.array([1] * table.num_rows)}).group_by(keys).aggregate([("#", "sum")])
        whose = counted[controller].combine_chunks() if controller else None
        entries.append(Surveyed(name, counted[name].combine_chunks(), whose, counted["#_sum"].cast(pa.int64()).combine_chunks()))
    return entries


def counted(column):
    """The values of a column and how many rows have each."""
    return pa.table({"value": column, "#": pa.array([1] * len(column))}).group_by("value").aggregate([("#", "sum")]).rename_columns(["value", "rows"])


class Parts:
    """Tables that stand for the partitions of a frame."""

    def __init__(self, tables, draw):
        self.tables, self.draw = [table for table in tables if table.num_rows], draw

    def dealt(self, count=3):
        """The same rows in other partitions and another order."""
        table = pa.concat_tables(self.tables)
        rows = list(range(table.num_rows))
        self.draw.shuffle(rows)
        table = table.take(pa.array(rows))
        step = -(-table.num_rows // count)
        return Parts([table.slice(i * step, step) for i in range(count)], self.draw)

    def mapped(self, task):
        made = [batch for table in self.tables for batch in task(iter(table.to_batches(max_chunksize=700)))]
        return Parts([pa.Table.from_batches([batch]) for batch in made], self.draw)

    def partitions(self, task):
        """The same, with one table per partition."""
        return Parts([pa.Table.from_batches(list(task(iter(table.to_batches(max_chunksize=700))))) for table in self.tables], self.draw)

    def meeting(self, column, inside=None):
        """Rows by the value of a column, sorted: what repartition and sortWithinPartitions do."""
        table = pa.concat_tables(self.tables)
        return Parts([table.filter(pc.equal(pc.bit_wise_and(table[column], 1), odd)).sort_by(inside or column) for odd in (0, 1)], self.draw)

    def by_class(self, quasi):
        """Rows whose cells are equal, together: what repartition by cells does."""
        table = pa.concat_tables(self.tables)
        place = [hash(str(cells)) % 3 for cells in zip(*[table[name].to_pylist() for name in quasi], strict=True)]
        return Parts([table.filter(pa.array([at == i for at in place])) for i in range(3)], self.draw)

    def table(self):
        return pa.concat_tables(self.tables)


def spread_release(table, *, local_rows, seed=1, **options):
    """The released rows as an Arrow table, and what the run was: levels and states of nodes. Few rows travel together, so that they are dealt anew."""
    with mock.patch.multiple(tasks, _AT_ONCE=170, _MOVED=400, _WRITTEN=90):
        return _spread_release(table, local_rows, seed, options)


def _spread_release(table, local_rows, seed, options):
    values = option_values("anonymize", options)
    columns = _core.spread_columns(values)
    _core.spread_check_header(values, table.column_names)
    controller = columns["controller"]
    plain = [*columns["sensitive"], *columns["label"], *columns["keep"]]
    released = [name for name in table.column_names if name in {*columns["quasi"], *plain}]
    frame = Parts([table], random.Random(seed)).dealt()
    needed = list(dict.fromkeys([*columns["names"], *plain]))
    asked = surveys.Asked(columns["names"], controller, 100_000, [released], 50)
    taken = frame.mapped(functools.partial(tasks.take_part, asked, needed))
    told = [part for part in taken.table()["counted"].to_pylist() if part is not None]
    payload = Payload.make(values, surveys.surveyed(told, columns["names"]), controller)
    shared = payload.shared()
    shared.check_local(local_rows)
    coded = taken.mapped(functools.partial(tasks.encode_part, payload, plain))
    tree = _core.SpreadTree()
    for rows in shared.root_rows:
        tree.add_root(rows, local_rows)
    levels = 0
    while tree.open():
        levels += 1
        grown = tree.pack()
        counts = coded.dealt().mapped(functools.partial(tasks.count_part, payload, grown))
        splits = counts.meeting("node").mapped(functools.partial(tasks.choose_part, payload, grown)).table()
        for node, split in sorted(zip(splits["node"].to_pylist(), splits["split"].to_pylist(), strict=True)):
            tree.apply(node, split, local_rows)
    cells = {field.name: field.type for field in tasks.read_capsule(shared.cell_types()).schema}
    finishing = tasks.Finishing(payload, tree.pack(), released, cells, payload.types())
    local = tree.local()
    meet_at = dict(zip(local, packed.dealt([tree.rows(node) for node in local], 2), strict=True))
    routed = coded.dealt().mapped(functools.partial(tasks.route_part, payload, tree.pack(), meet_at)).table()
    final = pc.is_in(routed[tasks.NODE], pa.array(tree.final(), pa.int32()))
    made = Parts([routed.filter(pc.invert(final))], frame.draw)
    witness = []
    if made.tables:
        witness += made.meeting(tasks.PLACE, tasks.NODE).mapped(functools.partial(tasks.finish_part, finishing)).tables
    if pc.any(final).as_py():
        witness += Parts([routed.filter(final)], frame.draw).mapped(functools.partial(tasks.final_part, finishing)).tables
    witness = Parts(witness, frame.draw)
    placed = witness.dealt().mapped(functools.partial(tasks.place_part, columns["quasi"], [0, 1]))
    files = placed.meeting(tasks.PLACE).partitions(tasks.sorted_part)
    for file in files.tables:  # in order
        listed = [tuple(map(ordered, row.values())) for row in file.to_pylist()]
        assert listed == sorted(listed)
    whole = files.table()
    seen = [*columns["quasi"], *columns["sensitive"]]
    judging = tasks.Judging(payload, {}, {}, {None: {name: counted(whole[name]) for name in columns["sensitive"]}} if columns["compares"] else {})
    checking = tasks.Checking(judging, columns["quasi"], columns["sensitive"], plain, released, columns["missing"], 2)
    audited = files.mapped(functools.partial(tasks.release_part, checking)).table()
    of_files = [json.loads(found) for found in audited["found"].to_pylist()]
    assert sorted(place for found in of_files for place in found["places"]) == list(range(len(files.tables)))  # no class is in two files
    covers = witness.dealt().mapped(functools.partial(tasks.witness_part, checking)).table()
    of_witness = [json.loads(found) for found in covers["found"].to_pylist()]
    again = frame.dealt().mapped(functools.partial(tasks.input_part, checking)).table()
    assert added([found["sums"] for found in of_files], 3) == added([found[0] for found in of_witness], 3)
    assert added([json.loads(found) for found in again["found"].to_pylist()], 3) == added([found[1] for found in of_witness], 3)
    facts = {
        "columns": table.column_names,
        "classes": audited["verdict"].to_pylist(),
        "covers": covers["verdict"].to_pylist(),
        "shown": [shown for shown in covers[tasks.SHOWN].to_pylist() if shown is not None],
        "kept": [(name, "categorical", 1, 0) for name in columns["keep"]],
    }
    if len(shared.root_rows) > 1:
        whole_seen = witness.mapped(functools.partial(tasks.cells_part, list(dict.fromkeys(seen)))).table()
        for i in range(len(shared.root_rows) if columns["compares"] else 0):
            rows = whole_seen if columns["reference"] == "table" else whole_seen.filter(pc.equal(whole_seen[tasks.CONTROLLER], i))
            judging.reference[i] = {name: counted(rows[name]) for name in columns["sensitive"]}
        by_class = Parts([whole_seen], frame.draw).by_class(columns["quasi"])
        judged = by_class.mapped(functools.partial(tasks.audit_part, judging, tasks.CONTROLLER)).table()
        facts["of_controllers"] = list(zip(judged["controller"].to_pylist(), judged["verdict"].to_pylist(), strict=True))
    return whole, shared.report(facts), {"levels": levels, "local": len(tree.local()), "final": len(tree.final())}


def ordered(cell):
    """What a cell is sorted by: what is missing comes first."""
    if isinstance(cell, (dict, list)):
        return (1, tuple(ordered(part) for part in (cell.values() if isinstance(cell, dict) else cell)))
    return (0,) if cell is None else (1, cell)


def row_counts(table):
    """How often each row occurs, whatever the order of rows and the types of strings."""

    def plain(cell):
        if isinstance(cell, dict):
            return tuple(sorted(cell.items()))
        return tuple(cell) if isinstance(cell, list) else cell

    columns = [[plain(cell) for cell in table[name].to_pylist()] for name in table.column_names]
    return collections.Counter(zip(*columns, strict=True))
