#!/usr/bin/env python3
"""What does Mondrian gain by looking at the label? infogain against the median for a class, regression against it for a number.

Protocol: the table's rows (a seeded sample if it is larger than --rows) are cut into folds; each time the other folds are released, a
decision tree is trained on the release and tested on the raw fold. Both methods get the same rows and folds, so that differences over
seeds are paired. Two ways to read a release: multi-hot (intervals to midpoints), and draw (values drawn inside the cells by `tada
decode`). Accuracy for the class of Adult (8 quasi-identifiers), R2 for age in Census.

    studies/workload_aware.py --tada build/tada --data ../shared/data [--seeds 10] [--rows 12000] [--folds 5] [--out FILE]

Needs numpy and scikit-learn. Released files are all that is read of a release; every one was audited by the program itself.
"""

import functools
import gzip
import pathlib
import shutil
import subprocess
import tempfile

import numpy as np
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from common import interval, plot, table_study
from released_cells import Encoder, is_numeric, read, write

STUDIES = {
    "Adult, income": dict(file="adult/adult_train_complete.csv", label="income", method="infogain",
                          quasi="age,sex,race,marital-status,education,native-country,workclass,occupation"),
    "Census, age": dict(file="census_income_kdd/census_qi15.csv.gz", label="age", method="regression",
                        quasi="class_of_worker,education,marital_stat,major_industry_code,sex,tax_filer_stat,citizenship,"
                              "weeks_worked_in_year"),
}
KS = [10, 25, 50, 100]


def release(options, source, target, roles, method, k, seed):
    """The released table by how it is read."""
    command = [options.tada, "anonymize", source, "--quasi", roles["quasi"], "--label", roles["label"], "--method", method, "-k", k,
               "--seed", seed, "--threads", 1, "-o", target, "--force", "--quiet"]
    subprocess.run(list(map(str, command)), check=True)
    drawn = target.with_suffix(".drawn.csv")
    decode = [options.tada, "decode", target, "--quasi", roles["quasi"], "--seed", seed, "--threads", 1, "-o", drawn, "--force", "--quiet"]
    subprocess.run(list(map(str, decode)), check=True)
    return {"multi-hot": read(target), "draw": read(drawn)}


def predict(train, test, label, quasi, numeric, regression, seed):
    """Accuracy, or R2, on the test rows."""
    encode = Encoder(train, quasi, numeric)
    if regression:
        tree = DecisionTreeRegressor(min_samples_leaf=20, random_state=seed).fit(encode(train), train[label].astype(float))
        truth = test[label].astype(float)
        return 1 - ((tree.predict(encode(test)) - truth) ** 2).mean() / truth.var()
    tree = DecisionTreeClassifier(min_samples_leaf=20, random_state=seed).fit(encode(train), train[label].astype(str))
    return (tree.predict(encode(test)) == test[label].astype(str)).mean()


def load(options, name, folder):
    roles = STUDIES[name]
    source = pathlib.Path(options.data) / roles["file"]
    if source.suffix == ".gz":
        with gzip.open(source) as packed, open(folder / "table.csv", "wb") as plain:
            shutil.copyfileobj(packed, plain)
        source = folder / "table.csv"
    table = read(source)
    return {column: table[column] for column in [*roles["quasi"].split(","), roles["label"]]}


def one_seed(options, table, key):
    """The means over the folds of one seed: (k, reading, method, mean), and of the raw rows under (0, "", "raw")."""
    with tempfile.TemporaryDirectory() as folder:
        return means_of(options, table, pathlib.Path(folder), name=key[0], seed=key[3])


def means_of(options, table, folder, name, seed):
    roles = STUDIES[name]
    label, quasi, regression = roles["label"], roles["quasi"].split(","), roles["method"] == "regression"
    numeric = {column for column in quasi if is_numeric(table[column])}
    rows = np.random.default_rng(seed).permutation(len(table[label]))[: options.rows]
    folds = (KFold if regression else StratifiedKFold)(options.folds, shuffle=True, random_state=seed)
    found = {}
    for train_rows, test_rows in folds.split(rows, table[label][rows].astype(str)):
        write(folder / "train.csv", table, rows[train_rows])
        test = {column: values[rows[test_rows]] for column, values in table.items()}
        found.setdefault((0, "", "raw"), []).append(predict(read(folder / "train.csv"), test, label, quasi, numeric, regression, seed))
        for k in KS:
            for method in ("mondrian", roles["method"]):
                released = release(options, folder / "train.csv", folder / "out.csv", roles, method, k, seed + 1)
                for reading, given in released.items():
                    found.setdefault((k, reading, method), []).append(predict(given, test, label, quasi, numeric, regression, seed))
    return [[*cell, float(np.mean(values))] for cell, values in found.items()]


def study(options, name, folder, store):
    table, roles = load(options, name, folder), STUDIES[name]
    keys = [(name, options.rows, options.folds, seed) for seed in range(options.seeds)]
    store.fill(keys, functools.partial(one_seed, options, table))
    scores = {}  # (k, reading) -> method -> one mean per seed
    for key in keys:
        for k, reading, method, mean in store.found[key]:
            scores.setdefault((k, reading), {}).setdefault(method, []).append(mean)
    raw = np.mean(scores.pop((0, ""))["raw"])
    for (k, reading), by_method in scores.items():
        median, aware = np.array(by_method["mondrian"]), np.array(by_method[roles["method"]])
        gain, half = interval(aware - median)
        yield [name, k, reading, f"{raw:.3f}", f"{median.mean():.3f}", f"{aware.mean():.3f}", f"{gain:+.3f} ± {half:.3f}"]
    if options.out:
        draw_curves(options.out, name, roles, raw, scores)


def draw_curves(out, name, roles, raw, scores):
    """Accuracy or R2 against k, one picture a reading, with the 95% interval of each mean."""
    for reading in ("multi-hot", "draw"):
        methods = {"median": "mondrian", roles["method"]: roles["method"]}
        curves = {words: [(k, *interval(scores[k, reading][method])) for k in KS] for words, method in methods.items()}
        curves["raw rows"] = [(k, raw, 0.0) for k in KS]
        plot(out.with_name(f"{out.stem}_{name.split(',')[0]}_{reading}.svg"), f"{name}, cells read as {reading}", "k",
             "R2" if roles["method"] == "regression" else "accuracy", curves)


if __name__ == "__main__":
    table_study(__doc__, STUDIES, ["data, label", "k", "reading", "raw", "median", "aware", "aware - median, paired"], study, rows=12000,
                more={"folds": 5})
