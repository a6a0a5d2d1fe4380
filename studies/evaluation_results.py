"""Results of `tada evaluate` for the studies that read them, and the test they are compared by."""

import csv
from collections import defaultdict
from math import sqrt
from statistics import mean, stdev

from scipy.stats import t as student

TEST_RATIO = 0.25  # 20% of the rows by 80%


def load(paths, learners=None):
    """F1macro by (method, k, l), then seed: the mean of the learners, all or those named. Raw has k = l = 0."""
    found = defaultdict(lambda: defaultdict(dict))
    for path in paths:
        with open(path, newline="") as file:
            for row in csv.DictReader(file):
                if row["f1_macro"] and (learners is None or row["learner"] in learners):
                    found[row["method"], int(row["k"]), int(row["l"])][int(row["seed"])][row["learner"]] = float(row["f1_macro"])
    return {key: {seed: mean(by_learner.values()) for seed, by_learner in seeds.items()} for key, seeds in found.items()}


def paired(ours, theirs):
    """Mean difference over the seeds that both have, half-width of its 95% interval, and the two-sided p. Splits share rows, so the
    variance is widened by test rows / training rows (Nadeau and Bengio 2003), as `tada evaluate` does."""
    differences = [ours[seed] - theirs[seed] for seed in ours if seed in theirs]
    n = len(differences)
    if n < 2:
        return (differences[0] if n else float("nan")), float("nan"), 1.0
    middle, error = mean(differences), stdev(differences) * sqrt(1 / n + TEST_RATIO)
    if error == 0:
        return middle, 0.0, 1.0 if middle == 0 else 0.0
    return middle, student.ppf(0.975, n - 1) * error, 2 * student.sf(abs(middle / error), n - 1)
