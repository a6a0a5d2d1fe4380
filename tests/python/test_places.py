"""Folders, databases and stores in Python, in and out."""

import pathlib

import pytest

from conftest import make_people, write_csv
from store import WHO

tada = pytest.importorskip("tada")
pytest.importorskip("pyarrow.parquet")

ASKED = dict(quasi=["age", "zip:categorical", "job"], sensitive="disease", k=4, l=2)


@pytest.fixture
def people(tmp_path):
    path = tmp_path / "people.csv"
    path.write_text(write_csv(make_people(400)))
    return path


@pytest.fixture
def who(monkeypatch, tmp_path):
    (tmp_path / "copies").mkdir()
    for name, value in {**WHO, "TMPDIR": str(tmp_path / "copies")}.items():
        monkeypatch.setenv(name, value)
    yield
    assert list((tmp_path / "copies").iterdir()) == []


def test_a_folder_of_parts(people, tmp_path):
    release = tada.anonymize(people, **ASKED, keep="note")
    release.write(tmp_path / "out.parquet", rows_per_file=150)
    assert sorted(path.name for path in (tmp_path / "out.parquet").iterdir()) == [f"part-0000{n}.parquet" for n in range(3)]
    assert tada.audit(tmp_path / "out.parquet", original=people, **ASKED, keep="note").passed
    release.write(f"{tmp_path}/by/", partition_by="note")
    assert all(path.name.startswith("note=") for path in (tmp_path / "by").iterdir())
    with pytest.raises(tada.OutputError, match="exists"):
        release.write(f"{tmp_path}/by/")
    with pytest.raises(tada.UsageError, match="widened"):
        release.write(f"{tmp_path}/other/", partition_by="age")


def test_a_table_of_postgresql(people, postgres):
    import pickle

    address = postgres.uri("table=from_python")
    release = tada.anonymize(people, **ASKED)
    try:
        release.write(address)
        assert postgres.run("select count(*), pg_typeof(min(job))::text from from_python group by pg_typeof(job)") == [["400", "text[]"]]
        assert tada.audit(address, original=people, **ASKED).passed
        assert tada.inspect(address)["rows"] == 400
        with pytest.raises(tada.OutputError, match="exists"):
            release.write(address)
        release.write(address, force=True)
        with pytest.raises(tada.UsageError, match="pickled"):
            pickle.loads(pickle.dumps(release)).write(address, force=True)
    finally:
        postgres.run("drop table if exists from_python")


def test_objects_of_a_store(people, store, who, tmp_path):
    store.put("python/people.csv", people.read_bytes())
    release = tada.anonymize(store.address("python/people.csv"), **ASKED)
    assert release.table.equals(tada.anonymize(people, **ASKED).table)
    release.write(store.address("python/out.csv"))
    release.write(tmp_path / "here.csv")
    assert store.get("python/out.csv") == pathlib.Path(tmp_path / "here.csv").read_bytes()
    release.write(store.address("python/parts.parquet/"), rows_per_file=100)
    assert tada.audit(store.address("python/parts.parquet/"), original=store.address("python/people.csv"), **ASKED).passed
    assert "lake/python/parts.parquet/_SUCCESS" in store.names()
    with pytest.raises(tada.OutputError, match="exists"):
        release.write(store.address("python/out.csv"))
    # What was read before is read again.
    store.put("python/people.csv", write_csv(make_people(300)).encode())
    assert tada.inspect(store.address("python/people.csv"))["rows"] == 300
    with pytest.raises(tada.DataError, match="s3://lake/python/nothing"):
        tada.inspect(store.address("python/nothing.csv"))
    with pytest.raises(tada.OutputError, match="no-such-bucket"):
        release.write(store.address("x.csv").replace("lake", "no-such-bucket"))
