"""tada.spark on a session whose executors are processes of their own: the same rows as one machine, audited, committed or not at all."""

import json
import os
import signal
import subprocess
import sys
import threading

import pytest

pytest.importorskip("pyspark", reason="make test-spark has it")

import pyarrow as pa
import pyarrow.parquet

import tada
import tada.spark
from shuffled import Shuffled
from spark_session import from_arrow, spark  # noqa: F401 - a fixture
from spread import people, row_counts
from tada import _core
from tada._spark import frames, run, tasks

QUASI = ["age", "zip", "job", "weight", "since"]
ROWS = 600
# Plan, local_rows and whether the rows are reversed. test_matrix.py has all combinations.
PLANS = {
    "mondrian": (dict(k=5, l=3, sensitive=["disease"], keep=["note"]), 60, False),
    "entropy, text cells": (dict(k=5, l=2, diversity="entropy", sensitive=["disease", "drug"], cells="text"), 6, True),
    "infogain": (dict(k=5, method="infogain", label=["buys"]), 60, True),
    "ta_da multiway": (dict(k=5, method="ta_da", label=["buys"], split="multiway"), 60, False),
    "regression of controllers": (dict(k=5, l=2, method="regression", label=["cost"], sensitive=["disease"], controller_column="site"), 100, True),
    "closeness of controllers": (dict(k=5, sensitive=["drug"], closeness="0.5", controller_column="site", stratify="never"), 100, False),
    "compact of whole controllers": (dict(k=5, method="compact", controller_column="site", keep=["note"]), ROWS, True),
}


def frame_of(spark, table, partitions=2, reverse=False):
    if reverse:
        table = table.take(pa.array(range(table.num_rows - 1, -1, -1)))
    return from_arrow(spark, table).repartition(partitions)


@pytest.mark.parametrize("name", PLANS)
def test_the_rows_are_those_of_one_machine(spark, name):
    plan, local_rows, reverse = PLANS[name]
    expected = tada.anonymize(people(ROWS), quasi=QUASI, **plan)
    steps = []
    frame = frame_of(spark, people(ROWS), reverse=reverse)
    with tada.spark.anonymize(frame, quasi=QUASI, local_rows=local_rows, progress=lambda *step: steps.append(step), **plan) as release:
        assert row_counts(frames.to_arrow(release.table)) == row_counts(expected.table)
        assert release.report["reached"] == expected.report["reached"]
        assert release.report["loss"]["ncp"] == pytest.approx(expected.report["loss"]["ncp"], abs=1e-12)
        assert release.audit().passed and release.audit().verified
    assert local_rows == ROWS or any(stage == "levels" and "open nodes" in words for stage, _, _, words in steps)


ASKED = dict(quasi=QUASI, sensitive=["disease"], k=5, l=3)


@pytest.fixture(scope="module")
def release(spark):
    """Of rows whose texts are hard to write; typed cells."""
    table = people(ROWS)
    notes = pa.array([["plain", "a,b", 'say "so"', "two\nlines", " blank ", "", None, "=1+1", "ß{}"][i % 9] for i in range(ROWS)])
    table = table.set_column(table.column_names.index("note"), "note", notes)
    with tada.spark.anonymize(frame_of(spark, table, reverse=True), keep=["note", "site"], local_rows=200, **ASKED) as made:
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
    closeness = tada.audit(written, **ASKED, closeness="0.1").report["reached"]["t"]
    assert tada.spark.audit(release.table, **ASKED, closeness="0.1").report["reached"]["t"] == closeness


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
    texts = [tada.read_release(file).table for file in files]
    expected = tasks.read_capsule(_core.cells_of(frames.to_arrow(release.table).__arrow_c_stream__()))
    assert sum((row_counts(table) for table in texts), start=type(row_counts(expected))()) == row_counts(expected)
    program = os.environ.get("TADA_BINARY", "build/tada")
    if not os.path.exists(program):
        pytest.skip("the program is not built")
    asked = ["--quasi", ",".join(QUASI), "--sensitive", "disease", "-k", "5", "-l", "3"]
    found = subprocess.run([program, "audit", str(tmp_path / "out"), *asked, "--json"], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout)["reached"]["rows"] == ROWS


