"""tada.spark on a session whose executors are processes of their own: the same rows as one machine, audited, committed or not at all."""

import json
import os
import signal
import subprocess
import threading

import pytest

pytest.importorskip("pyspark", reason="make test-spark has it")

import pyarrow as pa
import pyarrow.parquet

import tada
import tada.spark
from spark_session import spark  # noqa: F401 - a fixture
from spread import people, row_counts
from tada._spark import frames, run

QUASI = ["age", "zip", "job", "weight", "since"]
PLANS = {
    "mondrian": dict(k=5, l=3, sensitive=["disease"], keep=["note"]),
    "entropy, text cells": dict(k=5, l=2, diversity="entropy", sensitive=["disease", "drug"], cells="text"),
    "infogain": dict(k=5, method="infogain", label=["buys"]),
    "ta_da multiway": dict(k=5, method="ta_da", label=["buys"], split="multiway"),
    "regression of controllers": dict(k=5, l=2, method="regression", label=["cost"], sensitive=["disease"], controller_column="site"),
}


def frame_of(spark, table, partitions=3, reverse=False):
    if reverse:
        table = table.take(pa.array(range(table.num_rows - 1, -1, -1)))
    return spark.createDataFrame(table).repartition(partitions)


@pytest.mark.parametrize("name", PLANS)
def test_the_rows_are_those_of_one_machine(spark, name):
    frame = frame_of(spark, people())
    expected = tada.anonymize(frame.toArrow(), quasi=QUASI, **PLANS[name])
    steps = []
    with tada.spark.anonymize(frame, quasi=QUASI, local_rows=150, progress=lambda *step: steps.append(step), **PLANS[name]) as release:
        assert row_counts(frames.to_arrow(release.table)) == row_counts(expected.table)
        assert release.report["reached"] == expected.report["reached"]
        assert release.report["loss"]["ncp"] == pytest.approx(expected.report["loss"]["ncp"], abs=1e-12)
        assert release.audit().passed and release.audit().verified
    assert any(stage == "levels" and "open nodes" in words for stage, _, _, words in steps)


def test_counts_that_are_too_many_for_the_driver_meet_on_executors(spark, monkeypatch):
    monkeypatch.setattr(run, "_COUNTED_HERE", 0)
    expected = tada.anonymize(people(300), quasi=QUASI, k=5)
    with tada.spark.anonymize(frame_of(spark, people(300)), quasi=QUASI, k=5, local_rows=100) as release:
        assert row_counts(frames.to_arrow(release.table)) == row_counts(expected.table)


def test_a_folder_appears_whole_and_duckdb_agrees(spark, tmp_path):
    frame = frame_of(spark, people(), reverse=True)
    plan = dict(quasi=QUASI, sensitive=["disease"], k=5, l=3, cells="text")
    release = tada.spark.anonymize(frame, local_rows=400, **plan)
    scratch = release._run.scratch.removeprefix("file://")
    assert sorted(os.listdir(scratch)) == ["release"]  # raw values are gone
    release.write(tmp_path / "out")
    release.write_report(tmp_path / "report.html")
    release.write_report(tmp_path / "report.json")
    assert "Mondrian" in (tmp_path / "report.html").read_text()
    assert json.loads((tmp_path / "report.json").read_text())["reached"]["k"] >= 5
    with pytest.raises(tada.OutputError, match="exists"):
        release.write(tmp_path / "out")
    release.write(tmp_path / "out", force=True)
    written = pa.parquet.read_table(tmp_path / "out")
    assert row_counts(written) == row_counts(tada.anonymize(frame.toArrow(), **plan).table)
    for file in (tmp_path / "out").glob("*.parquet"):  # sorted inside: the order tells nothing
        rows = [tuple(str(cell) for cell in row.values()) for row in pa.parquet.read_table(file).to_pylist()]
        assert rows == sorted(rows)
    assert [name for name in os.listdir(tmp_path) if name.startswith(".tada-")] == []
    verdict = tada.spark.audit(spark.read.parquet(str(tmp_path / "out")), quasi=QUASI, sensitive=["disease"], k=5, l=3)
    assert verdict.passed and verdict.k == release.report["reached"]["k"] and verdict.l == release.report["reached"]["l"]
    assert not tada.spark.audit(spark.read.parquet(str(tmp_path / "out")), quasi=QUASI, k=verdict.k + 1).passed
    release.close()
    assert not os.path.exists(scratch)

    duckdb = pytest.importorskip("duckdb")
    program = os.environ.get("TADA_BINARY", "build/tada")
    if not os.path.exists(program):
        pytest.skip("the program is not built")
    pa.parquet.write_table(written, tmp_path / "whole.parquet")
    asked = ["--quasi", ",".join(QUASI), "--sensitive", "disease", "-k", "5", "-l", "3"]
    query = subprocess.run([program, "audit", str(tmp_path / "whole.parquet"), *asked, "--sql", "--sql-table", "released"], capture_output=True, text=True)
    assert query.returncode == 0, query.stderr
    database = duckdb.connect()
    database.execute(f"CREATE VIEW released AS SELECT * FROM read_parquet('{tmp_path}/out/*.parquet')")
    answer = {check: (passed, found) for check, passed, found, _ in database.execute(query.stdout).fetchall()}
    assert answer == {"k": (True, verdict.k), "l of disease": (True, verdict.l)}
    database.execute(f"CREATE OR REPLACE VIEW released AS SELECT * FROM read_parquet('{tmp_path}/out/*.parquet') LIMIT 3")
    assert not all(passed for _, passed, _, _ in database.execute(query.stdout).fetchall())


