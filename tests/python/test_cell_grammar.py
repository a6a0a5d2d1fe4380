"""Texts of cells are read in Python as the engine reads and writes them: random texts, both ways."""

import csv
import random
import struct
import warnings

import pytest

tada = pytest.importorskip("tada")
pa = pytest.importorskip("pyarrow")

from tada._cells import MASK, Interval, Reading, as_number, parse_text, split_set, value_texts  # noqa: E402


def texts(pieces, count, seed, longest=6):
    made = random.Random(seed)
    return ["".join(made.choice(pieces) for _ in range(made.randint(1, longest))) for _ in range(count)]


def decoded(columns, kind):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # cells that cannot be read
        return tada.decode(pa.table(columns), quasi=[f"{name}:{kind}" for name in columns], expect=True, threads=1)


def test_numbers_and_intervals_are_those_of_the_engine():
    pieces = ["1", "20", "-5", ".", "e", "+", "-", ",", "[", "]", "(", ")", "~", " to ", "..", ">=", "<", "0", "a"]
    made = [*texts(pieces, 600, seed=1), "(20)", "]20]", "[20]", "[20,20)"]
    columns = {f"c{i}": ["1", "2", "3", "[1,20]", text] for i, text in enumerate(made)}
    found = decoded(columns, "numeric")
    for name, cells in columns.items():
        value = found[name].to_pylist()[-1]
        is_read = not isinstance(value, str) or as_number(value) is not None
        cell = parse_text(cells[-1], Reading.NUMBERS)
        assert is_read == (cell is MASK or isinstance(cell, (float, Interval))), (cells[-1], value, cell)


def test_sets_are_those_of_the_engine():
    made = ["{" + text + "}" for text in texts(["a", "b,", "{", "}", '"', "\\", ",", " ", "é"], 600, seed=2)]
    columns = {f"c{i}": ["q", text] for i, text in enumerate(made)}
    found = decoded(columns, "categorical")
    for name, (_, text) in columns.items():
        values = {column[len(name) + 1 :] for column in found.column_names if column.startswith(f"{name}=") and float(found[column].to_pylist()[1]) > 0}
        elements = split_set(text)
        assert values == (set() if elements is None and text not in values else {text} if elements is None else set(elements)), text


def test_numbers_are_written_as_the_engine_writes_them(tmp_path):
    made = random.Random(3)
    values = [struct.unpack("d", made.randbytes(8))[0] for _ in range(500)] + [float(made.randint(0, 10 ** made.randint(1, 22))) for _ in range(500)]
    values = [value for value in values if abs(value) < 1e300] + [0.0, 0.1, 100000.0, 1e22, 123456789.5]
    frame = pa.table({"value": values, "group": ["x"] * len(values)})
    tada.anonymize(frame, quasi=["group"], keep=["value"], allow=["value"], k=2, keep_order=True, threads=1).write(tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(newline="") as file:
        assert [row["value"] for row in csv.DictReader(file)] == [value_texts(value)[0] for value in values]
