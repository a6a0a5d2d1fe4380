"""The packages of `make dist` in a bare Debian 12 (scripts/test_dist): they install, work and go without a trace, with no compiler and no Python."""

import json
import os
import pathlib
import re
import subprocess

import pytest

from bare_debian import BareDebian
from conftest import ROOT
from served import Served

pytestmark = pytest.mark.packages

DIST = pathlib.Path(os.environ.get("TADA_DIST", ROOT / "dist"))
LARGEST = 60_000_000  # bytes of a package
ROLES = {"quasi": ["age", "sex", "zip:categorical", "job"], "sensitive": ["diagnosis"], "k": 10, "l": 2}


def package(pattern: str) -> pathlib.Path:
    """The package of this version."""
    version = re.search(r"^project\(tada VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]
    (found,) = DIST.glob(pattern.format(version=version))
    return found


@pytest.fixture
def debian(tmp_path):
    bare = BareDebian(tmp_path / "root")
    yield bare
    bare.close()


@pytest.fixture
def unpacked(debian):
    """The archive, unpacked somewhere; and what was there before."""
    before = debian.files()
    (debian.folder / "opt/first").mkdir()
    subprocess.run(["tar", "-xf", package("tada-{version}-linux-*.tar.xz"), "-C", debian.folder / "opt/first", "--strip-components=1"], check=True)
    return debian, before


def use(debian: BareDebian, tada: str, user: str = "65534:65534") -> None:
    """What a newcomer tries first, as somebody who is not root."""
    assert "audit passed" in debian.run("sh", "-c", f"cd /tmp && {tada} demo && rm -r tada-demo", user=user)
    people = f"cd /tmp && {tada} demo --write people.csv --rows 2000 >/dev/null && {tada} anonymize people.csv"
    asked = "--quasi age,sex,zip:categorical,job --sensitive diagnosis -k 10 -l 2"
    for kind in ("csv.zst", "parquet", "arrow"):
        audited = f"{tada} audit out.{kind} {asked} --original people.csv && rm people.csv out.{kind}"
        debian.run("sh", "-c", f"{people} {asked} -o out.{kind} && {audited}", user=user)
    # The library for S3 is loaded: what is missing is an answer, not the library.
    refused = debian.run(tada, "inspect", "s3://b/x.csv?scheme=http&endpoint_override=127.0.0.1%3A9", user=user, code=3)
    assert "libarrow" not in refused and "nrecognized" not in refused, refused


def use_the_page(debian: BareDebian, tada: str, user: str = "65534:65534") -> None:
    with Served("--demo", program=debian.enter(tada, user=user)) as served:
        status, _, page = served.ask("GET", "/", headers={"Accept-Encoding": "gzip"})
        assert status == 200 and len(page) > 200
        started = served.ask("POST", "/api/jobs", {"kind": "anonymize", "table": served.table(), "plan": {"values": ROLES}})[2]
        ended = served.wait(started["id"])
        assert ended["state"] == "done", ended
        assert served.ask("GET", f"/api/jobs/{started['id']}/result")[2]["verdict"]["passed"]


def check_libraries(debian: BareDebian, *binaries: str) -> None:
    """Every library is found, and none elsewhere than beside the program or in the system."""
    for binary in binaries:
        said = debian.run("ldd", binary)
        assert "not found" not in said, said
        assert ("libarrow" in said) == binary.endswith("libtada_arrow.so")  # loaded when a file needs it


def test_the_root_is_bare(debian):
    for tool in ("python3", "gcc", "cc", "g++", "clang", "make", "curl"):
        debian.run("sh", "-c", f"command -v {tool}", code=127)
    assert (debian.folder / "etc/debian_version").read_text().startswith("12")


def test_packages_are_small():
    for pattern in ("tada-{version}-linux-*.tar.xz", "tada_{version}_*.deb"):
        assert package(pattern).stat().st_size <= LARGEST, pattern


def test_the_debian_package(debian):
    before = debian.files()
    deb = package("tada_{version}_*.deb")
    debian.run("mkdir", "/run/tada-package")
    subprocess.run(["cp", deb, debian.folder / "run/tada-package/tada.deb"], check=True)
    debian.run("dpkg", "-i", "/run/tada-package/tada.deb")
    debian.run("rm", "-r", "/run/tada-package")
    added = set(debian.files()) - set(before)
    assert {"/usr/bin/tada", "/usr/lib/libtada.so", "/usr/include/tada/tada.h"} <= added
    assert {"/usr/share/man/man1/tada.1", "/usr/share/bash-completion/completions/tada"} <= added
    assert {path.split("/")[1] for path in added} == {"usr"}
    assert "dpkg: warning" not in debian.run("dpkg", "--audit")
    check_libraries(debian, "/usr/bin/tada", "/usr/lib/libtada.so", "/usr/lib/tada/libtada_arrow.so")
    use(debian, "tada")
    assert "libpq5" in debian.run("tada", "inspect", "postgresql:///x?table=t", code=2)
    use_the_page(debian, "tada")
    debian.run("dpkg", "--purge", "tada")
    after = debian.files()
    assert {path: state for path, state in after.items() if before.get(path) != state} == {}
    assert set(before) - set(after) == set()


def test_the_archive_works_wherever_it_lies(unpacked):
    debian, before = unpacked
    check_libraries(debian, "/opt/first/bin/tada", "/opt/first/lib/libtada.so", "/opt/first/lib/tada/libtada_arrow.so")
    use(debian, "/opt/first/bin/tada")
    debian.run("mkdir", "/opt/second")
    debian.run("mv", "/opt/first", "/opt/second/a b")
    use_the_page(debian, "/opt/second/a b/bin/tada")
    debian.run("rm", "-r", "/opt/second")
    assert debian.files() == before


def test_a_program_of_others_runs_with_the_library_of_the_archive(unpacked, tmp_path):
    """Compiled where a compiler is, against the archive; run where there is none."""
    debian, _ = unpacked
    tree = debian.folder / "opt/first"
    example = debian.folder / "opt/example"
    flags = [f"-I{tree}/include", f"-L{tree}/lib", "-ltada", "-Wl,-rpath,/opt/first/lib"]
    subprocess.run(["cc", ROOT / "examples/c/release_a_stream.c", "-o", example, *flags], check=True)
    assert debian.run("/opt/example").splitlines()[0] == "age"


def test_everything_bundled_is_in_the_bill_with_its_licence(unpacked):
    tree = unpacked[0].folder / "opt/first"
    bill = json.loads((tree / "share/doc/tada/tada.spdx.json").read_text())
    names = {entry["name"]: entry for entry in bill["packages"]}
    identifiers = [entry["SPDXID"] for entry in bill["packages"] + bill["files"]]
    assert len(identifiers) == len(set(identifiers))
    listed = {entry["fileName"] for entry in bill["files"]}
    contained = {relation["relatedSpdxElement"] for relation in bill["relationships"] if relation["relationshipType"] == "CONTAINS"}
    for library in (tree / "lib/tada").iterdir():
        if library.is_symlink():
            continue
        assert f"./lib/tada/{library.name}" in listed
        (entry,) = [entry for entry in bill["files"] if entry["fileName"] == f"./lib/tada/{library.name}"]
        assert entry["SPDXID"] in contained, library
        (digest,) = [sum["checksumValue"] for sum in entry["checksums"] if sum["algorithm"] == "SHA256"]
        assert subprocess.run(["sha256sum", library], capture_output=True, text=True, check=True).stdout.split()[0] == digest
    texts = {path.name for path in (tree / "share/doc/tada/licenses").iterdir()}
    for name, entry in names.items():
        assert entry["licenseDeclared"] != "NOASSERTION", name
        if name != "tada":
            assert any(text.startswith(name) for text in texts), f"no licence text of {name} in {sorted(texts)}"
    # What the page and the fonts are made of is bundled too.
    assert {"apache-arrow-cpp", "nanoarrow", "preact", "nlohmann-json3-dev"} <= set(names)
