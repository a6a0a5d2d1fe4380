#!/usr/bin/env python3
"""Clusters of releases: TA_DA Figs. 12-13 (ARI and NMI against k, for each l).

scikit-learn's K-means with 5 clusters on the raw rows (quasi-identifiers and kept columns, names as codes, standardized; the best of
many starts) is the reference. Released cells are the middle of their ends, scaled as the raw column. Two ways to cluster a release:
  assign   the raw centroids stay, every released row goes to the nearest: what the release moved, and nothing else
  anew     K-means starts again on the released rows, as in the paper: K-means' own noise is in it. `raw rows anew` is that noise alone:
           K-means started again on the raw rows, against the reference.
Both compare the two labels of the same rows by ARI and NMI (arithmetic mean). Methods share seeds, so differences are paired.

    studies/clustering.py [--data FOLDER] [--out FOLDER] [--full] [--only Bank,Customer,Nursery] [--k 2,10,50] [--seeds 3]
                          [--results FILE]
"""

import functools

import numpy as np
from sklearn.cluster import KMeans
from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

import tada
from clustering_ari import DATASETS, Encoder, nearest, read
from common import Store, arguments, interval, markdown, picture, sheet

METHODS = {
    "Mondrian": dict(method="mondrian"),
    "TA_DA as in the paper": dict(task="clustering", cluster_on="all", repair="merge", polish=0),
    "ours": dict(task="clustering"),
}
RAW = "raw rows anew"
MEASURES = ["ARI", "NMI", "ARI anew", "NMI anew"]


def columns_of(name):
    return [c for c in (DATASETS[name]["quasi"] + "," + DATASETS[name]["keep"]).split(",") if c]


@functools.lru_cache(maxsize=4)
def reference(data, name, rows, seed, starts):
    """The rows of a seed, how their cells become numbers, and the clusters of the raw ones."""
    table = read(data / DATASETS[name]["file"], DATASETS[name]["separator"])
    table = {c: np.array(table[c], dtype=object) for c in [*columns_of(name), DATASETS[name]["sensitive"]]}
    if rows < len(table[columns_of(name)[0]]):
        chosen = np.sort(np.random.default_rng(seed).permutation(len(table[columns_of(name)[0]]))[:rows])
        table = {c: values[chosen] for c, values in table.items()}
    encoders = {c: Encoder(table[c]) for c in columns_of(name)}
    points = np.column_stack([encoders[c](table[c]) for c in encoders])
    fitted = KMeans(5, n_init=starts, random_state=0).fit(points)
    return table, encoders, points, fitted


def agreement(truth, said):
    return [adjusted_rand_score(truth, said), normalized_mutual_info_score(truth, said)]


def one(options, key):
    name, method, k, l, seed = key
    rows, starts = (10**9, 50) if options.full else (2500, 20)
    table, encoders, points, fitted = reference(options.data, name, rows, 0 if options.full else seed, starts)
    if method != RAW:
        import pyarrow as pa

        spec = DATASETS[name]
        frame = pa.table({c: pa.array([float(x) for x in values] if c in encoders and encoders[c].numeric else list(values)) for c, values in table.items()})
        release = tada.anonymize(
            frame, quasi=spec["quasi"].split(","), sensitive=spec["sensitive"], keep=[c for c in spec["keep"].split(",") if c] or None, k=k, l=l,
            controllers=spec["controllers"], seed=seed + 1, keep_order=True, cells="text", threads=1, **METHODS[method],
        ).table  # fmt: skip
        points = np.column_stack([encoders[c]([str(x) for x in release[c].to_pylist()]) for c in encoders])
    anew = KMeans(5, n_init=10, random_state=seed + 1).fit(points)
    return agreement(fitted.labels_, nearest(points, fitted.cluster_centers_)[0]) + agreement(fitted.labels_, anew.labels_)


def main():
    options = arguments(__doc__, DATASETS)
    store = Store(options.out / f"clustering{'_full' if options.full else ''}.jsonl")
    if options.results and options.results.exists():
        store.load_cells(options.results)
    for seed in range(options.seeds):  # seeds outside, so that a study that is stopped has whole pairs
        keys = []
        for name in options.only:
            most_l = DATASETS[name]["most_l"] if options.full else 2
            keys += [(name, RAW, 0, 0, seed)] + [(name, method, k, l, seed) for l in range(1, most_l + 1) for k in options.k for method in METHODS]
        store.fill(keys, functools.partial(one, options), part=f", seed {seed + 1} of {options.seeds}")
        report(options, store.found)
        if options.results:
            store.save_cells(options.results)


def values(found, name, method, k, l, measure):
    """By seed."""
    return {key[4]: value[measure] for key, value in found.items() if key[:4] == (name, method, k, l)}


def report(options, found):
    rows = []
    for name in options.only:
        pictures = {}  # by l
        for l in sorted({key[3] for key in found if key[0] == name and key[3] > 0}):
            for measure, words in enumerate(MEASURES):
                curves = {}
                for method in METHODS:
                    points = [(k, list(values(found, name, method, k, l, measure).values())) for k in options.k]
                    curves[method] = [(k, *interval(of_seeds)) for k, of_seeds in points if of_seeds]
                pictures.setdefault(l, []).append(picture(f"{name}, l={l}: {words}", "k", words, curves))
                for k in options.k:
                    base = values(found, name, "Mondrian", k, l, measure)
                    row = [name, words, f"({k},{l})", f"{interval(list(base.values()))[0]:.3f}"]
                    for method in list(METHODS)[1:]:
                        own = values(found, name, method, k, l, measure)
                        mean, half = interval([own[seed] - base[seed] for seed in own])
                        row += [f"{np.mean(list(own.values())):.3f}", f"{mean:+.3f} ± {half:.3f}"]
                    rows.append(row)
        if pictures:
            sheet(options.out / f"clustering_{name}.svg", list(pictures.values()))
        for measure in (2, 3):
            rows.append([name, MEASURES[measure], RAW, f"{np.mean(list(values(found, name, RAW, 0, 0, measure).values())):.3f}", "", "", "", ""])
    head = ["table", "measure", "(k,l)", "Mondrian", "as in the paper", "over Mondrian", "ours", "over Mondrian"]
    seeds = len({key[4] for key in found if key[0] in options.only})
    text = f"{'Whole tables' if options.full else 'Samples of 2,500 rows'}, {seeds} seeds; `over` is the paired difference with its 95% interval.\n\n"
    (options.out / f"clustering{'_full' if options.full else ''}.md").write_text(text + markdown(head, rows))


if __name__ == "__main__":
    main()
