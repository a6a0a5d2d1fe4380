"""Prints the tables of docs/evaluation.md from results of `tada evaluate`.

    .venv/bin/python studies/evaluation_tables.py results.csv [learner]
"""

import csv
import sys
from collections import defaultdict
from statistics import mean

path, learner = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else "tree"
f1 = defaultdict(dict)
for row in csv.DictReader(open(path, newline="")):
    if row["learner"] == learner and row["f1_macro"]:
        f1[row["method"], int(row["k"]), int(row["l"])][int(row["seed"])] = float(row["f1_macro"])
raw = f1["raw", 0, 0]
methods = list(dict.fromkeys(method for method, _, _ in f1 if method != "raw"))
print(f"{path.rsplit('/', 1)[-1]}, {learner}, {len(raw)} seeds, raw {mean(raw.values()):.3f}\n")
print("| (k,l) | " + " | ".join(methods) + " |")
print("| --- |" + " --- |" * len(methods))
for k, l in sorted({(k, l) for _, k, l in f1 if k}, key=lambda pair: (pair[1], pair[0])):
    cells = []
    for method in methods:
        values = f1.get((method, k, l), {})
        ratio = mean(value / raw[seed] for seed, value in values.items()) if values else float("nan")
        cells.append(f"{mean(values.values()):.3f} ({ratio:.2f})" if values else "-")
    print(f"| ({k},{l}) | " + " | ".join(cells) + " |")
print()
