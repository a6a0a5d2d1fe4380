"""Files, disks and ends that nobody hopes for: each is told apart, in words that name the file as its owner does, and leaves nothing behind."""

import contextlib
import gzip
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time
import urllib.parse
import zipfile

import pytest

from served import BINARY, Served

ROWS = [{"age": 30 + i % 7, "sex": "fm"[i % 2], "ill": ["flu", "asthma", "cold"][i % 3]} for i in range(60)]
CSV = ("age,sex,ill\n" + "".join(f"{r['age']},{r['sex']},{r['ill']}\n" for r in ROWS)).encode()
JSON_LINES = "".join(json.dumps(row) + "\n" for row in ROWS).encode()
PLAN = {"values": {"quasi": ["age", "sex"], "sensitive": ["ill"], "k": 5, "l": 2}}


@pytest.fixture(scope="module")
def served():
    with Served() as server:
        yield server


def put(served, name, data):
    status, _, table = served.ask("PUT", "/api/tables/" + urllib.parse.quote(name, safe=""), data)
    assert status == 201, table
    return table["id"]


@pytest.mark.parametrize(
    "name, data",
    [("a.csv", CSV), ("A.CSV", CSV), ("a.txt", CSV), ("no extension", CSV), ("a.tsv", CSV.replace(b",", b"\t")), ("a.csv", b"\xef\xbb\xbf" + CSV),
     ("a.csv", CSV.decode().encode("utf-16")), ("a.csv", CSV.replace(b"\n", b"\r\n")), ("a.csv.gz", gzip.compress(CSV)), ("a.gz", gzip.compress(CSV)),
     ("a.json", JSON_LINES), ("a.jsonl", JSON_LINES), ("a.ndjson", JSON_LINES)],
)  # fmt: skip
def test_what_the_page_says_it_takes_is_taken(served, name, data):
    table = put(served, name, data)
    status, _, profile = served.ask("GET", f"/api/tables/{table}")
    assert status == 200 and profile["rows"] == 60 and [c["name"] for c in profile["columns"]] == ["age", "sex", "ill"], profile
    job = served.ask("POST", "/api/jobs", {"kind": "anonymize", "table": table, "plan": PLAN})[2]["id"]
    assert served.wait(job)["exit_code"] == 0


def test_a_workbook_is_taken(served, tmp_path):
    cells = lambda texts: "".join(f'<c t="inlineStr"><is><t>{text}</t></is></c>' for text in texts)  # noqa: E731
    rows = "".join(f"<row>{cells(texts)}</row>" for texts in (["age", "sex", "ill"], *[map(str, row.values()) for row in ROWS]))
    with zipfile.ZipFile(tmp_path / "a.xlsx", "w") as book:
        book.writestr("xl/workbook.xml", '<workbook xmlns:r="r"><workbookPr/><sheets><sheet name="s" sheetId="1" r:id="r1"/></sheets></workbook>')
        book.writestr("xl/_rels/workbook.xml.rels", '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>')
        book.writestr("xl/worksheets/sheet1.xml", f"<worksheet><sheetData>{rows}</sheetData></worksheet>")
    status, _, profile = served.ask("GET", f"/api/tables/{put(served, 'a.xlsx', (tmp_path / 'a.xlsx').read_bytes())}")
    assert status == 200 and profile["rows"] == 60 and profile["format"] == "xlsx", profile


@pytest.mark.parametrize(
    "name, data, words",
    [("a.csv", b"", "the file is empty"), ("a.csv", b"\n", "the header is blank"), ("a.csv", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 9, "not UTF-8"),
     ("a.csv", b"a,a\n1,2\n", "two columns have the name 'a'"), ("a.csv", b"a,b\n1\n", "1 cell where the header has 2"),
     ("a.csv", b'a,b\n"1,2\n', "never closed"), ("a.parquet", b"PAR1 PAR1", "Parquet"), ("a.xlsx", b"PK\x03\x04 no", "a.xlsx"),
     ("a.zip", b"PK\x05\x06" + bytes(18), "Unknown kind of file"), ("a.jsonl.gz", gzip.compress(JSON_LINES), "Unknown kind of file"),
     ("a.csv.gz", gzip.compress(CSV)[:60], "a.csv.gz")],
)  # fmt: skip
def test_what_cannot_be_read_is_said_by_the_name_of_the_file(served, name, data, words):
    status, _, problem = served.ask("GET", f"/api/tables/{put(served, name, data)}")
    assert status in (400, 422) and words in problem["detail"] and name in problem["detail"], problem
    assert "tada-serve-" not in json.dumps(problem)  # where the server keeps it is nobody's business


