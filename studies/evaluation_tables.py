"""Prints the tables of docs/evaluation.md from results of `tada evaluate`, which may be in several files.

    .venv/bin/python studies/evaluation_tables.py "Bank, 2 controllers, raw-test" tree bank.csv bank_auto.csv

A cell is the mean F1macro, in brackets its mean ratio to raw, and + or - where it differs from mondrian at 5% (paired by seed, corrected);
a number of seeds is given where it is not that of raw.
"""

import sys
from statistics import mean

from evaluation_results import load, paired


def entry(values, raw, baseline):
    if not values:
        return "-"
    ratio = mean(value / raw[seed] for seed, value in values.items() if seed in raw)
    difference, _, p = paired(values, baseline) if baseline and baseline is not values else (0, 0, 1)
    sign = "" if p >= 0.05 else " +" if difference > 0 else " -"
    seeds = "" if len(values) == len(raw) else f" [{len(values)}]"
    return f"{mean(values.values()):.3f} ({ratio:.2f}){sign}{seeds}"


def main():
    title, learner, *paths = sys.argv[1:]
    found = load(paths, [learner])
    raw = found["raw", 0, 0]
    methods = list(dict.fromkeys(method for method, _, _ in found if method != "raw"))
    print(f"### {title}, {learner}: {len(raw)} seeds, raw {mean(raw.values()):.3f}\n")
    print("| (k,l) | " + " | ".join(methods) + " |\n| --- |" + " --- |" * len(methods))
    for k, l in sorted({(k, l) for _, k, l in found if k}, key=lambda pair: (pair[1], pair[0])):
        baseline = found.get(("mondrian", k, l))
        print(f"| ({k},{l}) | " + " | ".join(entry(found.get((method, k, l)), raw, baseline) for method in methods) + " |")
    print()


if __name__ == "__main__":
    main()
