#!/usr/bin/env python3
"""How fast the (k,l)-compliant tree is: beside scikit-learn's tree on the same table, and beside plain Mondrian.

Two questions, each a ratio, measured in one go, alternating, best of --repeat:
  1. building the tree (k=10, l=2, 8 quasi-identifiers): scikit-learn's DecisionTreeClassifier(min_samples_leaf=10), its faster criterion
     and ordinal codes, divided by ours (the report's seconds of stage "tree", explanation included): at least 12
  2. the whole run, file to audited file: --method ta_da divided by --method mondrian: at most 1.4

    bench/tree/compare.py --tada build/tada [--rows 1000000] [--repeat 3] [--threads 2]

Needs numpy and scikit-learn. scikit-learn's tree uses one thread; ours is given as many as --threads says, and both are printed.
"""

import argparse
import json
import pathlib
import subprocess
import tempfile
import time

import numpy as np
from sklearn.tree import DecisionTreeClassifier

NAMES = {"job": 12, "marital": 4, "education": 16, "region": 50}
NUMBERS = {"age": (17, 90), "hours": (1, 99), "balance": (0, 5000), "days": (0, 400)}


def make(rows, seed=5):
    """A table as Bank or Adult: numbers and names, a label that depends on some of them, a sensitive column of 8 values."""
    random = np.random.default_rng(seed)
    table = {name: random.integers(low, high, rows) for name, (low, high) in NUMBERS.items()}
    table.update({name: np.minimum(random.geometric(2.5 / size, rows) - 1, size - 1) for name, size in NAMES.items()})
    drift = (
        (table["age"] - 50) / 15 + (table["balance"] > 2000) * 1.2 - (table["job"] % 3 == 0) * 1.5 + (table["education"] > 9) * (table["hours"] > 40) * 2 - 1
    )
    table["y"] = (random.random(rows) < 1 / (1 + np.exp(-drift))).astype(int)
    table["s"] = random.choice(8, rows, p=[0.5, 0.2, 0.1, 0.08, 0.05, 0.04, 0.02, 0.01])
    return table


def write(path, table):
    columns = [np.char.add(name[:2], table[name].astype(str)) if name in NAMES or name in "ys" else table[name].astype(str) for name in table]
    lines = columns[0]
    for column in columns[1:]:
        lines = np.char.add(np.char.add(lines, ","), column)
    path.write_text(",".join(table) + "\n" + "\n".join(lines) + "\n")


def run(options, source, folder, method, threads):
    report = folder / "report.json"
    started = time.monotonic()
    subprocess.run(
        [
            options.tada,
            "anonymize",
            source,
            "--quasi",
            ",".join([*NUMBERS, *NAMES]),
            "--sensitive",
            "s",
            "--label",
            "y",
            "--method",
            method,
            "-k",
            "10",
            "-l",
            "2",
            "--threads",
            str(threads),
            "-o",
            folder / "out.csv",
            "--force",
            "--quiet",
            "--report",
            report,
            "--report-raw",
        ],
        check=True,
    )
    return time.monotonic() - started, json.loads(report.read_text())


def sklearn_tree(table, criterion):
    features = np.column_stack([table[name] for name in [*NUMBERS, *NAMES]]).astype(np.float32)
    started = time.monotonic()
    tree = DecisionTreeClassifier(min_samples_leaf=10, criterion=criterion).fit(features, table["y"])
    return time.monotonic() - started, tree.get_n_leaves(), tree.score(features, table["y"])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tada", default="build/tada")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    table = make(options.rows)
    best = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        source = folder / "in.csv"
        write(source, table)
        for _ in range(options.repeat):
            for criterion in ("gini", "entropy"):
                seconds, leaves, correct = sklearn_tree(table, criterion)
                print(f"  scikit-learn, {criterion}: {seconds:.2f} s", flush=True)
                best[f"scikit-learn, {criterion}"] = min(best.get(f"scikit-learn, {criterion}", (9e9,)), (seconds, leaves, correct))
            for threads in sorted({1, options.threads}):
                seconds, report = run(options, source, folder, "ta_da", threads)
                print(f"  ta_da, {threads} threads: {seconds:.2f} s, tree {report['seconds']['tree']:.2f} s", flush=True)
                best[f"tree, {threads} threads"] = min(
                    best.get(f"tree, {threads} threads", (9e9,)), (report["seconds"]["tree"], report["tree"]["num_leaves"], float("nan"))
                )
                best[f"ta_da, {threads} threads"] = min(best.get(f"ta_da, {threads} threads", (9e9,)), (seconds, json.dumps(report["seconds"])))
                seconds, report = run(options, source, folder, "mondrian", threads)
                print(f"  mondrian, {threads} threads: {seconds:.2f} s", flush=True)
                best[f"mondrian, {threads} threads"] = min(best.get(f"mondrian, {threads} threads", (9e9,)), (seconds, json.dumps(report["seconds"])))
    for name, measured in best.items():
        print(f"{name}: {measured[0]:.2f} s", *measured[1:])
    faster = min(best["scikit-learn, gini"][0], best["scikit-learn, entropy"][0])
    for threads in sorted({1, options.threads}):
        print(
            f"{threads} threads: scikit-learn / tree = {faster / best[f'tree, {threads} threads'][0]:.1f} (at least 12);",
            f"ta_da / mondrian = {best[f'ta_da, {threads} threads'][0] / best[f'mondrian, {threads} threads'][0]:.2f} (at most 1.4)",
        )


if __name__ == "__main__":
    main()
