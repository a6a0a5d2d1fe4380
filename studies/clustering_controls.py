#!/usr/bin/env python3
"""Does `--polish clusters` help whoever clusters a release, or only the measure that it was made for?

Both releases of a seed, without and with it, are read by consumers that it knows nothing of:
  consumer   K-means with 3, 4, 5 and 8 clusters, a Gaussian mixture of 5 (both fitted on raw rows, released rows then go to the
             nearest centroid or the likeliest component), and agglomerative clustering into 5 (Ward's; of raw and of released rows
             each, on every fourth row, as it is quadratic).
  reading    middles of cells, values drawn by `tada decode`, and values expected by `tada decode --expect`.
The figure is the adjusted Rand index between the clusters of the raw and of the released rows; differences are paired by seed. Names are
codes in their order, everything is standardized as the raw table is.

    studies/clustering_controls.py --tada build/tada --data ../shared/data [--datasets Customer] [--cells 10,2;50,2] [--seeds 3] [--results FILE.jsonl]

With --results it goes on where it stopped. Needs numpy and scikit-learn.
"""

import argparse
import functools
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from sklearn.cluster import AgglomerativeClustering, KMeans
from sklearn.mixture import GaussianMixture

from clustering_ari import DATASETS, Encoder, ari, nearest, read, release
from common import Store, interval

METHODS = {"today": ["--task", "clustering", "--threads", 1], "clusters": ["--task", "clustering", "--threads", 1, "--polish", "clusters"]}
READINGS = ["middle", "drawn", "expected"]


class Consumers:
    """Clusterings of the raw rows, and what each makes of released ones."""

    def __init__(self, points):
        self.means = {k: KMeans(k, n_init=20, random_state=1).fit(points) for k in (3, 4, 5, 8)}
        self.mixture = GaussianMixture(5, n_init=3, random_state=1, reg_covar=1e-3).fit(points)
        self.mixed = self.mixture.predict(points)
        self.some = np.arange(0, len(points), 4)
        self.ward = AgglomerativeClustering(5).fit(points[self.some]).labels_

    def __call__(self, released):
        found = {f"K-means {k}": ari(model.labels_, nearest(released, model.cluster_centers_)[0]) for k, model in self.means.items()}
        found["mixture"] = ari(self.mixed, self.mixture.predict(released))
        found["agglomerative"] = ari(self.ward, AgglomerativeClustering(5).fit(released[self.some]).labels_)
        return {name: round(float(value), 4) for name, value in found.items()}


def decoded(options, spec, path, seed, *more):
    out = path.with_suffix(".decoded.csv")
    command = [options.tada, "decode", path, "--quasi", spec["quasi"], "--seed", seed, "--force", "--quiet", "--threads", 1, "-o", out, *more]
    subprocess.run(list(map(str, command)), check=True)
    return read(out)


def expected(table, column, encoder):
    """A column of names is there as a probability per value, or as it was if no cell is widened."""
    if column in table:
        return encoder(table[column])
    numbers = sum(np.array(table[f"{column}={value}"], float) * code for value, code in encoder.code.items() if f"{column}={value}" in table)
    return (numbers - encoder.mean) / encoder.deviation


def judge(options, spec, encoders, consumers, cell, method, seed):
    with tempfile.TemporaryDirectory() as folder:
        released = release(options.tada, options.data, spec, *cell, seed, METHODS[method], folder)
        path = pathlib.Path(folder) / "release.csv"
        drawn = decoded(options, spec, path, seed, "--copies", 1)
        means = decoded(options, spec, path, seed, "--expect")
    points = {
        "middle": np.column_stack([encoder(released[c]) for c, encoder in encoders.items()]),
        "drawn": np.column_stack([encoder(drawn[c]) for c, encoder in encoders.items()]),
        "expected": np.column_stack([expected(means, c, encoder) for c, encoder in encoders.items()]),
    }
    return {reading: consumers(points[reading]) for reading in READINGS}


def table(name, cell, values):
    print(f"\n{name} {cell}, {len(values['today'])} seeds: today, with --polish clusters, paired difference")
    print("| reading | consumer | today | clusters | difference |\n|---|---|---|---|---|")
    for reading in READINGS:
        for consumer in values["today"][0][reading]:
            both = [np.array([seed[reading][consumer] for seed in values[m]]) for m in METHODS]
            mean, half = interval(both[1] - both[0])
            print(f"| {reading} | {consumer} | {both[0].mean():.3f} | {both[1].mean():.3f} | {mean:+.3f} ± {half:.3f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tada", required=True)
    parser.add_argument("--data", required=True, type=pathlib.Path)
    parser.add_argument("--datasets", default="Customer,Bank")
    parser.add_argument("--cells", default="10,2;50,2")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--results", type=pathlib.Path)
    options = parser.parse_args()
    store = Store(options.results, "clustering_controls")
    for name in options.datasets.split(","):
        spec = DATASETS[name]
        raw = read(options.data / spec["file"], spec["separator"])
        encoders = {c: Encoder(raw[c]) for c in (spec["quasi"] + "," + spec["keep"]).split(",") if c}
        consumers = Consumers(np.column_stack([encoder(raw[c]) for c, encoder in encoders.items()]))
        for cell in (tuple(map(int, text.split(","))) for text in options.cells.split(";")):
            values = {m: [] for m in METHODS}
            for seed in range(1, options.seeds + 1):
                for method in METHODS:
                    key = (name, *cell, method, seed)
                    values[method].append(store(key, functools.partial(judge, options, spec, encoders, consumers, cell, method, seed)))
            table(name, cell, values)


if __name__ == "__main__":
    sys.exit(main())
