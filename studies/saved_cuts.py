#!/usr/bin/env python3
"""Cuts that last, on Adult: the first 4,000 rows are cut, the last 4,000 are released by these cuts.

Prints what docs/apply.md shows: the share of rows that are withheld or released with a wider box, whether the cells are those of the first release, and
what a model that learned from the first release scores on the second, beside one that learned from the second itself. Both learn from decoded
rows. The second release's own model is cross-validated (5 folds of its decoded rows), the first's is asked about all of them; the scores on the raw rows of
the second are those of the same models.

    python studies/saved_cuts.py DATA
"""

from __future__ import annotations

import pathlib
import sys

import numpy
import pandas
from sklearn.model_selection import StratifiedKFold
from sklearn.preprocessing import OrdinalEncoder
from sklearn.tree import DecisionTreeClassifier

import tada

QUASI = ["age", "workclass", "education-num", "marital-status", "occupation", "race", "sex", "native-country"]
LABEL = "income"
ROWS = 4000


def parts(data: pathlib.Path) -> tuple[pandas.DataFrame, pandas.DataFrame]:
    table = pandas.read_csv(data / "adult/adult_train_complete.csv")[[*QUASI, LABEL]]
    return table.iloc[:ROWS].reset_index(drop=True), table.iloc[-ROWS:].reset_index(drop=True)


def features(frames: list[pandas.DataFrame]) -> list[numpy.ndarray]:
    """The same numbers for all: names by one encoder over both."""
    names = [name for name in QUASI if not pandas.api.types.is_numeric_dtype(frames[0][name])]
    encoder = OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1).fit(pandas.concat(frames)[names].astype(str))
    made = []
    for frame in frames:
        numbers = frame.drop(columns=[LABEL])[QUASI].copy()
        numbers[names] = encoder.transform(frame[names].astype(str))
        made.append(numbers.astype(float).to_numpy())
    return made


def decoded(release: tada.Release) -> pandas.DataFrame:
    frame = tada.decode(release.table, copies=1, seed=1).to_pandas()
    for name in ("age", "education-num"):
        frame[name] = pandas.to_numeric(frame[name])
    return frame


def study(data: pathlib.Path, k: int, method: str, misfits: str) -> dict[str, float]:
    first_rows, second_rows = parts(data)
    first = tada.anonymize(first_rows, quasi=QUASI, label=LABEL, k=k, method=method, range="cut", save_cuts=True)
    second = tada.apply(first.cuts, second_rows, misfits=misfits)
    applied = second.report["applied"]

    def cells(release: tada.Release) -> set[tuple[str, ...]]:
        return {tuple(map(str, row)) for row in release.table.select(QUASI).to_pandas().itertuples(index=False)}

    old, new = cells(first), cells(second)
    learned, asked = decoded(first), decoded(second)
    x_learned, x_asked, x_raw = features([learned, asked, second_rows])
    y_learned, y_asked, y_raw = (frame[LABEL].to_numpy() for frame in (learned, asked, second_rows))
    folds = []
    for train, test in StratifiedKFold(5, shuffle=True, random_state=1).split(x_asked, y_asked):
        model = DecisionTreeClassifier(max_leaf_nodes=64, random_state=1).fit(x_asked[train], y_asked[train])
        folds.append(model.score(x_asked[test], y_asked[test]))
    old_model = DecisionTreeClassifier(max_leaf_nodes=64, random_state=1).fit(x_learned, y_learned)
    new_model = DecisionTreeClassifier(max_leaf_nodes=64, random_state=1).fit(x_asked, y_asked)
    return {
        "audit": float(second.audit().passed),
        "withheld": applied["withheld_rows"] / ROWS,
        "raised": applied["raised"] / ROWS,
        "old_cells": len(new & old) / len(new),
        "of_first": float(old_model.score(x_asked, y_asked)),
        "of_second": float(numpy.mean(folds)),
        "of_first_raw": float(old_model.score(x_raw, y_raw)),
        "of_second_raw": float(new_model.score(x_raw, y_raw)),
    }


def main() -> None:
    data = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/data")
    print("| method, k | misfits | withheld | wider box | cells of the first | first's model | own model | raw rows: first's | raw rows: own |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for method in ("mondrian", "infogain", "ta_da"):
        for k in (10, 25):
            for misfits in ("up", "withhold"):
                f = study(data, k, method, misfits)
                print(
                    f"| {method}, {k} | {misfits} | {f['withheld']:.1%} | {f['raised']:.1%} | {f['old_cells']:.1%} | {f['of_first']:.3f} | {f['of_second']:.3f}"
                    f" | {f['of_first_raw']:.3f} | {f['of_second_raw']:.3f} |"
                )


if __name__ == "__main__":
    main()
