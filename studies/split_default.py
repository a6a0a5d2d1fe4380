#!/usr/bin/env python3
"""Which tree should be the default: two-way splits (--split binary) or one child a category (--split multiway)?

Protocol: 80% of the rows, stratified by the label, are released with two controllers; a model is trained on the release and tested on
the raw other 20%. The measure is F1macro divided by that of the same model trained on the raw 80%. Seeds reshuffle the split and the
controllers; both trees get the same seeds, so differences are paired. Two ways to read a release:
  multi-hot   a set is several ones, an interval its midpoint; what a receiver does who does nothing else
  draw        every widened cell becomes values drawn inside it, by the share that all cells of its column together suggest

    studies/split_default.py --tada build/tada --data ../shared/data [--seeds 10] [--rows 15000] [--models gbm,mlp] [--out table.md]

Needs numpy and scikit-learn. Released files are all that is read of a release; every one was audited by the program itself.
"""

import copy
import csv
import functools
import gzip
import math
import pathlib
import subprocess
import tempfile
import warnings

import numpy as np
from common import interval, table_study
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.metrics import f1_score, log_loss
from sklearn.model_selection import train_test_split
from sklearn.neural_network import MLPClassifier

warnings.filterwarnings("ignore", module="sklearn")  # a network that stops at its last epoch
DATASETS = {
    "Bank": dict(file="bank/bank-full.csv", separator=";", sensitive="default", label="y",
                 quasi="age,balance,duration,job,marital,education,housing,loan",
                 keep="pdays,previous,campaign,poutcome,contact,day,month"),
    "Customer": dict(file="customer_segmentation/train_complete.csv", separator=",", sensitive="Spending_Score", label="Segmentation",
                     quasi="Age,Work_Experience,Family_Size,Gender,Ever_Married,Graduated,Profession", keep="Var_1"),
    "Nursery": dict(file="nursery/nursery.csv", separator=",", sensitive="social", label="class", keep="", drop_label="recommend",
                    quasi="parents,has_nurs,form,children,housing,finance,health"),
}
CELLS = [(10, 2), (50, 2)]
DRAWN_ROWS, MOST_COPIES, ROUNDS, MOST_ATOMS = 30000, 4, 20, 400


def read(path, separator=","):
    opened = gzip.open(path, "rt", newline="", encoding="utf-8") if str(path).endswith(".gz") else open(path, newline="", encoding="utf-8")
    with opened as file:
        rows = list(csv.reader(file, delimiter=separator))
    return {name: np.array(values, dtype=object) for name, values in zip(rows[0], zip(*rows[1:]))}


