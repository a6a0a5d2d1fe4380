"""Seconds of one processor that each pass of tada.spark takes per million rows, without Spark: the rates of docs/scale.md.

.venv-spark/bin/python bench/spark/passes.py --rows 1000000
"""

import argparse
import functools
import json
import pathlib
import subprocess
import tempfile
import time

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv

from run import PLANS, QUASI
from tada import _core
from tada._options import option_values
from tada._spark import packed, surveys, tasks
from tada._spark.payload import Payload

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


class Passes:
    """What each pass took, and what it made; a part of the rows is one batch, as executors hold them."""

    def __init__(self, rows):
        self.rows, self.seconds = rows, {}

    def run(self, name, work):
        began = time.process_time()
        made = work()
        self.seconds[name] = self.seconds.get(name, 0) + time.process_time() - began
        return made

    def over(self, name, task, parts):
        return self.run(name, lambda: [pa.Table.from_batches([batch]) for part in parts for batch in task(iter(part.to_batches()))])

    def per_million(self):
        return {name: round(1e6 * seconds / self.rows, 2) for name, seconds in self.seconds.items()}


def measure(table, plan, parts, local_rows):
    values = option_values("anonymize", dict(quasi=QUASI, cells="text", **plan))
    columns = _core.spread_columns(values)
    plain = [*columns["sensitive"], *columns["label"], *columns["keep"]]
    released = [name for name in table.column_names if name in {*columns["quasi"], *plain}]
    passes = Passes(table.num_rows)
    step = -(-table.num_rows // parts)
    asked = surveys.Asked(columns["names"], "", 200_000, [released], 10_000)
    needed = list(dict.fromkeys([*columns["names"], *plain]))
    taken = passes.over("take", functools.partial(tasks.take_part, asked, needed), [table.slice(i * step, step) for i in range(parts)])
    told = [part for batch in taken for part in batch["counted"].to_pylist() if part is not None]
    payload = Payload.make(values, passes.run("survey", lambda: surveys.surveyed(told, columns["names"])), "")
    shared = passes.run("shared", payload.shared)
    coded = passes.over("encode", functools.partial(tasks.encode_part, payload, plain), taken)
    tree, levels, counts_bytes = _core.SpreadTree(), 0, 0
    tree.add_root(table.num_rows, local_rows)
    while tree.open():
        levels += 1
        counts = passes.over("levels", functools.partial(tasks.count_part, payload, tree.pack()), coded)
        counts_bytes += sum(part.nbytes for part in counts)
        met = pa.concat_tables(counts).sort_by("node").combine_chunks()
        splits = pa.concat_tables(passes.over("levels", functools.partial(tasks.choose_part, payload, tree.pack()), [met]))
        for node, split in sorted(zip(splits["node"].to_pylist(), splits["split"].to_pylist(), strict=True)):
            tree.apply(node, split, local_rows)
    local = tree.local()
    meet_at = dict(zip(local, packed.dealt([tree.rows(node) for node in local], parts), strict=True))
    routed = pa.concat_tables(passes.over("route", functools.partial(tasks.route_part, payload, tree.pack(), meet_at), coded))
    cells = {field.name: field.type for field in tasks.read_capsule(shared.cell_types()).schema}
    finishing = tasks.Finishing(payload, tree.pack(), released, cells, payload.types())
    met = routed.filter(pc.invert(pc.is_in(routed[tasks.NODE], pa.array(tree.final(), pa.int32())))).sort_by(tasks.NODE).combine_chunks()
    witness = pa.concat_tables(passes.over("finish", functools.partial(tasks.finish_part, finishing), [met]))
    moved = pa.concat_tables(passes.over("place", functools.partial(tasks.place_part, columns["quasi"], list(range(parts))), [witness]))
    files = [moved.filter(pc.equal(moved[tasks.PLACE], at)) for at in range(parts)]
    checking = tasks.Checking(tasks.Judging(payload, {}, {}, {}), columns["quasi"], columns["sensitive"], plain, released, columns["missing"], parts)
    with tempfile.TemporaryDirectory() as folder:
        made = pa.concat_tables(passes.over("sort, write", functools.partial(tasks.file_part, folder), files))
        paths = [f"{folder}/{name}" for name in made["file"].to_pylist()]
        numbers = pa.table({"id": pa.array(range(len(paths)), pa.int64())})
        passes.over("classes and hashes", functools.partial(tasks.files_part, checking, paths), [numbers])
    passes.over("cover and hashes", functools.partial(tasks.witness_part, checking), [witness])
    passes.over("hashes of the input", functools.partial(tasks.input_part, checking), [table])
    return {
        "seconds per million rows": passes.per_million(),
        "levels": levels,
        "local nodes": len(tree.local()),
        "bytes of counts": counts_bytes,
        "bytes of a row that travels": round(met.nbytes / table.num_rows, 1),
        "bytes of the tree": len(tree.pack()),
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--parts", type=int, default=8)
    parser.add_argument("--plan", default=",".join(PLANS))
    parser.add_argument("--tada", default=str(ROOT / "build" / "tada"))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([arguments.tada, "demo", "--write", f"{folder}/table.csv", "--rows", str(arguments.rows), "--quiet"], check=True)
        types = {"zip": pa.string()}
        table = pa.csv.read_csv(f"{folder}/table.csv", convert_options=pa.csv.ConvertOptions(column_types=types)).drop_columns(["id"])
    for name in arguments.plan.split(","):
        found = measure(table, PLANS[name], arguments.parts, arguments.rows // 10)
        print(json.dumps({"plan": name, "rows": arguments.rows, **found}), flush=True)


if __name__ == "__main__":
    main()
