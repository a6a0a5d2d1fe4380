#!/usr/bin/env python3
"""Models trained on releases: TA_DA Figs. 8-11 (accuracy and F1macro against k, for each l) and DT-Anon's ratios.

Two protocols (spec 10.2), never to be compared with each other:
  D   rows are split 80/20, the training rows are released by 2 controllers, the model is tested on raw rows (DT-Anon).
  T   all rows are released by 3 controllers, then split 80/20: tested on released rows (TA_DA). The labels of test rows shaped their
      groups, so T flatters whatever looks at labels.
Models: scikit-learn's MLP 64-32-16 (ReLU, Adam), as the papers have it, and histogram gradient boosting. Sets are multi-hot, intervals
their middles, all standardized (tada.sklearn.ReleaseEncoder). Methods share seeds, so differences are paired.

    studies/classification.py [--data FOLDER] [--out FOLDER] [--full] [--only Bank,Customer,Nursery] [--k 2,10,50] [--seeds 3]
"""

import warnings

import numpy as np
import pyarrow as pa
from common import TABLES, Store, arguments, features, interval, labels, load, markdown, picture, sample, sheet
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier
from threadpoolctl import threadpool_limits

import tada
import tada.sklearn

METHODS = {"Mondrian": dict(method="mondrian"), "TA_DA multiway": dict(method="ta_da", split="multiway"), "TA_DA binary": dict(method="ta_da", split="binary")}
warnings.filterwarnings("ignore", module="sklearn")  # a network that stops at its last epoch


def models(full):
    return {
        "MLP": lambda seed: MLPClassifier((64, 32, 16), max_iter=200 if full else 60, random_state=seed),
        "boosting": lambda seed: HistGradientBoostingClassifier(max_iter=100 if full else 40, random_state=seed),
    }


def release(table, name, method, k, l, controllers, seed):
    roles = TABLES[name]
    return tada.anonymize(
        table, quasi=roles["quasi"].split(","), sensitive=roles["sensitive"], label=roles["label"], keep=[c for c in roles["keep"].split(",") if c] or None,
        k=k, l=l, controllers=controllers, seed=seed + 1, keep_order=True, threads=1, **METHODS[method],
    ).table  # fmt: skip


def scores(train, test, name, make):
    encode = tada.sklearn.ReleaseEncoder(columns=features(name)).fit(train)
    with threadpool_limits(1):  # tables are small: threads would wait for each other
        fitted = make().fit(encode.transform(train), labels(train, name))
        truth, said = labels(test, name), fitted.predict(encode.transform(test))
    return [accuracy_score(truth, said), f1_score(truth, said, average="macro")]


def one(options, tables, key):
    """Accuracy and F1macro of a cell: (protocol, table, method or raw, k, l, model, seed)."""
    protocol, name, method, k, l, model, seed = key
    table = sample(tables[name], name, 10**9 if options.full else 2500, seed)
    make = lambda: models(options.full)[model](seed)  # noqa: E731
    train, test = train_test_split(np.arange(table.num_rows), test_size=0.2, stratify=labels(table, name), random_state=seed)
    if method == "raw":
        return scores(table.take(pa.array(train)), table.take(pa.array(test)), name, make)
    if protocol == "D":
        return scores(release(table.take(pa.array(train)), name, method, k, l, 2, seed), table.take(pa.array(test)), name, make)
    released = release(table, name, method, k, l, 3, seed)
    return scores(released.take(pa.array(train)), released.take(pa.array(test)), name, make)


def main():
    options = arguments(__doc__, TABLES)
    store = Store(options.out / f"classification{'_full' if options.full else ''}.jsonl")
    tables = {name: load(options.data, name) for name in options.only}
    text = [f"# Classification: {'full' if options.full else 'quick'} form, up to {options.seeds} seeds, k in {options.k}\n"]
    for keys in cells(options):  # seeds outside, so that a study that is stopped has whole pairs
        store.fill(keys, lambda key: one(options, tables, key))
        report(options, store, text)


def cells(options):
    """All keys of a seed, seed by seed."""
    for seed in range(options.seeds):
        keys = []
        for name in options.only:
            for model in models(options.full):
                for protocol in "DT":
                    keys.append((protocol, name, "raw", 0, 0, model, seed))
                    for l in range(1, TABLES[name]["most_l"] + 1 if options.full else 3):
                        keys += [(protocol, name, method, k, l, model, seed) for k in options.k for method in METHODS]
        yield keys


def shown(values, sign):
    """A mean with its interval; a single value has none."""
    mean, half = interval(values)
    return f"{mean:{sign}.3f} ± {half:.3f}" if len(values) > 1 else f"{mean:{sign}.3f}"


def report(options, store, text):
    done = store.found
    out, rows = list(text), []
    for protocol in "DT":
        for name in options.only:
            pictures = {}  # by model and l
            for model in models(options.full):
                for l in sorted({key[4] for key in done if key[1] == name and key[4] > 0}):
                    for measure, words in enumerate(("accuracy", "F1macro")):
                        curves = {}
                        for method in METHODS:
                            points = []
                            for k in options.k:
                                seeds = [key[6] for key in done if key[:6] == (protocol, name, method, k, l, model)]
                                if seeds:
                                    points.append((k, *interval([done[protocol, name, method, k, l, model, s][measure] for s in seeds])))
                            if points:
                                curves[method] = points
                        if curves:
                            title = f"{name}, protocol {protocol}, {model}, l={l}"
                            pictures.setdefault((model, l), []).append(picture(title, "k", words, curves))
                    for k in options.k:
                        row = [protocol, name, model, f"({k},{l})"]
                        for method in METHODS:
                            seeds = [key[6] for key in done if key[:6] == (protocol, name, method, k, l, model)]
                            if not seeds:
                                break
                            ratio = [done[protocol, name, method, k, l, model, s][1] / done[protocol, name, "raw", 0, 0, model, s][1] for s in seeds]
                            row.append(shown(ratio, ""))
                            if method != "Mondrian":
                                gain = [done[protocol, name, method, k, l, model, s][1] - done[protocol, name, "Mondrian", k, l, model, s][1] for s in seeds]
                                row.append(shown(gain, "+"))
                        else:
                            rows.append(row)
            if pictures:
                sheet(options.out / f"{protocol}_{name}.svg", list(pictures.values()))
    out.append("F1macro divided by that of the same model on raw rows, mean ± half of the 95% interval; `over` is the paired difference of F1macro to Mondrian.\n")
    out.append(markdown(["protocol", "table", "model", "(k,l)", "Mondrian", "TA_DA multiway", "over", "TA_DA binary", "over"], rows))
    (options.out / f"classification{'_full' if options.full else ''}.md").write_text("\n".join(out))


if __name__ == "__main__":
    main()
