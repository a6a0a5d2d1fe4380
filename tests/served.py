"""Starts `tada serve` for tests, and asks it things as the page does, or as nobody should."""

import contextlib
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import time

from conftest import BINARY


class Served:
    """A running server."""

    def __init__(self, *arguments, folder: pathlib.Path | None = None, env=None, program: list[str] | None = None):
        """`program` is the command before its arguments, if it is not the binary."""
        self.process = subprocess.Popen(
            [*(program or [str(BINARY)]), "serve", "--no-open", *map(str, arguments)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env={**os.environ, **(env or {})},
        )
        line = self.process.stdout.readline().decode()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/#token=([0-9a-f]{64})", line)
        assert found, line + self.process.stderr.read().decode()
        self.port, self.token = int(found[1]), found[2]
        self.address = f"http://127.0.0.1:{self.port}/#token={self.token}"

    def ask(self, method, path, body=None, headers=None, token=None):
        """Status, headers and body; JSON is read."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=180)
        sent = {"Authorization": f"Bearer {self.token if token is None else token}", **(headers or {})}
        data = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        connection.request(method, path, body=data, headers={k: v for k, v in sent.items() if v is not None})
        answer = connection.getresponse()
        raw = answer.read()
        connection.close()
        return answer.status, dict(answer.getheaders()), json.loads(raw) if raw and "json" in (answer.getheader("Content-Type") or "") else raw

    def raw(self, text: bytes, seconds=120) -> bytes:
        """What comes back for these bytes, until the server closes or is silent."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=seconds) as wire:
            wire.sendall(text)
            got = b""
            with contextlib.suppress(TimeoutError, ConnectionError):
                while piece := wire.recv(65536):
                    got += piece
                    if b"\r\n\r\n" in got and b"Connection: close" not in got:
                        break
            return got

    def table(self) -> str:
        return self.ask("GET", "/api/tables")[2]["tables"][0]["id"]

    def wait(self, job: str, seconds=180):
        """The job, once it has ended."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            found = self.ask("GET", f"/api/jobs/{job}")[2]
            if found["state"] not in ("waiting", "running"):
                return found
            time.sleep(0.05)
        raise AssertionError(f"the job has not ended: {found}")

    def spent(self) -> float:
        """Seconds of processor that it has had."""
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self, how=signal.SIGINT):
        if self.process.poll() is None:
            self.process.send_signal(how)
        self.process.wait(timeout=180)
        self.process.stdout.close()
        self.process.stderr.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
