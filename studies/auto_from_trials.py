"""What `tada evaluate --methods auto --protocol released-test` writes, without running auto's trials again:

    .venv/bin/python studies/auto_from_trials.py ROWS --trials raw_test.csv ... --releases released_test.csv ... -o auto.csv

auto tries its methods by raw-test, on the splits of its seed and the next two. Where all ROWS rows of a table are tried (20,000 at most) and all
are released, those trials are units of the raw-test grid with as many controllers, and the release is a unit of the released-test grid: one grid
serves all seeds. The rule is that of src/evaluate/auto_method.cc; run auto itself on some units and compare.
"""

import argparse
import csv
import math
import sys
from collections import Counter, defaultdict
from statistics import mean

PORTFOLIO = ["ta_da:split=binary", "mondrian", "ta_da:split=multiway", "target_weighted", "dop", "compact"]
SPLITS = 3
TEST_SHARE = 0.2


def load(paths):
    """Rows by method, k, l and seed; of the same unit in several files the first counts."""
    units = defaultdict(dict)
    for path in paths:
        with open(path, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                units[row["method"], row["k"], row["l"], int(row["seed"])].setdefault(row["learner"], row)
    return units


class Trial:
    def __init__(self, method, k, l, seed, units):
        self.units = [units.get((method, k, l, seed + split)) for split in range(SPLITS)]
        self.method = method
        self.ran = []  # utilities, split by split
        self.losses = []
        self.stopped = self.failed = False

    def run(self, split):
        rows = self.units[split]
        if rows is None or len(rows) != 2:
            raise LookupError(f"no results of {self.method} on split {split + 1}")
        self.failed = self.failed or any(row["problem"] for row in rows.values())
        if not self.failed:
            self.ran.append(mean(float(row["f1_macro"]) for row in rows.values()))
            self.losses.append(float(next(iter(rows.values()))["ncp"]))


def choice(k, l, seed, units, margin):
    """The method that auto takes; None if none can be."""
    trials = [Trial(method, k, l, seed, units) for method in PORTFOLIO]
    for split in range(SPLITS):
        running = [trial for trial in trials if not trial.stopped]
        for trial in running:
            trial.run(split)
        best = max((mean(trial.ran) for trial in running if not trial.failed), default=-math.inf)
        for trial in running[1:] if split + 1 < SPLITS else []:
            trial.stopped = trial.failed or mean(trial.ran) < best - margin
    left = [trial for trial in trials if not trial.stopped and not trial.failed]
    if not left:
        return None
    most = max(mean(trial.ran) for trial in left)
    return min((trial for trial in left if mean(trial.ran) > most - 1e-12), key=lambda trial: mean(trial.losses)).method


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=int)
    parser.add_argument("--trials", nargs="+", required=True)
    parser.add_argument("--releases", nargs="+", required=True)
    parser.add_argument("-o", "--output", required=True)
    given = parser.parse_args()
    if given.rows > 20_000:
        parser.error("auto tries a sample of its own in each seed of a table this large: run it")
    trials, releases = load(given.trials), load(given.releases)
    margin = 1 / math.sqrt(TEST_SHARE * given.rows)
    cells = sorted({key[1:] for key in releases if key[0] == PORTFOLIO[0]}, key=lambda cell: tuple(map(int, cell)))
    taken, written = Counter(), []
    for k, l, seed in cells:
        method = choice(k, l, seed, trials, margin)
        taken[method] += 1
        if (method, k, l, seed) not in releases:
            raise LookupError(f"no results of {method} at ({k},{l}), seed {seed}, in {given.releases}")
        written += [{**row, "method": "auto"} for row in releases[method, k, l, seed].values()]
    with open(given.output, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, written[0].keys(), lineterminator="\n")
        writer.writeheader()
        writer.writerows(written)
    print(", ".join(f"{method} {count}" for method, count in taken.most_common()), file=sys.stderr)


if __name__ == "__main__":
    main()
