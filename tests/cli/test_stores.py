"""Objects of a store in and out: s3:// against a server that speaks S3 on loopback."""

import json
import os
import signal
import subprocess
import time

import pytest

from conftest import BINARY, ROLES, make_people, write_csv
from store import WHO

ASKED = [*ROLES, "-k", "4", "-l", "2"]


@pytest.fixture
def run(tada, tmp_path):
    """Copies lie in a folder of the test's, to see that none stays."""
    (tmp_path / "copies").mkdir()

    def call(*arguments, code=0):
        done = tada(*arguments, code=code, env={**WHO, "TMPDIR": str(tmp_path / "copies")})
        assert list((tmp_path / "copies").iterdir()) == []
        assert "hunter2" not in done.stdout + done.stderr
        return done

    return call


def test_an_object_in_and_out(tada, run, people, people_rows, store):
    store.put("people.csv", write_csv(people_rows).encode())
    tada("anonymize", people, *ASKED, "-o", "here.csv")
    said = run("anonymize", store.address("people.csv"), *ASKED, "-o", store.address("out/there.csv"), "--report", "r.json").stdout
    assert "s3://lake/out/there.csv" in said
    assert store.get("out/there.csv") == (tada.folder / "here.csv").read_bytes()
    assert len(json.loads((tada.folder / "r.json").read_text())["release_sha256"]) == 64
    run("audit", store.address("out/there.csv"), *ASKED, "--original", store.address("people.csv"))
    run("anonymize", store.address("people.csv"), *ASKED, "-o", store.address("out/there.parquet"))
    run("inspect", store.address("out/there.parquet"), "--json")
    assert "exists" in run("anonymize", people, *ASKED, "-o", store.address("out/there.csv"), code=5).stderr
    run("anonymize", people, *ASKED, "-o", store.address("out/there.csv"), "--force")


def test_a_folder_of_objects(tada, run, people, people_rows, store):
    for number, part in enumerate((people_rows[:150], people_rows[150:])):
        store.put(f"visits/year={2023 + number}/part-0.csv", write_csv(part).encode())
    tada("anonymize", people, *ASKED, "-o", "here.csv")
    run("anonymize", store.address("visits/"), *ASKED, "-o", "there.csv")
    assert (tada.folder / "there.csv").read_bytes() == (tada.folder / "here.csv").read_bytes()
    store.put("visits/year=2025/odd.csv", b"a,b\n1,2\n")
    stderr = run("inspect", store.address("visits/"), code=3).stderr
    assert "s3://lake/visits" in stderr and "year=2025/odd.csv" in stderr
    store.files.delete_file("lake/visits/year=2025/odd.csv")


def test_a_release_as_a_folder_of_objects(tada, run, people, store):
    tada("anonymize", people, *ASKED, "-o", "here.csv/", "--rows-per-file", "150")
    out = store.address("parts/out.csv/")
    run("anonymize", people, *ASKED, "-o", out, "--rows-per-file", "150", "--report", "r.json")
    names = [f"part-0000{number}.csv" for number in range(3)]
    assert below(store, "parts/out.csv/") == ["_SUCCESS", *names]
    for name in names:
        assert store.get(f"parts/out.csv/{name}") == (tada.folder / "here.csv" / name).read_bytes()
    assert len(json.loads((tada.folder / "r.json").read_text())["release_sha256"]) == 64
    run("audit", out, *ASKED, "--original", people)
    assert "exists" in run("anonymize", people, *ASKED, "-o", out, code=5).stderr
    run("anonymize", people, *ASKED, "--keep", "note", "-o", out, "--force", "--partition-by", "note")
    assert {name.split("/")[0] for name in below(store, "parts/out.csv/")} == {"_SUCCESS", *(f"note=n{number}" for number in range(10))}
    run("audit", out, *ASKED, "--keep", "note", "--original", people)
    store.put("parts/out.csv/letter.txt", b"dear")
    assert "more than parts" in run("anonymize", people, *ASKED, "-o", out, "--force", code=5).stderr
    assert "lake/parts/out.csv/letter.txt" in store.names()


def test_no_part_is_sent_where_the_requirement_cannot_be_met(run, people, store):
    before = store.names()
    run("anonymize", people, *ROLES, "-k", "500", "-o", store.address("none/"), code=4)
    run("anonymize", people, *ASKED, "-o", store.address("none/"), "--partition-by", "age", code=2)
    assert store.names() == before and store.uploads() == []


def below(store, folder: str) -> list[str]:
    return [path.removeprefix(f"lake/{folder}") for path in store.names() if path.startswith(f"lake/{folder}")]


def test_messages(run, people, store):
    assert "s3://lake/nothing.csv" in run("inspect", store.address("nothing.csv"), code=3).stderr
    before = store.names()
    run("anonymize", people, *ROLES, "-k", "500", "-o", store.address("none.csv"), code=4)
    run("anonymize", people, *ASKED, "-o", store.address("x.csv").replace("lake", "no-such-bucket"), code=5)
    assert store.names() == before


@pytest.mark.parametrize("target", ["killed.csv", "killed-parts.csv/"])
def test_killed_while_it_is_sent_there_is_no_object(tada, store, tmp_path, target):
    """As soon as the server knows of an upload it is held still, and the run is killed: no object is there afterwards. Of a folder the objects
    appear one after the other, once all of them are sent; without `_SUCCESS` it is none."""
    tada.write("big.csv", write_csv(make_people(400000)))
    parts = ["--rows-per-file", "100000"] if target.endswith("/") else []
    asked = ["--rows-are-people", *ASKED, "--keep", "note", *parts]
    for _ in range(5):  # a run that ends before it is seen to send anything is tried again
        command = [BINARY, "anonymize", "big.csv", *asked, "-o", store.address(target), "--progress", "json", "--quiet"]
        process = subprocess.Popen(command, cwd=tada.folder, stderr=subprocess.PIPE, text=True, env={**os.environ, **WHO, "TMPDIR": str(tmp_path)})
        for line in process.stderr:
            if '"audit"' in line:
                break
        while process.poll() is None and not store.uploads():
            time.sleep(0.01)
        store.process.send_signal(signal.SIGSTOP)
        process.kill()
        process.communicate()
        store.process.send_signal(signal.SIGCONT)
        if process.returncode != 0:
            break
        target = f"again-{target}"
    assert process.returncode == -signal.SIGKILL
    assert f"lake/{target}" not in store.names()
    assert f"lake/{target}_SUCCESS" not in store.names()
    # What the killed run left in the folder for temporary files is removed by the next.
    tada("anonymize", "big.csv", "--rows-are-people", "--quasi", "age", "-k", "4", "-o", "-", "--quiet", env={"TMPDIR": str(tmp_path)})
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".tada")] == []
    for upload in store.uploads():
        store.client().abort_multipart_upload(Bucket="lake", Key=upload["Key"], UploadId=upload["UploadId"])
