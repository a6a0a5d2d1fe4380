"""Cells of released files as features, for the studies that go by files: `[a,b]`, `{a,b}` and `*` beside plain values."""

import csv
import gzip

import numpy as np


def read(path, separator=","):
    opener = gzip.open if str(path).endswith(".gz") else open
    with opener(path, "rt", newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file, delimiter=separator))
    return {name: np.array(values, dtype=object) for name, values in zip(rows[0], zip(*rows[1:], strict=True), strict=True)}


def write(path, table, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(table)
        writer.writerows(zip(*(table[name][rows] for name in table), strict=True))


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
    """Columns of names to one column per value, numbers standardized; fitted on what the receiver has."""

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


class ExpectedEncoder:
    """Of a table of means and probabilities (`tada decode --expect`), with a column `name=value` for each value; raw rows are certain."""

    def __init__(self, table, columns, numeric):
        self.plain = Encoder(table, [name for name in columns if name in table], numeric)
        self.shares = {name: [share for share in table if share.startswith(name + "=")] for name in columns if name not in table}

    def __call__(self, table):
        parts = [self.plain(table)]
        for name, shares in self.shares.items():
            parts += [(table[name] == share.removeprefix(name + "=") if name in table else table[share]).astype(float)[:, None] for share in shares]
        return np.hstack(parts)
