"""A PostgreSQL server for tests: Debian's, on a socket in a temporary folder, there as long as its object."""

import os
import pathlib
import shutil
import subprocess
import tempfile

import pytest


class Postgres:
    def __init__(self):
        self.binaries = max(pathlib.Path("/usr/lib/postgresql").glob("*/bin"), default=None, key=lambda path: int(path.parent.name))
        if self.binaries is None or not shutil.which("psql"):
            pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="tada-postgres-"))
        if os.getuid() == 0:  # which the server refuses to run as
            shutil.chown(self.folder, "postgres")
            self.folder.chmod(0o711)
        self._run("initdb", "-D", self.folder / "data", "-A", "trust", "-U", "postgres", "-E", "UTF8", "--no-sync")
        settings = f"-c listen_addresses='' -c unix_socket_directories='{self.folder}' -c fsync=off"
        self._run("pg_ctl", "-D", self.folder / "data", "-o", settings, "-l", self.folder / "log", "-w", "start")

    def _run(self, program: str, *arguments):
        as_postgres = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        subprocess.run([*as_postgres, self.binaries / program, *arguments], check=True, capture_output=True, cwd=self.folder)

    def stop(self):
        self._run("pg_ctl", "-D", self.folder / "data", "-m", "immediate", "stop")
        shutil.rmtree(self.folder)

    def uri(self, parameters: str = "", user: str = "postgres", database: str = "postgres") -> str:
        """`parameters` are those of tada: table=visits."""
        host = str(self.folder).replace("/", "%2F")
        return f"postgresql://{user}@/{database}?host={host}" + (f"&{parameters}" if parameters else "")

    def run(self, script: str, folder: pathlib.Path | None = None, code: int = 0) -> list[list[str]]:
        """Runs a script of psql and gives the rows that it prints."""
        out = subprocess.run(
            ["psql", "-h", self.folder, "-U", "postgres", "-X", "-q", "-t", "-A", "-F", "\t", "-v", "ON_ERROR_STOP=1"],
            input=script,
            cwd=folder,
            capture_output=True,
            text=True,
            env={**os.environ, "PGCLIENTENCODING": "UTF8"},
        )
        assert out.returncode == code, out.stderr
        return [line.split("\t") for line in out.stdout.splitlines()]
