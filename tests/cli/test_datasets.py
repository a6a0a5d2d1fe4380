"""Several files as one table, and releases as folders of parts (docs/formats.md)."""

import collections
import gzip
import hashlib
import json
import os
import signal
import subprocess

import pytest

from conftest import BINARY, QUASI, ROLES, write_csv

pa = pytest.importorskip("pyarrow")
pytest.importorskip("pyarrow.dataset")
pytest.importorskip("pyarrow.feather")
pytest.importorskip("pyarrow.parquet")

ASKED = [*ROLES, "-k", "4", "-l", "2"]


def cut(rows: list[dict], parts: int = 3) -> list[list[dict]]:
    return [rows[i * len(rows) // parts : (i + 1) * len(rows) // parts] for i in range(parts)]


@pytest.fixture
def folder(tada, people_rows):
    """visits/, three CSV files of which one is packed."""
    inside = tada.folder / "visits"
    inside.mkdir()
    first, second, third = (write_csv(part).encode() for part in cut(people_rows))
    (inside / "a.csv").write_bytes(first)
    (inside / "b.csv.gz").write_bytes(gzip.compress(second))
    (inside / "c.csv").write_bytes(third)
    (inside / "_SUCCESS").write_bytes(b"")
    (inside / ".hidden.csv").write_bytes(b"no,table\n")
    return "visits"


def test_a_folder_a_pattern_and_a_list_are_the_table(tada, people, folder):
    tada("anonymize", people, *ASKED, "-o", "whole.csv")
    whole = (tada.folder / "whole.csv").read_bytes()
    ways = [["visits"], ["visits/"], ["visits/*"], ["visits/a.csv", "visits/b.csv.gz", "visits/c.csv"]]
    for number, way in enumerate(ways):
        tada("anonymize", *way, *ASKED, "-o", f"{number}.csv")
        assert (tada.folder / f"{number}.csv").read_bytes() == whole, way
    tada("audit", "whole.csv", *ASKED, "--original", "visits")
    profile = json.loads(tada("inspect", "visits/*.csv*", "--json").stdout)
    assert profile["rows"] == 400


def test_kinds_are_decided_over_all_files(tada):
    tada.write("a.csv", "v\n1\n2\n")
    tada.write("b.csv", "v\nx\ny\n")
    tada("anonymize", "a.csv", "b.csv", "--quasi", "v", "-k", "4", "-o", "out.csv")
    assert {row["v"] for row in tada.read("out.csv")} == {"{1,2,x,y}"}


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("z.csv", "name,age,zip,job,income,disease\n", "has no column 'note'"),
        ("z.csv", "name,age,zip,job,income,disease,note,more\n", "has a column 'more'"),
        ("z.txt", "hello", "is no table"),
        ("z.csv", "name,age,zip,job,income,disease,note\n1,2\n", "z.csv"),
        ("0.csv", "age,other\n", "0.csv"),  # which is the first: the others are odd beside it
    ],
)
def test_the_odd_file_is_named(tada, folder, name, text, words):
    (tada.folder / folder / name).write_text(text)
    stderr = tada("anonymize", folder, *ASKED, "-o", "out.csv", code=3).stderr
    assert f"visits/{name}" in stderr and words in stderr
    assert not (tada.folder / "out.csv").exists() and tada.litter() == []


def test_columns_may_stand_in_another_order(tada):
    tada.write("a.csv", "v,w\n1,x\n2,y\n")
    tada.write("b.csv", "w,v\nx,1\ny,2\n")
    tada("anonymize", "a.csv", "b.csv", "--quasi", "v,w", "-k", "2", "-o", "out.csv")
    assert collections.Counter((row["v"], row["w"]) for row in tada.read("out.csv")) == {("1", "x"): 2, ("2", "y"): 2}


