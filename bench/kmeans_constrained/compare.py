#!/usr/bin/env python3
"""Our constrained k-means beside the Python package k-means-constrained, which the paper on TA_DA used.

Both get the same points (a random share of a data set, as a data controller would hold it; every column but the sensitive one, the
label and ids; names as codes; standardized), the same first centroids (k-means++), number of clusters n/(2k) and lower bound k, at
most 30 iterations, tolerance 1e-4 and one thread. Seconds are processor time, so that a busy machine slows neither. The objective of
both is computed here, from the labels.

    bench/kmeans_constrained/compare.py --program build/bench_kmeans --data ../shared/data [--quick] [--full-bank]

Needs numpy, pandas and k-means-constrained (scripts/requirements-bench.txt).
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
import pandas as pd

DATASETS = {
    "Nursery": ("nursery/nursery.csv", ",", ["social", "class"], 3),
    "Customer": ("customer_segmentation/train_complete.csv", ",", ["ID", "Spending_Score", "Segmentation"], 3),
    "Bank": ("bank/bank-full.csv", ";", ["default", "y"], 9),
}
CASES = [("Nursery", 10), ("Nursery", 2), ("Customer", 10), ("Customer", 2), ("Bank", 50), ("Bank", 10)]


def load(data: pathlib.Path, name: str, share: bool) -> np.ndarray:
    file, separator, dropped, controllers = DATASETS[name]
    frame = pd.read_csv(data / file, sep=separator).drop(columns=dropped)
    if share:
        frame = frame.sample(n=len(frame) // controllers, random_state=1)
    for column in frame:
        if not pd.api.types.is_numeric_dtype(frame[column]):
            frame[column] = pd.Categorical(frame[column], categories=sorted(frame[column].unique())).codes
    values = frame.to_numpy(dtype=np.float64)
    return ((values - values.mean(axis=0)) / values.std(axis=0)).astype(np.float32)


def seeds_of(points: np.ndarray, clusters: int) -> np.ndarray:
    random = np.random.default_rng(1)
    chosen = [int(random.integers(len(points)))]
    nearest = np.full(len(points), np.inf)
    while len(chosen) < clusters:
        nearest = np.minimum(nearest, ((points - points[chosen[-1]]) ** 2).sum(axis=1, dtype=np.float64))
        chosen.append(int(random.choice(len(points), p=nearest / nearest.sum())))
    return np.array(chosen, dtype=np.uint32)


def objective(points: np.ndarray, labels: np.ndarray, clusters: int, minimum: int) -> float:
    sizes = np.bincount(labels, minlength=clusters)
    assert len(sizes) == clusters and sizes.min() >= minimum, "a cluster is too small"
    sums = np.zeros((clusters, points.shape[1]))
    np.add.at(sums, labels, points.astype(np.float64))
    return float(((points - (sums / sizes[:, None])[labels]) ** 2).sum())


def ours(program: str, points: np.ndarray, clusters: int, minimum: int, seeds, threads: int, *more: str) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        points.tofile(f"{folder}/points")
        if seeds is not None:
            seeds.tofile(f"{folder}/seeds")
        command = [
            program,
            f"{folder}/points",
            str(points.shape[1]),
            str(clusters),
            str(minimum),
            "-" if seeds is None else f"{folder}/seeds",
            f"{folder}/labels",
            "30",
            str(threads),
            *more,
        ]
        found = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        labels = np.fromfile(f"{folder}/labels", dtype=np.uint32)
    found["checked"] = objective(points, labels, clusters, minimum)
    assert abs(found["checked"] - found["objective"]) <= 1e-3 * found["checked"], "the objective is not what it says"
    return found


def theirs(points: np.ndarray, clusters: int, minimum: int, seeds: np.ndarray) -> dict:
    from k_means_constrained import KMeansConstrained

    start = time.process_time()
    model = KMeansConstrained(n_clusters=clusters, size_min=minimum, init=points[seeds].astype(np.float64), n_init=1, max_iter=30, tol=1e-4, n_jobs=1)
    labels = model.fit_predict(points.astype(np.float64))
    return {"seconds": time.process_time() - start, "iterations": int(model.n_iter_), "objective": objective(points, labels, clusters, minimum)}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True, help="bench_kmeans, built by ninja bench_kmeans")
    parser.add_argument("--data", required=True, type=pathlib.Path)
    parser.add_argument("--quick", action="store_true", help="ours alone")
    parser.add_argument("--full-bank", action="store_true", help="also all 45,211 rows of Bank at k=2, two threads, ours alone")
    options = parser.parse_args()
    print("| rows, k, clusters | package | s | ours before exchanges | / package | ours | / package | s | times faster | all arcs | s |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    good = True
    for name, k in CASES:
        points = load(options.data, name, share=True)
        clusters = len(points) // (2 * k)
        seeds = seeds_of(points, clusters)
        mine = ours(options.program, points, clusters, k, seeds, 1)
        exact = ours(options.program, points, clusters, k, seeds, 1, "exact")
        row = f"{name} {len(points):,}, {k}, {clusters:,}"
        if options.quick:
            print(
                f"| {row} | | | {mine['before_exchange']:.0f} | | {mine['objective']:.0f} | | {mine['cpu_seconds']:.3f} | | "
                f"{exact['before_exchange']:.0f} | {exact['cpu_seconds']:.2f} |",
                flush=True,
            )
            continue
        package = theirs(points, clusters, k, seeds)
        before, after = mine["before_exchange"] / package["objective"], mine["objective"] / package["objective"]
        faster = package["seconds"] / mine["cpu_seconds"]
        good &= before <= 1.01 and after < 1 and faster >= 50
        print(
            f"| {row} | {package['objective']:.0f} | {package['seconds']:.1f} | {mine['before_exchange']:.0f} | {before:.4f} | "
            f"{mine['objective']:.0f} | {after:.4f} | {mine['cpu_seconds']:.3f} | {faster:.0f} | {exact['before_exchange']:.0f} | "
            f"{exact['cpu_seconds']:.2f} |",
            flush=True,
        )
    if options.full_bank:
        points = load(options.data, "Bank", share=False)
        print("Bank, all rows, k=2, two threads:", json.dumps(ours(options.program, points, len(points) // 4, 2, None, 2)))
    if not options.quick:
        print("bars:", "reached" if good else "NOT reached")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
