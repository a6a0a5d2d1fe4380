"""Prints the tables of docs/evaluation.md from results of `tada evaluate`, which may be in several files.

    .venv/bin/python studies/evaluation_tables.py cells "Bank, 2 controllers, raw-test" tree bank.csv bank_auto.csv
    .venv/bin/python studies/evaluation_tables.py summary Bank=bank.csv,bank_auto.csv Nursery=nursery.csv ...

cells: the mean F1macro, in brackets its mean ratio to raw, and + or - where it differs from mondrian at 5% (paired by seed, corrected); a
number of seeds is given where it is not that of raw. summary: a line for each table, learner and method, over all k and l; cells of fewer than
five seeds don't count.
"""

import sys
from statistics import mean

from evaluation_results import load, paired

METHODS = ["mondrian", "ta_da:split=multiway", "ta_da:split=binary", "infogain", "dop", "compact", "auto"]


def ratio_to_raw(values, raw):
    return mean(value / raw[seed] for seed, value in values.items() if seed in raw)


def entry(values, raw, baseline):
    if not values:
        return "-"
    difference, _, p = paired(values, baseline) if baseline and baseline is not values else (0, 0, 1)
    sign = "" if p >= 0.05 else " +" if difference > 0 else " -"
    seeds = "" if len(values) == len(raw) else f" [{len(values)}]"
    return f"{mean(values.values()):.3f} ({ratio_to_raw(values, raw):.2f}){sign}{seeds}"


def summary(tables):
    print("| table | learner | method | cells | better, tie, worse | difference to mondrian | least ratio to raw |\n|---|---|---|---|---|---|---|")
    for name, paths in (table.split("=", 1) for table in tables):
        for learner in ("tree", "logistic"):
            found = load(paths.split(","), [learner])
            raw = found["raw", 0, 0]
            for method in METHODS:
                cells = [(k, l) for (m, k, l), seeds in found.items() if m == method and ("mondrian", k, l) in found and len(seeds) >= 5]
                if not cells:
                    continue
                tests = [paired(found[method, k, l], found["mondrian", k, l]) for k, l in cells]
                counts = [sum(p < 0.05 and d > 0 for d, _, p in tests), sum(p >= 0.05 for _, _, p in tests), sum(p < 0.05 and d < 0 for d, _, p in tests)]
                least, where = min((ratio_to_raw(found[method, k, l], raw), (k, l)) for k, l in cells)
                versus = " | | " if method == "mondrian" else f" {counts[0]}, {counts[1]}, {counts[2]} | {min(tests)[0]:+.3f} to {max(tests)[0]:+.3f} | "
                print(f"| {name} | {learner} | {method} | {len(cells)} |{versus}{least:.2f} at ({where[0]},{where[1]}) |")


def cells(title, learner, *paths):
    found = load(paths, [learner])
    raw = found["raw", 0, 0]
    methods = [method for method in METHODS if any(method == key[0] for key in found)]
    print(f"### {title}, {learner}: {len(raw)} seeds, raw {mean(raw.values()):.3f}\n")
    print("| (k,l) | " + " | ".join(methods) + " |\n| --- |" + " --- |" * len(methods))
    for k, l in sorted({(k, l) for _, k, l in found if k}, key=lambda pair: (pair[1], pair[0])):
        baseline = found.get(("mondrian", k, l))
        print(f"| ({k},{l}) | " + " | ".join(entry(found.get((method, k, l)), raw, baseline) for method in methods) + " |")
    print()


if __name__ == "__main__":
    cells(*sys.argv[2:]) if sys.argv[1] == "cells" else summary(sys.argv[2:])