def test_types_of_parquet_stay_and_must_agree(tada):
    (tada.folder / "in").mkdir()
    for number in range(2):
        pa.parquet.write_table(pa.table({"age": pa.array([30, 30, 40, 40], pa.int32()), "s": [1.5, 2.5, 1.5, 2.5]}), tada.folder / "in" / f"{number}.parquet")
    tada("anonymize", "in", "--quasi", "age", "--keep", "s", "-k", "2", "-o", "out.parquet")
    released = pa.parquet.read_table(tada.folder / "out.parquet")
    assert released.schema.field("age").type.field("lo").type == pa.int32() and released.schema.field("s").type == pa.float64()
    pa.parquet.write_table(pa.table({"age": pa.array([1, 2], pa.int64()), "s": [1.5, 2.5]}), tada.folder / "in" / "odd.parquet")
    stderr = tada("anonymize", "in", "--quasi", "age", "-k", "2", "-o", "no.parquet", code=3).stderr
    assert "in/odd.parquet" in stderr and "'age'" in stderr
    (tada.folder / "in" / "odd.parquet").unlink()
    pa.feather.write_feather(pa.table({"age": [1], "s": [1.0]}), str(tada.folder / "in" / "odd.arrow"))
    assert "odd.arrow" in tada("inspect", "in", code=3).stderr


def test_partition_folders_are_columns(tada, people_rows):
    for row in people_rows:
        place = tada.folder / "in" / f"disease={row['disease']}" / f"note={row['note']}"
        place.mkdir(parents=True, exist_ok=True)
        with (place / "part-0.csv").open("a") as file:
            file.write("" if file.tell() else "age,zip,job\n")
            file.write(write_csv([{name: row[name] for name in ("age", "zip", "job")}]).split("\n", 1)[1])
    tada("anonymize", "in", *ASKED, "-o", "out.csv")
    assert collections.Counter(row["disease"] for row in tada.read("out.csv")) == collections.Counter(row["disease"] for row in people_rows)
    tada("audit", "out.csv", *ASKED, "--original", "in")
    only = json.loads(tada("inspect", "in", "--json").stdout)
    assert [column["name"] for column in only["columns"]] == ["age", "zip", "job", "disease", "note"]


def parts(folder) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("extension", ["csv", "csv.gz", "csv.zst", "parquet", "arrow"])
def test_a_release_as_a_folder_of_parts(tada, people, extension):
    tada("anonymize", people, *ASKED, "-o", "whole.csv")
    tada("anonymize", people, *ASKED, "-o", f"out.{extension}/", "--rows-per-file", "150", "--report", "r.json")
    out = tada.folder / f"out.{extension}"
    assert parts(out) == [f"part-0000{number}.{extension}" for number in range(3)]
    tada("audit", f"out.{extension}", *ASKED, "--original", people)
    lines = "".join(f"{hashlib.sha256((out / name).read_bytes()).hexdigest()}  {name}\n" for name in parts(out))
    assert json.loads((tada.folder / "r.json").read_text())["release_sha256"] == hashlib.sha256(lines.encode()).hexdigest()
    assert tada.litter() == []
    if extension == "csv":
        texts = [(out / name).read_text().split("\n", 1)[1] for name in parts(out)]
        assert "".join(texts) == (tada.folder / "whole.csv").read_text().split("\n", 1)[1]
    if extension == "parquet":
        assert pa.dataset.dataset(out).count_rows() == 400


def test_parts_have_the_format_of_the_input(tada, people):
    tada("anonymize", people, *ASKED, "-o", "out/")
    assert parts(tada.folder / "out") == ["part-00000.csv"]


def test_parts_by_a_kept_column(tada, people, people_rows):
    tada("anonymize", people, *ASKED, "--keep", "note", "-o", "out.parquet/", "--partition-by", "note", "--rows-per-file", "20")
    out = tada.folder / "out.parquet"
    assert {name.split("/")[0] for name in parts(out)} == {f"note={row['note']}" for row in people_rows}
    read = pa.dataset.dataset(out, partitioning=pa.dataset.partitioning(pa.schema([("note", pa.string())]), flavor="hive")).to_table()
    assert collections.Counter(read.column("note").to_pylist()) == collections.Counter(row["note"] for row in people_rows)
    tada("audit", "out.parquet", *ASKED, "--keep", "note", "--original", people)
    tada("attack", "out.parquet", "--original", people, *ASKED)
    tada("decode", "out.parquet", "-o", "plain.csv")