def test_duckdb_agrees(release, tmp_path):
    """The audit's SQL form over the Parquet folder, by another engine."""
    duckdb = pytest.importorskip("duckdb")
    program = os.environ.get("TADA_BINARY", "build/tada")
    if not os.path.exists(program):
        pytest.skip("the program is not built")
    release.write(tmp_path / "out", format="csv")
    asked = ["--quasi", ",".join(QUASI), "--sensitive", "disease", "-k", "5", "-l", "3"]
    query = subprocess.run([program, "audit", str(tmp_path / "out"), *asked, "--sql", "--sql-table", "released"], capture_output=True, text=True)
    assert query.returncode == 0, query.stderr
    database = duckdb.connect()
    database.execute(f"CREATE VIEW released AS SELECT * FROM read_csv('{tmp_path}/out/*.csv', all_varchar=true, header=true)")
    found = database.execute(query.stdout).fetchone()
    names = [column[0] for column in database.description]
    answer = dict(zip(names, found, strict=True))
    assert answer["passed"] in (True, 1), answer


def test_rows_travel_once_and_counts_are_few(spark):
    if frames.is_connect(spark):
        pytest.skip("what is shuffled is not told there")
    table = pa.concat_tables([people(5000, seed) for seed in range(40)])
    moved = Shuffled(spark)
    plan = dict(quasi=["age", "zip", "job"], sensitive=["disease"], k=5, l=3)
    with tada.spark.anonymize(frame_of(spark, table), local_rows=table.num_rows // 10, progress=moved.listen, **plan):
        found = moved.by_stage()
    assert 0 < found["finish"][0] <= 1.02 * table.num_rows
    assert 0 < found["levels"][1] <= 0.1 * found["finish"][1]


def test_executors_that_are_killed_change_nothing(spark, tmp_path):
    """One in a level, one while groups are finished."""
    if not spark.sparkContext.master.startswith("local-cluster"):
        pytest.skip("executors are no processes of their own")
    frame = frame_of(spark, people(), partitions=4)
    expected = tada.anonymize(people(), quasi=QUASI, k=5, l=3, sensitive=["disease"])
    killed = []

    def kill(stage, done, total, words):
        if (stage, len(killed)) in (("levels", 0), ("finish", 1)) and words:
            killed.append(stage)
            threading.Timer(0.3, kill_an_executor).start()

    with tada.spark.anonymize(frame, quasi=QUASI, k=5, l=3, sensitive=["disease"], local_rows=100, progress=kill) as release:
        assert row_counts(frames.to_arrow(release.table)) == row_counts(expected.table)
    assert killed == ["levels", "finish"] and len(set(KILLED)) == 2


KILLED = []


def kill_an_executor():
    """Ends a Java process that is an executor of this process's own Spark."""
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            with open(f"/proc/{entry}/cmdline", "rb") as file:
                command = file.read()
            if b"CoarseGrainedExecutorBackend" in command and is_below(int(entry), os.getpid()):
                KILLED.append(int(entry))
                os.kill(int(entry), signal.SIGKILL)
                return
        except OSError:
            continue


def is_below(process, ancestor):
    while process > 1:
        if process == ancestor:
            return True
        with open(f"/proc/{process}/stat") as file:
            process = int(file.read().rsplit(")", 1)[1].split()[1])
    return False


def tampered(kind):
    def change(self, witness):
        """Writes something else than what was made."""
        from pyspark.sql import functions as F

        names = [frames.col(name) for name in self.released]
        rows = witness.select(*names)
        first = F.col("note") == rows.agg(F.min("note")).collect()[0][0]
        if kind == "a row is lost":
            rows = rows.limit(rows.count() - 1)
        elif kind == "a cell is widened":
            rows = rows.withColumn("job", F.when(first, F.lit("*")).otherwise(F.col("job")))
        else:
            rows = rows.withColumn("disease", F.when(first, F.lit("none")).otherwise(F.col("disease")))
        return self._stored(rows, "release")

    return change


@pytest.mark.parametrize("kind", ["a row is lost", "a cell is widened", "a sensitive value is another"])
def test_a_release_that_is_not_what_was_made_does_not_appear(spark, tmp_path, monkeypatch, kind):
    monkeypatch.setattr(run.Run, "_write", tampered(kind))
    with pytest.raises(tada.AuditError, match="nothing was released"):
        plan = dict(quasi=QUASI, sensitive=["disease"], keep=["note"], k=5, cells="text")
        tada.spark.anonymize(frame_of(spark, people(300)), scratch=str(tmp_path), **plan)
    assert os.listdir(tmp_path) == []


def test_a_cell_that_does_not_cover_is_found(spark, tmp_path, monkeypatch):
    finish = run.Run._finish

    def lie(self, *arguments):
        from pyspark.sql import functions as F

        witness = finish(self, *arguments)
        wrong = witness.withColumn("age", F.when(F.col("note") == 3, F.lit("[1,2]")).otherwise(F.col("age")))
        return self._stored(wrong, "wrong")

    monkeypatch.setattr(run.Run, "_finish", lie)
    with pytest.raises(tada.AuditError, match="does not cover"):
        tada.spark.anonymize(frame_of(spark, people(300)), quasi=QUASI, keep=["note"], k=5, cells="text", scratch=str(tmp_path))
    assert os.listdir(tmp_path) == []


def test_errors_say_what_is_wrong_and_hold_no_cell(spark):
    frame = frame_of(spark, people(300))
    with pytest.raises(tada.UsageError, match="controllers does not work on Spark"):
        tada.spark.anonymize(frame, quasi=QUASI, k=5, controllers=2)
    with pytest.raises(tada.InfeasibleError):
        tada.spark.anonymize(frame, quasi=QUASI, k=301)
    with pytest.raises(tada.UsageError, match="nonsense"):
        tada.spark.anonymize(frame, quasi=["nonsense"], k=5)
    from pyspark.sql import functions as F

    broken = frame.withColumn("age", F.expr("CASE WHEN zip > '0' THEN assert_true(zip = 'x') ELSE age END").cast("long"))
    with pytest.raises(tada.DataError, match="Spark failed") as raised:
        tada.spark.anonymize(broken, quasi=QUASI, k=5)
    assert "assert" not in str(raised.value)


def test_columns_that_name_people_are_refused(spark):
    table = people(300).append_column("email", pa.array([f"p{i}@example.org" for i in range(300)]))
    with pytest.raises(tada.UsageError, match="e-mail"):
        tada.spark.anonymize(frame_of(spark, table), quasi=QUASI, keep=["email"], k=5)
    table = people(300).append_column("patient_id", pa.array([i // 3 for i in range(300)]))
    with pytest.raises(tada.UsageError, match="patient_id"):
        tada.spark.anonymize(frame_of(spark, table), quasi=QUASI, k=5)
    with tada.spark.anonymize(frame_of(spark, table), quasi=QUASI, k=5, rows_are_people=True) as release:
        assert release.report["reached"]["rows"] == 300


def test_an_interrupted_run_leaves_nothing(spark, tmp_path):
    def stop(stage, done, total, words):
        if stage == "finish":
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tada.spark.anonymize(frame_of(spark, people(300)), quasi=QUASI, k=5, scratch=str(tmp_path), progress=stop)
    assert os.listdir(tmp_path) == []


def test_terminals_and_notebooks_are_told_by_default(monkeypatch, capsys):
    assert tada.spark._shown(None) is None  # a log file is not
    monkeypatch.setitem(sys.modules, "ipykernel", sys)
    tada.spark._shown(None)("levels", 0, 600, "level 1, 1 open nodes, 600 rows")
    assert capsys.readouterr().err == "tada: levels: level 1, 1 open nodes, 600 rows\n"


def test_notebooks_show_a_release(release):
    assert "Audit passed" in release._repr_html_() and "<table>" in release._repr_html_()


def test_inspect_counts(spark):
    found = tada.spark.inspect(frame_of(spark, people(300)), ["age", "disease"])
    table = people(300)
    assert found["rows"] == 300
    assert found["columns"]["disease"]["distinct"] == len(set(table["disease"].to_pylist()))
    assert found["columns"]["age"]["missing"] == table["age"].null_count