def test_executors_that_are_killed_change_nothing(spark, tmp_path):
    """One in a level, one while groups are finished."""
    if not spark.sparkContext.master.startswith("local-cluster"):
        pytest.skip("executors are no processes of their own")
    frame = frame_of(spark, people(), partitions=4)
    expected = tada.anonymize(frame.toArrow(), quasi=QUASI, k=5, l=3, sensitive=["disease"])
    killed = []

    def kill(stage, done, total, words):
        if (stage, len(killed)) in (("levels", 0), ("finish", 1)) and words:
            killed.append(stage)
            threading.Timer(0.3, kill_an_executor).start()

    with tada.spark.anonymize(frame, quasi=QUASI, k=5, l=3, sensitive=["disease"], local_rows=100, progress=kill) as release:
        assert row_counts(frames.to_arrow(release.table)) == row_counts(expected.table)
    assert killed == ["levels", "finish"] and KILLED


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
    write = run.Run._write

    def change(self, witness):
        """Writes something else than what was made."""
        from pyspark.sql import functions as F

        rows = write(self, witness)
        first = F.col("note") == rows.agg(F.min("note")).collect()[0][0]
        if kind == "a row is lost":
            rows = rows.limit(rows.count() - 1)
        elif kind == "a cell is widened":
            rows = rows.withColumn("job", F.when(first, F.lit("*")).otherwise(F.col("job")))
        elif kind == "a sensitive value is another":
            rows = rows.withColumn("disease", F.when(first, F.lit("none")).otherwise(F.col("disease")))
        else:  # the same rows, but those of a class in two files
            rows = rows.repartition(2, "disease")
        return self._stored(rows, "tampered")

    return change


@pytest.mark.parametrize("kind", ["a row is lost", "a cell is widened", "a sensitive value is another"])
def test_a_release_that_is_not_what_was_made_does_not_appear(spark, tmp_path, monkeypatch, kind):
    monkeypatch.setattr(run.Run, "_write", tampered(kind))
    with pytest.raises(tada.AuditError, match="nothing was released"):
        plan = dict(quasi=QUASI, sensitive=["disease"], keep=["note"], k=5, cells="text")
        tada.spark.anonymize(frame_of(spark, people(300)), local_rows=100, scratch=str(tmp_path), **plan)
    assert os.listdir(tmp_path) == []


def test_classes_in_several_files_meet_for_the_audit(spark, tmp_path, monkeypatch):
    plan = dict(quasi=QUASI, sensitive=["disease"], keep=["note"], k=5, l=2, cells="text", local_rows=100)
    with tada.spark.anonymize(frame_of(spark, people(300)), **plan) as release:
        expected = release.report["reached"]
    monkeypatch.setattr(run.Run, "_write", tampered("other files"))
    with tada.spark.anonymize(frame_of(spark, people(300)), **plan) as release:
        assert release.report["reached"] == expected


def test_a_cell_that_does_not_cover_is_found(spark, tmp_path, monkeypatch):
    finish = run.Run._finish

    def lie(self, *arguments):
        def change(batches):
            import pyarrow as pa

            from tada._spark import packed

            for batch in batches:
                rows = pa.Table.from_batches([batch]).to_pylist()
                for row in rows:
                    cells = packed.plain(packed.unpack(row["cells"]))
                    ages = ["[1,2]" if note == 3 else age for note, age in zip(cells["note"].to_pylist(), cells["age"].to_pylist(), strict=True)]
                    row["cells"] = packed.pack(cells.set_column(cells.column_names.index("age"), "age", pa.array(ages)))
                yield pa.RecordBatch.from_pylist(rows, batch.schema)

        return self._stored(finish(self, *arguments).mapInArrow(change, run._WITNESS), "wrong")

    monkeypatch.setattr(run.Run, "_finish", lie)
    with pytest.raises(tada.AuditError, match="does not cover"):
        tada.spark.anonymize(frame_of(spark, people(300)), quasi=QUASI, keep=["note"], k=5, cells="text", local_rows=100, scratch=str(tmp_path))
    assert os.listdir(tmp_path) == []


def test_errors_say_what_is_wrong_and_hold_no_cell(spark):
    frame = frame_of(spark, people(300))
    with pytest.raises(tada.UsageError, match="controllers= does not work on Spark"):
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


def test_inspect_counts(spark):
    found = tada.spark.inspect(frame_of(spark, people(300)), ["age", "disease"])
    table = people(300)
    assert found["rows"] == 300
    assert found["columns"]["disease"]["distinct"] == len(set(table["disease"].to_pylist()))
    assert found["columns"]["age"]["missing"] == table["age"].null_count
