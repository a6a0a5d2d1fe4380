"""tada.spark through Spark Connect, in a process of its own, because a process has a classic session or one of Connect."""

import os
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("pyspark", reason="make test-spark has it")
pytest.importorskip("grpc", reason="pyspark[connect] has it")

TESTS = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = """
import sys
import tada, tada.spark
from pyspark.sql import SparkSession
from spread import people, row_counts
from tada._spark import frames

QUASI = ["age", "zip", "job", "weight"]
PLANS = [
    dict(k=5, l=3, sensitive=["disease"]),
    dict(k=5, method="infogain", label=["buys"]),
    dict(k=5, method="ta_da", label=["buys"], split="multiway"),
    dict(k=5, l=2, method="regression", label=["cost"], sensitive=["disease"], controller_column="site"),
]
spark = SparkSession.builder.remote("local[2]").config("spark.sql.shuffle.partitions", "2").config("spark.ui.enabled", "false").getOrCreate()
assert frames.is_connect(spark)
table = people(300)
frame = spark.createDataFrame(table)
for plan in PLANS:
    expected = tada.anonymize(table, quasi=QUASI, **plan)
    with tada.spark.anonymize(frame.repartition(2), quasi=QUASI, local_rows=100, **plan) as release:
        assert row_counts(frames.to_arrow(release.table)) == row_counts(expected.table), plan
        assert release.report["reached"] == expected.report["reached"], plan
        release.write(sys.argv[1] + "/" + plan.get("method", "mondrian"))
print("same rows")
spark.stop()
"""


def test_the_rows_are_those_of_one_machine(tmp_path):
    found = os.pathsep.join([str(TESTS), str(TESTS.parent / "python" / "src")])
    environment = {**os.environ, "PYTHONPATH": found, "PYSPARK_PYTHON": sys.executable, "TZ": "UTC", "SPARK_LOCAL_IP": "127.0.0.1"}
    environment.pop("SPARK_REMOTE", None)
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(tmp_path)], env=environment, capture_output=True, text=True, timeout=280, check=False)
    assert done.stdout.strip() == "same rows", done.stderr[-3000:]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["infogain", "mondrian", "regression", "ta_da"]
