#!/usr/bin/env python3
"""Makes tests/fixtures/dbscan.csv: small point sets and what scikit-learn's DBSCAN says about them.

One line per point: set, eps, min_points, weight, coordinates joined by blanks, core (0 or 1), label. Run from the project's root
after installing scripts/requirements-bench.txt; the file is kept so that tests need no Python packages.
"""

import csv
import pathlib

import numpy as np
from sklearn.cluster import DBSCAN


def point_sets(random: np.random.Generator):
    moons = np.linspace(0, np.pi, 60)
    arcs = np.vstack([np.c_[np.cos(moons), np.sin(moons)], np.c_[1 - np.cos(moons), 0.5 - np.sin(moons)]])
    yield "arcs", arcs + random.normal(0, 0.06, arcs.shape), 0.22, 5
    blobs = np.vstack([random.normal(centre, 0.08, (50, 3)) for centre in (0.2, 0.55, 0.9)])
    yield "blobs", np.vstack([blobs, random.random((30, 3))]), 0.15, 6
    yield "lattice", random.integers(0, 17, (170, 2)) / 16.0, 0.0625, 6  # many pairs exactly eps apart, many duplicates
    yield "line", np.sort(random.random((120, 1)) ** 2, axis=0), 0.012, 3
    names = random.integers(0, 3, (150, 5)) / 2.0
    names[:, 0] = random.random(150)
    names[:, 3:] = 0
    yield "mixed", names * np.sqrt(0.2), 0.04, 4
    yield "six", random.random((150, 6)) * 0.6, 0.35, 5


def main() -> None:
    random = np.random.default_rng(7)
    path = pathlib.Path("tests/fixtures/dbscan.csv")
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["set", "eps", "min_points", "weight", "coordinates", "core", "label"])
        for name, points, eps, min_points in point_sets(random):
            points = np.unique(np.round(points, 9), axis=0)
            weights = random.integers(1, 4, len(points)) if name == "lattice" else np.ones(len(points), dtype=int)
            fit = DBSCAN(eps=eps, min_samples=min_points, algorithm="kd_tree").fit(points, sample_weight=weights)
            core = np.zeros(len(points), dtype=int)
            core[fit.core_sample_indices_] = 1
            for point, weight, is_core, label in zip(points, weights, core, fit.labels_, strict=True):
                writer.writerow([name, eps, min_points, weight, " ".join(repr(float(x)) for x in point), is_core, label])


if __name__ == "__main__":
    main()
