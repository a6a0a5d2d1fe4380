"""The steps of the Dockerfile's last stage, run in a bare Debian 12: what `docker build` would do, without Docker."""

import json
import pathlib
import shutil

import pytest
from test_packages import package, use, use_the_page

from bare_debian import BareDebian
from conftest import ROOT

pytestmark = pytest.mark.packages


def steps() -> list[list[str]]:
    """Instructions and their arguments, behind the last FROM."""
    lines = [line for line in (ROOT / "Dockerfile").read_text().splitlines() if line and not line.startswith("#")]
    last = max(number for number, line in enumerate(lines) if line.startswith("FROM "))
    return [line.split(" ", 1) for line in lines[last:]]


def build(debian: BareDebian) -> tuple[str, list[str]]:
    """Does the steps; gives who runs what."""
    user, command = "0:0", []
    for instruction, argument in steps():
        match instruction:
            case "FROM":
                assert argument == "debian:bookworm-slim"  # which has what debootstrap makes, without documentation
            case "COPY":
                assert argument == "--from=build /src/dist/*.deb /opt/"
                shutil.copy(package("tada_{version}_*.deb"), debian.folder / "opt")
            case "RUN":
                debian.run("sh", "-c", argument, user=user)
            case "USER":
                user = argument
            case "WORKDIR":
                assert (debian.folder / argument.strip("/")).is_dir()
            case "ENTRYPOINT" | "CMD":
                command += json.loads(argument)
            case _:
                raise AssertionError(f"this test does not know {instruction}")
    return user, command


@pytest.fixture
def debian(tmp_path):
    bare = BareDebian(tmp_path / "root")
    try:
        shutil.copy("/etc/resolv.conf", bare.folder / "etc/resolv.conf")
        yield bare
    finally:
        bare.close()


def test_the_image(debian):
    user, command = build(debian)
    assert user == "10001:10001" and command == ["tada", "--help"]
    assert list(pathlib.Path(debian.folder / "opt").iterdir()) == []
    debian.read_only("/tmp", "/data")
    debian.run("touch", "/usr/x", code=1)
    assert "anonymize" in debian.run(*command, user=user)
    assert "Cannot connect" in debian.run("tada", "inspect", "postgresql:///x?host=/nowhere&table=t", user=user, code=3)
    use(debian, "tada", user=user)
    use_the_page(debian, "tada", user=user)
