"""anjana as a method of `tada evaluate --run`: full-domain k-anonymity with suppression, on simple hierarchies. Run by the Python of .venv-peers
(scripts/setup peers):

    tada evaluate people.csv ... --run anjana='.venv-peers/bin/python bench/peers/anjana_method.py {input} {output} {k} age,zip,sex disease'

Numbers are widened to intervals of a 32nd, an 8th and half of the column's range, names to `*`. anjana suppresses up to 10% of the rows."""

import contextlib
import sys

import numpy
import pandas
from anjana import anonymity

source, target, k, quasi, label = sys.argv[1:6]
table = pandas.read_csv(source, dtype=str, keep_default_na=False).reset_index(drop=True)
quasi = quasi.split(",")


def levels(column: pandas.Series) -> dict[int, numpy.ndarray]:
    numbers = pandas.to_numeric(column, errors="coerce")
    if numbers.isna().any():
        return {0: column.to_numpy(), 1: numpy.full(len(column), "*")}
    found = {0: column.to_numpy()}
    low, high = numbers.min(), numbers.max()
    narrow = max(1, int(numpy.ceil((high - low + 1) / 32)))
    for width in (narrow, 4 * narrow, 16 * narrow):  # each level inside the next
        begin = low + (numbers - low) // width * width
        found[len(found)] = numpy.array([f"[{int(start)},{int(start + width - 1)}]" for start in begin])
    found[len(found)] = numpy.full(len(column), "*")
    return found


with contextlib.redirect_stdout(sys.stderr):  # it prints
    released = anonymity.k_anonymity(table, [], quasi, int(k), 10, {name: levels(pandas.Series(table[name].unique())) for name in quasi})
if released.empty:
    sys.exit(f"anjana finds no release with k={k}; label {label}")
released.to_csv(target, index=False)
