#!/usr/bin/env python3
"""A lower bound on the NCP of any release of a table at k, beside what `compact` reaches: how far from the least possible it is at most.

The cell of a row covers the row and at least k - 1 others. So the spans of its cells add up to no less than the distance (the span of the pair,
summed over the columns) from the row to the k-1-th nearest of the others, and NCP is no less than the mean of these distances / columns. l asks for
more, so the bound holds for every l. Large tables: the mean over a random sample of rows, each compared with all rows, with its standard error.

    studies/lower_bound.py [--data FOLDER] [--sample 2000] [--only adult]
"""

import argparse
import csv
import os
import pathlib
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "bench" / "dop"))
from run import TABLES  # noqa: E402


def columns_of(data, table):
    """Every quasi-identifier as numbers on the scale of spans, or as codes with the span of a second value."""
    file, delimiter, quasi, _, _ = TABLES[table]
    with (data / file).open(encoding="utf-8") as source:
        rows = list(csv.DictReader(source, delimiter=delimiter, skipinitialspace=True))
    for name in quasi:
        texts = [row[name.split(":")[0]] for row in rows]
        if name.endswith(":numeric"):
            x = np.array([float(text) for text in texts])
            yield (x - x.min()) / (x.max() - x.min()), None
        else:
            values, codes = np.unique(texts, return_inverse=True)
            yield codes, 1 / max(1, len(values) - 1)


def bounds(columns, rows, ks):
    """By k: for each of the rows the distance to its k-1-th nearest other row, per column."""
    found = {k: [] for k in ks}
    for row in rows:
        distance = np.zeros(len(columns[0][0]))
        for x, step in columns:
            distance += np.abs(x - x[row]) if step is None else step * (x != x[row])
        nearest = np.partition(distance, max(ks))
        nearest = np.sort(nearest[: max(ks)])  # the row itself comes first, at 0
        for k in ks:
            found[k].append(nearest[k - 1] / len(columns))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path(os.environ.get("TADA_DATA", ROOT / ".." / "shared" / "data")))
    parser.add_argument("--sample", type=int, default=2000)
    parser.add_argument("--only", type=lambda text: text.split(","), default=list(TABLES))
    options = parser.parse_args()
    print("| table | k | no release is below | standard error | rows looked at |\n| --- | --- | --- | --- | --- |")
    for table in options.only:
        columns = list(columns_of(options.data, table))
        number = len(columns[0][0])
        rows = np.random.default_rng(1).permutation(number)[: options.sample]
        for k, found in bounds(columns, rows, sorted({k for k, _ in TABLES[table][4]})).items():
            error = np.std(found) / np.sqrt(len(found)) * np.sqrt(1 - len(found) / number)
            print(f"| {table} | {k} | {np.mean(found):.4f} | {error:.4f} | {len(found)} of {number} |", flush=True)


if __name__ == "__main__":
    main()
