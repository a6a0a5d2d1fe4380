"""What tada.spark does besides tests/spark/test_spark.py: further requirements, whole controllers, CSV files, folders of values, notebooks."""

import json
import os
import subprocess
import sys

import pytest

pytest.importorskip("pyspark", reason="make test-spark has it")

import pyarrow as pa
import pyarrow.parquet

import tada
import tada.spark
from spark_session import from_arrow, spark  # noqa: F401 - a fixture
from spread import people, row_counts
from tada import _core
from tada._spark import frames, run, tasks

QUASI = ["age", "zip", "job", "weight", "since"]
ROWS = 600
PLANS = {
    "closeness of controllers": (dict(k=5, sensitive=["drug"], closeness="0.5", controller_column="site", stratify="never"), 100),
    "compact of whole controllers": (dict(k=5, method="compact", controller_column="site", keep=["note"]), ROWS),
}


def frame_of(spark, table):
    return from_arrow(spark, table).repartition(2)


@pytest.mark.parametrize("name", PLANS)
def test_the_rows_are_those_of_one_machine(spark, name):
    plan, local_rows = PLANS[name]
    expected = tada.anonymize(people(ROWS), quasi=QUASI, **plan)
    with tada.spark.anonymize(frame_of(spark, people(ROWS)), quasi=QUASI, local_rows=local_rows, **plan) as release:
        assert row_counts(frames.to_arrow(release.table)) == row_counts(expected.table)
        assert release.report["reached"] == expected.report["reached"]


@pytest.mark.parametrize("constants", [dict(_TOLD_HERE=1), dict(_TOLD_HERE=1, _MOST_TOLD=3)], ids=["many parts", "many values, files elsewhere"])
def test_what_is_too_much_for_the_driver_is_left_to_spark(spark, monkeypatch, constants):
    """Many parts meet before they tell their values, many values are counted by Spark, and files that are on no disk are written and read by it."""
    for name, value in constants.items():
        monkeypatch.setattr(run, name, value)
    if "_MOST_TOLD" in constants:
        monkeypatch.setattr(frames.Folders, "on_disk", lambda *_: None)
    table = people(300).append_column("patient_id", pa.array(range(300)))  # by its rows it names nobody twice
    expected = tada.anonymize(table, quasi=QUASI, sensitive=["disease"], k=5, l=2, controller_column="site")
    frame = frame_of(spark, table)
    with tada.spark.anonymize(frame, quasi=QUASI, sensitive=["disease"], k=5, l=2, controller_column="site", local_rows=300) as release:
        assert row_counts(frames.to_arrow(release.table)) == row_counts(expected.table)
        assert release.report["reached"] == expected.report["reached"]
    with pytest.raises(tada.UsageError, match="patient_id"):
        tada.spark.anonymize(frame_of(spark, pa.concat_tables([table, table])), quasi=QUASI, k=5)


ASKED = dict(quasi=QUASI, sensitive=["disease"], k=5, l=3)


@pytest.fixture(scope="module")
def release(spark):
    """Of rows whose texts are hard to write; typed cells."""
    table = people(ROWS)
    notes = pa.array([["plain", "a,b", 'say "so"', "two\nlines", " blank ", "", None, "=1+1", "ß{}"][i % 9] for i in range(ROWS)])
    table = table.set_column(table.column_names.index("note"), "note", notes)
    with tada.spark.anonymize(frame_of(spark, table), keep=["note", "site"], local_rows=200, **ASKED) as made:
        yield made


def test_a_folder_appears_whole(release, tmp_path):
    scratch = release._run.scratch.removeprefix("file://")
    assert sorted(os.listdir(scratch)) == ["release"]  # raw values are gone
    release.write(tmp_path / "out")
    release.write_report(tmp_path / "report.html")
    release.write_report(tmp_path / "report.json")
    assert "Mondrian" in (tmp_path / "report.html").read_text()
    assert json.loads((tmp_path / "report.json").read_text())["reached"]["k"] >= 5
    with pytest.raises(tada.OutputError, match="exists"):
        release.write(tmp_path / "out")
    written = pa.parquet.read_table(tmp_path / "out")
    assert row_counts(written) == row_counts(frames.to_arrow(release.table))
    assert [name for name in os.listdir(tmp_path) if name.startswith(".tada-")] == []
    verdict = tada.spark.audit(release.table, **ASKED)
    assert verdict.passed and verdict.k == release.report["reached"]["k"] and verdict.l == release.report["reached"]["l"]
    assert not tada.spark.audit(release.table, quasi=QUASI, k=verdict.k + 1).passed
    closeness = tada.audit(written, **ASKED, closeness="0.1").details["t"]
    assert tada.spark.audit(release.table, **ASKED, closeness="0.1").details["t"] == closeness


def test_folders_of_values(release, spark, tmp_path):
    release.write(tmp_path / "out", partition_by=["site"])
    assert sorted(name for name in os.listdir(tmp_path / "out") if "=" in name) == ["site=north", "site=south"]
    assert row_counts(frames.to_arrow(spark.read.parquet(str(tmp_path / "out")).select(*release.table.columns))) == row_counts(frames.to_arrow(release.table))
    with pytest.raises(tada.OutputError, match="not the release"):  # such folders have no name for an empty text
        release.write(tmp_path / "other", partition_by=["note"])
    assert sorted(os.listdir(tmp_path)) == ["out"]


def test_csv_files_are_those_that_the_program_writes(release, tmp_path):
    """Cells that need quotes, lines inside cells: our reader finds every one of them, and the program's audit passes."""
    release.write(tmp_path / "out", format="csv")
    files = sorted((tmp_path / "out").glob("*.csv"))
    assert files and len({file.read_text().splitlines()[0] for file in files}) == 1
    texts = [pa.Table.from_batches(tasks._texts(_core.read_cells(str(file), ",", None))) for file in files]
    expected = pa.Table.from_batches(tasks._texts(_core.cells_of(frames.to_arrow(release.table).__arrow_c_stream__())))
    assert sum((row_counts(table) for table in texts), start=type(row_counts(expected))()) == row_counts(expected)
    program = os.environ.get("TADA_BINARY", "build/tada")
    if not os.path.exists(program):
        pytest.skip("the program is not built")
    asked = ["--quasi", ",".join(QUASI), "--sensitive", "disease", "-k", "5", "-l", "3"]
    found = subprocess.run([program, "audit", str(tmp_path / "out"), *asked, "--json"], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout)["rows"] == ROWS


def test_terminals_and_notebooks_are_told_by_default(monkeypatch, capsys):
    assert tada.spark._shown(None) is None  # a log file is not
    monkeypatch.setitem(sys.modules, "ipykernel", sys)
    tada.spark._shown(None)("levels", 0, 600, "level 1, 1 open nodes, 600 rows")
    assert capsys.readouterr().err == "tada: levels: level 1, 1 open nodes, 600 rows\n"


def test_notebooks_show_a_release(release):
    assert "Audit passed" in release._repr_html_() and "<table>" in release._repr_html_()
