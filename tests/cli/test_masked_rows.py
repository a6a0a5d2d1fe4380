"""Rows that a method masks show `*` and nothing else, and are counted."""

import json
import random

QUASI = ["age", "zip", "job"]


def test_outliers_that_are_masked_show_no_cell(tada):
    draw = random.Random(5)
    people = [(draw.randint(20, 25), draw.randint(100, 105), draw.choice("ab")) for _ in range(200)]
    people += [(draw.randint(30, 90), draw.randint(110, 199), draw.choice("cdef")) for _ in range(30)]
    tada.write("in.csv", "age,zip,job\n" + "".join(f"{age},{zip_code},{job}\n" for age, zip_code, job in people))
    tada("anonymize", "in.csv", "--quasi", ",".join(QUASI), "-k", "5", "--method", "dop", "--noise", "mask", "-o", "out.csv", "--report", "report.json")
    released = tada.read("out.csv")
    masked = [row for row in released if "*" in row.values()]
    assert 5 <= len(masked) < len(released) == len(people)
    assert all(row[column] == "*" for row in masked for column in QUASI)
    assert json.loads((tada.folder / "report.json").read_text())["reached"]["masked"] == len(masked)
