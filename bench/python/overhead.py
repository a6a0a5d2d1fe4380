#!/usr/bin/env python3
"""What the package costs beyond the C++ engine: tada.anonymize on a pyarrow table, beside the same release made in C++ alone.

Both take the same table from memory as an Arrow stream, and read, partition, recode, hand out batches and audit them; no file is read or
written while the clock runs. The engine is bench/python/bench_engine.cc; the package's time is that of the Python call and of
`release.table`, so what it adds is options, threads, conversions and pyarrow. Wall clock, best of --rounds after one that is not counted
(its memory is fresh), in turn so that both see the same machine. Needs a machine to itself.

    ninja -C build bench_engine && .venv/bin/python bench/python/overhead.py [--build build] [--rows 1000000] [--rounds 5]
"""

import argparse
import json
import pathlib
import subprocess
import tempfile
import time

import numpy
import pyarrow
import pyarrow.feather

import tada

PLAN = {"quasi": ["age", "zip:categorical", "job"], "sensitive": ["disease"], "k": 10, "l": 2}


def make(rows):
    draw = numpy.random.default_rng(1)
    return pyarrow.table(
        {
            "age": draw.integers(18, 91, rows),
            "zip": numpy.char.mod("%05d", draw.integers(0, 2000, rows)),
            "job": numpy.array([f"job {i}" for i in range(40)])[draw.integers(0, 40, rows)],
            "disease": numpy.array([f"disease {i}" for i in range(12)])[draw.integers(0, 12, rows)],
        }
    )


def call(table):
    begin = time.perf_counter()
    released = tada.anonymize(table, **PLAN).table
    spent = time.perf_counter() - begin
    assert released.num_rows == table.num_rows
    return spent


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    table = make(options.rows)
    with tempfile.TemporaryDirectory() as folder:
        source, plan = pathlib.Path(folder, "in.arrow"), pathlib.Path(folder, "plan.toml")
        pyarrow.feather.write_feather(table, source, compression="uncompressed")
        plan.write_text("".join(f"{name} = {json.dumps(value)}\n" for name, value in PLAN.items()))
        package, engine = [], []
        tada.anonymize(table, **PLAN)
        for _ in range(options.rounds):
            package += [call(table) for _ in range(2)]
            made = json.loads(subprocess.run([options.build / "bench" / "bench_engine", source, plan, "3"], check=True, capture_output=True).stdout)
            engine += made["seconds"][1:]
    stages = ", ".join(f"{name} {seconds:.2f}" for name, seconds in made["stages"].items())
    print(f"{options.rows} rows, seconds, best of {len(package)}: package {min(package):.3f}, engine {min(engine):.3f}, "
          f"overhead {100 * (min(package) / min(engine) - 1):+.1f}%\nengine: {stages}")  # fmt: skip


if __name__ == "__main__":
    main()
