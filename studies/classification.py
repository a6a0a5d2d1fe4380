#!/usr/bin/env python3
"""Models trained on releases: TA_DA Figs. 8-11 (accuracy and F1macro against k, for each l) and DT-Anon's ratios.

Two protocols, never to be compared with each other:
  D   rows are split 80/20, the training rows are released by 2 controllers, the model is tested on raw rows (DT-Anon).
  T   all rows are released by 3 controllers, then split 80/20: tested on released rows (TA_DA). The labels of test rows shaped their
      groups, so T flatters whatever looks at labels.
Models: scikit-learn's MLP 64-32-16 (ReLU, Adam), as the papers have it, and histogram gradient boosting. Sets are multi-hot, intervals
their middles, standardized (tada.sklearn.ReleaseEncoder). Methods share seeds, so differences are paired.

    studies/classification.py [--data FOLDER] [--out FOLDER] [--full] [--only Bank,Customer,Nursery] [--k 2,10,50] [--seeds 3]
                              [--results FILE]
"""

import functools
import hashlib
import itertools
import warnings

import numpy as np
import pyarrow as pa
from sklearn.metrics import accuracy_score, f1_score
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier

import tada
import tada.sklearn
from common import TABLES, Store, arguments, boosting, features, interval, labels, load, markdown, picture, sample, sheet

MEASURES = ["accuracy", "F1macro"]
METHODS = {"Mondrian": dict(method="mondrian"), "TA_DA multiway": dict(method="ta_da", split="multiway"), "TA_DA binary": dict(method="ta_da", split="binary")}
warnings.filterwarnings("ignore", module="sklearn")  # a network that stops at its last epoch


def network(name, full, seed):
    epochs = {"Bank": 40}.get(name, 200)  # of Bank's 36,168 rows 40 epochs are about as many steps as 200 of the others
    return MLPClassifier((64, 32, 16), max_iter=epochs if full else 60, random_state=seed)


MODELS = {"MLP": network, "boosting": lambda _name, _full, seed: boosting(seed)}


def release(table, name, method, k, l, controllers, seed):
    roles = TABLES[name]
    return tada.anonymize(
        table, quasi=roles["quasi"].split(","), sensitive=roles["sensitive"], label=roles["label"], keep=[c for c in roles["keep"].split(",") if c] or None,
        k=k, l=l, controllers=controllers, seed=seed + 1, keep_order=True, threads=1, **METHODS[method],
    ).table  # fmt: skip


@functools.lru_cache(maxsize=1)
def rows_of(data, name, most, seed):
    """The rows of a seed, and which are for training and for testing."""
    table = sample(load(data, name), name, most, seed)
    return table, *map(pa.array, train_test_split(np.arange(table.num_rows), test_size=0.2, stratify=labels(table, name), random_state=seed))


@functools.lru_cache(maxsize=1)
def encoded(data, name, most, protocol, method, k, l, seed):
    """Features and labels to train on, and to test on: one encoding for all models."""
    table, train, test = rows_of(data, name, most, seed)
    if method == "raw":
        learn, ask = table.take(train), table.take(test)
    elif protocol == "D":
        learn, ask = release(table.take(train), name, method, k, l, 2, seed), table.take(test)
    else:
        released = release(table, name, method, k, l, 3, seed)
        learn, ask = released.take(train), released.take(test)
    encode = tada.sklearn.ReleaseEncoder(columns=features(name)).fit(learn)
    return encode.transform(learn), labels(learn, name), encode.transform(ask), labels(ask, name)


FITTED = {}  # what a model says to rows, by both; Nursery's releases are the same for every l from k=10 on


def one(options, key):
    """Accuracy and F1macro of a cell: (protocol, table, method or raw, k, l, model, seed)."""
    protocol, name, method, k, l, model, seed = key
    learn, truth, ask, answers = encoded(options.data, name, 10**9 if options.full else 2500, protocol, method, k, l, seed)
    rows = hashlib.blake2b(learn.tobytes() + ask.tobytes()).digest()
    if (model, name, seed, rows) not in FITTED:
        if len(FITTED) >= 4 * len(MODELS):
            FITTED.pop(next(iter(FITTED)))
        FITTED[model, name, seed, rows] = MODELS[model](name, options.full, seed).fit(learn, truth).predict(ask)
    said = FITTED[model, name, seed, rows]
    return [accuracy_score(answers, said), f1_score(answers, said, average="macro")]


def main():
    options = arguments(__doc__, TABLES)
    store = Store(options.out / f"classification{'_full' if options.full else ''}.jsonl")
    text = [f"# Classification: {'full' if options.full else 'quick'} form, up to {options.seeds} seeds, k in {options.k}\n"]
    if options.results and options.results.exists():
        store.load_cells(options.results)
    for seed in range(options.seeds):  # seeds outside, so that a study that is stopped has whole pairs
        store.fill(cells(options, seed), functools.partial(one, options), together=lambda key: key[:4], part=f", seed {seed + 1} of {options.seeds}")
        report(options, store, text)
        if options.results:
            store.save_cells(options.results)


