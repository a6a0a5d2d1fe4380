"""ai-privacy-toolkit as a method of `tada evaluate --run`: k-anonymity guided by the predictions of a tree.

Run by the Python of .venv-peers (scripts/setup peers):

    tada evaluate people.csv ... --run ai_privacy='.venv-peers/bin/python bench/peers/ai_privacy_method.py {input} {output} {k} age,zip,sex disease'

It replaces the values of a group by one representative each, so that cells are not true of everybody: the audit says so."""

import pathlib
import sys
import sysconfig
import types
from unittest import mock

import numpy
import pandas
from sklearn.tree import DecisionTreeClassifier

# The package as a whole wants torch and an attack library, a gigabyte; anonymizing arrays needs neither.
whole = types.ModuleType("apt")
whole.__path__ = [str(pathlib.Path(sysconfig.get_paths()["purelib"]) / "apt")]
sys.modules["apt"] = whole
sys.modules.setdefault("torch", mock.MagicMock())

from apt.anonymization import Anonymize  # noqa: E402
from apt.utils.datasets import ArrayDataset  # noqa: E402

source, target, k, quasi, label = sys.argv[1:6]
table = pandas.read_csv(source, dtype=str, keep_default_na=False)
quasi = quasi.split(",")

codes, names = {}, {}
for column in quasi:
    numbers = pandas.to_numeric(table[column], errors="coerce")
    if numbers.isna().any():
        codes[column], names[column] = pandas.factorize(table[column], sort=True)
    else:
        codes[column] = numbers
rows = pandas.DataFrame(codes)
truth = pandas.factorize(table[label], sort=True)[0]
answers = DecisionTreeClassifier(random_state=1, min_samples_leaf=int(k)).fit(rows, truth).predict(rows)
released = Anonymize(int(k), list(range(len(quasi)))).anonymize(ArrayDataset(rows.to_numpy(), numpy.asarray(answers)))
for position, column in enumerate(quasi):
    values = pandas.Series(numpy.asarray(released)[:, position])
    if column in names:
        table[column] = names[column].take(values.astype(int))
    else:
        table[column] = values.map(lambda number: f"{float(number):g}")
table.to_csv(target, index=False)
