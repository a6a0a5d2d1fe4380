"""One Spark session for all tests of tada.spark: starting one takes seconds. Executors of local-cluster are processes of their own."""

import atexit
import os
import pathlib
import shutil
import sys
import tempfile

import pytest

SOURCES = pathlib.Path(__file__).resolve().parent.parent / "python" / "src"


def start(master, folder, **settings):
    """A session; the tests import PySpark, so that those without it are skipped."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = str(SOURCES)
    os.environ["TZ"] = "UTC"
    builder = SparkSession.builder.master(master).appName("tada")
    defaults = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.memory": "1g",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "4",
        "spark.default.parallelism": "2",
        "spark.sql.session.timeZone": "UTC",
        "spark.executorEnv.PYTHONPATH": str(SOURCES),
        "spark.local.dir": str(folder),
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
    }
    for name, value in {**defaults, **settings}.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


def from_arrow(spark, table):
    """A frame with these rows, in whatever version."""
    import pyarrow.parquet

    folder = tempfile.mkdtemp(prefix="tada-rows-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    pyarrow.parquet.write_table(table, f"{folder}/rows.parquet")
    return spark.read.parquet(folder)


# Of hundreds of small jobs most of the time goes into compiling what is run once.
_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Xshare:auto"
QUICK = {
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.driver.extraJavaOptions": _JAVA,
    "spark.executor.extraJavaOptions": _JAVA,
}


@pytest.fixture(scope="session")
def spark(tmp_path_factory):
    session = start(os.environ.get("TADA_SPARK_MASTER", "local-cluster[2,1,1024]"), tmp_path_factory.mktemp("spark"), **QUICK)
    yield session
    session.stop()
