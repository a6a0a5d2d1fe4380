"""tada.duckdb: releases and verdicts in SQL."""

import json
import pathlib
import tempfile

import pytest

duckdb = pytest.importorskip("duckdb")
pytest.importorskip("pyarrow")
tada = pytest.importorskip("tada")
pytest.importorskip("tada.duckdb")

ASKED = "{quasi: ['age', 'job'], sensitive: 'disease', k: 5, l: 2}"


@pytest.fixture
def database():
    with duckdb.connect() as opened:
        opened.execute("create table visits as select 20 + i * 7 % 50 as age, 'job ' || i % 4 as job, 'disease ' || i % 3 as disease, i from range(600) r(i)")
        tada.duckdb.register(opened)
        yield opened


def test_a_release_is_a_table(database):
    rows = database.sql(f"select age.lo, age.hi, job, disease from tada_anonymize('visits', {ASKED})").fetchall()
    release = tada.anonymize(database.table("visits"), quasi=["age", "job"], sensitive="disease", k=5, l=2)
    assert rows == [(row["age"]["lo"], row["age"]["hi"], row["job"], row["disease"]) for row in release.table.to_pylist()]
    assert len(rows) == 600


def test_it_follows_the_table_and_is_kept_by_create_table(database):
    database.execute(f"create table kept as from tada_anonymize('select * from visits where age < 40', {ASKED})")
    assert database.sql("select count(*) from kept").fetchall() == database.sql("select count(*) from visits where age < 40").fetchall()
    counted = f"select count(*) from tada_anonymize('visits', {ASKED})"
    assert database.sql(counted).fetchall() == [(600,)]
    database.execute("delete from visits where i < 300")
    assert database.sql(counted).fetchall() == [(300,)]


def test_a_verdict_is_a_value(database):
    database.execute(f"create table visits_anon as from tada_anonymize('visits', {ASKED})")
    failed = f"select verdict from (select tada_audit('visits_anon', {ASKED}) as verdict) where not (verdict->>'passed')::boolean"
    assert database.sql(failed).fetchall() == []
    database.execute("delete from visits_anon where rowid % 4 > 0")
    ((verdict,),) = database.sql(failed).fetchall()
    assert json.loads(verdict)["k"] < 5


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("from tada_anonymize('visits', {quasi: ['agee'], k: 5})", "agee"),
        ("from tada_anonymize('visits', {quasi: ['age'], k: 5000})", "600"),
        ("from tada_anonymize('visits', 5)", "struct"),
        ("from tada_anonymize('nowhere', {quasi: ['age']})", "nowhere"),
    ],
)
def test_errors_say_what_is_wrong(database, query, words):
    with pytest.raises(duckdb.Error, match=words):
        database.sql(query).fetchall()


def test_files_go_with_the_connection(monkeypatch, tmp_path):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    opened = duckdb.connect()
    opened.execute("create table visits as select i % 10 as age from range(100) r(i)")
    tada.duckdb.register(opened)
    assert opened.sql("select count(*) from tada_anonymize('visits', {quasi: ['age'], k: 5})").fetchall() == [(100,)]
    (folder,) = tmp_path.iterdir()
    assert [path.suffix for path in folder.iterdir()] == [".parquet"] and folder.stat().st_mode & 0o77 == 0
    opened.close()
    del opened
    assert not pathlib.Path(folder).exists()