def cells(options, seed):
    """All keys of a seed."""
    keys = []
    for protocol, name in itertools.product("DT", options.only):
        levels = range(1, TABLES[name]["most_l"] + 1 if options.full else 3)
        wanted = [("raw", 0, 0)] + [(method, k, l) for method in METHODS for k in options.k for l in levels]
        keys += [(protocol, name, *what, model, seed) for what in wanted for model in MODELS]
    return keys


def shown(values, sign):
    """A mean with its interval; a single value has none."""
    mean, half = interval(values)
    return f"{mean:{sign}.3f} ± {half:.3f}" if len(values) > 1 else f"{mean:{sign}.3f}"


class Results:
    """What there is of a study, by cell."""

    def __init__(self, found, ks):
        self.found, self.ks = found, ks

    def levels(self, name):
        return sorted({key[4] for key in self.found if key[1] == name and key[4] > 0})

    def seeds(self, *cell):
        """Of a cell (protocol, table, method, k, l, model)."""
        return sorted(key[6] for key in self.found if key[:6] == cell)

    def measured(self, measure, *cell):
        return [self.found[*cell, seed][measure] for seed in self.seeds(*cell)]

    def ratios(self, protocol, name, method, k, l, model):
        """F1macro over that of raw rows, a value per seed."""
        seeds = self.seeds(protocol, name, method, k, l, model)
        return [self.found[protocol, name, method, k, l, model, s][1] / self.found[protocol, name, "raw", 0, 0, model, s][1] for s in seeds]

    def gains(self, measure, protocol, name, method, k, l, model):
        """How far above Mondrian's a measure is, a value per seed that both have."""
        seeds = set(self.seeds(protocol, name, method, k, l, model)) & set(self.seeds(protocol, name, "Mondrian", k, l, model))
        ours, blind = ([self.found[protocol, name, who, k, l, model, seed][measure] for seed in sorted(seeds)] for who in (method, "Mondrian"))
        return [a - b for a, b in zip(ours, blind, strict=True)]

    def picture(self, protocol, name, model, l, measure):
        curves = {}
        for method in METHODS:
            points = [(k, self.measured(measure, protocol, name, method, k, l, model)) for k in self.ks]
            if points := [(k, *interval(values)) for k, values in points if values]:
                curves[method] = points
        return picture(f"{name}, protocol {protocol}, {model}, l={l}", "k", MEASURES[measure], curves)

    def rows(self, protocol, name):
        for model, l, k in itertools.product(MODELS, self.levels(name), self.ks):
            row = [protocol, name, model, f"({k},{l})"]
            for method in METHODS:
                if ratios := self.ratios(protocol, name, method, k, l, model):
                    row.append(shown(ratios, ""))
                if method != "Mondrian" and (gains := self.gains(1, protocol, name, method, k, l, model)):
                    row.append(shown(gains, "+"))
            if len(row) == 4 + 2 * len(METHODS) - 1:
                yield row

    def verdicts(self, measure, protocol, name, model, method):
        """In how many cells a method is above Mondrian by its interval, undecided, below."""
        counts = [0, 0, 0]
        for l, k in itertools.product(self.levels(name), self.ks):
            if len(gains := self.gains(measure, protocol, name, method, k, l, model)) > 1:
                mean, half = interval(gains)
                counts[0 if mean > half else 2 if mean < -half else 1] += 1
        return " / ".join(map(str, counts))


def report(options, store, text):
    results = Results(store.found, options.k)
    rows, verdicts = [], []
    for protocol, name in itertools.product("DT", options.only):
        if any(key[:2] == (protocol, name) for key in store.found):
            pairs = [[results.picture(protocol, name, model, l, measure) for measure in range(len(MEASURES))]
                     for model, l in itertools.product(MODELS, results.levels(name))]  # fmt: skip
            sheet(options.out / f"{protocol}_{name}.svg", pairs)
        rows += results.rows(protocol, name)
        aware = list(METHODS)[1:]
        columns = list(itertools.product(aware, (1, 0)))
        verdicts += [[protocol, name, model] + [results.verdicts(measure, protocol, name, model, method) for method, measure in columns]
                     for model in MODELS]  # fmt: skip
    out = [*text, "F1macro divided by that of the same model on raw rows, mean ± half of the 95% interval; `over` is the paired difference "
           "of F1macro to Mondrian.\n"]
    out.append(markdown(["protocol", "table", "model", "(k,l)", "Mondrian", "TA_DA multiway", "over", "TA_DA binary", "over"], rows))
    out.append("Cells in which a method is above Mondrian by its interval / undecided / below:\n")
    out.append(markdown(["protocol", "table", "model", "TA_DA multiway: F1macro", "accuracy", "TA_DA binary: F1macro", "accuracy"], verdicts))
    (options.out / f"classification{'_full' if options.full else ''}.md").write_text("\n".join(out))


if __name__ == "__main__":
    main()
