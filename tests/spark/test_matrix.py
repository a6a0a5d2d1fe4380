"""The same rows as one machine, for every combination of method, requirement, controllers, local_rows and two orders of the rows."""

import functools

import pytest

pytest.importorskip("pyspark", reason="make test-spark has it")

import pyarrow as pa

import tada
import tada.spark
from spark_session import from_arrow, spark  # noqa: F401 - a fixture
from spread import people, row_counts
from tada._spark import frames

ROWS = 400
QUASI = ["age", "zip", "job", "weight", "since"]
METHODS = {
    "mondrian": dict(method="mondrian"),
    "infogain": dict(method="infogain", label=["buys"]),
    "regression": dict(method="regression", label=["cost"]),
    "ta_da": dict(method="ta_da", label=["buys"], split="multiway"),
}
REQUIREMENTS = {
    "k": dict(k=5),
    "k,l": dict(k=5, l=3, sensitive=["disease"]),
    "entropy": dict(k=5, l=2, diversity="entropy", sensitive=["disease"]),
}
CONTROLLERS = {"one controller": {}, "controllers": dict(controller_column="site")}


@functools.cache
def on_one_machine(method, requirement, controllers):
    release = tada.anonymize(people(ROWS), quasi=QUASI, **METHODS[method], **REQUIREMENTS[requirement], **CONTROLLERS[controllers])
    return row_counts(release.table), release.report["reached"]


@pytest.mark.slow
@pytest.mark.parametrize("reverse", [False, True], ids=["as made", "reversed"])
@pytest.mark.parametrize("part", [1, 10, 100])
@pytest.mark.parametrize("controllers", CONTROLLERS)
@pytest.mark.parametrize("requirement", REQUIREMENTS)
@pytest.mark.parametrize("method", METHODS)
def test_the_rows_are_those_of_one_machine(spark, method, requirement, controllers, part, reverse):
    rows, reached = on_one_machine(method, requirement, controllers)
    table = people(ROWS)
    frame = from_arrow(spark, table.take(pa.array(range(ROWS - 1, -1, -1))) if reverse else table).repartition(2)
    plan = {**METHODS[method], **REQUIREMENTS[requirement], **CONTROLLERS[controllers]}
    with tada.spark.anonymize(frame, quasi=QUASI, local_rows=ROWS // part, **plan) as release:
        assert row_counts(frames.to_arrow(release.table)) == rows
        assert release.report["reached"] == reached