def write(path, table, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(table)
        writer.writerows(zip(*(table[name][rows] for name in table)))


def is_numeric(values):
    try:
        [float(value) for value in set(values)]
        return True
    except ValueError:
        return False


def elements(cell):
    """The values of `{a,b}`; none of the tables has values that need quotes."""
    return cell[1:-1].split(",") if cell.startswith("{") else [cell]


def bounds(cell, low, high):
    if cell == "*":
        return low, high
    if cell.startswith("["):
        lower, upper = cell[1:-1].split(",")
        return float(lower), float(upper)
    return float(cell), float(cell)


class Encoder:
    """Columns of names to one column a value, numbers standardized; fitted on what the receiver has."""

    def __init__(self, table, columns, numeric):
        self.columns, self.numeric, self.domain, self.scale = columns, numeric, {}, {}
        for name in columns:
            if name in numeric:
                middles = self.middles(table[name])
                self.scale[name] = (middles.mean(), middles.std() or 1.0)
            else:
                self.domain[name] = sorted({value for cell in set(table[name]) if cell != "*" for value in elements(cell)})

    def middles(self, cells):
        ends = [float(end) for cell in set(cells) if cell != "*" for end in bounds(cell, 0, 0)]
        low, high = (min(ends), max(ends)) if ends else (0, 0)
        middle = {cell: sum(bounds(cell, low, high)) / 2 for cell in set(cells)}
        return np.array([middle[cell] for cell in cells])

    def __call__(self, table):
        parts = []
        for name in self.columns:
            if name in self.numeric:
                mean, deviation = self.scale[name]
                parts.append(((self.middles(table[name]) - mean) / deviation)[:, None])
                continue
            values = self.domain[name]
            place = {value: at for at, value in enumerate(values)}
            rows = {}
            for cell in set(table[name]):
                row = np.zeros(len(values))
                if cell == "*":
                    row[:] = 1
                row[[place[value] for value in elements(cell) if value in place]] = 1
                rows[cell] = row
            parts.append(np.array([rows[cell] for cell in table[name]]))
        return np.hstack(parts)


def draw(table, quasi, numeric, seed):
    """Every row several times, each widened cell a value drawn inside it (spec: share of a value by all cells together)."""
    random = np.random.default_rng(seed)
    rows = len(next(iter(table.values())))
    copies = int(np.clip(DRAWN_ROWS // rows, 1, MOST_COPIES))
    drawn = {name: np.tile(values, copies) for name, values in table.items()}
    for name in quasi:
        cells, inverse, counts = np.unique(table[name].astype(str), return_inverse=True, return_counts=True)
        if name in numeric:
            ends = sorted({end for cell in cells if cell != "*" for end in bounds(cell, 0, 0)})
            if len(ends) > MOST_ATOMS:
                ends = sorted(set(np.quantile(ends, np.linspace(0, 1, MOST_ATOMS), method="nearest")))
            atoms = np.array(ends)
            inside = np.array([(atoms >= low) & (atoms <= high) for low, high in (bounds(cell, atoms[0], atoms[-1]) for cell in cells)])
        else:
            atoms = np.array(sorted({value for cell in cells if cell != "*" for value in elements(cell)}), dtype=object)
            place = {value: at for at, value in enumerate(atoms)}
            inside = np.zeros((len(cells), len(atoms)), bool)
            for at, cell in enumerate(cells):
                inside[at, [place[value] for value in elements(cell)] if cell != "*" else slice(None)] = True
        share = np.full(len(atoms), 1 / len(atoms))
        for _ in range(ROUNDS // (2 if name in numeric else 1)):
            weights = inside * share
            total = weights.sum(axis=1, keepdims=True)
            share = ((weights / np.where(total > 0, total, 1)) * counts[:, None]).sum(axis=0)
            share /= share.sum()
        values = np.empty(rows * copies, dtype=object)
        tiled = np.tile(inverse, copies)
        for at, cell in enumerate(cells):
            where = np.flatnonzero(tiled == at)
            weights = inside[at] * share
            if cell[0] not in "[{*" or cell.startswith("-"):
                values[where] = cell
            elif weights.sum() == 0:
                values[where] = str(sum(bounds(cell, 0, 0)) / 2)
            else:
                values[where] = random.choice(atoms, size=len(where), p=weights / weights.sum()).astype(str)
        drawn[name] = values
    return drawn


class Network:
    """The network, with the stopping rule of the study. Of `rows` released rows, which may be there several times, one behind the
    other, a tenth is held out with all its draws: held-out copies of rows that are learned from would say to go on."""

    def __init__(self, seed, rows):
        self.seed, self.rows = seed, rows

    def fit(self, x, y):
        parts = train_test_split(np.arange(self.rows), test_size=.1, random_state=self.seed, stratify=y[:self.rows])
        if len(y) > self.rows:
            of_row = np.arange(len(y)) % self.rows
            parts = [np.flatnonzero(np.isin(of_row, part)) for part in parts]
        fit_rows, held_rows = parts
        classes = np.unique(y)
        network = MLPClassifier((64, 32, 16), batch_size=200, random_state=self.seed)
        best, waited = math.inf, 0
        for _ in range(60):
            network.partial_fit(x[fit_rows], y[fit_rows], classes=classes)
            loss = log_loss(y[held_rows], network.predict_proba(x[held_rows]), labels=classes)
            if loss < best:
                best, waited, self.best = loss, 0, (copy.deepcopy(network.coefs_), copy.deepcopy(network.intercepts_))
            elif (waited := waited + 1) == 5:
                break
        network.coefs_, network.intercepts_ = self.best
        self.network = network
        return self

    def predict(self, x):
        return self.network.predict(x)


def make_model(name, seed, rows):
    """Of a release of so many rows."""
    if name == "mlp":
        return Network(seed, rows)
    return HistGradientBoostingClassifier(max_iter=60, learning_rate=.12, max_leaf_nodes=15, l2_regularization=1,
                                          early_stopping=False, random_state=seed)


def score(name, seed, rows, train, test, label, columns, numeric):
    encode = Encoder(train, columns, numeric)
    fitted = make_model(name, seed, rows).fit(encode(train), train[label].astype(str))
    return f1_score(test[label].astype(str), fitted.predict(encode(test)), average="macro")


def release(options, roles, source, target, split, k, l, seed):
    command = [options.tada, "anonymize", source, "--quasi", roles["quasi"], "--sensitive", roles["sensitive"], "--label", roles["label"],
               "--controllers", 2, "-k", k, "-l", l, "--seed", seed, "--threads", 1, "-o", target, "--force", "--quiet"]
    command += ["--keep", roles["keep"]] if roles["keep"] else []
    command += ["--method", "mondrian"] if split == "mondrian" else ["--method", "ta_da", "--split", split]
    subprocess.run(list(map(str, command)), check=True)
    return read(target)


def one_cell(options, table, key):
    """The ratios of one seed: (model, reading, split, ratio)."""
    with tempfile.TemporaryDirectory() as folder:
        return ratios_of(options, table, pathlib.Path(folder), *key)


def ratios_of(options, table, folder, name, _rows, _models, k, l, seed):
    roles = DATASETS[name]
    label, quasi = roles["label"], roles["quasi"].split(",")
    columns = [column for column in table if column != label]
    numeric = {column for column in columns if is_numeric(table[column])}
    rows = np.arange(len(table[label]))
    if len(rows) > options.rows:
        rows, _ = train_test_split(rows, train_size=options.rows, stratify=table[label], random_state=seed)
    train_rows, test_rows = train_test_split(rows, test_size=.2, stratify=table[label][rows], random_state=seed)
    source, target = folder / "train.csv", folder / "release.csv"
    write(source, table, train_rows)
    train = read(source)
    test = {column: values[test_rows] for column, values in table.items()}
    raw = {m: score(m, seed, len(train_rows), train, test, label, columns, numeric) for m in options.models.split(",")}
    ratios = []
    for split in ("mondrian", "multiway", "binary"):
        released = release(options, roles, source, target, split, k, l, seed + 1)
        for reading in ("multi-hot", "draw"):
            given = released if reading == "multi-hot" else draw(released, quasi, numeric, seed)
            ratios += [[m, reading, split, score(m, seed, len(train_rows), given, test, label, columns, numeric) / raw[m]] for m in raw]
    return ratios


def study(options, name, _folder, store):
    roles = DATASETS[name]
    table = read(pathlib.Path(options.data) / roles["file"], roles["separator"])
    kept = table[roles["label"]] != roles.get("drop_label")
    columns = roles["quasi"].split(",") + [roles["sensitive"]] + [column for column in roles["keep"].split(",") if column]
    table = {column: table[column][kept] for column in [*columns, roles["label"]]}
    keys = [(name, options.rows, options.models, k, l, seed) for k, l in CELLS for seed in range(options.seeds)]
    store.fill(keys, functools.partial(one_cell, options, table))
    for k, l in CELLS:
        ratios = {}
        for key in (key for key in keys if key[3:5] == (k, l)):
            for m, reading, split, ratio in store.found[key]:
                ratios.setdefault((m, reading), {}).setdefault(split, []).append(ratio)
        for (m, reading), by_split in ratios.items():
            gain, half = interval(np.array(by_split["binary"]) - np.array(by_split["multiway"]))
            means = [f"{np.mean(by_split[split]):.3f}" for split in ("mondrian", "multiway", "binary")]
            yield [f"{name} ({k},{l})", m, reading, *means, f"{gain:+.3f} ± {half:.3f}"]


if __name__ == "__main__":
    table_study(__doc__, DATASETS, ["data (k,l)", "model", "reading", "mondrian", "multiway", "binary", "binary - multiway, paired"], study,
                rows=15000, more={"models": "gbm,mlp"})