def test_awkward_values_name_folders(tada):
    values = ["a/b", "a b", "ä", "", "..", "x=y", "50%", "z", "z-1"]
    tada.write("in.csv", write_csv([{"age": str(20 + i % 3), "s": value} for i, value in enumerate(values * 4)]))
    tada("anonymize", "in.csv", "--quasi", "age", "--keep", "s", "-k", "3", "-o", "out.csv/", "--partition-by", "s")
    tada("audit", "out.csv", "--quasi", "age", "--keep", "s", "-k", "3", "--original", "in.csv")
    assert len(list((tada.folder / "out.csv").iterdir())) == len(values)


@pytest.mark.parametrize("column", ["age", "name"])
def test_only_a_column_as_it_is_names_folders(tada, people, column):
    stderr = tada("anonymize", people, *ASKED, "-o", "out/", "--partition-by", column, code=2).stderr
    assert f"'{column}'" in stderr and not (tada.folder / "out").exists() and tada.litter() == []


def test_a_folder_that_is_there_is_replaced_by_force_alone(tada, people):
    tada("anonymize", people, *ASKED, "-o", "out/", "--rows-per-file", "50")
    before = parts(tada.folder / "out")
    assert "exists" in tada("anonymize", people, *ASKED, "-o", "out/", code=5).stderr
    assert parts(tada.folder / "out") == before
    tada("anonymize", people, *ASKED, "-o", "out/", "--force")
    assert parts(tada.folder / "out") == ["part-00000.csv"] and tada.litter() == []
    (tada.folder / "out" / "letter.txt").write_text("dear")
    assert "more than parts" in tada("anonymize", people, *ASKED, "-o", "out/", "--force", code=5).stderr
    assert (tada.folder / "out" / "letter.txt").exists()


def test_nothing_is_there_after_a_failure(tada, people):
    tada("anonymize", people, *ROLES, "-k", "500", "-o", "out/", code=4)
    assert sorted(path.name for path in tada.folder.iterdir()) == [people]
    tada("anonymize", people, *ASKED, "-o", "no/such/out/", code=5)


def test_a_killed_run_leaves_no_folder(tada, people_rows):
    tada.write("big.csv", write_csv(people_rows * 200))
    command = [BINARY, "anonymize", "big.csv", "--rows-are-people", *ASKED, "-o", "out/", "--rows-per-file", "500", "--quiet"]
    for stage in ("write", "audit"):
        run = subprocess.Popen([*command, "--progress", "json"], cwd=tada.folder, stderr=subprocess.PIPE, text=True)
        for line in run.stderr:
            if f'"{stage}"' in line:
                break
        run.send_signal(signal.SIGKILL)
        run.communicate()
        assert not (tada.folder / "out").exists() and tada.litter() != []
    tada("anonymize", "big.csv", "--rows-are-people", *ASKED, "-o", "out/", "--rows-per-file", "500", "--force")
    assert tada.litter() == []
    assert len(parts(tada.folder / "out")) == 160


def test_streamed_within_little_memory_the_same(tada, folder):
    tada("anonymize", folder, *ASKED, "-o", "a.csv/", "--rows-per-file", "100")
    tada("anonymize", folder, *ASKED, "-o", "b.csv/", "--rows-per-file", "100", "--memory", "64MB")
    assert [(tada.folder / "a.csv" / name).read_bytes() for name in parts(tada.folder / "a.csv")] == [
        (tada.folder / "b.csv" / name).read_bytes() for name in parts(tada.folder / "b.csv")
    ]


def test_formulas_are_guarded_in_csv_alone(tada, people):
    tada("anonymize", people, *ASKED, "-o", "out.parquet/", "--guard-formulas", code=2)
    assert not os.path.exists(tada.folder / "out.parquet")


def test_python_reads_folders(tada, people, folder, monkeypatch):
    tada_python = pytest.importorskip("tada")
    monkeypatch.chdir(tada.folder)
    verdicts = [tada_python.anonymize(table, quasi=QUASI, sensitive="disease", k=4, l=2).table for table in (people, folder, "visits/*.csv*")]
    assert verdicts[0].equals(verdicts[1]) and verdicts[0].equals(verdicts[2])