def test_an_upload_that_is_refused_or_broken_off_leaves_nothing(tmp_path):
    with Served("--max-upload", "1", env={"XDG_RUNTIME_DIR": str(tmp_path)}) as server:
        assert server.ask("PUT", "/api/tables/a.csv", b"x" * 2_000_000)[0] == 413
        head = f"PUT /api/tables/a.csv HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nAuthorization: Bearer {server.token}\r\nContent-Length: 1000\r\n\r\na,b\n"
        server.raw(head.encode(), seconds=1)
        end = time.monotonic() + 180
        while (left := [path.name for path in tmp_path.rglob("table-*")]) and time.monotonic() < end:
            time.sleep(0.05)
        assert not left
        status, _, problem = server.ask("POST", "/api/plan", b"{" + b" " * (1 << 20) + b"}")
        assert status == 413 and "1 MB" in problem["hint"]


@pytest.mark.skipif(shutil.which("prlimit") is None, reason="prlimit is not here")
def test_a_plan_that_cannot_be_stored_whole_starts_nothing(tmp_path):
    """As on a disk that is full: half a plan could promise less than what was asked."""
    (tmp_path / "a.csv").write_bytes(CSV)
    with Served(tmp_path / "a.csv", env={"XDG_RUNTIME_DIR": str(tmp_path)}, program=["prlimit", "--fsize=20", str(BINARY)]) as server:
        status, _, problem = server.ask("POST", "/api/jobs", {"kind": "anonymize", "table": server.table(), "plan": PLAN})
        assert status == 507 and problem["exit_code"] == 5, problem
        assert not list(tmp_path.rglob("run-*")) and server.ask("GET", "/api/runs")[2]["runs"] == []
        status, _, problem = server.ask("PUT", "/api/tables/b.csv", CSV)
        assert status == 507 and not list(tmp_path.rglob("table-*")), problem
        assert server.ask("GET", f"/api/tables/{server.table()}")[2]["rows"] == 60  # it goes on


def test_a_folder_that_vanishes_is_said(tmp_path):
    (tmp_path / "a.csv").write_bytes(CSV)
    with Served(tmp_path / "a.csv", "--folder", tmp_path / "kept") as server:
        shutil.rmtree(tmp_path / "kept")
        (tmp_path / "kept").write_text("a file")
        status, _, problem = server.ask("POST", "/api/jobs", {"kind": "anonymize", "table": server.table(), "plan": PLAN})
        assert status == 507 and "folder" in problem["detail"], problem
    result = subprocess.run([str(BINARY), "serve", "--no-open", "--folder", tmp_path / "kept"], capture_output=True, text=True, timeout=120)
    assert result.returncode == 5 and "Cannot write to the folder" in result.stderr


def writing_child(parent: int) -> int:
    """A child that has begun to write what would be left behind; 0: none yet."""
    for child in [child for task in pathlib.Path(f"/proc/{parent}/task").iterdir() for child in read(task / "children").split()]:
        with contextlib.suppress(OSError):
            if any("/.tada-" in os.readlink(file) for file in pathlib.Path(f"/proc/{child}/fd").iterdir()):
                return int(child)
    return 0


def read(path) -> str:
    """What a file says; nothing if it is gone."""
    with contextlib.suppress(OSError):
        return path.read_text()
    return ""


def test_a_job_that_the_system_ends_is_said():
    rows = subprocess.run([str(BINARY), "demo", "--write", "-", "--rows", "300000"], capture_output=True, timeout=300).stdout
    with Served() as server:
        table = put(server, "big.csv", rows)
        long = {"values": {"quasi": ["age", "sex", "job"], "k": 5, "method": "compact"}}
        job = server.ask("POST", "/api/jobs", {"kind": "anonymize", "table": table, "plan": long})[2]["id"]
        end = time.monotonic() + 180
        while not (child := writing_child(server.process.pid)) and time.monotonic() < end:
            time.sleep(0.01)
        os.kill(child, signal.SIGKILL)
        ended = server.wait(job)
        assert ended["state"] == "failed" and ended["exit_code"] == 70, ended
        assert "The system ended the job" in ended["error"]["detail"] and "memory" in ended["error"]["hint"]
        assert [file["name"] for file in ended["files"]] == ["tada.toml"]
        again = server.ask("POST", "/api/jobs", {"kind": "anonymize", "table": table, "plan": {"values": {"quasi": ["sex"], "k": 5}}})[2]["id"]
        assert server.wait(again)["exit_code"] == 0
