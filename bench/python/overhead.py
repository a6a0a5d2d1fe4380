#!/usr/bin/env python3
"""What the package costs beyond the engine: tada.anonymize on a pyarrow table, beside the program on the same table in an Arrow file.

Both read, partition, recode, audit and hand out the same rows. Measured is CPU time (user and system), best of --rounds, since other
work on the machine stretches the clock; the program's reading and writing of files counts for it, the package's of Arrow streams too.

    .venv/bin/python bench/python/overhead.py --tada build/tada [--rows 1000000] [--rounds 3]
"""

import argparse
import pathlib
import resource
import subprocess
import tempfile

import numpy
import pyarrow
import pyarrow.feather

import tada

ROLES = {"quasi": ["age", "zip", "job"], "sensitive": "disease", "k": 10, "l": 2}


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


def spent(who):
    usage = resource.getrusage(who)
    return usage.ru_utime + usage.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tada", default="build/tada")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    table = make(options.rows)
    package, program = [], []
    with tempfile.TemporaryDirectory() as folder:
        source, target = pathlib.Path(folder, "in.arrow"), pathlib.Path(folder, "out.arrow")
        pyarrow.feather.write_feather(table, source, compression="uncompressed")
        line = [options.tada, "anonymize", source, "--quasi", "age,zip:categorical,job", "--sensitive", "disease", "-k", 10, "-l", 2, "--threads", 1, "-o", target, "--force", "--quiet"]
        for _ in range(options.rounds):
            before = spent(resource.RUSAGE_SELF)
            released = tada.anonymize(table, **{**ROLES, "quasi": ["age", "zip:categorical", "job"]}, threads=1).table
            package.append(spent(resource.RUSAGE_SELF) - before)
            before = spent(resource.RUSAGE_CHILDREN)
            subprocess.run(list(map(str, line)), check=True)
            program.append(spent(resource.RUSAGE_CHILDREN) - before)
        assert released.num_rows == pyarrow.feather.read_table(target).num_rows == options.rows
    print(f"{options.rows} rows, CPU seconds, best of {options.rounds}: package {min(package):.2f}, program {min(program):.2f}, overhead {100 * (min(package) / min(program) - 1):+.1f}%")


if __name__ == "__main__":
    main()
