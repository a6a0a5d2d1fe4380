"""Does `auto` earn to be the default method? From results of `tada evaluate` with auto and every single method:

    .venv/bin/python studies/auto_default.py Bank=bank.csv,bank_auto.csv Nursery=nursery.csv ...

The bar: never significantly worse than the best single method of a table, k and l, and better than each single method over all of them.
F1macro is the mean of the learners, as auto judges. Tests are paired by seed, two-sided, with the variance widened by test rows / training
rows, as splits share rows (Nadeau and Bengio 2003). "Best" is picked after the fact by the mean over the same seeds, which is hard on auto.
A cell counts with the seeds that auto and every single method of the cell have results for.
"""

import sys
from collections import defaultdict
from statistics import mean

from evaluation_results import load, paired


def main():
    tables = {name: load(paths.split(",")) for name, paths in (argument.split("=") for argument in sys.argv[1:])}
    by_method = defaultdict(dict)  # difference of auto to each method, by table and cell, then seed
    print("| table | (k,l) | seeds | auto | best single | its F1macro | auto - best | p |\n|---|---|---|---|---|---|---|---|")
    for table, found in tables.items():
        for method, k, l in sorted(found, key=lambda key: (key[2], key[1])):
            if method != "auto":
                continue
            singles = {m: v for (m, k2, l2), v in found.items() if (k2, l2) == (k, l) and m != "auto"}
            shared = set.intersection(set(found[method, k, l]), *map(set, singles.values()))
            if len(shared) < 2:
                continue
            ours = {seed: found[method, k, l][seed] for seed in shared}
            best = max(singles, key=lambda m: mean(singles[m][seed] for seed in ours))
            difference, half, p = paired(ours, singles[best])
            verdict = " **worse**" if p < 0.05 and difference < 0 else ""
            print(f"| {table} | ({k},{l}) | {len(ours)} | {mean(ours.values()):.4f} | {best} | {mean(singles[best][s] for s in ours):.4f} | "
                  f"{difference:+.4f} ± {half:.4f} | {p:.3f}{verdict} |")
            for m, values in singles.items():
                by_method[m][table, k, l] = {seed: ours[seed] - values[seed] for seed in ours}
    print("\n| single method | cells | auto - method, mean over cells | p over seeds |\n|---|---|---|---|")
    for m, cells in by_method.items():
        seeds = set.intersection(*(set(by_seed) for by_seed in cells.values()))
        by_seed = {seed: mean(cell[seed] for cell in cells.values()) for seed in seeds}
        difference, half, p = paired(by_seed, dict.fromkeys(seeds, 0.0))
        print(f"| {m} | {len(cells)} | {difference:+.4f} ± {half:.4f} | {p:.3f} |")


if __name__ == "__main__":
    main()
