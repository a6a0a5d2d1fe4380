"""Methods that look at labels and queries, through the Python package: the same options as on the command line."""

import random

import pyarrow as pa
import pytest

import tada


def people(rows=600):
    draw = random.Random(5)
    ages = [draw.randint(18, 90) for _ in range(rows)]
    return pa.table(
        {
            "age": ages,
            "job": [draw.choice("abcde") for _ in range(rows)],
            "ill": ["yes" if age > 60 else "no" for age in ages],
            "cost": [age * 10 + draw.randint(0, 50) for age in ages],
        }
    )


def test_infogain_and_regression_take_their_options():
    frame = people()
    release = tada.anonymize(frame, quasi=["age", "job"], label="ill", k=10, method="infogain", boundary_only=True)
    assert release.report["method"] == "infogain" and release.report["stages"] == ["infogain"]
    release = tada.anonymize(frame, quasi=["age", "job"], label="cost", k=10, method="regression", sample_grow=True)
    assert release.report["stages"] == ["regression"]
    release = tada.anonymize(frame, quasi=["age", "job"], label=["ill:2", "cost:1"], k=10, method="infogain")
    assert release.report["reached"]["k"] >= 10


def test_a_workload_is_a_file(tmp_path):
    path = tmp_path / "queries.toml"
    path.write_text('[[query]]\nwhere.age = {min = 61}\nwhere.job = ["a", "b"]\n')
    release = tada.anonymize(people(), quasi=["age", "job"], k=10, method="mondrian", workload=path)
    assert release.report["stages"] == ["workload"]
    with pytest.raises(ValueError, match="cannot be read"):
        tada.anonymize(people(), quasi=["age"], k=10, method="mondrian", workload=str(tmp_path / "none.toml"))


def test_memory_is_for_files():
    with pytest.raises(ValueError, match="memory"):
        tada.anonymize(people(), quasi=["age"], k=10, memory="64MB")
