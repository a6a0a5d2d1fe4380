#!/usr/bin/env python3
"""Is what `--method auto` takes as good as the best single method, read in the best way?

A release by `auto` is the release of the method that it takes, and its report tells how that is best read (as it is, or decoded). So only the choice
is made here, on the rows, splits and controllers of learning_from_a_release.py, [D]; what models learn from it is what that study has for the same
method, reading and seed. Choices that it has no figures for (conditional trees, dop, compact) are fitted.

    studies/auto_choice.py run   --results FILE.jsonl [--only Bank] [--cells 50,2;10,2] [--seeds 10] [--models gbm,mlp]
    studies/auto_choice.py table --results FILE.jsonl

"Best" is the pair of method and reading with the best mean over the same seeds, picked after the fact, which is hard on auto. Tests are paired by
seed, two-sided, with the variance widened by test rows / training rows, as splits share rows (Nadeau and Bengio 2003). A run takes up where the last
one stopped.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from statistics import mean

from threadpoolctl import threadpool_limits

from common import Store, markdown
from evaluation_results import paired
from learning_from_a_release import Bench, load, ratios
from model_decode import arguments

NAMES = {"ta_da:split=binary": "binary", "ta_da:split=multiway": "multiway", "ta_da:split=conditional": "conditional", "target_weighted": "tw"}
READINGS = {"decoded": "draw", "cells": "hot"}
KNOWN = pathlib.Path(__file__).with_name("learning_from_a_release.jsonl")
SINGLES = [(method, reading) for reading in ("hot", "draw") for method in ("mondrian", "multiway", "binary", "tw")]
TABLES = "Nursery,Customer,Electricity,Bank,Adult,Census"


def choose(options, bench, k, l):
    """Method and reading that auto takes, under the names of the studies."""
    roles, report = bench.roles, bench.folder / "auto.json"
    command = [options.tada, "anonymize", bench.folder / "train.csv", "--quasi", roles["quasi"], "--label", bench.label, "--controllers", 2, "-k", k, "-l", l,
               "--seed", bench.seed + 1, "--threads", 1, "-o", bench.folder / "auto.csv", "--force", "--quiet", "--method", "auto",
               "--report", report, "--report-raw"]
    command += [word for role in ("sensitive", "keep") if roles[role] for word in (f"--{role}", roles[role])]
    subprocess.run(list(map(str, command)), check=True)
    taken = next(trial for trial in json.loads(report.read_text())["auto"]["trials"] if trial["chosen"])
    return [NAMES.get(taken["method"], taken["method"]), READINGS[taken["reading"]]]


def run(options):
    warnings.filterwarnings("ignore")
    store, known = Store(options.results, "auto_choice"), load(KNOWN)
    with tempfile.TemporaryDirectory() as name, threadpool_limits(1):
        for seed in range(options.seeds):
            for data in options.only.split(","):
                bench = None
                for k, l in (map(int, cell.split(",")) for cell in options.cells.split(";")):
                    if ("D", data, k, l, seed, "binary", "draw", "gbm") not in known:
                        continue
                    key = (data, k, l, seed)
                    if (*key, "choice") not in store.found:
                        bench = bench or Bench(options, "D", data, seed, pathlib.Path(name))
                    method, reading = store((*key, "choice"), lambda bench=bench, k=k, l=l: choose(options, bench, k, l))
                    for model in options.models.split(","):
                        task = ("D", *key, method, reading, model)
                        if task not in known and (*key, method, reading, model) not in store.found:
                            bench = bench or Bench(options, "D", data, seed, pathlib.Path(name))
                            store(task[1:], lambda bench=bench, task=task: bench.released_score(*task[2:4], *task[5:]))


def table(options):
    store, figures = Store(options.results, "auto_choice"), load(KNOWN)
    figures |= {("D", *key): f1 for key, f1 in store.found.items() if key[-1] != "choice"}
    found = ratios(figures)
    for model in options.models.split(","):
        auto = {}  # ratios and choices by cell, then seed
        for (*cell, seed, _), taken in ((key, value) for key, value in store.found.items() if key[-1] == "choice"):
            if seed in (by_seed := found.get(("D", *cell, *taken, model), {})):
                auto.setdefault(tuple(cell), {})[seed] = (by_seed[seed], " ".join(taken))
        head = [f"{model}, (k,l)", "seeds", "taken", "auto", "best single", "its ratio", "auto - best", "p", "auto - binary draw"]
        rows, gains = [], {single: {} for single in SINGLES}
        for cell, by_seed in sorted(auto.items()):
            ours = {seed: ratio for seed, (ratio, _) in by_seed.items()}
            singles = {single: {seed: found["D", *cell, *single, model][seed] for seed in ours} for single in SINGLES}
            for single in SINGLES:
                gains[single][cell] = {seed: ours[seed] - singles[single][seed] for seed in ours}
            best = max(SINGLES, key=lambda single, singles=singles: mean(singles[single].values()))
            (difference, half, p), (to_default, default_half, _) = paired(ours, singles[best]), paired(ours, singles["binary", "draw"])
            taken = ", ".join(f"{name} {count}" for name, count in Counter(name for _, name in by_seed.values()).most_common())
            rows.append([f"{cell[0]} ({cell[1]},{cell[2]})", len(ours), taken, f"{mean(ours.values()):.3f}", " ".join(best),
                         f"{mean(singles[best].values()):.3f}", f"{difference:+.3f} ± {half:.3f}",
                         f"{p:.2f}{' **worse**' if p < .05 and difference < 0 else ''}", f"{to_default:+.3f} ± {default_half:.3f}"])
        print(markdown(head, rows))
        rows = []
        for single, cells in gains.items():
            seeds = set.intersection(*map(set, cells.values())) if cells else set()
            by_seed = {seed: mean(cell[seed] for cell in cells.values()) for seed in seeds}
            difference, half, p = paired(by_seed, dict.fromkeys(seeds, 0.0))
            rows.append([" ".join(single), len(cells), f"{difference:+.4f} ± {half:.4f}", len(seeds), f"{p:.3f}"])
        print(markdown([f"{model}, single", "cells", "auto - single, mean over cells", "seeds", "p over seeds"], rows))


def main():
    parser = arguments(__doc__, only=TABLES, models="gbm,mlp")
    parser.add_argument("--cells", default="50,2;10,2;50,1;10,1")
    options = parser.parse_args()
    {"run": run, "table": table}[options.what](options)


if __name__ == "__main__":
    sys.exit(main())
