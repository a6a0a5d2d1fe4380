"""Objects of a store in and out: s3:// against a server that speaks S3 on loopback."""

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest

from conftest import BINARY, ROLES, make_people, write_csv

pytest.importorskip("moto", reason="moto[server] is not installed: scripts/setup stores")
import pyarrow.fs

ASKED = [*ROLES, "-k", "4", "-l", "2"]
WHO = {"AWS_ACCESS_KEY_ID": "someone", "AWS_SECRET_ACCESS_KEY": "hunter2", "AWS_EC2_METADATA_DISABLED": "true"}


class Server:
    def __init__(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(self.port)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env={**os.environ, **WHO})
        for line in self.process.stderr:
            if "Running on" in line:
                break
        who = {"access_key": "someone", "secret_key": "hunter2", "allow_bucket_creation": True}
        self.files = pyarrow.fs.S3FileSystem(endpoint_override=f"127.0.0.1:{self.port}", scheme="http", **who)
        self.files.create_dir("lake")

    def address(self, key: str) -> str:
        return f"s3://lake/{key}?scheme=http&endpoint_override=127.0.0.1%3A{self.port}&region=us-east-1"

    def put(self, key: str, data: bytes):
        with self.files.open_output_stream(f"lake/{key}") as stream:
            stream.write(data)

    def get(self, key: str) -> bytes:
        with self.files.open_input_stream(f"lake/{key}") as stream:
            return stream.read()

    def list(self) -> list[str]:
        return sorted(info.path for info in self.files.get_file_info(pyarrow.fs.FileSelector("lake", recursive=True)) if info.is_file)

    def stop(self):
        self.process.terminate()
        self.process.wait()


@pytest.fixture(scope="module")
def store():
    server = Server()
    yield server
    server.stop()


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


def test_messages(run, people, store):
    assert "s3://lake/nothing.csv" in run("inspect", store.address("nothing.csv"), code=3).stderr
    assert "disk" in run("anonymize", people, *ASKED, "-o", store.address("out/"), code=2).stderr
    before = store.list()
    run("anonymize", people, *ROLES, "-k", "500", "-o", store.address("none.csv"), code=4)
    run("anonymize", people, *ASKED, "-o", store.address("x.csv").replace("lake", "no-such-bucket"), code=5)
    assert store.list() == before


def test_killed_while_it_is_sent_there_is_no_object(tada, store, tmp_path):
    """As soon as the server knows of an upload it is held still, and the run is killed: the object is not there afterwards."""
    tada.write("big.csv", write_csv(make_people(400000)))
    with urllib.request.urlopen(f"http://127.0.0.1:{store.port}/") as answer:
        assert answer.status == 200
    process = subprocess.Popen(
        [BINARY, "anonymize", "big.csv", "--rows-are-people", *ASKED, "--keep", "note", "-o", store.address("killed.csv"), "--progress", "json", "--quiet"],
        cwd=tada.folder,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **WHO, "TMPDIR": str(tmp_path)},
    )
    for line in process.stderr:
        if '"audit"' in line:
            break
    while process.poll() is None and not uploads(store):
        pass
    store.process.send_signal(signal.SIGSTOP)
    process.kill()
    process.communicate()
    store.process.send_signal(signal.SIGCONT)
    assert process.returncode == -signal.SIGKILL
    assert "lake/killed.csv" not in store.list()


def uploads(store) -> bool:
    import boto3

    who = {"aws_access_key_id": "someone", "aws_secret_access_key": "hunter2", "region_name": "us-east-1"}
    client = boto3.client("s3", endpoint_url=f"http://127.0.0.1:{store.port}", **who)
    return bool(client.list_multipart_uploads(Bucket="lake").get("Uploads"))
