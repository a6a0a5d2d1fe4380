"""A server that speaks S3 on loopback, for tests."""

import os
import socket
import subprocess
import sys

import pytest

WHO = {"AWS_ACCESS_KEY_ID": "someone", "AWS_SECRET_ACCESS_KEY": "hunter2", "AWS_EC2_METADATA_DISABLED": "true"}


class Store:
    def __init__(self):
        pytest.importorskip("moto", reason="moto[server] is not installed: scripts/setup test")
        pyarrow = pytest.importorskip("pyarrow")
        pytest.importorskip("pyarrow.fs")
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

    def names(self) -> list[str]:
        import pyarrow.fs

        return sorted(info.path for info in self.files.get_file_info(pyarrow.fs.FileSelector("lake", recursive=True)) if info.is_file)

    def client(self):
        """What boto3 says, which knows of uploads that are not completed."""
        import boto3

        who = {"aws_access_key_id": "someone", "aws_secret_access_key": "hunter2", "region_name": "us-east-1"}
        return boto3.client("s3", endpoint_url=f"http://127.0.0.1:{self.port}", **who)

    def uploads(self) -> list[dict]:
        return self.client().list_multipart_uploads(Bucket="lake").get("Uploads", [])

    def stop(self):
        self.process.terminate()
        self.process.wait()
