#!/usr/bin/env python3
"""DOP's Table II: NCP on Bank, Heart and Student at four (k,l), by Mondrian, `dop` and `compact`, beside the paper's numbers.

The quick form leaves `compact` out on Bank, where it searches for seconds.

    studies/dop_table.py [--data FOLDER] [--out FOLDER] [--full]
"""

import functools

import tada
from common import Store, arguments, markdown

TABLES = {
    "Bank": ("bank/bank-full.csv", ["age:numeric", "job", "marital", "education", "balance:numeric"], "y"),
    "Heart": ("heart/cleveland.csv", ["trestbps:numeric", "chol:numeric", "cp:categorical"], "target"),
    "Student": ("student/student-por.csv", [f"{c}:numeric" for c in ("age", "Medu", "Fedu", "traveltime", "studytime")], "G3"),
}
PAPER = {
    "Bank": {"Mondrian": (0.2054, 0.4572, 0.3959, 0.4477), "DOP": (0.0, 0.3659, 0.2790, 0.3744)},
    "Heart": {"Mondrian": (0.0308, 0.2488, 0.3250, 0.4193), "DOP": (0.0, 0.1683, 0.2718, 0.3652)},
    "Student": {"Mondrian": (0.2115, 0.2348, 0.2834, 0.3496), "DOP": (0.0, 0.0416, 0.1226, 0.2075)},
}
CELLS = [(1, 1), (2, 2), (5, 2), (10, 2)]
METHODS = ["mondrian", "dop", "compact"]


def loss(options, key):
    name, method, k, l = key
    file, quasi, sensitive = TABLES[name]
    return tada.anonymize(options.data / file, quasi=quasi, sensitive=sensitive, k=k, l=l, method=method, threads=1).report["loss"]["ncp"]


def main():
    options = arguments(__doc__)
    store = Store(options.out / f"dop_table{'_full' if options.full else ''}.jsonl")
    wanted = [(name, method) for name in TABLES for method in METHODS if options.full or (name, method) != ("Bank", "compact")]
    store.fill([(*pair, k, l) for pair in wanted for k, l in CELLS], functools.partial(loss, options))
    rows = []
    for name in TABLES:
        rows += [[name, f"paper {method}", *(f"{value:.4f}" for value in values)] for method, values in PAPER[name].items()]
        rows += [[name, f"ours {method}", *(f"{store.found[name, method, k, l]:.4f}" for k, l in CELLS)] for table, method in wanted if table == name]
    (options.out / f"dop_table{'_full' if options.full else ''}.md").write_text(markdown(["table", "method", *(f"({k},{l})" for k, l in CELLS)], rows))


if __name__ == "__main__":
    main()
